"""Which samples of a record lie in a window: on days, at hours, after meals, around exercise.

Every function returns one flag per sample. Windows on the clock are start <= t < end, windows after
a meal (t, t + length], and exercise lasts from its start to its end, both included.
"""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from generators.questions.exercise import end_of
from generators.questions.windows import day_span
from generators.trace import MINUTES_PER_DAY, SAMPLE_MINUTES, MealType, Trace

Mask = NDArray[np.bool_]
Place = Callable[[Trace], Mask]
"""Says for each sample of a trace whether it lies in a window."""

LAST_WEEK = (24, 30)
"""First and last of the last 7 days."""
LAST_WEEKEND = (27, 28)
NIGHT_HOURS = 6
"""The night is 00:00 to 06:00."""
AFTER_LUNCH_MINUTES = 120


def minutes_of(trace: Trace) -> NDArray[np.int64]:
    """Return the minute of each sample."""
    return np.arange(len(trace), dtype=np.int64) * SAMPLE_MINUTES


def in_spans(trace: Trace, spans: Iterable[tuple[int, int]]) -> Mask:
    """Return which samples lie in one of the spans start <= t < end."""
    minutes = minutes_of(trace)
    inside = np.zeros(len(trace), dtype=np.bool_)
    for start, end in spans:
        inside |= (minutes >= start) & (minutes < end)
    return inside


def on_days(trace: Trace, *, first: int, last: int) -> Mask:
    """Return which samples lie on the days first to last."""
    return in_spans(trace, [day_span(first, last)])


def at_hours(trace: Trace, *, start: int, end: int) -> Mask:
    """Return which samples lie in start <= t < end of any day, minutes of the day."""
    time = minutes_of(trace) % MINUTES_PER_DAY
    return np.asarray((time >= start) & (time < end))


def after_meals(trace: Trace, *, meal: MealType, length: int) -> Mask:
    """Return which samples lie in the window after any meal of a kind."""
    starts = [event.minute for event in trace.carbs if event.meal == meal]
    return in_spans(trace, [(start + 1, start + length + 1) for start in starts])


def around_exercise(trace: Trace, *, later: int = 0) -> Mask:
    """Return which samples lie within any bout, or up to so many minutes after its end."""
    return in_spans(trace, [(bout.minute, end_of(bout) + later + 1) for bout in trace.exercise])


IN_LAST_WEEK: Place = partial(on_days, first=LAST_WEEK[0], last=LAST_WEEK[1])
ON_LAST_WEEKEND: Place = partial(on_days, first=LAST_WEEKEND[0], last=LAST_WEEKEND[1])
AT_NIGHT: Place = partial(at_hours, start=0, end=60 * NIGHT_HOURS)
AFTER_LUNCH: Place = partial(after_meals, meal="lunch", length=AFTER_LUNCH_MINUTES)
