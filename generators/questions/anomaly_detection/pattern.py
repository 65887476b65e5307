"""Anomaly detection, pattern: faults that only their shape or their effect gives away."""

from functools import partial

from generators.questions.anomaly_detection.faults import fault_intervals
from generators.questions.definitions import INTERVAL_ANSWER
from generators.questions.task import Task, Wording

FLAT_MINUTES = 180

TASKS = (
    Task(
        id="ad_7",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="long flat stretches",
        answer_type="intervals",
        streams=("glucose",),
        wordings=(
            Wording(
                voice="patient",
                text="When was my sensor stuck on one value for three hours or more?",
            ),
            Wording(
                voice="patient",
                text="Some of my curve is dead flat for hours. When was that, if it lasted at "
                "least 3 hours?",
            ),
            Wording(
                voice="parent",
                text="When did my child's sensor repeat the same number for at least three hours?",
            ),
            Wording(
                voice="clinician",
                text="List the periods of 3 h or longer in which the sensor kept repeating its "
                "last value.",
            ),
            Wording(
                voice="clinician",
                text="Where is the sensor frozen on a single reading for at least three hours?",
            ),
        ),
        instruction="A frozen sensor repeats its last value again and again: the first sample of "
        "the stretch is the first repetition (the sample after the one whose value is repeated), "
        "the last is the last repetition. Report the frozen stretches that hold at least 36 "
        "repeated samples (n samples last 5 n minutes, so 180 min). A run at 40 or 400 mg/dL, the ends "
        "of what the sensor can show, is no frozen sensor. " + INTERVAL_ANSWER,
        rationale="Look for unbroken runs of one and the same value; in each, the first value is "
        "still measured, the repetitions after it are the fault; keep runs with at least 36 "
        "repetitions.",
        example=[{"start": 10100, "end": 10300}, {"start": 22400, "end": 22600}],
        answer=partial(fault_intervals, labels=("repeated_reading",), at_least=FLAT_MINUTES),
    ),
    Task(
        id="ad_59",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="undelivered insulin",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=(
            Wording(
                voice="patient",
                text="When did my pump claim to give insulin although nothing reached me?",
            ),
            Wording(
                voice="patient",
                text="I suspect that my pump sometimes delivered nothing at all while it reported "
                "doses as usual. When?",
            ),
            Wording(
                voice="parent",
                text="At what times did my child get no insulin although the pump showed normal "
                "delivery?",
            ),
            Wording(
                voice="clinician",
                text="Identify the periods of complete, unannounced loss of insulin delivery.",
            ),
            Wording(
                voice="clinician",
                text="During which stretches was the reported insulin evidently not delivered at "
                "all?",
            ),
        ),
        instruction="Look for stretches of at least 60 min in which the pump reports insulin as "
        "usual but delivers none. The record shows it by its effect alone: glucose climbs, or "
        "stays high, for hours although insulin is reported and the announced carbohydrate does "
        "not explain it, and falls again only after delivery has come back. Report the time "
        "without delivery, not the time of high glucose. " + INTERVAL_ANSWER,
        rationale="Look for rises that neither carbohydrate nor a lack of reported insulin "
        "explains while the reported dose grows; the stretch starts where glucose stops answering "
        "to insulin and ends where it answers again.",
        example=[{"start": 10100, "end": 10220}, {"start": 22400, "end": 22595}],
        answer=partial(fault_intervals, labels=("unknown_stop",)),
    ),
)
