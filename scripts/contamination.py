"""Compare models on a published release with the same models on a fresh test (docs/fresh_tests.md)."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import json
import sys
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from builder.console import fresh_release, one_line_errors
from builder.json_output import json_text
from builder.manifest import read_manifest
from eval_tasks.release import Release, downloaded, find_release
from reports.contamination import CONTROL, contamination, read_split
from reports.markdown import joined_intervals
from scripts.score_table import TABLE_WIDTH

_COUNTS = ["n_public", "n_fresh", "clusters", "tasks"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    public_results: Annotated[
        Path,
        typer.Argument(
            help="Folder with lighteval's output on the published release, made with --save-details; "
            "several models lie in a folder each.",
            exists=True,
            file_okay=False,
        ),
    ],
    fresh_results: Annotated[
        Path,
        typer.Argument(help="The same of the fresh test.", exists=True, file_okay=False),
    ],
    release: Annotated[
        str | None,
        typer.Option(
            help="The published release: folder or Hub repository. Default: as evaluation finds it."
        ),
    ] = None,
    fresh: Annotated[
        Path | None,
        typer.Option(help="Folder of the fresh test. Default: dist/private/fresh-<version>."),
    ] = None,
    control: Annotated[
        str,
        typer.Option(
            help="Model that has seen neither; its difference is taken off that of the others."
        ),
    ] = CONTROL,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of the tables.")
    ] = False,
) -> None:
    """Read and check both sides, print the differences."""
    with one_line_errors():
        public = _local(find_release(release))
        unseen = find_release(str(fresh or fresh_release()))
        with Console(stderr=True).status("scoring both sides anew"):
            found = contamination(
                read_split(public_results, public), read_split(fresh_results, unseen), control
            )
    if as_json:
        print(json_text(_as_dict(public, unseen, control, found), indent=2))
        return
    console = Console(width=None if sys.stdout.isatty() else TABLE_WIDTH)
    for measure in ("score", "skill"):
        console.print(_table(found, measure))
    if found[f"{measure}_beyond_control"].isna().all():
        print(f"{control} was not asked both; nothing is taken off for chance")


def _as_dict(
    public: Release, fresh: Release, control: str, found: pd.DataFrame
) -> dict[str, object]:
    """Return what may be published: of the fresh test the digest that its seal holds, no other."""
    return {
        "version": public.version,
        "public_content_sha256": public.content_sha256,
        "fresh_release_sha256": read_manifest(Path(fresh.repo)).release_sha256,
        "control": control,
        "lines": json.loads(found.to_json(orient="records")),
    }


def _local(release: Release) -> Release:
    return downloaded(release, tuple(release.rows))


def _table(found: pd.DataFrame, measure: str) -> Table:
    """Return the lines of score or skill, an interval in one cell with its value."""
    own = [name for name in found.columns if name.startswith(measure)]
    shown = joined_intervals(found[["model", "config", *own, *_COUNTS]])
    table = Table(title=f"{measure}: published less fresh, with 95 % intervals")
    for name in shown.columns:
        numeric = name not in ("model", "config")
        table.add_column(name.removeprefix(f"{measure} "), justify="right" if numeric else "left")
    for row in shown.itertuples(index=False):
        table.add_row(*(f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in row))
    return table


if __name__ == "__main__":
    app()
