from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.simulated.injections import (
    LongActingDose,
    daily_units,
    doses,
    injected,
    release_shares,
    released,
)
from generators.simulated.patients import patient

DAY = 1440
PATIENT = "adult_006"


def dose(minute: int, *, units: int = 20, action: float = 1.0) -> LongActingDose:
    return LongActingDose(day=minute // DAY, minute=minute, units=units, action=action)


def test_a_dose_is_what_the_basal_rate_gives_in_a_day() -> None:
    who = patient(PATIENT)

    assert daily_units(who) == round(24 * who.basal_u_per_h)
    assert daily_units(patient("child_010")) >= 1


@given(st.integers(0, 500), st.integers(1, 80))
def test_all_of_a_dose_is_released(minute: int, units: int) -> None:
    counts = released([dose(minute, units=units)], 3 * 288)

    assert counts.sum() == units * 2000
    assert (counts >= 0).all()
    assert counts[: minute // 5].sum() == 0


def test_release_lags_two_hours_then_is_constant_until_the_day_is_over() -> None:
    counts = released([dose(0, units=72)], 2 * 288)

    assert counts[24] == pytest.approx(500 * (1 - np.exp(-1)), rel=0.03)
    assert counts[280] == pytest.approx(500, rel=0.01)
    assert counts[288 + 24] == pytest.approx(500 * np.exp(-1), rel=0.03)
    assert release_shares()[-1] == 1.0


def test_daily_doses_hold_the_basal_rate() -> None:
    given_doses = [dose(day * DAY, units=24) for day in range(-2, 5)]
    counts = released(given_doses, 4 * 288)

    assert counts == pytest.approx(np.full(4 * 288, 24 * 2000 / 288), abs=2)


def test_a_late_dose_leaves_a_gap() -> None:
    on_time = [dose(day * DAY, units=24) for day in range(-2, 5)]
    late = [*on_time[:3], dose(DAY + 300, units=24), *on_time[4:]]
    counts = released(late, 4 * 288)

    assert counts[288 + 55] < 0.25 * 24 * 2000 / 288


def test_only_what_acts_is_released_but_all_is_reported() -> None:
    weak = [dose(100, action=0.8)]

    assert injected(weak, 288).sum() == 20 * 2000
    assert injected(weak, 288)[20] == 20 * 2000
    assert released(weak, 3 * 288).sum() == pytest.approx(0.8 * 20 * 2000, abs=2)


def test_doses_come_daily_now_and_then_late() -> None:
    days = range(-2, 200)
    found = doses(1, PATIENT, days)
    gaps = [b.minute - a.minute for a, b in pairwise(found)]

    assert [d.day for d in found] == list(days)
    assert all(gap > 0 for gap in gaps)
    assert 5 < sum(gap > DAY + 90 for gap in gaps) < 40
    assert 0.05 < np.std([d.action for d in found]) < 0.25


def test_a_day_depends_on_its_own_key_only() -> None:
    assert doses(1, PATIENT, range(3, 6)) == doses(1, PATIENT, range(-2, 30))[5:8]
    assert doses(1, PATIENT, range(3, 6)) != doses(1, PATIENT, range(3, 6), member=1)
