"""Fresh patients: siblings drawn by a seed in place of the 30 patients."""

from itertools import count
from typing import get_args

from generators.simulated.exercise import feasible_range
from generators.simulated.patients import PATIENT_IDS
from generators.streams import Stream
from generators.trace import ExerciseType

NUMBERS = (4, 999_999)
"""Numbers of the siblings that no split of a release holds."""


def fresh_patients(seed: int) -> tuple[str, ...]:
    """Return a sibling of each of the 30 patients, drawn by the seed, that is in no `COHORTS`.

    Fitness is drawn with the sibling, and what a person cannot keep up is not asked. So that as many
    people run and jog as in the published cohort, a sibling takes part in the exercise that the
    patient takes part in; others are drawn again.
    """
    return tuple(_fresh_patient(seed, parent) for parent in PATIENT_IDS)


def _fresh_patient(seed: int, parent: str) -> str:
    drawn = (
        f"{parent}.sib{Stream(seed, 'fresh patient', parent, attempt).integer(*NUMBERS)}"
        for attempt in count()
    )
    return next(name for name in drawn if exercise_of(name) == exercise_of(parent))


def exercise_of(patient_id: str) -> frozenset[ExerciseType]:
    """Return the types of exercise that a patient can keep up."""
    return frozenset(
        kind for kind in get_args(ExerciseType) if feasible_range(patient_id, kind) is not None
    )
