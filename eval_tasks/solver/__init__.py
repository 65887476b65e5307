"""Answers tasks from what a reader sees, by another way than the gold answers were made.

It takes a row's record and parameters, nothing else, and works on pandas tables by run lengths and
time-indexed selections. Every build compares it with the gold answers of the tasks it knows: two
computations that agree on every instance. Tasks whose answer the record does not determine
(hidden faults, predictions) are not here.
"""

import json
from collections.abc import Mapping

from eval_tasks.errors import EvaluationError
from eval_tasks.solver import anomalies, exercise, glucose, insulin, meals, weeks
from eval_tasks.solver.record import Row, Rule, record_of

SOLVERS: Mapping[str, Rule] = {
    **glucose.RULES,
    **weeks.RULES,
    **meals.RULES,
    **exercise.RULES,
    **insulin.RULES,
    **anomalies.RULES,
}
"""Rules by task."""


def solve(row: Row) -> object:
    """Return the answer to a row's question.

    Raises:
        EvaluationError: The solver does not know the task, or the record does not determine the
            answer.
    """
    rule = SOLVERS.get(row["task_id"])
    if rule is None:
        raise EvaluationError(f"the solver knows no rule for {row['task_id']}")
    return rule(record_of(row), json.loads(row["parameters"]))
