"""Whether a fault shows what its label says, and nothing that the system does by itself.

`may_hold` asks this of a record without the fault, before it is injected; `holds` of the record
with it. Insulin is taken away while glucose is high and insulin commanded, and added while glucose
is low; readings are thrown off where the sensor's range leaves room.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from generators.fault_injected.basal import basal_of
from generators.fault_injected.effects import EFFECTS, LEAST_SPIKE
from generators.fault_injected.undelivered import may_stand_out, stands_out
from generators.questions.windows import stretches
from generators.simulated.sensor import HIGHEST, LOWEST
from generators.trace import (
    MISSING,
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    SAMPLES_PER_HOUR,
    FaultEvent,
    FaultLabel,
    Trace,
    Truth,
)

HIGH, LOW = 140, 120
"""True glucose above which insulin is taken away and below which it is added, mg/dL."""
LOWEST_START = 75
"""True glucose from which on insulin may be added, mg/dL: lower, hypoglycaemia is on its way."""
_STANDS_OUT, _JUMP, _CLEAR = 45, 25, 40
"""How far a spike is off its neighbours, how far a bias moves readings in one step, and how far
readings are from the end of the range at which they are held, mg/dL."""
_APART_FROM_SELF = 15
"""Mean distance of a replay from what would have been shown, mg/dL."""
_RISE = 20
LEAST_UNEATEN = 30
"""Announced grams of a meal that is never eaten, at least (the schedules' usual sizes)."""
LOWEST_UNEATEN = 65
"""Reading at which one is announced, at least, mg/dL: below, healthy people eat and do not rise."""
MOST_LOWERED = (3, 16)
"""Part of the record's highest basal rate that a lowered rate reaches at most. The highest rate is
four times the scheduled one, so that this is three quarters of the scheduled rate; the automation
hardly ever gets there in one step while glucose is high."""
MOST_OF_BEFORE = 0.3
"""Part of the basal rate before it that a lowered rate begins with at most."""
LEAST_BEFORE = 0.1
"""Part of the record's highest basal rate from which basal drops to 0 at least: the automation gets
there little by little."""
_SHOWN = 30 * SAMPLES_PER_DAY
_NEEDED, _LOWERED = 0.75, 0.75
_MEAL_WINDOW, _DOSE_WINDOW = 2 * SAMPLES_PER_HOUR, SAMPLES_PER_HOUR // 2
_ROOM = 10

Check = Callable[[FaultEvent, Trace, Truth], bool]


def holds(event: FaultEvent, trace: Trace) -> bool:
    """Return whether a fault does in a trace what its label says.

    A spike deviates by at least 60 mg/dL and stands out from both neighbours; a bias keeps its
    distance within 40 to 400; a frozen sensor, or one held at an end of its range, is told from a
    body or a sensor at its limit by readings before and after; a replay repeats readings without
    faults and differs from what it hides; insulin is taken away while it is commanded and true
    glucose is above 140, and added below 120, no meal being near; a false meal at low glucose is
    dosed for and lets readings fall.
    """
    if trace.truth is None:
        return True
    return _set_off(event, trace) and _HOLDS[event.label](event, trace, trace.truth)


def may_hold(event: FaultEvent, trace: Trace) -> bool:
    """Return whether a fault that is not in the trace yet is likely to hold in it."""
    truth = trace.truth
    check = _MAY_HOLD.get(event.label)
    return truth is None or check is None or check(event, trace, truth)


def _during(event: FaultEvent) -> slice:
    return slice(event.start, event.end + 1)


def _after(event: FaultEvent, trace: Trace) -> int:
    """Return the first sample after a fault, or its last one at the end of the trace."""
    return min(event.end + 1, len(trace) - 1)


def _set_off(event: FaultEvent, trace: Trace) -> bool:
    """Return whether readings around a fault of the sensor lie within its range, ends excluded.

    Otherwise a sensor at its limit would be taken for one that is held there.
    """
    around = (int(trace.cgm[event.start - 1]), int(trace.cgm[_after(event, trace)]))
    ends_with_trace = event.end + 1 == len(trace)
    return not EFFECTS[event.label].sensor or (
        LOWEST < around[0] < HIGHEST and (ends_with_trace or LOWEST < around[1] < HIGHEST)
    )


def _always(_event: FaultEvent, _trace: Trace, _truth: Truth) -> bool:
    return True


def _spike(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    at, sign = event.start, 1 if event.size > 0 else -1
    reading = int(trace.cgm[at])
    neighbours = [int(trace.cgm[at - 1]), int(trace.cgm[_after(event, trace)])]
    return sign * (reading - int(truth.sensor[at])) >= LEAST_SPIKE and all(
        sign * (reading - neighbour) >= _STANDS_OUT for neighbour in neighbours
    )


def _bias(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    sign = 1 if event.size > 0 else -1
    shown = trace.cgm.astype(np.int64)
    kept = bool(np.all(shown[_during(event)] - truth.sensor[_during(event)] == event.size))
    steps = (
        shown[event.start] - shown[event.start - 1],
        shown[event.end] - shown[_after(event, trace)],
    )
    return kept and all(sign * int(step) >= _JUMP for step in steps)


def _room_for_bias(event: FaultEvent, _trace: Trace, truth: Truth) -> bool:
    shifted = truth.sensor[_during(event)].astype(np.int64) + event.size
    return bool(shifted.min() >= LOWEST + _ROOM and shifted.max() <= HIGHEST - _ROOM)


def _frozen(event: FaultEvent, trace: Trace, _truth: Truth) -> bool:
    """Return whether the run of equal readings is one measured value and its repetitions."""
    held = trace.cgm[event.start - 1]
    return bool(
        trace.cgm[event.start - 2] != held
        and (event.end + 1 == len(trace) or trace.cgm[event.end + 1] != held)
    )


def _held_at_end(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    around = [int(trace.cgm[event.start - 1]), int(trace.cgm[_after(event, trace)])]
    hidden = truth.sensor[_during(event)].astype(np.int64)
    return bool(
        min(abs(reading - event.size) for reading in around) >= _CLEAR
        and np.abs(hidden - event.size).min() >= _CLEAR // 2
    )


def _replay(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    first, last = event.start - event.size, event.end - event.size
    clean = not any(
        other.start <= last + 1 and other.end >= first - 1
        for other in trace.faults
        if other != event
    )
    repeated = trace.cgm[first : last + 1].astype(np.int64)
    hidden = truth.sensor[_during(event)]
    return bool(
        clean
        and repeated.min() > 0
        and repeated.min() < repeated.max()
        and np.abs(repeated - hidden).mean() >= _APART_FROM_SELF
        and abs(int(repeated[0]) - int(trace.cgm[event.start - 1])) >= _JUMP
        and max(abs(int(np.diff(repeated)[end])) for end in (0, -1)) < _JUMP
    )


def _announced(trace: Trace, first: int, last: int) -> list[int]:
    """Return the samples in first to last with carbohydrate that treats no low."""
    return [
        event.minute // SAMPLE_MINUTES
        for event in trace.carbs
        if event.meal != "rescue" and first <= event.minute // SAMPLE_MINUTES <= last
    ]


def _low(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    reading = int(trace.cgm[event.start])
    return LOWEST_START <= int(truth.glucose[event.start]) < LOW and 0 < reading < LOW


def _false_meal(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    dosed = any(
        bolus.minute // SAMPLE_MINUTES == event.start and bolus.kind == "meal_bolus"
        for bolus in trace.boluses
    )
    others = _announced(trace, event.start - _MEAL_WINDOW, event.start + _MEAL_WINDOW)
    return (
        dosed
        and others == [event.start]
        and int(trace.cgm[event.start]) >= LOWEST_UNEATEN
        and _low(event, trace, truth)
        and _highest_before_rescue(event, trace) <= int(trace.cgm[event.start]) + _RISE
    )


def _highest_before_rescue(event: FaultEvent, trace: Trace) -> int:
    """Return the highest reading in the 2 h after an event, up to the first rescue."""
    last = event.start + _MEAL_WINDOW
    rescues = [
        carbs.minute // SAMPLE_MINUTES
        for carbs in trace.carbs
        if carbs.meal == "rescue" and event.start < carbs.minute // SAMPLE_MINUTES <= last
    ]
    return int(trace.cgm[event.start : min([last, *rescues]) + 1].max())


def _quiet_and_low(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    near = _announced(trace, event.start - _MEAL_WINDOW, event.start + _MEAL_WINDOW)
    return not near and _low(event, trace, truth)


def _false_bolus(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    first, last = event.start - _DOSE_WINDOW, event.start + _DOSE_WINDOW
    eaten = [carbs for carbs in trace.carbs if first <= carbs.minute // SAMPLE_MINUTES <= last]
    given = [bolus for bolus in trace.boluses if bolus.minute // SAMPLE_MINUTES == event.start]
    return not eaten and len(given) == 1 and _low(event, trace, truth)


def _unfed_and_low(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    first, last = event.start - _DOSE_WINDOW, event.end
    return not _announced(trace, first, last) and _low(event, trace, truth)


def _more(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    return (
        _unfed_and_low(event, trace, truth)
        and _changed_at_ends(event, trace, truth)
        and bool(trace.insulin[event.start] > trace.insulin[event.start - 1])
    )


def _changed_at_ends(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    """Return whether insulin differs from what was asked for at the first and last sample."""
    asked = trace.insulin if truth.commanded is None else truth.commanded
    given = trace.insulin if event.label not in ("unknown_stop", "unknown_under") else truth.insulin
    return all(bool(given[at] != asked[at]) for at in (event.start, event.end))


def _insulin_is_needed(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    glucose = truth.glucose[_during(event)]
    asked = (trace.insulin if truth.commanded is None else truth.commanded)[_during(event)]
    return bool(
        glucose[0] > HIGH
        and trace.cgm[event.start] > HIGH
        and asked[0] > 0
        and asked[-1] > 0
        and np.mean(glucose > HIGH) >= _NEEDED
        and np.mean(asked > 0) >= _NEEDED
    )


def _less(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    """Return whether basal is lowered where the automation would not lower it by itself.

    It suspends after boluses and while glucose falls, and lowers its rate little by little.
    """
    hour = slice(event.start, event.start + SAMPLES_PER_HOUR)
    basal = basal_of(trace)
    before = int(basal[event.start - 1])
    stays_high = _insulin_is_needed(event, trace, truth) and bool((trace.cgm[hour] > HIGH).all())
    if not stays_high or not _changed_at_ends(event, trace, truth):
        return False
    if event.label == "min_basal":
        return before >= LEAST_BEFORE * highest_basal(trace) and _unexplained(event, trace)
    return _far_lower(trace, basal[_during(event)], before)


def highest_basal(trace: Trace) -> int:
    """Return the highest basal rate of the days that a reader sees, tenths of mU/min."""
    return int(basal_of(trace)[:_SHOWN].max())


def _far_lower(trace: Trace, given: NDArray[np.int64], before: int) -> bool:
    """Return whether rates drop further than the automation lowers them, for an hour not to 0."""
    part, whole = MOST_LOWERED
    return (
        int(given[:SAMPLES_PER_HOUR].min()) > 0
        and int(given[0]) <= MOST_OF_BEFORE * before
        and whole * int(given.max()) <= part * highest_basal(trace) < whole * before
    )


def _unexplained(event: FaultEvent, trace: Trace) -> bool:
    """Return whether readings do not fall and no bolus was given in the 3 h before."""
    first = event.start - 3 * SAMPLES_PER_HOUR
    dosed = any(first <= bolus.minute // SAMPLE_MINUTES <= event.start for bolus in trace.boluses)
    return not dosed and 0 < int(trace.cgm[event.start - 3]) <= int(trace.cgm[event.start])


def _may_be_lowered(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    hour = slice(event.start, event.start + SAMPLES_PER_HOUR)
    basal = basal_of(trace)
    lowered = basal[hour] * (100 + event.size) // 100
    before = int(basal[event.start - 1])
    return (
        int(basal[hour].min()) > 0
        and int(lowered.max()) <= _LOWERED * before
        and _insulin_is_needed(event, trace, truth)
    )


def _needed_and_unexplained(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    return _unexplained(event, trace) and _insulin_is_needed(event, trace, truth)


def _would_miss_a_meal(event: FaultEvent, trace: Trace, _truth: Truth) -> bool:
    return may_stand_out(event, trace)


def _unnoticed(event: FaultEvent, trace: Trace, truth: Truth) -> bool:
    """Return whether withheld insulin shows after a meal, no hour going by without any due."""
    asked = trace.insulin if truth.commanded is None else truth.commanded
    idle = stretches(asked[_during(event)] == 0)
    return (
        all(last - first + 1 < SAMPLES_PER_HOUR for first, last in idle)
        and _changed_at_ends(event, trace, truth)
        and stands_out(event, trace)
    )


def _silent(event: FaultEvent, trace: Trace, _truth: Truth) -> bool:
    return bool((trace.cgm[_during(event)] == MISSING).all())


_HOLDS: dict[FaultLabel, Check] = {
    "missing_signal": _silent,
    "positive_spike": _spike,
    "negative_spike": _spike,
    "positive_bias": _bias,
    "negative_bias": _bias,
    "repeated_reading": _frozen,
    "zero_reading": _always,
    "min_reading": _held_at_end,
    "max_reading": _held_at_end,
    "repeated_episode": _replay,
    "false_meal": _false_meal,
    "false_bolus": _false_bolus,
    "positive_basal": _more,
    "max_basal": _more,
    "negative_basal": _less,
    "min_basal": _less,
    "unknown_stop": _unnoticed,
    "unknown_under": _unnoticed,
}
_MAY_HOLD: dict[FaultLabel, Check] = {
    "positive_bias": _room_for_bias,
    "negative_bias": _room_for_bias,
    "min_reading": _held_at_end,
    "max_reading": _held_at_end,
    "repeated_episode": _replay,
    "false_meal": _quiet_and_low,
    "false_bolus": _quiet_and_low,
    "positive_basal": _unfed_and_low,
    "max_basal": _unfed_and_low,
    "negative_basal": _may_be_lowered,
    "min_basal": _needed_and_unexplained,
    "unknown_stop": _would_miss_a_meal,
    "unknown_under": _would_miss_a_meal,
}
