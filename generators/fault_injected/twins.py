"""What a fault does to true glucose: the same patient with and without it.

The twin of an event lives through all other faults, with the same keys and noise: whatever differs
between the two is the event's doing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from generators.errors import GeneratorError
from generators.simulated.cohort import simulate
from generators.trace import SAMPLES_PER_DAY, SAMPLES_PER_HOUR, FaultEvent, Trace

HORIZON = 4 * SAMPLES_PER_HOUR
"""Samples after the end of a fault in which its effect is looked for."""
LEAST_EFFECT = 15
"""mg/dL by which true glucose must move for a fault that the record does not show."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lives:
    """A run with a fault and its twin without it.

    Attributes:
        there: With the fault.
        without: Without it.
        difference: True glucose with minus without it, mg/dL, from the first sample of the fault to
            its horizon or the end of the record.
    """

    there: Trace
    without: Trace
    difference: NDArray[np.int64]


def lives(
    patient_id: str, event: FaultEvent, events: Sequence[FaultEvent], *, seed: int, days: int
) -> Lives:
    """Simulate a patient with and without one event, to the end of the day of its horizon.

    Args:
        patient_id: Patient.
        event: One of the events.
        events: All faults of the run, in time order.
        seed: Release seed.
        days: Length of the record.
    """
    last = min(event.end + HORIZON + 1, days * SAMPLES_PER_DAY)
    until = -(-last // SAMPLES_PER_DAY)
    lived = tuple(other for other in events if other.end < until * SAMPLES_PER_DAY)
    there = _run(patient_id, seed, until, lived)
    without = _run(patient_id, seed, until, tuple(other for other in lived if other != event))
    span = slice(event.start, last)
    return Lives(
        there=there, without=without, difference=_glucose(there)[span] - _glucose(without)[span]
    )


def moved(
    patient_id: str, event: FaultEvent, events: Sequence[FaultEvent], *, seed: int, days: int
) -> bool:
    """Return whether a fault moves true glucose by at least 15 mg/dL within its horizon."""
    both = lives(patient_id, event, events, seed=seed, days=days)
    return int(np.abs(both.difference).max()) >= LEAST_EFFECT


def _glucose(trace: Trace) -> NDArray[np.int64]:
    if trace.truth is None:
        raise GeneratorError(f"{trace.trace_id} is no simulation: it holds no truth")
    return trace.truth.glucose.astype(np.int64)


@lru_cache(maxsize=4)
def _run(patient_id: str, seed: int, days: int, schedule: tuple[FaultEvent, ...]) -> Trace:
    return simulate(patient_id, seed=seed, days=days, schedule=schedule).trace
