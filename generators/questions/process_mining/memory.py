"""Process mining, memory: first find the window or the event, then compute."""

from functools import partial

from generators.questions.definitions import (
    BASELINE,
    DAYS_AND_WEEKS,
    NO_READING,
    POST_MEAL_WINDOW,
    number_answer,
)
from generators.questions.events import meal_peak, meal_rise
from generators.questions.process_mining.descriptive import mean_glucose
from generators.questions.task import NotApplicable, Task, Wording
from generators.questions.windows import DAYS, WEEKDAYS, WEEKS, day_of_week, minute_of_day
from generators.trace import MealType, Trace

MAIN_MEALS: tuple[MealType, ...] = ("breakfast", "lunch", "dinner")
RISE_MARGIN = 5
"""mg/dL by which the largest rise must exceed the next for the meal to be asked about."""


def mean_in_window(
    trace: Trace, *, week: int, weekday: int, start: int, end: int
) -> float | NotApplicable:
    """Return the mean glucose of a clock window (minutes of the day) on a day, mg/dL."""
    midnight = minute_of_day(day_of_week(week, weekday))
    return mean_glucose(trace, start=midnight + start, end=midnight + end)


def steepest_meal(trace: Trace, *, day: int) -> str | NotApplicable:
    """Return which main meal of a day raised glucose most."""
    rises: dict[str, int] = {}
    for meal in MAIN_MEALS:
        rise = meal_rise(trace, day=day, meal=meal)
        if isinstance(rise, NotApplicable):
            return rise
        rises[meal] = rise
    second, first = sorted(rises.values())[-2:]
    if first - second < RISE_MARGIN:
        return NotApplicable("the two largest rises are nearly equal")
    return max(rises, key=lambda meal: rises[meal])


TASKS = (
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
        wordings=(
            Wording(
                voice="patient",
                text="What was my average glucose between {start:clock} and {end:clock_end} on "
                "{weekday:weekday} of week {week}?",
            ),
            Wording(
                voice="patient",
                text="In week {week}, on {weekday:weekday}, how high was I on average from "
                "{start:clock} to {end:clock_end}?",
            ),
            Wording(
                voice="parent",
                text="Could you tell me my child's mean glucose on {weekday:weekday} of week "
                "{week} from {start:clock} to {end:clock_end}?",
            ),
            Wording(
                voice="clinician",
                text="Give the mean sensor glucose for {start:clock} to {end:clock_end}, "
                "{weekday:weekday}, week {week}.",
            ),
            Wording(
                voice="clinician",
                text="Week {week}, {weekday:weekday}: average the readings from {start:clock} up "
                "to {end:clock_end}.",
            ),
        ),
        instruction=DAYS_AND_WEEKS
        + " Use the readings of {weekday:weekday} of week {week} from {start:clock} (included) to "
        "{end:clock_end} (not included). "
        + NO_READING
        + " "
        + number_answer("the arithmetic mean of these readings", "mg/dL", 1),
        rationale="Find the day (7 x (week - 1) + weekday), take the 24 samples of the two hours, "
        "and average those that exist.",
        example=151.2,
        answer=mean_in_window,
    ),
    Task(
        id="pm_21",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC"),
        prototype="post-meal peak",
        answer_type="number",
        unit="mg/dL",
        decimals=0,
        streams=("glucose", "carbohydrate"),
        draw={"day": DAYS},
        wordings=(
            Wording(voice="patient", text="How high did I go after lunch on day {day}?"),
            Wording(
                voice="patient",
                text="On day {day}, a {day:weekday_of_day}, what was my highest value after lunch?",
            ),
            Wording(voice="parent", text="What peak did my child reach after lunch on day {day}?"),
            Wording(voice="clinician", text="State the peak glucose following lunch on day {day}."),
            Wording(
                voice="clinician",
                text="What was the post-lunch maximum on day {day} ({day:weekday_of_day})?",
            ),
        ),
        instruction="Find the lunch of day {day} among the carbohydrate entries. "
        + POST_MEAL_WINDOW
        + " "
        + NO_READING
        + " Answer with the highest reading in that window in mg/dL, a whole number.",
        rationale="Find when lunch started on that day, take the readings of the 3 hours after it, "
        "and pick the highest.",
        example=190,
        answer=partial(meal_peak, meal="lunch"),
    ),
    Task(
        id="pm_23",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC", "CA"),
        prototype="meal with the largest rise",
        answer_type="category",
        options=MAIN_MEALS,
        streams=("glucose", "carbohydrate"),
        draw={"day": DAYS},
        wordings=(
            Wording(
                voice="patient",
                text="Which of my main meals on day {day} pushed my glucose up the most?",
            ),
            Wording(
                voice="patient",
                text="Breakfast, lunch or dinner: after which did I rise most on day {day}?",
            ),
            Wording(
                voice="parent",
                text="On day {day}, which main meal raised my child's glucose most?",
            ),
            Wording(
                voice="clinician",
                text="Name the main meal with the largest glucose excursion on day {day}.",
            ),
            Wording(
                voice="clinician",
                text="Compare the rises after the three main meals of day {day}: which is the "
                "largest?",
            ),
        ),
        instruction="Compare breakfast, lunch and dinner of day {day}. The rise after a meal is "
        "the highest reading in the window after it minus its baseline. "
        + POST_MEAL_WINDOW
        + " "
        + BASELINE
        + " "
        + NO_READING
        + ' Answer with the meal that has the largest rise: "breakfast", "lunch" or "dinner".',
        rationale="For each of the three meals find the start, the baseline just before it and the "
        "peak within 3 hours; subtract; take the meal with the largest difference.",
        example="<breakfast|lunch|dinner>",
        answer=steepest_meal,
    ),
)
