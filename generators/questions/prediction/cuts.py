"""Where a record ends and what is said of it: shared by all predictions.

A cut is a minute of the shown record, whose day 1 is a Monday; the reading at the cut is the first
that nobody knows.
"""

import math

from generators.questions.task import Given, NotApplicable
from generators.questions.windows import reading_at
from generators.trace import MINUTES_PER_DAY, SAMPLE_MINUTES, Trace

FIRST_DAYS = (1, 8)
"""A shown record starts on one of these days of the trace, both Mondays."""
SHORTEST, LONGEST = 28 * MINUTES_PER_DAY, 30 * MINUTES_PER_DAY
"""Length of a shown record, minutes."""
ANY_TIME = tuple(range(SHORTEST, LONGEST + 1, SAMPLE_MINUTES))
MIDNIGHTS = tuple(day * MINUTES_PER_DAY for day in (28, 29, 30))
"""Records that end with a day."""
SUNDAY_NIGHT = (28 * MINUTES_PER_DAY,)
DAY_AHEAD = MINUTES_PER_DAY - SAMPLE_MINUTES
"""Minutes from a midnight to the last sample of the day that follows."""
BOLUS_STEP = 0.05
MOST_UNITS = 30.0
"""Largest dose that is given at once, U."""
DOSED_AHEAD = 60
"""Minutes within which a dose may belong to a meal that is still to come."""

_ENDS = (
    "The record ends just before {cut:day_and_clock}, which is now; the last sample shown is the "
    "one 5 min before now. "
)
_AS_EVER = (
    "Life goes on as it did: the person eats, doses and exercises as on other days, and treats "
    "lows. "
)
NOW = _ENDS + _AS_EVER
"""Instruction of a prediction of what happens."""
IF_ADDED = (
    _ENDS + "Predict what happens if what is stated is done now and nothing else until the end of "
    "the asked window. "
)
"""Instruction of a hypothetical that is about to happen."""
END_OF_DAY = (
    "The record ends at midnight, just before {cut:day_and_clock}, which is now; the last sample "
    "shown is the one 5 min before now. Today is the day that has just ended, tomorrow the day "
    "that starts now, from 00:00 up to but not including 24:00. "
)
END_OF_DAY_NOW = END_OF_DAY + _AS_EVER
TONIGHT = "Tonight means the next 00:00 to 06:00 from now on, 06:00 not included. "
NOTHING_ELSE = (
    "nothing else is eaten, not even to treat a low, nothing else is dosed by hand, and there is "
    "no other exercise. Insulin that needs no decision goes on: a pump's basal insulin, adjusted "
    "by itself where dosing is automated, or, with injections, the daily long-acting dose at its "
    "usual hour."
)
"""End of a hypothetical: what is not done, and what goes on."""


def clock_cuts(first: int, last: int) -> tuple[int, ...]:
    """Return cuts between two minutes of the day, both included, on days 29 and 30."""
    return tuple(
        day * MINUTES_PER_DAY + minute
        for day in (28, 29)
        for minute in range(first, last + 1, SAMPLE_MINUTES)
    )


def next_midnight(cut: int) -> int:
    """Return the first midnight at or after a cut."""
    return -(-cut // MINUTES_PER_DAY) * MINUTES_PER_DAY


def last_reading(trace: Trace, cut: int) -> int | NotApplicable:
    """Return the last reading that is shown, mg/dL."""
    value = reading_at(trace, cut - SAMPLE_MINUTES)
    return NotApplicable("the last reading before the cut is missing") if value is None else value


def reading_ahead(trace: Trace, minute: int) -> int | NotApplicable:
    """Return the reading at a minute after the cut, mg/dL."""
    value = reading_at(trace, minute)
    return NotApplicable("there is no reading at the asked time") if value is None else value


def unsettled(shown: Trace) -> NotApplicable | None:
    """Return why nothing can be added now: a dose may wait for its meal."""
    since = shown.minutes - DOSED_AHEAD
    if any(event.kind == "meal_bolus" and event.minute >= since for event in shown.boluses):
        return NotApplicable("the person has already dosed for a meal")
    return None


def settled(shown: Trace, given: Given) -> Given | NotApplicable:
    """Return the parameters as they are, where something can be added now."""
    return unsettled(shown) or given


def dose(shown: Trace, units: float) -> float | NotApplicable:
    """Return a dose in the steps of the patient's device, one step at least, U.

    A pump gives steps of 0.05 U, a pen steps of 1 U, or of 0.5 U for a child.
    """
    step = BOLUS_STEP
    if shown.profile.therapy == "multiple_daily_injections":
        step = 0.5 if shown.profile.age_group == "child" else 1.0
    if units > MOST_UNITS:
        return NotApplicable("the dose is larger than is given at once")
    return round(max(1, math.floor(units / step + 0.5)) * step, 2)


def meal_dose(shown: Trace, share: float, grams: int) -> float | NotApplicable:
    """Return a share of the dose that the carbohydrate ratio asks for, U."""
    ratio = shown.profile.carbohydrate_ratio
    if ratio is None:
        return NotApplicable("the carbohydrate ratio is unknown")
    return dose(shown, share * grams / ratio)
