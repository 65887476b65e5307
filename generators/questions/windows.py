"""Times and windows of a record: which samples lie where. One place for all tasks.

Windows on the clock are half-open, start <= t < end; windows after an event at t are (t, t + w].
Weeks and days count from 1; day 1 is a Monday.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from generators.questions.task import Interval
from generators.trace import MINUTES_PER_DAY, SAMPLE_MINUTES, Trace

DAYS = tuple(range(1, 31))
"""Days of a record that a reader is shown."""
WEEKS = (1, 2, 3, 4)
WEEKDAYS = tuple(range(1, 8))
LEAST_PRESENT = 0.7
"""Share of readings that a statistic of a day, week or window needs (consensus: Battelino 2019)."""

DayPart = Literal["night", "morning", "afternoon", "evening"]
DAY_PARTS: Mapping[DayPart, tuple[int, int]] = MappingProxyType(
    {"night": (0, 360), "morning": (360, 720), "afternoon": (720, 1080), "evening": (1080, 1440)}
)
"""Parts of the day: first minute, and the minute after the last."""

Readings = NDArray[np.float64]


def day_of_week(week: int, weekday: int) -> int:
    """Return the day, counted from 1, of weekday 1 (Monday) to 7 in week 1 to 4."""
    return 7 * (week - 1) + weekday


def midnight(day: int) -> int:
    """Return the minute of the record at which a day starts."""
    return (day - 1) * MINUTES_PER_DAY


def day_span(first: int, last: int | None = None) -> tuple[int, int]:
    """Return the minute at which a day starts and the one at which it, or a later day, ends."""
    return midnight(first), midnight((last or first) + 1)


def week_span(week: int) -> tuple[int, int]:
    """Return the minute at which a week starts and the one at which it ends."""
    return day_span(day_of_week(week, 1), day_of_week(week, 7))


def is_present(trace: Trace) -> NDArray[np.bool_]:
    """Return for each sample whether a reading exists; 0 is a sensor fault and counts as none."""
    return np.asarray(trace.cgm > 0)


def readings(trace: Trace, start: int, end: int) -> Readings:
    """Return the readings of start <= t < end in mg/dL, NaN where none exists."""
    inside = slice(_first_sample(start), _first_sample(end))
    return np.where(is_present(trace)[inside], trace.cgm[inside], np.nan)


def readings_after(trace: Trace, minute: int, length: int) -> Readings:
    """Return the readings of (minute, minute + length] in mg/dL, NaN where none exists."""
    return readings(trace, minute + 1, minute + length + 1)


def enough(values: Readings) -> bool:
    """Return whether at least 70 % of the readings (and at least one) are present."""
    found = int(np.count_nonzero(~np.isnan(values)))
    return found > 0 and found >= LEAST_PRESENT * values.size


def present(values: Readings) -> Readings | None:
    """Return the present ones, or None where fewer than 70 % (or none) are."""
    return values[~np.isnan(values)] if enough(values) else None


def lowest_place(values: Readings) -> int | None:
    """Return the place of the lowest reading, the first of several; None where too few exist."""
    return int(np.nanargmin(values)) if enough(values) else None


def minutes_until(minute: int, place: int) -> int:
    """Return how many minutes after `minute` the reading at a place of `readings_after` lies."""
    return (_first_sample(minute + 1) + place) * SAMPLE_MINUTES - minute


def reading_at(trace: Trace, minute: int) -> int | None:
    """Return the reading of the sample at a minute on the grid, or None where it is missing."""
    sample = minute // SAMPLE_MINUTES
    return int(trace.cgm[sample]) if is_present(trace)[sample] else None


def reading_until(trace: Trace, minute: int, oldest: int = 15) -> tuple[int, int] | None:
    """Return minute and value of the last reading at or before a minute, at most `oldest` earlier."""
    exists = is_present(trace)
    last = minute // SAMPLE_MINUTES
    first = max(_first_sample(minute - oldest), 0)
    for sample in range(last, first - 1, -1):
        if exists[sample]:
            return sample * SAMPLE_MINUTES, int(trace.cgm[sample])
    return None


def baseline(trace: Trace, minute: int) -> int | None:
    """Return the last reading at or before a minute, or None where it is over 15 min old."""
    found = reading_until(trace, minute)
    return None if found is None else found[1]


def reading_from(trace: Trace, minute: int, latest: int = 15) -> tuple[int, int] | None:
    """Return minute and value of the first reading at or after a minute, at most `latest` later."""
    exists = is_present(trace)
    first = _first_sample(minute)
    last = min((minute + latest) // SAMPLE_MINUTES, len(trace) - 1)
    for sample in range(first, last + 1):
        if exists[sample]:
            return sample * SAMPLE_MINUTES, int(trace.cgm[sample])
    return None


def stretches(marked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return first and last sample of every unbroken stretch of marked samples, in order."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], marked, [False])).astype(np.int8)))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def intervals(samples: list[tuple[int, int]]) -> list[Interval]:
    """Return stretches of samples as intervals in minutes; one sample lasts from t to t + 1."""
    return [
        {
            "start": first * SAMPLE_MINUTES,
            "end": last * SAMPLE_MINUTES + (1 if first == last else 0),
        }
        for first, last in samples
    ]


def _first_sample(minute: int) -> int:
    """Return the first sample at or after a minute."""
    return -(-minute // SAMPLE_MINUTES)
