import numpy as np
import pytest
from numpy.typing import NDArray

from generators.simulated.cohort import PATIENT_IDS, simulate_open_loop
from generators.simulated.patients import patient
from scripts.benchmark import Action, plain_float_patient

MINUTES = 1440
BAR = 0.05


def inputs(patient_id: str) -> tuple[list[tuple[int, float]], NDArray[np.float64]]:
    """Three meals, the second while the first one digests, each with its bolus over 5 min."""
    who = patient(patient_id)
    large = 30.0 if who.age_group == "child" else 60.0
    meals = [(60, large), (190, 0.55 * large), (700, 1.3 * large)]
    insulin = np.full(MINUTES, who.basal_u_per_h / 60.0)
    for minute, grams in meals:
        insulin[minute : minute + 5] += grams / who.carbohydrate_ratio / 5.0
    return meals, insulin


@pytest.mark.slow
@pytest.mark.parametrize("patient_id", PATIENT_IDS)
def test_one_day_equals_that_of_simglucose(patient_id: str) -> None:
    meals, insulin = inputs(patient_id)
    ours = simulate_open_loop(patient_id, meals, insulin, MINUTES)

    reference = plain_float_patient(patient_id)
    eaten = dict(meals)
    theirs = np.empty(MINUTES)
    for minute in range(MINUTES):
        reference.step(Action(CHO=eaten.get(minute, 0.0), insulin=float(insulin[minute])))
        theirs[minute] = reference.observation.Gsub

    assert np.abs(ours - theirs).max() < BAR
    assert theirs.max() - theirs.min() > 20
