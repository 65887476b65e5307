"""The one cleaning path: from any source's observations to a regular 5-minute grid.

A reading belongs to the nearest sample (halfway: the later one). Two different readings of one
sample come from two sensors, or from a clock that was set back; where they differ by more than
accuracy allows, nobody can say which one is right, and the sample is missing. Otherwise the one
nearest in time stands (then the earlier, then the lower). Readings are never averaged, filled in
or rounded: a value that the sensor cannot have reported is dropped.

A bolus belongs to the nearest sample; one that was delivered over a while is spread over the
samples that it reaches into, in proportion to the time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.real_world.observations import (
    SAMPLE_SECONDS,
    Bolus,
    Observations,
    nearest_sample,
)
from generators.trace import (
    MISSING,
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    CarbEvent,
    InsulinEvent,
)

AGREEMENT_MGDL = 15
AGREEMENT_SHARE = 0.15
"""Two readings agree within 15 mg/dL or 15 % of the lower, the accuracy limits of ISO 15197."""
MMOL_RANGE = (1.0, 36.0)
"""What a reading in mmol/L lies between; no sensor reports as little in mg/dL."""
USUAL_DAILY_UNITS = (10, 150)
"""U a day; people outside exist, so such a day is kept and listed."""
POSSIBLE_DAILY_UNITS = (2, 400)
"""U a day; a day of known insulin outside has a wrong unit or scale in it."""
KNOWN_SHARE = 0.95
"""Share of a day's samples with known insulin from which its total is judged and asked."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CleanRecord:
    """A whole recording on the grid, n samples from a Monday 00:00 before its first reading.

    Attributes:
        subject: For example `azt1d_08`.
        cgm: Whole mg/dL, int16, MISSING where absent.
        insulin: Basal and bolus together, tenths of mU/min, int32, MISSING where unknown.
        carbs: In time order.
        boluses: In time order.
        unusual_days: Days of the recording, from 0, whose known insulin adds up to less or more
            than is usual.
        impossible_days: Days whose known insulin added up to what nobody takes; it is unknown now.
        counts: How often each step of reading and cleaning acted.
    """

    subject: str
    cgm: NDArray[np.int16]
    insulin: NDArray[np.int32]
    carbs: tuple[CarbEvent, ...]
    boluses: tuple[InsulinEvent, ...]
    counts: Mapping[str, int]
    unusual_days: tuple[int, ...] = ()
    impossible_days: tuple[int, ...] = ()


def cleaned(observations: Observations) -> CleanRecord:
    """Bring a subject's observations to the grid.

    Args:
        observations: All of a subject's observations.
    """
    cgm, counts = _glucose(observations)
    insulin = _insulin(observations)
    impossible = _days_outside(POSSIBLE_DAILY_UNITS, insulin)
    unusual = _days_outside(USUAL_DAILY_UNITS, insulin)
    for day in impossible:
        insulin[day * SAMPLES_PER_DAY : (day + 1) * SAMPLES_PER_DAY] = MISSING
    return CleanRecord(
        subject=observations.subject,
        cgm=cgm,
        insulin=insulin,
        carbs=tuple(
            CarbEvent(minute=_minute(one.second), grams=one.grams, meal=one.meal)
            for one in observations.announcements
        ),
        boluses=tuple(
            InsulinEvent(minute=_minute(one.second), units=one.milliunits / 1000, kind=one.kind)
            for one in observations.boluses
        ),
        counts={
            **observations.counts,
            **counts,
            "unusual_insulin_days": len(unusual),
            "impossible_insulin_days": len(impossible),
        },
        unusual_days=tuple(day for day in unusual if day not in impossible),
        impossible_days=impossible,
    )


def _minute(second: int) -> int:
    return SAMPLE_MINUTES * nearest_sample(second)


def _glucose(observations: Observations) -> tuple[NDArray[np.int16], dict[str, int]]:
    """Return at most one reading per sample, and what became of the others."""
    seconds, glucose = np.unique(np.stack([observations.seconds, observations.glucose]), axis=1)
    lowest, highest = observations.sensor_range
    possible = (glucose >= lowest) & (glucose <= highest)
    whole = glucose == np.rint(glucose)
    measured = possible & whole
    samples, values, extra, conflict = _one_per_sample(
        seconds[measured].astype(np.int64), glucose[measured]
    )
    cgm = np.full(len(observations.basal), MISSING, dtype=np.int16)
    cgm[samples[~conflict]] = values[~conflict]
    return cgm, {
        "readings": len(glucose),
        "readings_out_of_range_dropped": int((~possible).sum()),
        "readings_like_mmol_dropped": int(_like_mmol(glucose[~possible]).sum()),
        "readings_not_whole_dropped": int((possible & ~whole).sum()),
        "off_grid_moved": int((seconds[measured] % SAMPLE_SECONDS != 0).sum()),
        "second_readings_dropped": int(extra[~conflict].sum()),
        "conflicting_readings_dropped": int((extra[conflict] + 1).sum()),
    }


def _like_mmol(glucose: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray((glucose >= MMOL_RANGE[0]) & (glucose < MMOL_RANGE[1]))


class _Chosen(NamedTuple):
    """Per sample that was read: its reading, how many more it has, and whether they disagree."""

    samples: NDArray[np.int64]
    values: NDArray[np.float64]
    extra: NDArray[np.int64]
    conflict: NDArray[np.bool_]


def _one_per_sample(seconds: NDArray[np.int64], glucose: NDArray[np.float64]) -> _Chosen:
    nearest = nearest_sample(seconds)
    distance = np.abs(seconds - nearest * SAMPLE_SECONDS)
    order = np.lexsort((glucose, seconds, distance, nearest))
    samples, start, number = np.unique(nearest[order], return_index=True, return_counts=True)
    values = glucose[order]
    low, high = np.minimum.reduceat(values, start), np.maximum.reduceat(values, start)
    return _Chosen(
        samples=samples,
        values=values[start],
        extra=number - 1,
        conflict=high - low > np.maximum(AGREEMENT_MGDL, AGREEMENT_SHARE * low),
    )


def _insulin(observations: Observations) -> NDArray[np.int32]:
    """Return tenths of mU/min: basal mU/h * 10 / 60, rounded half up, and bolus mU * 10 / 5."""
    known = observations.basal != MISSING
    insulin = (10 * observations.basal + 30) // 60
    at_once = [one for one in observations.boluses if not one.duration]
    at = [_minute(one.second) // SAMPLE_MINUTES for one in at_once]
    bolus = [10 * one.milliunits // SAMPLE_MINUTES for one in at_once]
    np.add.at(insulin, np.array(at, dtype=np.intp), np.array(bolus, dtype=np.int32))
    for one in observations.boluses:
        if one.duration:
            _spread(insulin, one)
    return np.where(known, insulin, MISSING).astype(np.int32)


def _spread(insulin: NDArray[np.int32], bolus: Bolus) -> None:
    """Add a bolus that took a while; the parts of its samples add up to the whole."""
    end = bolus.second + bolus.duration
    first, last = bolus.second // SAMPLE_SECONDS, -(-end // SAMPLE_SECONDS)
    edges = np.clip(np.arange(first, last + 1) * SAMPLE_SECONDS, bolus.second, end)
    whole = 10 * bolus.milliunits // SAMPLE_MINUTES
    done = whole * (edges - bolus.second) // bolus.duration
    parts = np.diff(done)[: max(len(insulin) - first, 0)]
    insulin[first : first + len(parts)] += parts.astype(np.int32)


def _days_outside(limits: tuple[int, int], insulin: NDArray[np.int32]) -> tuple[int, ...]:
    whole = insulin[: len(insulin) // SAMPLES_PER_DAY * SAMPLES_PER_DAY]
    days = whole.reshape(-1, SAMPLES_PER_DAY)
    known = days != MISSING
    units = (days * known).sum(axis=1) * SAMPLE_MINUTES / 10_000
    outside = (units < limits[0]) | (units > limits[1])
    return tuple(np.flatnonzero(outside & (known.mean(axis=1) >= KNOWN_SHARE)).tolist())
