"""Anomaly detection, descriptive: what a single look at the record shows."""

from functools import partial

from generators.questions.anomaly_detection.faults import (
    days_with_gaps,
    fault_intervals,
    missing_intervals,
    missing_percentage,
)
from generators.questions.anomaly_detection.glucose_events import (
    episode_count,
    last_hypoglycaemia,
    minutes_of_last_hypoglycaemia,
    recovery_from_last_hypoglycaemia,
)
from generators.questions.anomaly_detection.signs import DOWNWARD_SPIKE, GAP
from generators.questions.definitions import (
    EPISODE_LENGTH,
    HYPOGLYCAEMIA_EPISODE,
    INTERVAL_ANSWER,
    number_answer,
)
from generators.questions.task import Task, voiced

MUCH_MISSING_PERCENT = 30
LAST_EPISODE = "The last episode of the record is the one that starts latest."

TASKS = (
    Task(
        id="ad_1",
        revision=1,
        type="anomaly_detection",
        level="descriptive",
        path=("QC",),
        prototype="share of missing readings",
        answer_type="number",
        unit="%",
        decimals=1,
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How much of my sensor data is missing this month, in percent?",
                "For what share of the 30 days did my sensor send no value?",
            ),
            parent=("What percentage of my child's glucose values never arrived?",),
            clinician=(
                "State the percentage of sensor readings that are missing from this record.",
                "What proportion of the expected glucose samples is absent?",
            ),
        ),
        instruction=f"{GAP} The percentage is 100 x the missing samples / all samples of the "
        f"record. {number_answer('that percentage', '%', 1)}",
        rationale="Count the samples without a value and divide by the number of all samples.",
        example=4.5,
        answer=missing_percentage,
    ),
    Task(
        id="ad_2",
        revision=1,
        type="anomaly_detection",
        level="descriptive",
        path=("QC",),
        prototype="days with many missing readings",
        answer_type="day_list",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "On which days did my sensor lose more than 30 % of its values?",
                "Which days have such big holes that over 30 % of my readings are gone?",
            ),
            parent=("On which days is more than 30 % of my child's glucose data missing?",),
            clinician=(
                "List the days on which more than 30 % of the sensor readings are missing.",
                "Which days fall short of 70 % sensor data?",
            ),
        ),
        instruction=f"{GAP} Look at each day from 00:00 to 24:00 by itself: 288 samples. Report "
        "the days on which more than 30 % of them are missing. Answer with the list of these day "
        "numbers (1 to 30) in ascending order. If there is none, answer [].",
        rationale="Count the samples without a value on each day and keep the days with 87 or more "
        "of them (30 % of 288 are 86.4).",
        example=[6, 19],
        answer=partial(days_with_gaps, percent=MUCH_MISSING_PERCENT),
    ),
    Task(
        id="ad_3",
        revision=1,
        type="anomaly_detection",
        level="descriptive",
        path=("QC",),
        prototype="missing readings",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When did my sensor send nothing?",
                "There are holes in my glucose record. From when to when is each of them?",
            ),
            parent=("When were there no sensor values from my child at all?",),
            clinician=(
                "List every gap in the sensor data.",
                "During which periods are glucose readings missing?",
            ),
        ),
        instruction=f"{GAP} Report every stretch of missing readings, however short. "
        + INTERVAL_ANSWER,
        rationale="Walk through the samples and note the first and the last sample of each "
        "unbroken stretch without a value.",
        example=[{"start": 10100, "end": 10160}, {"start": 22400, "end": 22515}],
        answer=missing_intervals,
    ),
    Task(
        id="ad_4",
        revision=1,
        type="anomaly_detection",
        level="descriptive",
        path=("QC",),
        prototype="downward spikes",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "Now and then my sensor shows a sudden drop that is gone at the next value. When?",
                "Which single values plunged and bounced straight back?",
            ),
            parent=("At what times did my child's sensor dip sharply for just one value?",),
            clinician=(
                "List the isolated downward spikes in the sensor trace.",
                "Where does a lone reading fall far below both of its neighbours?",
            ),
        ),
        instruction=f"{DOWNWARD_SPIKE} Report each such sample. " + INTERVAL_ANSWER,
        rationale="Compare each reading with its two neighbours: a fault drops by 40 mg/dL or "
        "more in one step and comes back in the next, which glucose in the body cannot do.",
        example=[{"start": 10100, "end": 10101}, {"start": 22415, "end": 22416}],
        answer=partial(fault_intervals, labels=("negative_spike",)),
    ),
    Task(
        id="ad_17",
        revision=1,
        type="anomaly_detection",
        level="descriptive",
        path=("QC",),
        prototype="last hypoglycaemia",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When was my most recent low?",
                "From when to when did my latest hypo last?",
            ),
            parent=("When was my child last low, and until when?",),
            clinician=(
                "Locate the most recent episode of hypoglycaemia.",
                "Give start and end of the last hypoglycaemic episode in this record.",
            ),
        ),
        instruction=f"{HYPOGLYCAEMIA_EPISODE} {LAST_EPISODE} Report that one episode. "
        + INTERVAL_ANSWER,
        rationale="Go back from the end of the record to the first episode of hypoglycaemia that "
        "is met and note its first and last reading below 70 mg/dL.",
        example=[{"start": 39600, "end": 39640}],
        answer=last_hypoglycaemia,
    ),
    Task(
        id="ad_22",
        revision=1,
        type="anomaly_detection",
        level="descriptive",
        path=("QC",),
        prototype="length of the last hypoglycaemia",
        answer_type="minute",
        unit="min",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How long did my last low go on?",
                "For how many minutes was I hypo the last time it happened?",
            ),
            parent=("How many minutes did my child's most recent low last?",),
            clinician=(
                "State the duration of the most recent episode of hypoglycaemia.",
                "How long was the last hypoglycaemic episode of this record?",
            ),
        ),
        instruction=f"{HYPOGLYCAEMIA_EPISODE} {LAST_EPISODE} {EPISODE_LENGTH} "
        "Answer with how long the last "
        "episode lasted, in whole minutes.",
        rationale="Find the last episode of hypoglycaemia, count the samples from its first to its "
        "last reading below 70 mg/dL, and multiply by 5.",
        example=45,
        answer=minutes_of_last_hypoglycaemia,
    ),
    Task(
        id="ad_25",
        revision=1,
        type="anomaly_detection",
        level="descriptive",
        path=("QC",),
        prototype="number of lows",
        answer_type="integer",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How many hypos has my sensor recorded in these 30 days?",
                "Counting each low once, however long it was, how many did I have?",
            ),
            parent=("How many times was my child low in these 30 days?",),
            clinician=(
                "Count the hypoglycaemic episodes in this sensor record.",
                "How many times did this patient become hypoglycaemic over the 30 days?",
            ),
        ),
        instruction=f"{HYPOGLYCAEMIA_EPISODE} Answer with how many episodes of hypoglycaemia the "
        "whole record holds, a whole number (0 if none).",
        rationale="Find all episodes of hypoglycaemia and count them.",
        example=7,
        answer=partial(episode_count, kind="hypoglycaemia"),
    ),
    Task(
        id="ad_30",
        revision=1,
        type="anomaly_detection",
        level="descriptive",
        path=("QC",),
        prototype="recovery from the last hypoglycaemia",
        answer_type="minute",
        unit="min",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "After the bottom of my last low, how long did it take me to get back to 70?",
                "How many minutes did I need from the lowest point of my latest hypo to 70 or more?",
            ),
            parent=(
                "From the lowest value of my child's last low, how many minutes until 70 again?",
            ),
            clinician=(
                "Most recent hypoglycaemia: state the time from nadir to the first reading of 70 "
                "mg/dL or more.",
                "How long was the recovery from the nadir of the last hypoglycaemic episode?",
            ),
        ),
        instruction=f"{HYPOGLYCAEMIA_EPISODE} {LAST_EPISODE} Take the lowest reading of that "
        "episode (the earliest, if several are equally low) and the first reading after it that is "
        "70 mg/dL or more. Answer with the minutes from the one to the other, a whole number.",
        rationale="Find the last episode, its lowest reading, and the next reading of 70 mg/dL or "
        "more; subtract the two times.",
        example=25,
        answer=recovery_from_last_hypoglycaemia,
    ),
)
