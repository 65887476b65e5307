"""Anomaly detection, pattern: faults of the sensor, anywhere in the record."""

from functools import partial

from generators.questions.anomaly_detection.faults import (
    FALSELY_LOW,
    SENSOR_FAULTS,
    SPIKES,
    VALUE_FAULTS,
    false_lows,
    fault_intervals,
    missing_intervals,
)
from generators.questions.anomaly_detection.signs import (
    ALL_VALUE_FAULTS,
    AT_BOTTOM,
    AT_TOP,
    BOTH_SPIKES,
    DOWNWARD_SPIKE,
    FROZEN,
    GAP,
    LOWERED,
    UNRESPONSIVE,
    ZEROS,
)
from generators.questions.definitions import INTERVAL_ANSWER
from generators.questions.task import Task, voiced

FLAT_MINUTES = 180
FALSELY_LOW_BELOW = 80

TASKS = (
    Task(
        id="ad_5",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PR",),
        prototype="all sensor faults",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=voiced(
            patient=(
                "When could I not trust my sensor at all this month?",
                "At which times was something wrong with my sensor, whatever it was?",
            ),
            parent=("When was something wrong with my child's sensor, of whatever kind?",),
            clinician=(
                "Identify every period of sensor malfunction in this record.",
                "Where are the glucose data missing or not credible, for any reason?",
            ),
        ),
        instruction=f"Report every stretch in which the sensor failed, of any of these kinds. "
        f"{GAP} {ALL_VALUE_FAULTS} {INTERVAL_ANSWER}",
        rationale="Go through the record once for each kind of failure (gaps, lone outliers, jumps "
        "to a shifted level and back, runs of one value, zeros, the ends of the range, copies) and "
        "join what is found.",
        example=[{"start": 10100, "end": 10160}, {"start": 22415, "end": 22416}],
        answer=partial(fault_intervals, labels=SENSOR_FAULTS),
    ),
    Task(
        id="ad_6",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="flat stretches",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When was my sensor stuck on one value?",
                "At what times did my sensor just keep showing its last number?",
            ),
            parent=("When did my child's sensor keep showing one and the same number?",),
            clinician=(
                "List the periods in which the sensor was frozen on its last value.",
                "Where does the sensor trace flat-line?",
            ),
        ),
        instruction=f"{FROZEN} Report the frozen stretches. {INTERVAL_ANSWER}",
        rationale="Look for unbroken runs of one and the same value with at least 12 repetitions; "
        "in each, the first value is still measured, the repetitions after it are the fault.",
        example=[{"start": 10100, "end": 10150}, {"start": 22400, "end": 22600}],
        answer=partial(fault_intervals, labels=("repeated_reading",)),
    ),
    Task(
        id="ad_7",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="long flat stretches",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When was my sensor stuck on one value for three hours or more?",
                "Some of my curve is dead flat for hours. When was that, if it lasted at least 3 "
                "hours?",
            ),
            parent=("When did my child's sensor repeat the same number for at least three hours?",),
            clinician=(
                "List the periods of 3 h or longer in which the sensor kept repeating its last "
                "value.",
                "Where is the sensor frozen on a single reading for at least three hours?",
            ),
        ),
        instruction=f"{FROZEN} Report the frozen stretches that hold at least 36 repeated samples "
        f"(n samples last 5 n minutes, so 180 min). {INTERVAL_ANSWER}",
        rationale="Look for unbroken runs of one and the same value; in each, the first value is "
        "still measured, the repetitions after it are the fault; keep runs with at least 36 "
        "repetitions.",
        example=[{"start": 10100, "end": 10300}, {"start": 22400, "end": 22600}],
        answer=partial(fault_intervals, labels=("repeated_reading",), at_least=FLAT_MINUTES),
    ),
    Task(
        id="ad_8",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="loss of sensitivity",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When did my sensor stop reacting properly: stuck, at zero or jumping?",
                "My sensor seems worn out. When did it freeze, drop out or throw single wild "
                "values?",
            ),
            parent=("When did my child's sensor freeze, drop to zero or jump wildly?",),
            clinician=(
                "Identify the signs of lost sensor sensitivity: frozen values, dropouts, spikes.",
                "During which periods had the sensor lost its sensitivity?",
            ),
        ),
        instruction="A sensor that has lost its sensitivity freezes, drops out or spikes. "
        f"{UNRESPONSIVE} Report every such stretch. {INTERVAL_ANSWER}",
        rationale="Look for runs of one value, for zeros and for lone outliers, and list them all "
        "together.",
        example=[{"start": 10100, "end": 10150}, {"start": 22415, "end": 22416}],
        answer=partial(fault_intervals, labels=("repeated_reading", "zero_reading", *SPIKES)),
    ),
    Task(
        id="ad_10",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="lone outliers",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=voiced(
            patient=(
                "Which single values of mine jumped up or down and were back at once?",
                "When did my sensor leap for one value although I had neither eaten nor dosed for "
                "it?",
            ),
            parent=("When did my child's sensor jump for one value and come straight back?",),
            clinician=(
                "List the isolated sensor outliers, upwards or downwards.",
                "Where does a lone reading leave the trace and return at once?",
            ),
        ),
        instruction=f"{BOTH_SPIKES} Report each such sample. {INTERVAL_ANSWER}",
        rationale="Compare each reading with its two neighbours and keep those that lie at "
        "least 40 mg/dL above both or below both.",
        example=[{"start": 10100, "end": 10101}, {"start": 22415, "end": 22416}],
        answer=partial(fault_intervals, labels=SPIKES),
    ),
    Task(
        id="ad_42",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="false lows",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When did my sensor show me low, under 80, without my really being so?",
                "Which of my values below 80 were the sensor's fault?",
            ),
            parent=("Which of my child's values below 80 were a fault of the sensor?",),
            clinician=(
                "List the readings below 80 mg/dL that are sensor artefacts.",
                "Where are low readings (< 80 mg/dL) due to a sensor fault?",
            ),
        ),
        instruction="Report the readings below 80 mg/dL, 0 included, that lie in a stretch of one "
        f"of these kinds, and no other reading of it. {ZEROS} {LOWERED} {AT_BOTTOM} {FROZEN} "
        f"{DOWNWARD_SPIKE} {INTERVAL_ANSWER}",
        rationale="Find zeros, readings shifted downwards, the bottom of the range, frozen values "
        "and lone drops; of each keep the samples below 80 mg/dL.",
        example=[{"start": 10100, "end": 10150}, {"start": 22415, "end": 22416}],
        answer=partial(false_lows, labels=FALSELY_LOW, below=FALSELY_LOW_BELOW),
    ),
    Task(
        id="ad_43",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="lost communication",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When was the connection between my sensor and my pump interrupted?",
                "At what times did my phone get nothing from the sensor?",
            ),
            parent=("When had my child's sensor lost its connection?",),
            clinician=(
                "Identify the periods of communication loss between sensor and receiver.",
                "During which periods did the sensor signal not arrive?",
            ),
        ),
        instruction=f"{GAP} While the connection is lost, readings are missing. Report every such "
        f"stretch, however short. {INTERVAL_ANSWER}",
        rationale="Note the first and the last sample of each unbroken stretch without a value.",
        example=[{"start": 8100, "end": 8160}, {"start": 29400, "end": 29515}],
        answer=missing_intervals,
    ),
    Task(
        id="ad_50",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="stuck at the top",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When was my sensor stuck at its highest value without my really being so high?",
                "When did my sensor jump to its maximum and stay there?",
            ),
            parent=("When did my child's sensor hang at its maximum for no reason?",),
            clinician=(
                "List the periods of sensor saturation at the upper limit.",
                "Where is the sensor saturated high rather than glucose truly at that level?",
            ),
        ),
        instruction=f"{AT_TOP} Report every such stretch. {INTERVAL_ANSWER}",
        rationale="Look for runs at the top of the sensor's range that begin and end with a jump.",
        example=[{"start": 10100, "end": 10220}, {"start": 22400, "end": 22510}],
        answer=partial(fault_intervals, labels=("max_reading",)),
    ),
    Task(
        id="ad_51",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PR",),
        prototype="false data",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=voiced(
            patient=(
                "When might somebody have fed my pump false sensor values?",
                "Which of my sensor values were sent but cannot be true?",
            ),
            parent=("When did my child's sensor send values that cannot be true?",),
            clinician=(
                "Identify the periods in which false glucose values were sent to the controller.",
                "Where is the reported glucose falsified, as opposed to missing?",
            ),
        ),
        instruction="Report every stretch in which readings were sent that are not what the sensor "
        "measured, of any of these kinds; missing readings are none of them. "
        f"{ALL_VALUE_FAULTS} {INTERVAL_ANSWER}",
        rationale="Look for lone outliers, jumps to a shifted level and back, runs of one value, "
        "zeros, the ends of the range and copies, and join what is found.",
        example=[{"start": 10100, "end": 10160}, {"start": 22415, "end": 22416}],
        answer=partial(fault_intervals, labels=VALUE_FAULTS),
    ),
    Task(
        id="ad_56",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="dead sensor",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When was my sensor frozen or at zero?",
                "At what times did my sensor show either the same number over and over or nothing "
                "but 0?",
            ),
            parent=("When did my child's sensor show 0 or stay on one number?",),
            clinician=(
                "List the periods in which the sensor was frozen or read zero.",
                "Where did the sensor cease to respond, with a constant value or zeros?",
            ),
        ),
        instruction=f"{FROZEN} {ZEROS} Report every stretch of either kind. {INTERVAL_ANSWER}",
        rationale="Look for runs of one value with at least 12 repetitions and for runs of zeros.",
        example=[{"start": 10100, "end": 10150}, {"start": 22400, "end": 22600}],
        answer=partial(fault_intervals, labels=("repeated_reading", "zero_reading")),
    ),
)
