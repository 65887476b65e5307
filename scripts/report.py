"""Report on one or several evaluated models: tables, figures, and a page to look at answers."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import json
import math
import sys
from collections.abc import Hashable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from builder.console import named_path, one_line_errors
from builder.json_output import json_text
from eval_tasks.release import find_release
from reports.errors import ReportError
from reports.report import Request, Written, write_report

TABLE_WIDTH = 120
"""Characters of the table where standard output is no terminal."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    results: Annotated[
        list[Path],
        typer.Argument(
            help="Folders with lighteval's output (best made with --save-details), and what agents "
            "and judges left beside it. The report names what it cannot give without the one or the "
            "other.",
            exists=True,
        ),
    ],
    output: Annotated[
        Path, typer.Option(help="Folder to write.", parser=named_path, metavar="FOLDER")
    ] = Path("report"),
    release: Annotated[
        str | None,
        typer.Option(help="Folder of the release that was asked. Default: as for evaluation."),
    ] = None,
    price: Annotated[
        list[str] | None,
        typer.Option(
            help="MODEL=READ,WRITTEN: what a million tokens cost, where the cost was not recorded; "
            "repeat for several models."
        ),
    ] = None,
    explorer: Annotated[
        bool, typer.Option("--explorer/--no-explorer", help="Write the page to look at answers.")
    ] = True,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of the table.")
    ] = False,
) -> None:
    """Write a report on evaluated models: README.md, a CSV for each table, figures, explorer.html.

    Requirement scores by a judge whose canaries fail are not printed.
    """
    with one_line_errors():
        prices = dict(map(_price, price or ()))
        found = find_release(release)
        if not found.is_folder:
            raise ReportError(f"{found.repo} is not on this machine; download it, name its folder")
        with Console(stderr=True).status("reporting"):
            written = write_report(
                Request(
                    sources=results,
                    release=found,
                    output=output,
                    prices=prices,
                    explorer=explorer,
                )
            )
    if as_json:
        print(json_text(_object(written)))
        return
    Console(width=None if sys.stdout.isatty() else TABLE_WIDTH).print(_table(written))
    sys.stderr.write(f"report: {written.folder}\n")


def _price(text: str) -> tuple[str, tuple[float, float]]:
    model, _, rates = text.rpartition("=")
    try:
        read, written = map(float, rates.split(","))
    except ValueError as error:
        raise ReportError(
            f"--price {text}: give MODEL=READ,WRITTEN, for example m=0.5,1.5"
        ) from error
    if not model:
        raise ReportError(f"--price {text}: no model is named before the =")
    return model, (read, written)


def _object(written: Written) -> dict[str, object]:
    return {
        "folder": str(written.folder),
        "systems": written.systems,
        "answers": written.answers,
        "verdicts": written.verdicts,
        "refused_verdicts": written.refused,
        "fewer_rows": [asdict(one) for one in written.fewer],
        "scores": json.loads(written.scores.to_json(orient="records")),
    }


def _with_interval(line: Mapping[Hashable, Any], name: str) -> str:
    if math.isnan(line[name]):
        return "-"
    bounds = [line.get(f"{name}_{bound}", math.nan) for bound in ("low", "high")]
    if any(map(math.isnan, bounds)):
        return f"{line[name]:.4f}"
    return f"{line[name]:.4f} [{bounds[0]:.4f}, {bounds[1]:.4f}]"


def _table(written: Written) -> Table:
    table = Table(title=f"{written.answers} answers")
    for name in ("portion", "system", "rows", "score", "skill"):
        table.add_column(name, justify="left" if name in ("portion", "system") else "right")
    for line in written.scores.to_dict(orient="records"):
        measured = [_with_interval(line, name) for name in ("score", "skill")]
        table.add_row(line["portion"], escape(line["system"]), str(line["n"]), *measured)
    notes = [f"not over all rows: {one.system}, {one}" for one in written.fewer]
    if written.refused:
        notes.append(
            f"{written.refused} verdicts are left out: their judge is not shown to get canaries right"
        )
    table.caption = escape("\n".join(notes)) or None
    return table


if __name__ == "__main__":
    app()
