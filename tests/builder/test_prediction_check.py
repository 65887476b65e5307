"""Resumed and whole simulations answer alike, and a wrong gold answer does not pass."""

import json
from typing import Any

import pytest

from builder.prediction_check import is_simulated_prediction, prediction_problem, simulation_of
from builder.rows import Origin, qa_table
from generators.questions.instances import Instance, first_instance
from generators.questions.registry import TASKS

SEED = 20261
ORIGIN = Origin(source="simulated", release="0.0.0", seed=SEED)
QUICK = ("pd_1", "pd_6", "pd_8", "pd_10", "pd_19")
"""Tasks with and without something added: food and bolus, exercise, a correction."""


def row_of(task_id: str, patient_id: str) -> dict[str, Any]:
    instance = first_instance(TASKS[task_id], simulation_of(patient_id, SEED), SEED)
    assert isinstance(instance, Instance)
    (row,) = qa_table("simulated", [instance], ORIGIN).to_pylist()
    found: dict[str, Any] = row
    return found


@pytest.mark.parametrize("patient_id", ["adult_004", "adult_003", "adult_006"])
@pytest.mark.parametrize("task_id", QUICK)
def test_whole_simulation_confirms_the_gold_answer(task_id: str, patient_id: str) -> None:
    row = row_of(task_id, patient_id)
    assert is_simulated_prediction(row)
    assert prediction_problem(row) is None


def test_a_wrong_answer_is_noticed() -> None:
    row = row_of("pd_6", "adult_004")
    wrong = json.loads(row["answer"]) + 1
    assert f"gold {wrong}" in str(prediction_problem({**row, "answer": str(wrong)}))
    given = json.loads(row["parameters"])
    other = json.dumps({**given, "grams": given["grams"] + 20})
    assert "the whole simulation gives" in str(prediction_problem({**row, "parameters": other}))
    assert "no prediction" in str(prediction_problem({**row, "task_id": "pm_0"}))


def test_recordings_and_other_tasks_are_left_alone() -> None:
    row = row_of("pd_1", "adult_004")
    assert not is_simulated_prediction({**row, "task_type": "process_mining"})
    assert not is_simulated_prediction({**row, "provenance": {"source": "azt1d"}})
