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
from generators.questions.task import NearTie, NotApplicable, Prediction, Task, voiced
from generators.questions.windows import DAY_PARTS, Readings, enough, readings
from generators.trace import MINUTES_PER_DAY, Trace

QUARTER_MARGIN = 5
"""mg/dL between the means of the highest and the next quarter of a day."""
MEAN_MARGIN = 5
"""mg/dL between the means of two days."""
RISE_SAMPLES = 6
"""Samples from the start to the end of a 30-min rise."""
RISE_MARGIN_PERCENT = 20
WINDOWS = {"09-13": (9 * 60, 13 * 60), "18-22": (18 * 60, 22 * 60)}
TOO_FEW = NotApplicable("fewer than 70 % of the readings exist")


class Rise(NamedTuple):
    """Place of the reading at which a rise starts, and its height in mg/dL."""

    place: int
    height: float


def steepest_rise(values: Readings) -> Rise | NotApplicable:
    """Return the largest difference of two readings 30 min apart, the first one of several."""
    if not enough(values):
        return TOO_FEW
    rises = values[RISE_SAMPLES:] - values[:-RISE_SAMPLES]
    place = int(np.nanargmax(rises))
    return Rise(place=place, height=float(rises[place]))


def highest_quarter(trace: Trace, *, cut: int, **_: object) -> str | NotApplicable:
    """Return the quarter of the day after the cut whose mean glucose is highest."""
    means: dict[str, float] = {}
    for part, (start, end) in DAY_PARTS.items():
        value = in_span(trace, cut + start, cut + end, mean)
        if isinstance(value, NotApplicable):
            return value
        means[part] = value
    second, first = sorted(means.values())[-2:]
    highest = max(means, key=lambda part: means[part])
    if first - second < QUARTER_MARGIN:
        return NearTie("the two highest quarters are nearly equal", highest)
    return highest


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
    answer = "yes" if today > tomorrow else "no"
    if abs(today - tomorrow) < MEAN_MARGIN:
        return NearTie("the means of the two days are nearly equal", answer)
    return answer


def faster_window(trace: Trace, *, cut: int, **_: object) -> str | NotApplicable:
    """Return which of two windows of the day after the cut has the steeper 30-min rise."""
    heights: list[float] = []
    for start, end in WINDOWS.values():
        rise = steepest_rise(readings(trace, cut + start, cut + end))
        if isinstance(rise, NotApplicable):
            return rise
        heights.append(rise.height)
    one, other = heights
    morning, evening = WINDOWS
    answer = morning if one > other else evening
    if 100 * max(heights) < (100 + RISE_MARGIN_PERCENT) * min(heights) or one == other:
        return NearTie("the two rises are nearly equally fast", answer)
    return answer


TASKS = (
    Task(
        id="pd_0",
        revision=1,
        type="prediction",
        level="pattern",
        path=("PR", "QC", "PC"),
        prototype="highest quarter of tomorrow",
        answer_type="category",
        options=tuple(DAY_PARTS),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": MIDNIGHTS},
        wordings=voiced(
            patient=(
                "In which quarter of tomorrow will my glucose be highest?",
                "Night, morning, afternoon or evening: when will I run highest tomorrow?",
            ),
            parent=("In which part of tomorrow will my child's glucose be highest?",),
            clinician=(
                "Predict the quarter of the coming day with the highest mean glucose.",
                "Which 6-hour part of tomorrow will have the highest average glucose?",
            ),
        ),
        instruction=END_OF_DAY_NOW
        + "The quarters of a day are night (00:00 to 06:00), morning (06:00 to 12:00), afternoon "
        "(12:00 to 18:00) and evening (18:00 to 24:00), each without its end. The highest quarter "
        f"is the one whose readings have the highest mean. {NO_READING} "
        'Answer "night", "morning", "afternoon" or "evening".',
        rationale="Average each quarter over the earlier days, weigh the latest days and the "
        "weekday, see where glucose stands at midnight, and take the quarter that is likely to be "
        "highest.",
        example="<night|morning|afternoon|evening>",
        answer=highest_quarter,
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
        options=tuple(WINDOWS),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": MIDNIGHTS},
        wordings=voiced(
            patient=(
                "When will my glucose rise faster tomorrow, from 09:00 to 13:00 or from 18:00 to "
                "22:00?",
                "Tomorrow, will my steepest half-hour rise be bigger around noon (09-13) or in the "
                "evening (18-22)?",
            ),
            parent=(
                "Will my child's glucose climb faster tomorrow between 09:00 and 13:00 or between "
                "18:00 and 22:00?",
            ),
            clinician=(
                "Which window of tomorrow has the faster 30-min glucose rise: 09-13 or 18-22?",
                "Predict whether tomorrow's steeper 30-min rise falls in 09:00-13:00 or "
                "18:00-22:00.",
            ),
        ),
        instruction=END_OF_DAY_NOW
        + "A 30-min rise is a reading minus the one exactly 30 min before it, both in the same "
        "window; a window holds the readings from its start up to but not including its end. "
        f"Compare the largest 30-min rise of 09:00 to 13:00 with that of 18:00 to 22:00. "
        f'{NO_READING} Answer "09-13" or "18-22", whichever has the larger one. It is only asked '
        f"where it is at least {RISE_MARGIN_PERCENT} % larger.",
        rationale="Find the steepest half hour of both windows on the earlier days and what was "
        "eaten before it, and see which of the two is usually steeper.",
        example="<09-13|18-22>",
        answer=faster_window,
        prediction=Prediction(horizon=DAY_AHEAD),
    ),
)
