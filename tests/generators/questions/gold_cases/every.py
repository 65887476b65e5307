"""Records made by hand with known answers, by theme, and how a case is answered."""

from generators.questions.registry import TASKS
from generators.questions.task import Answer, Given, NotApplicable
from tests.generators.questions.gold_cases import (
    anomalies,
    days,
    exercise,
    glucose,
    glucose_episodes,
    insulin,
    meals,
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
    *exercise.CASES,
    *insulin.CASES,
    *anomalies.CASES,
    *predictions.CASES,
)


def completed(case: Case) -> Given | NotApplicable:
    """Return a case's parameters with what follows from them; a prediction gives all itself."""
    task = TASKS[case.task_id]
    if task.derive is None or task.prediction:
        return case.given
    return task.derive(case.trace, case.given)


def answer_of(case: Case) -> Answer | None:
    """Return the gold answer that the declared task computes, None where it must not be asked."""
    given = completed(case)
    if isinstance(given, NotApplicable):
        return None
    answer = TASKS[case.task_id].answered(case.trace, given, *case.others)
    return None if isinstance(answer, NotApplicable) else answer
