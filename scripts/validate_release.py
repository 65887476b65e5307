"""Check a built HealthLoopQA release: files, hashes, card, floors, and every row's laws.

Whether it is the published one only its digest tells; that its rows follow from its seed, a rebuild.
"""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from builder.console import built_release, named_path, one_line_errors, progress_bar
from builder.fresh import seal_problems
from builder.json_output import json_text
from builder.manifest import read_manifest
from builder.scaled_check import problems_of_scaled
from builder.validate import problems_of
from eval_tasks.release import LOCATION_VARIABLE

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    folder: Annotated[
        Path | None,
        typer.Argument(
            help="Folder of the release. Default: what HEALTHLOOPQA_RELEASE names, else "
            "dist/healthloopqa-<version> in the repository.",
            envvar=LOCATION_VARIABLE,
            parser=named_path,
            show_default=False,
            show_envvar=False,
        ),
    ] = None,
    seal: Annotated[
        Path | None,
        typer.Option(
            help="Published seal of a fresh test that the folder must be (docs/fresh_tests.md).",
            parser=named_path,
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(min=1, help="Processes. Default: one for each core.", show_default=False),
    ] = os.cpu_count() or 1,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text.")
    ] = False,
) -> None:
    """Check the release and exit with 1 where something is wrong."""
    folder = folder or built_release()
    with one_line_errors():
        manifest = read_manifest(folder)
        unsealed = seal_problems(manifest, seal) if seal else []
        with progress_bar(quiet=as_json) as progress:
            check = problems_of if manifest.patients is None else problems_of_scaled
            problems = unsealed + check(folder, progress, workers=workers)
    rows = sum(part.rows for entry in manifest.configs.values() for part in entry.splits.values())
    if as_json:
        print(
            json_text(
                {
                    "folder": str(folder),
                    "valid": not problems,
                    "rows": rows,
                    "content_sha256": manifest.content_sha256,
                    "release_sha256": manifest.release_sha256,
                    "sealed": bool(seal) and not unsealed,
                    "problems": problems,
                },
                indent=2,
            )
        )
    elif problems:
        print("\n".join(problems), file=sys.stderr)
        print(f"{folder} is not valid: {len(problems)} problems", file=sys.stderr)
    else:
        print(f"{folder} is valid: {rows} rows, content {manifest.content_sha256}")
        told = (
            f"it is the one that {seal} seals"
            if seal
            else "it is the published one if that digest is"
        )
        print(f"release {manifest.release_sha256}; {told}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    app()
