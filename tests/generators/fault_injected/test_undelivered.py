"""When undelivered insulin stands out, on meals made by hand."""

import numpy as np
import pytest

from generators.fault_injected.undelivered import (
    before_meal_dose,
    may_stand_out,
    meal_doses,
    rise_per_gram,
    stands_out,
)
from generators.trace import FaultEvent, FaultLabel, Trace
from tests.generators.questions.hand_made import at, bolus, fault, flat, meal, reading

LUNCH = at(20, "12:00")
DOSE = LUNCH // 5 - 3


def dosed(*days: int, grams: int = 50) -> Trace:
    """Lunches with their boluses 15 min before."""
    trace = flat()
    for day in days:
        noon = at(day, "12:00")
        trace = bolus(meal(trace, noon, "lunch", grams), noon - 15, 5)
    return trace


def risen(trace: Trace, day: int, value: int) -> Trace:
    """Read a value from 1 to 4 h after a lunch."""
    return reading(trace, at(day, "13:00"), *(value,) * 36)


def event(label: FaultLabel = "unknown_stop", start: int = DOSE - 1) -> FaultEvent:
    return FaultEvent(label=label, cause="empty_reservoir", start=start, end=start + 35)


def test_larger_main_meals_with_a_bolus_are_compared() -> None:
    trace = meal(dosed(20), LUNCH + 120, "afternoon_snack", 60)
    trace = meal(trace, at(21, "12:00"), "lunch", 60)
    assert [(lunch.minute, dose) for lunch, dose in meal_doses(trace)] == [(LUNCH, DOSE)]
    assert list(meal_doses(dosed(20, grams=39))) == []


def test_the_half_hour_before_the_bolus_is_before_it() -> None:
    assert np.flatnonzero(before_meal_dose(dosed(20))).tolist() == list(range(DOSE - 6, DOSE))


def test_rise_is_the_later_mean_per_gram() -> None:
    trace = risen(dosed(20), 20, 200)
    (lunch, _), *_ = meal_doses(trace)
    assert rise_per_gram(trace, lunch) == 2.0
    assert rise_per_gram(reading(trace, LUNCH, None), lunch) is None
    missing = reading(trace, LUNCH + 60, *(None,) * 11)
    assert rise_per_gram(missing, lunch) is None
    assert rise_per_gram(reading(missing, LUNCH + 60, 200), lunch) == 2.0


@pytest.mark.parametrize(
    ("start", "hit"), [(DOSE - 1, True), (DOSE - 6, True), (DOSE - 7, False), (DOSE, False)]
)
def test_the_bolus_must_fall_into_the_first_half_hour(start: int, hit: bool) -> None:
    trace = risen(dosed(5, 10, 20), 20, 200)
    assert stands_out(event(start=start), trace) == hit


def test_a_stop_must_raise_glucose_like_no_other_of_few_meals() -> None:
    trace = risen(dosed(*range(2, 22)), 20, 200)
    assert stands_out(event(), trace)
    rivalled = risen(trace, 5, 200)
    assert not stands_out(event(), rivalled)
    assert stands_out(event("unknown_under"), rivalled)
    assert may_stand_out(event(), rivalled)
    assert not stands_out(event("unknown_under"), risen(rivalled, 6, 200))


def test_meals_near_another_fault_are_no_rivals() -> None:
    rivalled = risen(risen(dosed(*range(2, 22)), 20, 200), 5, 200)
    for first, last in ((at(5, "10:00"), at(5, "11:00")), (at(5, "15:55"), at(5, "18:00"))):
        assert stands_out(event(), fault(rivalled, "positive_bias", first // 5, last // 5))
    early = fault(rivalled, "positive_bias", at(5, "10:00") // 5, at(5, "10:55") // 5)
    assert not stands_out(event(), early)
