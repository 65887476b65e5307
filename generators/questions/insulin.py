"""Insulin: totals of the reported series, and boluses."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.questions.task import Given, NearTie, NotApplicable
from generators.questions.windows import DAYS, day_of_week, day_span
from generators.trace import (
    MINUTES_PER_DAY,
    MISSING,
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    InsulinType,
    Trace,
)

LEAST_KNOWN_PERCENT = 95
"""Percentage of a day's samples whose insulin must be known for its total to count."""
MOST_TIMES_USUAL = 2
"""How many times the mean of the known samples an unknown one is taken to hold at most."""
LEAST_WEEKDAYS, LEAST_WEEKEND = 4, 2
"""Days of known insulin that weekdays and a weekend need to be compared."""
BOLUS_TYPES: tuple[InsulinType, ...] = (
    "meal_bolus",
    "correction_bolus",
    "automatic_correction",
    "unspecified_bolus",
)
WEEKDAYS_TO, WEEKEND_FROM, WEEKEND_TO = 5, 6, 7
"""Weekdays are Monday (1) to Friday (5), the weekend Saturday (6) and Sunday (7)."""
WEEKEND_MARGIN_PERCENT = 3
"""Percentage of the weekday value beyond which the weekend must differ to be asked about."""
_PER_UNIT = 10_000
"""Tenths of a milliunit in a unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyInsulin:
    """Mean insulin of some days, U a day.

    Attributes:
        least: If the samples whose insulin is unknown hold none, as in the record's totals.
        most: If each of them holds `MOST_TIMES_USUAL` times what the known ones hold on average.
    """

    least: float
    most: float


def _by_day(trace: Trace, start: int, end: int) -> NDArray[np.int64]:
    """Return the insulin samples of start <= t < end (midnights), a row of 288 for each day."""
    samples = trace.insulin[start // SAMPLE_MINUTES : end // SAMPLE_MINUTES]
    days = (end - start) // MINUTES_PER_DAY
    return samples.reshape(days, SAMPLES_PER_DAY).astype(np.int64)


def _enough_known(days: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return for each day whether its insulin is known for at least 95 %."""
    known = np.count_nonzero(days != MISSING, axis=1)
    return np.asarray(100 * known >= LEAST_KNOWN_PERCENT * SAMPLES_PER_DAY)


def _units(known: NDArray[np.int64]) -> float:
    return int(known.sum()) * SAMPLE_MINUTES / _PER_UNIT


def total_insulin(trace: Trace, start: int, end: int) -> float | NotApplicable:
    """Return the insulin reported in start <= t < end (midnights), U.

    It is asked only where insulin is known for at least 95 % of every single day.
    """
    days = _by_day(trace, start, end)
    if not _enough_known(days).all():
        return NotApplicable("less than 95 % of a day's insulin is known")
    return _units(days[days != MISSING])


def daily_insulin(
    trace: Trace, start: int, end: int, *, least_days: int
) -> DailyInsulin | NotApplicable:
    """Return the mean insulin of the days of start <= t < end (midnights).

    Days on which it is known for less than 95 % are left out; at least `least_days` must remain.
    """
    days = _by_day(trace, start, end)
    kept = days[_enough_known(days)]
    if len(kept) < least_days:
        return NotApplicable("insulin is known on too few days")
    known = kept[kept != MISSING]
    least = _units(known) / len(kept)
    unknown_share = (kept.size - known.size) / known.size
    return DailyInsulin(least=least, most=least * (1 + MOST_TIMES_USUAL * unknown_share))


def more_or_less(
    one: DailyInsulin, other: DailyInsulin, *, margin_percent: int
) -> str | NotApplicable:
    """Return whether there is "more" or "less" insulin a day than elsewhere.

    It is asked only where what is unknown cannot decide it: even if that is nothing on the side
    that has more, and as much as it may be on the other, the two must differ by over
    `margin_percent` of the other.
    """
    if one == other:
        return NotApplicable("the insulin a day is equal")
    if one.least > other.least:
        answer, gap, base = "more", one.least - other.most, other.most
    else:
        answer, gap, base = "less", other.least - one.most, other.least
    if 100 * gap > margin_percent * base:
        return answer
    return NearTie("the insulin a day is nearly equal", answer)


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
    """Return whether more insulin a day is reported at the weekend than on weekdays.

    Both days of the weekend and four weekdays must have known insulin.
    """
    monday, friday = day_of_week(week, 1), day_of_week(week, WEEKDAYS_TO)
    saturday, sunday = day_of_week(week, WEEKEND_FROM), day_of_week(week, WEEKEND_TO)
    weekdays = daily_insulin(trace, *day_span(monday, friday), least_days=LEAST_WEEKDAYS)
    weekend = daily_insulin(trace, *day_span(saturday, sunday), least_days=LEAST_WEEKEND)
    if isinstance(weekdays, NotApplicable):
        return weekdays
    if isinstance(weekend, NotApplicable):
        return weekend
    found = more_or_less(weekend, weekdays, margin_percent=WEEKEND_MARGIN_PERCENT)
    if isinstance(found, NotApplicable):
        return found
    return "yes" if found == "more" else "no"


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
