"""From speed or power to heart rate.

Oxygen uptake of walking, running and leg cycling after the ACSM metabolic equations; the share of
the oxygen-uptake reserve is taken as the share of the heart-rate reserve (Swain, Leutholtz 1997);
highest heart rate 208 - 0.7 age (Tanaka 2001).
"""

from dataclasses import dataclass
from functools import cache
from math import exp, floor

from generators.errors import GeneratorError
from generators.simulated.patients import patient
from generators.streams import Stream
from generators.trace import ExerciseType

RANGES: dict[ExerciseType, tuple[float, float, float]] = {
    "walk": (2.5, 3.7, 0.1),
    "jog": (5.0, 5.9, 0.1),
    "run": (6.0, 8.0, 0.1),
    "cycle": (0.8, 2.0, 5.0),
}
"""Lowest, highest and step of speed in mph; cycling: W per kg of body weight, step in W."""
SHORTEST, LONGEST = 20, 75
"""Length of a bout, min."""

_METRES_PER_MINUTE = 26.8
_REST_UPTAKE = 3.5
_MOST_SHARE = 0.85
_LEAST_RUNNER_AGE, _SPREAD = 60, 0.12
_EPSILON = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitness:
    """Highest oxygen uptake (mL/kg/min) and heart rate at rest and at most (bpm)."""

    uptake: float
    rest: int
    most: int


@cache
def fitness(patient_id: str) -> Fitness:
    """Return a patient's fitness: a typical value of age and a personal factor.

    Raises:
        GeneratorError: No patient has that name.
    """
    who = patient(patient_id)
    typical = {"child": 45.0, "adolescent": 47.0, "adult": max(22.0, 48.0 - 0.3 * who.age_years)}
    factor, shift = Stream(0, "fitness", patient_id).normal(2).tolist()
    return Fitness(
        uptake=floor(10.0 * typical[who.age_group] * exp(_SPREAD * factor) + 0.5) / 10.0,
        rest=int(who.parameters.hr_b) + floor(6.0 * max(-2.0, min(2.0, shift)) + 0.5),
        most=floor(208.0 - 0.7 * who.age_years + 0.5),
    )


def share_of_reserve(patient_id: str, kind: ExerciseType, magnitude: float) -> float:
    """Return the share of the oxygen-uptake reserve that an effort takes.

    Args:
        patient_id: Patient.
        kind: Type of exercise.
        magnitude: Speed in mph; cycling: power in W.
    """
    if kind == "cycle":
        uptake = 10.8 * magnitude / patient(patient_id).weight_kg + 7.0
    else:
        cost = 0.1 if kind == "walk" else 0.2
        uptake = cost * _METRES_PER_MINUTE * magnitude + _REST_UPTAKE
    return (uptake - _REST_UPTAKE) / (fitness(patient_id).uptake - _REST_UPTAKE)


@cache
def feasible_range(patient_id: str, kind: ExerciseType) -> tuple[float, float] | None:
    """Return lowest and highest magnitude that a patient can keep up, or None.

    Speeds are multiples of 0.1 mph, powers of 5 W; the highest takes at most 85 % of the
    oxygen-uptake reserve. People of 60 and more do not run.
    """
    who = patient(patient_id)
    if kind in ("run", "jog") and who.age_years >= _LEAST_RUNNER_AGE:
        return None
    low, high, step = RANGES[kind]
    scale = who.weight_kg if kind == "cycle" else 1.0
    steps = range(-floor(-low * scale / step + _EPSILON), floor(high * scale / step + _EPSILON) + 1)
    values = [round(n * step, 1) for n in steps]
    possible = [v for v in values if share_of_reserve(patient_id, kind, v) <= _MOST_SHARE]
    return (possible[0], possible[-1]) if possible else None


def heart_rate_rise(patient_id: str, kind: ExerciseType, magnitude: float) -> int:
    """Return how far an effort raises the heart rate above rest, bpm.

    Raises:
        GeneratorError: The patient cannot keep the effort up.
    """
    allowed = feasible_range(patient_id, kind)
    if allowed is None or not allowed[0] <= magnitude <= allowed[1]:
        unit = "W" if kind == "cycle" else "mph"
        raise GeneratorError(
            f"{patient_id} cannot {kind} at {magnitude:g} {unit}; "
            + (f"allowed are {allowed[0]:g} to {allowed[1]:g} {unit}" if allowed else "not at all")
        )
    shape = fitness(patient_id)
    share = share_of_reserve(patient_id, kind, magnitude)
    return floor(share * (shape.most - shape.rest) + 0.5)
