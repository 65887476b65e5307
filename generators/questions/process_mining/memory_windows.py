"""Process mining, memory: a window, a day or a moment first found, then computed with."""

from functools import partial

from generators.questions.definitions import (
    DAYS_AND_WEEKS,
    EVERY_READING,
    MINUTE_OF_RECORD,
    NO_READING,
    VARIATION,
    WHOLE_DAYS,
    number_answer,
)
from generators.questions.glucose import extreme_day, in_span, mean, minute_of_highest, steady_days
from generators.questions.task import NotApplicable, Task, voiced
from generators.questions.windows import WEEKDAYS, WEEKS, day_of_week, midnight
from generators.trace import Trace

BOUNDS = tuple(range(10, 51))
"""Bounds on the CV of a day that are asked about, %."""


def mean_in_window(
    trace: Trace, *, week: int, weekday: int, start: int, end: int
) -> float | NotApplicable:
    """Return the mean glucose of a clock window (minutes of the day) on a day, mg/dL."""
    first = midnight(day_of_week(week, weekday))
    return in_span(trace, first + start, first + end, mean)


TASKS = (
    Task(
        id="pm_3",
        revision=1,
        type="process_mining",
        level="memory",
        path=("QC", "TR"),
        prototype="time of the highest glucose",
        answer_type="minute",
        unit="min",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When did I reach my highest value of the month?",
                "At what point in the 30 days was my glucose at its very highest?",
            ),
            parent=("When was my child's glucose at its highest in this record?",),
            clinician=(
                "At what time does the recording reach its maximum glucose?",
                "When did the peak reading of the 30 days occur?",
            ),
        ),
        instruction=f"{EVERY_READING} If several readings are equally high, take the first of them "
        "in time. Answer with the time of the highest reading "
        f"{MINUTE_OF_RECORD}.",
        rationale="Find the highest reading, then the first sample that shows it; sample i lies at "
        "minute 5 x i.",
        example=12000,
        answer=minute_of_highest,
    ),
    Task(
        id="pm_14",
        revision=1,
        type="process_mining",
        level="memory",
        path=("TR", "QC"),
        prototype="mean glucose in a window",
        answer_type="number",
        unit="mg/dL",
        decimals=1,
        streams=("glucose",),
        draw={"week": WEEKS, "weekday": WEEKDAYS, "start": tuple(range(0, 1380, 60))},
        derive=lambda _, given: {**given, "end": int(given["start"]) + 120},
        wordings=voiced(
            patient=(
                "What was my average glucose between {start:clock} and {end:clock_end} on "
                "{weekday:weekday} of week {week}?",
                "In week {week}, on {weekday:weekday}, how high was I on average from "
                "{start:clock} to {end:clock_end}?",
            ),
            parent=(
                "Could you tell me my child's mean glucose on {weekday:weekday} of week {week} "
                "from {start:clock} to {end:clock_end}?",
            ),
            clinician=(
                "Give the mean sensor glucose for {start:clock} to {end:clock_end}, "
                "{weekday:weekday}, week {week}.",
                "Week {week}, {weekday:weekday}: average the readings from {start:clock} up to "
                "{end:clock_end}.",
            ),
        ),
        instruction=DAYS_AND_WEEKS
        + " Use the readings of {weekday:weekday} of week {week} from {start:clock} (included) to "
        "{end:clock_end} (not included). "
        f"{NO_READING} " + number_answer("the arithmetic mean of these readings", "mg/dL", 1),
        rationale="Find the day (7 x (week - 1) + weekday), take the 24 samples of the two hours, "
        "and average those that exist.",
        example=151.2,
        answer=mean_in_window,
    ),
    Task(
        id="pm_15",
        revision=1,
        type="process_mining",
        level="memory",
        path=("TR", "QC", "CA"),
        prototype="steady days",
        answer_type="day_list",
        streams=("glucose",),
        draw={"bound": BOUNDS},
        wordings=voiced(
            patient=(
                "On which days did my glucose vary little, with a CV below {bound} %?",
                "Which of my 30 days had a coefficient of variation under {bound} %?",
            ),
            parent=("On which days was my child's CV below {bound} %?",),
            clinician=(
                "List the days whose glucose CV is below {bound} %.",
                "Which days show a coefficient of variation under {bound} %?",
            ),
        ),
        instruction=f"{WHOLE_DAYS} {VARIATION} {NO_READING} "
        "Answer with the list of the days whose CV is below {bound} %, as day numbers (1 to 30) in "
        "ascending order.",
        rationale="For every day compute SD and mean of its readings and from them the CV; keep "
        "the days below the bound.",
        example=[4, 11, 25],
        answer=steady_days,
    ),
    Task(
        id="pm_16",
        revision=1,
        type="process_mining",
        level="memory",
        path=("TR", "QC", "CA"),
        prototype="most variable day",
        answer_type="day",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "On which day did my glucose vary the most, by its CV?",
                "Which was my most unstable day of the month, going by the coefficient of "
                "variation?",
            ),
            parent=("On which day was my child's glucose most variable, by CV?",),
            clinician=(
                "Which day has the highest glucose CV?",
                "Name the day with the largest coefficient of variation.",
            ),
        ),
        instruction=f"{WHOLE_DAYS} {VARIATION} {NO_READING} "
        "Answer with the number (1 to 30) of the day whose CV is highest.",
        rationale="For every day compute SD and mean of its readings and from them the CV; take "
        "the day with the highest.",
        example=12,
        answer=partial(extreme_day, largest=True),
    ),
    Task(
        id="pm_17",
        revision=1,
        type="process_mining",
        level="memory",
        path=("TR", "QC", "CA"),
        prototype="steadiest day",
        answer_type="day",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "On which day was my glucose steadiest, by its CV?",
                "Which day had my lowest coefficient of variation?",
            ),
            parent=("On which day did my child's glucose vary least, by CV?",),
            clinician=(
                "Which day has the lowest glucose CV?",
                "Name the day with the smallest coefficient of variation.",
            ),
        ),
        instruction=f"{WHOLE_DAYS} {VARIATION} {NO_READING} "
        "Answer with the number (1 to 30) of the day whose CV is lowest.",
        rationale="For every day compute SD and mean of its readings and from them the CV; take "
        "the day with the lowest.",
        example=19,
        answer=partial(extreme_day, largest=False),
    ),
)
