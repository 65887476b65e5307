"""What a schedule must hold: slots that say which fault falls into which part of a record."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.fault_injected.undelivered import before_meal_dose
from generators.trace import (
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    FaultLabel,
    Trace,
)

RELEASE_DAYS = 30
LOW_GLUCOSE, HIGH_GLUCOSE = 70, 180
"""Hypoglycaemia is below and hyperglycaemia above this, mg/dL."""
Mask = NDArray[np.bool_]
Place = Callable[[Trace], Mask]
"""Says for each sample of a trace whether a fault may start there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A fault that a schedule must hold.

    Attributes:
        label: What happens.
        causes: What may be behind it; one is drawn.
        days: Days on which it may start, 0 is the first.
        hours: Hours of the day between which it starts, first included.
        length: Shortest and longest, samples.
        within_day: Whether it must end on the day on which it starts.
        place: Where it must start besides; None for anywhere.
        follows: Whether it starts one to three hours after the end of the slot before.
    """

    label: FaultLabel
    causes: tuple[str, ...]
    days: range = range(RELEASE_DAYS)
    hours: tuple[int, int] = (0, 24)
    length: tuple[int, int] = (1, 1)
    within_day: bool = False
    place: Place | None = None
    follows: bool = False


def soon_after_lunch(trace: Trace) -> Mask:
    """Return the samples in the 2 h after a lunch."""
    return _in_spans(trace, [(m + 1, m + 120) for m in _lunches(trace)])


def lunch_to_evening(trace: Trace) -> Mask:
    """Return the samples later than a lunch, up to 18:00."""
    return _in_spans(trace, [(m + 1, m - m % 1440 + 1080 - 1) for m in _lunches(trace)])


def during_exercise(trace: Trace) -> Mask:
    """Return the samples within a bout."""
    return _in_spans(trace, [(bout.minute, bout.minute + bout.duration) for bout in trace.exercise])


def around_exercise(trace: Trace) -> Mask:
    """Return the samples within a bout or the hour after it."""
    return _in_spans(
        trace, [(bout.minute, bout.minute + bout.duration + 60) for bout in trace.exercise]
    )


def while_high(trace: Trace) -> Mask:
    """Return the samples within at least half an hour of readings above 180 mg/dL."""
    high = np.asarray(trace.cgm > HIGH_GLUCOSE)
    return np.asarray(np.logical_and.reduce([np.roll(high, n) for n in range(-3, 4)]))


def before_a_new_hour_of_lows(trace: Trace) -> Mask:
    """Return the samples 75 to 105 min before an hour that saw no low before the last week."""
    hour = np.arange(len(trace)) // _HOUR % 24
    early = np.arange(len(trace)) < _LAST_WEEK.start * SAMPLES_PER_DAY
    new = ~np.isin(hour, hour[early & (trace.cgm > 0) & (trace.cgm < LOW_GLUCOSE)])
    first, last = (np.roll(new, -minutes // SAMPLE_MINUTES) for minutes in (75, 105))
    return np.asarray(first & last)


def _lunches(trace: Trace) -> list[int]:
    return [event.minute for event in trace.carbs if event.meal == "lunch"]


def _in_spans(trace: Trace, spans: list[tuple[int, int]]) -> Mask:
    """Return the samples in first <= minute <= last of any span."""
    inside = np.zeros(len(trace), dtype=np.bool_)
    for first, last in spans:
        inside[-(-first // SAMPLE_MINUTES) : last // SAMPLE_MINUTES + 1] = True
    return inside


def days_of(trace: Trace) -> int:
    """Return the whole days of a trace."""
    return len(trace) // SAMPLES_PER_DAY


_HOUR = 12
_BRIEF, _SHORT, _LONG, _LOSS = (6, 18), (12, 36), (36, 54), (4, 24)
_MORE, _LESS, _UNSEEN = (12, 30), (18, 48), (36, 48)
_NIGHT, _DAYTIME = (0, 6), (8, 17)
_EARLY, _LAST_WEEK, _LAST_WEEKEND = range(1, 23), range(23, 30), range(26, 28)
_AWARE, _WORN, _MOTION = ("process_aware_attack",), ("loss_of_sensitivity",), ("motion_spikes",)
_REMOTE, _DOSE, _REPLAY = ("remote_control",), ("dose_manipulation",), ("replay_attack",)
_LOST, _LOWERED = ("communication_loss",), ("lowered_local_glucose",)
_STOPPED, _LEAK = ("empty_reservoir", "blocked_infusion_set"), ("leaking_insulin",)

RELEASE_SLOTS: tuple[Slot, ...] = (
    Slot(
        label="missing_signal",
        causes=("availability_attack",),
        days=_EARLY,
        hours=(1, 14),
        length=(90, 118),
        within_day=True,
    ),
    Slot(label="negative_bias", causes=_LOWERED, days=_EARLY, length=(6 * _HOUR, 7 * _HOUR)),
    Slot(label="missing_signal", causes=_LOST, days=_LAST_WEEKEND, hours=(7, 20), length=(12, 42)),
    Slot(label="repeated_reading", causes=_WORN, days=_EARLY, hours=(0, 3), length=_LONG),
    Slot(label="repeated_reading", causes=_REPLAY, days=_EARLY, hours=_DAYTIME, length=_LONG),
    Slot(label="false_bolus", causes=_DOSE, place=around_exercise),
    Slot(label="positive_basal", causes=_DOSE, length=_MORE, place=around_exercise),
    Slot(label="max_basal", causes=_DOSE, length=_MORE, place=around_exercise),
    Slot(label="negative_spike", causes=_AWARE, days=_LAST_WEEK, place=soon_after_lunch),
    Slot(label="positive_spike", causes=_AWARE, place=lunch_to_evening),
    Slot(label="positive_spike", causes=_MOTION, place=during_exercise),
    Slot(label="negative_spike", causes=_MOTION, place=during_exercise),
    Slot(
        label="unknown_stop",
        causes=_STOPPED[1:],
        days=_LAST_WEEK,
        length=_UNSEEN,
        place=before_meal_dose,
    ),
    Slot(label="unknown_stop", causes=_STOPPED[:1], length=_UNSEEN, place=before_meal_dose),
    Slot(label="unknown_under", causes=_LEAK, length=_UNSEEN, place=before_meal_dose),
    Slot(label="unknown_under", causes=_LEAK, length=_UNSEEN, place=before_meal_dose),
    Slot(label="min_basal", causes=_REMOTE, length=_LESS),
    Slot(label="negative_basal", causes=_REMOTE, length=_LESS),
    Slot(label="false_meal", causes=_AWARE, hours=(0, 5)),
    Slot(label="false_meal", causes=_AWARE, hours=(0, 5)),
    Slot(label="false_bolus", causes=_REPLAY),
    Slot(label="false_bolus", causes=_REMOTE, days=_LAST_WEEK, place=before_a_new_hour_of_lows),
    Slot(label="positive_basal", causes=_REMOTE, length=_MORE),
    Slot(label="max_basal", causes=_REMOTE, length=_MORE),
    Slot(label="positive_bias", causes=("miscalibration",), length=(14, 48)),
    Slot(label="positive_bias", causes=("bias_injection",), length=(14, 48)),
    Slot(label="negative_bias", causes=("miscalibration",), length=(14, 48)),
    Slot(label="negative_bias", causes=("bias_injection",), length=(14, 48)),
    Slot(label="min_reading", causes=_LOWERED, length=_BRIEF, place=while_high),
    Slot(label="max_reading", causes=_AWARE, length=_BRIEF),
    Slot(label="zero_reading", causes=_WORN, days=_EARLY, length=_BRIEF),
    Slot(label="zero_reading", causes=_WORN, days=_LAST_WEEK, length=_BRIEF),
    Slot(label="missing_signal", causes=_LOST, length=_LOSS),
    Slot(label="missing_signal", causes=_LOST, length=_LOSS, follows=True),
    Slot(label="missing_signal", causes=_LOST, length=_LOSS, follows=True),
    Slot(label="repeated_reading", causes=_WORN, length=(12, 24)),
    Slot(label="repeated_reading", causes=_REPLAY, length=(12, 24)),
    Slot(label="positive_spike", causes=_AWARE, hours=(1, 3)),
    Slot(label="negative_spike", causes=("pressure_attenuation",), hours=_NIGHT),
    Slot(label="negative_spike", causes=("pressure_attenuation",), hours=_NIGHT),
    Slot(label="positive_spike", causes=_AWARE, hours=(6, 12)),
    Slot(label="negative_spike", causes=_AWARE, hours=(6, 12)),
    Slot(label="positive_spike", causes=_WORN, days=_LAST_WEEK),
    Slot(label="negative_spike", causes=_WORN),
    Slot(label="repeated_episode", causes=_REPLAY, days=range(3, 30), length=(24, 48)),
)
"""What the anomaly questions need of every patient (HealthLoopQA, 2026), the hardest to place first.

The replay comes last: what it repeats must be free of other faults.
"""
