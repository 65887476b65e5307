"""The one cleaning path: from any source's observations to a regular 5-minute grid.

A reading belongs to the nearest sample (halfway: the later one). Two different readings of one
sample come from two sensors, or from a clock that was set back; where they differ by more than
accuracy allows, nobody can say which one is right, and the sample is missing. Otherwise the one
nearest in time stands (then the earlier, then the lower). Readings are never averaged, filled in
or rounded: a value that the sensor cannot have reported is dropped.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.real_world.observations import SAMPLE_SECONDS, Observations, nearest_sample
from generators.trace import MISSING, SAMPLE_MINUTES, CarbEvent, InsulinEvent

AGREEMENT_MGDL = 15
AGREEMENT_SHARE = 0.15
"""Two readings agree within 15 mg/dL or 15 % of the lower, the accuracy limits of ISO 15197."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CleanRecord:
    """A whole recording on the grid, n samples from a Monday 00:00 before its first reading.

    Attributes:
        subject: For example `azt1d_08`.
        cgm: Whole mg/dL, int16, MISSING where absent.
        insulin: Basal and bolus together, tenths of mU/min, int32, MISSING where unknown.
        carbs: In time order.
        boluses: In time order.
        counts: How often each step of reading and cleaning acted.
    """

    subject: str
    cgm: NDArray[np.int16]
    insulin: NDArray[np.int32]
    carbs: tuple[CarbEvent, ...]
    boluses: tuple[InsulinEvent, ...]
    counts: Mapping[str, int]


def cleaned(observations: Observations) -> CleanRecord:
    """Bring a subject's observations to the grid.

    Args:
        observations: All of a subject's observations.
    """
    cgm, counts = _glucose(observations)
    return CleanRecord(
        subject=observations.subject,
        cgm=cgm,
        insulin=_insulin(observations),
        carbs=tuple(
            CarbEvent(minute=_minute(one.second), grams=one.grams, meal="unspecified")
            for one in observations.announcements
        ),
        boluses=tuple(
            InsulinEvent(minute=_minute(one.second), units=one.milliunits / 1000, kind=one.kind)
            for one in observations.boluses
        ),
        counts={**observations.counts, **counts},
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
        "readings_not_whole_dropped": int((possible & ~whole).sum()),
        "off_grid_moved": int((seconds[measured] % SAMPLE_SECONDS != 0).sum()),
        "second_readings_dropped": int(extra[~conflict].sum()),
        "conflicting_readings_dropped": int((extra[conflict] + 1).sum()),
    }


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
    at = [_minute(one.second) // SAMPLE_MINUTES for one in observations.boluses]
    bolus = [10 * one.milliunits // SAMPLE_MINUTES for one in observations.boluses]
    np.add.at(insulin, np.array(at, dtype=np.intp), np.array(bolus, dtype=np.int32))
    return np.where(known, insulin, MISSING).astype(np.int32)
