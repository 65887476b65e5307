"""Gold answers from labels against the truth: they agree, and a wrong one does not pass."""

import json
from typing import Any

import pytest

from builder.rows import context_of
from builder.second_computation import FAULT_RULES, fault_problem
from builder.truth import deviations, signals_of
from eval_tasks.solver import SOLVERS
from generators.questions.registry import TASKS
from generators.questions.task import NotApplicable
from generators.trace import FAULT_LABELS, FaultLabel
from tests.builder.faulty_traces import SAMPLES, SINGLE, Faulty, faulty

NOON = 26 * 288 + 144
"""12:00 on day 27."""
STARTS = (26 * 288 + 12, NOON - 4, NOON + 2, NOON + 8, NOON + 11, 9 * 288 + 20)
"""At 01:00, around lunch at 12:00 and the run from 12:30 to 13:00 on day 27; on day 10."""
GIVEN = {"day": 27, "week": 4}


def row_of(task_id: str, record: Faulty, answer: object) -> dict[str, Any]:
    task = TASKS[task_id]
    return {
        "task_id": task_id,
        "answer_type": task.answer_type,
        "answer": json.dumps(answer),
        "parameters": json.dumps({name: GIVEN[name] for name in task.draw}),
        "input_context": context_of(record.trace)[0].as_py(),
    }


def problem(task_id: str, record: Faulty, answer: object) -> str | None:
    found = deviations(signals_of(record.truth_row(), SAMPLES))
    return fault_problem(row_of(task_id, record, answer), found)


def length_for(label: FaultLabel) -> int:
    return 1 if label in SINGLE else 80


@pytest.mark.parametrize("label", FAULT_LABELS)
@pytest.mark.parametrize("start", STARTS)
def test_labels_and_truth_agree_for_every_task(label: FaultLabel, start: int) -> None:
    record = faulty(label, start, length_for(label))
    found = deviations(signals_of(record.truth_row(), SAMPLES))
    for task_id in FAULT_RULES:
        task = TASKS[task_id]
        gold = task.answered(record.trace, {name: GIVEN[name] for name in task.draw})
        if not isinstance(gold, NotApplicable):
            assert fault_problem(row_of(task_id, record, gold), found) is None, task_id


@pytest.mark.parametrize("task_id", FAULT_RULES)
def test_an_answer_that_lacks_the_fault_or_invents_one_is_noticed(task_id: str) -> None:
    record = faulty(FAULT_RULES[task_id].labels[0], NOON + 8, 80)
    if task_id in ("ad_16", "ad_38", "ad_40", "ad_54"):
        record = faulty(FAULT_RULES[task_id].labels[0], NOON - 144 + 15, 80)
    if task_id == "ad_16":
        record = faulty("positive_spike", NOON - 5, 1)
    gold = TASKS[task_id].answered(
        record.trace, {name: GIVEN[name] for name in TASKS[task_id].draw}
    )
    assert gold
    assert not isinstance(gold, NotApplicable)
    assert problem(task_id, record, gold) is None
    wrong: list[object] = [[]]
    if TASKS[task_id].answer_type == "intervals":
        wrong += [[{"start": 600, "end": 700}], [*gold, {"start": 43000, "end": 43060}]]  # type: ignore[misc]
    for answer in wrong:
        assert problem(task_id, record, answer)


def test_a_stretch_that_is_moved_by_one_sample_is_noticed() -> None:
    record = faulty("negative_bias", 2000, 80)
    assert problem("ad_9", record, [{"start": 10000, "end": 10395}]) is None
    assert problem("ad_9", record, [{"start": 10005, "end": 10400}])
    assert problem("ad_9", record, [{"start": 9995, "end": 10395}])
    assert problem("ad_9", record, [{"start": 10000, "end": 10390}])


def test_a_gold_answer_that_is_no_json_is_noticed() -> None:
    record = faulty("zero_reading", 2000, 80)
    row = {**row_of("ad_56", record, []), "answer": "[{"}
    assert "no JSON" in (fault_problem(row, []) or "")


def test_every_anomaly_task_is_computed_twice() -> None:
    anomalies = {task.id for task in TASKS.values() if task.type == "anomaly_detection"}
    assert anomalies == set(FAULT_RULES) | {t for t in SOLVERS if t.startswith("ad_")}
    assert not set(FAULT_RULES) & set(SOLVERS)
