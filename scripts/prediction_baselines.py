"""Print what simple forecasts, and the ensemble as a ceiling, score on a release's predictions."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from builder import parquet
from builder.console import BUILT_RELEASE, RELEASE_HELP, one_line_errors
from builder.errors import BuildError
from builder.json_output import json_text
from builder.manifest import read_manifest
from builder.prediction_baselines import (
    CEILING,
    CLEAR_ERRORS,
    CLEAR_SKILL,
    FORECASTS,
    Reference,
    references,
)
from eval_tasks.baselines import FILE_NAME, Baseline, read_baselines
from eval_tasks.question import Question

HEAD = f"""# What can be predicted

Written by `scripts/prediction_baselines.py --split full --output docs/predictions.md` from a built
release; not edited by hand.

Simple forecasts continue the record from what a reader sees and answer by the task's own rule; what
a hypothetical adds they ignore (`builder/prediction_baselines.py`). They are references, no floor:
the floor is the best answer that looks at nothing. The ceiling, `ensemble_median`, is the median or
the commonest answer of the 20 other days of the same person that may follow the cut; it knows the
patient, the regimen and the diary, but not the draws that decide the gold answer. Scores are raw,
with skill = (raw - floor) / (1 - floor), at least -1, in brackets.

The ceiling lies clearly above the floor where its skill is {CLEAR_SKILL} or more and it exceeds the
constant answer by {CLEAR_ERRORS:g} standard errors or more over the rows (paired).

Agreement (categories) and spread (numbers, in the unit of the answer) are means over the rows.
"""
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    release: Annotated[Path, typer.Argument(help=RELEASE_HELP, show_default=False)] = BUILT_RELEASE,
    config: Annotated[str, typer.Option(help="simulated or real_world.")] = "simulated",
    split: Annotated[str, typer.Option(help="test or full.")] = "test",
    output: Annotated[
        Path | None, typer.Option(help="Write the table to this Markdown file too.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Read the release, forecast, score, print."""
    with one_line_errors():
        rows = _predictions(release, config, split)
        text = (release / FILE_NAME).read_text(encoding="utf-8")
        floors = read_baselines(text, config, split)
        found = list(references([(row, Question.from_row(row)) for row in rows], floors))
        lines = _lines(found, floors, rows)
        if output is not None:
            output.write_text(_markdown(f"{config}/{split}", lines), encoding="utf-8")
    if as_json:
        print(json_text({"references": [asdict(line) for line in found]}, indent=2))
    else:
        Console(width=170).print(_table(lines))


def _predictions(release: Path, name: str, split: str) -> list[dict[str, object]]:
    configs = {str(known): entry for known, entry in read_manifest(release).configs.items()}
    splits = (
        {str(known): part for known, part in configs[name].splits.items()}
        if name in configs
        else {}
    )
    if split not in splits:
        raise BuildError(f"{release} holds no {name}/{split}; build it first")
    return [
        row
        for file in splits[split].files
        for row in parquet.read(release / file).to_pylist()
        if row["task_type"] == "prediction"
    ]


def _lines(
    found: list[Reference], floors: dict[str, Baseline], rows: list[dict[str, object]]
) -> list[list[str]]:
    """Return the table, its titles first."""
    names = [*FORECASTS, CEILING]
    table = [
        ["task", "rows", "agreement", "spread", "floor", *names, "above the constant", "clear"]
    ]
    by_task: defaultdict[str, dict[str, Reference]] = defaultdict(dict)
    for line in found:
        by_task[line.task_id][line.name] = line
    for task_id, lines in by_task.items():
        mine = [row for row in rows if row["task_id"] == task_id]
        table.append(
            [
                task_id,
                str(len(mine)),
                _mean([row["agreement"] for row in mine]),
                _mean([row["spread"] for row in mine]),
                f"{floors[task_id].floor:.3f}",
                *(_scored(lines.get(name)) for name in names),
                *_judged(lines.get(CEILING)),
            ]
        )
    return table


def _scored(line: Reference | None) -> str:
    return "" if line is None else f"{line.raw:.3f} ({line.skill:+.2f})"


def _judged(ceiling: Reference | None) -> list[str]:
    if ceiling is None:
        return ["", ""]
    return [f"{ceiling.above:.3f} ± {ceiling.error:.3f}", "yes" if ceiling.clear else "no"]


def _table(lines: list[list[str]]) -> Table:
    table = Table(title="predictions: raw score (skill)")
    for title in lines[0]:
        table.add_column(title, justify="left" if title == "task" else "right")
    for line in lines[1:]:
        table.add_row(*line)
    return table


def _markdown(what: str, lines: list[list[str]]) -> str:
    dashes = ["---", *("---:" for _ in lines[0][1:])]
    table = [f"| {' | '.join(line)} |" for line in (lines[0], dashes, *lines[1:])]
    return "\n".join([HEAD, f"## {what}", "", *table, ""])


def _mean(values: list[object]) -> str:
    numbers = [value for value in values if isinstance(value, float)]
    return f"{sum(numbers) / len(numbers):.3f}" if numbers else ""


if __name__ == "__main__":
    app()
