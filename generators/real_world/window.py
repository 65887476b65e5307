"""Chooses the weeks of a recording that become a trace."""

from bisect import bisect_left
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from generators.errors import GeneratorError
from generators.real_world.cleaning import CleanRecord
from generators.real_world.recordings import LeftOut
from generators.trace import (
    MINUTES_PER_DAY,
    MISSING,
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    PatientProfile,
    Source,
    Trace,
)

SHOWN_DAYS = 30
SHOWN_SAMPLES = SHOWN_DAYS * SAMPLES_PER_DAY
SAMPLES_PER_WEEK = 7 * SAMPLES_PER_DAY
MIN_PRESENT_SHARE = 0.7
"""Consensus on CGM data: 70 % of the readings (Battelino et al. 2019)."""
MAX_NOT_WHOLE_SHARE = 0.1
"""A sensor reports whole mg/dL; above this share the series was computed, not read."""
SIMILAR_SAMPLES = round(0.02 * SHOWN_SAMPLES)
"""Windows whose readings differ by less than 2 % of a full record count as equally good."""
SIMILAR_INSULIN_SAMPLES = 2 * SAMPLES_PER_DAY
"""Likewise for the samples with known insulin: two days."""
SIMILAR_CARB_DAYS = 2
"""Likewise for the days with carbohydrate."""
MAX_OUT_OF_RANGE_SHARE = 0.1
"""Above this share of impossible readings the values have another unit or are no glucose."""
MAX_STRAIGHT_SHARE = 0.7
"""Above this share of readings on straight lines two of three readings were computed, not read; of
a real 5-minute sensor's less than 0.21 are (AZT1D)."""
_STEEP_MGDL = 6
"""Change over 15 minutes from which a straight line is told from a flat one."""


_Value = TypeVar("_Value", np.int16, np.int32)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    """Where a trace would start and end (samples), its readings, known insulin, days with carbs."""

    start: int
    end: int
    present: int
    insulin_known: int
    carb_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A trace, and on which day of the whole recording, from 0, it starts."""

    trace: Trace
    first_day: int


def best_window(
    record: CleanRecord, *, source: Source, profile: PatientProfile, days: int
) -> Cut | LeftOut:
    """Cut a trace out of a recording: 30 days from a Monday and up to `days` in all.

    A Monday counts if the recording has begun by the end of that day and reaches into the 30th
    day. Glucose decides first: its 30 days need 70 % of the readings, and within 2 points of the
    best Monday's share. Among those the whole trace should know within two days as much insulin as
    the best, and among those have carbohydrate on as many days as the best, less two. Of what is
    left, the first Monday stands, because it leaves most days for predictions. The trace ends with the last reading, at most after `days`, at least after 30.

    Args:
        record: The whole recording on the grid, from a Monday.
        source: Which source it comes from.
        profile: What is known of the subject.
        days: Longest trace, at least 30.

    Raises:
        GeneratorError: days is below 30.
    """
    if days < SHOWN_DAYS:
        raise GeneratorError(f"traces of {days} days asked for; at least {SHOWN_DAYS} are needed")
    windows = _windows(record, days)
    reason = _why_unusable(record, windows)
    if reason:
        return LeftOut(source=source, subject=record.subject, reason=reason)
    best = _best(windows)
    return Cut(trace=_cut(record, best, source, profile), first_day=best.start // SAMPLES_PER_DAY)


def _windows(record: CleanRecord, days: int) -> list[_Window]:
    recorded = np.flatnonzero(record.cgm != MISSING)
    first, last = (int(recorded[0]), int(recorded[-1])) if recorded.size else (0, -1)
    carb_days = sorted({event.minute // MINUTES_PER_DAY for event in record.carbs})
    windows: list[_Window] = []
    reach = last - SHOWN_SAMPLES + SAMPLES_PER_DAY
    for start in range(0, reach + 1, SAMPLES_PER_WEEK):
        if first < start + SAMPLES_PER_DAY:
            end = max(start + SHOWN_SAMPLES, min(start + days * SAMPLES_PER_DAY, last + 1))
            windows.append(
                _Window(
                    start=start,
                    end=end,
                    present=_known(record.cgm[start : start + SHOWN_SAMPLES]),
                    insulin_known=_known(record.insulin[start:end]),
                    carb_days=bisect_left(carb_days, end // SAMPLES_PER_DAY)
                    - bisect_left(carb_days, start // SAMPLES_PER_DAY),
                )
            )
    return windows


def _known(values: NDArray[np.int16] | NDArray[np.int32]) -> int:
    return int((values != MISSING).sum())


def _why_unusable(record: CleanRecord, windows: list[_Window]) -> str | None:
    if not record.counts["readings"]:
        return "it holds no reading"
    computed = _why_not_measured(record)
    if computed:
        return computed
    if not (record.cgm != MISSING).any():
        return (
            f"none of its {record.counts['readings']} readings could be kept: each contradicts "
            "another of the same 5 minutes, or is none that a sensor reports"
        )
    if not windows:
        return (
            f"no Monday is followed by {SHOWN_DAYS} recorded days (the recording spans "
            f"{_span_days(record):.1f} days)"
        )
    present = max(window.present for window in windows)
    if present < MIN_PRESENT_SHARE * SHOWN_SAMPLES:
        return (
            f"its best {SHOWN_DAYS} days hold {100 * present // SHOWN_SAMPLES} % of the readings, "
            f"{100 * MIN_PRESENT_SHARE:.0f} % are needed"
        )
    return None


def _why_not_measured(record: CleanRecord) -> str | None:
    """Return why the values are not readings of a sensor in mg/dL, None where they may be."""
    readings = record.counts["readings"]
    not_whole = record.counts["readings_not_whole_dropped"]
    if not_whole > MAX_NOT_WHOLE_SHARE * readings:
        return (
            f"{not_whole} of {readings} readings are no whole mg/dL: the series was smoothed or "
            "interpolated, not read from the sensor"
        )
    outside = record.counts["readings_out_of_range_dropped"]
    like_mmol = record.counts["readings_like_mmol_dropped"]
    if outside > MAX_OUT_OF_RANGE_SHARE * readings and 2 * like_mmol > outside:
        return (
            f"{like_mmol} of {readings} readings look like mmol/L, where mg/dL is expected: "
            "multiply them by 18.0156, round to whole numbers, and import again"
        )
    if outside > MAX_OUT_OF_RANGE_SHARE * readings:
        return (
            f"{outside} of {readings} readings are none that a sensor reports in mg/dL: they have "
            "another unit or are no glucose"
        )
    straight = _straight_share(record.cgm)
    if straight > MAX_STRAIGHT_SHARE:
        return (
            f"{100 * straight:.0f} % of its readings lie on straight lines between every third: a "
            "sensor read every 15 minutes, the rest was interpolated"
        )
    return None


def _straight_share(cgm: NDArray[np.int16]) -> float:
    """Return the share of readings that a straight line between every third reading gives too."""
    shares = [0.0]
    for phase in range(3):
        whole = cgm[phase : phase + (len(cgm) - phase) // 3 * 3].reshape(-1, 3).astype(np.float64)
        if len(whole) > 1:
            start, following = whole[:-1, 0], whole[1:, 0]
            present = (whole[:-1] != MISSING).all(axis=1) & (following != MISSING)
            steep = present & (np.abs(following - start) >= _STEEP_MGDL)
            line = start[:, None] + (following - start)[:, None] * np.array([1, 2]) / 3
            straight = (np.abs(whole[:-1, 1:] - line) <= 2 / 3).all(axis=1)
            shares.append(float(straight[steep].mean()) if steep.any() else 0.0)
    return max(shares)


def _span_days(record: CleanRecord) -> float:
    recorded = np.flatnonzero(record.cgm != MISSING)
    return (recorded[-1] - recorded[0] + 1) / SAMPLES_PER_DAY if recorded.size else 0.0


def _best(windows: list[_Window]) -> _Window:
    most = max(window.present for window in windows)
    least = max(most - SIMILAR_SAMPLES, MIN_PRESENT_SHARE * SHOWN_SAMPLES)
    full = [window for window in windows if window.present >= least]
    known = max(window.insulin_known for window in full)
    dosed = [w for w in full if w.insulin_known >= known - SIMILAR_INSULIN_SAMPLES]
    most_days = max(window.carb_days for window in dosed)
    return next(window for window in dosed if window.carb_days >= most_days - SIMILAR_CARB_DAYS)


def _cut(record: CleanRecord, window: _Window, source: Source, profile: PatientProfile) -> Trace:
    length = max(len(record.cgm), window.end)
    whole = Trace(
        trace_id=record.subject,
        patient_id=record.subject,
        source=source,
        cgm=_padded(record.cgm, length),
        insulin=_padded(record.insulin, length),
        carbs=record.carbs,
        boluses=record.boluses,
        profile=profile,
    )
    return whole.between(SAMPLE_MINUTES * window.start, SAMPLE_MINUTES * window.end)


def _padded(values: NDArray[_Value], length: int) -> NDArray[_Value]:
    return np.pad(values, (0, length - len(values)), constant_values=MISSING)
