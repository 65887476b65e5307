"""Process mining, descriptive: episodes, fast changes and insulin."""

from generators.questions.definitions import (
    HYPERGLYCAEMIA_EPISODE,
    HYPOGLYCAEMIA_EPISODE,
    LARGEST_BOLUS,
    MINUTE_OF_RECORD,
    NO_READING,
    TOTAL_INSULIN,
    number_answer,
)
from generators.questions.episodes import hyperglycaemia, hypoglycaemia
from generators.questions.glucose import fast_change
from generators.questions.insulin import largest_bolus_of_record, span_insulin, with_last_day
from generators.questions.task import Task, voiced
from generators.questions.windows import DAYS
from generators.trace import Trace

RATES = (3, 4, 5)
"""Rates of change that are asked about, mg/dL/min."""
SPANS = (2, 3, 4, 5, 7, 10, 14)
"""Lengths of spans whose insulin is asked for, days."""


def hypoglycaemia_count(trace: Trace) -> int:
    """Return the number of episodes of hypoglycaemia in the record."""
    return len(hypoglycaemia(trace))


def hyperglycaemia_count(trace: Trace) -> int:
    """Return the number of episodes of hyperglycaemia in the record."""
    return len(hyperglycaemia(trace))


TASKS = (
    Task(
        id="pm_7",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="hypoglycaemia count",
        answer_type="integer",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How many separate lows did I have this month?",
                "Count my hypos over the 30 days: how many were there in all?",
            ),
            parent=("How often did my child go low in this record, counted as separate episodes?",),
            clinician=(
                "State the number of hypoglycaemia episodes over the whole record.",
                "How many distinct episodes below 70 mg/dL does the record hold?",
            ),
        ),
        instruction=f"{HYPOGLYCAEMIA_EPISODE} Answer with the number of episodes in the whole "
        "record, a whole number (0 if none).",
        rationale="Find every row of at least 3 readings below 70 mg/dL, join what is not "
        "separated by 3 readings of 70 mg/dL or more, and count.",
        example=5,
        answer=hypoglycaemia_count,
    ),
    Task(
        id="pm_8",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="hyperglycaemia count",
        answer_type="integer",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How many separate highs did I have this month?",
                "Over the 30 days, how many times did I go above 180 and stay there for a while?",
            ),
            parent=("How many episodes of high glucose did my child have in this record?",),
            clinician=(
                "State the number of hyperglycaemia episodes over the whole record.",
                "How many distinct episodes above 180 mg/dL does the record hold?",
            ),
        ),
        instruction=f"{HYPERGLYCAEMIA_EPISODE} Answer with the number of episodes in the whole "
        "record, a whole number (0 if none).",
        rationale="Find every row of at least 3 readings above 180 mg/dL, join what is not "
        "separated by 3 readings of 180 mg/dL or less, and count.",
        example=60,
        answer=hyperglycaemia_count,
    ),
    Task(
        id="pm_13",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC", "CA"),
        prototype="fast change",
        answer_type="category",
        options=("yes", "no"),
        streams=("glucose",),
        draw={"day": DAYS, "rate": RATES},
        fixed=("rate",),
        wordings=voiced(
            patient=(
                "On day {day}, did my glucose ever change faster than {rate} mg/dL per minute?",
                "Did I rise or drop by more than {rate} mg/dL a minute at any time on day {day}?",
            ),
            parent=(
                "Was there any moment on day {day} when my child's glucose moved faster than "
                "{rate} mg/dL per minute?",
            ),
            clinician=(
                "Day {day}: does any change between neighbouring readings exceed {rate} mg/dL/min?",
                "Did the rate of change exceed {rate} mg/dL/min, up or down, on day {day} "
                "({day:weekday_of_day})?",
            ),
        ),
        instruction="Compare each reading of day {day} (00:00 to 23:55) with the next sample of "
        "that day, 5 min later, where both have a reading. The rate of change is their difference, "
        f"up or down, divided by 5 min. {NO_READING} "
        'Answer "yes" if any rate is faster than {rate} mg/dL/min (exactly {rate} is not faster), '
        'else "no".',
        rationale="Take the differences of neighbouring readings of the day, drop their signs, "
        "find the largest, and compare it with 5 min times the stated rate.",
        example="<yes|no>",
        answer=fast_change,
    ),
    Task(
        id="pm_41",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="total insulin",
        answer_type="number",
        unit="U",
        decimals=1,
        streams=("insulin",),
        draw={"day": DAYS, "days": SPANS},
        derive=with_last_day,
        wordings=voiced(
            patient=(
                "How much insulin did I get in all from day {day} to day {last_day}?",
                "Add up my insulin for the {days} days from day {day} to day {last_day}: how many "
                "units?",
            ),
            parent=(
                "How many units of insulin did my child get from day {day} to day {last_day}?",
            ),
            clinician=(
                "Give the total insulin reported for days {day} to {last_day}.",
                "What is the cumulative insulin dose over the {days} days from day {day} to day "
                "{last_day}?",
            ),
        ),
        instruction="Use the {days} days from day {day} to day {last_day}, both included, each "
        f"from 00:00 to 24:00. {TOTAL_INSULIN} " + number_answer("the sum", "U", 1),
        rationale="Take the insulin samples of these days, multiply their sum by 5 min, and turn "
        "milliunits into units.",
        example=200.5,
        answer=span_insulin,
    ),
    Task(
        id="pm_42",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("ER", "QC", "TR"),
        prototype="largest bolus",
        answer_type="minute",
        unit="min",
        streams=("insulin",),
        wordings=voiced(
            patient=(
                "When did I take my largest bolus of the month?",
                "At what time was the biggest bolus in my whole record?",
            ),
            parent=("When did my child get the largest bolus of these 30 days?",),
            clinician=(
                "When was the largest bolus of the recording given?",
                "Locate the largest bolus in the 30-day record in time.",
            ),
        ),
        instruction=f"{LARGEST_BOLUS} Answer with the time of the largest bolus of the whole "
        f"record {MINUTE_OF_RECORD}.",
        rationale="Add up what was given at each minute as bolus, find the largest sum, and read "
        "off its time.",
        example=20000,
        answer=largest_bolus_of_record,
    ),
)
