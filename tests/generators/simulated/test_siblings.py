import numpy as np
import pytest

from generators.errors import GeneratorError
from generators.simulated.cohort import simulate, simulate_open_loop
from generators.simulated.parameters import patients_of_file
from generators.simulated.patients import (
    COHORTS,
    MOST_SCALED,
    PATIENT_IDS,
    parent_of,
    patient,
    scaled_cohort,
)
from generators.simulated.siblings import MOVED

SIBLINGS = tuple(f"{name}.sib{1 + n % 4}" for n, name in enumerate(PATIENT_IDS))


@pytest.mark.parametrize("patient_id", SIBLINGS)
def test_a_sibling_rests_at_the_glucose_of_the_patient(patient_id: str) -> None:
    who, parent = patient(patient_id), patient(parent_of(patient_id))
    basal = np.full(1440, who.basal_u_per_h / 60)

    glucose = simulate_open_loop(patient_id, [], basal, 1440)

    fasting = parent.steady_state[12] / parent.parameters.Vg
    assert np.abs(glucose - fasting).max() < 0.01
    assert (who.steady_state >= 0).all()


def test_siblings_differ_within_the_range_of_their_age_group() -> None:
    group = [w.parameters for w in patients_of_file().values() if w.age_group == "adult"]
    siblings = [patient(f"adult_003.sib{n}").parameters for n in range(1, 9)]

    assert len({p.Vmx for p in siblings}) > 4
    for field in MOVED:
        known = [getattr(p, field) for p in group]
        assert all(min(known) <= getattr(p, field) <= max(known) for p in siblings)
    assert all(p.kmin < p.kmax for p in siblings)


def test_a_sibling_is_always_the_same_and_has_rounded_settings() -> None:
    patient.cache_clear()
    first = patient("child_004.sib7")
    patient.cache_clear()
    second = patient("child_004.sib7")

    assert first.parameters == second.parameters
    assert first.carbohydrate_ratio == int(first.carbohydrate_ratio) >= 1
    assert (first.correction_factor, first.age_years) == (
        second.correction_factor,
        patient("child_004").age_years,
    )


@pytest.mark.parametrize("patient_id", ["adult_006.sib1", "child_003.sib2", "adolescent_001.sib3"])
def test_siblings_can_live(patient_id: str) -> None:
    trace = simulate(patient_id, seed=5, days=10).trace

    assert trace.patient_id == patient_id
    assert 90 < trace.cgm.mean() < 230
    assert not np.array_equal(trace.cgm, simulate(parent_of(patient_id), seed=5, days=10).trace.cgm)


def test_no_patient_is_in_two_cohorts() -> None:
    everyone = [patient_id for ids in COHORTS.values() for patient_id in ids]

    assert len(everyone) == len(set(everyone)) == 120
    assert COHORTS["test"] == PATIENT_IDS


def test_a_scaled_cohort_begins_every_larger_one_and_holds_nobody_of_another_cohort() -> None:
    many = scaled_cohort(3000)

    assert len(set(many)) == 3000
    assert scaled_cohort(31) == many[:31]
    assert many[0] == "adolescent_001.sib1001"
    assert many[30] == "adolescent_001.sib1002"
    assert {parent_of(patient_id) for patient_id in many[:30]} == set(PATIENT_IDS)
    assert not set(many) & {patient_id for ids in COHORTS.values() for patient_id in ids}


@pytest.mark.parametrize("count", [0, MOST_SCALED + 1])
def test_a_cohort_without_patients_or_with_more_than_there_are_is_refused(count: int) -> None:
    with pytest.raises(GeneratorError, match=f"{count} patients; allowed are 1 to {MOST_SCALED}"):
        scaled_cohort(count)
