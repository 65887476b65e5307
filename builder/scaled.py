"""Builds questions about any number of simulated patients, in files of bounded length.

A scaled cohort is no release: its patients are siblings that no split of a release holds, it has one
split `full` of one question per task and patient, and neither floors nor figures, which would need
all rows at once. Rows go patient by patient from the workers into the files. What grows with the
number of patients is a digest of eight characters per row and the list of what is left out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa

from builder import generate
from builder.errors import BuildError, InvalidReleaseError, NothingToBuildError
from builder.generate import LeftOut, Plan
from builder.manifest import (
    CARD_NAME,
    MANIFEST_NAME,
    ConfigEntry,
    SplitEntry,
    file_hashes,
)
from builder.parquet import ROW_GROUP, Shards, file_name
from builder.release import (
    Report,
    Request,
    SplitReport,
    absent_configs,
    check_seed,
    manifest_of,
    why_nothing,
    write_code,
)
from builder.scaled_check import split_problems
from builder.schema import Config, arrow_schema
from builder.second_computation import disagreements
from builder.staging import staged
from builder.validate import row_problems
from builder.workers import Progress, each
from dataset_card.scaled import render_scaled_card
from eval_tasks.baselines import FILE_NAME as BASELINES_NAME
from eval_tasks.canonical import RowHashing, canonical_rows
from generators.errors import NoScheduleError

SPLIT: Final = "full"
MOST_ROWS: dict[Config, int] = {"simulated": 10_000, "fault_injected": 10_000, "traces": 500}
"""Rows in a file, which then takes some 10 MB, of traces 50 MB."""
GROUP_ROWS: dict[Config, int] = {"traces": 20}
"""Rows in a row group where a hundred would take more than some 10 MB when read."""
_MOST_PROBLEMS = 100
_ASKING: tuple[Config, ...] = ("simulated", "fault_injected")
_NOT_SCALED: tuple[Config, ...] = ("real_world", "longevity", "multiple_choice")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Rows of one patient, and their canonical forms, from which hashes are made."""

    table: pa.Table
    canonical: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a worker returns of a patient; `problems` are those of its rows."""

    config: Config
    questions: Rows
    traces: Rows
    left_out: tuple[LeftOut, ...]
    problems: tuple[str, ...]


def build_scaled(request: Request, progress: Progress) -> Report:
    """Build questions about a scaled cohort of `request.patients` patients.

    Args:
        request: What to build.
        progress: Told how far it is.

    Returns:
        What was built.

    Raises:
        NothingToBuildError: No config of those asked for has rows; nothing is left behind.
        BuildError: The request or a row is not valid, or workers were lost again and again; nothing
            is left behind.
        GeneratorError: There are not so many patients.
        OSError: The files could not be written; nothing is left behind.
    """
    check_seed(request.seed)
    if request.patient_ids:
        raise BuildError("a scaled cohort holds siblings of all patients; leave out --patient")
    with staged(request.output, overwrite=request.overwrite) as folder:
        absent = _absent(request)
        splits = {
            config: _Split(folder, config)
            for config in (*_ASKING, "traces")
            if config not in absent
        }
        left_out = _fill(request, splits, progress)
        written = {config: split for config, split in splits.items() if split.rows}
        absent |= {
            config: "no question could be asked" for config in splits if config not in written
        }
        if not written:
            raise NothingToBuildError(why_nothing(request, absent))
        return _finish(request, folder, written, absent, left_out, progress)


class _Split:
    """A split while its rows arrive."""

    def __init__(self, folder: Path, config: Config) -> None:
        self._folder, self._config = folder, config
        self._hashing = RowHashing()
        self._shards = Shards(
            folder / "data" / config,
            arrow_schema(config),
            MOST_ROWS[config],
            GROUP_ROWS.get(config, ROW_GROUP),
        )

    @property
    def rows(self) -> int:
        """Number of rows so far."""
        return self._shards.rows

    def add(self, rows: Rows) -> None:
        """Write further rows."""
        self._shards.add(rows.table)
        self._hashing.add(rows.canonical)

    def finish(self) -> SplitEntry:
        """Close the files, give them their names, and return what the manifest says of them."""
        self._shards.close()
        hashes, paths = self._hashing.hashes(), self._shards.paths
        names = [
            file_name(self._config, SPLIT, hashes.sha256, place, len(paths))
            for place in range(len(paths))
        ]
        for path, name in zip(paths, names, strict=True):
            path.rename(self._folder / name)
        return SplitEntry(
            rows=self.rows,
            sha256=hashes.sha256,
            row_digests="".join(hashes.digests),
            files=tuple(names),
        )


def _absent(request: Request) -> dict[Config, str]:
    absent = absent_configs(request)
    for config in _NOT_SCALED:
        if config in request.configs:
            absent[config] = "a scaled cohort holds simulated patients only"
    if "traces" not in absent and all(config in absent for config in _ASKING):
        absent["traces"] = "they come with the patients of simulated and fault_injected"
    return absent


def _fill(request: Request, splits: Mapping[Config, _Split], progress: Progress) -> list[LeftOut]:
    """Write the rows of all patients, and return what is left out.

    Raises:
        InvalidReleaseError: Rows break a law, or the second computation does not confirm them.
    """
    left_out: list[LeftOut] = []
    problems: list[str] = []
    jobs = [job for config in _ASKING if config in splits for job in _jobs(request, config)]
    for made in each(_made, jobs, request.workers, "patients", progress, request.engine):
        splits[made.config].add(made.questions)
        if "traces" in splits:
            splits["traces"].add(made.traces)
        left_out += made.left_out
        problems += made.problems
        if len(problems) >= _MOST_PROBLEMS:
            break
    if problems:
        raise InvalidReleaseError(str(request.output), problems)
    return left_out


def _jobs(request: Request, config: Config) -> list[tuple[Plan, str]]:
    plan = Plan(
        config=config,
        release=request.declared.version,
        seed=request.seed,
        task_ids=generate.tasks_of(config, request.task_ids),
        scaled=request.patients,
    )
    return [(plan, patient) for patient in generate.patients_of(plan)]


def _made(job: tuple[Plan, str]) -> Made:
    plan, patient = job
    try:
        made = generate.of_patient(job)
    except NoScheduleError as error:
        made, problems = generate.without(plan, patient, f"no place for all faults: {error}"), []
    else:
        problems = _problems(plan, made)
    return Made(
        config=plan.config,
        questions=Rows(table=made.full, canonical=tuple(canonical_rows(made.full))),
        traces=Rows(table=made.traces, canonical=tuple(canonical_rows(made.traces))),
        left_out=made.left_out,
        problems=tuple(problems),
    )


def _problems(plan: Plan, made: generate.Tables) -> list[str]:
    found = [*row_problems("traces", made.traces), *disagreements(made.full, made.traces)]
    if made.full.num_rows:
        found += row_problems(plan.config, made.full)
    return found


def _finish(
    request: Request,
    folder: Path,
    splits: Mapping[Config, _Split],
    absent: Mapping[Config, str],
    left_out: Iterable[LeftOut],
    progress: Progress,
) -> Report:
    """Write everything but the rows, and read the rows again.

    Raises:
        InvalidReleaseError: The files do not hold what was written.
    """
    entries = {
        config: ConfigEntry(splits={SPLIT: split.finish()}) for config, split in splits.items()
    }
    write_code(folder)
    (folder / BASELINES_NAME).write_text("{}\n", encoding="utf-8")
    manifest = manifest_of(request, entries, absent, left_out)
    problems = split_problems(folder, manifest, progress, workers=request.workers, thorough=False)
    if problems:
        raise InvalidReleaseError(str(request.output), problems)
    manifest = manifest.model_copy(update={"files": file_hashes(folder)})
    (folder / CARD_NAME).write_text(render_scaled_card(manifest), encoding="utf-8")
    manifest = manifest.model_copy(update={"files": file_hashes(folder)})
    (folder / MANIFEST_NAME).write_text(manifest.as_text(), encoding="utf-8")
    reports = tuple(_report(folder, config, entry) for config, entry in entries.items())
    return Report(folder=request.output, manifest=manifest, splits=reports)


def _report(folder: Path, config: Config, entry: ConfigEntry) -> SplitReport:
    part = entry.splits[SPLIT]
    size = sum((folder / name).stat().st_size for name in part.files)
    return SplitReport(config=config, split=SPLIT, rows=part.rows, bytes=size)
