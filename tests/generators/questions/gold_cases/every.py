"""Records made by hand with known answers, by theme, and how a case is answered."""

from generators.questions.registry import TASKS
from generators.questions.task import Answer, Given, NotApplicable, Task, TaskError
from tests.generators.questions.gold_cases import (
    anomalies,
    days,
    exercise,
    glucose,
    glucose_episodes,
    insulin,
    meals,
    meals_by_time,
    predictions,
    weeks,
)
from tests.generators.questions.hand_made import Case

CASES = (
    *glucose.CASES,
    *glucose_episodes.CASES,
    *days.CASES,
    *weeks.CASES,
    *meals.CASES,
    *meals_by_time.CASES,
    *exercise.CASES,
    *insulin.CASES,
    *anomalies.CASES,
    *predictions.CASES,
)


def task_of(case: Case) -> Task:
    """Return the declared task, in the form that a case asks."""
    task = TASKS[case.task_id]
    form = task.asked_by_time() if case.by_time else task
    if form is None:
        raise TaskError(f"{task.id} has no such form")
    return form


def completed(case: Case) -> Given | NotApplicable:
    """Return a case's parameters with what follows from them; a prediction gives all itself."""
    task = task_of(case)
    if task.derive is None or task.prediction:
        return case.given
    return task.derive(case.trace, case.given)


def answer_of(case: Case) -> Answer | None:
    """Return the gold answer that the declared task computes, None where it must not be asked."""
    given = completed(case)
    if isinstance(given, NotApplicable):
        return None
    answer = task_of(case).answered(case.trace, given, *case.others)
    return None if isinstance(answer, NotApplicable) else answer
