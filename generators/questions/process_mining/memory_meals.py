"""Process mining, memory: find a meal, then what glucose does after it."""

from functools import partial

from generators.questions.definitions import NO_READING, baseline_before, signed_answer
from generators.questions.events import (
    MAIN_MEALS,
    meal_peak,
    meal_rate,
    meal_return,
    rises_by_day,
    steepest_meal,
)
from generators.questions.process_mining.meals_by_time import (
    BREAKFAST_PEAK,
    DINNER_RETURN,
    LARGE_DINNERS,
    LARGEST_RISE,
    LUNCH_PEAK,
    PEAK,
    RETURN_MINUTES,
    RISE_OF_DINNERS,
    STEEPEST_MEAL,
    way_back,
)
from generators.questions.task import Task, voiced
from generators.questions.windows import DAYS

RETURNED_PERCENT = 110
RATE_MINUTES = 30
LEAST_GRAMS = tuple(range(30, 151, 10))
"""Sizes of a dinner that are asked about, g."""

TASKS = (
    Task(
        id="pm_21",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC"),
        prototype="peak after lunch",
        answer_type="number",
        unit="mg/dL",
        streams=("glucose", "carbohydrate"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "How high did I go after lunch on day {day}?",
                "On day {day}, a {day:weekday_of_day}, what was my highest value after lunch?",
            ),
            parent=("What peak did my child reach after lunch on day {day}?",),
            clinician=(
                "State the peak glucose following lunch on day {day}.",
                "What was the post-lunch maximum on day {day} ({day:weekday_of_day})?",
            ),
        ),
        instruction="Find the lunch of day {day} among the carbohydrate entries. " + PEAK,
        rationale="Find when lunch started on that day, take the readings of the 3 hours after it, "
        "and pick the highest.",
        example=190,
        answer=partial(meal_peak, meal="lunch"),
        unnamed=LUNCH_PEAK,
    ),
    Task(
        id="pm_22",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC", "TR"),
        prototype="return after dinner",
        answer_type="minute",
        unit="min",
        streams=("glucose", "carbohydrate"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "How long after the start of dinner on day {day} was I back near where I had been "
                "before it?",
                "After dinner on day {day}, how many minutes did it take until my glucose had come "
                "back down?",
            ),
            parent=(
                "How many minutes after dinner on day {day} had my child's glucose come back down "
                "to about where it was before?",
            ),
            clinician=(
                "Give the time from the start of dinner on day {day} to the return of glucose to "
                "within 10 % of baseline.",
                "Dinner of day {day}: how long until glucose has returned from its peak to 1.1 "
                "times baseline?",
            ),
        ),
        instruction="Find the dinner of day {day} among the carbohydrate entries. "
        + way_back("dinner"),
        rationale="Find dinner and the last reading before it, find the peak of the 5 hours after "
        "it, go on from the peak to the first reading at or below 1.1 x baseline, and subtract the "
        "time of the dinner.",
        example=200,
        answer=partial(meal_return, meal="dinner", window=RETURN_MINUTES, percent=RETURNED_PERCENT),
        unnamed=DINNER_RETURN,
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
        wordings=voiced(
            patient=(
                "Which of my main meals on day {day} pushed my glucose up the most?",
                "Breakfast, lunch or dinner: after which did I rise most on day {day}?",
            ),
            parent=("On day {day}, which main meal raised my child's glucose most?",),
            clinician=(
                "Name the main meal with the largest glucose excursion on day {day}.",
                "Compare the rises after the three main meals of day {day}: which is the largest?",
            ),
        ),
        instruction="Compare breakfast, lunch and dinner of day {day}. "
        + LARGEST_RISE
        + 'Answer with the meal that has the largest rise: "breakfast", "lunch" or "dinner".',
        rationale="For each of the three meals find the start, the baseline just before it and the "
        "peak within 3 hours; subtract; take the meal with the largest difference.",
        example="<breakfast|lunch|dinner>",
        answer=steepest_meal,
        unnamed=STEEPEST_MEAL,
    ),
    Task(
        id="pm_24",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC"),
        prototype="rise after the morning snack",
        answer_type="signed",
        unit="mg/dL/min",
        decimals=2,
        streams=("glucose", "carbohydrate"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "How fast did my glucose change over the half hour after my morning snack on day "
                "{day}?",
                "On day {day}, at what rate did I rise or fall in the 30 min after the morning "
                "snack?",
            ),
            parent=(
                "How fast did my child's glucose move in the 30 min after the morning snack on day "
                "{day}?",
            ),
            clinician=(
                "Give the mean rate of glucose change over 30 min after the morning snack on day "
                "{day}.",
                "Day {day}: what was the 30-min rate of change following the morning snack?",
            ),
        ),
        instruction="Find the morning snack of day {day} among the carbohydrate entries "
        f"(morning_snack). {baseline_before('snack')} The end value is the first reading at or "
        f"after 30 min from the start of the snack. {NO_READING} "
        + signed_answer(
            "the end value minus the baseline, divided by the minutes between these two readings",
            "mg/dL/min",
            2,
        ),
        rationale="Find the snack, the last reading before it and the first one from 30 min after "
        "it on; divide their difference by the minutes between them.",
        example=0.75,
        answer=partial(meal_rate, meal="morning_snack", minutes=RATE_MINUTES),
    ),
    Task(
        id="pm_25",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC", "CA"),
        prototype="large dinners",
        answer_type="pair_list",
        streams=("glucose", "carbohydrate"),
        draw={"grams": LEAST_GRAMS},
        wordings=voiced(
            patient=(
                "On which days did I have a dinner of {grams} g or more, and how much did my "
                "glucose rise after each?",
                "List my big dinners (at least {grams} g) with the rise that followed.",
            ),
            parent=(
                "Which days had a dinner of at least {grams} g, and how far did my child's glucose "
                "rise after each of them?",
            ),
            clinician=(
                "List the days with a dinner of at least {grams} g carbohydrate and the glucose "
                "rise after each.",
                "For every dinner with >= {grams} g carbohydrate give the day and the glucose "
                "excursion.",
            ),
        ),
        instruction="Look at the days with exactly one dinner among the carbohydrate entries. Of "
        "these dinners keep those of at least {grams} g. " + RISE_OF_DINNERS,
        rationale="Go through the dinners of at least the stated size that no other carbohydrate "
        "follows within 3 hours; for each subtract the baseline from the peak of those hours.",
        example=[[5, 60], [17, 85]],
        answer=partial(rises_by_day, meal="dinner"),
        unnamed=LARGE_DINNERS,
    ),
    Task(
        id="pm_26",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC"),
        prototype="peak after breakfast",
        answer_type="number",
        unit="mg/dL",
        streams=("glucose", "carbohydrate"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "How high did I go after breakfast on day {day}?",
                "What was my top value after breakfast on day {day}, a {day:weekday_of_day}?",
            ),
            parent=("What peak did my child reach after breakfast on day {day}?",),
            clinician=(
                "State the peak glucose following breakfast on day {day}.",
                "What was the post-breakfast maximum on day {day} ({day:weekday_of_day})?",
            ),
        ),
        instruction="Find the breakfast of day {day} among the carbohydrate entries. " + PEAK,
        rationale="Find when breakfast started on that day, take the readings of the 3 hours after "
        "it, and pick the highest.",
        example=205,
        answer=partial(meal_peak, meal="breakfast"),
        unnamed=BREAKFAST_PEAK,
    ),
)
