"""The closed-loop group lives as published closed-loop groups do, and pumps do worse."""

from functools import cache

import numpy as np
import pytest

from generators.simulated.cohort import PATIENT_IDS, simulate
from generators.trace import Therapy, Trace

DAYS = 30


@cache
def group(therapy: Therapy) -> tuple[Trace, ...]:
    traces = (simulate(patient_id, seed=1, days=DAYS).trace for patient_id in PATIENT_IDS)
    return tuple(trace for trace in traces if trace.profile.therapy == therapy)


def mean_share(therapy: Therapy, low: int, high: int) -> float:
    """Mean over patients of the percentage of readings from low to high."""
    cgm = np.array([trace.cgm for trace in group(therapy)])
    return float(100 * np.mean((cgm >= low) & (cgm <= high)))


def test_closed_loop_is_within_the_published_range() -> None:
    cgm = np.array([trace.cgm for trace in group("hybrid_closed_loop")], dtype=np.float64)
    means = cgm.mean(axis=1)

    assert 140 < means.mean() < 165
    assert 28 < (100 * cgm.std(axis=1, ddof=1) / means).mean() < 40
    assert 62 < mean_share("hybrid_closed_loop", 70, 180) < 85
    assert 0.5 < mean_share("hybrid_closed_loop", 0, 69) < 4
    assert mean_share("hybrid_closed_loop", 0, 53) < 1


def test_closed_loop_beats_the_pump() -> None:
    closed, pump = (
        mean_share(therapy, 70, 180) for therapy in ("hybrid_closed_loop", "sensor_augmented_pump")
    )

    assert closed > pump + 2


def test_announced_meals_raise_glucose_as_in_life() -> None:
    rises = []
    for trace in group("hybrid_closed_loop"):
        starts = np.array([event.minute for event in trace.carbs])
        for event in trace.carbs:
            alone = np.sum((starts > event.minute - 120) & (starts < event.minute + 180)) == 1
            fits = event.eaten is not None and 45 <= event.eaten <= 80
            if fits and alone and event.minute + 180 < trace.minutes:
                window = trace.cgm[event.minute // 5 : event.minute // 5 + 37]
                rises.append(int(window.max()) - int(window[0]))

    assert len(rises) > 300
    assert 40 < np.mean(rises) < 90


def test_exercise_lowers_glucose_as_in_life() -> None:
    changes = [
        int(trace.cgm[(bout.minute + bout.duration) // 5]) - int(trace.cgm[bout.minute // 5])
        for trace in group("hybrid_closed_loop")
        for bout in trace.exercise
        if bout.minute + bout.duration < trace.minutes
    ]

    assert -35 < np.mean(changes) < -5
    assert 20 < np.std(changes) < 45


@pytest.mark.parametrize("patient_id", PATIENT_IDS[::10])
def test_days_differ(patient_id: str) -> None:
    days = simulate(patient_id, seed=1, days=14).trace.cgm.reshape(14, -1).mean(axis=1)

    assert days.std() > 4
