"""Every instruction says which rule applies and with which parameters."""

from itertools import product
from typing import Any

import pytest

from eval_tasks.rules.exact import _COMPILED, PATTERNS, rule_of
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


@pytest.mark.parametrize(
    "task", [task for task in TASKS.values() if task.type == "prediction"], ids=lambda task: task.id
)
def test_an_instruction_of_a_prediction_has_one_rule(task: Task) -> None:
    assert len([sentence for sentence in RULES if sentence in task.instruction]) == 1
    assert rule_of(task.instruction) is None
    assert not asks_for_faults(task.instruction)
