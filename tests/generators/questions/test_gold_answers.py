"""Every task's gold answer on records made by hand, boundary cases first."""

import numpy as np
import pytest

from generators.questions.registry import TASKS
from tests.generators.questions.gold_cases.every import CASES, answer_of
from tests.generators.questions.hand_made import Case, at, flat

WINDOW = {"week": 2, "weekday": 3, "start": 480, "end": 600}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.task_id}: {case.why}")
def test_gold_answer(case: Case) -> None:
    assert answer_of(case) == case.gold


def test_every_task_has_a_case() -> None:
    assert {case.task_id for case in CASES} == set(TASKS)


def test_no_case_stands_twice() -> None:
    names = [(case.task_id, case.by_time, case.why) for case in CASES]
    assert len(names) == len(set(names))


def test_samples_outside_the_window_do_not_matter() -> None:
    noisy = flat(100)
    noisy.cgm[:] = np.where(np.arange(len(noisy)) % 2, 60, 260)
    first = at(10, "08:00") // 5
    noisy.cgm[first : first + 24] = 123
    assert TASKS["pm_14"].answered(noisy, WINDOW) == 123.0
