"""What controllers and people decide at a sample: they see and return integers only.

PID with insulin feedback: form after Steil et al. 2011, gain proportional to daily insulin after
Panteleon et al. 2006; its size, the limits and the share of a correction are ours, set so that the
group lives as published groups do. Temporary basals: see temporary_basals. Sensor-augmented pump:
scheduled basal, boluses and corrections by hand, suspension before a predicted low. Injections:
boluses and corrections at meals only.

Fractions are parts per million.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.simulated.compiled import compiled
from generators.simulated.pump import BASAL_STEP, COUNTS_PER_UNIT, PARTS
from generators.simulated.temporary_basals import Now, temporary_rate
from generators.simulated.therapy import PID, PUMP, TEMPORARY_BASALS, Settings
from generators.trace import SAMPLE_MINUTES, SAMPLES_PER_DAY

(
    RATE,
    INTEGRAL,
    DEPOT,
    PLASMA,
    EFFECT,
    NEXT_CORRECTION,
    SUSPENDED,
    SILENT,
    MEAL_COVERED,
    NEXT_ALARM,
) = range(10)
"""Controller state: commanded basal; integral part and the three stages of insulin feedback in
thousandths of a count; sample from which on an automatic correction may be given; samples suspended
in a row; samples without a reading in a row; sample up to which insulin on board counts as meant
for a meal; sample from which on an alarm of high glucose is heeded."""
RESCUE_DUE, RESCUE_REST = 10, 11
"""The person: sample at which rescue carbohydrate will be eaten (-1: none planned), sample from
which on a new low is treated."""
WHOLE_SIZE = 12
_SAMPLES = (NEXT_CORRECTION, MEAL_COVERED, NEXT_ALARM, RESCUE_REST)
"""What of the state is a sample, beside RESCUE_DUE."""

EXERCISE_TARGET = 150
"""Target of a closed loop from an hour before exercise to its end, mg/dL."""

WAKING, SLEEPING = 78, 270
"""Samples of the day between which a person is awake."""

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
_BETWEEN_ALARMS = 24
_LOW_SHARE, _HAND_SHARE = 50, 70
_AFTER_MEAL = 24
"""Samples after a meal bolus without automatic correction."""


class Boluses(NamedTuple):
    """Boluses of a sample in counts: for a meal, to correct by hand or automatically."""

    meal: int
    correction: int
    automatic: int


def initial_controller(settings: Settings) -> NDArray[np.int64]:
    """Return the controller state of a patient in steady state on scheduled basal."""
    whole = np.zeros(WHOLE_SIZE, dtype=np.int64)
    whole[RATE] = settings.basal
    whole[INTEGRAL : EFFECT + 1] = settings.basal * _MILLI
    whole[RESCUE_DUE] = -1
    return whole


def earlier(whole: NDArray[np.int64], samples: int) -> NDArray[np.int64]:
    """Return the state of controller and person in a run that starts so many samples later."""
    moved = whole.copy()
    for place in _SAMPLES:
        moved[place] -= samples
    if whole[RESCUE_DUE] >= 0:
        moved[RESCUE_DUE] -= samples
    return moved


@compiled
def basal_rate(
    settings: Settings, whole: NDArray[np.int64], cgm: NDArray[np.int16], now: Now
) -> int:
    """Return the basal rate that the therapy commands for this sample, counts.

    Args:
        settings: Settings of the therapy.
        whole: Controller state, updated in place.
        cgm: Readings up to this sample, mg/dL, at most 0 where there is none.
        now: What is known at this sample.
    """
    if now.glucose <= 0:
        whole[SILENT] += 1
        rate = settings.basal if whole[SILENT] > 3 else min(whole[RATE], settings.basal)
    else:
        whole[SILENT] = 0
        if settings.regimen == PID:
            rate = _pid(settings, whole, now)
        elif settings.regimen == TEMPORARY_BASALS:
            rate = temporary_rate(settings, cgm, now, whole[MEAL_COVERED])
        else:
            rate = _scheduled(settings, whole, now)
    whole[RATE] = rate
    return rate


@compiled
def boluses(
    settings: Settings, whole: NDArray[np.int64], now: Now, asked: tuple[int, int, int]
) -> Boluses:
    """Return the boluses of this sample.

    Args:
        settings: Settings of the therapy.
        whole: Controller state, updated in place.
        now: What is known at this sample.
        asked: Grams announced, 1 where the person looks whether to correct, counts dosed by hand.
    """
    grams, looks, by_hand = asked
    meal, extra = 0, 0
    if grams > 0:
        meal = meal_bolus(settings, grams, now.glucose)
        extra = correction(settings, now)
    elif looks == 1:
        extra = hand_correction(settings, now)
    elif awake(now.sample) and now.sample >= whole[NEXT_ALARM] and now.glucose > settings.alarm:
        extra = correction(settings, now)
        whole[NEXT_ALARM] = now.sample + _BETWEEN_ALARMS
    if meal + by_hand > 0:
        whole[NEXT_CORRECTION] = now.sample + _AFTER_MEAL
        whole[MEAL_COVERED] = now.sample + _AFTER_MEAL
    return Boluses(meal, extra, automatic_correction(settings, whole, now))


@compiled
def awake(sample: int) -> bool:
    """Return whether a person is awake at a sample."""
    return WAKING <= sample % SAMPLES_PER_DAY < SLEEPING


@compiled
def feed_back(whole: NDArray[np.int64], commanded: int) -> None:
    """Pass what was commanded in this sample through the three stages of insulin feedback."""
    whole[DEPOT] += _KEEP_DEPOT * (commanded * _MILLI - whole[DEPOT]) // PARTS
    whole[PLASMA] += _KEEP_PLASMA * (whole[DEPOT] - whole[PLASMA]) // PARTS
    whole[EFFECT] += _KEEP_EFFECT * (whole[PLASMA] - whole[EFFECT]) // PARTS


@compiled
def automatic_correction(settings: Settings, whole: NDArray[np.int64], now: Now) -> int:
    """Return the correction that the closed loop gives by itself, counts.

    At most one an hour, when the 30 min prediction is above 180: 30 % of what the reading asks for
    beyond insulin on board.
    """
    closed = settings.regimen <= TEMPORARY_BASALS
    due = now.sample >= whole[NEXT_CORRECTION]
    if not closed or not due or min(now.glucose, now.glucose + 2 * now.change) <= _HIGH:
        return 0
    dose = _CORRECTION_SHARE * correction(settings, now) // 100 // settings.step * settings.step
    if dose > 0:
        whole[NEXT_CORRECTION] = now.sample + _BETWEEN_CORRECTIONS
    return dose


@compiled
def hand_correction(settings: Settings, now: Now) -> int:
    """Return the correction that a person on a pump gives when looking at the reading, counts."""
    if settings.regimen != PUMP or now.glucose <= _HAND_CORRECTION_ABOVE:
        return 0
    return _HAND_SHARE * correction(settings, now) // 100 // settings.step * settings.step


@compiled
def correction(settings: Settings, now: Now) -> int:
    """Return what brings glucose to the target beyond insulin on board, counts, at least 0."""
    wanted = (now.glucose - now.target) * COUNTS_PER_UNIT // settings.correction_factor
    dose = min(max(wanted - max(now.board, 0), 0), settings.most_correction)
    return dose // settings.step * settings.step


@compiled
def meal_bolus(settings: Settings, grams: int, glucose: int) -> int:
    """Return the bolus for announced carbohydrate, less when glucose is below target, counts."""
    dose = grams * COUNTS_PER_UNIT // settings.carbohydrate_ratio * settings.meal_share // 100
    if 0 < glucose < settings.target:
        less = (settings.target - glucose) * COUNTS_PER_UNIT // settings.correction_factor
        dose -= _LOW_SHARE * less // 100
    return max(0, (dose + settings.step // 2) // settings.step * settings.step)


@compiled
def _pid(settings: Settings, whole: NDArray[np.int64], now: Now) -> int:
    error = now.glucose - now.target
    most = _MOST_BASAL * settings.basal * _MILLI
    steep = settings.gain * now.change * _DERIVATIVE_MINUTES // 15
    pid = settings.gain * error + whole[INTEGRAL] + steep
    wanted = (
        (PARTS + _G_DEPOT + _G_PLASMA + _G_EFFECT) * pid
        - _G_DEPOT * whole[DEPOT]
        - _G_PLASMA * whole[PLASMA]
        - _G_EFFECT * whole[EFFECT]
    ) // PARTS
    if 0 < wanted < most:
        night = now.sample % 288 < 72
        reset = _INTEGRAL_MINUTES_NIGHT if night else _INTEGRAL_MINUTES_DAY
        moved = whole[INTEGRAL] + settings.gain * error * SAMPLE_MINUTES // reset
        whole[INTEGRAL] = min(max(moved, 0), most)
    if now.glucose < _LOW or now.glucose + 2 * now.change < _PREDICTED_LOW:
        return 0
    counts = int(min(max(wanted, 0), most)) // _MILLI
    return (counts + BASAL_STEP // 2) // BASAL_STEP * BASAL_STEP


@compiled
def _scheduled(settings: Settings, whole: NDArray[np.int64], now: Now) -> int:
    low = now.glucose < _LOW or now.glucose + 2 * now.change < _PUMP_PREDICTED_LOW
    if low and whole[SUSPENDED] < _LONGEST_SUSPENSION:
        whole[SUSPENDED] += 1
        return 0
    if not low:
        whole[SUSPENDED] = 0
    return settings.basal
