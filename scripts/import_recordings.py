"""Turn recordings of any known kind into a private real-world split and a quality report."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from builder.console import built_release, one_line_errors, progress_bar
from builder.json_output import json_text
from builder.release import Report, Request, SplitReport, build
from builder.release_config import HIGHEST_SEED, load_release_config
from eval_tasks.version import RELEASE_VERSION
from generators.real_world.importing import Imported, Wanted, import_recordings, named_files
from generators.real_world.quality import quality_of, report_page

REPORT_NAME = "quality_report.html"
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    path: Annotated[
        Path,
        typer.Argument(
            help="A file, zip archive or folder: AZT1D, MetaboNet, OhioT1DM, HUPA-UCM, Nightscout."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            help="Private folder. Default: dist/private/real_world-<version> in the repository."
        ),
    ] = None,
    timezone: Annotated[
        str | None,
        typer.Option(help="Where the person lives, such as Europe/Berlin (Nightscout)."),
    ] = None,
    max_subjects: Annotated[
        int, typer.Option(min=1, help="How many subjects of a MetaboNet file.")
    ] = 30,
    seed: Annotated[
        int | None,
        typer.Option(help=f"Seed, 0 to {HIGHEST_SEED}. Default: the one of the version."),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            min=1,
            help="Processes; the rows do not depend on it. Default: one for each core.",
            show_default=False,
        ),
    ] = os.cpu_count() or 1,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace what stands in the folder.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Read the recordings, build the split, write the report, print what was made."""
    with one_line_errors():
        declared = load_release_config(RELEASE_VERSION)
        imported = import_recordings(Wanted(path=path, timezone=timezone, most=max_subjects))
        request = Request(
            declared=declared,
            seed=declared.seed if seed is None else seed,
            output=output or built_release().parent / "private" / f"real_world-{RELEASE_VERSION}",
            overwrite=overwrite,
            configs=("real_world",),
            recordings=imported.recordings,
            private=True,
            workers=workers,
            pages=lambda splits: {
                REPORT_NAME: report_page(imported.recordings, _notes(imported, splits))
            },
        )
        with progress_bar(quiet=as_json) as progress:
            report = build(request, progress)
    if as_json:
        print(json_text(_as_dict(imported, report), indent=2))
    else:
        _print(imported, report)


def _notes(imported: Imported, splits: Sequence[SplitReport]) -> list[str]:
    rows = {part.split: part.rows for part in splits}
    kinds = ", ".join(f"{number} of {source}" for source, number in imported.files.items())
    return [
        f"Files read: {kinds}. Files of no known kind: {len(imported.unknown)}.",
        f"Questions: {rows}. Dates are replaced by day numbers, ids by numbers, text is dropped. "
        "This folder is private: do not share it.",
    ]


def _as_dict(imported: Imported, report: Report) -> dict[str, object]:
    recordings = imported.recordings
    return {
        "folder": str(report.folder),
        "report": str(report.folder / REPORT_NAME),
        "private": report.manifest.private,
        "version": report.manifest.version,
        "seed": report.manifest.seed,
        "content_sha256": report.manifest.content_sha256,
        "files": dict(imported.files),
        "unknown_files": list(imported.unknown),
        "splits": [
            {"config": part.config, "split": part.split, "rows": part.rows, "bytes": part.bytes}
            for part in report.splits
        ],
        "subjects": [asdict(quality_of(trace)) for trace in recordings.traces],
        "left_out": [asdict(one) for one in recordings.left_out],
        "days_left_out": [asdict(one) for one in recordings.days_left_out],
        "cleaning": {subject: dict(steps) for subject, steps in recordings.counts.items()},
    }


def _print(imported: Imported, report: Report) -> None:
    console = Console()
    table = Table(title="Private real-world split")
    columns = ("subject", "days", "readings", "mean mg/dL", "in range", "insulin", "carb days")
    for name in columns:
        table.add_column(name, justify="left" if name == "subject" else "right")
    for trace in imported.recordings.traces:
        found = quality_of(trace)
        table.add_row(
            found.subject,
            f"{found.days:.1f}",
            f"{found.readings:.0%}",
            f"{found.mean_mgdl:.1f}",
            f"{found.in_range_percent:.0f} %",
            f"{found.insulin:.0%}",
            str(found.carb_days),
        )
    console.print(table)
    for one in imported.recordings.left_out:
        console.print(f"{one.subject} is left out: {one.reason}", soft_wrap=True)
    if imported.unknown:
        console.print(f"of no known kind, not read: {named_files(imported.unknown)}")
    for part in report.splits:
        console.print(f"{part.config} {part.split}: {part.rows} questions")
    console.print(f"wrote {report.folder} (private) and {REPORT_NAME} in it", soft_wrap=True)


if __name__ == "__main__":
    app()
