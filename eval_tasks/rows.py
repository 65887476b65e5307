"""The rows of a release straight from its Parquet files, past every cache."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from eval_tasks.errors import ReleaseError
from eval_tasks.question import LONGEVITY, Question, Row
from eval_tasks.release import Release, downloaded

_RECORD = "input_context"


def read_rows(release: Release, config: str, split: str) -> Iterator[Row]:
    """Return the rows of a split in the order of the release, checked against the manifest.

    Raises:
        UnknownNameError: The release lacks the config or its split.
        ReleaseError: A file is missing or broken, or a row is not the one that the manifest lists.
    """
    return _checked(release, config, split).read(config, split)


def read_without_records(release: Release, config: str, split: str) -> list[Row]:
    """Return the rows of a split, checked against the manifest, with no more than the records' length.

    `input_context` holds a range in place of the readings, and nothing else.

    Raises:
        UnknownNameError: The release lacks the config or its split.
        ReleaseError: A file is missing or broken, or a row is not the one that the manifest lists.
    """
    release = _checked(release, config, split)
    return [
        row
        for name in release.parts[config][split].files
        for row in _without_records(Path(release.repo) / name, config)
    ]


def read_questions(release: Release, config: str, split: str) -> list[Question]:
    """Return what the rows of a split ask, checked against the manifest.

    Raises:
        ReleaseError: A file is missing or broken, or a row is not the one that the manifest lists.
        GoldError: A row is none of a HealthLoopQA release.
    """
    return [Question.from_row(row) for row in read_without_records(release, config, split)]


def _checked(release: Release, config: str, split: str) -> Release:
    """Return a release on this machine whose rows of a split are those of its manifest."""
    release.chosen((config,), split)
    release = downloaded(release, (config,))
    release.check(config, split)
    return release


def _without_records(path: Path, config: str) -> list[dict[str, Any]]:
    """Return the rows of a file, with ranges of the right length for the records."""
    try:
        file = pq.ParquetFile(path)
        names = [name for name in file.schema_arrow.names if name != _RECORD]
        if config == LONGEVITY:
            return list(file.read(columns=names).to_pylist())
        table = file.read(columns=[*names, f"{_RECORD}.bg_mgdl"])
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(path, error) from error
    lengths = pc.list_value_length(pc.struct_field(table.column(_RECORD), "bg_mgdl"))
    rows = table.drop_columns([_RECORD]).to_pylist()
    return [
        {**row, _RECORD: {"bg_mgdl": range(samples)}}
        for row, samples in zip(rows, lengths.to_pylist(), strict=True)
    ]


def _unreadable(path: Path, error: Exception) -> ReleaseError:
    reason = str(error).strip().splitlines()[0]
    return ReleaseError(f"cannot read {path} ({reason}); build or download the release anew")
