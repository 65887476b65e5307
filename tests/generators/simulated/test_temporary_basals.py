import numpy as np
import pytest

from generators.simulated.temporary_basals import Now, temporary_rate
from generators.simulated.therapy import TEMPORARY_BASALS, Settings

SETTINGS = Settings(
    regimen=TEMPORARY_BASALS,
    basal=100,
    carbohydrate_ratio=10,
    correction_factor=40,
    target=110,
    gain=0,
    meal_share=85,
    most_correction=8000,
    rescue=15,
    step=100,
    most_on_board=4000,
    alarm=280,
)


def rate(*readings: int, board: int = 0, activity: int = 0, covered: int = 0) -> int:
    """The rate after readings 5 min apart, the last one now."""
    cgm = np.array(readings, dtype=np.int16)
    sample = len(cgm) - 1
    at = Now(sample, readings[-1], 0, board, activity, SETTINGS.target)
    return int(temporary_rate(SETTINGS, cgm, at, covered))


@pytest.mark.parametrize("glucose", [100, 110, 119])
def test_in_range_and_steady_scheduled_basal_runs(glucose: int) -> None:
    assert rate(*[glucose] * 12) == 100


@pytest.mark.parametrize("glucose", [40, 55, 69])
def test_a_low_stops_insulin(glucose: int) -> None:
    assert rate(*[glucose] * 12) == 0


def test_a_fast_rise_out_of_a_low_restores_basal() -> None:
    assert rate(40, 45, 52, 60, 68) == 100


def test_a_predicted_low_stops_insulin() -> None:
    assert rate(150, 140, 130, 120, 110, 100) == 0


def test_a_moderate_high_gets_what_brings_it_to_target_within_half_an_hour() -> None:
    required = (130 - 110) * 2000 // 40

    assert rate(*[130] * 12) == 100 + (required // 6 + 2) // 5 * 5


def test_basal_is_at_most_three_times_the_scheduled_one() -> None:
    assert rate(*[300] * 12) == 300


def test_insulin_on_board_is_counted() -> None:
    assert rate(*[200] * 12, board=3900) < rate(*[200] * 12)
    assert rate(*[300] * 12, board=6000) == 100


def test_after_a_meal_bolus_insulin_on_board_does_not_stop_basal() -> None:
    assert rate(*[120] * 12, board=4000) == 0
    assert rate(*[120] * 12, board=4000, covered=99) == 100


def test_below_range_basal_is_reduced() -> None:
    assert 0 < rate(*[99] * 12) < 100


def test_a_missing_reading_is_left_out_of_the_trend() -> None:
    assert rate(*[115] * 9, -1, 115) == rate(*[115] * 11) == 100


def test_the_first_reading_has_no_trend() -> None:
    assert rate(110) == 100
