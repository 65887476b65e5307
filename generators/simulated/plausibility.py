"""How a group of people lives: the figures by which simulated and real groups are compared.

Times in ranges are shares of present readings (consensus ranges: Battelino et al. 2019).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.trace import (
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    CarbEvent,
    Trace,
)

MEAL_GRAMS = (45.0, 80.0)
"""Announced grams of the meals whose rise is measured."""
CENTILES = (5, 25, 50, 75, 95)

_BEFORE, _AFTER = 120, 180
_DAY_BINS = 96


@dataclass(frozen=True, slots=True, kw_only=True)
class Glycaemia:
    """One person's readings: mean (mg/dL), CV and shares of readings in ranges (%)."""

    mean: float
    cv: float
    in_range: float
    below_70: float
    below_54: float
    above_250: float
    at_highest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group of people.

    Attributes:
        people: How many.
        average: Mean over people of each figure.
        means: Lowest and highest mean glucose of a person, mg/dL.
        ranges: Lowest and highest time in range of a person, %.
        meal_rise: Mean rise to the peak within 3 h after lone, dosed meals of 45 to 80 g, mg/dL.
            None where there is none.
        exercise_change: Mean change during a bout, mg/dL; None where there is none.
        exercise_spread: Standard deviation of that change.
    """

    people: int
    average: Glycaemia
    means: tuple[float, float]
    ranges: tuple[float, float]
    meal_rise: float | None
    exercise_change: float | None
    exercise_spread: float | None


def glycaemia(trace: Trace) -> Glycaemia:
    """Return the figures of one record."""
    values = trace.cgm[trace.cgm > 0].astype(np.float64)

    def share(low: float, high: float) -> float:
        return float(100.0 * np.mean((values >= low) & (values <= high)))

    mean = float(values.mean())
    return Glycaemia(
        mean=mean,
        cv=float(100.0 * values.std(ddof=1) / mean),
        in_range=share(70, 180),
        below_70=share(1, 69),
        below_54=share(1, 53),
        above_250=share(251, 600),
        at_highest=share(400, 600),
    )


def group_of(traces: Sequence[Trace]) -> Group:
    """Return the figures of a group of at least one record."""
    people = [glycaemia(trace) for trace in traces]
    rises = [rise for trace in traces for rise in meal_rises(trace)]
    changes = [change for trace in traces for change in exercise_changes(trace)]
    return Group(
        people=len(people),
        average=Glycaemia(
            **{
                name: float(np.mean([getattr(person, name) for person in people]))
                for name in Glycaemia.__slots__
            }
        ),
        means=(min(p.mean for p in people), max(p.mean for p in people)),
        ranges=(min(p.in_range for p in people), max(p.in_range for p in people)),
        meal_rise=float(np.mean(rises)) if rises else None,
        exercise_change=float(np.mean(changes)) if changes else None,
        exercise_spread=float(np.std(changes)) if changes else None,
    )


def meal_rises(trace: Trace) -> list[int]:
    """Return the rise within 3 h of every dosed meal of 45 to 80 g with no food around it, mg/dL."""
    starts = np.array([event.minute for event in trace.carbs])
    dosed = np.array([event.minute for event in trace.boluses if event.kind == "meal_bolus"])
    rises = []
    for event in trace.carbs:
        near = (starts > event.minute - _BEFORE) & (starts < event.minute + _AFTER)
        announced = np.abs(dosed - event.minute) <= 30
        if not _fits(event, trace) or near.sum() != 1 or not announced.any():
            continue
        first = event.minute // SAMPLE_MINUTES
        window = trace.cgm[first : first + _AFTER // SAMPLE_MINUTES + 1]
        if (window > 0).all():
            rises.append(int(window.max()) - int(window[0]))
    return rises


def exercise_changes(trace: Trace) -> list[int]:
    """Return the change from start to end of every bout, mg/dL."""
    changes = []
    for bout in trace.exercise:
        first = bout.minute // SAMPLE_MINUTES
        last = (bout.minute + bout.duration) // SAMPLE_MINUTES
        if last < len(trace) and trace.cgm[first] > 0 and trace.cgm[last] > 0:
            changes.append(int(trace.cgm[last]) - int(trace.cgm[first]))
    return changes


def day_profile(records: Sequence[NDArray[np.int16]]) -> NDArray[np.float64]:
    """Return CENTILES of all readings by quarter of an hour of the day, mg/dL, (5, 96).

    Args:
        records: Readings every 5 minutes from midnight on, 0 or MISSING where there are none.
    """
    width = SAMPLES_PER_DAY // _DAY_BINS
    bins: list[list[NDArray[np.int16]]] = [[] for _ in range(_DAY_BINS)]
    for readings in records:
        place = np.arange(len(readings)) % SAMPLES_PER_DAY // width
        for n in range(_DAY_BINS):
            bins[n].append(readings[(place == n) & (readings > 0)])
    return np.array([np.percentile(np.concatenate(found), CENTILES) for found in bins]).T


def _fits(event: CarbEvent, trace: Trace) -> bool:
    low, high = MEAL_GRAMS
    inside = event.minute + _AFTER < trace.minutes
    return event.meal != "rescue" and low <= event.grams <= high and inside
