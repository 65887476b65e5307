"""Write a leaderboard of submitted results: one HTML file without server or network."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from builder.console import named_path, one_line_errors
from builder.json_output import json_text
from eval_tasks.release import HUB_REPOSITORY, find_release
from reports.leaderboard import Leaderboard, known_release, leaderboard, write_leaderboard

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    results: Annotated[
        Path,
        typer.Argument(
            help="Folder of model repositories: OWNER/NAME/.eval_results/*.yaml.",
            exists=True,
            file_okay=False,
        ),
    ],
    output: Annotated[
        Path, typer.Option(help="File to write.", parser=named_path, metavar="FILE")
    ] = Path("leaderboard.html"),
    release: Annotated[
        str | None,
        typer.Option(
            help="Release, folder or Hub repository, that entries on its version must be on. "
            "Without it longevity counts as not reviewed."
        ),
    ] = None,
    repository: Annotated[
        str, typer.Option(help="Dataset repository that entries must name.")
    ] = HUB_REPOSITORY,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text.")
    ] = False,
) -> None:
    """Read the entries, leave out what cannot be one, rank within each setting, write the page."""
    with one_line_errors():
        known = known_release(find_release(release)) if release else None
        made = leaderboard(results, repository, known)
        write_leaderboard(made, output)
    if as_json:
        print(json_text(_told(made, output), indent=2))
        return
    for left in made.left_out:
        print(f"left out: {left.file}: {left.reason}")
    print(
        f"{made.results} results in {len(made.boards)} tables, {len(made.left_out)} left out: {output}"
    )


def _told(made: Leaderboard, output: Path) -> dict[str, object]:
    return {
        "page": str(output),
        "results": made.results,
        "tables": len(made.boards),
        "left_out": [asdict(left) for left in made.left_out],
    }


if __name__ == "__main__":
    app()
