"""Parquet files of a split.

Rows of one trace stand side by side and carry almost the same record. Two settings let the
compressor see that: records are stored plain (packed dictionary codes of two records that differ in
length share no byte), and a column of a row group is one page. Files become a third smaller. A page
index would hold one entry per row group and is left out; so are the lowest and highest values of
columns by which nobody looks rows up.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

ROW_GROUP = 100
"""Rows in a row group: a page of the Hub's viewer, about 10 MB when read."""
_PAGE_BYTES = 16 * 2**20
"""No column of a row group is larger, so that each is one page."""
_RECORD = "input_context"
_KEY_ENDING = "_id"


def file_name(config: str, split: str, sha256: str, place: int = 0, count: int = 1) -> str:
    """Return the path in a release of one of a split's files.

    The name carries the hash of the rows: caches that go by names can never serve old rows.
    """
    return f"data/{config}/{split}-{sha256[:12]}-{place:05d}-of-{count:05d}.parquet"


def write(table: pa.Table, path: Path) -> int:
    """Write a table and return the size of the file in bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, row_group_size=ROW_GROUP, **_layout(table.schema))
    return path.stat().st_size


class Shards:
    """Writes a split to files of a bounded number of rows, one row group at a time.

    What is added together lies in one file. Where a file or a row group ends depends on nothing but
    the rows. No more than a row group and what was added last is held in memory.

    Args:
        folder: Where the files shall lie, as 00000.parquet and so on.
        schema: Columns.
        most_rows: Rows in a file, unless more are added at once.
        group_rows: Rows in a row group.

    Attributes:
        paths: The files so far.
        rows: Number of rows so far.
    """

    def __init__(
        self, folder: Path, schema: pa.Schema, most_rows: int, group_rows: int = ROW_GROUP
    ) -> None:
        self.paths: list[Path] = []
        self.rows = 0
        self._folder, self._schema = folder, schema
        self._most_rows, self._group_rows = most_rows, group_rows
        self._in_file = 0
        self._waiting = schema.empty_table()
        self._writer: pq.ParquetWriter | None = None

    def add(self, table: pa.Table) -> None:
        """Write further rows."""
        if not table.num_rows:
            return
        if self._in_file and self._in_file + table.num_rows > self._most_rows:
            self.close()
        self.rows += table.num_rows
        self._in_file += table.num_rows
        self._waiting = pa.concat_tables([self._waiting, table])
        while self._waiting.num_rows >= self._group_rows:
            self._write_group()

    def close(self) -> None:
        """Write what is left of the last file."""
        if self._waiting.num_rows:
            self._write_group()
        if self._writer is not None:
            self._writer.close()
        self._writer, self._in_file = None, 0

    def _write_group(self) -> None:
        if self._writer is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self.paths.append(self._folder / f"{len(self.paths):05d}.parquet")
            self._writer = pq.ParquetWriter(self.paths[-1], self._schema, **_layout(self._schema))
        self._writer.write_table(self._waiting.slice(0, self._group_rows))
        self._waiting = self._waiting.slice(self._group_rows)


def read_group(path: Path, group: int, columns: Sequence[str] | None = None) -> pa.Table:
    """Read one row group of a split's file, or some columns of it."""
    with pq.ParquetFile(path) as file:
        return file.read_row_group(group, columns=columns)


def schema(path: Path) -> pa.Schema:
    """Return the columns of a split's file."""
    return pq.read_schema(path)


def groups(path: Path) -> int:
    """Return the number of row groups of a split's file."""
    return int(pq.read_metadata(path).num_row_groups)


def _layout(schema: pa.Schema) -> dict[str, Any]:
    """Return how Parquet lays out files with these columns."""
    columns = [leaf for field in schema for leaf in _leaves(field, "")]
    return {
        "compression": "zstd",
        "compression_level": 9,
        "data_page_size": _PAGE_BYTES,
        "use_dictionary": [name for name in columns if name.split(".")[0] != _RECORD],
        "write_statistics": [name for name in columns if name.endswith(_KEY_ENDING)],
        "store_schema": True,
    }


def read(path: Path) -> pa.Table:
    """Read a split's file."""
    return pq.read_table(path)


def _leaves(field: pa.Field, above: str) -> Iterator[str]:
    """Yield the paths of a field's columns as Parquet names them."""
    path = f"{above}{field.name}"
    if pa.types.is_list(field.type):
        yield from _leaves(field.type.value_field.with_name("element"), f"{path}.list.")
    elif pa.types.is_struct(field.type):
        for inner in field.type:
            yield from _leaves(inner, f"{path}.")
    else:
        yield path
