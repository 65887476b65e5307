"""Canonical form of rows and its hash, independent of how Parquet was written.

A row is JSON with sorted keys, no spaces, UTF-8, and floats in Python's shortest form. Inside it
the column `input_context` stands as the SHA-256 of its own canonical JSON, so that a record shared
by many rows is read once. A split's hash is the SHA-256 of its rows, each followed by a newline;
a row's digest is the start of its SHA-256, enough to say which row was changed.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa

CONTEXT_COLUMN = "input_context"
DIGEST_LENGTH = 8
"""Hexadecimal digits of a row's digest."""
_json_text = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
).encode


@dataclass(frozen=True, slots=True, kw_only=True)
class RowHashes:
    """Hashes of a table.

    Attributes:
        sha256: Hash of all rows.
        digests: Digest of each row, in order.
    """

    sha256: str
    digests: tuple[str, ...]


def canonical_json(value: object) -> bytes:
    """Return the canonical JSON of a value.

    Raises:
        ValueError: The value holds NaN or infinity.
    """
    return _json_text(value).encode()


def canonical_rows(table: pa.Table) -> Iterator[bytes]:
    """Yield the canonical form of each row of a config's table, in order."""
    if CONTEXT_COLUMN not in table.column_names:
        for row in _by_one(table):
            yield canonical_json(row)
        return
    digests = _context_digests(table)
    for row, digest in zip(_by_one(table.drop_columns([CONTEXT_COLUMN])), digests, strict=True):
        yield canonical_json({**row, CONTEXT_COLUMN: digest})


def row_hashes(table: pa.Table) -> RowHashes:
    """Return the hash of a split and the digests of its rows."""
    hashing = RowHashing()
    hashing.add(canonical_rows(table))
    return hashing.hashes()


class RowHashing:
    """Hashes of rows that arrive one after the other."""

    def __init__(self) -> None:
        self._whole = hashlib.sha256()
        self._digests: list[str] = []

    def add(self, rows: Iterable[bytes]) -> None:
        """Take in further rows in canonical form."""
        for row in rows:
            self._whole.update(row + b"\n")
            self._digests.append(hashlib.sha256(row).hexdigest()[:DIGEST_LENGTH])

    def hashes(self) -> RowHashes:
        """Return the hashes of the rows so far."""
        return RowHashes(sha256=self._whole.hexdigest(), digests=tuple(self._digests))


def _by_one(table: pa.Table) -> Iterator[dict[str, object]]:
    for batch in table.to_batches(max_chunksize=16):
        yield from batch.to_pylist()


def _context_digests(table: pa.Table) -> Iterator[str]:
    """Yield the hash of each row's record; equal records in a trace's rows are hashed once."""
    known: list[tuple[pa.Array, str]] = []
    trace_id: str | None = None
    column = table.column(CONTEXT_COLUMN)
    for place, trace in enumerate(table.column("trace_id").to_pylist()):
        if trace != trace_id:
            known, trace_id = [], trace
        record = column.slice(place, 1).combine_chunks()
        digest = next((digest for other, digest in known if other.equals(record)), None)
        if digest is None:
            digest = hashlib.sha256(canonical_json(record[0].as_py())).hexdigest()
            known.append((record, digest))
        yield digest
