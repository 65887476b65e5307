"""Build a HealthLoopQA release: generate every config, select the test split, check, write."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import difflib
import os
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.table import Table

from builder.console import (
    RAW_DIR_VARIABLE,
    built_release,
    fresh_release,
    named_path,
    one_line_errors,
    progress_bar,
    size_of,
)
from builder.errors import BuildError, UnevenSeedError
from builder.fresh import check_seal_place, draw_seed, write_seal
from builder.json_output import json_text
from builder.release import CONFIG_NAMES, Report, Request, build
from builder.release_config import HIGHEST_SEED, load_release_config
from builder.scaled import build_scaled
from builder.workers import ENGINES, Progress
from eval_tasks.version import RELEASE_VERSION
from generators.simulated.patients import COHORTS

Name = TypeVar("Name", bound=str)
_TRIES = 20
"""Seeds that are drawn at most for a fresh test."""
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    output: Annotated[
        Path | None,
        typer.Option(
            help="Folder of the release. Default: dist/healthloopqa-<version> in the repository; with "
            "--private dist/private/fresh-<version>.",
            parser=named_path,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            help=f"Release seed, 0 to {HIGHEST_SEED}. Default: the one declared for the version; with "
            "--private one drawn at random."
        ),
    ] = None,
    raw_dir: Annotated[
        Path | None,
        typer.Option(
            help="Folder with real recordings (AZT1D: its zip files or the unpacked tree). Without "
            "it the config real_world is absent.",
            envvar=RAW_DIR_VARIABLE,
            parser=named_path,
        ),
    ] = None,
    config: Annotated[
        list[str] | None,
        typer.Option(help=f"Build only this config; repeatable: {', '.join(CONFIG_NAMES)}."),
    ] = None,
    task: Annotated[
        list[str] | None, typer.Option(help="Ask only this task, for example pm_14; repeatable.")
    ] = None,
    patient: Annotated[
        list[str] | None,
        typer.Option(
            help="Ask only about this patient, simulated or recorded, for example adult_003 or "
            "azt1d_03; repeatable. A config that does not know it leaves it out and says so."
        ),
    ] = None,
    cohort: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Simulate this cohort; repeatable: {', '.join(COHORTS)}. Default: test, which gives "
            "the splits test and full."
        ),
    ] = None,
    patients: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Instead of a release build questions about a cohort of so many further patients, "
            "siblings of the 30, into many files: docs/scale.md.",
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            min=1,
            help="Jobs at a time; the rows do not depend on it. Default: one for each core.",
            show_default=False,
        ),
    ] = os.cpu_count() or 1,
    private: Annotated[
        bool,
        typer.Option(
            "--private",
            help="Build a fresh test, never to be published: other patients, days, faults and "
            "measurements, in a private folder, with a seal to publish beside it "
            "(docs/fresh_tests.md).",
        ),
    ] = False,
    engine: Annotated[
        str,
        typer.Option(
            help="Where they run: local (processes) or ray (this machine, or the cluster that "
            "RAY_ADDRESS names; extra scale). The rows do not depend on it."
        ),
    ] = ENGINES[0],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a release that stands in the folder.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Read the options, build, print what was built."""
    with one_line_errors():
        declared = load_release_config(RELEASE_VERSION)
        usual_seed = draw_seed() if private else declared.seed
        if patients and (patient or cohort or private or not output):
            raise BuildError(
                "--patients makes a cohort of its own: give --output, leave out --patient, --cohort "
                "and --private"
            )
        request = Request(
            declared=declared,
            seed=usual_seed if seed is None else seed,
            output=output or (fresh_release() if private else built_release()),
            overwrite=overwrite,
            configs=tuple(_known(name, CONFIG_NAMES, "config") for name in config or CONFIG_NAMES),
            task_ids=tuple(task or ()),
            patient_ids=tuple(patient or ()),
            cohorts=tuple(_known(name, COHORTS, "cohort") for name in cohort or ["test"]),
            raw_dir=raw_dir,
            private=private,
            fresh=private,
            workers=workers,
            engine=_known(engine, ENGINES, "engine"),
            patients=patients or 0,
        )
        if private:
            check_seal_place(request.output, overwrite=overwrite)
        with redirect_stdout(sys.stderr), progress_bar(quiet=as_json) as progress:
            report = _built(request, progress, tries=_TRIES if private and seed is None else 1)
        seal = write_seal(report.folder, report.manifest) if private else None
    if as_json:
        print(json_text(_as_dict(report, seal), indent=2))
    else:
        _print(report, seal)


def _built(request: Request, progress: Progress, *, tries: int) -> Report:
    """Build a release; as long as tries are left, draw another seed for one that is not even.

    Raises:
        UnevenSeedError: The last seed was not even either.
    """
    for _ in range(tries - 1):
        try:
            return build(request, progress)
        except UnevenSeedError as error:
            sys.stderr.write(f"drawing another seed: {error}\n")
            request = replace(request, seed=draw_seed())
    return (build_scaled if request.patients else build)(request, progress)


def _known(name: str, names: Iterable[Name], what: str) -> Name:
    """Return a name that exists.

    Raises:
        BuildError: It does not.
    """
    known = list(names)
    for other in known:
        if other == name:
            return other
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise BuildError(f"there is no {what} {name!r}, only {', '.join(known)}{hint}")


def _as_dict(report: Report, seal: Path | None) -> dict[str, object]:
    return {
        "private": report.manifest.private,
        "seal": str(seal) if seal else None,
        "folder": str(report.folder),
        "version": report.manifest.version,
        "seed": report.manifest.seed,
        "content_sha256": report.manifest.content_sha256,
        "release_sha256": report.manifest.release_sha256,
        "splits": [
            {"config": s.config, "split": s.split, "rows": s.rows, "bytes": s.bytes}
            for s in report.splits
        ],
        "absent": dict(report.manifest.absent),
        "unbalanced": list(report.manifest.unbalanced),
        "left_out": [left.model_dump() for left in report.manifest.left_out],
    }


def _print(report: Report, seal: Path | None) -> None:
    console = Console()
    table = Table(title=f"HealthLoopQA {report.manifest.version}, seed {report.manifest.seed}")
    table.add_column("config")
    table.add_column("split")
    table.add_column("rows", justify="right")
    table.add_column("size", justify="right")
    if report.manifest.absent:
        table.add_column("why absent")
    for part in report.splits:
        table.add_row(part.config, part.split, str(part.rows), size_of(part.bytes))
    for config, reason in report.manifest.absent.items():
        table.add_row(config, "absent", "0", "", reason)
    table.add_section()
    rows, size = sum(s.rows for s in report.splits), sum(s.bytes for s in report.splits)
    table.add_row("total", "", str(rows), size_of(size))
    console.print(table)
    console.print(f"content {report.manifest.content_sha256}", soft_wrap=True)
    console.print(f"release {report.manifest.release_sha256}", soft_wrap=True)
    for rule in report.manifest.unbalanced:
        console.print(f"not balanced, too few people can be asked: {rule}", soft_wrap=True)
    if report.manifest.left_out:
        console.print(
            f"{len(report.manifest.left_out)} questions or subjects are left out; the reasons "
            "stand in manifest.json and in the card"
        )
    console.print(f"wrote {report.folder}", soft_wrap=True)
    if seal:
        console.print(
            f"private: publish nothing of it but the seal, {seal}; seed and content digest give the "
            "rows away",
            soft_wrap=True,
        )


if __name__ == "__main__":
    app()
