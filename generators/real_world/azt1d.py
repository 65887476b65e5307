"""Reads AZT1D: Dexcom G6 readings beside the record of a Tandem t:slim X2 pump with Control-IQ.

Source: S. Khamesian, A. Arefeen, M. A. Grando, B. M. Thompson, H. Ghasemzadeh, "AZT1D: A
Real-World Dataset for Type 1 Diabetes", 2025, arXiv:2506.14789. One CSV file per subject, a row
per reading, in local time; Arizona keeps no daylight-saving time. What the columns of the pump
mean is worked out in `tandem`; cleaning and the choice of the window are those of every source.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from generators.real_world.clock import monday_before, seconds_from
from generators.real_world.csv_table import distinct_rows
from generators.real_world.files import RawFile, SubjectFile, subject_files
from generators.real_world.observations import Observations
from generators.real_world.recordings import RawDataError, Recordings
from generators.real_world.selection import Subject, pseudonyms, selected
from generators.real_world.tandem import PumpRow, pump_record
from generators.real_world.written import Amount, LocalTime
from generators.trace import PatientProfile

SENSOR_RANGE = (40, 400)
"""mg/dL; a Dexcom G6 reports 40 for anything lower and 400 for anything higher."""
_FILE_NAME = re.compile(r"Subject ([0-9]{1,4})\.csv")
_OTHER_NAMES = {"Readings (CGM / BGM)": "CGM"}
_PROFILE = PatientProfile(therapy="hybrid_closed_loop")


class _Row(BaseModel):
    """One row of a subject's file; an empty cell is None."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    time: LocalTime = Field(alias="EventDateTime")
    bolus_type: str = Field("", alias="BolusType")
    basal: Amount = Field(None, alias="Basal")
    correction: Amount = Field(None, alias="CorrectionDelivered")
    total: Amount = Field(None, alias="TotalBolusInsulinDelivered")
    food: Amount = Field(None, alias="FoodDelivered")
    grams: Amount = Field(None, alias="CarbSize")
    glucose: Amount = Field(None, alias="CGM")


def read_azt1d(raw_dir: Path, *, days: int = 38) -> Recordings:
    """Read every subject of AZT1D and cut the best window out of each recording.

    A trace starts at the Monday 00:00 that `window.best_window` chooses and tells time in minutes
    from there; no date leaves this function.

    Args:
        raw_dir: The folder `azt1d`, or the one that holds it; the recordings lie in it as
            published (`CGM Records/Subject N/Subject N.csv`) or in zip archives.
        days: Longest trace, at least 30: 30 days to show, the rest for predictions.

    Returns:
        The traces in the order of their new ids (`pseudonyms`; they depend on which subjects
        there are, not on where their files lie), who is left out and why, and what cleaning did to
        each subject.

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
    by_key = {str(file.subject): file for file in files}
    return selected("azt1d", _subjects(by_key), place=str(folder), days=days)


def is_azt1d(head: str) -> bool:
    """Return whether a text begins like a subject's file."""
    header = head.partition("\n")[0]
    return "EventDateTime" in header and "TotalBolusInsulinDelivered" in header


def azt1d_subjects(files: Sequence[RawFile]) -> Iterator[Subject]:
    """Yield what each file tells of its subject, in the order of their new ids.

    Raises:
        RawDataError: As `read_azt1d`.
    """
    return _subjects({file.key: file for file in files})


def _subjects(files: Mapping[str, RawFile | SubjectFile]) -> Iterator[Subject]:
    """Yield what each file tells, by what the source calls its subject."""
    ids = pseudonyms("azt1d", files)
    for key in sorted(files, key=lambda key: ids[key]):
        yield _observations(ids[key], files[key].place, files[key].content), _PROFILE


def _observations(subject: str, place: str, content: bytes) -> Observations:
    table = distinct_rows(place, content, _Row, other_names=_OTHER_NAMES)
    rows = table.rows
    seconds = _seconds(place, rows)
    pump = pump_record([_pump_row(second, row) for second, row in zip(seconds, rows, strict=True)])
    readings = [
        (second, row.glucose)
        for second, row in zip(seconds, rows, strict=True)
        if row.glucose is not None
    ]
    return Observations(
        subject=subject,
        seconds=np.array([second for second, _ in readings], dtype=np.int64),
        glucose=np.array([glucose for _, glucose in readings], dtype=np.float64),
        sensor_range=SENSOR_RANGE,
        basal=pump.basal,
        boluses=pump.boluses,
        announcements=pump.announcements,
        counts={**table.counts, **pump.counts},
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


def _seconds(place: str, rows: list[_Row]) -> list[int]:
    """Return each row's time in seconds from the Monday 00:00 at or before the first."""
    times = [row.time for row in rows]
    return seconds_from(monday_before(times[0]), times, place) if times else []
