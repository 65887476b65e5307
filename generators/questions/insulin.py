"""Insulin: totals of the reported series, and boluses."""

from collections import Counter

import numpy as np

from generators.questions.task import Given, NotApplicable
from generators.questions.windows import DAYS, day_of_week, day_span
from generators.trace import MINUTES_PER_DAY, MISSING, SAMPLE_MINUTES, InsulinType, Trace

LEAST_KNOWN_PERCENT = 95
"""Percentage of a span's samples whose insulin must be known for a total to be asked."""
BOLUS_TYPES: tuple[InsulinType, ...] = (
    "meal_bolus",
    "correction_bolus",
    "automatic_correction",
    "unspecified_bolus",
)
WEEKDAYS_TO, WEEKEND_FROM, WEEKEND_TO = 5, 6, 7
"""Weekdays are Monday (1) to Friday (5), the weekend Saturday (6) and Sunday (7)."""
WEEKEND_MARGIN_PERCENT = 3
"""Percentage of the weekday value by which the weekend must differ to be asked about."""
_PER_UNIT = 10_000
"""Tenths of a milliunit in a unit."""


def total_insulin(trace: Trace, start: int, end: int) -> float | NotApplicable:
    """Return the insulin reported in start <= t < end (midnights), U."""
    tenths = trace.insulin[start // SAMPLE_MINUTES : end // SAMPLE_MINUTES]
    known = tenths[tenths != MISSING].astype(np.int64)
    if 100 * known.size < LEAST_KNOWN_PERCENT * tenths.size:
        return NotApplicable("less than 95 % of the insulin is known")
    return int(known.sum()) * SAMPLE_MINUTES / _PER_UNIT


def span_insulin(trace: Trace, *, day: int, last_day: int, **_: object) -> float | NotApplicable:
    """Return the insulin of some days, first and last included, U."""
    return total_insulin(trace, *day_span(day, last_day))


def with_last_day(_: Trace, given: Given) -> Given | NotApplicable:
    """Add the last day of a span of `days` days to the parameters."""
    last = int(given["day"]) + int(given["days"]) - 1
    if last > DAYS[-1]:
        return NotApplicable("the span reaches beyond the record")
    return {**given, "last_day": last}


def day_insulin(trace: Trace, *, week: int, weekday: int) -> float | NotApplicable:
    """Return the insulin of a weekday of a week, U."""
    return total_insulin(trace, *day_span(day_of_week(week, weekday)))


def more_at_weekend(trace: Trace, *, week: int) -> str | NotApplicable:
    """Return whether more insulin a day is reported at the weekend than on weekdays."""
    monday, friday = day_of_week(week, 1), day_of_week(week, WEEKDAYS_TO)
    saturday, sunday = day_of_week(week, WEEKEND_FROM), day_of_week(week, WEEKEND_TO)
    weekdays = total_insulin(trace, *day_span(monday, friday))
    weekend = total_insulin(trace, *day_span(saturday, sunday))
    if isinstance(weekdays, NotApplicable):
        return weekdays
    if isinstance(weekend, NotApplicable):
        return weekend
    one, other = weekend / (sunday - saturday + 1), weekdays / (friday - monday + 1)
    if 100 * abs(one - other) < WEEKEND_MARGIN_PERCENT * other:
        return NotApplicable("insulin a day at the weekend and on weekdays is nearly equal")
    return "yes" if one > other else "no"


def minute_of_largest_bolus(trace: Trace, start: int, end: int) -> int | NotApplicable:
    """Return the minute of the largest bolus in start <= t < end, the first one of several."""
    sizes: Counter[int] = Counter()
    for event in trace.boluses:
        if event.kind in BOLUS_TYPES and start <= event.minute < end:
            sizes[event.minute] += round(1000 * event.units)
    if not sizes:
        return NotApplicable("there is no bolus")
    return max(sizes, key=lambda minute: (sizes[minute], -minute))


def largest_bolus_of_record(trace: Trace) -> int | NotApplicable:
    """Return the minute of the record at which its largest bolus was given."""
    return minute_of_largest_bolus(trace, 0, trace.minutes)


def largest_bolus_of_day(trace: Trace, *, day: int) -> int | NotApplicable:
    """Return the minute of the day at which a day's largest bolus was given."""
    found = minute_of_largest_bolus(trace, *day_span(day))
    return found if isinstance(found, NotApplicable) else found % MINUTES_PER_DAY
