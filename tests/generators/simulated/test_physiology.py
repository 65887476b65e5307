from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from generators.simulated.patients import PATIENT_IDS, patient
from generators.simulated.physiology import (
    ABSORBED,
    GP,
    GS,
    POOL,
    Q1,
    Q2,
    QG,
    SCRATCH_SIZE,
    Action,
    W,
    Z,
    initial_state,
    live_minute,
    model_of,
    open_loop,
    start_bout,
    uptake,
)

DAY = 1440


@pytest.mark.parametrize("patient_id", PATIENT_IDS)
def test_basal_steady_state_drifts_less_than_a_hundredth_in_a_day(patient_id: str) -> None:
    who = patient(patient_id)
    basal = np.full(DAY, who.basal_u_per_h / 60)

    glucose = open_loop(
        initial_state(who.steady_state), model_of(who.parameters), np.zeros(DAY), basal
    )

    assert np.abs(glucose - who.steady_state[12] / who.parameters.Vg).max() < 0.01


@pytest.mark.parametrize("patient_id", PATIENT_IDS)
def test_carbohydrate_is_conserved(patient_id: str) -> None:
    who = patient(patient_id)
    eaten = np.zeros(DAY)
    eaten[[30, 200, 210, 700, 1438]] = [60, 45, 20, 90, 40]
    state = initial_state(who.steady_state)

    open_loop(state, model_of(who.parameters), eaten, np.full(DAY, who.basal_u_per_h / 60))

    found = state[[Q1, Q2, QG, ABSORBED]].sum() + 1000 * state[POOL]
    assert found == pytest.approx(1000 * eaten.sum(), rel=1e-9)
    assert state[POOL] == 30


def test_a_meal_is_eaten_at_five_grams_a_minute() -> None:
    who = patient("adult_001")
    state = initial_state(who.steady_state)
    eaten = np.zeros(3)
    eaten[0] = 12

    open_loop(state, model_of(who.parameters), eaten[:2], np.zeros(2))
    assert state[POOL] == 2

    open_loop(state, model_of(who.parameters), np.zeros(1), np.zeros(1))
    assert state[POOL] == 0


def test_uptake_at_rest_is_that_of_the_meal_model() -> None:
    p = patient("adult_002").parameters
    rest = Action(x=40.0, liver=0.0, y=0.0, onset=0.0, w=0.0)

    plain = (p.Vm0 + p.Vmx * 40.0) * 150.0 / (p.Km0 + 150.0)

    assert uptake(150.0, 0.0, p, rest, 1.0) == pytest.approx(plain, rel=1e-12)


def test_uptake_is_bounded_however_long_the_effort() -> None:
    p = patient("adult_002").parameters
    values = [
        uptake(150.0, 1.0, p, Action(x=0.0, liver=0.0, y=90.0, onset=0.0, w=effort), 1.0)
        for effort in (5e3, 1e7)
    ]

    assert values[0] < values[1] < 4 * values[0]


def test_effect_of_exercise_is_continuous_at_the_start_of_the_next_bout() -> None:
    state = initial_state(patient("adult_002").steady_state)
    state[Z], state[W] = 0.1, 3000.0

    start_bout(state)

    assert (state[Z], state[W]) == (1.0, 300.0)


def test_first_bout_starts_from_nothing() -> None:
    state = initial_state(patient("adult_002").steady_state)

    start_bout(state)

    assert (state[Z], state[W]) == (0.0, 0.0)


def bout(patient_id: str, rise: float, minutes: int, length: int = 360) -> NDArray[np.float64]:
    """Change of plasma glucose with a bout at the start, basal insulin unchanged, mg/dL."""
    who = patient(patient_id)
    state, work = initial_state(who.steady_state), np.zeros(SCRATCH_SIZE)
    model, basal = model_of(who.parameters), who.basal_u_per_h / 60
    values = [state[GP]]
    for minute in range(length):
        heart = rise if minute < minutes else 0.0
        live_minute(state, model, basal, heart, 1.0, work)
        values.append(state[GP])
    return np.array([(value - values[0]) / who.parameters.Vg for value in values])


def test_a_bout_lowers_glucose_most_about_two_hours_later() -> None:
    adults = [p for p in PATIENT_IDS if p.startswith("adult")]
    changes = np.array([bout(p, 65.0, 45) for p in adults])

    assert np.median(changes[:, 45]) == pytest.approx(-16, abs=1)
    assert np.median(changes.min(axis=1)) == pytest.approx(-36, abs=1)
    assert 100 < np.median(changes.argmin(axis=1)) < 240


def equations_with_exercise(patient_id: str, rise: float) -> Callable[[float, Any], list[float]]:
    """Glucose and exercise of a fasting patient at basal insulin, as published."""
    p, steady = patient(patient_id).parameters, patient(patient_id).steady_state

    def slopes(_time: float, x: Any) -> list[float]:
        gp, gt, y, z, w = x
        power = (y / (0.1 * p.hr_b)) ** 4
        onset = power / (1 + power)
        top = p.Vm0 * (1 + 0.01 * y) + p.Vmx * (3e-4 * z * w) * p.Ib
        bottom = p.Km0 * (1 - 1e-7 * z * w * p.Ib) + gt
        production = p.kp1 - p.kp2 * gp - p.kp3 * steady[8]
        return [
            production - p.Fsnc - p.k1 * gp + p.k2 * gt,
            -top * gt / bottom + p.k1 * gp - p.k2 * gt,
            -(y - rise) / 5,
            -(onset + 1 / 600) * z + onset,
            rise,
        ]

    return slopes


@pytest.mark.parametrize("patient_id", ["adult_003", "adolescent_006", "child_004"])
def test_a_bout_agrees_with_an_adaptive_integrator(patient_id: str) -> None:
    steady = patient(patient_id).steady_state
    solved = solve_ivp(
        equations_with_exercise(patient_id, 65.0),
        (0, 45),
        [steady[3], steady[4], 0, 0, 0],
        rtol=1e-10,
        atol=1e-10,
        t_eval=range(46),
    )
    theirs = (solved.y[0] - steady[3]) / patient(patient_id).parameters.Vg

    assert np.abs(bout(patient_id, 65.0, 45, 45) - theirs).max() < 0.05


def test_a_minute_in_python_equals_the_compiled_one() -> None:
    who = patient("child_008")
    eaten, insulin = np.zeros(90), np.full(90, 0.02)
    eaten[5] = 40.0
    state, work = initial_state(who.steady_state), np.zeros(SCRATCH_SIZE)
    compiled = open_loop(state.copy(), model_of(who.parameters), eaten, insulin)

    for minute in range(90):
        state[POOL] += eaten[minute]
        live_minute(state, model_of(who.parameters), 0.02, 0.0, 1.0, work)

    assert state[GS] / who.parameters.Vg == pytest.approx(compiled[-1], abs=1e-9)
