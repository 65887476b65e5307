"""Print what simple forecasts, and the ensemble as a ceiling, score on a release's predictions."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import json
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from builder import parquet
from builder.console import one_line_errors
from builder.errors import BuildError
from builder.manifest import read_manifest
from builder.prediction_baselines import CEILING, FORECASTS, Reference, references
from eval_tasks.baselines import FILE_NAME, Baseline, read_baselines
from eval_tasks.question import Question
from eval_tasks.version import RELEASE_VERSION

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    release: Annotated[Path, typer.Argument(help="Folder of a release.")] = Path("dist")
    / f"healthloopqa-{RELEASE_VERSION}",
    config: Annotated[str, typer.Option(help="simulated or real_world.")] = "simulated",
    split: Annotated[str, typer.Option(help="test or full.")] = "test",
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
    if as_json:
        print(json.dumps({"references": [asdict(line) for line in found]}, indent=2))
    else:
        Console(width=150).print(_table(found, floors, rows))


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


def _table(
    found: list[Reference], floors: dict[str, Baseline], rows: list[dict[str, object]]
) -> Table:
    table = Table(title="predictions: raw score (skill)")
    names = [*FORECASTS, CEILING]
    for title in ("task", "rows", "agreement", "spread", "floor", *names):
        table.add_column(title, justify="left" if title == "task" else "right")
    by_task: defaultdict[str, dict[str, Reference]] = defaultdict(dict)
    for line in found:
        by_task[line.task_id][line.name] = line
    for task_id, lines in by_task.items():
        mine = [row for row in rows if row["task_id"] == task_id]
        table.add_row(
            task_id,
            str(len(mine)),
            _mean([row["agreement"] for row in mine]),
            _mean([row["spread"] for row in mine]),
            f"{floors[task_id].floor:.3f}",
            *(
                f"{lines[name].raw:.3f} ({lines[name].skill:+.2f})" if name in lines else ""
                for name in names
            ),
        )
    return table


def _mean(values: list[object]) -> str:
    numbers = [value for value in values if isinstance(value, float)]
    return f"{sum(numbers) / len(numbers):.3f}" if numbers else ""


if __name__ == "__main__":
    app()
