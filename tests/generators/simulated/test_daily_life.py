from itertools import pairwise
from statistics import mean

import pytest

from generators.simulated.daily_life import (
    exercise_of_day,
    looks_of_day,
    meals_of_day,
    persona,
)
from generators.simulated.exercise import feasible_range
from generators.simulated.meals import NEVER, Meal
from generators.simulated.patients import PATIENT_IDS

DAY = 1440
DAYS = range(35)


def meals(patient_id: str, seed: int = 1) -> list[Meal]:
    habits = persona(seed, patient_id)
    return [meal for day in DAYS for meal in meals_of_day(seed, patient_id, habits, day)]


@pytest.mark.parametrize("patient_id", PATIENT_IDS[::4])
def test_meals_come_in_order_at_least_an_hour_apart_within_their_day(patient_id: str) -> None:
    book = meals(patient_id)

    minutes = [meal.minute for meal in book]
    assert all(b - a >= 60 for a, b in pairwise(minutes))
    assert all(240 < minute % DAY < DAY for minute in minutes)


def test_a_month_has_what_a_month_has() -> None:
    book = [meal for patient_id in PATIENT_IDS for meal in meals(patient_id)]
    days = len(DAYS) * len(PATIENT_IDS)
    share = {kind: sum(m.kind == kind for m in book) / days for kind in {m.kind for m in book}}

    assert all(share[kind] > 0.9 for kind in ("breakfast", "lunch", "dinner"))
    assert all(
        0.2 < share[kind] < 0.7 for kind in ("morning_snack", "afternoon_snack", "late_snack")
    )
    assert 0.04 < mean(m.dosed == NEVER for m in book if not m.kind.endswith("snack")) < 0.15
    assert 0.1 < mean(m.dosed > m.minute for m in book) < 0.3
    assert all(5 <= meal.eaten <= 250 and 1 <= meal.announced <= 250 for meal in book)


def test_large_meals_are_underestimated() -> None:
    book = [meal for patient_id in PATIENT_IDS for meal in meals(patient_id)]
    large = [m for m in book if m.eaten >= 80]

    assert 0.7 < mean(m.announced / m.eaten for m in large) < 0.95
    assert any(m.announced > m.eaten for m in large)


def test_weekend_breakfast_is_later() -> None:
    book = [m for p in PATIENT_IDS for m in meals(p) if m.kind == "breakfast"]
    weekday = mean(m.minute % DAY for m in book if m.minute // DAY % 7 < 5)
    weekend = mean(m.minute % DAY for m in book if m.minute // DAY % 7 >= 5)

    assert 50 < weekend - weekday < 90


def test_no_two_patients_live_alike() -> None:
    assert len({persona(1, patient_id) for patient_id in PATIENT_IDS}) == 30


def test_a_day_depends_on_its_own_key_only() -> None:
    habits = persona(1, "adult_001")

    assert meals_of_day(1, "adult_001", habits, 9) == [
        m for m in meals("adult_001") if m.minute // DAY == 9
    ]
    assert meals_of_day(1, "adult_001", habits, 9) != meals_of_day(2, "adult_001", habits, 9)
    assert meals_of_day(1, "adult_001", habits, 9) != meals_of_day(
        1, "adult_001", habits, 9, member=1
    )


@pytest.mark.parametrize("patient_id", PATIENT_IDS[::3])
def test_bouts_are_feasible_and_end_on_their_day(patient_id: str) -> None:
    habits = persona(1, patient_id)
    drawn = [exercise_of_day(1, patient_id, habits, day) for day in range(150)]
    bouts = [bout for bout in drawn if bout is not None]

    assert 0.2 < len(bouts) / 150 < 0.8
    for bout in bouts:
        low, high = feasible_range(patient_id, bout.kind) or (0, -1)
        assert low <= bout.magnitude <= high
        assert 20 <= bout.duration <= 75
        assert bout.minute // DAY == (bout.minute + bout.duration) // DAY


def test_looks_are_spread_over_the_day() -> None:
    looks = looks_of_day(1, "adult_001", 3)

    assert looks == sorted(looks)
    assert all(3 * DAY + 600 <= minute < 3 * DAY + 1350 for minute in looks)
