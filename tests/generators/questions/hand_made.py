"""Records made by hand, whose answers are known."""

from dataclasses import replace

import numpy as np

from generators.trace import (
    MISSING,
    SAMPLES_PER_DAY,
    CarbEvent,
    FaultEvent,
    FaultLabel,
    MealType,
    PatientProfile,
    Trace,
)


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
