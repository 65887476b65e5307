"""Therapies: who is treated how, and what controllers and bolus calculator know of the patient.

Hybrid closed loop comes with two controllers: PID with insulin feedback, and temporary basal rates
after the rules of oref0 (see controllers). Quantities are counts (see pump), glucose is whole mg/dL.
"""

from math import floor
from typing import Literal, NamedTuple

from generators.simulated.patients import Patient, parent_of
from generators.simulated.pump import (
    BOLUS_STEP,
    COUNTS_PER_UNIT,
    COUNTS_PER_UNIT_PER_HOUR,
    basal_counts,
)
from generators.trace import AgeGroup, Therapy

Regimen = Literal["pid", "temporary_basals", "pump", "injections"]
PID, TEMPORARY_BASALS, PUMP, INJECTIONS = range(4)
"""Codes of the regimens in the compiled loop; up to TEMPORARY_BASALS they are closed loops."""
REGIMENS: dict[Regimen, tuple[int, Therapy]] = {
    "pid": (PID, "hybrid_closed_loop"),
    "temporary_basals": (TEMPORARY_BASALS, "hybrid_closed_loop"),
    "pump": (PUMP, "sensor_augmented_pump"),
    "injections": (INJECTIONS, "multiple_daily_injections"),
}

TARGETS: tuple[dict[AgeGroup, int], ...] = (
    {"child": 150, "adolescent": 130, "adult": 130},
    {"child": 140, "adolescent": 120, "adult": 120},
    {"child": 160, "adolescent": 150, "adult": 150},
    {"child": 160, "adolescent": 160, "adult": 160},
)
"""Glucose target by regimen code and age group, mg/dL."""
MEAL_SHARES: tuple[dict[AgeGroup, int], ...] = (
    {"child": 75, "adolescent": 85, "adult": 80},
    {"child": 75, "adolescent": 85, "adult": 80},
    {"child": 75, "adolescent": 85, "adult": 85},
    {"child": 75, "adolescent": 85, "adult": 85},
)
"""Share of grams over carbohydrate ratio that is given, % by regimen code and age group: that
ratio over-corrects in the model, most of all in children."""
ALARMS = (280, 280, 280, 330)
"""Reading above which a person corrects at any time of the day, mg/dL by regimen code."""
_RELAXED = frozenset({"adolescent_001", "adult_002", "adult_008", "child_007"})
_RELAXED_BY = 20
_ON_BOARD_SHARE, _MOST_CORRECTION = 0.1, 0.2
"""Limits as shares of the daily insulin."""

_NUMBERS: dict[Regimen, dict[str, tuple[int, ...]]] = {
    "temporary_basals": {"adolescent": (2, 5, 8), "adult": (2, 5, 8, 10), "child": (3, 6, 9)},
    "pump": {"adolescent": (3, 6), "adult": (3,), "child": (2, 8)},
    "injections": {"adolescent": (9,), "adult": (6, 9), "child": (5, 10)},
}
_REGIMEN_OF: dict[str, Regimen] = {
    f"{group}_{number:03d}": regimen
    for regimen, groups in _NUMBERS.items()
    for group, numbers in groups.items()
    for number in numbers
}
_MILLI = 1000


class Settings(NamedTuple):
    """What the controllers and the bolus calculator know of the patient, all integers.

    Fields: regimen code; scheduled basal (counts); g per U; mg/dL per U; target (mg/dL);
    proportional gain (thousandths of a count per mg/dL); share of the calculated meal dose that is
    given (%); largest correction (counts); rescue carbohydrate (g); step of a bolus (counts); most
    insulin on board for which basal is raised (counts); reading above which a person corrects at
    any time of the day (mg/dL).
    """

    regimen: int
    basal: int
    carbohydrate_ratio: int
    correction_factor: int
    target: int
    gain: int
    meal_share: int
    most_correction: int
    rescue: int
    step: int
    most_on_board: int
    alarm: int


def regimen_of(patient_id: str) -> Regimen:
    """Return how a patient is treated: of the 30, 10 by each closed loop, 5 by pump, 5 by pen.

    A sibling is treated as the patient of the file is.
    """
    return _REGIMEN_OF.get(parent_of(patient_id), "pid")


def therapy_of(patient_id: str) -> Therapy:
    """Return the therapy that a patient's regimen belongs to."""
    return REGIMENS[regimen_of(patient_id)][1]


def settings_of(patient: Patient, regimen: Regimen | None = None) -> Settings:
    """Return the therapy settings of a patient, on the usual regimen or another one."""
    code = REGIMENS[regimen or regimen_of(patient.patient_id)][0]
    relaxed = _RELAXED_BY if parent_of(patient.patient_id) in _RELAXED else 0
    gain = patient.daily_insulin / 4500.0 * COUNTS_PER_UNIT_PER_HOUR * _MILLI
    return Settings(
        regimen=code,
        basal=0 if code == INJECTIONS else basal_counts(patient.basal_u_per_h),
        carbohydrate_ratio=int(patient.carbohydrate_ratio),
        correction_factor=patient.correction_factor,
        target=TARGETS[code][patient.age_group] + relaxed,
        gain=floor(gain + 0.5),
        meal_share=MEAL_SHARES[code][patient.age_group],
        most_correction=floor(patient.daily_insulin * COUNTS_PER_UNIT * _MOST_CORRECTION),
        rescue=10 if patient.age_group == "child" else 15,
        step=_step(patient, code),
        most_on_board=floor(patient.daily_insulin * COUNTS_PER_UNIT * _ON_BOARD_SHARE + 0.5),
        alarm=ALARMS[code],
    )


def _step(patient: Patient, code: int) -> int:
    """Return the step of a bolus: 0.05 U by pump, by pen 1 U, or 0.5 U for a child."""
    if code != INJECTIONS:
        return BOLUS_STEP
    return COUNTS_PER_UNIT // 2 if patient.age_group == "child" else COUNTS_PER_UNIT
