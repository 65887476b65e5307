"""Every instruction says which rule applies and with which parameters."""

from itertools import product
from typing import Any

import pytest

from eval_tasks.rules.exact import _COMPILED, PATTERNS, UNNAMED, rule_of
from eval_tasks.rules.faults import asks_for_faults
from eval_tasks.rules.predictions import RULES
from eval_tasks.solver import SOLVERS
from generators.questions.registry import TASKS
from generators.questions.task import NotApplicable, Task
from generators.questions.text import fill
from tests.generators.questions.hand_made import flat

SAME_RULE = {"ad_43": "ad_3"}
"""Tasks whose rule stands under another."""
ASKED = [task for task in TASKS.values() if task.type != "prediction"]


def draws(task: Task) -> list[dict[str, Any]]:
    """Two draws of each parameter of a task, as far as they make a question."""
    names = list(task.draw)
    values = [(task.draw[name][0], task.draw[name][-1]) for name in names]
    found = []
    for drawn in product(*values):
        given: Any = dict(zip(names, drawn, strict=True))
        if task.derive:
            given = task.derive(flat(), given)
        if not isinstance(given, NotApplicable):
            found.append(given)
    return found


@pytest.mark.parametrize("task", ASKED, ids=lambda task: task.id)
def test_an_instruction_matches_its_own_pattern_alone(task: Task) -> None:
    expected = {SAME_RULE.get(task.id, task.id)} if task.id in SOLVERS else set()
    for given in draws(task):
        text = fill(task.instruction, given)
        assert {name for name, p in _COMPILED.items() if p.search(text)} == expected
        if expected:
            found = rule_of(text)
            assert found is not None
            assert {name: given[name] for name in found[1]} == found[1]
            assert given.keys() - found[1].keys() <= {"days"}
        else:
            assert asks_for_faults(text)


def test_every_rule_of_the_solver_has_a_pattern() -> None:
    assert PATTERNS.keys() == SOLVERS.keys() - SAME_RULE.keys()


def test_meals_that_the_record_does_not_name_are_told_by_their_time() -> None:
    given: dict[str, Any] = {"day": 7, "grams": 40, "around": 750}
    given |= {"breakfast": 480, "lunch": 750, "dinner": 1140}
    asked = {
        task.id: rule_of(fill(task.unnamed.instruction, given))
        for task in TASKS.values()
        if task.unnamed
    }
    peak = ("pm_21", {"day": 7, "around": 750, "inferred_meals": None})
    clocks = {name: given[name] for name in ("breakfast", "lunch", "dinner")}
    assert asked == {
        "pm_21": peak,
        "pm_22": ("pm_22", peak[1]),
        "pm_23": ("pm_23", {"day": 7, **clocks, "inferred_meals": None}),
        "pm_25": ("pm_25", {"grams": 40, "inferred_meals": None}),
        "pm_26": peak,
    }
    assert UNNAMED.keys() == {found[0] for found in asked.values() if found}


@pytest.mark.parametrize(
    "task", [task for task in TASKS.values() if task.type == "prediction"], ids=lambda task: task.id
)
def test_an_instruction_of_a_prediction_has_one_rule(task: Task) -> None:
    assert len([sentence for sentence in RULES if sentence in task.instruction]) == 1
    assert rule_of(task.instruction) is None
    assert not asks_for_faults(task.instruction)
