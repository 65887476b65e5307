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
        ReleaseError: A file is missing or broken, or a row is not the one that the manifest lists.
    """
    release = downloaded(release, (config,))
    release.check(config, split)
    return release.read(config, split)


def read_questions(release: Release, config: str, split: str) -> list[Question]:
    """Return what the rows of a split ask, checked against the manifest, without their records.

    Raises:
        ReleaseError: A file is missing or broken, or a row is not the one that the manifest lists.
        GoldError: A row is none of a HealthLoopQA release.
    """
    release = downloaded(release, (config,))
    release.check(config, split)
    return [
        Question.from_row(row)
        for name in release.parts[config][split].files
        for row in _without_records(Path(release.repo) / name, config)
    ]


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
