"""Anomaly detection, memory: events of glucose itself in a window."""

from generators.questions.definitions import HYPOGLYCAEMIA_EPISODE, INTERVAL_ANSWER
from generators.questions.episodes import hypoglycaemia
from generators.questions.task import Interval, Task, Wording
from generators.questions.windows import intervals
from generators.trace import SAMPLES_PER_DAY, SAMPLES_PER_HOUR, Trace

NIGHT_HOURS = 6
"""The night is 00:00 to 06:00."""


def night_hypoglycaemia(trace: Trace) -> list[Interval]:
    """Return what of each episode of hypoglycaemia lies between 00:00 and 06:00."""
    night = NIGHT_HOURS * SAMPLES_PER_HOUR
    cuts: list[tuple[int, int]] = []
    for episode in hypoglycaemia(trace):
        for midnight in range(
            episode.first - episode.first % SAMPLES_PER_DAY, episode.last + 1, SAMPLES_PER_DAY
        ):
            first = max(episode.first, midnight)
            last = min(episode.last, midnight + night - 1)
            if first <= last:
                cuts.append((first, last))
    return intervals(cuts)


TASKS = (
    Task(
        id="ad_18",
        revision=1,
        type="anomaly_detection",
        level="memory",
        path=("TR", "QC"),
        prototype="nocturnal hypoglycaemia",
        answer_type="intervals",
        streams=("glucose",),
        wordings=(
            Wording(voice="patient", text="When was I low at night?"),
            Wording(
                voice="patient",
                text="During which times between midnight and six in the morning was I hypo?",
            ),
            Wording(
                voice="parent", text="When did my child have lows in the night, midnight to six?"
            ),
            Wording(
                voice="clinician",
                text="List the nocturnal hypoglycaemia (00:00 to 06:00) in this record.",
            ),
            Wording(
                voice="clinician",
                text="Which periods of hypoglycaemia fall between 00:00 and 06:00?",
            ),
        ),
        instruction=HYPOGLYCAEMIA_EPISODE
        + " Find the episodes on the whole record first; then, of each episode, report the part "
        "that lies between 00:00 (included) and 06:00 (not included), and leave out episodes that "
        "have no such part. The part starts and ends at a sample of that window: it starts at the "
        "first sample of the episode or at 00:00, and ends at the last sample of the episode or "
        "at 05:55. " + INTERVAL_ANSWER,
        rationale="Find all episodes of hypoglycaemia, cut each to the six hours after midnight, "
        "and keep what is left.",
        example=[{"start": 5810, "end": 5855}, {"start": 17400, "end": 17430}],
        answer=night_hypoglycaemia,
    ),
)
