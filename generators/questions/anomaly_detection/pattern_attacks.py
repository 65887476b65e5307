"""Anomaly detection, pattern: what looks like somebody else at the controls."""

from functools import partial

from generators.questions.anomaly_detection.faults import fault_intervals
from generators.questions.anomaly_detection.places import around_exercise
from generators.questions.anomaly_detection.signs import (
    FROZEN,
    LESS_BASAL,
    MORE_BASAL,
    PHANTOM_MEAL,
    REPEATED_DOSE,
    REPLAY,
    whole_if_inside,
)
from generators.questions.definitions import INTERVAL_ANSWER
from generators.questions.task import Task, voiced

AFTER_EXERCISE_MINUTES = 60

TASKS = (
    Task(
        id="ad_44",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PR",),
        prototype="meals never eaten",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=voiced(
            patient=(
                "Which meals stand in my record that I cannot have eaten?",
                "Somebody may have told my pump of meals I never had. When?",
            ),
            parent=("Which meals were announced to my child's pump but never eaten?",),
            clinician=(
                "Identify the announced meals that were evidently not eaten.",
                "Which carbohydrate entries are phantom meals?",
            ),
        ),
        instruction=f"{PHANTOM_MEAL} Report each such entry. {INTERVAL_ANSWER}",
        rationale="For each carbohydrate entry look at the two hours after it: where glucose does "
        "not rise but falls after the dose, nothing was eaten.",
        example=[{"start": 10100, "end": 10101}, {"start": 22415, "end": 22416}],
        answer=partial(fault_intervals, labels=("false_meal",)),
    ),
    Task(
        id="ad_45",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="replays",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=voiced(
            patient=(
                "When might an attacker have played old data or old doses of mine again?",
                "At what times do values or boluses of mine look like a recording of earlier ones?",
            ),
            parent=("When were old values or doses of my child played back?",),
            clinician=(
                "Identify the replays: glucose values or insulin doses sent a second time.",
                "Where do earlier readings or an earlier bolus recur as if replayed?",
            ),
        ),
        instruction="Report everything that was sent a second time, of any of these kinds. "
        f"{REPLAY} {FROZEN} {REPEATED_DOSE} {INTERVAL_ANSWER}",
        rationale="Look for stretches that match an earlier one value for value, for runs of one "
        "value, and for boluses without cause that match an earlier one.",
        example=[{"start": 10100, "end": 10220}, {"start": 22415, "end": 22416}],
        answer=partial(
            fault_intervals, labels=("repeated_episode", "repeated_reading", "false_bolus")
        ),
    ),
    Task(
        id="ad_46",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("ER", "PC"),
        prototype="added insulin around exercise",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        wordings=voiced(
            patient=(
                "When was I given extra insulin during sport or in the hour after it, for no "
                "reason?",
                "At what times around my exercise did my pump dose too much?",
            ),
            parent=("When did my child's pump give extra insulin during or just after exercise?",),
            clinician=(
                "Identify unwarranted extra insulin during exercise or in the hour after it.",
                "Which overdoses coincide with a bout of exercise or the 60 min after it?",
            ),
        ),
        instruction=f"Extra insulin is of either of these kinds. {MORE_BASAL} {REPEATED_DOSE} "
        "Exercise ends at its start plus its duration, minute e; its window is from its start up "
        "to e + 60 min, both included. "
        f"{whole_if_inside('in the window of one of the bouts')} {INTERVAL_ANSWER}",
        rationale="For each bout look from its start until an hour after its end for insulin that "
        "neither glucose nor carbohydrate calls for; report it from its beginning to its end.",
        example=[{"start": 11120, "end": 11240}, {"start": 22615, "end": 22616}],
        answer=partial(
            fault_intervals,
            labels=("positive_basal", "max_basal", "false_bolus"),
            places=(partial(around_exercise, later=AFTER_EXERCISE_MINUTES),),
        ),
    ),
    Task(
        id="ad_48",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PR",),
        prototype="remote control",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=voiced(
            patient=(
                "When might somebody have taken control of my pump and changed my doses?",
                "At what times did my pump give doses that make no sense, as if remotely "
                "controlled?",
            ),
            parent=("When might somebody else have been controlling my child's pump?",),
            clinician=(
                "Identify the periods in which the pump seems to have been controlled remotely.",
                "Which recorded doses are at odds with glucose and meals, as under an attacker's "
                "control?",
            ),
        ),
        instruction="An attacker who controls the pump makes it give doses that the record shows "
        "but that nothing calls for, or withholds them. "
        f"{MORE_BASAL} {LESS_BASAL} {REPEATED_DOSE} Report every such stretch and dose. "
        f"{INTERVAL_ANSWER}",
        rationale="Compare the recorded insulin with glucose and carbohydrate: look for insulin "
        "raised while glucose is low, lowered while it is high, and for boluses without cause.",
        example=[{"start": 10100, "end": 10220}, {"start": 22415, "end": 22416}],
        answer=partial(
            fault_intervals,
            labels=("false_bolus", "positive_basal", "negative_basal", "max_basal", "min_basal"),
        ),
    ),
)
