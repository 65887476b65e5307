"""Therapies: who is treated how, and the controllers, which see and return integers only.

Hybrid closed loop: PID with insulin feedback (form: Steil et al. 2011; gain proportional to daily
insulin: Panteleon et al. 2006; its size, the limits and the share of a correction are ours, set so
that the group lives as published groups do), automatic corrections, meals announced. Sensor-augmented pump: scheduled basal,
boluses and corrections by hand, suspension before a predicted low.
Quantities are counts (see pump), glucose is whole mg/dL, fractions are parts per million.
"""

from math import floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.simulated.compiled import compiled
from generators.simulated.patients import Patient
from generators.simulated.pump import (
    BASAL_STEP,
    BOLUS_STEP,
    COUNTS_PER_UNIT,
    COUNTS_PER_UNIT_PER_HOUR,
    PARTS,
    basal_counts,
)
from generators.trace import SAMPLE_MINUTES, Therapy

PID, PUMP = 0, 1
"""Codes of the controllers in the compiled loop."""

TARGET, RELAXED_TARGET = 120, 140
CORRECTION_FACTORS: dict[str, int] = {
    "adolescent_001": 16,
    "adolescent_002": 12,
    "adolescent_003": 42,
    "adolescent_004": 25,
    "adolescent_005": 24,
    "adolescent_006": 19,
    "adolescent_007": 13,
    "adolescent_008": 12,
    "adolescent_009": 25,
    "adolescent_010": 41,
    "adult_001": 8,
    "adult_002": 9,
    "adult_003": 18,
    "adult_004": 39,
    "adult_005": 8,
    "adult_006": 18,
    "adult_007": 34,
    "adult_008": 12,
    "adult_009": 7,
    "adult_010": 10,
    "child_001": 149,
    "child_002": 63,
    "child_003": 63,
    "child_004": 149,
    "child_005": 60,
    "child_006": 70,
    "child_007": 37,
    "child_008": 46,
    "child_009": 86,
    "child_010": 59,
}
"""0.9 x the fall in glucose per unit at the nadir after a fasting bolus of 2 % of the daily insulin,
rounded; computed once with the model of this package (a test repeats it)."""

_OPEN_LOOP = frozenset(
    f"{group}_{number:03d}"
    for group, numbers in (
        ("adolescent", (3, 6, 9)),
        ("adult", (3, 6, 9)),
        ("child", (2, 5, 8, 10)),
    )
    for number in numbers
)

_RELAXED = frozenset(
    f"{group}_{number:03d}"
    for group, numbers in (
        ("adolescent", (1, 5, 10)),
        ("adult", (2, 4, 5, 7, 8)),
        ("child", (4, 5, 7, 9)),
    )
    for number in numbers
)

RATE, INTEGRAL, DEPOT, PLASMA, EFFECT, NEXT_CORRECTION, SUSPENDED, SILENT = range(8)
"""Controller state: commanded basal; integral part and the three stages of insulin feedback in
thousandths of a count; sample from which on an automatic correction may be given; samples suspended
in a row; samples without a reading in a row."""
RESCUE_DUE, RESCUE_REST = 8, 9
"""The person: sample at which rescue carbohydrate will be eaten (-1: none planned), sample from
which on a new low is treated."""
WHOLE_SIZE = 10

_MILLI = 1000
_DERIVATIVE_MINUTES = 60
_INTEGRAL_MINUTES_DAY, _INTEGRAL_MINUTES_NIGHT = 450, 150
_KEEP_DEPOT, _KEEP_PLASMA, _KEEP_EFFECT = 95_163, 68_937, 86_899
"""1 - exp(-5/50), 1 - exp(-5/70), 1 - exp(-5/55) in ppm."""
_G_DEPOT, _G_PLASMA, _G_EFFECT = 649_350, 341_280, 9_367
_MOST_BASAL = 2
_LOW, _PREDICTED_LOW = 70, 65
_PUMP_PREDICTED_LOW = 80
_LONGEST_SUSPENSION = 24
_HIGH = 180
_BETWEEN_CORRECTIONS = 12
_CORRECTION_SHARE = 30
_HAND_CORRECTION_ABOVE = 200
_LOW_SHARE, _HAND_SHARE = 50, 70
AFTER_MEAL = 24
"""Samples after a meal bolus without automatic correction."""


class Settings(NamedTuple):
    """What the controllers and the bolus calculator know of the patient, all integers.

    Fields: controller code; scheduled basal (counts); g per U; mg/dL per U; target (mg/dL);
    proportional gain (thousandths of a count per mg/dL); share of the calculated meal dose that is
    given (%); largest correction (counts); rescue carbohydrate (g).
    """

    controller: int
    basal: int
    carbohydrate_ratio: int
    correction_factor: int
    target: int
    gain: int
    meal_share: int
    most_correction: int
    rescue: int


def therapy_of(patient_id: str) -> Therapy:
    """Return how a patient is treated: 20 of the 30 on closed loop, 10 on a pump."""
    return "sensor_augmented_pump" if patient_id in _OPEN_LOOP else "hybrid_closed_loop"


def settings_of(patient: Patient) -> Settings:
    """Return the therapy settings of a patient."""
    closed = therapy_of(patient.patient_id) == "hybrid_closed_loop"
    gain = patient.daily_insulin / 4500.0 * COUNTS_PER_UNIT_PER_HOUR * _MILLI
    return Settings(
        controller=PID if closed else PUMP,
        basal=basal_counts(patient.basal_u_per_h),
        carbohydrate_ratio=int(patient.carbohydrate_ratio),
        correction_factor=CORRECTION_FACTORS[patient.patient_id],
        target=RELAXED_TARGET if patient.patient_id in _RELAXED else TARGET,
        gain=floor(gain + 0.5),
        meal_share=85 if closed else 100,
        most_correction=floor(patient.daily_insulin * COUNTS_PER_UNIT / 10.0),
        rescue=10 if patient.age_group == "child" else 15,
    )


def initial_controller(settings: Settings) -> NDArray[np.int64]:
    """Return the controller state of a patient in steady state on scheduled basal."""
    whole = np.zeros(WHOLE_SIZE, dtype=np.int64)
    whole[RATE] = settings.basal
    whole[INTEGRAL : EFFECT + 1] = settings.basal * _MILLI
    whole[RESCUE_DUE] = -1
    return whole


@compiled
def on_board(reported: NDArray[np.int32], sample: int, basal: int, table: NDArray[np.int64]) -> int:
    """Return the insulin on board beyond scheduled basal, counts."""
    total = 0
    for age in range(1, min(len(table), sample + 1)):
        total += table[age] * (reported[sample - age] - basal)
    return total // PARTS


@compiled
def basal_rate(
    settings: Settings, whole: NDArray[np.int64], sample: int, glucose: int, change: int
) -> int:
    """Return the basal rate that the therapy commands for this sample, counts.

    Args:
        settings: Settings of the therapy.
        whole: Controller state, updated in place.
        sample: Index of the sample.
        glucose: Reading, mg/dL; at most 0 when there is none.
        change: Change over the last 15 min, mg/dL.
    """
    if glucose <= 0:
        whole[SILENT] += 1
        rate = settings.basal if whole[SILENT] > 3 else min(whole[RATE], settings.basal)
    else:
        whole[SILENT] = 0
        if settings.controller == PID:
            rate = _pid(settings, whole, sample, glucose, change)
        else:
            rate = _scheduled(settings, whole, glucose, change)
    whole[RATE] = rate
    return rate


@compiled
def feed_back(whole: NDArray[np.int64], commanded: int) -> None:
    """Pass what was commanded in this sample through the three stages of insulin feedback."""
    whole[DEPOT] += _KEEP_DEPOT * (commanded * _MILLI - whole[DEPOT]) // PARTS
    whole[PLASMA] += _KEEP_PLASMA * (whole[DEPOT] - whole[PLASMA]) // PARTS
    whole[EFFECT] += _KEEP_EFFECT * (whole[PLASMA] - whole[EFFECT]) // PARTS


@compiled
def automatic_correction(
    settings: Settings, whole: NDArray[np.int64], sample: int, glucose: int, trend: tuple[int, int]
) -> int:
    """Return the correction that the closed loop gives by itself, counts.

    At most one an hour, when the 30 min prediction is above 180: 30 % of what the reading asks for
    beyond insulin on board.

    Args:
        settings: Settings of the therapy.
        whole: Controller state, updated in place.
        sample: Index of the sample.
        glucose: Reading, mg/dL; at most 0 when there is none.
        trend: Change over the last 15 min in mg/dL, insulin on board in counts.
    """
    change, board = trend
    due = sample >= whole[NEXT_CORRECTION]
    if settings.controller != PID or not due or min(glucose, glucose + 2 * change) <= _HIGH:
        return 0
    dose = _CORRECTION_SHARE * correction(settings, glucose, board) // 100
    dose = dose // BOLUS_STEP * BOLUS_STEP
    if dose > 0:
        whole[NEXT_CORRECTION] = sample + _BETWEEN_CORRECTIONS
    return dose


@compiled
def hand_correction(settings: Settings, glucose: int, board: int) -> int:
    """Return the correction that a person on a pump gives when looking at the reading, counts."""
    if settings.controller != PUMP or glucose <= _HAND_CORRECTION_ABOVE:
        return 0
    dose = _HAND_SHARE * correction(settings, glucose, board) // 100
    return dose // BOLUS_STEP * BOLUS_STEP


@compiled
def correction(settings: Settings, glucose: int, board: int) -> int:
    """Return what brings glucose to the target beyond insulin on board, counts, at least 0."""
    wanted = (glucose - settings.target) * COUNTS_PER_UNIT // settings.correction_factor
    dose = min(max(wanted - max(board, 0), 0), settings.most_correction)
    return dose // BOLUS_STEP * BOLUS_STEP


@compiled
def meal_bolus(settings: Settings, grams: int, glucose: int) -> int:
    """Return the bolus for announced carbohydrate, less when glucose is below target, counts."""
    dose = grams * COUNTS_PER_UNIT // settings.carbohydrate_ratio * settings.meal_share // 100
    if 0 < glucose < settings.target:
        less = (settings.target - glucose) * COUNTS_PER_UNIT // settings.correction_factor
        dose -= _LOW_SHARE * less // 100
    return max(0, (dose + BOLUS_STEP // 2) // BOLUS_STEP * BOLUS_STEP)


@compiled
def _pid(
    settings: Settings, whole: NDArray[np.int64], sample: int, glucose: int, change: int
) -> int:
    error = glucose - settings.target
    most = _MOST_BASAL * settings.basal * _MILLI
    steep = settings.gain * change * _DERIVATIVE_MINUTES // 15
    pid = settings.gain * error + whole[INTEGRAL] + steep
    wanted = (
        (PARTS + _G_DEPOT + _G_PLASMA + _G_EFFECT) * pid
        - _G_DEPOT * whole[DEPOT]
        - _G_PLASMA * whole[PLASMA]
        - _G_EFFECT * whole[EFFECT]
    ) // PARTS
    if 0 < wanted < most:
        night = sample % 288 < 72
        reset = _INTEGRAL_MINUTES_NIGHT if night else _INTEGRAL_MINUTES_DAY
        moved = whole[INTEGRAL] + settings.gain * error * SAMPLE_MINUTES // reset
        whole[INTEGRAL] = min(max(moved, 0), most)
    if glucose < _LOW or glucose + 2 * change < _PREDICTED_LOW:
        return 0
    counts = int(min(max(wanted, 0), most)) // _MILLI
    return (counts + BASAL_STEP // 2) // BASAL_STEP * BASAL_STEP


@compiled
def _scheduled(settings: Settings, whole: NDArray[np.int64], glucose: int, change: int) -> int:
    low = glucose < _LOW or glucose + 2 * change < _PUMP_PREDICTED_LOW
    if low and whole[SUSPENDED] < _LONGEST_SUSPENSION:
        whole[SUSPENDED] += 1
        return 0
    if not low:
        whole[SUSPENDED] = 0
    return settings.basal
