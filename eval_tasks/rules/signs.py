"""Where a record shows the signs of each kind of fault, by plain rules with round thresholds.

They follow the definitions in the instructions, as a careful reader would, and are no more than
that: the floor for models that look at the record.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval_tasks.question import SAMPLE_MINUTES
from eval_tasks.record.shown import Shown

Series = NDArray[np.float64]
Span = tuple[int, int]
"""First and last sample, counted from the first shown one."""
LOWEST, HIGHEST = 40, 400
"""Ends of what a sensor shows, mg/dL."""
NO_BOLUS = ("basal", "long_acting")
_HOUR = 12
_SPIKE_STEP = 40
_JUMP = 40
_SHIFT_STEPS = (25, 80)
_LONGEST_SHIFT = 12 * _HOUR
_LEAST_FROZEN = 13
_REPLAY, _BETWEEN = 24, 12
_CALM, _RAISED = 120, 140
_UNEATEN_GRAMS, _UNEATEN_LOWEST, _UNEATEN_RISE = 30, 65, 20
_MUCH, _LITTLE, _DROP, _ONCE = 1 / 2, 3 / 16, 0.3, 0.1
_MU_PER_MIN = 200
"""What a unit adds to the mean rate of 5 minutes, mU/min."""
_MAIN_MEALS = ("breakfast", "lunch", "dinner")
_LEAST_GRAMS, _ENOUGH = 40, 0.7


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Signals:
    """The shown part of a record as arrays.

    Attributes:
        glucose: mg/dL, NaN where missing.
        background: Insulin without the listed boluses, mU/min, NaN where unknown.
        carbs: Sample and grams of each carbohydrate entry that is no rescue.
        rescues: Sample of each entry that is one.
        boluses: Sample and units of each bolus.
        meals: Sample and grams of each main meal of at least 40 g.
        meal_boluses: Sample of each bolus for a meal.
    """

    glucose: Series
    background: Series
    carbs: tuple[tuple[int, float], ...]
    rescues: tuple[int, ...]
    boluses: tuple[tuple[int, float], ...]
    meals: tuple[tuple[int, float], ...]
    meal_boluses: tuple[int, ...]


def signals_of(shown: Shown) -> Signals:
    """Return the shown part of a record as arrays."""

    def place(event: Mapping[str, Any]) -> int:
        return int((event["time"] - shown.start) // SAMPLE_MINUTES)

    context = shown.context
    boluses = tuple(
        (place(event), event["dosage"])
        for event in context["insulin_events"]
        if event["insulin_type"] not in NO_BOLUS
    )
    background = np.array(context["insulin_mu_min"], dtype=np.float64)
    for sample, units in boluses:
        background[sample] -= _MU_PER_MIN * units
    eaten = context["carb_events"]
    return Signals(
        glucose=np.array(context["bg_mgdl"], dtype=np.float64),
        background=np.round(background, 1),
        carbs=tuple((place(e), e["carbs"]) for e in eaten if e["meal_type"] != "rescue"),
        rescues=tuple(place(e) for e in eaten if e["meal_type"] == "rescue"),
        boluses=boluses,
        meals=tuple(
            (place(event), event["carbs"])
            for event in context["carb_events"]
            if event["meal_type"] in _MAIN_MEALS and event["carbs"] >= _LEAST_GRAMS
        ),
        meal_boluses=tuple(
            place(event)
            for event in context["insulin_events"]
            if event["insulin_type"] == "meal_bolus"
        ),
    )


def spans_of(flags: "NDArray[np.bool_]") -> list[Span]:
    """Return the runs of flagged samples."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8)))
    return [(int(first), int(end) - 1) for first, end in zip(edges[::2], edges[1::2], strict=True)]


def missing(signals: Signals) -> list[Span]:
    """Return the gaps."""
    return spans_of(np.isnan(signals.glucose))


def zeros(signals: Signals) -> list[Span]:
    """Return the runs of 0."""
    return spans_of(signals.glucose == 0)


def spikes(sign: int) -> Callable[[Signals], list[Span]]:
    """Return the rule for single readings far above (1) or below (-1) both neighbours."""

    def rule(signals: Signals) -> list[Span]:
        readings = np.where(signals.glucose > 0, signals.glucose, np.nan)
        steps = sign * np.diff(readings)
        found = np.flatnonzero((steps[:-1] >= _SPIKE_STEP) & (-steps[1:] >= _SPIKE_STEP)) + 1
        return [(int(place), int(place)) for place in found]

    return rule


def shifts(sign: int) -> Callable[[Signals], list[Span]]:
    """Return the rule for readings that jump up (1) or down (-1) and later back."""

    def rule(signals: Signals) -> list[Span]:
        steps = sign * np.diff(np.where(signals.glucose > 0, signals.glucose, np.nan))
        least, most = _SHIFT_STEPS
        jumps = np.flatnonzero((np.abs(steps) >= least) & (np.abs(steps) <= most))
        return [
            (int(jump) + 1, int(back))
            for jump, back in pairwise(jumps)
            if steps[jump] > 0 > steps[back] and 2 < back - jump <= _LONGEST_SHIFT
        ]

    return rule


def frozen(signals: Signals) -> list[Span]:
    """Return the runs of one value, without their first sample."""
    return [
        (first + 1, last)
        for value, first, last in _runs(signals.glucose)
        if last - first + 1 >= _LEAST_FROZEN and value not in (0, LOWEST, HIGHEST)
    ]


def held(value: int) -> Callable[[Signals], list[Span]]:
    """Return the rule for runs at 40 or 400 that begin or end with a jump."""

    def rule(signals: Signals) -> list[Span]:
        readings = signals.glucose
        spans = spans_of(readings == value)
        return [
            (first, last)
            for first, last in spans
            if max(_step(readings, first), _step(readings, last + 1)) >= _JUMP and last > first
        ]

    return rule


def replays(signals: Signals) -> list[Span]:
    """Return the stretches that copy an earlier one value for value, 12 of them no end of range."""
    values = np.nan_to_num(signals.glucose, nan=-1).astype(np.int64).tolist()
    known: dict[tuple[int, ...], int] = {}
    flags = np.zeros(len(values), dtype=np.bool_)
    for place in range(len(values) - _REPLAY + 1):
        window = tuple(values[place : place + _REPLAY])
        between = sum(LOWEST < value < HIGHEST for value in window)
        if known.setdefault(window, place) < place and between >= _BETWEEN:
            flags[place : place + _REPLAY] = True
    return spans_of(flags)


def uneaten(signals: Signals) -> list[Span]:
    """Return the lone carbohydrate entries with a bolus after which readings do not rise."""
    found = []
    for place, grams in signals.carbs:
        alone = sum(abs(place - other) <= 2 * _HOUR for other, _ in signals.carbs) == 1
        dosed = place in signals.meal_boluses
        last = min([place + 2 * _HOUR, *(r for r in signals.rescues if r > place)])
        before, after = signals.glucose[place], signals.glucose[place : last + 1]
        if grams < _UNEATEN_GRAMS or not (alone and dosed and _UNEATEN_LOWEST <= before < _CALM):
            continue
        if np.nanmax(after) <= before + _UNEATEN_RISE:
            found.append((place, place))
    return found


def repeated_doses(signals: Signals) -> list[Span]:
    """Return boluses as large as an earlier one, without carbohydrate, below 120 mg/dL."""
    found, seen = [], set[float]()
    carbs = (*signals.rescues, *(meal for meal, _ in signals.carbs))
    for place, units in signals.boluses:
        near = any(abs(place - meal) <= _HOUR // 2 for meal in carbs)
        if units in seen and units >= 1 and not near and signals.glucose[place] < _CALM:
            found.append((place, place))
        seen.add(units)
    return found


def raised_basal(signals: Signals) -> list[Span]:
    """Return the hours and more of much background insulin that begin below 120 mg/dL."""
    much = signals.background > _MUCH * np.nanmax(signals.background)
    return [
        (first, last)
        for first, last in spans_of(much)
        if last - first + 1 >= _HOUR
        and signals.glucose[first] < _CALM
        and not any(first - _HOUR // 2 <= meal <= last for meal, _ in signals.carbs)
    ]


def lowered_basal(signals: Signals) -> list[Span]:
    """Return the hours and more of little background insulin above 140 mg/dL, after a step down."""
    rate = signals.background
    return [
        (first, last)
        for first, last in _lowered(signals, rate <= _LITTLE * np.nanmax(rate))
        if rate[first] <= _DROP * rate[first - 1] and rate[first : first + _HOUR].min() > 0
    ]


def shut_down(signals: Signals) -> list[Span]:
    """Return the hours and more without background insulin above 140 mg/dL, without a reason."""
    rate = signals.background
    return [
        (first, last)
        for first, last in _lowered(signals, rate == 0)
        if rate[first - 1] >= _ONCE * np.nanmax(rate)
        and signals.glucose[first] >= signals.glucose[first - _HOUR // 4]
        and not any(first - 3 * _HOUR <= bolus <= first for bolus, _ in signals.boluses)
    ]


def undelivered(share: float) -> Callable[[Signals], list[Span]]:
    """Return the rule that names the 3 h from the bolus of the meals that raise glucose most.

    Args:
        share: Of the main meals, those that raise glucose most for each gram.
    """

    def rule(signals: Signals) -> list[Span]:
        rises = [
            (rise, dose)
            for eaten, grams in signals.meals
            if (dose := _dose_for(eaten, signals)) is not None
            and (rise := _rise_per_gram(signals, eaten, grams)) is not None
        ]
        foremost = sorted(rises, reverse=True)[: max(1, round(share * len(rises)))]
        last = len(signals.glucose) - 1
        return [(dose, min(dose + 3 * _HOUR - 1, last)) for _, dose in foremost]

    return rule


SIGNS: Mapping[str, tuple[Callable[[Signals], list[Span]], ...]] = {
    "A reading is missing where": (missing,),
    "A spike is one single reading": (spikes(1), spikes(-1)),
    "An upward spike is": (spikes(1),),
    "A downward spike is": (spikes(-1),),
    "Shifted are readings": (shifts(1), shifts(-1)),
    "Shifted downwards are readings": (shifts(-1),),
    "A frozen sensor repeats": (frozen,),
    "A dropout shows readings": (zeros,),
    "A sensor stuck at the bottom": (held(LOWEST),),
    "A sensor stuck at the top": (held(HIGHEST),),
    "A replay is a stretch": (replays,),
    "A meal that was never eaten": (uneaten,),
    "A repeated dose is a bolus": (repeated_doses,),
    "Too much background insulin": (raised_basal,),
    "Too little background insulin": (lowered_basal, shut_down),
    "Background insulin shut down": (shut_down,),
    "Insulin that is not delivered": (undelivered(0.03),),
    "Insulin that is delivered in part": (undelivered(0.06),),
}
"""Rules by how the definition of a kind begins in an instruction."""


def _dose_for(eaten: int, signals: Signals) -> int | None:
    """Return the sample of the first meal bolus from 40 min before a meal to 20 min after it."""
    near = (dose for dose in signals.meal_boluses if -8 <= dose - eaten <= 4)
    return min(near, default=None)


def _rise_per_gram(signals: Signals, eaten: int, grams: float) -> float | None:
    """Return mean glucose 1 to 4 h after a meal minus that at its start, mg/dL for each gram."""
    later = signals.glucose[eaten + _HOUR : eaten + 4 * _HOUR]
    known = later[later > 0]
    if len(known) < _ENOUGH * 3 * _HOUR or not signals.glucose[eaten] > 0:
        return None
    return float(known.mean() - signals.glucose[eaten]) / grams


def _runs(values: Series) -> Iterator[tuple[float, int, int]]:
    place = 0
    for value, run in groupby(values.tolist()):
        size = sum(1 for _ in run)
        yield value, place, place + size - 1
        place += size


def _step(readings: Series, place: int) -> float:
    """Return by how much a reading differs from the one before; 0 where one does not exist."""
    if not 0 < place < len(readings):
        return 0.0
    return float(np.nan_to_num(abs(readings[place] - readings[place - 1])))


def _lowered(signals: Signals, low: "NDArray[np.bool_]") -> list[Span]:
    """Return the low stretches, no first ones, whose first hour lies above 140 mg/dL throughout."""
    return [
        (first, last)
        for first, last in spans_of(low)
        if last - first + 1 >= _HOUR
        and first >= _HOUR
        and np.min(signals.glucose[first : first + _HOUR]) > _RAISED
    ]
