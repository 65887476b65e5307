"""Undelivered insulin that a reader can find: it hits the bolus of a main meal.

The pump reports what was asked for, so that nothing but glucose tells of it. Between meals the
automation makes up for most of it, and healthy records climb as much by themselves. After a meal
whose bolus was never delivered glucose rises, for what was eaten, like after hardly any other.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from generators.trace import (
    SAMPLE_MINUTES,
    SAMPLES_PER_HOUR,
    CarbEvent,
    FaultEvent,
    FaultLabel,
    Trace,
)

LEAST_GRAMS = 40
"""Announced carbohydrate of the meals that are compared, g."""
LEAD = SAMPLES_PER_HOUR // 2
"""Samples before the meal's bolus at which delivery fails at the earliest."""
LATE = (SAMPLES_PER_HOUR, 4 * SAMPLES_PER_HOUR)
"""Samples after the start of a meal between which glucose is compared."""
MOST_AS_HIGH: Mapping[FaultLabel, float] = MappingProxyType(
    {"unknown_stop": 0.03, "unknown_under": 0.1}
)
"""Share of the other meals that may raise glucose as much, by label."""
_MAIN = ("breakfast", "lunch", "dinner")
_DOSED_BEFORE, _DOSED_AFTER = 8, 4
_LEAST_READINGS, _PROMISING = 0.7, 0.4


def meal_doses(trace: Trace) -> Iterator[tuple[CarbEvent, int]]:
    """Yield the main meals of at least 40 g with the sample of the first bolus for each."""
    doses = sorted(b.minute // SAMPLE_MINUTES for b in trace.boluses if b.kind == "meal_bolus")
    for meal in trace.carbs:
        if meal.meal in _MAIN and meal.grams >= LEAST_GRAMS:
            eaten = meal.minute // SAMPLE_MINUTES
            near = [d for d in doses if eaten - _DOSED_BEFORE <= d <= eaten + _DOSED_AFTER]
            if near:
                yield meal, near[0]


def before_meal_dose(trace: Trace) -> NDArray[np.bool_]:
    """Return the samples in the half hour before the bolus of a main meal."""
    inside = np.zeros(len(trace), dtype=np.bool_)
    for _, dose in meal_doses(trace):
        inside[max(0, dose - LEAD) : dose] = True
    return inside


def rise_per_gram(trace: Trace, meal: CarbEvent) -> float | None:
    """Return mean glucose 1 to 4 h after a meal minus that at its start, mg/dL for each gram.

    None where there are too few readings.
    """
    start = meal.minute // SAMPLE_MINUTES
    later = trace.cgm[start + LATE[0] : start + LATE[1]]
    known = later[later > 0]
    enough = start + LATE[1] <= len(trace) and known.size >= _LEAST_READINGS * later.size
    if not enough or trace.cgm[start] <= 0:
        return None
    return float(known.mean() - trace.cgm[start]) / meal.grams


def may_stand_out(event: FaultEvent, trace: Trace) -> bool:
    """Return whether a fault would hit a meal that raises glucose more than most as it is."""
    return _share_as_high(event, trace) <= _PROMISING


def stands_out(event: FaultEvent, trace: Trace) -> bool:
    """Return whether glucose rises after the missed meal as after hardly any without a fault."""
    return _share_as_high(event, trace) <= MOST_AS_HIGH[event.label]


def _share_as_high(event: FaultEvent, trace: Trace) -> float:
    """Return the share of meals without a fault that raise glucose like the missed one; 1 if none.

    Missed is the meal whose bolus falls into the first half hour of the fault.
    """
    doses = list(meal_doses(trace))
    latest = min(event.start + LEAD, event.end)
    missed = next((meal for meal, dose in doses if event.start < dose <= latest), None)
    rise = None if missed is None else rise_per_gram(trace, missed)
    if rise is None:
        return 1.0
    others = [
        other
        for meal, _ in doses
        if meal != missed
        and not _touched(meal, trace)
        and (other := rise_per_gram(trace, meal)) is not None
    ]
    return sum(other >= rise for other in others) / max(len(others), 1)


def _touched(meal: CarbEvent, trace: Trace) -> bool:
    """Return whether a fault lies in the hour before a meal or the 4 h after it."""
    start = meal.minute // SAMPLE_MINUTES
    return any(
        fault.start < start + LATE[1] and fault.end >= start - SAMPLES_PER_HOUR
        for fault in trace.faults
    )
