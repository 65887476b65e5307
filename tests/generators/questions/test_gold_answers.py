"""Every task's gold answer on records made by hand, boundary cases first."""

import numpy as np
import pytest

from generators.questions.registry import TASKS
from generators.questions.task import NotApplicable
from generators.trace import Trace
from tests.generators.questions.gold_cases import anomalies
from tests.generators.questions.hand_made import Case, at, flat, meal, reading


def three_meals(rises: tuple[int, int, int], day: int = 3) -> Trace:
    trace = flat(100)
    for kind, clock, rise in zip(
        ("breakfast", "lunch", "dinner"), ("07:00", "12:00", "18:00"), rises, strict=True
    ):
        trace = meal(trace, at(day, clock), kind)  # type: ignore[arg-type]
        trace = reading(trace, at(day, clock) + 60, 100 + rise)
    return trace


LUNCH = meal(flat(100), at(3, "12:00"), "lunch")
LOW = (69, 69, 69)
WINDOW = {"week": 2, "weekday": 3, "start": 480, "end": 600}
WEDNESDAY = at(10, "08:00")

CASES = (
    Case("all equal", "pm_0", flat(137), 137.0),
    Case("missing and 0 do not count", "pm_0", reading(flat(100), 0, None, 0, 400), 100.0),
    Case("the mean of unequal ones", "pm_0", reading(flat(100), 0, *(388,) * 300), 110.0),
    Case("less than 70 % present", "pm_0", reading(flat(100), 0, *(None,) * 2593), None),
    Case("exactly 70 % present", "pm_0", reading(flat(100), 0, *(None,) * 2592), 100.0),
    Case("70 is not below 70", "pm_7", flat(70), 0),
    Case("all below", "pm_7", flat(69), 1),
    Case("two readings are none", "pm_7", reading(flat(), 600, 69, 69), 0),
    Case("three readings are one", "pm_7", reading(flat(), 600, *LOW), 1),
    Case("at the very start", "pm_7", reading(flat(), 0, *LOW), 1),
    Case("at the very end", "pm_7", reading(flat(), 30 * 1440 - 15, *LOW), 1),
    Case(
        "two readings back inside do not end it", "pm_7", reading(flat(), 0, *LOW, 90, 90, *LOW), 1
    ),
    Case("three readings back inside do", "pm_7", reading(flat(), 0, *LOW, 90, 90, 90, *LOW), 2),
    Case("15 min missing are skipped", "pm_7", reading(flat(), 0, *LOW, None, None, None, *LOW), 1),
    Case("20 min missing end it", "pm_7", reading(flat(), 0, *LOW, *(None,) * 4, *LOW), 2),
    Case("a zero is missing, not low", "pm_7", reading(flat(), 0, 0, 0, 0, 0), 0),
    Case("short gap inside the first three", "pm_7", reading(flat(), 0, 69, None, 69, 69), 1),
    Case(
        "long gap inside the first three", "pm_7", reading(flat(), 0, 69, *(None,) * 4, 69, 69), 0
    ),
    Case(
        "one below after two inside keeps it open",
        "pm_7",
        reading(flat(), 0, *LOW, 90, 90, 69, 90, 90, 69),
        1,
    ),
    Case(
        "the window's 24 samples", "pm_14", reading(flat(), WEDNESDAY, *(200,) * 24), 200.0, WINDOW
    ),
    Case("before it does not count", "pm_14", reading(flat(), WEDNESDAY - 5, 400), 100.0, WINDOW),
    Case("its end does not count", "pm_14", reading(flat(), WEDNESDAY + 120, 400), 100.0, WINDOW),
    Case("its start counts", "pm_14", reading(flat(), WEDNESDAY, 340), 110.0, WINDOW),
    Case(
        "16 of 24 are under 70 %", "pm_14", reading(flat(), WEDNESDAY, *(None,) * 8), None, WINDOW
    ),
    Case("17 of 24 are enough", "pm_14", reading(flat(), WEDNESDAY, *(0,) * 7), 100.0, WINDOW),
    Case("no lunch", "pm_21", flat(), None, {"day": 3}),
    Case("lunch on another day", "pm_21", LUNCH, None, {"day": 4}),
    Case("peak", "pm_21", reading(LUNCH, at(3, "13:00"), 212), 212, {"day": 3}),
    Case(
        "the reading at the start is before",
        "pm_21",
        reading(LUNCH, at(3, "12:00"), 212),
        100,
        {"day": 3},
    ),
    Case("3 h after still counts", "pm_21", reading(LUNCH, at(3, "15:00"), 212), 212, {"day": 3}),
    Case("3 h 5 min does not", "pm_21", reading(LUNCH, at(3, "15:05"), 212), 100, {"day": 3}),
    Case(
        "a snack within 3 h",
        "pm_21",
        meal(LUNCH, at(3, "15:00"), "afternoon_snack"),
        None,
        {"day": 3},
    ),
    Case(
        "a snack just after",
        "pm_21",
        meal(LUNCH, at(3, "15:05"), "afternoon_snack"),
        100,
        {"day": 3},
    ),
    Case(
        "rescue carbohydrate counts as other",
        "pm_21",
        meal(LUNCH, at(3, "13:00"), "rescue"),
        None,
        {"day": 3},
    ),
    Case("two lunches", "pm_21", meal(LUNCH, at(3, "16:00"), "lunch"), None, {"day": 3}),
    Case(
        "a meal between samples",
        "pm_21",
        reading(meal(flat(), at(3, "12:02"), "lunch"), at(3, "12:05"), 180),
        180,
        {"day": 3},
    ),
    Case(
        "window runs out of the record",
        "pm_21",
        meal(flat(), at(30, "21:30"), "lunch"),
        None,
        {"day": 30},
    ),
    Case("largest rise", "pm_23", three_meals((40, 90, 60)), "lunch", {"day": 3}),
    Case("margin of 5 is enough", "pm_23", three_meals((85, 90, 60)), "lunch", {"day": 3}),
    Case("margin of 4 is not", "pm_23", three_meals((86, 90, 60)), None, {"day": 3}),
    Case(
        "no baseline",
        "pm_23",
        reading(three_meals((40, 90, 60)), at(3, "11:45"), *(None,) * 4),
        None,
        {"day": 3},
    ),
    Case(
        "baseline 15 min old",
        "pm_23",
        reading(three_meals((40, 90, 60)), at(3, "11:50"), *(None,) * 3),
        "lunch",
        {"day": 3},
    ),
    *anomalies.CASES,
    Case(
        "half an hour on",
        "pd_1",
        reading(flat(days=31), at(30, "00:30"), 222),
        222,
        {"cut": at(30, "00:00"), "ahead": 30},
    ),
    Case(
        "no reading then",
        "pd_1",
        reading(flat(days=31), at(30, "00:30"), None),
        None,
        {"cut": at(30, "00:00"), "ahead": 30},
    ),
    Case(
        "no last reading",
        "pd_1",
        reading(flat(days=31), at(29, "23:55"), 0),
        None,
        {"cut": at(30, "00:00"), "ahead": 30},
    ),
    Case(
        "an hour on",
        "pd_6",
        reading(flat(days=31), at(29, "08:00"), 222),
        222,
        {"cut": at(29, "07:00"), "ahead": 60},
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.task_id}: {case.why}")
def test_gold_answer(case: Case) -> None:
    answer = TASKS[case.task_id].answered(case.trace, case.given)
    assert (None if isinstance(answer, NotApplicable) else answer) == case.gold


def test_every_task_has_a_case() -> None:
    anomalies_known = {task.id for task in TASKS.values() if task.type == "anomaly_detection"}
    assert anomalies_known <= {case.task_id for case in CASES}


def test_samples_outside_the_window_do_not_matter() -> None:
    noisy = flat(100)
    noisy.cgm[:] = np.where(np.arange(len(noisy)) % 2, 60, 260)
    window = slice(WEDNESDAY // 5, WEDNESDAY // 5 + 24)
    noisy.cgm[window] = 123
    assert TASKS["pm_14"].answered(noisy, WINDOW) == 123.0
