"""Reads AZT1D: Dexcom G6 readings beside the record of a Tandem t:slim X2 pump with Control-IQ.

Source: S. Khamesian, A. Arefeen, M. A. Grando, B. M. Thompson, H. Ghasemzadeh, "AZT1D: A
Real-World Dataset for Type 1 Diabetes", 2025, arXiv:2506.14789. One CSV file per subject, a row
per reading, in local time; Arizona keeps no daylight-saving time. What the columns of the pump
mean is worked out in `tandem`; cleaning and the choice of the window are those of every source.
"""

import csv
import io
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from generators.real_world.clock import monday_before, seconds_from
from generators.real_world.files import SubjectFile, subject_files
from generators.real_world.observations import Observations
from generators.real_world.recordings import RawDataError, Recordings
from generators.real_world.selection import selected
from generators.real_world.tandem import PumpRow, pump_record
from generators.trace import PatientProfile

SENSOR_RANGE = (40, 400)
"""mg/dL; a Dexcom G6 reports 40 for anything lower and 400 for anything higher."""
_FILE_NAME = re.compile(r"Subject ([0-9]{1,4})\.csv")
_OTHER_NAMES = {"Readings (CGM / BGM)": "CGM"}
_PROFILE = PatientProfile(therapy="hybrid_closed_loop")


def _local_time(text: str) -> datetime:
    if len(text) != len("2024-01-31 23:59:59"):
        raise ValueError("not written as YYYY-MM-DD hh:mm:ss")
    return datetime.fromisoformat(text)


Amount = Annotated[float | None, Field(allow_inf_nan=False)]


class _Row(BaseModel):
    """One row of a subject's file; an empty cell is None."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    time: Annotated[datetime, BeforeValidator(_local_time)] = Field(alias="EventDateTime")
    bolus_type: str = Field("", alias="BolusType")
    basal: Amount = Field(None, alias="Basal")
    correction: Amount = Field(None, alias="CorrectionDelivered")
    total: Amount = Field(None, alias="TotalBolusInsulinDelivered")
    food: Amount = Field(None, alias="FoodDelivered")
    grams: Amount = Field(None, alias="CarbSize")
    glucose: Amount = Field(None, alias="CGM")


_COLUMNS = tuple(str(field.alias) for field in _Row.model_fields.values())


def read_azt1d(raw_dir: Path, *, days: int = 38) -> Recordings:
    """Read every subject of AZT1D and cut the best window out of each recording.

    A trace starts at the Monday 00:00 that `window.best_window` chooses and tells time in minutes
    from there; no date leaves this function.

    Args:
        raw_dir: The folder `azt1d`, or the one that holds it; the recordings lie in it as
            published (`CGM Records/Subject N/Subject N.csv`) or in zip archives.
        days: Longest trace, at least 30: 30 days to show, the rest for predictions.

    Returns:
        The traces (`azt1d_01`, ...) by subject number, who is left out and why, and what cleaning
        did to each subject.

    Raises:
        RawDataError: Nothing to read, a damaged archive or file, a missing column, a cell that
            is no number or time, times out of order, or no subject with a usable window.
    """
    folder = raw_dir / "azt1d" if (raw_dir / "azt1d").is_dir() else raw_dir
    files = subject_files(folder, _FILE_NAME)
    if not files:
        raise RawDataError(
            f"{folder}: no file 'Subject N/Subject N.csv', neither unpacked nor in a zip archive; "
            "put the AZT1D recordings there"
        )
    return selected(
        "azt1d", ((_observations(file), _PROFILE) for file in files), place=str(folder), days=days
    )


def _observations(file: SubjectFile) -> Observations:
    rows, repeated = _rows(file)
    seconds = _seconds(file, rows)
    pump = pump_record([_pump_row(second, row) for second, row in zip(seconds, rows, strict=True)])
    readings = [
        (second, row.glucose)
        for second, row in zip(seconds, rows, strict=True)
        if row.glucose is not None
    ]
    return Observations(
        subject=f"azt1d_{file.subject:02d}",
        seconds=np.array([second for second, _ in readings], dtype=np.int64),
        glucose=np.array([glucose for _, glucose in readings], dtype=np.float64),
        sensor_range=SENSOR_RANGE,
        basal=pump.basal,
        boluses=pump.boluses,
        announcements=pump.announcements,
        counts={"rows": len(rows) + repeated, "repeated_rows": repeated, **pump.counts},
    )


def _pump_row(second: int, row: _Row) -> PumpRow:
    return PumpRow(
        second=second,
        basal=row.basal,
        bolus_type="" if row.bolus_type == "0" else row.bolus_type,
        total=row.total,
        food=row.food or 0.0,
        correction=row.correction or 0.0,
        grams=row.grams or 0.0,
    )


def _seconds(file: SubjectFile, rows: list[_Row]) -> list[int]:
    """Return each row's time in seconds from the Monday 00:00 at or before the first."""
    times = [row.time for row in rows]
    return seconds_from(monday_before(times[0]), times, file.place) if times else []


def _rows(file: SubjectFile) -> tuple[list[_Row], int]:
    """Return the rows that differ in some cell, and how many more repeat one of them."""
    lines = _lines(file)
    header = [name.strip() for name in next(lines, (0, []))[1]]
    positions = _positions(file, header)
    first_line: dict[tuple[str, ...], int] = {}
    total = 0
    for line, cells in lines:
        if len(cells) != len(header):
            raise RawDataError(
                f"{file.place}, row {line}: {len(cells)} cells instead of {len(header)}; "
                "correct or remove the row"
            )
        total += 1
        first_line.setdefault(tuple(cells), line)
    rows: list[_Row] = []
    for distinct, line in first_line.items():
        row = _row(f"{file.place}, row {line}", distinct, positions)
        if rows and row.time < rows[-1].time:
            raise RawDataError(
                f"{file.place}, row {line}: EventDateTime lies before that of the row above; "
                "sort the rows by time"
            )
        rows.append(row)
    return rows, total - len(rows)


def _lines(file: SubjectFile) -> Iterator[tuple[int, list[str]]]:
    try:
        text = file.content.decode("utf-8-sig")
        reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except UnicodeDecodeError as error:
        raise RawDataError(f"{file.place}: is not UTF-8 text ({error.reason})") from error
    except csv.Error as error:
        raise RawDataError(f"{file.place}: cannot be read as CSV ({error})") from error


def _positions(file: SubjectFile, header: list[str]) -> dict[str, int]:
    names = [_OTHER_NAMES.get(name, name) for name in header]
    for column in _COLUMNS:
        if names.count(column) != 1:
            raise RawDataError(
                f"{file.place}: {names.count(column)} columns named {column} instead of one "
                f"(found {header[:20]}); use the file as published"
            )
    return {column: names.index(column) for column in _COLUMNS}


def _row(place: str, cells: tuple[str, ...], positions: dict[str, int]) -> _Row:
    filled = {column: cells[at].strip() for column, at in positions.items() if cells[at].strip()}
    try:
        return _Row.model_validate(filled)
    except ValidationError as error:
        column = str(error.errors()[0]["loc"][0])
        wanted = "time YYYY-MM-DD hh:mm:ss" if column == "EventDateTime" else "finite number"
        raise RawDataError(
            f"{place}, column {column}: {filled.get(column, '')[:40]!r} is no {wanted}; "
            "correct or remove the row"
        ) from error
