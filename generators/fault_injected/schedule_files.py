"""Schedules of faults as CSV: read with refusals that name line and reason, and written.

Columns: label, cause, start and end (minute of the first and of the last sample), size (see
`FaultEvent`). Rows are in time order.
"""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from generators.errors import GeneratorError
from generators.fault_injected.causes import CAUSES
from generators.fault_injected.effects import check_schedule
from generators.trace import SAMPLE_MINUTES, FaultEvent, FaultLabel

COLUMNS = ("label", "cause", "start", "end", "size")
_Minute = Annotated[int, Field(ge=0, multiple_of=SAMPLE_MINUTES)]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    label: FaultLabel
    cause: str
    start: _Minute
    end: _Minute
    size: int


def write_schedule(faults: Sequence[FaultEvent], path: Path) -> None:
    """Write faults to a CSV file that `read_schedule` reads."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for fault in faults:
            start, end = fault.start * SAMPLE_MINUTES, fault.end * SAMPLE_MINUTES
            writer.writerow((fault.label, fault.cause, start, end, fault.size))


def read_schedule(path: Path, *, samples: int) -> tuple[FaultEvent, ...]:
    """Read faults that can be injected into a run of so many samples.

    Raises:
        GeneratorError: The file cannot be read, has other columns, or a line holds an unknown label
            or cause, a time that is negative, off the 5-minute grid or outside the run, a length or
            size that the label does not allow, or a fault that overlaps the one before.
    """
    try:
        with path.open(newline="", encoding="utf-8") as file:
            return _events(path, csv.DictReader(file, strict=True), samples)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise GeneratorError(f"{path}: cannot be read as a schedule: {error}") from error


def _events(path: Path, reader: "csv.DictReader[str]", samples: int) -> tuple[FaultEvent, ...]:
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise GeneratorError(
            f"{path}, line 1: columns are {', '.join(reader.fieldnames or ()) or 'absent'}; "
            f"they must be {', '.join(COLUMNS)}"
        )
    events: list[FaultEvent] = []
    for row in reader:
        where = f"{path}, line {reader.line_num}"
        events.append(_event(where, row))
        try:
            check_schedule(events[-2:], samples)
        except GeneratorError as error:
            raise GeneratorError(f"{where}: {error}") from error
    return tuple(events)


def _event(where: str, values: Mapping[str, str | None]) -> FaultEvent:
    if None in values or None in values.values():
        raise GeneratorError(f"{where}: there must be {len(COLUMNS)} values")
    try:
        row = _Row.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise GeneratorError(f"{where}: {place} is {first['input']!r}: {first['msg']}") from error
    if row.cause not in CAUSES or row.label not in CAUSES[row.cause].labels:
        raise GeneratorError(
            f"{where}: cause is {row.cause!r}, which is no cause of {row.label}; see the table of "
            "causes in docs/faults.md"
        )
    return FaultEvent(
        label=row.label,
        cause=row.cause,
        start=row.start // SAMPLE_MINUTES,
        end=row.end // SAMPLE_MINUTES,
        size=row.size,
    )
