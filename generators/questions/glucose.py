"""Statistics of readings, shared by all tasks.

The ranges and the coefficient of variation are those of the consensus on CGM metrics (Battelino et
al. 2019). Every statistic takes the readings that exist, in mg/dL.
"""

from collections.abc import Callable

import numpy as np

from generators.questions.episodes import HYPERGLYCAEMIA, HYPOGLYCAEMIA
from generators.questions.task import NotApplicable
from generators.questions.windows import (
    DAYS,
    Readings,
    day_span,
    is_present,
    present,
    readings,
    week_span,
)
from generators.trace import SAMPLE_MINUTES, SAMPLES_PER_HOUR, Trace

Statistic = Callable[[Readings], float]
VARIATION_MARGIN = 0.05
"""Points by which a CV must stay off a stated bound, so that rounding it decides nothing."""
EXTREME_DAY_MARGIN = 0.1
"""Points of CV between the first and the second day where one day is asked for."""


def mean(found: Readings) -> float:
    """Return the arithmetic mean."""
    return float(np.mean(found))


def highest(found: Readings) -> int:
    """Return the highest reading."""
    return int(np.max(found))


def lowest(found: Readings) -> int:
    """Return the lowest reading."""
    return int(np.min(found))


def standard_deviation(found: Readings) -> float:
    """Return the standard deviation of a sample (n - 1)."""
    return float(np.std(found, ddof=1))


def variation(found: Readings) -> float:
    """Return the coefficient of variation, %."""
    return 100 * standard_deviation(found) / mean(found)


def count_in_range(found: Readings) -> int:
    """Return how many readings lie in 70 to 180 mg/dL, both included."""
    return int(np.count_nonzero((found >= HYPOGLYCAEMIA) & (found <= HYPERGLYCAEMIA)))


def count_above(found: Readings) -> int:
    """Return how many readings exceed 180 mg/dL."""
    return int(np.count_nonzero(found > HYPERGLYCAEMIA))


def count_below(found: Readings) -> int:
    """Return how many readings lie below 70 mg/dL."""
    return int(np.count_nonzero(found < HYPOGLYCAEMIA))


def hours(found: Readings, *, count: Callable[[Readings], int]) -> float:
    """Return the time that the counted readings stand for, h."""
    return count(found) / SAMPLES_PER_HOUR


def percentage(found: Readings, *, count: Callable[[Readings], int]) -> float:
    """Return the share of the readings that is counted, %."""
    return 100 * count(found) / found.size


def in_span(trace: Trace, start: int, end: int, of: Statistic) -> float | NotApplicable:
    """Return a statistic of the readings of start <= t < end."""
    found = present(readings(trace, start, end))
    if found is None:
        return NotApplicable("fewer than 70 % of the readings exist")
    return of(found)


def in_record(trace: Trace, *, of: Statistic) -> float | NotApplicable:
    """Return a statistic of the whole record."""
    return in_span(trace, 0, trace.minutes, of)


def in_week(trace: Trace, week: int, of: Statistic) -> float | NotApplicable:
    """Return a statistic of a week."""
    return in_span(trace, *week_span(week), of)


def daily_variation(trace: Trace) -> dict[int, float]:
    """Return the CV in % of every day that has at least 70 % of its readings."""
    found = {day: in_span(trace, *day_span(day), variation) for day in DAYS}
    return {day: cv for day, cv in found.items() if not isinstance(cv, NotApplicable)}


def days_below(values: dict[int, float], bound: float) -> list[int] | NotApplicable:
    """Return the days whose CV lies below a bound, where they are neither none nor all."""
    if any(abs(value - bound) < VARIATION_MARGIN for value in values.values()):
        return NotApplicable("a CV lies within 0.05 points of the bound")
    if not values:
        return NotApplicable("no day has a CV")
    below = [day for day, value in values.items() if value < bound]
    if not below or len(below) == len(values):
        return NotApplicable("no day, or every day, lies below the bound")
    return below


def steady_days(trace: Trace, *, bound: int) -> list[int] | NotApplicable:
    """Return the days whose CV lies below a bound in %."""
    return days_below(daily_variation(trace), bound)


def extreme_day(trace: Trace, *, largest: bool) -> int | NotApplicable:
    """Return the day of the highest or of the lowest CV."""
    ranked = sorted(daily_variation(trace).items(), key=lambda pair: pair[1], reverse=largest)
    if len(ranked) < 2:
        return NotApplicable("fewer than two days have 70 % of their readings")
    (day, first), (_, second) = ranked[:2]
    if abs(first - second) < EXTREME_DAY_MARGIN:
        return NotApplicable("the CVs of the two foremost days are nearly equal")
    return day


def minute_of_highest(trace: Trace) -> int | NotApplicable:
    """Return the minute of the record's highest reading, the first one of several."""
    if present(readings(trace, 0, trace.minutes)) is None:
        return NotApplicable("fewer than 70 % of the readings exist")
    return int(np.argmax(np.where(is_present(trace), trace.cgm, 0))) * SAMPLE_MINUTES


def fast_change(trace: Trace, *, day: int, rate: int) -> str | NotApplicable:
    """Return whether two neighbouring readings of a day differ by more than `rate` mg/dL/min."""
    values = readings(trace, *day_span(day))
    if present(values) is None:
        return NotApplicable("fewer than 70 % of the readings exist")
    return "yes" if np.any(np.abs(np.diff(values)) > rate * SAMPLE_MINUTES) else "no"
