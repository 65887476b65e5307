"""Comparisons of weeks, and of parts of days and weeks."""

from generators.questions.glucose import (
    count_below,
    count_in_range,
    in_span,
    in_week,
    percentage,
    standard_deviation,
    variation,
)
from generators.questions.task import NotApplicable
from generators.questions.windows import (
    DAY_PARTS,
    DayPart,
    Readings,
    day_of_week,
    day_span,
    midnight,
)
from generators.trace import Trace

DAY_PART_MARGIN_PERCENT = 5
"""Percentage of the smaller mean SD by which the larger must exceed it."""
LOW_READINGS_MARGIN = 3
"""Readings below 70 mg/dL by which two weeks must differ."""
VARIATION_POINTS = 1
"""Points by which two CVs must differ."""
CHANGE_POINTS = 5
"""Points of time in range from which on it has changed."""
CHANGE_MARGIN = 0.1
"""Points by which a change must stay off that limit, so that rounding decides nothing."""


def _in_range_percent(found: Readings) -> float:
    return percentage(found, count=count_in_range)


def mean_daily_deviation(trace: Trace, week: int, part: DayPart) -> float | NotApplicable:
    """Return the mean of the 7 daily SDs of a part of the day, mg/dL."""
    start, end = DAY_PARTS[part]
    total = 0.0
    for weekday in range(1, 8):
        first = midnight(day_of_week(week, weekday))
        deviation = in_span(trace, first + start, first + end, standard_deviation)
        if isinstance(deviation, NotApplicable):
            return deviation
        total += deviation
    return total / 7


def more_variable_part(
    trace: Trace, *, week: int, part: DayPart, other_part: DayPart
) -> str | NotApplicable:
    """Return which of two parts of the day varies more in a week."""
    if part == other_part:
        return NotApplicable("the two parts of the day are the same")
    one = mean_daily_deviation(trace, week, part)
    other = mean_daily_deviation(trace, week, other_part)
    if isinstance(one, NotApplicable):
        return one
    if isinstance(other, NotApplicable):
        return other
    if one == other or 100 * abs(one - other) < DAY_PART_MARGIN_PERCENT * min(one, other):
        return NotApplicable("the two parts of the day vary nearly equally")
    return part if one > other else other_part


def steadier_part_of_week(trace: Trace, *, week: int) -> str | NotApplicable:
    """Return whether the CV of a week is lower on its weekdays or at its weekend."""
    weekdays = in_span(trace, *day_span(day_of_week(week, 1), day_of_week(week, 5)), variation)
    weekend = in_span(trace, *day_span(day_of_week(week, 6), day_of_week(week, 7)), variation)
    return _lower(weekdays, weekend, ("weekdays", "weekend"))


def steadier_week(trace: Trace, *, week: int, other_week: int) -> str | NotApplicable:
    """Return which of two weeks has the lower CV."""
    if week == other_week:
        return NotApplicable("the two weeks are the same")
    return _lower(
        in_week(trace, week, variation),
        in_week(trace, other_week, variation),
        (f"week {week}", f"week {other_week}"),
    )


def _lower(
    one: float | NotApplicable, other: float | NotApplicable, names: tuple[str, str]
) -> str | NotApplicable:
    if isinstance(one, NotApplicable):
        return one
    if isinstance(other, NotApplicable):
        return other
    if abs(one - other) < VARIATION_POINTS:
        return NotApplicable("the two CVs are nearly equal")
    return names[0] if one < other else names[1]


def fewer_lows(trace: Trace, *, week: int, other_week: int) -> str | NotApplicable:
    """Return whether a week has fewer readings below 70 mg/dL than another."""
    one, other = in_week(trace, week, count_below), in_week(trace, other_week, count_below)
    if isinstance(one, NotApplicable):
        return one
    if isinstance(other, NotApplicable):
        return other
    if abs(one - other) < LOW_READINGS_MARGIN:
        return NotApplicable("the two weeks have nearly as many readings below 70 mg/dL")
    return "yes" if one < other else "no"


def range_change(trace: Trace, *, week: int, other_week: int) -> str | NotApplicable:
    """Return how time in range goes from a week to a later one."""
    if week >= other_week:
        return NotApplicable("the second week is not the later one")
    one = in_week(trace, week, _in_range_percent)
    other = in_week(trace, other_week, _in_range_percent)
    if isinstance(one, NotApplicable):
        return one
    if isinstance(other, NotApplicable):
        return other
    change = other - one
    if abs(abs(change) - CHANGE_POINTS) < CHANGE_MARGIN:
        return NotApplicable("the change is nearly as large as the limit")
    if abs(change) < CHANGE_POINTS:
        return "no change"
    return "increased" if change > 0 else "decreased"
