"""Changed background insulin and meals never eaten, told by the numbers of the instructions."""

from typing import Any

import pytest

from eval_tasks import rules
from tests.eval_tasks.rules.test_rules import interval, prompt
from tests.eval_tasks.test_horizons import context, event

SAMPLES = 30 * 288


def record(
    *, rates: dict[int, tuple[int, float]], reading: int, events: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A flat record at 20 mU/min with other rates from some samples on, for so many samples."""
    insulin = [20.0] * SAMPLES
    for start, (length, rate) in {100: (20, 80.0), **rates}.items():
        insulin[start : start + length] = [rate] * length
    nothing: dict[str, Any] = {"carb_events": [], "insulin_events": []}
    return context(
        bg_mgdl=[reading] * SAMPLES, insulin_mu_min=insulin, **{**nothing, **(events or {})}
    )


@pytest.mark.parametrize(
    ("rate", "length", "reading", "found"),
    [
        (6.0, 12, 150, True),
        (6.1, 12, 150, False),  # above three tenths of the rate before
        (6.0, 11, 150, False),
        (6.0, 12, 140, False),
    ],
)
def test_lowered_background_insulin(rate: float, length: int, reading: int, found: bool) -> None:
    shown = record(rates={3000: (length, rate)}, reading=reading)
    answer = rules.answer(prompt("Too little background insulin", input_context=shown))
    assert answer == ([interval(3000, 2999 + length)] if found else [])


@pytest.mark.parametrize(("before", "found"), [(8.0, True), (7.9, False)])
def test_background_insulin_is_shut_down_from_a_tenth_of_the_highest_rate(
    before: float, found: bool
) -> None:
    shown = record(rates={2999: (1, before), 3000: (14, 0.0)}, reading=150)
    answer = rules.answer(prompt("Background insulin shut down", input_context=shown))
    assert answer == ([interval(3000, 3013)] if found else [])


@pytest.mark.parametrize(("rate", "found"), [(40.1, True), (40.0, False)])
def test_raised_background_insulin_is_above_half_of_the_highest(rate: float, found: bool) -> None:
    shown = record(rates={3000: (12, rate)}, reading=110)
    shown["bg_mgdl"][100] = 150
    answer = rules.answer(prompt("Too much background insulin", input_context=shown))
    assert answer == ([interval(3000, 3011)] if found else [])


@pytest.mark.parametrize(
    ("grams", "reading", "rise", "other", "found"),
    [
        (30, 119, 20, None, True),
        (29, 119, 20, None, False),
        (30, 120, 0, None, False),
        (30, 65, 0, None, True),
        (30, 64, 0, None, False),
        (30, 119, 21, None, False),
        (30, 119, 20, 24, False),
        (30, 119, 20, 25, True),
    ],
)
def test_meals_never_eaten(
    grams: int, reading: int, rise: int, other: int | None, found: bool
) -> None:
    """A lone entry with its bolus, at a calm reading, after which glucose does not rise."""
    meals = [(3000, grams)] + ([] if other is None else [(3000 - other, 5)])
    events = {
        "carb_events": [
            event(5 * at, carbs=float(g), meal_type="lunch") for at, g in sorted(meals)
        ],
        "insulin_events": [event(15000, dosage=3.0, insulin_type="meal_bolus")],
    }
    shown = record(rates={}, reading=reading, events=events)
    shown["bg_mgdl"][3024] = reading + rise
    answer = rules.answer(prompt("A meal that was never eaten", input_context=shown))
    assert answer == ([interval(3000, 3000)] if found else [])
