"""Anomaly detection, pattern: readings that are shifted for a while."""

from functools import partial

from generators.questions.anomaly_detection.faults import BIASES, fault_intervals
from generators.questions.anomaly_detection.signs import LOWERED, SHIFTED
from generators.questions.definitions import INTERVAL_ANSWER
from generators.questions.task import Task, voiced

MISCALIBRATED_MINUTES = 60
LONG_BIAS_MINUTES = 360

TASKS = (
    Task(
        id="ad_9",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="calibration faults",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=voiced(
            patient=(
                "When did my sensor need a new calibration because it read too high or too low?",
                "At what times were my readings off by a fixed amount for a while?",
            ),
            parent=("When was my child's sensor calibrated wrongly?",),
            clinician=(
                "Identify the periods with a calibration error of the sensor.",
                "Where is the sensor trace offset upwards or downwards?",
            ),
        ),
        instruction=f"A sensor with a wrong calibration shows shifted readings. {SHIFTED} Report "
        f"every such stretch. {INTERVAL_ANSWER}",
        rationale="Look for a jump between two neighbouring readings that a jump the other way "
        "undoes some time later, with a natural curve between the two.",
        example=[{"start": 10100, "end": 10300}, {"start": 22400, "end": 22900}],
        answer=partial(fault_intervals, labels=BIASES),
    ),
    Task(
        id="ad_47",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="injected offset",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=voiced(
            patient=(
                "When might an attacker have added something to my sensor values, or taken it off?",
                "At what times could my readings have been tampered with by a constant offset?",
            ),
            parent=(
                "When might somebody have shifted my child's sensor values by a fixed amount?",
            ),
            clinician=(
                "Identify the periods in which an offset was injected into the glucose signal.",
                "Where does the signal look as if an attacker had biased it upwards or downwards?",
            ),
        ),
        instruction="An attacker who adds a constant to the signal, or subtracts one, leaves "
        f"shifted readings. {SHIFTED} Report every such stretch. {INTERVAL_ANSWER}",
        rationale="Look for a jump between two neighbouring readings that a jump the other way "
        "undoes some time later, with a natural curve between the two.",
        example=[{"start": 8100, "end": 8300}, {"start": 29400, "end": 29900}],
        answer=partial(fault_intervals, labels=BIASES),
    ),
    Task(
        id="ad_53",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="lasting miscalibration",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=voiced(
            patient=(
                "When did my sensor read too high or too low for an hour or longer?",
                "At what times was my sensor off by a fixed amount for at least 60 minutes?",
            ),
            parent=("When was my child's sensor miscalibrated for an hour or longer?",),
            clinician=(
                "List the periods of sensor miscalibration that last at least 1 h.",
                "Where is the sensor trace offset for 60 min or longer?",
            ),
        ),
        instruction=f"A miscalibrated sensor shows shifted readings. {SHIFTED} Report the "
        "stretches that hold at least 12 samples (n samples last 5 n minutes, so 60 min). "
        f"{INTERVAL_ANSWER}",
        rationale="Look for a jump between two neighbouring readings that a jump the other way "
        "undoes some time later; keep stretches of at least 12 samples.",
        example=[{"start": 10100, "end": 10300}, {"start": 22400, "end": 22900}],
        answer=partial(fault_intervals, labels=BIASES, at_least=MISCALIBRATED_MINUTES),
    ),
    Task(
        id="ad_57",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="long downward shift",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=voiced(
            patient=(
                "When did my sensor read too low for six hours or longer?",
                "At what times was my sensor below my real glucose for at least 6 hours on end?",
            ),
            parent=("When did my child's sensor read too low for at least six hours?",),
            clinician=(
                "List the periods of 6 h or longer with a downward sensor offset, as from lowered "
                "glucose around the sensor.",
                "Where does the sensor underestimate glucose for at least 6 h?",
            ),
        ),
        instruction=f"{LOWERED} Report the stretches that hold at least 72 samples (n samples last "
        f"5 n minutes, so 360 min). {INTERVAL_ANSWER}",
        rationale="Look for a jump down between two neighbouring readings that a jump up undoes "
        "hours later; keep stretches of at least 72 samples.",
        example=[{"start": 10100, "end": 10600}, {"start": 22400, "end": 22800}],
        answer=partial(fault_intervals, labels=("negative_bias",), at_least=LONG_BIAS_MINUTES),
    ),
)
