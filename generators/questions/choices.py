"""Ten answers to choose from: the right one among what typical mistakes lead to.

The ten are made so that they look alike to whoever sees only them. Where a question asks for one of
many days, weeks or hours, the others are the answers for nine more. Elsewhere a pattern of ten
places is drawn first (`spread`), the right answer takes any of them, and mistakes stand where they
lie near another; a slip that leaves a plain relation, such as twice the answer, joins any two
places. What is left to guess from is what is known of people at large: mean glucose is seldom 300.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
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
from generators.questions.spread import PLACES, Pattern, Scale, pattern
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
"""What leads to an option; `near` is no mistake but a number near the others, where mistakes lack."""

CHOICES = PLACES
ANSWER_TYPES: frozenset[AnswerType] = frozenset({"number", "integer", "signed", "minute"})
LEAST_STEPS = 2
"""Least distance of two options in steps of the last digit, so that rounding or another convention
decides nothing; `spread.LEAST_SHARE` is the relative one."""
LEAST_MINUTES = 6
"""The same for minutes: more than the sample by which the start and the end of one differ."""
_FACTORS = (math.log(1.25), math.log(1.7))
"""Least and greatest width of a pattern, narrow enough that no knowledge of people at large tells
the answer from the others, as far as ten options so far apart allow."""
_HOURS = (180.0, 360.0)
"""The same in minutes, where answers are times of a day or lengths."""
_DAYS = (5.0 * MINUTES_PER_DAY, 10.0 * MINUTES_PER_DAY)
"""The same where answers are times of the whole record."""
_REACH = 0.1
"""How far from a place of the pattern a mistake may lie, as a share of its width."""
_PATTERNS = 2
"""Patterns that are tried: the more, the more answers near a bound are asked, and the more the
bound tells of them."""

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
_DOUBLED = frozenset({"h", "%", "U", "min"})
"""Units of sums and shares, which are off by 2 when a sample counts for half or twice its time."""
_OFFSETS = (10, 30, 60, MINUTES_PER_DAY)
"""Minutes by which a time is off: samples, an hour, day 0 for day 1."""
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
"""Last possible answer in minutes, where a window or the record ends; else no longer than a day."""


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
    scale = _scale(task, answer)
    found = _of_one_kind(instance, scale, stream) or _on_a_pattern(
        answer, scale, _unlike(instance, answer), stream
    )
    if found is None:
        return NotApplicable("ten options around the answer are not possible")
    order = stream.shuffled(found)
    return Choices(
        options=tuple(_text(value, task) for value, _ in order),
        right=next(place for place, (_, kind) in enumerate(order) if kind == "right"),
        kinds=tuple(kind for _, kind in order),
    )


def _scale(task: Task, answer: Number) -> Scale:
    """Return the scale of a task's options; of the answer it depends on no more than its lattice."""
    step = 10.0**-task.decimals
    low, high = _bounds(task)
    if task.answer_type != "minute":
        return Scale(
            by_factor=True,
            widths=_FACTORS,
            slips=(math.log(2),) if task.unit in _DOUBLED else (),
            low=low,
            high=high,
            step=step,
            apart=LEAST_STEPS * step,
        )
    days = high > MINUTES_PER_DAY
    return Scale(
        by_factor=False,
        widths=_DAYS if days else _HOURS,
        slips=_OFFSETS if days else _OFFSETS[:-1],
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
        return 0.0, _HIGHEST.get(task.id, MINUTES_PER_DAY)
    return 0.0, 100.0 if task.unit == "%" else math.inf


def _spreads(task: Task) -> bool:
    """Return whether a task asks for a spread, which no bound of the sensor holds."""
    return isinstance(task.answer, partial) and task.answer.keywords.get("of") is standard_deviation


def _of_one_kind(
    instance: Instance, scale: Scale, stream: Stream
) -> Sequence[tuple[Number, Kind]] | None:
    """Return the answers for ten days, weeks or hours, of which the question asks for one.

    Which one was itself drawn, so the ten are alike in everything; None if too few differ.
    """
    answer = instance.answer
    for name in stream.shuffled(sorted(instance.task.draw)):
        others = {one for one in _along(instance, name) if isinstance(one, int | float)}
        taken = [answer] if isinstance(answer, int | float) else []
        for other in stream.shuffled(sorted(others)):
            if len(taken) < CHOICES and scale.holds([*taken, other]):
                taken.append(other)
        if len(taken) == CHOICES:
            return [(taken[0], "right"), *((one, "wrong day or window") for one in taken[1:])]
    return None


def _on_a_pattern(
    answer: Number, scale: Scale, mistakes: Mapping[Number, Kind], stream: Stream
) -> Sequence[tuple[Number, Kind]] | None:
    """Return options on a pattern that leaves the place of the answer open, None if none fits.

    A mistake stands wherever one lies near a place of the pattern, and a number near it elsewhere.
    """
    for _ in range(_PATTERNS):
        drawn = pattern(scale, stream)
        found = drawn and _along_it(drawn, answer, scale, mistakes, stream)
        if found:
            return found
    return None


def _along_it(
    drawn: Pattern, answer: Number, scale: Scale, mistakes: Mapping[Number, Kind], stream: Stream
) -> Sequence[tuple[Number, Kind]] | None:
    right = stream.integer(0, CHOICES - 1)
    targets = [scale.moved(answer, place - drawn.places[right]) for place in drawn.places]
    options: list[tuple[Number, Kind]] = [(scale.rounded(target), "near") for target in targets]
    put = partial(_put, drawn=drawn, scale=scale, stream=stream)
    options = put(options, right, (answer, "right"))
    free = [place for place in stream.shuffled(drawn.firsts) if place not in drawn.pair(right)]
    for place in free:
        options = put(options, place, options[place])
    if not _hold(options, scale):
        return None
    for place in free:
        near = sorted(
            (distance, value)
            for value in mistakes
            if (distance := scale.distance(targets[place], value)) <= _REACH * drawn.width
        )
        tried = (put(options, place, (value, mistakes[value])) for _, value in near)
        options = next((found for found in tried if _hold(found, scale)), options)
    return options


def _put(
    options: Sequence[tuple[Number, Kind]],
    place: int,
    option: tuple[Number, Kind],
    *,
    drawn: Pattern,
    scale: Scale,
    stream: Stream,
) -> list[tuple[Number, Kind]]:
    """Return the options with one put in a place, and what a slip makes of it in its partner's."""
    changed = [*options]
    changed[place] = option
    for other in drawn.pair(place):
        if other != place:
            distance = drawn.places[other] - drawn.places[place]
            slip: Kind = "unit slip" if scale.by_factor else "off by one"
            changed[other] = (scale.slipped(option[0], distance, stream), slip)
    return changed


def _hold(options: Sequence[tuple[Number, Kind]], scale: Scale) -> bool:
    return scale.holds([value for value, _ in options])


def _unlike(instance: Instance, answer: Number) -> dict[Number, Kind]:
    """Return what mistakes lead to, without times a whole number of days from the answer.

    Only a part of the record that starts on another day leads there, and always from the answer.
    """
    days = instance.task.answer_type == "minute"
    return {
        value: kind
        for value, kind in reversed(list(_mistakes(instance)))
        if not (days and (value - answer) % MINUTES_PER_DAY == 0)
    }


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
    for name in sorted(instance.task.draw):
        yield from _along(instance, name)


def _along(instance: Instance, name: str) -> Iterator[object]:
    """Yield the answers for each value of one parameter, the others as they are."""
    task = instance.task
    for value in task.draw[name]:
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
