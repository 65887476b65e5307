"""Anomaly detection, descriptive: what a single look at the record shows."""

from functools import partial

from generators.questions.anomaly_detection.faults import fault_intervals
from generators.questions.definitions import INTERVAL_ANSWER
from generators.questions.task import Interval, Task, Wording
from generators.questions.windows import intervals, stretches
from generators.trace import MISSING, Trace

_EXAMPLE: list[Interval] = [{"start": 10100, "end": 10160}, {"start": 22400, "end": 22515}]


def missing_intervals(trace: Trace) -> list[Interval]:
    """Return the stretches without a reading (a reading of 0 is a reading here)."""
    return intervals(stretches(trace.cgm == MISSING))


TASKS = (
    Task(
        id="ad_3",
        revision=1,
        type="anomaly_detection",
        level="descriptive",
        path=("QC",),
        prototype="missing readings",
        answer_type="intervals",
        streams=("glucose",),
        wordings=(
            Wording(voice="patient", text="When did my sensor send nothing?"),
            Wording(
                voice="patient",
                text="There are holes in my glucose record. From when to when is each of them?",
            ),
            Wording(voice="parent", text="When were there no sensor values from my child at all?"),
            Wording(voice="clinician", text="List every gap in the sensor data."),
            Wording(voice="clinician", text="During which periods are glucose readings missing?"),
        ),
        instruction="A reading is missing where the record holds no value for a 5-minute sample; "
        "a reading of 0 is not missing. Report every stretch of missing readings, however short. "
        + INTERVAL_ANSWER,
        rationale="Walk through the samples and note the first and the last sample of each "
        "unbroken stretch without a value.",
        example=_EXAMPLE,
        answer=missing_intervals,
    ),
    Task(
        id="ad_4",
        revision=1,
        type="anomaly_detection",
        level="descriptive",
        path=("QC",),
        prototype="negative spikes",
        answer_type="intervals",
        streams=("glucose",),
        wordings=(
            Wording(
                voice="patient",
                text="Now and then my sensor shows a sudden drop that is gone at the next value. "
                "When?",
            ),
            Wording(
                voice="patient",
                text="Which single values plunged and bounced straight back?",
            ),
            Wording(
                voice="parent",
                text="At what times did my child's sensor dip sharply for just one value?",
            ),
            Wording(
                voice="clinician", text="List the isolated downward spikes in the sensor trace."
            ),
            Wording(
                voice="clinician",
                text="Where does a lone reading fall far below both of its neighbours?",
            ),
        ),
        instruction="Look for single readings that are wrong because they lie far too low: one "
        "sample at least 60 mg/dL below what the sensor should have shown there, while the "
        "readings before and after it go on as if nothing had happened. Report each such sample "
        "as an interval of its own. " + INTERVAL_ANSWER,
        rationale="Compare each reading with its two neighbours: a fault drops by about 60 mg/dL "
        "or more in one step and comes back in the next, which glucose in the body cannot do.",
        example=[{"start": 10100, "end": 10101}, {"start": 22415, "end": 22416}],
        answer=partial(fault_intervals, labels=("negative_spike",)),
    ),
)
