"""Temporary basal rates after the rules of oref0, simplified: no model of carbohydrate.

Rules and formulas: reference design of the oref0 project. Deviations from what insulin explains
fade within an hour. While a meal bolus is fresh, insulin on board is meant for the meal and no
reason to stop basal ("bolus snooze"). Slopes and predictions are thousandths of mg/dL.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.simulated.compiled import compiled
from generators.simulated.pump import BASAL_STEP, COUNTS_PER_UNIT
from generators.simulated.therapy import Settings

_MILLI = 1000
_MARGIN = 10
"""Half of the width of the range that is left alone, mg/dL."""
_LEAST_PREDICTED = 40
_FADE = 6
"""Sum of a deviation that fades linearly within an hour, in units of itself."""
_EXPECTED_SAMPLES = 36
_SAMPLES_PER_RATE = 6
"""A temporary rate is set for 30 min."""
_MOST_BASAL = 3
_LAST, _SHORT, _LONG = np.array([[1, 1], [1, 3], [4, 8]])
"""Youngest and oldest reading, in samples, against which a change is measured."""


class Now(NamedTuple):
    """What is known at a sample.

    Fields: index of the sample; reading (mg/dL, at most 0 when there is none); change over the last
    15 min (mg/dL, 0 where unknown); insulin on board beyond scheduled basal and how much of it will
    act within 5 min (counts); target (mg/dL).
    """

    sample: int
    glucose: int
    change: int
    board: int
    activity: int
    target: int


@compiled
def temporary_rate(settings: Settings, cgm: NDArray[np.int16], now: Now, covered: int) -> int:
    """Return the basal rate for this sample, counts.

    Args:
        settings: Settings of the therapy.
        cgm: Readings up to this sample, mg/dL, at most 0 where there is none.
        now: What is known at this sample.
        covered: Sample up to which a meal bolus is fresh.
    """
    glucose, target = now.glucose * _MILLI, now.target * _MILLI
    per_count = settings.correction_factor * _MILLI
    by_insulin = -(now.activity * per_count // COUNTS_PER_UNIT)
    last, short = _slope(cgm, now.sample, _LAST), _slope(cgm, now.sample, _SHORT)
    least = min(last, short)
    deviation = least - by_insulin
    if deviation < 0:
        deviation = min(short, _slope(cgm, now.sample, _LONG)) - by_insulin
    fall = now.board * per_count // COUNTS_PER_UNIT
    eventual = glucose - fall + _FADE * deviation
    floor_side = eventual + max(fall, 0) if now.sample < covered else eventual
    expected = by_insulin + (target - floor_side) // _EXPECTED_SAMPLES
    lowest = target - _MARGIN * _MILLI
    threshold = lowest - (lowest - _LEAST_PREDICTED * _MILLI) // 2
    if min(glucose, floor_side) < threshold:
        return settings.basal if least > max(expected, 0) else 0
    required = 0
    if floor_side < lowest:
        required = (floor_side - target) * COUNTS_PER_UNIT // per_count
    elif eventual >= target + _MARGIN * _MILLI and least >= expected:
        wanted = (min(glucose, eventual) - target) * COUNTS_PER_UNIT // per_count
        required = max(0, min(wanted, settings.most_on_board - now.board))
    return _limited(settings, required)


@compiled
def _limited(settings: Settings, required: int) -> int:
    """Return scheduled basal plus a rate that delivers what is required within 30 min."""
    rate = settings.basal + required // _SAMPLES_PER_RATE
    rate = min(max(rate, 0), _MOST_BASAL * settings.basal)
    return (rate + BASAL_STEP // 2) // BASAL_STEP * BASAL_STEP


@compiled
def _slope(cgm: NDArray[np.int16], sample: int, ages: NDArray[np.int64]) -> int:
    """Return the mean change per 5 min against readings so many samples old, 0 where none is."""
    total, found = 0, 0
    for age in range(ages[0], min(ages[1], sample) + 1):
        if cgm[sample - age] > 0:
            total += (int(cgm[sample]) - int(cgm[sample - age])) * _MILLI // age
            found += 1
    return total // max(found, 1)
