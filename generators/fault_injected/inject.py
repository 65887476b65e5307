"""Traces of closed-loop patients with the release's faults injected into the loop."""

from generators.fault_injected.schedules import FAULT_PATIENT_IDS, release_schedule
from generators.fault_injected.slots import RELEASE_DAYS
from generators.simulated.cohort import Simulation, simulate

__all__ = ["FAULT_PATIENT_IDS", "simulate_with_faults"]


def simulate_with_faults(patient_id: str, *, seed: int, days: int = 38) -> Simulation:
    """Simulate a patient with the faults of the release's schedule in the first 30 days.

    The twin without faults is simulate(patient_id, seed=seed, days=days): same keys, same noise.

    Args:
        patient_id: One of FAULT_PATIENT_IDS.
        seed: Release seed.
        days: Length, at least 30.

    Raises:
        GeneratorError: As for `release_schedule` and `simulate`.
    """
    schedule = release_schedule(patient_id, seed=seed, days=max(days, RELEASE_DAYS))
    return simulate(patient_id, seed=seed, days=days, schedule=schedule)
