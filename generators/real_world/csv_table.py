"""Reads a table of text whose columns are told by name and whose rows are in time order."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from generators.real_world.recordings import RawDataError

_Row = TypeVar("_Row", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Generic[_Row]):
    """The rows of a table that differ, and what else it held.

    Attributes:
        rows: In time order.
        repeated: How many more rows repeat one of them.
        unfinished: 1 if the last line has no end and was dropped, because it may be cut short.
    """

    rows: list[_Row]
    repeated: int
    unfinished: int

    @property
    def counts(self) -> dict[str, int]:
        """How many rows there were and what became of them."""
        return {
            "rows": len(self.rows) + self.repeated + self.unfinished,
            "repeated_rows": self.repeated,
            "unfinished_rows_dropped": self.unfinished,
        }


def distinct_rows(
    place: str,
    content: bytes,
    model: type[_Row],
    *,
    delimiter: str = ",",
    other_names: Mapping[str, str] | None = None,
) -> Table[_Row]:
    """Return the rows that differ in some cell.

    Args:
        place: Where the table lies, for messages.
        content: Its bytes: UTF-8, a header, a line per row.
        model: What a row holds: its fields' aliases name the columns, the first is the time
            (`written.LocalTime`), the others are amounts (`written.Amount`) or texts. Empty cells
            are left to its defaults.
        delimiter: Stands between cells.
        other_names: Other names of columns, and the usual ones.

    Raises:
        RawDataError: Not readable as such a table, a column is missing, a cell is no number or
            time, or the rows are not in time order.
    """
    whole = content[: max(content.rfind(b"\n"), content.rfind(b"\r")) + 1]
    lines = _lines(place, whole, delimiter)
    header = [name.strip() for name in next(lines, (0, []))[1]]
    columns = [str(field.alias) for field in model.model_fields.values()]
    positions = _positions(place, [(other_names or {}).get(name, name) for name in header], columns)
    first_line: dict[tuple[str, ...], int] = {}
    total = 0
    for line, cells in lines:
        if len(cells) != len(header):
            raise RawDataError(
                f"{place}, row {line}: {len(cells)} cells instead of {len(header)}; "
                "correct or remove the row"
            )
        total += 1
        first_line.setdefault(tuple(cells), line)
    rows = [
        _row(f"{place}, row {line}", cells, positions, model) for cells, line in first_line.items()
    ]
    _check_order(place, rows, list(first_line.values()), columns[0])
    unfinished = int(bool(content[len(whole) :].strip()))
    return Table(rows=rows, repeated=total - len(rows), unfinished=unfinished)


def _lines(place: str, content: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    try:
        text = content.decode("utf-8-sig")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except UnicodeDecodeError as error:
        raise RawDataError(f"{place}: is not UTF-8 text ({error.reason})") from error
    except csv.Error as error:
        raise RawDataError(f"{place}: cannot be read as CSV ({error})") from error


def _positions(place: str, names: list[str], columns: list[str]) -> dict[str, int]:
    for column in columns:
        if names.count(column) != 1:
            raise RawDataError(
                f"{place}: {names.count(column)} columns named {column} instead of one "
                f"(found {names[:20]}); use the file as published"
            )
    return {column: names.index(column) for column in columns}


def _row(
    place: str, cells: tuple[str, ...], positions: Mapping[str, int], model: type[_Row]
) -> _Row:
    filled = {column: cells[at].strip() for column, at in positions.items() if cells[at].strip()}
    try:
        return model.model_validate(filled)
    except ValidationError as error:
        column = str(error.errors()[0]["loc"][0])
        is_time = column == next(iter(positions))
        wanted = "time YYYY-MM-DD hh:mm:ss" if is_time else "finite number"
        raise RawDataError(
            f"{place}, column {column}: {filled.get(column, '')[:40]!r} is no {wanted}; "
            "correct or remove the row"
        ) from error


def _check_order(place: str, rows: list[_Row], lines: list[int], column: str) -> None:
    times = [getattr(row, next(iter(type(row).model_fields))) for row in rows]
    for line, (before, after) in zip(lines[1:], pairwise(times), strict=False):
        if after < before:
            raise RawDataError(
                f"{place}, row {line}: {column} lies before that of the row above; "
                "sort the rows by time"
            )
