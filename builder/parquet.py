"""Parquet files of a split."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROW_GROUP = 100
"""Rows in a row group: small enough for the Hub's viewer to read one quickly."""


def file_name(config: str, split: str, sha256: str) -> str:
    """Return the path of a split's file in a release.

    The name carries the hash of the rows: caches that go by names can never serve old rows.
    """
    return f"data/{config}/{split}-{sha256[:12]}-00000-of-00001.parquet"


def write(table: pa.Table, path: Path) -> int:
    """Write a table and return the size of the file in bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(
        table,
        path,
        compression="zstd",
        compression_level=9,
        row_group_size=ROW_GROUP,
        store_schema=True,
    )
    return path.stat().st_size


def read(path: Path) -> pa.Table:
    """Read a split's file."""
    return pq.read_table(path)
