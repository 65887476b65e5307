"""The rows of a release straight from its Parquet files, past every cache."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from eval_tasks.errors import ReleaseError
from eval_tasks.question import LONGEVITY, Question
from eval_tasks.release import MANIFEST, Release, downloaded

_RECORD = "input_context"
_BATCH = 32


def read_rows(release: Release, config: str, split: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a split in the order of the release.

    Raises:
        ReleaseError: A file that the manifest lists is missing or cannot be read.
    """
    for path in row_files(release, config, split):
        try:
            for batch in pq.ParquetFile(path).iter_batches(batch_size=_BATCH):
                yield from batch.to_pylist()
        except (OSError, pa.ArrowException) as error:
            raise _unreadable(path, error) from error


def read_questions(release: Release, config: str, split: str) -> list[Question]:
    """Return what the rows of a split ask; of the records only their lengths are read.

    Raises:
        ReleaseError: A file that the manifest lists is missing or cannot be read.
        GoldError: A row is none of a HealthLoopQA release.
    """
    return [
        Question.from_row(row)
        for path in row_files(release, config, split)
        for row in _without_records(path, config)
    ]


def row_files(release: Release, config: str, split: str) -> list[Path]:
    """Return the files of a split that the manifest lists, on this machine.

    Raises:
        ReleaseError: The manifest lists none, or the Hub cannot be reached.
    """
    folder = Path(downloaded(release, (config,)).repo)
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return [folder / name for name in manifest["configs"][config]["splits"][split]["files"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ReleaseError(
            f"{folder}: {MANIFEST} lists no files of {config}/{split}; build the release anew"
        ) from error


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
