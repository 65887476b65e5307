"""Anomaly detection, pattern: how episodes of low and high glucose follow each other and meals."""

from functools import partial

from generators.questions.anomaly_detection.glucose_events import (
    above_after_meal,
    mean_hyperglycaemia_minutes,
    sequences,
)
from generators.questions.anomaly_detection.places import AFTER_LUNCH_MINUTES
from generators.questions.definitions import (
    EPISODE_LENGTH,
    HYPERGLYCAEMIA_EPISODE,
    HYPOGLYCAEMIA_EPISODE,
    INTERVAL_ANSWER,
    NO_READING,
    window_after,
)
from generators.questions.task import Task, voiced

LEAST_HIGH_MINUTES = 60
VALUES = (180, 200, 220, 240, 260, 280, 300)
"""Values after lunch that are asked about, mg/dL."""
IN_ORDER = (
    "Put the episodes of both kinds in one list, in order of their start. Episode B follows "
    "episode A closely if B comes next after A in that list and B's first reading lies at most "
    "120 min after A's last."
)

TASKS = (
    Task(
        id="ad_21",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="rebound",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When did a low of mine turn into a high within two hours?",
                "Sometimes I overshoot after a hypo. When did a high follow a low that closely?",
            ),
            parent=("When did my child swing from a low to a high within two hours?",),
            clinician=(
                "List the rebounds: hypoglycaemia followed by hyperglycaemia within 2 h.",
                "Where does a hyperglycaemic episode closely follow a hypoglycaemic one?",
            ),
        ),
        instruction=f"{HYPOGLYCAEMIA_EPISODE} {HYPERGLYCAEMIA_EPISODE} {IN_ORDER} Report every "
        "episode of hypoglycaemia that an episode of hyperglycaemia follows closely: one interval "
        "over both, from the first reading of the low to the last of the high. "
        f"{INTERVAL_ANSWER}",
        rationale="List all episodes in time order; wherever a high comes right after a low and "
        "starts within 2 h of its end, take both as one stretch.",
        example=[{"start": 7200, "end": 7480}, {"start": 31005, "end": 31220}],
        answer=partial(sequences, order=("hypoglycaemia", "hyperglycaemia")),
    ),
    Task(
        id="ad_29",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PR",),
        prototype="mean length of highs",
        answer_type="minute",
        unit="min",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How long do my highs last on average, leaving out those under an hour?",
                "When I go high for an hour or more, how many minutes does it usually last?",
            ),
            parent=("How many minutes do my child's highs of at least an hour last on average?",),
            clinician=(
                "State the mean duration of hyperglycaemic episodes of at least 1 h.",
                "What is the average length of the hyperglycaemic episodes that last 1 h or more?",
            ),
        ),
        instruction=f"{HYPERGLYCAEMIA_EPISODE} {EPISODE_LENGTH} Take the episodes that last at least 60 min. "
        "Answer with the arithmetic mean of their lengths in minutes, rounded half up to a whole "
        "number.",
        rationale="Find the episodes of hyperglycaemia, keep those of at least 12 samples, and "
        "average their lengths.",
        example=185,
        answer=partial(mean_hyperglycaemia_minutes, at_least=LEAST_HIGH_MINUTES),
    ),
    Task(
        id="ad_36",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="highs after lunch",
        answer_type="intervals",
        streams=("glucose", "carbohydrate"),
        draw={"value": VALUES},
        wordings=voiced(
            patient=(
                "When was I above {value} in the two hours after lunch?",
                "During which times within 2 h after my lunches did my glucose exceed {value}?",
            ),
            parent=("When did my child go above {value} within two hours after lunch?",),
            clinician=(
                "List the periods above {value} mg/dL within 2 h after lunch.",
                "Where do post-lunch readings (first 2 h) exceed {value} mg/dL?",
            ),
        ),
        instruction="Find all lunches among the carbohydrate entries. "
        f"{window_after('lunch', AFTER_LUNCH_MINUTES)} Within these windows look for readings above "
        "{value} mg/dL ({value} is not above), every sample by itself, however few follow each "
        "other. Report each unbroken stretch of such readings, only as far as it lies within the "
        f"window; a missing reading ends a stretch. {NO_READING} {INTERVAL_ANSWER}",
        rationale="For each lunch take the 24 samples after it and mark the runs above the stated "
        "value.",
        example=[{"start": 5100, "end": 5150}, {"start": 16615, "end": 16670}],
        answer=partial(above_after_meal, meal="lunch", length=AFTER_LUNCH_MINUTES),
    ),
    Task(
        id="ad_37",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="high, low, high",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When was I on a roller coaster: high, then low, then high again, each within two "
                "hours of the one before?",
                "When did I swing from a high to a low and back to a high in close succession?",
            ),
            parent=(
                "When did my child swing from high to low and back to high, each within two hours?",
            ),
            clinician=(
                "List the sequences of hyper-, hypo- and hyperglycaemia in which each episode "
                "follows within 2 h.",
                "Where do a high, a low and a high follow each other closely?",
            ),
        ),
        instruction=f"{HYPOGLYCAEMIA_EPISODE} {HYPERGLYCAEMIA_EPISODE} {IN_ORDER} Report every "
        "three episodes of which the first is hyperglycaemia, the second hypoglycaemia and "
        "follows the first closely, and the third hyperglycaemia and follows the second closely: "
        "one interval over all three, from the first reading of the first to the last reading of "
        "the third. Where two such sequences share an episode they are one interval. "
        f"{INTERVAL_ANSWER}",
        rationale="List all episodes in time order and look for high, low, high with at most 2 h "
        "between the end of one and the start of the next.",
        example=[{"start": 3600, "end": 4105}, {"start": 25000, "end": 25430}],
        answer=partial(sequences, order=("hyperglycaemia", "hypoglycaemia", "hyperglycaemia")),
    ),
)
