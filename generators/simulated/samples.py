"""A trace as a table, one row per sample, for people who work with it elsewhere."""

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from generators.errors import GeneratorError
from generators.simulated.hazards import hazard_levels
from generators.trace import MINUTES_PER_DAY, MISSING, SAMPLE_MINUTES, InsulinType, Trace

_BOLUSES: tuple[InsulinType, ...] = (
    "meal_bolus",
    "correction_bolus",
    "automatic_correction",
    "long_acting",
)


def sample_table(trace: Trace) -> pa.Table:
    """Return a simulated trace with its truth, one row per sample.

    Columns: trace_id, patient_id, minute, day (1 is a Monday), cgm_mgdl (null where missing),
    true_glucose_mgdl, hazard (see hazards), insulin_mu_min, delivered_mu_min, on_board_u,
    carbs_g (announced), carbs_eaten_g, one column in U for each kind of bolus or injection,
    exercise (kind, null at rest) and exercise_magnitude (mph; cycling: W).

    Raises:
        GeneratorError: The trace holds no truth.
    """
    truth = trace.truth
    if truth is None or truth.on_board is None:
        raise GeneratorError(f"{trace.trace_id} is no simulation: it holds no truth")
    n = len(trace)
    minute = np.arange(n, dtype=np.int32) * SAMPLE_MINUTES
    announced = [(event.minute, float(event.grams)) for event in trace.carbs]
    eaten = [
        (event.minute, float(event.grams if event.eaten is None else event.eaten))
        for event in trace.carbs
    ]
    kinds, magnitudes = _exercise(trace)
    columns: dict[str, pa.Array] = {
        "trace_id": pa.array([trace.trace_id] * n).dictionary_encode(),
        "patient_id": pa.array([trace.patient_id] * n).dictionary_encode(),
        "minute": pa.array(minute),
        "day": pa.array((minute // MINUTES_PER_DAY + 1).astype(np.int16)),
        "cgm_mgdl": pa.array(trace.cgm, mask=trace.cgm == MISSING),
        "true_glucose_mgdl": pa.array(truth.glucose),
        "hazard": pa.array(hazard_levels(truth.glucose)),
        "insulin_mu_min": pa.array(trace.insulin / 10.0, mask=trace.insulin == MISSING),
        "delivered_mu_min": pa.array(truth.insulin / 10.0),
        "on_board_u": pa.array(truth.on_board / 1000.0),
        "carbs_g": pa.array(_summed(announced, n)),
        "carbs_eaten_g": pa.array(_summed(eaten, n)),
    }
    for kind in _BOLUSES:
        given = [(event.minute, event.units) for event in trace.boluses if event.kind == kind]
        columns[f"{kind}_u"] = pa.array(_summed(given, n))
    return pa.table({**columns, "exercise": kinds, "exercise_magnitude": magnitudes})


def _summed(amounts: Iterable[tuple[int, float]], samples: int) -> NDArray[np.float64]:
    total = np.zeros(samples)
    for minute, amount in amounts:
        total[minute // SAMPLE_MINUTES] += amount
    return total


def _exercise(trace: Trace) -> tuple[pa.Array, pa.Array]:
    kinds: list[str | None] = [None] * len(trace)
    magnitudes: list[float | None] = [None] * len(trace)
    for bout in trace.exercise:
        first = bout.minute // SAMPLE_MINUTES
        last = min(-(-(bout.minute + bout.duration) // SAMPLE_MINUTES), len(trace))
        for sample in range(first, last):
            kinds[sample], magnitudes[sample] = bout.kind, bout.magnitude
    return pa.array(kinds, pa.string()).dictionary_encode(), pa.array(magnitudes, pa.float64())
