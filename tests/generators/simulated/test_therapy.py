from collections import Counter
from math import floor

import pytest

from generators.simulated.patients import PATIENT_IDS, patient
from generators.simulated.siblings import fall_per_unit
from generators.simulated.therapy import (
    INJECTIONS,
    PID,
    REGIMENS,
    TEMPORARY_BASALS,
    regimen_of,
    settings_of,
    therapy_of,
)


def test_twenty_are_on_closed_loop_half_by_each_controller_five_by_pump_five_by_pen() -> None:
    assert Counter(regimen_of(p) for p in PATIENT_IDS) == {
        "pid": 10,
        "temporary_basals": 10,
        "pump": 5,
        "injections": 5,
    }


@pytest.mark.parametrize("regimen", REGIMENS)
def test_every_regimen_has_patients_of_every_age(regimen: str) -> None:
    ages = {patient(p).age_group for p in PATIENT_IDS if regimen_of(p) == regimen}

    assert ages == {"child", "adolescent", "adult"}


def test_a_sibling_is_treated_as_the_patient_is() -> None:
    assert therapy_of("adult_009.sib4") == therapy_of("adult_009") == "multiple_daily_injections"
    assert regimen_of("adult_001.sib4") == "pid"


@pytest.mark.parametrize("patient_id", PATIENT_IDS)
def test_correction_factor_is_nine_tenths_of_what_the_model_does(patient_id: str) -> None:
    who = patient(patient_id)
    fall = fall_per_unit(who.parameters, who.steady_state, who.basal_u_per_h, who.daily_insulin)

    assert who.correction_factor == floor(0.9 * fall + 0.5)


def test_settings_are_those_of_patient_and_regimen() -> None:
    child = settings_of(patient("child_001"))
    by_pen = settings_of(patient("child_001"), "injections")

    assert (child.regimen, by_pen.regimen) == (PID, INJECTIONS)
    assert settings_of(patient("child_003")).regimen == TEMPORARY_BASALS
    assert (child.carbohydrate_ratio, child.rescue) == (25, 10)
    assert (child.step, by_pen.step) == (100, 1000)
    assert settings_of(patient("adult_006")).step == 2000
    assert child.basal > by_pen.basal == 0
