"""Check a built HealthLoopQA release: files, hashes, columns, and every row's laws."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from builder.console import one_line_errors, progress_bar
from builder.manifest import read_manifest
from builder.validate import problems_of
from eval_tasks.version import RELEASE_VERSION

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Folder of the release. [default: dist/healthloopqa-<version>]"),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text.")
    ] = False,
) -> None:
    """Check the release and exit with 1 where something is wrong."""
    folder = folder or Path("dist") / f"healthloopqa-{RELEASE_VERSION}"
    with one_line_errors():
        manifest = read_manifest(folder)
        with progress_bar(quiet=as_json) as progress:
            problems = problems_of(folder, progress, workers=os.cpu_count() or 1)
    rows = sum(part.rows for entry in manifest.configs.values() for part in entry.splits.values())
    if as_json:
        print(
            json.dumps(
                {
                    "folder": str(folder),
                    "valid": not problems,
                    "rows": rows,
                    "content_sha256": manifest.content_sha256,
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
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    app()
