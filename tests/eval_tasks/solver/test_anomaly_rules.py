"""Gold answers of anomaly tasks against the rules of the solver, on records of any shape."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.rows import context_of
from eval_tasks.solver import SOLVERS, solve
from generators.questions.registry import TASKS
from generators.questions.task import Given, NotApplicable, Value
from generators.trace import Trace
from tests.generators.questions.hand_made import at, flat, meal, reading

KNOWN = tuple(
    task
    for task in TASKS.values()
    if task.type == "anomaly_detection" and task.id in SOLVERS and task.id != "ad_7"
)
"""Tasks whose gold answers come from the record too; those of ad_7 come from labels."""
VALUES = (None, 0, 40, 53, 54, 69, 70, 100, 180, 181, 201, 320)
PARTS = st.lists(st.tuples(st.sampled_from(VALUES), st.integers(1, 30)), min_size=1, max_size=25)


def solved(task_id: str, trace: Trace, asked: Given) -> object:
    row = {
        "task_id": task_id,
        "parameters": json.dumps(dict(asked)),
        "input_context": context_of(trace)[0].as_py(),
    }
    return solve(row)


def course(start: int, parts: Sequence[tuple[int | None, int]], trace: Trace) -> Trace:
    values = [value for value, count in parts for _ in range(count)]
    return reading(trace, start, *values[: (trace.minutes - start) // 5])


@settings(max_examples=20, deadline=None)
@given(
    early=PARTS,
    late=PARTS,
    start=st.sampled_from((at(1, "00:00"), at(9, "22:30"), at(23, "20:00"))),
    last=st.sampled_from((at(24, "00:00"), at(28, "23:00"), at(30, "12:00"))),
    lunch=st.integers(at(9, "22:00"), at(10, "10:00")),
)
def test_both_computations_agree(
    early: list[tuple[int | None, int]],
    late: list[tuple[int | None, int]],
    start: int,
    last: int,
    lunch: int,
) -> None:
    trace = course(last, late, course(start, early, meal(flat(), lunch, "lunch")))
    choices: dict[str, Value] = {"week": 2, "other_week": 4, "day": 10, "value": 200}
    for task in KNOWN:
        asked = {name: choices[name] for name in task.draw}
        gold = task.answered(trace, asked)
        if not isinstance(gold, NotApplicable):
            assert solved(task.id, trace, asked) == gold, task.id


@pytest.mark.parametrize(
    ("why", "values", "answer"),
    [
        ("36 repetitions", (120,) * 37, [{"start": 605, "end": 780}]),
        ("35 repetitions", (120,) * 36, []),
        ("at the bottom", (40,) * 40, []),
        ("at the top", (400,) * 40, []),
        ("zeros", (0,) * 40, []),
        ("missing", (None,) * 40, []),
    ],
)
def test_frozen_sensor(why: str, values: tuple[int | None, ...], answer: object) -> None:
    restless = reading(flat(), 0, *(100, 101) * 4320)
    assert solved("ad_7", reading(restless, 600, *values), {}) == answer, why
