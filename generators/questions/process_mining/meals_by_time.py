"""How questions about meals are asked where the record does not name them: by their time of day.

Recordings of real people seldom say what a meal was. A name guessed from time and size
(`generators.real_world.meals`) chooses which entries are asked about; neither record nor question
passes it off as known.
"""

from functools import partial

from generators.questions.definitions import NO_READING, baseline_before, window_after
from generators.questions.events import (
    POST_MEAL_MINUTES,
    around_each_inferred,
    around_inferred,
    never_named,
    rises_by_day,
)
from generators.questions.task import Unnamed, voiced

RETURN_MINUTES = 300
"""How long the way back after a dinner is followed."""

PEAK = (
    f"{window_after('meal', POST_MEAL_MINUTES)} {NO_READING} "
    "Answer with the highest reading in that window in mg/dL, a whole number."
)
"""End of an instruction that asks for the peak after a meal."""
LARGEST_RISE = (
    "The rise after a meal is the highest reading in the window after it minus its baseline. "
    f"{window_after('meal', POST_MEAL_MINUTES)} {baseline_before('meal')} {NO_READING} "
)
"""Definition of the rise after a meal."""
RISE_OF_DINNERS = (
    "Leave out a dinner if another carbohydrate entry of any kind starts at the same time or up to "
    "and including 180 min later, or if the minute 180 min later is not before the end of the "
    "record (24:00 on day 30). The rise after a dinner is the highest reading in the window after "
    "it minus its baseline. "
    f"{window_after('dinner', POST_MEAL_MINUTES)} {baseline_before('dinner')} {NO_READING} "
    "Answer with a list of pairs [day, rise], in order of the days: the day number (1 to 30) "
    "and the rise in mg/dL, a whole number."
)
"""End of an instruction that asks for the rises after dinners."""


def way_back(event: str) -> str:
    """Return the end of an instruction that asks for the way back after a dinner."""
    return (
        f"{window_after(event, RETURN_MINUTES)} {baseline_before(event)} The peak is the "
        "highest reading in the window, the first of them if several are equally high. Glucose is "
        "back at the first reading after the peak that is at most 1.1 x the baseline. "
        f"{NO_READING} "
        f"Answer with the minutes from the start of the {event} to that reading, a whole number."
    )


_ENTRY = (
    "The record does not say which meal it was. The meal is the one carbohydrate entry of day {day} that "
    "starts at most 60 min before or after {around:clock}. "
)

LUNCH_PEAK = Unnamed(
    meals=("lunch",),
    derive=partial(around_inferred, meal="lunch"),
    wordings=voiced(
        patient=(
            "How high did I go after the meal around {around:clock} on day {day}?",
            "On day {day}, a {day:weekday_of_day}, what was my highest value after what I ate "
            "around {around:clock}?",
        ),
        parent=("What peak did my child reach after the meal around {around:clock} on day {day}?",),
        clinician=(
            "State the peak glucose following the meal around {around:clock} on day {day}.",
            "What was the maximum after the {around:clock} meal on day {day} "
            "({day:weekday_of_day})?",
        ),
    ),
    instruction=_ENTRY + PEAK,
    rationale="Find the entry near that time of the day, take the readings of the 3 hours after "
    "it, and pick the highest.",
)

BREAKFAST_PEAK = Unnamed(
    meals=("breakfast",),
    derive=partial(around_inferred, meal="breakfast"),
    wordings=voiced(
        patient=(
            "How far up did my glucose go after the meal around {around:clock} on day {day}?",
            "What was my top value after eating around {around:clock} on day {day}, a "
            "{day:weekday_of_day}?",
        ),
        parent=(
            "How high did my child's glucose get after the meal around {around:clock} on day "
            "{day}?",
        ),
        clinician=(
            "Report the highest glucose following the meal around {around:clock} on day {day}.",
            "Day {day} ({day:weekday_of_day}), meal around {around:clock}: what was the maximum "
            "after it?",
        ),
    ),
    instruction=_ENTRY + PEAK,
    rationale="Find the entry near that time of the day, take the readings of the 3 hours after "
    "it, and pick the highest.",
)

DINNER_RETURN = Unnamed(
    meals=("dinner",),
    derive=partial(around_inferred, meal="dinner"),
    wordings=voiced(
        patient=(
            "How long after the start of the meal around {around:clock} on day {day} was I back "
            "near where I had been before it?",
            "After what I ate around {around:clock} on day {day}, how many minutes did it take "
            "until my glucose had come back down?",
        ),
        parent=(
            "How many minutes after the meal around {around:clock} on day {day} had my child's "
            "glucose come back down to about where it was before?",
        ),
        clinician=(
            "Give the time from the start of the meal around {around:clock} on day {day} to the "
            "return of glucose to within 10 % of baseline.",
            "Meal around {around:clock} of day {day}: how long until glucose has returned from its "
            "peak to 1.1 times baseline?",
        ),
    ),
    instruction=_ENTRY + way_back("meal"),
    rationale="Find the entry near that time of the day and the last reading before it, find the "
    "peak of the 5 hours after it, go on from the peak to the first reading at or below 1.1 x "
    "baseline, and subtract the time of the entry.",
)

STEEPEST_MEAL = Unnamed(
    meals=("breakfast", "lunch", "dinner"),
    derive=around_each_inferred,
    wordings=voiced(
        patient=(
            "Which of my meals around {breakfast:clock}, {lunch:clock} and {dinner:clock} on day "
            "{day} pushed my glucose up the most?",
            "On day {day} I ate around {breakfast:clock}, {lunch:clock} and {dinner:clock}: after "
            "which of these did I rise most?",
        ),
        parent=(
            "On day {day}, which of the meals around {breakfast:clock}, {lunch:clock} and "
            "{dinner:clock} raised my child's glucose most?",
        ),
        clinician=(
            "Of the meals around {breakfast:clock}, {lunch:clock} and {dinner:clock} on day {day}, "
            "name the one with the largest glucose excursion.",
            "Compare the rises after the meals around {breakfast:clock}, {lunch:clock} and "
            "{dinner:clock} of day {day}: which is the largest?",
        ),
    ),
    instruction="The record does not say which meals they were. Compare three carbohydrate entries of "
    "day {day}: the one that starts at most 60 min before or after {breakfast:clock}, the one at most "
    "60 min from {lunch:clock}, and the one at most 60 min from {dinner:clock}. "
    + LARGEST_RISE
    + 'Answer with a word for the meal that has the largest rise: "breakfast" for the one around '
    '{breakfast:clock}, "lunch" for the one around {lunch:clock}, "dinner" for the one around '
    "{dinner:clock}.",
    rationale="For each of the three entries find the start, the baseline just before it and the "
    "peak within 3 hours; subtract; take the entry with the largest difference.",
)

LARGE_DINNERS = Unnamed(
    meals=("dinner",),
    derive=partial(never_named, meal="dinner"),
    answer=partial(rises_by_day, meal="dinner", inferred=True),
    wordings=voiced(
        patient=(
            "On which days did I have a main evening meal of {grams} g or more, and how much did "
            "my glucose rise after each?",
            "List my big evening meals (at least {grams} g) with the rise that followed.",
        ),
        parent=(
            "Which days had an evening meal of at least {grams} g, and how far did my child's "
            "glucose rise after each of them?",
        ),
        clinician=(
            "List the days with a main evening meal of at least {grams} g carbohydrate and the "
            "glucose rise after each.",
            "For every evening meal with >= {grams} g carbohydrate give the day and the glucose "
            "excursion.",
        ),
    ),
    instruction="The record names no dinner. Here the dinner of a day is the largest of "
    "its carbohydrate entries that start from 17:00 up to but not including 22:00, if that one is "
    "of kind unspecified, has at least 20 g, and has at least 1.5 times as many grams as each other "
    "of them; else the day has no dinner. Of these dinners keep those of at least {grams} g. "
    + RISE_OF_DINNERS,
    rationale="Pick the dinner of each day by time and size, keep those of at least the stated "
    "size that no other carbohydrate follows within 3 hours; for each subtract the baseline from "
    "the peak of those hours.",
)
