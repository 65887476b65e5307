"""Meals, and what glucose does after an event that starts or ends at a minute."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from generators.questions.task import Given, NotApplicable
from generators.questions.windows import (
    DAYS,
    Readings,
    baseline,
    day_span,
    enough,
    midnight,
    minutes_until,
    present,
    reading_from,
    reading_until,
    readings_after,
)
from generators.trace import MINUTES_PER_DAY, CarbEvent, MealType, Trace

POST_MEAL_MINUTES = 180
"""A post-meal window is (t, t + 3 h] after a meal that starts at t."""
LATEST_READING = 15
"""Minutes by which a reading may be late (or a baseline early)."""
MAIN_MEALS: tuple[MealType, ...] = ("breakfast", "lunch", "dinner")
NEAR_MINUTES = 60
"""Nothing else is eaten within so many minutes of the clock time that stands for a meal's name."""
_CLOCK_STEP = 30
RISE_MARGIN = 5
"""mg/dL by which the largest rise must exceed the next for the meal to be asked about."""
Direction = Literal["rise", "fall"]
NO_BASELINE = NotApplicable("no reading in the 15 min before the event")
TOO_FEW_AFTER = NotApplicable("too few readings in the window after the event")


def meals_on(trace: Trace, day: int, meal: MealType, *, inferred: bool = False) -> list[CarbEvent]:
    """Return the meals of a kind on a day: those that the record names so, or only a guess does."""
    start, end = day_span(day)
    return [
        event
        for event in trace.carbs
        if event.meal == meal and event.inferred == inferred and start <= event.minute < end
    ]


def stands_alone(trace: Trace, minute: int, window: int) -> bool:
    """Return whether one carbohydrate event alone starts in [minute, minute + window]."""
    return sum(minute <= event.minute <= minute + window for event in trace.carbs) == 1


def lone_meal(
    trace: Trace,
    day: int,
    meal: MealType,
    window: int = POST_MEAL_MINUTES,
    around: int | None = None,
) -> CarbEvent | NotApplicable:
    """Return the one meal of a kind on a day, if no other carbohydrate starts in its window.

    Args:
        trace: The record.
        day: Day of the record.
        meal: Its name.
        window: Minutes that must be free of other carbohydrate and lie within the record.
        around: Minute of the day that tells the meal where the record does not name it: it is the
            one entry within an hour.
    """
    if around is None:
        return _lone(trace, meals_on(trace, day, meal), meal, window)
    at = midnight(day) + around
    near = [event for event in trace.carbs if abs(event.minute - at) <= NEAR_MINUTES]
    return _lone(trace, near, meal, window)


def _lone(
    trace: Trace, meals: Sequence[CarbEvent], name: str, window: int
) -> CarbEvent | NotApplicable:
    if len(meals) != 1:
        return NotApplicable(f"not exactly one {name} on the day")
    at = meals[0].minute
    if not stands_alone(trace, at, window):
        return NotApplicable(f"other carbohydrate within the window after {name}")
    if at + window >= trace.minutes:
        return NotApplicable(f"the record ends within the window after {name}")
    return meals[0]


def clock_of_inferred(trace: Trace, day: int, meal: MealType) -> int | NotApplicable:
    """Return the half hour, as minute of the day, around which a meal with a guessed name starts."""
    meals = meals_on(trace, day, meal, inferred=True)
    if len(meals) != 1:
        return NotApplicable(f"no entry of the day is clearly the {meal} by time and size")
    minute = meals[0].minute % MINUTES_PER_DAY
    return (minute + _CLOCK_STEP // 2) // _CLOCK_STEP * _CLOCK_STEP


def around_inferred(trace: Trace, given: Given, *, meal: MealType) -> Given | NotApplicable:
    """Add the time of day around which a meal with a guessed name starts, as `around`."""
    around = clock_of_inferred(trace, int(given["day"]), meal)
    return around if isinstance(around, NotApplicable) else {**given, "around": around}


def around_each_inferred(trace: Trace, given: Given) -> Given | NotApplicable:
    """Add such a time for each main meal, under the meal's name."""
    clocks: dict[str, int] = {}
    for meal in MAIN_MEALS:
        around = clock_of_inferred(trace, int(given["day"]), meal)
        if isinstance(around, NotApplicable):
            return around
        clocks[meal] = around
    return {**given, **clocks}


def never_named(trace: Trace, given: Given, *, meal: MealType) -> Given | NotApplicable:
    """Return the parameters as they are, where the record names no meal so."""
    if any(event.meal == meal and not event.inferred for event in trace.carbs):
        return NotApplicable(f"the record names some {meal}, but not every one")
    return given


def after(
    trace: Trace, minute: int, length: int, of: Callable[[Readings], float]
) -> float | NotApplicable:
    """Return a statistic of the readings in (minute, minute + length]."""
    found = present(readings_after(trace, minute, length))
    return TOO_FEW_AFTER if found is None else of(found)


def change_after(
    trace: Trace, start: int, end: int, length: int, direction: Direction
) -> int | NotApplicable:
    """Return how far glucose goes up (or down) from the baseline before an event, mg/dL.

    Args:
        trace: The record.
        start: Minute at which the event starts.
        end: Minute after which the extreme is sought; the start for a meal.
        length: For how many minutes it is sought.
        direction: `rise` for highest minus baseline, `fall` for baseline minus lowest.
    """
    before = baseline(trace, start)
    if before is None:
        return NO_BASELINE
    sign = 1 if direction == "rise" else -1
    furthest = after(trace, end, length, lambda found: float(np.max(sign * (found - before))))
    return furthest if isinstance(furthest, NotApplicable) else int(furthest)


def minutes_to_return(
    trace: Trace, start: int, end: int, length: int, percent: int
) -> int | NotApplicable:
    """Return how long after `end` glucose is back at a percentage of the baseline.

    Above 100 % the way back is down, from the highest reading in (end, end + length]; below 100 %
    it is up, from the lowest. The extreme must lie beyond, and the first reading after it that
    does not is the return.

    Args:
        trace: The record.
        start: Minute at which the event starts; the baseline lies before it.
        end: Minute after which the extreme is sought; the start for a meal.
        length: For how many minutes both are sought.
        percent: Percentage of the baseline.
    """
    before = baseline(trace, start)
    if before is None:
        return NO_BASELINE
    values = readings_after(trace, end, length)
    if not enough(values):
        return TOO_FEW_AFTER
    beyond = (100 * values - percent * before) * (1 if percent > 100 else -1)
    extreme = int(np.nanargmax(beyond))
    if beyond[extreme] <= 0:
        return NotApplicable(f"glucose does not pass {percent} % of the baseline")
    back = np.flatnonzero(beyond[extreme:] <= 0)
    if not back.size:
        return NotApplicable(f"glucose is not back at {percent} % of the baseline in time")
    return minutes_until(end, extreme + int(back[0]))


def mean_rate(trace: Trace, start: int, end: int) -> float | NotApplicable:
    """Return the mean rate of change from before `start` to `end`, mg/dL/min.

    It runs from the last reading at or before the start to the first at or after the end, neither
    more than 15 min away.
    """
    before, then = reading_until(trace, start), reading_from(trace, end)
    if before is None:
        return NO_BASELINE
    if then is None:
        return NotApplicable("no reading in the 15 min from the end on")
    return (then[1] - before[1]) / (then[0] - before[0])


def meal_peak(
    trace: Trace, *, day: int, meal: MealType, around: int | None = None
) -> int | NotApplicable:
    """Return the highest reading within 3 h after a meal, mg/dL."""
    event = lone_meal(trace, day, meal, around=around)
    if isinstance(event, NotApplicable):
        return event
    peak = after(trace, event.minute, POST_MEAL_MINUTES, np.max)
    return peak if isinstance(peak, NotApplicable) else int(peak)


def meal_rise(
    trace: Trace, *, day: int, meal: MealType, around: int | None = None
) -> int | NotApplicable:
    """Return peak within 3 h after a meal minus the baseline before it, mg/dL."""
    event = lone_meal(trace, day, meal, around=around)
    if isinstance(event, NotApplicable):
        return event
    return change_after(trace, event.minute, event.minute, POST_MEAL_MINUTES, "rise")


def meal_return(
    trace: Trace, *, day: int, meal: MealType, window: int, percent: int, around: int | None = None
) -> int | NotApplicable:
    """Return minutes from a meal until glucose, past its peak, is back at a share of baseline."""
    event = lone_meal(trace, day, meal, window, around)
    if isinstance(event, NotApplicable):
        return event
    return minutes_to_return(trace, event.minute, event.minute, window, percent)


def meal_rate(trace: Trace, *, day: int, meal: MealType, minutes: int) -> float | NotApplicable:
    """Return the mean rate of change over the first minutes after a meal starts, mg/dL/min."""
    event = lone_meal(trace, day, meal, minutes + LATEST_READING)
    if isinstance(event, NotApplicable):
        return event
    return mean_rate(trace, event.minute, event.minute + minutes)


def steepest_meal(
    trace: Trace,
    *,
    day: int,
    breakfast: int | None = None,
    lunch: int | None = None,
    dinner: int | None = None,
) -> str | NotApplicable:
    """Return which main meal of a day raised glucose most.

    Args:
        trace: The record.
        day: Day of the record.
        breakfast: Minute of the day around which it starts, where the record does not name it.
        lunch: Likewise.
        dinner: Likewise.
    """
    rises: dict[str, int] = {}
    for meal, around in zip(MAIN_MEALS, (breakfast, lunch, dinner), strict=True):
        rise = meal_rise(trace, day=day, meal=meal, around=around)
        if isinstance(rise, NotApplicable):
            return rise
        rises[meal] = rise
    second, first = sorted(rises.values())[-2:]
    if first - second < RISE_MARGIN:
        return NotApplicable("the two largest rises are nearly equal")
    return max(rises, key=lambda meal: rises[meal])


def rises_by_day(
    trace: Trace, *, meal: MealType, grams: int, inferred: bool = False
) -> list[list[int]] | NotApplicable:
    """Return [day, rise] of the meals of at least so many grams, where that is some, not all.

    Counted are days with exactly one such meal, no other carbohydrate in its window, and a window
    that lies within the record.

    Args:
        trace: The record.
        meal: Which meal.
        grams: Least size.
        inferred: Whether the meals are those that only a guess names so.
    """
    events = {
        day: _lone(trace, meals_on(trace, day, meal, inferred=inferred), meal, POST_MEAL_MINUTES)
        for day in DAYS
    }
    counted = {day: e for day, e in events.items() if not isinstance(e, NotApplicable)}
    if not counted:
        return NotApplicable(f"no {meal} can be judged")
    large = {day: event.minute for day, event in counted.items() if event.grams >= grams}
    if not large or len(large) == len(counted):
        return NotApplicable(f"no {meal}, or every one, is as large as stated")
    pairs: list[list[int]] = []
    for day, at in large.items():
        rise = change_after(trace, at, at, POST_MEAL_MINUTES, "rise")
        if isinstance(rise, NotApplicable):
            return rise
        pairs.append([day, rise])
    return pairs
