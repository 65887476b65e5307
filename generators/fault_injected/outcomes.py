"""What faults led to: how far true glucose moved, whether a hazard followed and how soon."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

import numpy as np

from generators.fault_injected.twins import HORIZON, Lives, lives
from generators.questions.episodes import Episode, hyperglycaemia, hypoglycaemia
from generators.trace import SAMPLE_MINUTES, FaultEvent, FaultLabel, Trace

Hazard = Literal["hypoglycaemia", "hyperglycaemia"]
_EPISODES = {"hypoglycaemia": hypoglycaemia, "hyperglycaemia": hyperglycaemia}

RAISES: tuple[FaultLabel, ...] = (
    "negative_bias",
    "min_reading",
    "negative_basal",
    "min_basal",
    "unknown_stop",
    "unknown_under",
)
"""Labels that should raise true glucose: less insulin is commanded or delivered."""
LOWERS: tuple[FaultLabel, ...] = (
    "positive_bias",
    "max_reading",
    "false_meal",
    "false_bolus",
    "positive_basal",
    "max_basal",
)
"""Labels that should lower true glucose: more insulin is commanded or delivered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one fault led to.

    Attributes:
        patient_id: Patient.
        event: The fault.
        change: Mean true glucose minus that of the twin without this fault, from its start to its
            horizon, mg/dL.
        as_meant: Whether the change has the sign that the label should give; None where it should
            give none.
        hazard: First hazard within the horizon that the twin does not meet, None for none.
        delay: Minutes from the start of the fault to that hazard, None for none.
    """

    patient_id: str
    event: FaultEvent
    change: float
    as_meant: bool | None
    hazard: Hazard | None
    delay: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Harm:
    """How often the faults of one cause and label led to a hazard.

    Attributes:
        cause: Cause.
        label: Label.
        events: How many there were.
        hypoglycaemia: How many were followed by an episode below 70 mg/dL.
        hyperglycaemia: How many were followed by an episode above 180 mg/dL.
        delay: Median minutes from the start of a fault to the hazard, None where none followed.
        change: Median of the mean change of true glucose, mg/dL.
    """

    cause: str
    label: FaultLabel
    events: int
    hypoglycaemia: int
    hyperglycaemia: int
    delay: float | None
    change: float


def outcomes(
    patient_id: str, events: Sequence[FaultEvent], *, seed: int, days: int
) -> list[Outcome]:
    """Return what each fault of a run led to, by comparison with the twin without that fault.

    A hazard is an episode of true glucose below 70 or above 180 mg/dL (at least 15 min) that begins
    between the start of the fault and four hours after its end, and of which no sample lies in an
    episode of the same kind of the twin.
    """
    return [
        _outcome(patient_id, event, lives(patient_id, event, events, seed=seed, days=days))
        for event in events
    ]


def _outcome(patient_id: str, event: FaultEvent, both: Lives) -> Outcome:
    change = float(np.mean(both.difference))
    first, hazard = _first_hazard(event, both)
    expected = (event.label in RAISES) - (event.label in LOWERS)
    return Outcome(
        patient_id=patient_id,
        event=event,
        change=change,
        as_meant=change * expected > 0 if expected else None,
        hazard=hazard,
        delay=None if first is None else (first - event.start) * SAMPLE_MINUTES,
    )


def _first_hazard(event: FaultEvent, both: Lives) -> tuple[int | None, Hazard | None]:
    found: list[tuple[int, Hazard]] = []
    kinds: tuple[Hazard, ...] = ("hypoglycaemia", "hyperglycaemia")
    for kind in kinds:
        spared = true_episodes(both.without, kind)
        found += [
            (episode.first, kind)
            for episode in true_episodes(both.there, kind)
            if event.start <= episode.first <= event.end + HORIZON
            and not any(o.first <= episode.last and o.last >= episode.first for o in spared)
        ]
    return min(found, default=(None, None))


def true_episodes(trace: Trace, kind: Hazard) -> list[Episode]:
    """Return the episodes of true glucose of a simulated trace, in time order."""
    if trace.truth is None:
        return []
    return _EPISODES[kind](replace(trace, cgm=np.minimum(trace.truth.glucose, 600)))


def harm_table(found: Iterable[Outcome]) -> list[Harm]:
    """Return how often each cause led to a hazard by each of its labels, sorted by cause."""
    groups: dict[tuple[str, FaultLabel], list[Outcome]] = {}
    for outcome in found:
        groups.setdefault((outcome.event.cause, outcome.event.label), []).append(outcome)
    return [_harm(cause, label, groups[cause, label]) for cause, label in sorted(groups)]


def _harm(cause: str, label: FaultLabel, group: Sequence[Outcome]) -> Harm:
    delays = [outcome.delay for outcome in group if outcome.delay is not None]
    hazards = [outcome.hazard for outcome in group]
    return Harm(
        cause=cause,
        label=label,
        events=len(group),
        hypoglycaemia=hazards.count("hypoglycaemia"),
        hyperglycaemia=hazards.count("hyperglycaemia"),
        delay=median(delays) if delays else None,
        change=median(outcome.change for outcome in group),
    )
