"""Ten answers to choose from: the right one among what typical mistakes lead to.

Where the right answer stands among the ten in size is drawn before any mistake is looked at, evenly
from first to tenth, and instances whose answer could not stand in each of these places are left
out. So nothing about the options themselves tells the right one: not its letter, its size, its
length or its roundness.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, zip_longest
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from generators.questions.exercise import FALL_MINUTES
from generators.questions.glucose import (
    count_above,
    count_below,
    count_in_range,
    highest,
    lowest,
    mean,
    standard_deviation,
)
from generators.questions.instances import SHOWN_MINUTES, Instance
from generators.questions.task import AnswerType, NotApplicable, Task
from generators.questions.windows import day_span
from generators.streams import Stream
from generators.trace import MINUTES_PER_DAY, SAMPLE_MINUTES, Trace

Number = int | float
Kind = Literal[
    "right",
    "wrong day or window",
    "wrong part of the record",
    "wrong definition",
    "wrong threshold",
    "unit slip",
    "off by one",
    "near",
]
"""What leads to an option; `near` is no mistake but a number near the answer, where mistakes lack."""

CHOICES = 10
ANSWER_TYPES: frozenset[AnswerType] = frozenset({"number", "integer", "signed", "minute"})
LEAST_SHARE = 0.01
"""Relative distance of two options, so that rounding or another convention decides nothing."""
LEAST_STEPS = 2
"""The same in steps of the last digit."""
LEAST_MINUTES = 6
"""The same for minutes: more than the sample by which the start and the end of one differ."""
NEAR_STEPS = 40
"""How far from a small answer a number near it may lie, in steps of the last digit."""
_ROOM = 2 * (CHOICES - 1)
_TRIES = 1000

_OTHER_DEFINITIONS: Mapping[str, Sequence[Any]] = MappingProxyType(
    {
        "of": (mean, highest, lowest, standard_deviation),
        "count": (count_in_range, count_above, count_below),
        "meal": ("breakfast", "lunch", "dinner", "morning_snack", "afternoon_snack"),
        "kind": ("hypoglycaemia", "hyperglycaemia"),
        "window": (60, 120, 180, 240, 300),
        "minutes": (15, 30, 60, 90),
        "percent": (90, 100, 105, 110, 120, 125),
        "at_least": (0, 15, 30, 60, 120, 180),
    }
)
"""What tasks fix in their answer functions, and what is mistaken for it."""
_SHIFTS = (-70, -20, -10, 10, 16, 40)
"""Shifts of all readings that stand for another threshold, mg/dL: 54 or 80 for 70, 140 or 250 for
180."""
_THRESHOLD_UNITS = frozenset({"h", "%", "min", None})
_SLIPS: Mapping[str | None, tuple[float, ...]] = MappingProxyType(
    {
        "mg/dL": (),
        "mg/dL/min": (-1.0, SAMPLE_MINUTES, 1 / SAMPLE_MINUTES),
        "h": (100 / 720, 0.5, 2.0),
        "%": (7.2, 0.5, 2.0),
        "U": (1 / SAMPLE_MINUTES, 0.5, 2.0),
        "min": (1 / SAMPLE_MINUTES, 0.5, 2.0),
    }
)
"""Factors by which an answer is off when a unit is mistaken or a sample counts half or twice; 720 h
are the 30 days of a record."""
_OFFSETS: Mapping[AnswerType, tuple[int, ...]] = MappingProxyType(
    {
        "integer": (-3, -2, -1, 1, 2, 3),
        "minute": (-MINUTES_PER_DAY, -60, -30, -10, 10, 30, 60, MINUTES_PER_DAY),
    }
)
"""What is counted too much or too little: episodes; samples, an hour, day 0 for day 1."""
_PARTS = ((1, 7), (1, 14), (1, 29), (2, 30), (8, 30), (17, 30), (24, 30), (8, 21))
"""Days, first and last, to which a question about the whole record is wrongly restricted."""
_SENSOR = (40, 400)
_HIGHEST: Mapping[str, int] = MappingProxyType(
    {
        "pm_3": SHOWN_MINUTES - SAMPLE_MINUTES,
        "pm_22": 300,
        "pm_32": FALL_MINUTES,
        "pm_36": FALL_MINUTES,
        "pm_42": SHOWN_MINUTES - 1,
        "pm_44": MINUTES_PER_DAY - 1,
    }
)
"""Last possible answer in minutes, where a window or the record ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Ten options and the place of the right one.

    Attributes:
        options: The options in the order in which they are shown, written alike.
        right: Place of the right one, from 0.
        kinds: What leads to each option.
    """

    options: tuple[str, ...]
    right: int
    kinds: tuple[Kind, ...]


def choices(instance: Instance, seed: int) -> Choices | NotApplicable:
    """Return ten options for an instance, or why it allows none.

    Args:
        instance: A question about what is recorded, answered by a number.
        seed: Release seed.
    """
    task, answer = instance.task, instance.answer
    if task.prediction is not None:
        return NotApplicable("a forecast is no choice between numbers near each other")
    if task.answer_type not in ANSWER_TYPES or not isinstance(answer, int | float):
        return NotApplicable("the answer is no number")
    line = _line(task, answer)
    if min(answer - line.low, line.high - answer) < _ROOM * line.distance:
        return NotApplicable("too few numbers are possible on one side of the answer")
    stream = Stream(seed, "choices", task.id, instance.shown.trace_id)
    found = _distractors(instance, line, stream.integer(0, CHOICES - 1), stream)
    if isinstance(found, NotApplicable):
        return found
    order = stream.shuffled([(answer, "right"), *found.items()])
    return Choices(
        options=tuple(_text(value, task) for value, _ in order),
        right=next(place for place, (_, kind) in enumerate(order) if kind == "right"),
        kinds=tuple(kind for _, kind in order),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """Where options may lie: between what bounds and how far from each other."""

    answer: Number
    low: float
    high: float
    distance: float
    step: float

    def fits(self, value: Number, taken: Mapping[Number, Kind]) -> bool:
        """Return whether a value is possible and far enough from the answer and the others."""
        return self.low <= value <= self.high and all(
            abs(value - other) >= self.distance for other in (self.answer, *taken)
        )


def _line(task: Task, answer: Number) -> _Line:
    step = 10.0**-task.decimals
    width = max(abs(answer), NEAR_STEPS * step)
    low, high = answer - width / 2, answer + width
    if task.answer_type != "signed":
        low = max(low, 0.0)
    if task.unit == "mg/dL" and task.answer_type != "signed" and not _spreads(task):
        low, high = max(low, _SENSOR[0]), min(high, _SENSOR[1])
    if task.unit == "%":
        high = min(high, 100.0)
    minutes = task.answer_type == "minute"
    return _Line(
        answer=answer,
        low=low,
        high=min(high, _HIGHEST.get(task.id, high)),
        distance=LEAST_MINUTES if minutes else max(LEAST_STEPS * step, LEAST_SHARE * abs(answer)),
        step=SAMPLE_MINUTES if minutes and answer % SAMPLE_MINUTES == 0 else step,
    )


def _spreads(task: Task) -> bool:
    """Return whether a task asks for a spread, which no bound of the sensor holds."""
    return isinstance(task.answer, partial) and task.answer.keywords.get("of") is standard_deviation


def _distractors(
    instance: Instance, line: _Line, below: int, stream: Stream
) -> dict[Number, Kind] | NotApplicable:
    """Return nine wrong options, so many of them below the answer, mistakes first."""
    room = {True: below, False: CHOICES - 1 - below}
    found: dict[Number, Kind] = {}
    for value, kind in chain(_in_turn(_mistakes(instance), stream), _near(line, stream)):
        side = value < line.answer
        if room[side] and line.fits(value, found):
            found[value] = kind
            room[side] -= 1
        if not any(room.values()):
            return found
    return NotApplicable("no nine distinct options were found")


def _in_turn(
    mistakes: Iterator[tuple[Number, Kind]], stream: Stream
) -> Iterator[tuple[Number, Kind]]:
    """Yield mistakes in random order, one of each kind in turn."""
    by_kind: defaultdict[Kind, list[tuple[Number, Kind]]] = defaultdict(list)
    for value, kind in mistakes:
        by_kind[kind].append((value, kind))
    groups = [stream.shuffled(group) for group in by_kind.values()]
    for turn in zip_longest(*groups):
        yield from (one for one in turn if one is not None)


def _near(line: _Line, stream: Stream) -> Iterator[tuple[Number, Kind]]:
    """Yield random numbers around the answer, on both sides in turn, written like it."""
    for drawn in stream.uniform(_TRIES).tolist():
        for end in (line.low, line.high):
            steps = round((line.answer + (end - line.answer) * drawn) / line.step)
            value = round(steps * line.step, 6)
            yield (int(value) if isinstance(line.answer, int) else value), "near"


def _mistakes(instance: Instance) -> Iterator[tuple[Number, Kind]]:
    """Yield the numbers that typical mistakes lead to, and the mistake."""
    sources: tuple[tuple[Kind, Callable[[Instance], Iterator[object]]], ...] = (
        ("wrong day or window", _other_parameters),
        ("wrong part of the record", _other_parts),
        ("wrong definition", _other_definitions),
        ("wrong threshold", _other_thresholds),
        ("unit slip", _slips),
        ("off by one", _offsets),
    )
    for kind, source in sources:
        for value in source(instance):
            if isinstance(value, int | float):
                yield value, kind


def _other_parameters(instance: Instance) -> Iterator[object]:
    task = instance.task
    for name, values in sorted(task.draw.items()):
        for value in values:
            drawn = {**{key: instance.given[key] for key in task.draw}, name: value}
            given = task.derive(instance.shown, drawn) if task.derive else drawn
            if not isinstance(given, NotApplicable):
                yield task.answered(instance.shown, given)


def _other_parts(instance: Instance) -> Iterator[object]:
    if instance.task.draw:
        return
    for first, last in _PARTS:
        yield instance.task.answered(instance.shown.between(*day_span(first, last)), instance.given)


def _other_definitions(instance: Instance) -> Iterator[object]:
    for answer in _variants(instance.task.answer):
        yield replace(instance.task, answer=answer).answered(instance.shown, instance.given)


def _variants(answer: Any) -> Iterator[Any]:
    """Yield an answer function with one of the definitions that it fixes changed."""
    if not isinstance(answer, partial):
        return
    for name, fixed in answer.keywords.items():
        others = _OTHER_DEFINITIONS.get(name, ())
        for other in (*(one for one in others if one != fixed), *_variants(fixed)):
            yield partial(answer.func, **{**answer.keywords, name: other})


def _other_thresholds(instance: Instance) -> Iterator[object]:
    task = instance.task
    if task.unit in _THRESHOLD_UNITS and "glucose" in task.streams:
        for shift in _SHIFTS:
            yield task.answered(_shifted(instance.shown, shift), instance.given)


def _shifted(trace: Trace, shift: int) -> Trace:
    shifted = np.where(trace.cgm > 0, np.clip(trace.cgm + shift, *_SENSOR), trace.cgm)
    return replace(trace, cgm=shifted.astype(trace.cgm.dtype))


def _slips(instance: Instance) -> Iterator[object]:
    task, answer = instance.task, instance.answer
    if isinstance(answer, int | float):
        for factor in _SLIPS.get(task.unit, ()):
            slipped = replace(task, answer=partial(_constant, factor * answer))
            yield slipped.answered(instance.shown, {})


def _constant(value: float, _: Trace) -> float:
    return value


def _offsets(instance: Instance) -> Iterator[object]:
    if isinstance(instance.answer, int):
        for offset in _OFFSETS.get(instance.task.answer_type, ()):
            yield instance.answer + offset


def _text(value: Number, task: Task) -> str:
    return f"{value:.{task.decimals}f}"
