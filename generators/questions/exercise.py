"""Exercise, and what glucose does during and after it."""

from generators.questions.events import after, change_after, mean_rate, minutes_to_return
from generators.questions.glucose import Statistic, days_below, in_span, variation
from generators.questions.task import NotApplicable
from generators.questions.windows import (
    DAYS,
    day_span,
    lowest_place,
    minutes_until,
    readings_after,
)
from generators.trace import ExerciseEvent, Trace

FALL_MINUTES = 240
"""How long after exercise its lowest value and the way back from it are sought."""
STEADY_MINUTES = 120
RECOVERED_PERCENT = 90


def end_of(bout: ExerciseEvent) -> int:
    """Return the minute at which a bout ends."""
    return bout.minute + bout.duration


def lone_bout(trace: Trace, day: int, window: int = 0) -> ExerciseEvent | NotApplicable:
    """Return the one bout that starts on a day, if the record holds the window after it."""
    start, end = day_span(day)
    bouts = [bout for bout in trace.exercise if start <= bout.minute < end]
    if len(bouts) != 1:
        return NotApplicable("not exactly one bout of exercise on the day")
    if end_of(bouts[0]) + window >= trace.minutes:
        return NotApplicable("the record ends within the window after the exercise")
    return bouts[0]


def during_exercise(trace: Trace, *, day: int, of: Statistic) -> float | NotApplicable:
    """Return a statistic of the readings from the start to the end of the bout, both included."""
    bout = lone_bout(trace, day)
    if isinstance(bout, NotApplicable):
        return bout
    return in_span(trace, bout.minute, end_of(bout) + 1, of)


def after_exercise(trace: Trace, *, day: int, window: int, of: Statistic) -> float | NotApplicable:
    """Return a statistic of the readings in the window after the end of the bout."""
    bout = lone_bout(trace, day, window)
    if isinstance(bout, NotApplicable):
        return bout
    return after(trace, end_of(bout), window, of)


def exercise_rate(trace: Trace, *, day: int) -> float | NotApplicable:
    """Return the mean rate from the baseline to the first reading at or after the end, mg/dL/min."""
    bout = lone_bout(trace, day)
    if isinstance(bout, NotApplicable):
        return bout
    return mean_rate(trace, bout.minute, end_of(bout))


def exercise_fall(trace: Trace, *, day: int) -> int | NotApplicable:
    """Return the baseline minus the lowest reading in the 4 h after the bout, mg/dL."""
    bout = lone_bout(trace, day, FALL_MINUTES)
    if isinstance(bout, NotApplicable):
        return bout
    return change_after(trace, bout.minute, end_of(bout), FALL_MINUTES, "fall")


def minutes_to_lowest(trace: Trace, *, day: int) -> int | NotApplicable:
    """Return minutes from the end of the bout to the lowest reading in the 4 h after it."""
    bout = lone_bout(trace, day, FALL_MINUTES)
    if isinstance(bout, NotApplicable):
        return bout
    place = lowest_place(readings_after(trace, end_of(bout), FALL_MINUTES))
    if place is None:
        return NotApplicable("too few readings in the window after the event")
    return minutes_until(end_of(bout), place)


def minutes_to_recovery(trace: Trace, *, day: int) -> int | NotApplicable:
    """Return minutes from the end of the bout until glucose, past its lowest, is back at 90 %."""
    bout = lone_bout(trace, day, FALL_MINUTES)
    if isinstance(bout, NotApplicable):
        return bout
    return minutes_to_return(trace, bout.minute, end_of(bout), FALL_MINUTES, RECOVERED_PERCENT)


def steady_exercise_days(trace: Trace, *, bound: int) -> list[int] | NotApplicable:
    """Return the days with one bout whose CV in the 2 h after it lies below a bound in %.

    Left out are days whose window lacks over 30 % of its readings or reaches beyond the record.
    """
    found = {
        day: after_exercise(trace, day=day, window=STEADY_MINUTES, of=variation) for day in DAYS
    }
    return days_below(
        {day: cv for day, cv in found.items() if not isinstance(cv, NotApplicable)}, bound
    )
