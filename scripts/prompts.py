"""Show prompts, list which questions can be asked over fewer days, renew docs/prompts.md."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

from collections import Counter, defaultdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from builder.console import one_line_errors
from builder.json_output import json_text
from builder.prompt_tables import document as tables_of
from builder.prompt_tables import measure, replaced
from eval_tasks.errors import EvaluationError, UnknownNameError
from eval_tasks.forms import DEFAULT_FORM, TEST_SPLIT, form_of
from eval_tasks.horizons import HORIZONS, shown_part
from eval_tasks.prompts import qa_prompt
from eval_tasks.question import LONGEVITY
from eval_tasks.release import Release, downloaded, find_release

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "prompts.md"
Counts = dict[str, Counter[int]]
ReleaseOption = Annotated[
    str | None, typer.Option(help="Folder of a release, or its Hub repository. Default: as found.")
]
SplitOption = Annotated[str, typer.Option(help="Split.")]


@app.callback()
def main() -> None:
    """Show prompts, and list which questions can be asked over fewer days."""


@app.command()
def show(
    instance: Annotated[str, typer.Argument(help="Instance id of a question.")],
    release: ReleaseOption = None,
    split: SplitOption = TEST_SPLIT,
    style: Annotated[str, typer.Option(help="structured or timelined.")] = DEFAULT_FORM.style,
    days: Annotated[int, typer.Option(help="Days that are shown.")] = DEFAULT_FORM.days,
) -> None:
    """Print the prompt of a question as a model reads it."""
    with one_line_errors():
        form = form_of(style, days)
        found = _release(release, split)
        for config in _qa_configs(found, split):
            for row in found.read(config, split):
                if row["instance_id"] != instance:
                    continue
                shown = shown_part(row, form.days)
                if shown is None:
                    raise EvaluationError(f"{instance} cannot be answered from {days} days")
                print(qa_prompt(row, shown, form.style))
                return
        raise UnknownNameError(f"no instance {instance!r} in the split {split} of {found.repo}")


@app.command()
def horizons(
    release: ReleaseOption = None,
    split: SplitOption = TEST_SPLIT,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Count by task how many questions are asked over all, 7 and 1 days of the record."""
    with one_line_errors():
        found = _release(release, split)
        counts = {config: _counts(found, config, split) for config in _qa_configs(found, split)}
    if as_json:
        print(json_text(counts))
        return
    table = Table(title=f"Questions by days shown, split {split} of HealthLoopQA {found.version}")
    for name in ("config", "task", *(f"{days} d" for days in HORIZONS)):
        table.add_column(name, justify="left" if name in {"config", "task"} else "right")
    for config, tasks in counts.items():
        for task, asked in tasks.items():
            table.add_row(config, task, *(str(asked[days]) for days in HORIZONS))
        total = sum(tasks.values(), Counter[int]())
        table.add_row(config, "all", *(str(total[days]) for days in HORIZONS), end_section=True)
    Console().print(table)


@app.command()
def document(
    release: ReleaseOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text.")
    ] = False,
) -> None:
    """Write what is measured on the split test into docs/prompts.md."""
    with one_line_errors():
        found = _release(release, TEST_SPLIT)
        measured = [
            measure(config, found.read(config, TEST_SPLIT), found.baselines(config, TEST_SPLIT))
            for config in _qa_configs(found, TEST_SPLIT)
        ]
        text = replaced(DOCUMENT.read_text(encoding="utf-8"), tables_of(measured))
        DOCUMENT.write_text(text, encoding="utf-8")
    print(json_text({"file": str(DOCUMENT)}) if as_json else f"wrote {DOCUMENT}")


def _counts(release: Release, config: str, split: str) -> Counts:
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for row in release.read(config, split):
        counts[row["task_id"]].update(
            {days: int(shown_part(row, days) is not None) for days in HORIZONS}
        )
    return {task: counts[task] for task in sorted(counts, key=lambda t: (t[:2], int(t[3:])))}


def _release(location: str | None, split: str) -> Release:
    found = find_release(location)
    return downloaded(found, found.chosen((), split))


def _qa_configs(release: Release, split: str) -> list[str]:
    return [config for config in release.chosen((), split) if config != LONGEVITY]


if __name__ == "__main__":
    app()
