"""Print how the answers of each task of a release are spread, and which rules of balance break.

With --shortcuts: what can be had without the record, from options and stated numbers alone.
"""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, get_args

import typer
from rich.console import Console
from rich.table import Table

from builder.balance import Balance, balances
from builder.console import BUILT_RELEASE, RELEASE_HELP, one_line_errors
from builder.errors import BuildError
from builder.json_output import json_text
from builder.schema import Split
from builder.shortcuts import shortcut_table, shortcuts

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    release: Annotated[Path, typer.Argument(help=RELEASE_HELP, show_default=False)] = BUILT_RELEASE,
    split: Annotated[str, typer.Option(help="test or full.")] = "test",
    prefix: Annotated[
        str, typer.Option(help="Only tasks whose id starts so, for example pm_.")
    ] = "",
    by_texts: Annotated[
        bool,
        typer.Option(
            "--shortcuts",
            help="What options and stated numbers alone score, in place of how answers spread.",
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Read the release, print a line per task."""
    if by_texts:
        _print_shortcuts(release, split, prefix, as_json=as_json)
        return
    with one_line_errors():
        lines = [b for b in balances(release, _split(split)) if b.task_id.startswith(prefix)]
    problems = [problem for line in lines for problem in line.problems()]
    if as_json:
        print(json_text({"tasks": [asdict(b) for b in lines], "problems": problems}, indent=2))
        return
    Console().print(_table(lines, split))
    for problem in problems:
        print(problem)


def _print_shortcuts(release: Path, split: str, prefix: str, *, as_json: bool) -> None:
    with one_line_errors():
        found = [s for s in shortcuts(release, _split(split)) if s.task_id.startswith(prefix)]
    if as_json:
        print(json_text({"tasks": [asdict(line) for line in found]}, indent=2))
        return
    print("\n".join(shortcut_table(found)))


def _split(name: str) -> Split:
    for known in get_args(Split):
        if name == known:
            split: Split = known
            return split
    raise BuildError(f"there is no split {name!r}, only {', '.join(get_args(Split))}")


def _table(lines: list[Balance], split: str) -> Table:
    table = Table(title=f"answers in {split}")
    for name in ("config", "task", "rows", "different", "commonest", "share", "empty", "left out"):
        table.add_column(
            name, justify="left" if name in ("config", "task", "commonest") else "right"
        )
    for line in lines:
        table.add_row(
            line.config,
            line.task_id,
            str(line.instances),
            str(line.different),
            line.commonest[:20],
            f"{line.commonest_share:.0%}",
            f"{line.empty_share:.0%}",
            str(line.left_out),
        )
    return table


if __name__ == "__main__":
    app()
