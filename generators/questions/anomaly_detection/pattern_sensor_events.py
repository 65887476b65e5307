"""Anomaly detection, pattern: faults of the sensor after lunch and during exercise."""

from functools import partial

from generators.questions.anomaly_detection.faults import (
    SENSOR_FAULTS,
    SPIKES,
    fault_intervals,
    fault_intervals_after_meal,
)
from generators.questions.anomaly_detection.places import (
    AFTER_LUNCH,
    AFTER_LUNCH_MINUTES,
    IN_LAST_WEEK,
    around_exercise,
)
from generators.questions.anomaly_detection.signs import (
    ALL_VALUE_FAULTS,
    BOTH_SPIKES,
    DOWNWARD_SPIKE,
    GAP,
    LAST_7_DAYS,
    UPWARD_SPIKE,
    whole_if_inside,
)
from generators.questions.definitions import DURING_EXERCISE, INTERVAL_ANSWER, window_after
from generators.questions.task import Task, voiced
from generators.questions.windows import DAYS

TASKS = (
    Task(
        id="ad_24",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("ER", "PC"),
        prototype="jumps after lunch on a day",
        answer_type="intervals",
        streams=("glucose", "carbohydrate"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "On day {day}, when did my sensor shoot up for one value between lunch and 18:00?",
                "Which lone values of the afternoon of day {day}, from lunch until six, shot up "
                "for no reason?",
            ),
            parent=(
                "When did my child's sensor shoot up for one value between lunch and 18:00 on day "
                "{day}?",
            ),
            clinician=(
                "List the isolated upward spikes between lunch and 18:00 on day {day}.",
                "Where, from lunch until 18:00 on day {day}, does a lone reading rise far above "
                "its neighbours?",
            ),
        ),
        instruction=f"{UPWARD_SPIKE} "
        "Find the lunch of day {day} among the carbohydrate entries. Report each such sample that "
        "lies after the start of that lunch and before 18:00 of the same day (neither the sample "
        f"at the start of lunch nor the one at 18:00 counts). {INTERVAL_ANSWER}",
        rationale="Find lunch on the stated day; from there until 18:00 compare each reading with "
        "its two neighbours.",
        example=[{"start": 10820, "end": 10821}, {"start": 11015, "end": 11016}],
        answer=partial(
            fault_intervals_after_meal, labels=("positive_spike",), meal="lunch", until=1080
        ),
    ),
    Task(
        id="ad_33",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="drops after lunch",
        answer_type="intervals",
        streams=("glucose", "carbohydrate"),
        wordings=voiced(
            patient=(
                "When did my sensor plunge for one value in the two hours after a lunch?",
                "Which lone drops of my sensor came within 2 h after lunch?",
            ),
            parent=("When did my child's sensor plunge for one value within 2 h after lunch?",),
            clinician=(
                "List the isolated downward spikes within 2 h after lunch.",
                "Where does a lone reading fall far below its neighbours in the first 2 h after "
                "lunch?",
            ),
        ),
        instruction=f"{DOWNWARD_SPIKE} Find all lunches among the carbohydrate entries. "
        f"{window_after('lunch', AFTER_LUNCH_MINUTES)} Report each such sample in one of these "
        f"windows. {INTERVAL_ANSWER}",
        rationale="For each lunch go through the 24 samples after it and compare each reading with "
        "its two neighbours.",
        example=[{"start": 10820, "end": 10821}, {"start": 22415, "end": 22416}],
        answer=partial(fault_intervals, labels=("negative_spike",), places=(AFTER_LUNCH,)),
    ),
    Task(
        id="ad_39",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("TR", "ER", "PR"),
        prototype="recent faults after lunch",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=voiced(
            patient=(
                "In the last 7 days, when was something wrong with my sensor within two hours "
                "after lunch?",
                "Which sensor problems of the last 7 days fell into the 2 h after a lunch?",
            ),
            parent=("In the last 7 days, when did my child's sensor fail in the 2 h after lunch?",),
            clinician=(
                "Identify the sensor malfunctions within 2 h after lunch in the last 7 days.",
                "Which periods of missing or implausible glucose data reach into the 2 h after a "
                "lunch of the most recent 7 days?",
            ),
        ),
        instruction=f"The sensor can fail in these ways. {GAP} {ALL_VALUE_FAULTS} {LAST_7_DAYS} "
        "Find the lunches of these days among the carbohydrate entries. "
        f"{window_after('lunch', AFTER_LUNCH_MINUTES)} "
        f"{whole_if_inside('in one of these windows, on one of these days')} {INTERVAL_ANSWER}",
        rationale="For each lunch on days 24 to 30 go through the 24 samples after it and look for "
        "every kind of failure; report the failure from its beginning to its end.",
        example=[{"start": 34820, "end": 34940}, {"start": 40415, "end": 40416}],
        answer=partial(fault_intervals, labels=SENSOR_FAULTS, places=(AFTER_LUNCH, IN_LAST_WEEK)),
    ),
    Task(
        id="ad_55",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("ER", "PC"),
        prototype="outliers during exercise",
        answer_type="intervals",
        streams=("glucose", "exercise"),
        wordings=voiced(
            patient=(
                "When did moving about make my sensor jump for one value during sport?",
                "Which single values jumped up or down while I was exercising?",
            ),
            parent=("When did my child's sensor jump for one value during exercise?",),
            clinician=(
                "List the motion artefacts: lone outliers during exercise.",
                "Where does a lone reading leave the trace during a bout of exercise?",
            ),
        ),
        instruction=f"{BOTH_SPIKES} {DURING_EXERCISE} Report each such sample that lies during one "
        f"of the bouts. {INTERVAL_ANSWER}",
        rationale="For each bout go through the samples from its start to its end and compare each "
        "reading with its two neighbours.",
        example=[{"start": 11120, "end": 11121}, {"start": 22615, "end": 22616}],
        answer=partial(fault_intervals, labels=SPIKES, places=(around_exercise,)),
    ),
)
