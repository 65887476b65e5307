"""Stretches of a record with injected faults: what most anomaly tasks ask for.

A stretch is an unbroken run of samples with one of the labels that a task asks about. It counts
for a window if at least one of its samples lies there, and is then reported whole.
"""

import numpy as np

from generators.questions.anomaly_detection.places import Mask, Place, in_spans
from generators.questions.events import meals_on
from generators.questions.task import Interval, NotApplicable
from generators.questions.windows import (
    DAYS,
    day_span,
    intervals,
    stretches,
    week_span,
)
from generators.trace import (
    MISSING,
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    FaultLabel,
    MealType,
    Trace,
)

Labels = tuple[FaultLabel, ...]
Found = list[Interval] | NotApplicable

SPIKES: Labels = ("positive_spike", "negative_spike")
BIASES: Labels = ("positive_bias", "negative_bias")
VALUE_FAULTS: Labels = (
    *SPIKES,
    *BIASES,
    "repeated_reading",
    "zero_reading",
    "min_reading",
    "max_reading",
    "repeated_episode",
)
"""Every fault of the sensor's values: it sends something, but not what it measured."""
SENSOR_FAULTS: Labels = ("missing_signal", *VALUE_FAULTS)
FALSELY_LOW: Labels = (
    "zero_reading",
    "negative_bias",
    "min_reading",
    "repeated_reading",
    "negative_spike",
)
"""Faults that can make readings look low."""
NO_SUCH_FAULT = NotApplicable("no fault of the kind in the record")


def labelled(trace: Trace, labels: Labels) -> Mask:
    """Return for each sample whether a fault with one of the labels is injected there."""
    marked = np.zeros(len(trace), dtype=np.bool_)
    for fault in trace.faults:
        if fault.label in labels:
            marked[fault.start : fault.end + 1] = True
    return marked


def overlapping(marked: Mask, inside: Mask, at_least: int = SAMPLE_MINUTES) -> list[Interval]:
    """Return the marked stretches of at least so many minutes that reach into a window, whole."""
    return intervals(
        [
            (first, last)
            for first, last in stretches(marked)
            if (last - first + 1) * SAMPLE_MINUTES >= at_least and inside[first : last + 1].any()
        ]
    )


def fault_intervals(
    trace: Trace,
    *,
    labels: Labels,
    at_least: int = SAMPLE_MINUTES,
    places: tuple[Place, ...] = (),
) -> Found:
    """Return the stretches with these labels that last at least so many minutes.

    Args:
        trace: The record.
        labels: What is looked for.
        at_least: Shortest stretch that counts, min.
        places: Windows in whose common part a stretch must have a sample; none for anywhere.
    """
    marked = labelled(trace, labels)
    if not marked.any():
        return NO_SUCH_FAULT
    inside = np.ones(len(trace), dtype=np.bool_)
    for place in places:
        inside &= place(trace)
    return overlapping(marked, inside, at_least)


def fault_intervals_in_span(trace: Trace, labels: Labels, start: int, end: int) -> Found:
    """Return the stretches with these labels that reach into start <= t < end."""
    return fault_intervals(
        trace, labels=labels, places=(lambda shown: in_spans(shown, [(start, end)]),)
    )


def fault_intervals_on_day(
    trace: Trace, *, day: int, labels: Labels, hours: tuple[int, int] = (0, 24)
) -> Found:
    """Return the stretches with these labels between two full hours of a day."""
    start, end = _hours_of_day(day, hours)
    return fault_intervals_in_span(trace, labels, start, end)


def fault_intervals_in_week(trace: Trace, *, week: int, labels: Labels) -> Found:
    """Return the stretches with these labels in a week."""
    return fault_intervals_in_span(trace, labels, *week_span(week))


def fault_intervals_after_meal(
    trace: Trace, *, day: int, labels: Labels, meal: MealType, until: int
) -> Found:
    """Return the stretches between the start of a day's one meal of a kind and a minute of the day."""
    meals = meals_on(trace, day, meal)
    if len(meals) != 1:
        return NotApplicable(f"not exactly one {meal} on the day")
    start, end = meals[0].minute + 1, day_span(day)[0] + until
    if start >= end:
        return NotApplicable(f"{meal} is too late in the day")
    return fault_intervals_in_span(trace, labels, start, end)


def fault_days(
    trace: Trace, *, labels: Labels, hours: tuple[int, int]
) -> list[int] | NotApplicable:
    """Return the days with one of these labels between two full hours."""
    marked = labelled(trace, labels)
    if not marked.any():
        return NO_SUCH_FAULT
    return [day for day in DAYS if (marked & in_spans(trace, [_hours_of_day(day, hours)])).any()]


def false_lows(trace: Trace, *, labels: Labels, below: int) -> Found:
    """Return the stretches of readings below a value, zeros included, that such faults made."""
    marked = labelled(trace, labels)
    if not marked.any():
        return NO_SUCH_FAULT
    return intervals(stretches(marked & (trace.cgm != MISSING) & (trace.cgm < below)))


def missing(trace: Trace) -> Mask:
    """Return for each sample whether there is no reading; a reading of 0 is one here."""
    return np.asarray(trace.cgm == MISSING)


def missing_intervals(trace: Trace) -> list[Interval]:
    """Return the stretches without a reading."""
    return intervals(stretches(missing(trace)))


def missing_percentage(trace: Trace) -> float | NotApplicable:
    """Return the share of samples without a reading, %."""
    share = 100 * float(np.mean(missing(trace)))
    return share or NotApplicable("no reading is missing")


def days_with_gaps(trace: Trace, *, percent: int) -> list[int]:
    """Return the days on which more than so many percent of the samples have no reading."""
    lacking = missing(trace)
    counts = {day: int(lacking[_day_samples(day)].sum()) for day in DAYS}
    return [day for day, count in counts.items() if 100 * count > percent * SAMPLES_PER_DAY]


def _hours_of_day(day: int, hours: tuple[int, int]) -> tuple[int, int]:
    midnight, _ = day_span(day)
    return midnight + 60 * hours[0], midnight + 60 * hours[1]


def _day_samples(day: int) -> slice:
    start, end = day_span(day)
    return slice(start // SAMPLE_MINUTES, end // SAMPLE_MINUTES)
