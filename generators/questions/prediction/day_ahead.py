"""Prediction: the day that starts at the cut, as life goes on."""

from typing import NamedTuple

import numpy as np

from generators.questions.definitions import NO_READING, number_answer
from generators.questions.glucose import count_in_range, in_span, mean, percentage
from generators.questions.prediction.cuts import (
    DAY_AHEAD,
    END_OF_DAY_NOW,
    FIRST_DAYS,
    MIDNIGHTS,
)
from generators.questions.task import Given, NearTie, NotApplicable, Prediction, Task, voiced
from generators.questions.windows import Readings, enough, readings
from generators.trace import MINUTES_PER_DAY, Trace

QUARTER_MARGIN = 5
"""mg/dL between the means of two quarters of a day."""
MEAN_MARGIN = 5
"""mg/dL between the means of two days."""
RISE_SAMPLES = 6
"""Samples from the start to the end of a 30-min rise."""
RISE_MARGIN_PERCENT = 20
QUARTERS = {"03-09": "14-20", "04-10": "10-16", "05-11": "11-17"}
"""Pairs of 6-hour quarters of a day that are compared, by their clock hours."""
WINDOWS = {"00-04": "20-24", "03-07": "15-19", "04-08": "08-12"}
"""Pairs of windows of a day in which rises are compared.

Of nearly all pairs one side is higher, or rises faster, in every person: night against any other
quarter, or 09-13 against 18-22. On the days at whose start the release's patients may be asked, and
on those of another seed, these pairs are decided either way, each for three persons in ten or more
of whom it can be asked; which way, the person's record tells. No two pairs share a window, and the
side that seldom fits is sought (`rare`).
"""
TOO_FEW = NotApplicable("fewer than 70 % of the readings exist")
EQUAL = NotApplicable("the two are equal")


class Rise(NamedTuple):
    """Place of the reading at which a rise starts, and its height in mg/dL."""

    place: int
    height: float


def hours(window: str) -> tuple[int, int]:
    """Return start and end of a window that is named by its clock hours, minutes of the day.

    >>> hours("04-10")
    (240, 600)
    """
    return 60 * int(window[:2]), 60 * int(window[3:])


def _with_other_quarter(_shown: Trace, given: Given) -> Given:
    return {**given, "other_part": QUARTERS[str(given["part"])]}


def _with_other_window(_shown: Trace, given: Given) -> Given:
    return {**given, "other_window": WINDOWS[str(given["window"])]}


def steepest_rise(values: Readings) -> Rise | NotApplicable:
    """Return the largest difference of two readings 30 min apart, the first one of several."""
    if not enough(values):
        return TOO_FEW
    rises = values[RISE_SAMPLES:] - values[:-RISE_SAMPLES]
    place = int(np.nanargmax(rises))
    return Rise(place=place, height=float(rises[place]))


def higher_quarter(
    trace: Trace, *, cut: int, part: str, other_part: str, **_: object
) -> str | NotApplicable:
    """Return which of two quarters of the day after the cut has the higher mean glucose.

    Two are compared because the highest of four is too uncertain: on 180 days of the release's 30
    patients, other days agree on it for two patients only.
    """
    one, other = (
        in_span(trace, cut + start, cut + end, mean)
        for start, end in map(hours, (part, other_part))
    )
    if isinstance(one, NotApplicable):
        return one
    if isinstance(other, NotApplicable):
        return other
    if one == other:
        return EQUAL
    higher = part if one > other else other_part
    if abs(one - other) < QUARTER_MARGIN:
        return NearTie("the two quarters are nearly equal", higher)
    return higher


def range_tomorrow(trace: Trace, *, cut: int, **_: object) -> float | NotApplicable:
    """Return the share of the readings of the day after the cut that lie in range, %."""
    return in_span(
        trace, cut, cut + MINUTES_PER_DAY, lambda found: percentage(found, count=count_in_range)
    )


def higher_today(trace: Trace, *, cut: int, **_: object) -> str | NotApplicable:
    """Return whether the mean of the day before the cut exceeds that of the day after it."""
    today = in_span(trace, cut - MINUTES_PER_DAY, cut, mean)
    tomorrow = in_span(trace, cut, cut + MINUTES_PER_DAY, mean)
    if isinstance(today, NotApplicable):
        return today
    if isinstance(tomorrow, NotApplicable):
        return tomorrow
    if today == tomorrow:
        return EQUAL
    answer = "yes" if today > tomorrow else "no"
    if abs(today - tomorrow) < MEAN_MARGIN:
        return NearTie("the means of the two days are nearly equal", answer)
    return answer


def faster_window(
    trace: Trace, *, cut: int, window: str, other_window: str, **_: object
) -> str | NotApplicable:
    """Return which of two windows of the day after the cut has the steeper 30-min rise."""
    one, other = (
        steepest_rise(readings(trace, cut + start, cut + end))
        for start, end in map(hours, (window, other_window))
    )
    if isinstance(one, NotApplicable):
        return one
    if isinstance(other, NotApplicable):
        return other
    if one.height == other.height:
        return EQUAL
    answer = window if one.height > other.height else other_window
    slower, faster = sorted((one.height, other.height))
    if 100 * faster < (100 + RISE_MARGIN_PERCENT) * slower:
        return NearTie("the two rises are nearly equally fast", answer)
    return answer


TASKS = (
    Task(
        id="pd_0",
        revision=1,
        type="prediction",
        level="pattern",
        path=("PR", "QC", "PC"),
        prototype="higher quarter of tomorrow",
        answer_type="category",
        options=(*QUARTERS, *QUARTERS.values()),
        rare=("03-09", "04-10", "11-17"),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": MIDNIGHTS, "part": tuple(QUARTERS)},
        derive=_with_other_quarter,
        wordings=voiced(
            patient=(
                "In which quarter of tomorrow will my glucose be higher, {part} or {other_part}?",
                "When will I run higher tomorrow: from {part} or from {other_part} o'clock?",
            ),
            parent=(
                "In which six hours of tomorrow will my child's glucose be higher, {part} or "
                "{other_part}?",
            ),
            clinician=(
                "Predict which quarter of the coming day has the higher mean glucose, {part} or "
                "{other_part}.",
                "Which 6-hour part of tomorrow will have the higher average glucose: {part} or "
                "{other_part}?",
            ),
        ),
        instruction=END_OF_DAY_NOW
        + "Compare two quarters of tomorrow, {part} and {other_part}. A quarter of a day has six "
        "hours and is named by its clock hours: 04-10 is 04:00 up to but not including 10:00. The "
        f"higher one is that whose readings have the higher mean. {NO_READING} "
        'Answer "{part}" or "{other_part}". It is only asked where the two means differ by at '
        f"least {QUARTER_MARGIN} mg/dL.",
        rationale="Average both quarters over the earlier days, weigh the latest days and the "
        "weekday, see where glucose stands at midnight, and take the quarter that is likely to be "
        "higher.",
        example=f"<{'|'.join((*QUARTERS, *QUARTERS.values()))}>",
        answer=higher_quarter,
        prediction=Prediction(horizon=DAY_AHEAD),
    ),
    Task(
        id="pd_4",
        revision=1,
        type="prediction",
        level="pattern",
        path=("QC",),
        prototype="time in range tomorrow",
        answer_type="number",
        unit="%",
        decimals=1,
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": MIDNIGHTS},
        wordings=voiced(
            patient=(
                "What share of tomorrow will I spend in range?",
                "How much of tomorrow, in percent, will my glucose be in range?",
            ),
            parent=("What percentage of tomorrow will my child be in range?",),
            clinician=(
                "Forecast tomorrow's time in range in percent.",
                "Predict the percentage of tomorrow's readings in 70 to 180 mg/dL.",
            ),
        ),
        instruction=END_OF_DAY_NOW
        + "In range means 70 to 180 mg/dL, both included. The share in percent is 100 x readings "
        f"in range / all readings of tomorrow. {NO_READING} " + number_answer("the share", "%", 1),
        rationale="Work out the share in range of each earlier day, look for differences between "
        "weekdays and the trend of the last days, and expect a value near the typical one.",
        example=70.0,
        answer=range_tomorrow,
        prediction=Prediction(horizon=DAY_AHEAD),
    ),
    Task(
        id="pd_12",
        revision=1,
        type="prediction",
        level="pattern",
        path=("CA", "QC", "PR"),
        prototype="today against tomorrow",
        answer_type="category",
        options=("yes", "no"),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": MIDNIGHTS},
        wordings=voiced(
            patient=(
                "Was my average glucose today higher than it will be tomorrow?",
                "Will my mean tomorrow be lower than today's?",
            ),
            parent=(
                "Was my child's average glucose higher today than it is going to be tomorrow?",
            ),
            clinician=(
                "Does today's mean glucose exceed tomorrow's?",
                "Compare today's mean with the one to be expected tomorrow: is today's higher?",
            ),
        ),
        instruction=END_OF_DAY_NOW
        + f"Compare the mean of today's readings with the mean of tomorrow's. {NO_READING} "
        'Answer "yes" if today\'s mean is higher than tomorrow\'s, else "no". It is only asked '
        f"where the two differ by at least {MEAN_MARGIN} mg/dL.",
        rationale="Average today's readings, compare with the means of the earlier days, and see "
        "whether a usual day tomorrow would lie below or above.",
        example="<yes|no>",
        answer=higher_today,
        prediction=Prediction(horizon=DAY_AHEAD),
    ),
    Task(
        id="pd_17",
        revision=1,
        type="prediction",
        level="pattern",
        path=("CA", "QC", "ER", "PR"),
        prototype="faster rise tomorrow",
        answer_type="category",
        options=(*WINDOWS, *WINDOWS.values()),
        rare=("00-04", "03-07", "08-12"),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": MIDNIGHTS, "window": tuple(WINDOWS)},
        derive=_with_other_window,
        wordings=voiced(
            patient=(
                "When will my glucose rise faster tomorrow, in the hours {window} or "
                "{other_window}?",
                "Tomorrow, will my steepest half-hour rise be bigger in {window} or in "
                "{other_window}?",
            ),
            parent=(
                "Will my child's glucose climb faster tomorrow in the hours {window} or "
                "{other_window}?",
            ),
            clinician=(
                "Which window of tomorrow has the faster 30-min glucose rise: {window} or "
                "{other_window}?",
                "Predict whether tomorrow's steeper 30-min rise falls in {window} or "
                "{other_window}.",
            ),
        ),
        instruction=END_OF_DAY_NOW
        + "A window is named by its clock hours: 04-08 is 04:00 to 08:00. It holds the readings "
        "from its start up to but not including its end. A 30-min rise is a reading minus the one "
        "exactly 30 min before it, both in the same window. Compare the largest 30-min rise of "
        "{window} with that of {other_window}. "
        f'{NO_READING} Answer "{{window}}" or "{{other_window}}", whichever has the larger one. '
        f"It is only asked where it is at least {RISE_MARGIN_PERCENT} % larger.",
        rationale="Find the steepest half hour of both windows on the earlier days and what was "
        "eaten before it, and see which of the two is usually steeper.",
        example=f"<{'|'.join((*WINDOWS, *WINDOWS.values()))}>",
        answer=faster_window,
        prediction=Prediction(horizon=DAY_AHEAD),
    ),
)
