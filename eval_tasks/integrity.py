"""Checks that the rows to be evaluated are those that the manifest lists."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from huggingface_hub import metadata_load

from eval_tasks.canonical import DIGEST_LENGTH, row_hashes
from eval_tasks.errors import ReleaseError
from eval_tasks.question import Row

CARD = "README.md"
_ADVICE = "download or build the release anew"
_KEYS = ("instance_id", "case_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What the manifest says of a split.

    Attributes:
        rows: Number of rows.
        sha256: Hash of all rows.
        row_digests: Digests of the rows one after the other.
        files: Paths inside the release, in the order of the rows.
    """

    rows: int
    sha256: str
    row_digests: str
    files: tuple[str, ...]


def check_rows(folder: Path, config: str, split: str, part: Part) -> None:
    """Check that a split holds exactly the rows of the manifest, in their order.

    The card is checked too, since `load_dataset` takes the paths of the files from there.

    Args:
        folder: The release.
        config: Name of the config.
        split: Name of the split.
        part: What the manifest says of it.

    Raises:
        ReleaseError: A file is missing or lies outside the release, the card names other files, or
            a row is not the one that the manifest lists.
    """
    where = f"{config}/{split}"
    for name in part.files:
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise ReleaseError(
                f"{where}: the manifest's file {name} lies outside the release; {_ADVICE}"
            )
        if not (folder / name).is_file():
            raise ReleaseError(f"{where}: {folder / name} is missing; {_ADVICE}")
    if _files_of_card(folder, config, split) != part.files:
        raise ReleaseError(
            f"{where}: {CARD} names other files than the manifest's "
            f"{', '.join(part.files)}; {_ADVICE}"
        )
    problem = _difference(_read(folder, where, part.files), part)
    if problem:
        raise ReleaseError(f"{where}: {problem}; {_ADVICE}")


def read_rows(folder: Path, where: str, files: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of files of a release.

    Args:
        folder: The release.
        where: Config and split, for messages.
        files: Paths inside the release.

    Raises:
        ReleaseError: A file is missing or broken.
    """
    for batch in _read(folder, where, files).to_batches(max_chunksize=16):
        yield from batch.to_pylist()


def _files_of_card(folder: Path, config: str, split: str) -> tuple[str, ...]:
    try:
        configs = (metadata_load(folder / CARD) or {})["configs"]
        (files,) = (entry["data_files"] for entry in configs if entry["config_name"] == config)
        (paths,) = (entry["path"] for entry in files if entry["split"] == split)
    except (OSError, ValueError, TypeError, KeyError, yaml.YAMLError) as error:
        raise ReleaseError(
            f"{config}/{split}: {CARD} of {folder} does not say where its rows lie; {_ADVICE}"
        ) from error
    return (paths,) if isinstance(paths, str) else tuple(paths)


def _read(folder: Path, where: str, files: Sequence[str]) -> pa.Table:
    try:
        return pa.concat_tables([pq.read_table(folder / name) for name in files])
    except (OSError, pa.ArrowException) as error:
        raise ReleaseError(
            f"{where}: {', '.join(files)} cannot be read ({str(error).splitlines()[0]}); {_ADVICE}"
        ) from error


def _difference(table: pa.Table, part: Part) -> str | None:
    """Return how the rows differ from the manifest's; None where they do not."""
    if table.num_rows != part.rows:
        return f"{table.num_rows} rows, but the manifest lists {part.rows}"
    try:
        hashes = row_hashes(table)
    except (ValueError, KeyError) as error:
        return f"the rows have no canonical form ({error})"
    for place, digest in enumerate(hashes.digests):
        listed = part.row_digests[place * DIGEST_LENGTH : (place + 1) * DIGEST_LENGTH]
        if digest != listed:
            return f"row {place}{_name(table, place)} is not the one that the manifest lists there"
    return None if hashes.sha256 == part.sha256 else "the rows are not those of the manifest's hash"


def _name(table: pa.Table, place: int) -> str:
    keys = [key for key in _KEYS if key in table.column_names]
    return f" ({table.column(keys[0])[place].as_py()})" if keys else ""
