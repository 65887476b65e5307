from collections import Counter
from math import floor

import numpy as np
import pytest

from generators.simulated import therapy
from generators.simulated.cohort import simulate_open_loop
from generators.simulated.patients import PATIENT_IDS, patient
from generators.simulated.pump import PARTS, on_board_table
from generators.simulated.therapy import (
    CORRECTION_FACTORS,
    PID,
    PUMP,
    Settings,
    basal_rate,
    correction,
    feed_back,
    initial_controller,
    meal_bolus,
    on_board,
    settings_of,
    therapy_of,
)


def settings(controller: int = PID) -> Settings:
    return Settings(
        controller=controller,
        basal=100,
        carbohydrate_ratio=10,
        correction_factor=40,
        target=120,
        gain=1500,
        meal_share=100,
        most_correction=8000,
        rescue=15,
    )


def test_twenty_are_on_closed_loop_in_all_age_groups() -> None:
    groups = Counter(p.split("_")[0] for p in PATIENT_IDS if therapy_of(p) == "hybrid_closed_loop")

    assert groups == {"adolescent": 7, "adult": 7, "child": 6}


@pytest.mark.parametrize("patient_id", PATIENT_IDS)
def test_correction_factor_is_nine_tenths_of_what_the_model_does(patient_id: str) -> None:
    who = patient(patient_id)
    units = 0.02 * who.daily_insulin
    insulin = np.full(720, who.basal_u_per_h / 60)
    insulin[:5] += units / 5

    glucose = simulate_open_loop(patient_id, [], insulin, 720)

    fall = who.steady_state[12] / who.parameters.Vg - glucose.min()
    assert CORRECTION_FACTORS[patient_id] == floor(0.9 * fall / units + 0.5)


def test_settings_are_those_of_the_patient() -> None:
    found = settings_of(patient("child_001"))

    assert found.controller == PID
    assert settings_of(patient("child_002")).controller == PUMP
    assert found.carbohydrate_ratio == 25
    assert found.rescue == 10


def test_on_board_counts_only_what_exceeds_basal() -> None:
    reported = np.full(100, 100, dtype=np.int32)
    reported[60] += 2000
    table = on_board_table()

    assert on_board.py_func(reported, 61, 100, table) == 2000 * table[1] // PARTS
    assert on_board.py_func(reported, 60, 100, table) == 0
    assert on_board.py_func(reported, 99, 100, table) == 2000 * table[39] // PARTS
    assert on_board.py_func(reported[:30] * 0, 30, 100, table) < 0


@pytest.mark.parametrize(
    ("grams", "glucose", "units"),
    [(60, 120, 6.0), (60, 180, 6.0), (60, 80, 5.5), (60, -1, 6.0), (2, 60, 0.0), (33, 120, 3.3)],
)
def test_meal_bolus_covers_the_grams_less_when_low(grams: int, glucose: int, units: float) -> None:
    assert meal_bolus.py_func(settings(), grams, glucose) == units * 2000


@pytest.mark.parametrize(
    ("glucose", "board", "counts"),
    [
        (200, 0, 4000),
        (200, 1000, 3000),
        (200, -1000, 4000),
        (100, 0, 0),
        (400, 0, 8000),
        (-1, 0, 0),
    ],
)
def test_correction_is_less_what_is_on_board(glucose: int, board: int, counts: int) -> None:
    assert correction.py_func(settings(), glucose, board) == counts


def test_pid_rests_at_target() -> None:
    whole = initial_controller(settings())
    for sample in range(50):
        rate = basal_rate.py_func(settings(), whole, sample, 120, 0)
        feed_back.py_func(whole, rate)

        assert rate == 100


@pytest.mark.parametrize(("glucose", "change"), [(69, 0), (69, 30), (100, -18)])
def test_pid_stops_at_or_before_a_low(glucose: int, change: int) -> None:
    assert basal_rate.py_func(settings(), initial_controller(settings()), 0, glucose, change) == 0


def test_pid_gives_more_when_high_within_its_limit() -> None:
    whole = initial_controller(settings())

    assert 100 < basal_rate.py_func(settings(), whole, 0, 130, 0) < 200
    assert basal_rate.py_func(settings(), whole, 1, 390, 60) == 200


def test_insulin_feedback_holds_back_after_a_bolus() -> None:
    whole = initial_controller(settings())
    before = basal_rate.py_func(settings(), whole, 0, 130, 0)
    feed_back.py_func(whole, 6000)

    assert basal_rate.py_func(settings(), whole, 1, 130, 0) < before


def test_without_reading_the_last_safe_rate_holds_and_then_scheduled_basal() -> None:
    whole = initial_controller(settings())
    assert basal_rate.py_func(settings(), whole, 0, 60, 0) == 0

    rates = [basal_rate.py_func(settings(), whole, sample, -1, 0) for sample in range(1, 6)]

    assert rates == [0, 0, 0, 100, 100]


def test_zero_is_no_reading() -> None:
    assert basal_rate.py_func(settings(), initial_controller(settings()), 0, 0, 0) == 100


def test_pump_suspends_before_a_low_for_at_most_two_hours() -> None:
    whole = initial_controller(settings(PUMP))
    assert basal_rate.py_func(settings(PUMP), whole, 0, 150, 0) == 100

    rates = [basal_rate.py_func(settings(PUMP), whole, sample, 60, 0) for sample in range(30)]

    assert rates == [0] * 24 + [100] * 6


def test_feedback_constants_are_those_of_the_time_constants() -> None:
    whole = np.zeros(therapy.WHOLE_SIZE, dtype=np.int64)
    feed_back.py_func(whole, 1_000_000)

    assert whole[therapy.DEPOT] / 1e9 == pytest.approx(1 - np.exp(-5 / 50), abs=1e-6)
    assert whole[therapy.PLASMA] / whole[therapy.DEPOT] == pytest.approx(
        1 - np.exp(-5 / 70), abs=1e-6
    )
    assert whole[therapy.EFFECT] / whole[therapy.PLASMA] == pytest.approx(
        1 - np.exp(-5 / 55), abs=1e-6
    )
