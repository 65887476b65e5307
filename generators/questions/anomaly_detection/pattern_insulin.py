"""Anomaly detection, pattern: too little or too much insulin."""

from functools import partial

from generators.questions.anomaly_detection.faults import fault_intervals
from generators.questions.anomaly_detection.signs import (
    LEAST_BASAL,
    LESS_BASAL,
    MORE_BASAL,
    NOT_DELIVERED,
    PARTLY_DELIVERED,
)
from generators.questions.definitions import INTERVAL_ANSWER
from generators.questions.task import RecordStream, Task, voiced

STREAMS: tuple[RecordStream, ...] = ("glucose", "insulin", "carbohydrate")

TASKS = (
    Task(
        id="ad_52",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PR",),
        prototype="all background insulin faults",
        answer_type="intervals",
        streams=STREAMS,
        wordings=voiced(
            patient=(
                "When did my pump give me more or less insulin than it should have?",
                "At what times was my insulin delivery wrong, in whatever way?",
            ),
            parent=("When did my child's pump deliver wrongly, too much or too little?",),
            clinician=(
                "Identify every period of erroneous insulin delivery, reported or hidden.",
                "During which stretches did the pump deliver more or less than appropriate?",
            ),
        ),
        instruction="Report every stretch in which insulin delivery was wrong, of any of these "
        f"kinds; single boluses do not count. {MORE_BASAL} {LESS_BASAL} {NOT_DELIVERED} "
        f"{PARTLY_DELIVERED} {INTERVAL_ANSWER}",
        rationale="Compare insulin with what glucose and carbohydrate call for: look for insulin "
        "raised while glucose is low, lowered while it is high, and for meals whose bolus had "
        "hardly any effect.",
        example=[{"start": 10100, "end": 10220}, {"start": 22400, "end": 22595}],
        answer=partial(
            fault_intervals,
            labels=(
                "positive_basal",
                "negative_basal",
                "max_basal",
                "min_basal",
                "unknown_stop",
                "unknown_under",
            ),
        ),
    ),
    Task(
        id="ad_58",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="insulin stopped",
        answer_type="intervals",
        streams=STREAMS,
        wordings=voiced(
            patient=(
                "When did I get practically no insulin although I needed it?",
                "At what times had my insulin stopped, whether or not the pump showed it?",
            ),
            parent=("When did my child get practically no insulin although it was needed?",),
            clinician=(
                "Identify the periods in which insulin was suspended, openly or unnoticed, in "
                "spite of high glucose.",
                "During which stretches was insulin delivery at a standstill when it was needed?",
            ),
        ),
        instruction="Report every stretch in which insulin was at a standstill although it was "
        f"needed, of either kind. {LEAST_BASAL} {NOT_DELIVERED} {INTERVAL_ANSWER}",
        rationale="Look for insulin at its lowest while glucose is high, and for the meals after "
        "which glucose rises most for what was eaten, as if their bolus had not been given.",
        example=[{"start": 8100, "end": 8220}, {"start": 29400, "end": 29595}],
        answer=partial(fault_intervals, labels=("min_basal", "unknown_stop")),
    ),
    Task(
        id="ad_59",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="undelivered insulin",
        answer_type="intervals",
        streams=STREAMS,
        wordings=voiced(
            patient=(
                "When did my pump claim to give insulin although nothing reached me?",
                "I suspect that my pump sometimes delivered nothing at all while it reported doses "
                "as usual. When?",
            ),
            parent=(
                "At what times did my child get no insulin although the pump showed normal "
                "delivery?",
            ),
            clinician=(
                "Identify the periods of complete, unannounced loss of insulin delivery.",
                "During which stretches was the reported insulin evidently not delivered at all?",
            ),
        ),
        instruction=f"{NOT_DELIVERED} Report every such stretch. {INTERVAL_ANSWER}",
        rationale="Rank the larger meals by how much glucose rises after them for each gram; the "
        "highest had no insulin. The stretch starts shortly before their bolus and ends where "
        "glucose answers to insulin again.",
        example=[{"start": 10100, "end": 10220}, {"start": 22400, "end": 22595}],
        answer=partial(fault_intervals, labels=("unknown_stop",)),
    ),
    Task(
        id="ad_60",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="too little insulin",
        answer_type="intervals",
        streams=STREAMS,
        wordings=voiced(
            patient=(
                "When did I get some insulin but less than I needed?",
                "At what times was my insulin cut down, openly or behind my back?",
            ),
            parent=("When did my child get less insulin than was needed?",),
            clinician=(
                "Identify the periods of insulin underdelivery, reported or hidden.",
                "During which stretches did the pump deliver less than appropriate?",
            ),
        ),
        instruction="Report every stretch with too little insulin, of any of these kinds; insulin "
        "that is reported as usual but not delivered at all is none of them. "
        f"{LESS_BASAL} {LEAST_BASAL} {PARTLY_DELIVERED} {INTERVAL_ANSWER}",
        rationale="Look for insulin that is lowered while glucose is high, and for meals after "
        "which glucose rises more than their reported bolus allows.",
        example=[{"start": 9100, "end": 9220}, {"start": 25400, "end": 25595}],
        answer=partial(fault_intervals, labels=("min_basal", "negative_basal", "unknown_under")),
    ),
    Task(
        id="ad_61",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="insulin delivered in part",
        answer_type="intervals",
        streams=STREAMS,
        wordings=voiced(
            patient=(
                "When did my pump report its usual doses although only part of them reached me?",
                "At what times did I get less insulin than my pump showed, but not nothing?",
            ),
            parent=("When did my child get only part of the insulin that the pump reported?",),
            clinician=(
                "Identify the periods in which only part of the reported insulin was delivered.",
                "During which stretches did the pump underdeliver without reporting it?",
            ),
        ),
        instruction=f"{PARTLY_DELIVERED} Report every such stretch. {INTERVAL_ANSWER}",
        rationale="Rank the larger meals by how much glucose rises after them for each gram; "
        "among the highest are those of whose bolus little arrived.",
        example=[{"start": 10100, "end": 10220}, {"start": 22400, "end": 22595}],
        answer=partial(fault_intervals, labels=("unknown_under",)),
    ),
    Task(
        id="ad_62",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="empty reservoir",
        answer_type="intervals",
        streams=STREAMS,
        wordings=voiced(
            patient=(
                "When might my pump's reservoir have been empty without a warning?",
                "At what times did my pump go on as usual although it seems to have run dry?",
            ),
            parent=("When might my child's pump have run out of insulin unnoticed?",),
            clinician=(
                "Identify the periods that suggest an empty reservoir: delivery reported, none "
                "received.",
                "During which stretches does the course of glucose point to an unnoticed empty "
                "reservoir?",
            ),
        ),
        instruction="An empty reservoir that the pump does not notice means that nothing is "
        f"delivered. {NOT_DELIVERED} Report every such stretch, whatever stopped the insulin. "
        f"{INTERVAL_ANSWER}",
        rationale="Rank the larger meals by how much glucose rises after them for each gram; the "
        "highest had no insulin, until glucose answers to it again.",
        example=[{"start": 7100, "end": 7220}, {"start": 31400, "end": 31595}],
        answer=partial(fault_intervals, labels=("unknown_stop",)),
    ),
    Task(
        id="ad_63",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="blocked infusion set",
        answer_type="intervals",
        streams=STREAMS,
        wordings=voiced(
            patient=(
                "When might my infusion set have been blocked without an alarm?",
                "At what times does it look as if my cannula was kinked and let nothing through?",
            ),
            parent=("When might my child's infusion set have been blocked?",),
            clinician=(
                "Identify the periods that suggest an occlusion of the infusion set without alarm.",
                "During which stretches does the course of glucose point to a blocked cannula?",
            ),
        ),
        instruction="A blocked infusion set that the pump does not notice means that nothing is "
        f"delivered. {NOT_DELIVERED} Report every such stretch, whatever stopped the insulin. "
        f"{INTERVAL_ANSWER}",
        rationale="Rank the larger meals by how much glucose rises after them for each gram; the "
        "highest had no insulin, until glucose answers to it again.",
        example=[{"start": 6100, "end": 6220}, {"start": 27400, "end": 27595}],
        answer=partial(fault_intervals, labels=("unknown_stop",)),
    ),
    Task(
        id="ad_64",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="leaking insulin",
        answer_type="intervals",
        streams=STREAMS,
        wordings=voiced(
            patient=(
                "When might insulin have leaked at my infusion site, so that only part went in?",
                "At what times does it look as if some of my insulin ran out beside the cannula?",
            ),
            parent=("When might part of my child's insulin have leaked away?",),
            clinician=(
                "Identify the periods that suggest insulin leakage at the infusion site.",
                "During which stretches does the course of glucose point to leaking insulin?",
            ),
        ),
        instruction="A leak means that part of the insulin does not reach the body. "
        f"{PARTLY_DELIVERED} Report every such stretch. {INTERVAL_ANSWER}",
        rationale="Rank the larger meals by how much glucose rises after them for each gram; "
        "among the highest are those of whose bolus little arrived.",
        example=[{"start": 8100, "end": 8220}, {"start": 29400, "end": 29595}],
        answer=partial(fault_intervals, labels=("unknown_under",)),
    ),
)
