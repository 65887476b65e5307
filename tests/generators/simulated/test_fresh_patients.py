"""Siblings that stand for the patients in a fresh test."""

from hypothesis import given, settings
from hypothesis import strategies as st

from generators.simulated.fresh import NUMBERS, exercise_of, fresh_patients
from generators.simulated.patients import COHORTS, PATIENT_IDS, parent_of


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**53 - 1))
def test_each_patient_has_a_sibling_of_no_split_who_exercises_alike(seed: int) -> None:
    drawn = fresh_patients(seed)
    assert [parent_of(name) for name in drawn] == list(PATIENT_IDS)
    assert not set(drawn) & {name for cohort in COHORTS.values() for name in cohort}
    assert [exercise_of(name) for name in drawn] == [exercise_of(name) for name in PATIENT_IDS]
    assert fresh_patients(seed) == drawn


def test_other_seeds_draw_others() -> None:
    assert not set(fresh_patients(2**40)) & set(fresh_patients(2**40 + 1))


def test_the_splits_hold_no_number_that_can_be_drawn() -> None:
    numbers = [name.partition(".sib")[2] for cohort in COHORTS.values() for name in cohort]
    assert max(int(number or 0) for number in numbers) < NUMBERS[0]
