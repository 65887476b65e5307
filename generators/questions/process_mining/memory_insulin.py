"""Process mining, memory: insulin of a day or a week."""

from generators.questions.definitions import (
    DAYS_AND_WEEKS,
    INSULIN_A_DAY,
    LARGEST_BOLUS,
    TOTAL_INSULIN,
    number_answer,
)
from generators.questions.insulin import day_insulin, largest_bolus_of_day, more_at_weekend
from generators.questions.task import Task, voiced
from generators.questions.windows import DAYS, WEEKDAYS, WEEKS

TASKS = (
    Task(
        id="pm_43",
        revision=1,
        type="process_mining",
        level="memory",
        path=("TR", "QC"),
        prototype="insulin of a day",
        answer_type="number",
        unit="U",
        decimals=1,
        streams=("insulin",),
        draw={"week": WEEKS, "weekday": WEEKDAYS},
        wordings=voiced(
            patient=(
                "How much insulin did I get in all on {weekday:weekday} of week {week}?",
                "What was my total daily dose on {weekday:weekday} in week {week}?",
            ),
            parent=(
                "How many units of insulin did my child get on {weekday:weekday} of week {week}?",
            ),
            clinician=(
                "Give the total daily insulin for {weekday:weekday} of week {week}.",
                "Week {week}, {weekday:weekday}: what was the total daily dose?",
            ),
        ),
        instruction=DAYS_AND_WEEKS + " Use {weekday:weekday} of week {week} from 00:00 to 24:00. "
        f"{TOTAL_INSULIN} " + number_answer("the sum", "U", 1),
        rationale="Find the day (7 x (week - 1) + weekday), multiply the sum of its insulin "
        "samples by 5 min, and turn milliunits into units.",
        example=40.5,
        answer=day_insulin,
    ),
    Task(
        id="pm_44",
        revision=1,
        type="process_mining",
        level="memory",
        path=("TR", "QC"),
        prototype="largest bolus of a day",
        answer_type="minute",
        unit="min",
        streams=("insulin",),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "When did I take my largest bolus on day {day}?",
                "At what time of day {day} was my biggest bolus?",
            ),
            parent=("When on day {day} did my child get the largest bolus?",),
            clinician=(
                "At what time was the largest bolus of day {day} given?",
                "Locate the largest bolus of day {day} ({day:weekday_of_day}) in time.",
            ),
        ),
        instruction=f"{LARGEST_BOLUS} "
        "Answer with the time of the largest bolus of day {day} as the minute of the day, in whole "
        "minutes from 00:00 of that day.",
        rationale="Take the boluses of that day, add up what was given at one minute, find the "
        "largest sum, and read off its time.",
        example=750,
        answer=largest_bolus_of_day,
    ),
    Task(
        id="pm_45",
        revision=1,
        type="process_mining",
        level="memory",
        path=("TR", "QC", "CA"),
        prototype="insulin at the weekend",
        answer_type="category",
        options=("yes", "no"),
        streams=("insulin",),
        draw={"week": WEEKS},
        wordings=voiced(
            patient=(
                "Did I get more insulin a day at the weekend than on the weekdays of week {week}?",
                "In week {week}, was my daily insulin higher on Saturday and Sunday than from "
                "Monday to Friday?",
            ),
            parent=(
                "In week {week}, did my child get more insulin a day at the weekend than on "
                "weekdays?",
            ),
            clinician=(
                "Week {week}: does the mean daily insulin at the weekend exceed that on weekdays?",
                "Is the average total daily dose of week {week} higher at the weekend than on "
                "weekdays?",
            ),
        ),
        instruction=DAYS_AND_WEEKS + f" {TOTAL_INSULIN} {INSULIN_A_DAY} "
        "For week {week}, compare the insulin a day of Saturday and Sunday with that of Monday to "
        'Friday. Answer "yes" if the weekend has more insulin a day than the weekdays, else "no".',
        rationale="Sum the insulin of each day that counts, take the mean of the two weekend days "
        "and the mean of the weekdays, and compare.",
        example="<yes|no>",
        answer=more_at_weekend,
    ),
)
