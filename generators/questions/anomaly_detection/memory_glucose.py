"""Anomaly detection, memory: episodes of low and high glucose in a window of time."""

from functools import partial

from generators.questions.anomaly_detection.glucose_events import (
    episode_count,
    episode_intervals,
    hyperglycaemia_on_day,
    night_hypoglycaemia,
    severe_hypoglycaemia_in_week,
)
from generators.questions.anomaly_detection.places import LAST_WEEK, NIGHT_HOURS
from generators.questions.anomaly_detection.signs import LAST_7_DAYS
from generators.questions.definitions import (
    DAYS_AND_WEEKS,
    EPISODE_LENGTH,
    HYPERGLYCAEMIA_EPISODE,
    HYPOGLYCAEMIA_EPISODE,
    INTERVAL_ANSWER,
    SEVERE_HYPOGLYCAEMIA_EPISODE,
)
from generators.questions.task import Task, voiced
from generators.questions.windows import DAYS, WEEKS

LONG_NIGHT_LOW_MINUTES = 30
LONG_HIGH_MINUTES = 240
STARTS_IN_LAST_WEEK = f"{LAST_7_DAYS} An episode belongs to the day on which it starts."

TASKS = (
    Task(
        id="ad_18",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("TR", "QC"),
        prototype="nocturnal hypoglycaemia",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When was I low at night?",
                "During which times between midnight and six in the morning was I hypo?",
            ),
            parent=("When did my child have lows in the night, midnight to six?",),
            clinician=(
                "List the nocturnal hypoglycaemia (00:00 to 06:00) in this record.",
                "Which periods of hypoglycaemia fall between 00:00 and 06:00?",
            ),
        ),
        instruction=f"{HYPOGLYCAEMIA_EPISODE} Find the episodes on the whole record first; then, "
        "of each episode, report the part that lies between 00:00 (included) and 06:00 (not "
        "included), and leave out episodes that have no such part. The part starts and ends at a "
        "sample of that window: it starts at the first sample of the episode or at 00:00, and "
        f"ends at the last sample of the episode or at 05:55. {INTERVAL_ANSWER}",
        rationale="Find all episodes of hypoglycaemia, cut each to the six hours after midnight, "
        "and keep what is left.",
        example=[{"start": 5810, "end": 5855}, {"start": 17400, "end": 17430}],
        answer=night_hypoglycaemia,
    ),
    Task(
        id="ad_19",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("TR", "QC"),
        prototype="long lows that start at night",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "Which of my lows began in the night and went on for half an hour or more?",
                "When did I go low after midnight and stay low for at least 30 minutes?",
            ),
            parent=("When did my child go low during the night for at least half an hour?",),
            clinician=(
                "List hypoglycaemic episodes of 30 min or longer with onset between 00:00 and "
                "06:00.",
                "Which episodes of hypoglycaemia began at night and lasted at least 30 min?",
            ),
        ),
        instruction=f"{HYPOGLYCAEMIA_EPISODE} {EPISODE_LENGTH} Report the episodes that start at or "
        "after 00:00 and before 06:00 and last at least 30 min, each whole, even where it ends "
        f"after 06:00. {INTERVAL_ANSWER}",
        rationale="Find all episodes of hypoglycaemia, keep those whose first reading lies between "
        "midnight and six and that hold at least 6 samples.",
        example=[{"start": 8730, "end": 8780}, {"start": 24560, "end": 24600}],
        answer=partial(
            episode_intervals,
            kind="hypoglycaemia",
            hours=(0, NIGHT_HOURS),
            at_least=LONG_NIGHT_LOW_MINUTES,
        ),
    ),
    Task(
        id="ad_20",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("ER", "QC"),
        prototype="level 2 hypoglycaemia in a week",
        answer_type="intervals",
        streams=("glucose",),
        draw={"week": WEEKS},
        wordings=voiced(
            patient=(
                "When was I dangerously low, under 54, in week {week}?",
                "Which times in week {week} did I drop below 54 and stay there for a while?",
            ),
            parent=("When was my child below 54 in week {week}?",),
            clinician=(
                "List the level 2 hypoglycaemia (below 54 mg/dL) of week {week}.",
                "During which periods of week {week} was there clinically significant "
                "hypoglycaemia (< 54 mg/dL)?",
            ),
        ),
        instruction=f"{DAYS_AND_WEEKS} {SEVERE_HYPOGLYCAEMIA_EPISODE} "
        "Report the episodes that start in week {week}, each whole. "
        f"{INTERVAL_ANSWER}",
        rationale="Find the episodes below 54 mg/dL and keep those whose first reading lies in the "
        "stated week.",
        example=[{"start": 3000, "end": 3025}, {"start": 9015, "end": 9050}],
        answer=severe_hypoglycaemia_in_week,
    ),
    Task(
        id="ad_23",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("TR", "QC"),
        prototype="hyperglycaemia on a day",
        answer_type="intervals",
        streams=("glucose",),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "When was I high on day {day}?",
                "During which times of day {day}, a {day:weekday_of_day}, was my glucose too high?",
            ),
            parent=("When was my child's glucose too high on day {day}?",),
            clinician=(
                "List the hyperglycaemia of day {day}.",
                "Which periods of day {day} ({day:weekday_of_day}) belong to hyperglycaemic "
                "episodes?",
            ),
        ),
        instruction=f"{HYPERGLYCAEMIA_EPISODE} Find the episodes on the whole record first; then, "
        "of each episode, report the part that lies on day {day}, from 00:00 (included) to 24:00 "
        "(not included), and leave out episodes that have no such part. The part starts and ends "
        "at a sample of that day: it starts at the first sample of the episode or at 00:00, and "
        f"ends at the last sample of the episode or at 23:55. {INTERVAL_ANSWER}",
        rationale="Find all episodes of hyperglycaemia, cut each to the stated day, and keep what "
        "is left.",
        example=[{"start": 12300, "end": 12395}, {"start": 12800, "end": 12870}],
        answer=hyperglycaemia_on_day,
    ),
    Task(
        id="ad_26",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("TR", "QC"),
        prototype="lows of the last week",
        answer_type="integer",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How many lows did I have in the last 7 days?",
                "Over the past week, how often did I go hypo?",
            ),
            parent=("How many lows has my child had in the last 7 days?",),
            clinician=(
                "Count the hypoglycaemic episodes of the last 7 days.",
                "How many episodes of hypoglycaemia started in the most recent 7 days?",
            ),
        ),
        instruction=f"{HYPOGLYCAEMIA_EPISODE} {STARTS_IN_LAST_WEEK} Answer with how many episodes "
        "of hypoglycaemia belong to the last 7 days, a whole number (0 if none).",
        rationale="Find the episodes of hypoglycaemia and count those whose first reading lies on "
        "days 24 to 30.",
        example=2,
        answer=partial(episode_count, kind="hypoglycaemia", days=LAST_WEEK),
    ),
    Task(
        id="ad_27",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("TR", "QC"),
        prototype="highs of the last week",
        answer_type="integer",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How many highs did I have in the last 7 days?",
                "Over the past week, how often did I go above 180 for a while?",
            ),
            parent=("How many times was my child high in the last 7 days?",),
            clinician=(
                "Count the hyperglycaemic episodes of the last 7 days.",
                "How many episodes of hyperglycaemia started in the most recent 7 days?",
            ),
        ),
        instruction=f"{HYPERGLYCAEMIA_EPISODE} {STARTS_IN_LAST_WEEK} Answer with how many episodes "
        "of hyperglycaemia belong to the last 7 days, a whole number (0 if none).",
        rationale="Find the episodes of hyperglycaemia and count those whose first reading lies on "
        "days 24 to 30.",
        example=16,
        answer=partial(episode_count, kind="hyperglycaemia", days=LAST_WEEK),
    ),
    Task(
        id="ad_28",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("TR", "QC"),
        prototype="long highs of the last week",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "In the last 7 days, when was I high for four hours or longer at a stretch?",
                "Which of my highs of the past week lasted at least 4 hours?",
            ),
            parent=("When was my child high for at least 4 hours in a row in the last 7 days?",),
            clinician=(
                "List the hyperglycaemic episodes of 4 h or longer in the last 7 days.",
                "Which prolonged (at least 4 h) hyperglycaemic episodes started in the most recent "
                "7 days?",
            ),
        ),
        instruction=f"{HYPERGLYCAEMIA_EPISODE} {EPISODE_LENGTH} {STARTS_IN_LAST_WEEK} Report the "
        "episodes that belong to the last 7 days and last at least 240 min, each whole. "
        f"{INTERVAL_ANSWER}",
        rationale="Find the episodes of hyperglycaemia that start on days 24 to 30 and hold at "
        "least 48 samples.",
        example=[{"start": 35200, "end": 35520}, {"start": 40110, "end": 40375}],
        answer=partial(
            episode_intervals,
            kind="hyperglycaemia",
            days=LAST_WEEK,
            at_least=LONG_HIGH_MINUTES,
        ),
    ),
)
