"""Evaluate a model on a release with lighteval, without network."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from eval_tasks.errors import EvaluationError
from eval_tasks.forms import DEFAULT_FORM, TEST_SPLIT, Form, form_of
from eval_tasks.question import LONGEVITY
from eval_tasks.reference_answers import MODEL_NAMES, reference_model
from eval_tasks.release import Release, find_release
from eval_tasks.runner import run_reference_model

TABLE_WIDTH = 120
"""Characters of the table where standard output is no terminal."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    model: Annotated[
        str, typer.Option(help=f"Reference model: {', '.join(MODEL_NAMES)}.")
    ] = "gold",
    config: Annotated[
        list[str] | None, typer.Option(help="Config to evaluate; repeat for several. Default: all.")
    ] = None,
    release: Annotated[
        str | None,
        typer.Option(
            help="Folder of a release, or its Hub repository. Default: what HEALTHLOOPQA_RELEASE "
            "names, else what `make release` built, else the Hub."
        ),
    ] = None,
    split: Annotated[str, typer.Option(help="Split to evaluate.")] = TEST_SPLIT,
    style: Annotated[
        str, typer.Option(help="How records are written: structured or timelined.")
    ] = DEFAULT_FORM.style,
    days: Annotated[
        int,
        typer.Option(
            help="Days of a record that are shown: 30 (all), 7 or 1; only what can be "
            "answered from them is asked."
        ),
    ] = DEFAULT_FORM.days,
    output: Annotated[
        Path, typer.Option(help="Folder for lighteval's results.", file_okay=False)
    ] = Path("results"),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of the table.")
    ] = False,
) -> None:
    """Evaluate a reference model on the questions of a release with lighteval.

    Prints raw scores (mean over all rows, in [0, 1]), skill (0 is the best trivial model, 1 is
    perfect), both by task type and cognitive level, and how many completions had which status. The
    same numbers come from the plain lighteval command and are in its results.
    """
    try:
        chosen = reference_model(model)
        found = find_release(release)
        form = form_of(style, days)
        configs = found.chosen(tuple(config or ()), split)
        if not config and form != DEFAULT_FORM:
            configs = tuple(name for name in configs if name != LONGEVITY)
        with Console(stderr=True).status(f"{chosen} on {', '.join(configs)}"):
            run = run_reference_model(found, chosen, configs, split, output, form)
    except EvaluationError as error:
        sys.stderr.write(f"error: {error}\n")
        raise SystemExit(1) from error
    if as_json:
        print(json.dumps(_report(found, chosen, split, form, run.reports)))
        return
    console = Console(width=None if sys.stdout.isatty() else TABLE_WIDTH)
    console.print(_table(found, chosen, split, form, run.reports))
    sys.stderr.write(f"lighteval's results: {run.results_file}\n")


def _report(
    release: Release, model: str, split: str, form: Form, reports: dict[str, Any]
) -> dict[str, Any]:
    return {
        "model": model,
        "split": split,
        "style": form.style,
        "days": form.days,
        "release": {"version": release.version, "content_sha256": release.content_sha256},
        "configs": reports,
    }


def _table(release: Release, model: str, split: str, form: Form, reports: dict[str, Any]) -> Table:
    table = Table(
        title=f"{model} on the split {split} of HealthLoopQA {release.version}, "
        f"{form.style}, {form.days} days"
    )
    table.add_column(no_wrap=True)
    for config in reports:
        table.add_column(config, justify="right")
    for section in _sections(reports):
        for name, cells in section:
            table.add_row(name, *cells)
        table.add_section()
    return table


def _sections(reports: dict[str, Any]) -> list[list[tuple[str, list[str]]]]:
    parts = list(reports.values())
    first = parts[0]
    return [
        [
            ("score", [_measured(part["score"], part["score_stderr"]) for part in parts]),
            ("skill", [_measured(part["skill"], part["skill_stderr"]) for part in parts]),
        ],
        *(
            [
                (
                    f"{kind}, {name.replace('_', ' ')}",
                    [_shown(part[group][name][kind]) for part in parts],
                )
                for kind in ("score", "skill")
                for name in first[group]
                if any(part[group][name]["n"] for part in parts)
            ]
            for group in ("by_type", "by_level")
        ),
        [
            (status, [str(part["statuses"][status]) for part in parts])
            for status in first["statuses"]
        ],
        [
            ("rows", [str(part["n"]) for part in parts]),
            ("tasks without skill", [str(part["n_tasks_without_skill"]) for part in parts]),
        ],
    ]


def _measured(value: float | None, error: float | None) -> str:
    return _shown(value) if error is None else f"{_shown(value)} ± {error:.4f}"


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


if __name__ == "__main__":
    app()
