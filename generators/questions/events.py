"""Meals and what glucose does after them."""

import numpy as np

from generators.questions.task import NotApplicable
from generators.questions.windows import baseline, minute_of_day, present, readings_after
from generators.trace import MINUTES_PER_DAY, CarbEvent, MealType, Trace

POST_MEAL_MINUTES = 180
"""A post-meal window is (t, t + 3 h] after a meal that starts at t."""


def lone_meal(
    trace: Trace, day: int, meal: MealType, window: int = POST_MEAL_MINUTES
) -> CarbEvent | NotApplicable:
    """Return the one meal of a kind on a day, if no other carbohydrate starts in its window."""
    start = minute_of_day(day)
    meals = [
        event
        for event in trace.carbs
        if event.meal == meal and start <= event.minute < start + MINUTES_PER_DAY
    ]
    if len(meals) != 1:
        return NotApplicable(f"not exactly one {meal} on the day")
    at = meals[0].minute
    if sum(at <= event.minute <= at + window for event in trace.carbs) > 1:
        return NotApplicable(f"other carbohydrate within the window after {meal}")
    if at + window >= trace.minutes:
        return NotApplicable(f"the record ends within the window after {meal}")
    return meals[0]


def peak_after(trace: Trace, minute: int, length: int = POST_MEAL_MINUTES) -> int | NotApplicable:
    """Return the highest reading in (minute, minute + length], mg/dL."""
    found = present(readings_after(trace, minute, length))
    if found is None:
        return NotApplicable("too few readings in the window after the event")
    return int(np.max(found))


def meal_peak(trace: Trace, *, day: int, meal: MealType) -> int | NotApplicable:
    """Return the highest reading within 3 h after a meal, mg/dL."""
    event = lone_meal(trace, day, meal)
    if isinstance(event, NotApplicable):
        return event
    return peak_after(trace, event.minute)


def meal_rise(trace: Trace, *, day: int, meal: MealType) -> int | NotApplicable:
    """Return peak within 3 h after a meal minus the baseline before it, mg/dL."""
    event = lone_meal(trace, day, meal)
    if isinstance(event, NotApplicable):
        return event
    before = baseline(trace, event.minute)
    if before is None:
        return NotApplicable(f"no reading in the 15 min before {meal}")
    peak = peak_after(trace, event.minute)
    return peak if isinstance(peak, NotApplicable) else peak - before
