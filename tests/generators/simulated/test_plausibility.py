"""The groups of the release live as published groups do (ranges: the project's issue 3)."""

from functools import cache

import numpy as np
import pytest

from generators.simulated.cohort import PATIENT_IDS, simulate
from generators.simulated.plausibility import (
    Group,
    day_profile,
    exercise_changes,
    glycaemia,
    group_of,
    meal_rises,
)
from generators.trace import CarbEvent, ExerciseEvent, InsulinEvent, Therapy, Trace

SEED, DAYS = 20261, 38


@cache
def everyone() -> tuple[Trace, ...]:
    return tuple(simulate(patient_id, seed=SEED, days=DAYS).trace for patient_id in PATIENT_IDS)


@cache
def group(therapy: Therapy, age: str = "") -> Group:
    return group_of(
        [
            trace
            for trace in everyone()
            if trace.profile.therapy == therapy and trace.patient_id.startswith(age)
        ]
    )


def test_closed_loop_is_within_the_published_range() -> None:
    closed = group("hybrid_closed_loop")

    assert closed.people == 20
    assert 140 < closed.average.mean < 165
    assert 28 < closed.average.cv < 40
    assert 62 < closed.average.in_range < 85
    assert 0.5 < closed.average.below_70 < 4
    assert closed.average.below_54 < 1
    assert 125 < closed.means[0] < closed.means[1] < 190
    assert 45 < closed.ranges[0] < closed.ranges[1] < 95


def test_therapies_are_ordered_as_in_life() -> None:
    closed, pump, injections = (
        group(therapy).average.in_range
        for therapy in ("hybrid_closed_loop", "sensor_augmented_pump", "multiple_daily_injections")
    )

    assert closed > pump + 2
    assert pump > injections + 2


def test_children_are_in_range_less_than_adults() -> None:
    child, adult = (group("hybrid_closed_loop", age).average for age in ("child", "adult"))

    assert child.in_range < adult.in_range
    assert child.mean > adult.mean


def test_meals_and_exercise_move_glucose_as_in_life() -> None:
    closed = group("hybrid_closed_loop")

    assert closed.meal_rise is not None
    assert closed.exercise_change is not None
    assert closed.exercise_spread is not None
    assert 40 < closed.meal_rise < 90
    assert -35 < closed.exercise_change < -5
    assert 20 < closed.exercise_spread < 45


def test_nobody_reads_the_highest_value_for_hours() -> None:
    for trace in everyone():
        at_most = np.flatnonzero(np.diff(np.r_[0, trace.cgm == 400, 0]))
        longest = max((b - a for a, b in zip(at_most[::2], at_most[1::2], strict=True)), default=0)
        assert longest <= 36, trace.trace_id


@pytest.mark.parametrize("patient_id", PATIENT_IDS[::10])
def test_days_differ(patient_id: str) -> None:
    days = simulate(patient_id, seed=1, days=14).trace.cgm.reshape(14, -1).mean(axis=1)

    assert days.std() > 4


def hand_made() -> Trace:
    cgm = np.full(288, 100, dtype=np.int16)
    cgm[120:132] = np.arange(100, 160, 5)
    cgm[200:210] = 60
    cgm[210] = -1
    return Trace(
        trace_id="hand",
        patient_id="hand",
        source="simulated",
        cgm=cgm,
        insulin=np.zeros(288, dtype=np.int32),
        carbs=(
            CarbEvent(minute=600, grams=60, meal="lunch"),
            CarbEvent(minute=1000, grams=90, meal="dinner"),
        ),
        boluses=(InsulinEvent(minute=590, units=5, kind="meal_bolus"),),
        exercise=(ExerciseEvent(minute=980, duration=30, kind="run", magnitude=6.0),),
    )


def test_figures_of_a_hand_made_record() -> None:
    trace = hand_made()
    person = glycaemia(trace)

    assert person.below_70 == pytest.approx(100 * 10 / 287)
    assert person.in_range == pytest.approx(100 * 277 / 287)
    assert (person.below_54, person.above_250, person.at_highest) == (0, 0, 0)
    assert meal_rises(trace) == [55]
    assert exercise_changes(trace) == [-40]
    assert day_profile([trace.cgm])[2, 0] == 100
    assert day_profile([trace.cgm]).shape == (5, 96)


def test_a_group_without_exercise_has_no_change() -> None:
    quiet = Trace(
        trace_id="quiet",
        patient_id="quiet",
        source="simulated",
        cgm=np.full(288, 100, dtype=np.int16),
        insulin=np.zeros(288, dtype=np.int32),
    )

    assert group_of([quiet]).exercise_change is None
