"""What a fault does to true glucose: the same patient with and without it.

The twin of an event lives through all other faults, with the same keys and noise: whatever differs
between the two is the event's doing.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from generators.simulated.cohort import simulate
from generators.trace import SAMPLES_PER_DAY, SAMPLES_PER_HOUR, FaultEvent

HORIZON = 4 * SAMPLES_PER_HOUR
"""Samples after the end of a fault in which its effect is looked for."""
LEAST_EFFECT = 15
"""mg/dL by which true glucose must move for a fault that the record does not show."""


def difference(
    patient_id: str, event: FaultEvent, events: Sequence[FaultEvent], *, seed: int, days: int
) -> NDArray[np.int64]:
    """Return how much true glucose exceeds that of the twin without one event.

    Args:
        patient_id: Patient.
        event: One of the events.
        events: All faults of the run, in time order.
        seed: Release seed.
        days: Length of the record.

    Returns:
        mg/dL from the first sample of the event to the horizon after its end or the record's end.
    """
    last = min(event.end + HORIZON + 1, days * SAMPLES_PER_DAY)
    needed = -(-last // SAMPLES_PER_DAY)
    lived = tuple(other for other in events if other.end < last)
    without = tuple(other for other in lived if other != event)
    span = slice(event.start, last)
    there = _glucose(patient_id, seed, needed, lived)[span].astype(np.int64)
    return there - _glucose(patient_id, seed, needed, without)[span]


def moved(
    patient_id: str, event: FaultEvent, events: Sequence[FaultEvent], *, seed: int, days: int
) -> bool:
    """Return whether a fault moves true glucose by at least 15 mg/dL within its horizon."""
    change = difference(patient_id, event, events, seed=seed, days=days)
    return int(np.abs(change).max()) >= LEAST_EFFECT


@lru_cache(maxsize=8)
def _glucose(
    patient_id: str, seed: int, days: int, schedule: tuple[FaultEvent, ...]
) -> NDArray[np.int16]:
    truth = simulate(patient_id, seed=seed, days=days, schedule=schedule).trace.truth
    return np.zeros(0, dtype=np.int16) if truth is None else truth.glucose
