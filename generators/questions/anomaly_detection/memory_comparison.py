"""Anomaly detection, memory: days, weeks and hours compared by what went out of range."""

from functools import partial

from generators.questions.anomaly_detection.glucose_events import (
    day_out_of_range,
    longest_hyperglycaemia_minutes,
    more_episodes,
    new_hypoglycaemia_hours,
)
from generators.questions.anomaly_detection.places import LAST_WEEK
from generators.questions.anomaly_detection.signs import LAST_7_DAYS
from generators.questions.definitions import (
    DAYS_AND_WEEKS,
    EPISODE_LENGTH,
    HYPERGLYCAEMIA_EPISODE,
    HYPOGLYCAEMIA_EPISODE,
    NO_READING,
    WHOLE_DAYS,
)
from generators.questions.task import Task, voiced
from generators.questions.windows import WEEKS

OUT_OF_RANGE = (
    "A reading is out of range if it is below 70 or above 180 mg/dL (70 and 180 are in range). "
    f"{NO_READING} Count the readings out of range, every sample by itself, not episodes."
)

TASKS = (
    Task(
        id="ad_31",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("CA",),
        prototype="day most out of range",
        answer_type="day",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "Which day of this month was my worst, with most readings outside 70 to 180?",
                "On which day was I out of range most?",
            ),
            parent=("On which day did my child spend most readings out of range?",),
            clinician=(
                "Which day has the largest number of readings outside 70 to 180 mg/dL?",
                "Name the day with most out-of-range sensor readings.",
            ),
        ),
        instruction=f"{OUT_OF_RANGE} {WHOLE_DAYS} Answer with the number of the day (1 to 30) that "
        "has most of them.",
        rationale="Count the readings below 70 and above 180 on each day and take the day with the "
        "largest count.",
        example=12,
        answer=partial(day_out_of_range, most=True),
    ),
    Task(
        id="ad_32",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("CA",),
        prototype="longest high",
        answer_type="minute",
        unit="min",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How long was my longest high of the month, in minutes?",
                "My longest stretch of high glucose: how many minutes was it?",
            ),
            parent=("How many minutes did my child's longest high last?",),
            clinician=(
                "State the duration of the longest hyperglycaemic episode.",
                "How long did the most prolonged episode of hyperglycaemia last?",
            ),
        ),
        instruction=f"{HYPERGLYCAEMIA_EPISODE} {EPISODE_LENGTH} Answer with how long the longest episode lasted, "
        "in whole minutes.",
        rationale="Find all episodes of hyperglycaemia, count the samples of each from first to "
        "last, and multiply the largest count by 5.",
        example=410,
        answer=longest_hyperglycaemia_minutes,
    ),
    Task(
        id="ad_34",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("CA",),
        prototype="episodes of two weeks",
        answer_type="category",
        options=("yes", "no"),
        streams=("glucose",),
        draw={"week": WEEKS, "other_week": WEEKS},
        wordings=voiced(
            patient=(
                "Did I have more highs and lows together in week {week} than in week {other_week}?",
                "Was I out of range more often in week {week} than in week {other_week}, counting "
                "each high and each low once?",
            ),
            parent=(
                "Did my child have more highs and lows in week {week} than in week {other_week}?",
            ),
            clinician=(
                "Are there more out-of-range episodes in week {week} than in week {other_week}?",
                "Compare hypo- and hyperglycaemic episodes taken together: does week {week} exceed "
                "week {other_week}?",
            ),
        ),
        instruction=f"{DAYS_AND_WEEKS} {HYPOGLYCAEMIA_EPISODE} {HYPERGLYCAEMIA_EPISODE} An episode "
        "belongs to the week in which it starts. Add up the episodes of both kinds of week {week}, "
        'and those of week {other_week}. Answer "yes" if week {week} has more of them than week '
        '{other_week}, else "no".',
        rationale="Find all episodes of both kinds, count those that start in each of the two "
        "weeks, and compare the two sums.",
        example="<yes|no>",
        answer=more_episodes,
    ),
    Task(
        id="ad_35",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("CA",),
        prototype="new hours with lows",
        answer_type="hour_list",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "At which hours of the day have I been low in the last 7 days that were never a "
                "problem before?",
                "Which clock hours are new for my lows in the last 7 days?",
            ),
            parent=(
                "At which hours of the day was my child low in the last 7 days but never before?",
            ),
            clinician=(
                "In which clock hours does hypoglycaemia occur in the last 7 days but not before?",
                "List the hours of day with new hypoglycaemia in the most recent 7 days.",
            ),
        ),
        instruction=f"{HYPOGLYCAEMIA_EPISODE} {LAST_7_DAYS} Clock hour h (0 to 23) is from h:00 "
        "(included) to the next full hour (not included). It has hypoglycaemia in a span of days "
        "if on one of them at least one sample of an episode lies in it; the samples of an episode "
        "are all from its first to its last. Report the hours that have hypoglycaemia on days 24 "
        "to 30 and have none on days 1 to 23. Answer with the list of these hours in ascending "
        "order. If there is none, answer [].",
        rationale="Note the clock hours that the episodes of days 1 to 23 touch and those that the "
        "episodes of days 24 to 30 touch; keep what is only in the second list.",
        example=[3, 16],
        answer=new_hypoglycaemia_hours,
    ),
    Task(
        id="ad_41",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("TR", "CA"),
        prototype="best day of the last week",
        answer_type="day",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "Which of the last 7 days was my best, with fewest readings outside 70 to 180?",
                "On which of the last 7 days was I out of range least?",
            ),
            parent=("Which of the last 7 days was my child's best one for staying in range?",),
            clinician=(
                "Which of the last 7 days has the fewest readings outside 70 to 180 mg/dL?",
                "Name the day among days 24 to 30 with fewest out-of-range sensor readings.",
            ),
        ),
        instruction=f"{OUT_OF_RANGE} {LAST_7_DAYS} {WHOLE_DAYS} Answer with the number of the day "
        "(24 to 30) that has fewest of them.",
        rationale="Count the readings below 70 and above 180 on each of the last 7 days and take "
        "the day with the smallest count.",
        example=27,
        answer=partial(day_out_of_range, most=False, days=LAST_WEEK),
    ),
)
