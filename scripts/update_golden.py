"""Renew the golden hashes of the tasks' rows after a meant change, and print what moved."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

from pathlib import Path
from typing import Annotated

import typer

from builder.console import one_line_errors
from builder.golden import computed, moved, read_golden, write_golden
from builder.json_output import json_text

PATH = Path(__file__).resolve().parent.parent / "tests" / "golden" / "tasks.json"
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text.")
    ] = False,
) -> None:
    """Compute, compare, write, print."""
    with one_line_errors():
        now = computed()
        differences = moved(read_golden(PATH) if PATH.is_file() else {}, now)
        write_golden(PATH, now)
    if as_json:
        print(json_text({"moved": differences, "tasks": len(now)}))
        return
    for task_id, what in differences.items():
        print(f"{task_id} {what}")
    print(f"{len(differences)} of {len(now)} tasks moved")


if __name__ == "__main__":
    app()
