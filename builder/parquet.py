"""Parquet files of a split.

Rows of one trace stand side by side and carry almost the same record. Two settings let the
compressor see that: records are stored plain (packed dictionary codes of two records that differ in
length share no byte), and a column of a row group is one page. Files become a third smaller. A page
index would hold one entry per row group and is left out; so are the lowest and highest values of
columns by which nobody looks rows up.
"""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROW_GROUP = 100
"""Rows in a row group: a page of the Hub's viewer, about 10 MB when read."""
_PAGE_BYTES = 16 * 2**20
"""No column of a row group is larger, so that each is one page."""
_RECORD = "input_context"
_KEY_ENDING = "_id"


def file_name(config: str, split: str, sha256: str) -> str:
    """Return the path of a split's file in a release.

    The name carries the hash of the rows: caches that go by names can never serve old rows.
    """
    return f"data/{config}/{split}-{sha256[:12]}-00000-of-00001.parquet"


def write(table: pa.Table, path: Path) -> int:
    """Write a table and return the size of the file in bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = [leaf for field in table.schema for leaf in _leaves(field, "")]
    pq.write_table(
        table,
        path,
        compression="zstd",
        compression_level=9,
        row_group_size=ROW_GROUP,
        data_page_size=_PAGE_BYTES,
        use_dictionary=[name for name in columns if name.split(".")[0] != _RECORD],
        write_statistics=[name for name in columns if name.endswith(_KEY_ENDING)],
        store_schema=True,
    )
    return path.stat().st_size


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
