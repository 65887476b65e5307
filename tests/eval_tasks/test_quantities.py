import doctest

import pytest

import eval_tasks.intervals
import eval_tasks.lists
import eval_tasks.moments
import eval_tasks.quantities
import eval_tasks.record
from eval_tasks.moments import day_number, minute_of_day, minute_of_record
from eval_tasks.quantities import quantity


@pytest.mark.parametrize(
    "module",
    [
        eval_tasks.intervals,
        eval_tasks.lists,
        eval_tasks.moments,
        eval_tasks.quantities,
        eval_tasks.record,
    ],
)
def test_examples_in_docstrings(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("1,234,567", None, 1234567),
        ("1,23", None, 1.23),
        ("12,345,67", None, None),
        ("1_000", None, 1000),
        (".5", None, 0.5),
        ("5.", None, 5),
        ("1e5", None, 100000),
        ("1e99999", None, None),
        ("--5", None, None),
        ("7 hypoglycaemia episodes", None, 7),
        ("7 episodes in all of the record together", None, None),
        ("90 min", "h", 1.5),
        ("1.5 h", "h", 1.5),
        ("1 h 30", "min", 90),
        ("1 h 30 min", "mg/dL", None),
        ("500 mU", "U", 0.5),
        ("5 kg", None, None),
        ("12 mg", "mg/dL", None),
    ],
)
def test_quantity(text: str, unit: str | None, expected: float | None) -> None:
    assert quantity(text, unit) == expected


def test_clock_times_at_the_bounds() -> None:
    assert minute_of_day("00:00") == 0
    assert minute_of_day("12:00 am") == 0
    assert minute_of_day("12:00 pm") == 720
    assert minute_of_day("24:00") == 1440
    assert minute_of_day("24:05") is None
    assert minute_of_day("13:00 pm") is None
    assert minute_of_day("07:60") is None
    assert minute_of_record("day 1 00:00") == 0
    assert minute_of_record("week 4 Sunday 23:55") == 28 * 1440 - 5


def test_days_by_number_week_and_weekday() -> None:
    assert day_number("week 4 day 7") == 28
    assert day_number("W4 Sunday") == 28
    assert day_number("day") is None
    assert day_number("0x1F") is None
