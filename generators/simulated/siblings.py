"""Siblings: further virtual patients near one of the 30.

Parameters of digestion, insulin absorption and insulin action move by a third of their spread among
the ten published patients of the age group (lognormal, at most two standard deviations) and stay
within the range of these ten. Fasting glucose, its production and insulin in plasma stay those of
the patient, so that a basal steady state exists; it is solved for.
"""

from math import exp, floor, log
from statistics import stdev

import numpy as np
from numpy.typing import NDArray

from generators.simulated.parameters import Parameters, Patient, patients_of_file
from generators.simulated.physiology import (
    GP,
    GS,
    GT,
    I1,
    ID,
    IL,
    IP,
    S1,
    S2,
    STATE_SIZE,
    initial_state,
    model_of,
    open_loop,
)
from generators.streams import Stream

SHARE_OF_SPREAD = 1.0 / 3.0
MOVED = (
    "BW",
    "kabs",
    "kmax",
    "kmin",
    "Vmx",
    "Km0",
    "p2u",
    "ki",
    "kp2",
    "kp3",
    "kd",
    "ka1",
    "ka2",
    "ksc",
)
"""Parameters in which siblings differ."""

_MOST_KMIN = 0.6
_TEST_SHARE, _TEST_MINUTES = 0.02, 720
_CORRECTION_SHARE = 0.9
_STATES = 13


def sibling(parent: Patient, number: int) -> Patient:
    """Return a sibling, the same for the same number.

    Args:
        parent: One of the 30 patients.
        number: Which sibling, from 1.
    """
    patient_id = f"{parent.patient_id}.sib{number}"
    p, state = _at_steady_state(_moved(parent, patient_id), parent)
    basal = p.u2ss * p.BW / 100.0
    daily = parent.daily_insulin * basal / parent.basal_u_per_h
    factor = fall_per_unit(p, state, basal, daily)
    own = fall_per_unit(
        parent.parameters, parent.steady_state, parent.basal_u_per_h, parent.daily_insulin
    )
    ratio = parent.carbohydrate_ratio * factor / own
    return Patient(
        patient_id=patient_id,
        age_group=parent.age_group,
        age_years=parent.age_years,
        weight_kg=p.BW,
        carbohydrate_ratio=float(max(1, floor(ratio + 0.5))),
        correction_factor=max(1, floor(_CORRECTION_SHARE * factor + 0.5)),
        daily_insulin=daily,
        basal_u_per_h=basal,
        parameters=p,
        steady_state=state,
    )


def fall_per_unit(
    p: Parameters, state: NDArray[np.float64], basal: float, daily_insulin: float
) -> float:
    """Return the fall in glucose at the nadir after a fasting bolus of 2 % of the daily insulin.

    Args:
        p: Parameters.
        state: The 13 states at basal steady state.
        basal: Insulin that holds it, U/h.
        daily_insulin: Total daily insulin, U.

    Returns:
        mg/dL per U.
    """
    units = _TEST_SHARE * daily_insulin
    insulin = np.full(_TEST_MINUTES, basal / 60.0)
    insulin[:5] += units / 5.0
    glucose = open_loop(initial_state(state), model_of(p), np.zeros(_TEST_MINUTES), insulin)
    return float((state[GS] / p.Vg - glucose.min()) / units)


def _moved(parent: Patient, patient_id: str) -> Parameters:
    group = [p for p in patients_of_file().values() if p.age_group == parent.age_group]
    normal = Stream(0, "sibling", patient_id).normal(len(MOVED)).tolist()
    values = {}
    for field, z in zip(MOVED, normal, strict=True):
        known = [getattr(who.parameters, field) for who in group]
        spread = SHARE_OF_SPREAD * stdev(log(value) for value in known)
        value = getattr(parent.parameters, field) * exp(spread * max(-2.0, min(2.0, z)))
        values[field] = min(max(value, min(known)), max(known))
    values["kmin"] = min(values["kmin"], _MOST_KMIN * values["kmax"])
    return parent.parameters._replace(**values)


def _at_steady_state(p: Parameters, parent: Patient) -> tuple[Parameters, NDArray[np.float64]]:
    """Return parameters with which the parent's fasting glucose and insulin are steady, and states."""
    old, before = parent.parameters, parent.steady_state
    state = np.zeros(STATE_SIZE)
    state[[GP, GS, IP]] = before[GP], before[GP], p.Ib * p.Vi
    state[[I1, ID]] = p.Ib
    state[IL] = p.m2 * state[IP] / (p.m1 + p.m30)
    infusion = (p.m2 + p.m4) * state[IP] - p.m1 * state[IL]
    state[S1] = infusion / (p.ka1 + p.kd)
    state[S2] = p.kd * state[S1] / p.ka2
    production = old.kp1 - old.kp2 * before[GP] - old.kp3 * old.Ib
    renal = max(p.ke1 * (before[GP] - p.ke2), 0.0)
    used = production - p.Fsnc - renal
    state[GT] = (p.k1 * before[GP] - used) / p.k2
    return (
        p._replace(
            kp1=float(production + p.kp2 * before[GP] + p.kp3 * p.Ib),
            Vm0=float(used * (p.Km0 + state[GT]) / state[GT]),
            u2ss=float(infusion),
        ),
        state[:_STATES].copy(),
    )
