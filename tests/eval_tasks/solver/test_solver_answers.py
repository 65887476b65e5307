"""The second computation on the records made by hand, from nothing but a row."""

import json

import pytest

from builder.rows import context_of
from eval_tasks.errors import EvaluationError
from eval_tasks.solver import SOLVERS, solve
from eval_tasks.solver.record import rounded
from generators.questions.registry import TASKS
from generators.questions.task import NotApplicable
from tests.generators.questions.gold_cases.every import CASES, completed, task_of
from tests.generators.questions.hand_made import Case, bout, flat, meal

SOLVED = [
    case
    for case in CASES
    if case.task_id in SOLVERS and case.gold is not None and not case.trace.faults
]


def row_of(case: Case) -> dict[str, object]:
    given = completed(case)
    assert not isinstance(given, NotApplicable)
    guessed = list(task_of(case).inferred_meals)
    return {
        "task_id": case.task_id,
        "parameters": json.dumps({**given, **({"inferred_meals": guessed} if guessed else {})}),
        "input_context": context_of(case.trace)[0].as_py(),
    }


@pytest.mark.parametrize("case", SOLVED, ids=lambda case: f"{case.task_id}: {case.why}")
def test_solver_answers_what_is_known(case: Case) -> None:
    assert solve(row_of(case)) == case.gold


def test_every_process_mining_task_is_solved_twice() -> None:
    mining = {task.id for task in TASKS.values() if task.type == "process_mining"}
    assert mining == {task_id for task_id in SOLVERS if task_id.startswith("pm_")}
    assert mining <= {case.task_id for case in SOLVED}


@pytest.mark.parametrize(
    ("task_id", "given"), [("pm_21", {"day": 1}), ("pm_28", {"day": 1}), ("ad_4", {})]
)
def test_what_cannot_be_solved_is_refused(task_id: str, given: dict[str, int]) -> None:
    with pytest.raises(EvaluationError):
        solve(row_of(Case("nothing on the day", task_id, flat(), None, given)))


def test_two_entries_near_the_stated_time_are_refused() -> None:
    twice = meal(meal(flat(), 660, "unspecified"), 780, "unspecified")
    row = row_of(Case("two", "pm_21", twice, None, {"day": 1, "around": 720}))
    row["parameters"] = json.dumps({"day": 1, "around": 720, "inferred_meals": ["lunch"]})
    with pytest.raises(EvaluationError, match="has 2 of lunch"):
        solve(row)


def test_two_lunches_are_refused() -> None:
    twice = meal(meal(bout(flat(), 600, 30), 700, "lunch"), 900, "lunch")
    with pytest.raises(EvaluationError, match="has 2 of lunch"):
        solve(row_of(Case("two", "pm_21", twice, None, {"day": 1})))


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [(0.25, 1, 0.3), (-0.125, 2, -0.13), (2.675, 2, 2.68), (154.04999999999998, 1, 154.1)],
)
def test_rounding_goes_away_from_zero(value: float, digits: int, expected: float) -> None:
    assert rounded(value, digits) == expected
