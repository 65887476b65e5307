"""Process mining, descriptive: numbers over the whole record."""

import numpy as np

from generators.questions.definitions import HYPOGLYCAEMIA_EPISODE, NO_READING, number_answer
from generators.questions.episodes import hypoglycaemia
from generators.questions.task import NotApplicable, Task, Wording
from generators.questions.windows import present, readings
from generators.trace import Trace


def mean_glucose(trace: Trace, *, start: int = 0, end: int | None = None) -> float | NotApplicable:
    """Return the mean of the readings of start <= t < end (default: the whole record), mg/dL."""
    found = present(readings(trace, start, trace.minutes if end is None else end))
    if found is None:
        return NotApplicable("fewer than 70 % of the readings exist")
    return float(np.mean(found))


def hypoglycaemia_count(trace: Trace) -> int:
    """Return the number of episodes of hypoglycaemia in the record."""
    return len(hypoglycaemia(trace))


TASKS = (
    Task(
        id="pm_0",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="mean glucose",
        answer_type="number",
        unit="mg/dL",
        decimals=1,
        streams=("glucose",),
        wordings=(
            Wording(voice="patient", text="How high was my glucose on average over this month?"),
            Wording(
                voice="patient",
                text="My meter app wants my average sugar for these 30 days. What is it?",
            ),
            Wording(
                voice="parent", text="What did my child's glucose average over the whole record?"
            ),
            Wording(voice="clinician", text="Report this patient's mean sensor glucose."),
            Wording(
                voice="clinician",
                text="For the monthly summary I need the arithmetic mean of all sensor readings.",
            ),
        ),
        instruction="Use every reading of the record. "
        + NO_READING
        + " "
        + number_answer("the arithmetic mean of the readings", "mg/dL", 1),
        rationale="Add up all readings that exist and divide by how many there are.",
        example=140.5,
        answer=mean_glucose,
    ),
    Task(
        id="pm_7",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="hypoglycaemia count",
        answer_type="integer",
        streams=("glucose",),
        wordings=(
            Wording(voice="patient", text="How many separate lows did I have this month?"),
            Wording(
                voice="patient", text="Count my hypos over the 30 days: how many were there in all?"
            ),
            Wording(
                voice="parent",
                text="How often did my child go low in this record, counted as separate episodes?",
            ),
            Wording(
                voice="clinician",
                text="State the number of hypoglycaemia episodes over the whole record.",
            ),
            Wording(
                voice="clinician",
                text="How many distinct episodes below 70 mg/dL does the record hold?",
            ),
        ),
        instruction=HYPOGLYCAEMIA_EPISODE
        + " Answer with the number of episodes in the whole record, a whole number (0 if none).",
        rationale="Find every row of at least 3 readings below 70 mg/dL, join what is not "
        "separated by 3 readings of 70 mg/dL or more, and count.",
        example=5,
        answer=hypoglycaemia_count,
    ),
)
