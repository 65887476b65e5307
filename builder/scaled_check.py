"""Checks a scaled cohort one row group at a time, so that memory does not grow with it."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from builder import parquet
from builder.errors import BuildError
from builder.manifest import CARD_NAME, MANIFEST_NAME, Manifest, SplitEntry, read_manifest
from builder.schema import QA_CONFIGS, Config, arrow_schema
from builder.second_computation import disagreements
from builder.validate import (
    file_problems,
    frame_problems,
    key_of,
    origin_problems,
    row_problems,
    version_problems,
)
from builder.workers import Progress, each
from dataset_card.scaled import render_scaled_card
from eval_tasks.canonical import RowHashing, canonical_rows

Place = tuple[Path, int]
"""A file and a row group of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """What to check.

    Attributes:
        where: Config and split.
        config: Whose rows they are.
        place: Where they lie.
        manifest: What all rows must name; it lists no configs.
        thorough: Whether to check more than that the rows are those that were written.
        traces: Row groups that hold the traces of the rows.
    """

    where: str
    config: Config
    place: Place
    manifest: Manifest
    thorough: bool
    traces: tuple[Place, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Canonical rows and names of a row group, and what is wrong with it."""

    where: str
    rows: tuple[bytes, ...]
    names: tuple[str, ...]
    problems: tuple[str, ...]


def problems_of_scaled(folder: Path, progress: Progress, *, workers: int = 1) -> list[str]:
    """Return everything that is wrong with the folder of a scaled cohort, one line each.

    Raises:
        BuildError: The folder is no scaled cohort at all.
    """
    manifest = read_manifest(folder)
    if manifest.patients is None:
        raise BuildError(
            f"{folder} is a release, no scaled cohort: {MANIFEST_NAME} names no patients"
        )
    found = [
        *version_problems(manifest),
        *file_problems(folder, manifest),
        *frame_problems(folder, manifest),
        *_card_problems(folder, manifest),
    ]
    return found + split_problems(folder, manifest, progress, workers=workers, thorough=True)


def split_problems(
    folder: Path, manifest: Manifest, progress: Progress, *, workers: int, thorough: bool
) -> list[str]:
    """Return what is wrong with the rows of a scaled cohort, one line each.

    Args:
        folder: Where it lies.
        manifest: Its manifest.
        progress: Told how far it is.
        workers: Processes of this machine.
        thorough: Whether laws and second computation are checked, and not only that the rows are
            those that the manifest lists, each once.
    """
    traces = _trace_places(folder, manifest) if thorough else None
    tallies, jobs, found = dict[str, _Tally](), list[_Job](), list[str]()
    for config, entry in manifest.configs.items():
        for split, part in entry.splits.items():
            where = f"{config}/{split}"
            try:
                places = list(_places(folder, config, part))
                jobs += [_job(where, config, place, manifest, traces) for place in places]
            except (BuildError, OSError, pa.ArrowInvalid) as error:
                found.append(f"{where} cannot be read: {str(error).splitlines()[0]}")
            else:
                tallies[where] = _Tally(part)
    for checked in each(_check, jobs, min(workers, os.cpu_count() or 1), "checking", progress):
        found += [f"{checked.where}: {problem}" for problem in tallies[checked.where].add(checked)]
    for where, tally in tallies.items():
        found += [f"{where}: {problem}" for problem in tally.compared()]
    return found


class _Tally:
    """The rows of a split as they are read, to be compared with what the manifest says of them."""

    def __init__(self, part: SplitEntry) -> None:
        self._part = part
        self._hashing, self._names = RowHashing(), set[str]()

    def add(self, found: _Found) -> Iterator[str]:
        """Take in a row group, and yield what is wrong with it."""
        yield from found.problems
        self._hashing.add(found.rows)
        for name in found.names:
            if name in self._names:
                yield f"{name} occurs more than once"
            self._names.add(name)

    def compared(self) -> Iterator[str]:
        """Yield how the rows differ from those of the manifest."""
        hashes = self._hashing.hashes()
        if len(hashes.digests) != self._part.rows:
            yield f"{len(hashes.digests)} rows, the manifest says {self._part.rows}"
        if (hashes.sha256, "".join(hashes.digests)) != (self._part.sha256, self._part.row_digests):
            yield "the rows are not those whose hash the manifest holds"


def _card_problems(folder: Path, manifest: Manifest) -> list[str]:
    try:
        text = (folder / CARD_NAME).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return [f"{CARD_NAME} cannot be read"]
    if text == render_scaled_card(manifest):
        return []
    return [f"{CARD_NAME} is not what this code writes about this manifest"]


def _places(folder: Path, config: Config, part: SplitEntry) -> Iterator[Place]:
    for name in part.files:
        if not parquet.schema(folder / name).equals(arrow_schema(config)):
            raise BuildError(f"{name} has other columns than builder/schema.py")
        for group in range(parquet.groups(folder / name)):
            yield folder / name, group


def _trace_places(folder: Path, manifest: Manifest) -> dict[str, Place]:
    """Return where each trace lies; {} where there are none or they cannot be read."""
    entry = manifest.configs.get("traces")
    try:
        return {
            name: place
            for part in (entry.splits.values() if entry else ())
            for place in _places(folder, "traces", part)
            for name in _names(place)
        }
    except (BuildError, OSError, pa.ArrowInvalid):
        return {}


def _names(place: Place) -> list[str]:
    """Return the traces of the rows of a row group, in order."""
    names: list[str] = parquet.read_group(*place, ["trace_id"]).column("trace_id").to_pylist()
    return names


def _job(
    where: str,
    config: Config,
    place: Place,
    manifest: Manifest,
    traces: Mapping[str, Place] | None,
) -> _Job:
    needed: tuple[Place, ...] = ()
    if traces and config in QA_CONFIGS:
        needed = tuple(dict.fromkeys(traces[name] for name in _names(place) if name in traces))
    light = manifest.model_copy(update={"configs": {}, "files": {}, "left_out": ()})
    return _Job(
        where=where,
        config=config,
        place=place,
        manifest=light,
        thorough=traces is not None,
        traces=needed,
    )


def _check(job: _Job) -> _Found:
    table = parquet.read_group(*job.place)
    problems: list[str] = []
    if job.thorough:
        problems += origin_problems(table, job.manifest)
        problems += row_problems(job.config, table)
        if job.config in QA_CONFIGS:
            problems += disagreements(table, _traces(job, table))
    return _Found(
        where=job.where,
        rows=tuple(canonical_rows(table)),
        names=tuple(table.column(key_of(job.config)).to_pylist()),
        problems=tuple(problems),
    )


def _traces(job: _Job, questions: pa.Table) -> pa.Table | None:
    if not job.traces:
        return None
    tables = pa.concat_tables([parquet.read_group(*place) for place in job.traces])
    wanted = pc.unique(questions.column("trace_id"))
    return tables.filter(pc.is_in(tables.column("trace_id"), value_set=wanted))
