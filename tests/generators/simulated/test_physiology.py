import numpy as np
import pytest
from numpy.typing import NDArray

from generators.simulated.patients import PATIENT_IDS, patient
from generators.simulated.physiology import (
    ABSORBED,
    GP,
    GT,
    ODE_SIZE,
    POOL,
    Q1,
    Q2,
    QG,
    W,
    X,
    Y,
    Z,
    initial_state,
    live_minute,
    open_loop,
    start_bout,
    uptake,
)

DAY = 1440


@pytest.mark.parametrize("patient_id", PATIENT_IDS)
def test_basal_steady_state_drifts_less_than_a_hundredth_in_a_day(patient_id: str) -> None:
    who = patient(patient_id)
    basal = np.full(DAY, who.basal_u_per_h / 60)

    glucose = open_loop(initial_state(who.steady_state), who.parameters, np.zeros(DAY), basal)

    assert np.abs(glucose - who.steady_state[12] / who.parameters.Vg).max() < 0.01


@pytest.mark.parametrize("patient_id", PATIENT_IDS)
def test_carbohydrate_is_conserved(patient_id: str) -> None:
    who = patient(patient_id)
    eaten = np.zeros(DAY)
    eaten[[30, 200, 210, 700, 1438]] = [60, 45, 20, 90, 40]
    state = initial_state(who.steady_state)

    open_loop(state, who.parameters, eaten, np.full(DAY, who.basal_u_per_h / 60))

    found = state[[Q1, Q2, QG, ABSORBED]].sum() + 1000 * state[POOL]
    assert found == pytest.approx(1000 * eaten.sum(), rel=1e-9)
    assert state[POOL] == 30


def test_a_meal_is_eaten_at_five_grams_a_minute() -> None:
    who = patient("adult_001")
    state = initial_state(who.steady_state)
    eaten = np.zeros(3)
    eaten[0] = 12

    open_loop(state, who.parameters, eaten[:2], np.zeros(2))
    assert state[POOL] == 2

    open_loop(state, who.parameters, np.zeros(1), np.zeros(1))
    assert state[POOL] == 0


def test_uptake_at_rest_is_that_of_the_meal_model() -> None:
    p = patient("adult_002").parameters
    state = initial_state(patient("adult_002").steady_state)
    state[X] = 40.0

    plain = (p.Vm0 + p.Vmx * state[X]) * state[GT] / (p.Km0 + state[GT])

    assert uptake.py_func(state, p, 1.0) == pytest.approx(plain, rel=1e-12)


def test_uptake_is_bounded_however_long_the_effort() -> None:
    p = patient("adult_002").parameters
    state = initial_state(patient("adult_002").steady_state)
    state[Y], state[Z] = 90.0, 1.0
    values = []
    for effort in (5e3, 1e7):
        state[W] = effort
        values.append(uptake.py_func(state, p, 1.0))

    assert values[0] < values[1] < 4 * values[0]


def test_effect_of_exercise_is_continuous_at_the_start_of_the_next_bout() -> None:
    state = initial_state(patient("adult_002").steady_state)
    state[Z], state[W] = 0.1, 3000.0

    start_bout.py_func(state)

    assert (state[Z], state[W]) == (1.0, 300.0)


def test_first_bout_starts_from_nothing() -> None:
    state = initial_state(patient("adult_002").steady_state)

    start_bout.py_func(state)

    assert (state[Z], state[W]) == (0.0, 0.0)


def bout(patient_id: str, rise: float, minutes: int) -> NDArray[np.float64]:
    """Change of plasma glucose over 6 h with a bout at their start, basal insulin unchanged."""
    who = patient(patient_id)
    state, work = initial_state(who.steady_state), np.zeros((3, ODE_SIZE))
    basal = who.basal_u_per_h / 60
    values = [state[GP]]
    for minute in range(360):
        heart = rise if minute < minutes else 0.0
        live_minute(state, who.parameters, basal, heart, 1.0, work)
        values.append(state[GP])
    return np.array([(value - values[0]) / who.parameters.Vg for value in values])


def test_a_bout_lowers_glucose_most_about_two_hours_later() -> None:
    adults = [p for p in PATIENT_IDS if p.startswith("adult")]
    changes = np.array([bout(p, 65.0, 45) for p in adults])

    assert np.median(changes[:, 45]) == pytest.approx(-16, abs=1)
    assert np.median(changes.min(axis=1)) == pytest.approx(-36, abs=1)
    assert 100 < np.median(changes.argmin(axis=1)) < 240
