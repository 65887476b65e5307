"""Ten answers to choose from: the right one among what typical mistakes lead to.

Where the right answer stands among the ten in size is drawn before any mistake is looked at, evenly
from first to tenth, and instances whose answer could not stand in each of these places are left
out. So nothing about the options themselves tells the right one: not its letter, its size, its
length or its roundness.
"""

import math
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
from generators.questions.spread import *
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
_OFFSETS=(10,30,60,MINUTES_PER_DAY)
_FACTORS=(math.log(1.8),math.log(3.0))
_SLIPPING={"h","%","U","min"}
_OLD: Mapping[AnswerType, tuple[int, ...]] = MappingProxyType(
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
    stream = Stream(seed, "choices", task.id, instance.shown.trace_id)
    found = _spread(answer, _scale(task, answer), dict(_mistakes(instance)), stream)
    if found is None:
        return NotApplicable("ten options around the answer are not possible")
    order = stream.shuffled(found)
    return Choices(
        options=tuple(_text(value, task) for value, _ in order),
        right=next(place for place, (_, kind) in enumerate(order) if kind == "right"),
        kinds=tuple(kind for _, kind in order),
    )


def _scale(task: Task, answer: Number) -> Scale:
    """Return the scale of a task's options, which depends on no more of the answer than its sign
    and, for minutes, whether it is a multiple of 5."""
    step = 10.0**-task.decimals
    low, high = _bounds(task)
    if task.answer_type != "minute":
        return Scale(
            by_factor=True,
            widths=_FACTORS,
            slips=(math.log(2),) if task.unit in _SLIPPING else (),
            low=low,
            high=high,
            step=step,
            apart=LEAST_STEPS * step,
        )
    return Scale(
        by_factor=False,
        widths=(high / 6, high / 3),
        slips=_OFFSETS,
        low=low,
        high=high,
        step=SAMPLE_MINUTES if answer % SAMPLE_MINUTES == 0 else step,
        apart=LEAST_MINUTES,
    )


def _bounds(task: Task) -> tuple[float, float]:
    if task.answer_type == "signed":
        return -math.inf, math.inf
    if task.unit == "mg/dL" and not _spreads(task):
        return _SENSOR
    if task.answer_type == "minute":
        return 0.0, _HIGHEST[task.id]
    return 0.0, 100.0 if task.unit == "%" else math.inf


def _spreads(task: Task) -> bool:
    """Return whether a task asks for a spread, which no bound of the sensor holds."""
    return isinstance(task.answer, partial) and task.answer.keywords.get("of") is standard_deviation


TRIES=1; REACH=0.05
def _spread(answer, scale, mistakes, stream):
    for _ in range(TRIES):
        drawn = pattern(scale, stream)
        if drawn is None: return None
        right = stream.integer(0, CHOICES-1)
        kinds=["near"]*CHOICES
        values=[scale.rounded(scale.moved(answer, at-drawn.places[right])) for at in drawn.places]
        values[right]=answer; kinds[right]="right"
        slipkind = "unit slip" if scale.by_factor else "off by one"
        def partnered(values, kinds, place):
            o=drawn.partner(place)
            if o is not None:
                x=values[place]+ (float(stream.uniform(1)[0])-.5)*scale.step*(1 if scale.by_factor else 0)
                values[o]=scale.rounded(scale.moved(x, drawn.places[o]-drawn.places[place])); kinds[o]=slipkind
        bases=[right]
        for p in stream.shuffled(range(CHOICES)):
            if p not in bases and drawn.partner(p) not in bases: bases.append(p)
        for p in bases: partnered(values,kinds,p)
        if not scale.holds(values): continue
        for p in bases[1:]:
            near=sorted((scale.distance(values[p],m),m) for m in mistakes if scale.distance(values[p],m)<=REACH*drawn.width)
            for _,m in near:
                v2,k2=list(values),list(kinds)
                v2[p]=m;k2[p]=mistakes[m]
                partnered(v2,k2,p)
                if scale.holds(v2): values,kinds=v2,k2;break
        return list(zip(values,kinds))
    return None


def _mistakes(instance: Instance) -> Iterator[tuple[Number, Kind]]:
    """Yield the numbers that typical mistakes lead to, and the mistake."""
    sources: tuple[tuple[Kind, Callable[[Instance], Iterator[object]]], ...] = (
        ("wrong day or window", _other_parameters),
        ("wrong part of the record", _other_parts),
        ("wrong definition", _other_definitions),
        ("wrong threshold", _other_thresholds),
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


def _text(value: Number, task: Task) -> str:
    return f"{value:.{task.decimals}f}"
