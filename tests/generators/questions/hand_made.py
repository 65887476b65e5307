"""Records made by hand, whose answers are known."""

from dataclasses import dataclass, field, replace

import numpy as np

from generators.questions.task import Answer, Given
from generators.trace import (
    MISSING,
    SAMPLES_PER_DAY,
    CarbEvent,
    ExerciseEvent,
    FaultEvent,
    FaultLabel,
    InsulinEvent,
    InsulinType,
    MealType,
    PatientProfile,
    Trace,
)


@dataclass(frozen=True, slots=True)
class Case:
    """A record, a question about it, and the answer that it must have."""

    why: str
    task_id: str
    trace: Trace
    gold: Answer | None
    """None where the question must not be asked."""
    given: Given = field(default_factory=dict)
    others: tuple[Trace, ...] = ()
    """Further courses that a prediction compares."""
    by_time: bool = False
    """Whether the meals are told by their time, because the record does not name them."""


def flat(value: int = 100, days: int = 30, profile: PatientProfile | None = None) -> Trace:
    """A record that reads the same all the time, with 10 mU/min of insulin."""
    return Trace(
        trace_id="hand_made",
        patient_id="hand_made",
        source="simulated",
        cgm=np.full(days * SAMPLES_PER_DAY, value, dtype=np.int16),
        insulin=np.full(days * SAMPLES_PER_DAY, 100, dtype=np.int32),
        profile=profile or PatientProfile(),
    )


def at(day: int, clock: str) -> int:
    """Minute of the record at a clock time of a day."""
    hours, minutes = clock.split(":")
    return (day - 1) * 1440 + int(hours) * 60 + int(minutes)


def reading(trace: Trace, minute: int, *values: int | None) -> Trace:
    """Replace consecutive readings from a minute on; None is missing."""
    cgm = trace.cgm.copy()
    first = minute // 5
    cgm[first : first + len(values)] = [MISSING if value is None else value for value in values]
    return replace(trace, cgm=cgm)


def meal(trace: Trace, minute: int, kind: MealType, grams: int = 50) -> Trace:
    """Add carbohydrate."""
    events = (*trace.carbs, CarbEvent(minute=minute, grams=grams, meal=kind))
    return replace(trace, carbs=tuple(sorted(events, key=lambda event: event.minute)))


def fault(trace: Trace, label: FaultLabel, first: int, last: int) -> Trace:
    """Mark samples as faulty, without changing what is reported."""
    events = (*trace.faults, FaultEvent(label=label, cause="test", start=first, end=last))
    return replace(trace, faults=tuple(sorted(events, key=lambda event: event.start)))


def bout(trace: Trace, minute: int, duration: int) -> Trace:
    """Add a run."""
    events = (
        *trace.exercise,
        ExerciseEvent(minute=minute, duration=duration, kind="run", magnitude=5.0),
    )
    return replace(trace, exercise=tuple(sorted(events, key=lambda event: event.minute)))


def bolus(trace: Trace, minute: int, units: float, kind: InsulinType = "meal_bolus") -> Trace:
    """Add an entry to the list of boluses and injections, without changing the insulin series."""
    events = (*trace.boluses, InsulinEvent(minute=minute, units=units, kind=kind))
    return replace(trace, boluses=tuple(sorted(events, key=lambda event: event.minute)))


def insulin(trace: Trace, minute: int, *values: int | None) -> Trace:
    """Replace samples of the insulin series from a minute on, mU/min; None is unknown."""
    series = trace.insulin.copy()
    first = minute // 5
    series[first : first + len(values)] = [MISSING if v is None else 10 * v for v in values]
    return replace(trace, insulin=series)


def mixed(trace: Trace, minute: int, samples: int, high: int, count: int) -> Trace:
    """Make `count` of the next `samples` readings read `high` and the others 80 mg/dL."""
    return reading(trace, minute, *(high,) * count, *(80,) * (samples - count))


def all_days(high: int, count: int) -> Trace:
    """A record in which every day has `count` readings of `high` and 80 mg/dL otherwise."""
    trace = flat(80)
    for day in range(1, 31):
        trace = mixed(trace, at(day, "00:00"), 288, high, count)
    return trace
