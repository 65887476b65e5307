"""Compares the gold answers of predictions with simulations that never stopped at the cut.

A gold answer comes from the state at the cut, simulated on. Here the whole trace is simulated anew,
from minute 0, with what a hypothetical adds written into the diary from the start, and the task's
rule is applied to that.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from generators.questions.registry import TASKS
from generators.questions.task import Given, NotApplicable, Prediction
from generators.simulated.cohort import Simulation, simulate
from generators.trace import MINUTES_PER_DAY, SAMPLE_MINUTES, Trace

Row = Mapping[str, Any]
SIMULATED = "simulated"


def is_simulated_prediction(row: Row) -> bool:
    """Return whether a row is a prediction that a simulation can answer again."""
    return bool(row["task_type"] == "prediction" and row["provenance"]["source"] == SIMULATED)


def prediction_problem(row: Row) -> str | None:
    """Return how a gold answer differs from the whole simulation's; None where it does not.

    Args:
        row: A row for which `is_simulated_prediction` holds.

    Raises:
        GeneratorError: The patient or what is added is unknown to the simulation.
    """
    task = TASKS[row["task_id"]]
    if task.prediction is None:
        return f"{task.id} is no prediction"
    given: Given = json.loads(row["parameters"])
    simulation = simulation_of(row["patient_id"], row["provenance"]["seed"])
    first, *others = _whole(simulation, task.prediction, given)
    second = task.answered(first, given, *others)
    if isinstance(second, NotApplicable):
        return f"the whole simulation gives no answer: {second.reason}"
    gold = json.loads(row["answer"])
    return None if second == gold else f"gold {gold}, the whole simulation gives {second}"


@lru_cache(maxsize=2)
def simulation_of(patient_id: str, seed: int) -> Simulation:
    """Return the simulation that a row's trace comes from."""
    return simulate(patient_id, seed=seed)


def _whole(simulation: Simulation, prediction: Prediction, given: Given) -> list[Trace]:
    """Return the alternatives that an answer needs, each from the first shown day on."""
    start = (int(given["first_day"]) - 1) * MINUTES_PER_DAY
    cut = start + int(given["cut"])
    until = cut + prediction.horizon + SAMPLE_MINUTES
    return [
        (
            simulation.trace if added is None else simulation.rerun(cut, until=until, added=added)
        ).between(start, until)
        for added in prediction.alternatives(given, cut)
    ]
