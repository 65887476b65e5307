from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from generators.simulated import controllers
from generators.simulated.controllers import (
    WHOLE_SIZE,
    automatic_correction,
    basal_rate,
    boluses,
    correction,
    feed_back,
    initial_controller,
    meal_bolus,
)
from generators.simulated.loop import on_board
from generators.simulated.pump import PARTS, on_board_table
from generators.simulated.temporary_basals import Now
from generators.simulated.therapy import INJECTIONS, PID, PUMP, TEMPORARY_BASALS, Settings

NOON = 144
NO_READINGS: NDArray[np.int16] = np.zeros(0, dtype=np.int16)


def settings(regimen: int = PID, **changes: int) -> Settings:
    usual = Settings(
        regimen=regimen,
        basal=0 if regimen == INJECTIONS else 100,
        carbohydrate_ratio=10,
        correction_factor=40,
        target=120,
        gain=1500,
        meal_share=100,
        most_correction=8000,
        rescue=15,
        step=2000 if regimen == INJECTIONS else 100,
        most_on_board=4000,
        alarm=280,
    )
    return usual._replace(**changes)


def now(glucose: int, change: int = 0, *, sample: int = NOON, board: int = 0) -> Now:
    return Now(sample, glucose, change, board, 0, 120)


def rate(s: Settings, whole: NDArray[np.int64], at: Now) -> int:
    return int(basal_rate(s, whole, NO_READINGS, at))


def test_on_board_counts_only_what_exceeds_basal_and_no_long_acting_insulin() -> None:
    reported = np.full(100, 100, dtype=np.int32)
    reported[60] += 2000
    reported[10] += 40_000
    long_acting = np.zeros(100, dtype=np.int32)
    long_acting[10] = 40_000
    table = on_board_table()

    def board(sample: int) -> tuple[int, int]:
        found: tuple[int, int] = on_board(reported, long_acting, sample, 100, table)
        return found

    assert board(61) == (2000 * table[1] // PARTS, 2000 * (table[1] - table[2]) // PARTS)
    assert board(60) == (0, 0)
    assert board(99)[0] == 2000 * table[39] // PARTS
    assert on_board(reported[:30] * 0, long_acting, 10, 100, table)[0] < 0


def test_what_is_on_board_acts_within_six_hours() -> None:
    reported = np.zeros(100, dtype=np.int32)
    reported[0] = 100_000
    none = np.zeros(100, dtype=np.int32)
    acting = [on_board(reported, none, n, 0, on_board_table())[1] for n in range(1, 73)]

    assert sum(acting) == pytest.approx(100_000, rel=0.01)


@pytest.mark.parametrize(
    ("grams", "glucose", "units"),
    [(60, 120, 6.0), (60, 180, 6.0), (60, 80, 5.5), (60, -1, 6.0), (2, 60, 0.0), (33, 120, 3.3)],
)
def test_meal_bolus_covers_the_grams_less_when_low(grams: int, glucose: int, units: float) -> None:
    assert meal_bolus(settings(), grams, glucose) == units * 2000


@pytest.mark.parametrize(("grams", "units"), [(64, 6), (65, 7), (4, 0)])
def test_a_pen_gives_whole_units(grams: int, units: int) -> None:
    assert meal_bolus(settings(INJECTIONS), grams, 120) == units * 2000


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
    assert correction(settings(), now(glucose, board=board)) == counts


@pytest.mark.parametrize("regimen", [PID, TEMPORARY_BASALS])
def test_closed_loops_correct_by_themselves_once_an_hour(regimen: int) -> None:
    s, whole = settings(regimen), initial_controller(settings(regimen))

    given = [automatic_correction(s, whole, now(260, sample=NOON + n)) > 0 for n in range(25)]

    assert [n for n, yes in enumerate(given) if yes] == [0, 12, 24]


@pytest.mark.parametrize("regimen", [PUMP, INJECTIONS])
def test_other_therapies_never_correct_by_themselves(regimen: int) -> None:
    whole = initial_controller(settings(regimen))

    assert automatic_correction(settings(regimen), whole, now(390)) == 0


@pytest.mark.parametrize(
    ("regimen", "sample", "corrects"),
    [(PUMP, NOON, True), (INJECTIONS, NOON, True), (PUMP, 30, False), (PUMP, 280, False)],
)
def test_an_alarm_of_high_glucose_is_heeded_by_day(
    regimen: int, sample: int, corrects: bool
) -> None:
    whole = initial_controller(settings(regimen))
    given = [
        boluses(settings(regimen), whole, now(300, sample=sample + n), (0, 0, 0)) for n in range(3)
    ]

    assert [bolus.correction > 0 for bolus in given] == [corrects, False, False]
    assert all(bolus.meal == bolus.automatic == 0 for bolus in given)


def test_pid_rests_at_target() -> None:
    whole = initial_controller(settings())
    for sample in range(50):
        counts = rate(settings(), whole, now(120, sample=sample))
        feed_back(whole, counts)

        assert counts == 100


@pytest.mark.parametrize(("glucose", "change"), [(69, 0), (69, 30), (100, -18)])
def test_pid_stops_at_or_before_a_low(glucose: int, change: int) -> None:
    assert rate(settings(), initial_controller(settings()), now(glucose, change)) == 0


def test_pid_gives_more_when_high_within_its_limit() -> None:
    whole = initial_controller(settings())

    assert 100 < rate(settings(), whole, now(130)) < 200
    assert rate(settings(), whole, now(390, 60)) == 200


def test_insulin_feedback_holds_back_after_a_bolus() -> None:
    whole = initial_controller(settings())
    before = rate(settings(), whole, now(130))
    feed_back(whole, 6000)

    assert rate(settings(), whole, now(130)) < before


@pytest.mark.parametrize("regimen", [PID, TEMPORARY_BASALS])
def test_without_reading_the_last_safe_rate_holds_and_then_scheduled_basal(regimen: int) -> None:
    s = settings(regimen)
    whole = initial_controller(s)
    cgm: Any = np.full(200, 60, dtype=np.int16)
    assert basal_rate(s, whole, cgm, now(60)) == 0

    rates = [rate(s, whole, now(-1, sample=NOON + n)) for n in range(1, 6)]

    assert rates == [0, 0, 0, 100, 100]


def test_zero_is_no_reading() -> None:
    assert rate(settings(), initial_controller(settings()), now(0)) == 100


def test_pump_suspends_before_a_low_for_at_most_two_hours() -> None:
    whole = initial_controller(settings(PUMP))
    assert rate(settings(PUMP), whole, now(150)) == 100

    rates = [rate(settings(PUMP), whole, now(60)) for _ in range(30)]

    assert rates == [0] * 24 + [100] * 6


def test_injections_have_no_basal_rate() -> None:
    whole = initial_controller(settings(INJECTIONS))

    assert [rate(settings(INJECTIONS), whole, now(g)) for g in (60, 120, 300, -1)] == [0] * 4


def test_feedback_constants_are_those_of_the_time_constants() -> None:
    whole = np.zeros(WHOLE_SIZE, dtype=np.int64)
    feed_back(whole, 1_000_000)

    depot, plasma = whole[controllers.DEPOT], whole[controllers.PLASMA]
    assert depot / 1e9 == pytest.approx(1 - np.exp(-5 / 50), abs=1e-6)
    assert plasma / depot == pytest.approx(1 - np.exp(-5 / 70), abs=1e-6)
    assert whole[controllers.EFFECT] / plasma == pytest.approx(1 - np.exp(-5 / 55), abs=1e-6)


def test_what_is_due_at_a_sample_is_due_earlier_in_a_run_that_starts_later() -> None:
    whole = np.arange(1000, 1000 + controllers.WHOLE_SIZE)
    moved = controllers.earlier(whole, 288)
    samples = [
        controllers.NEXT_CORRECTION,
        controllers.MEAL_COVERED,
        controllers.NEXT_ALARM,
        controllers.RESCUE_DUE,
        controllers.RESCUE_REST,
    ]
    assert np.flatnonzero(moved != whole).tolist() == sorted(samples)
    assert set((whole - moved)[samples]) == {288}

    whole[controllers.RESCUE_DUE] = -1
    assert controllers.earlier(whole, 288)[controllers.RESCUE_DUE] == -1
