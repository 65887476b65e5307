"""From what a pump was set to, to what it delivered: schedules, temporary rates, suspensions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from generators.real_world.observations import SAMPLE_SECONDS
from generators.trace import MISSING

MAX_BASAL_UNITS_PER_HOUR = 35
"""Highest basal rate that a pump on the market delivers (Medtronic 600 series: 35 U/h)."""
MAX_BOLUS_UNITS = 75
"""Largest bolus that a pump on the market delivers (Medtronic 600 series: 75 U)."""
MAX_CARBS_GRAMS = 999
"""Most carbohydrate that a pump lets one enter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A basal rate that holds from start to before end (seconds), mU/h; None where unknown."""

    start: int
    end: int
    milliunits: int | None


def rate_of(units_per_hour: float | None) -> int | None:
    """Return a rate in mU/h, None where no pump delivers it.

    >>> rate_of(0.85), rate_of(0), rate_of(-1), rate_of(1e9)
    (850, 0, None, None)
    """
    if units_per_hour is None or not 0 <= units_per_hour <= MAX_BASAL_UNITS_PER_HOUR:
        return None
    return round(1000 * units_per_hour)


def steps(changes: Sequence[tuple[int, int | None]], end: int) -> list[Rate]:
    """Return rates that each hold until the next change, the last until end.

    Args:
        changes: Second and rate, in time order; of two at one second the later one holds.
        end: Second at which the record ends.
    """
    stops = [*(start for start, _ in changes[1:]), end]
    return [
        Rate(start=start, end=stop, milliunits=rate)
        for (start, rate), stop in zip(changes, stops, strict=False)
    ]


def without_overlap(rates: Iterable[Rate]) -> list[Rate]:
    """Return rates in time order, each cut where the next one starts."""
    ordered = sorted(rates, key=lambda rate: rate.start)
    starts = [rate.start for rate in ordered[1:]]
    cut = [
        replace(rate, end=min(rate.end, following))
        for rate, following in zip(ordered, starts, strict=False)
    ]
    return [rate for rate in [*cut, *ordered[-1:]] if rate.end > rate.start]


def basal_per_sample(*layers: Sequence[Rate], samples: int) -> NDArray[np.int32]:
    """Return the mean basal rate of each sample in mU/h, MISSING where any second is unknown.

    Sample i covers the seconds 300 * i to before 300 * (i + 1).

    Args:
        layers: Each holds rates that do not overlap; a later layer overrides the earlier ones.
        samples: Length of the record.
    """
    end = samples * SAMPLE_SECONDS
    bounds = [second for layer in layers for rate in layer for second in (rate.start, rate.end)]
    edges = np.unique(np.clip(np.array([0, *bounds, end], dtype=np.int64), 0, end))
    held = np.full(max(len(edges) - 1, 0), MISSING, dtype=np.int64)
    for layer in layers:
        for rate in layer:
            first, last = np.searchsorted(edges, np.clip([rate.start, rate.end], 0, end))
            held[first:last] = MISSING if rate.milliunits is None else rate.milliunits
    unknown = _mean(edges, held == MISSING, samples)
    mean = _mean(edges, np.maximum(held, 0), samples)
    return np.where(unknown > 1e-6, MISSING, np.rint(mean)).astype(np.int32)


def _mean(
    edges: NDArray[np.int64], values: NDArray[np.int64] | NDArray[np.bool_], samples: int
) -> NDArray[np.float64]:
    """Return the mean over each sample of values that hold between edges."""
    integral = np.concatenate([[0], np.cumsum(values * np.diff(edges))])
    at = np.arange(samples + 1) * SAMPLE_SECONDS
    means: NDArray[np.float64] = np.diff(np.interp(at, edges, integral)) / SAMPLE_SECONDS
    return means
