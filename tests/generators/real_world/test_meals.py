"""Names of meals that a record states, and names that are guessed and marked so."""

import numpy as np
import pytest

from generators.real_world.meals import stated_meal, with_inferred_meals
from generators.trace import CarbEvent, MealType, Trace


@pytest.mark.parametrize(
    ("label", "hour", "kind"),
    [
        ("Breakfast", 8, "breakfast"),
        (" dinner ", 20, "dinner"),
        ("Supper", 20, "dinner"),
        ("HypoCorrection", 3, "rescue"),
        ("Snack", 11, "morning_snack"),
        ("snack", 12, "afternoon_snack"),
        ("Snack", 18, "late_snack"),
        ("Snack", 24 + 9, "morning_snack"),
        ("", 8, "unspecified"),
        ("lunch with Jane", 12, "unspecified"),
    ],
)
def test_stated_names(label: str, hour: int, kind: MealType) -> None:
    assert stated_meal(label, 3600 * hour) == kind


def named(*carbs: tuple[float, float, MealType]) -> list[tuple[MealType, bool]]:
    """Return name and mark of each of (hour, grams, stated name)."""
    trace = Trace(
        trace_id="t",
        patient_id="t",
        source="nightscout",
        cgm=np.full(576, 100, dtype=np.int16),
        insulin=np.zeros(576, dtype=np.int32),
        carbs=tuple(
            CarbEvent(minute=round(60 * hour), grams=grams, meal=meal)
            for hour, grams, meal in carbs
        ),
    )
    return [(one.meal, one.inferred) for one in with_inferred_meals(trace).carbs]


NONE: tuple[MealType, bool] = ("unspecified", False)


@pytest.mark.parametrize(
    ("hour", "grams", "guess"),
    [
        (5, 20, ("breakfast", True)),
        (10.9, 50, ("breakfast", True)),
        (11, 50, ("lunch", True)),
        (15, 50, NONE),
        (17, 50, ("dinner", True)),
        (22, 50, NONE),
        (4.9, 50, NONE),
        (8, 19.9, NONE),
        (24 + 12, 50, ("lunch", True)),
    ],
)
def test_guess_by_time_of_day_and_size(
    hour: float, grams: float, guess: tuple[MealType, bool]
) -> None:
    assert named((hour, grams, "unspecified")) == [guess]


def test_only_the_clearly_largest_is_named() -> None:
    assert named((12, 60, "unspecified"), (13, 40, "unspecified")) == [("lunch", True), NONE]
    assert named((12, 59, "unspecified"), (13, 40, "unspecified")) == [NONE, NONE]


def test_stated_names_are_kept_and_never_contradicted() -> None:
    assert named((12, 40, "lunch"), (13, 90, "unspecified")) == [("lunch", False), NONE]
    assert named((12, 40, "rescue"), (13, 20, "unspecified")) == [("rescue", False), NONE]


def test_days_do_not_disturb_each_other() -> None:
    assert named((12, 40, "unspecified"), (36, 40, "unspecified")) == [("lunch", True)] * 2
