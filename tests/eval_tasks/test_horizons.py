import json
from typing import Any

import pytest

from eval_tasks.horizons import Horizon, shown_part
from eval_tasks.record.shown import clock_of, part
from eval_tasks.solver import solve
from tests.eval_tasks.tiny_release import qa_row

DAYS = 30
SAMPLES = DAYS * 288


def event(minute: int, **fields: object) -> dict[str, Any]:
    return {
        "time": minute,
        "day": clock_of(minute).day,
        "time_str": clock_of(minute).text,
        **fields,
    }


def context(**changed: object) -> dict[str, Any]:
    """30 days with a lunch, a dinner, a bout and a bolus each day; low at the start of day 30."""
    glucose = [100 + (7 * i) % 60 for i in range(SAMPLES)]
    glucose[29 * 288 + 20 : 29 * 288 + 26] = [60] * 6
    midnights = range(0, DAYS * 1440, 1440)
    meals = [(720, "lunch"), (1320, "dinner")]
    return {
        "bg_mgdl": glucose,
        "insulin_mu_min": [10.0] * SAMPLES,
        "carb_events": [
            event(m + t, carbs=60.0, meal_type=kind) for m in midnights for t, kind in meals
        ],
        "exercise_events": [
            event(m + 1020, duration=30, magnitude=6.0, exercise_type="run") for m in midnights
        ],
        "insulin_events": [
            event(m + 720, dosage=5.0, insulin_type="meal_bolus") for m in midnights
        ],
        **changed,
    }


def row(task_id: str, parameters: dict[str, Any] | None = None, **changed: Any) -> dict[str, Any]:
    """A row with the answer that the record gives."""
    asked = {
        **qa_row(task_id, "number", None, 1),
        "parameters": json.dumps(parameters or {}),
        "input_context": context(),
        **changed,
    }
    return asked if "answer" in changed else {**asked, "answer": json.dumps(solve(asked))}


def days(asked: dict[str, Any], horizon: Any) -> tuple[int, int] | None:
    shown = shown_part(asked, horizon)
    if shown is None:
        return None
    return clock_of(shown.start).day, clock_of(shown.end - 1).day


def test_thirty_days_are_the_whole_record() -> None:
    for task_id, parameters in (("pm_0", {}), ("pm_21", {"day": 3})):
        assert days(row(task_id, parameters), 30) == (1, 30)


@pytest.mark.parametrize(
    "task_id", ["pm_0", "pm_1", "pm_2", "pm_3", "pm_7", "pm_16", "pm_17", "pm_42", "ad_1", "ad_25"]
)
def test_a_question_about_the_whole_record_needs_all_of_it(task_id: str) -> None:
    assert days(row(task_id), 7) is None
    assert days(row(task_id), 1) is None


@pytest.mark.parametrize(
    ("task_id", "parameters", "week", "day"),
    [
        ("pm_21", {"day": 3}, (1, 7), (3, 3)),
        ("pm_21", {"day": 12}, (7, 13), (12, 12)),
        ("pm_21", {"day": 30}, (24, 30), (30, 30)),
        ("pm_22", {"day": 12}, (7, 13), None),
        ("pm_14", {"week": 2, "weekday": 3, "start": 60, "end": 180}, (5, 11), (10, 10)),
        ("pm_19", {"week": 2}, (8, 14), None),
        ("pm_41", {"day": 12, "last_day": 18, "days": 7}, (12, 18), None),
        ("pm_41", {"day": 12, "last_day": 16, "days": 5}, (11, 17), None),
        ("pm_41", {"day": 12, "last_day": 21, "days": 10}, None, None),
        ("pm_38", {"week": 1, "other_week": 2}, None, None),
        ("pm_44", {"day": 1}, (1, 7), (1, 1)),
    ],
)
def test_a_question_is_shown_the_days_it_names(
    task_id: str,
    parameters: dict[str, Any],
    week: tuple[int, int] | None,
    day: tuple[int, int] | None,
) -> None:
    glucose = [100 + (7 * i) % 60 for i in range(SAMPLES)]
    for midnight in range(0, SAMPLES, 288):  # a peak after dinner that is over past midnight
        glucose[midnight + 270 : midnight + 288] = [200] * 18
    asked = row(task_id, parameters, input_context=context(bg_mgdl=glucose))
    assert days(asked, 7) == week
    assert days(asked, 1) == day


def test_the_last_episode_is_asked_where_it_lies_in_the_last_days() -> None:
    assert days(row("ad_17"), 7) == (24, 30)
    assert days(row("ad_17"), 1) == (30, 30)
    glucose = [100] * SAMPLES
    glucose[29 * 288 - 2 : 29 * 288 + 10] = [60] * 12
    across_midnight = row("ad_17", input_context=context(bg_mgdl=glucose))
    assert days(across_midnight, 7) == (24, 30)
    assert days(across_midnight, 1) is None


@pytest.mark.parametrize(
    ("instruction", "gold", "week"),
    [
        ("The last 7 days are days 24 to 30. Report spikes.", [(34000, 34001)], (24, 30)),
        ("The last 7 days are days 24 to 30. Report spikes.", [], (24, 30)),
        ("The last 7 days are days 24 to 30. Report spikes.", [(33000, 33200)], None),
        ("The last 7 days are days 24 to 30. Report spikes.", [(33120, 33130)], None),
        ("The last weekend is days 27 (Saturday) and 28 (Sunday).", [(38000, 38100)], (23, 29)),
        (
            "The last 7 days are days 24 to 30. It copies an earlier stretch of the record.",
            [],
            None,
        ),
        ("Report spikes.", [(34000, 34001)], None),
    ],
)
def test_hidden_faults_must_lie_inside_and_need_no_older_evidence(
    instruction: str, gold: list[tuple[int, int]], week: tuple[int, int] | None
) -> None:
    answer = json.dumps([{"start": start, "end": end} for start, end in gold])
    assert days(row("ad_13", instruction=instruction, answer=answer), 7) == week


def test_a_prediction_is_shown_the_days_before_its_cut() -> None:
    cut = context()
    cut["bg_mgdl"] = cut["bg_mgdl"][: 28 * 288 + 20]
    asked = row("pd_1", {"cut": 40420}, task_type="prediction", answer="1", input_context=cut)
    horizons: tuple[Horizon, ...] = (7, 1)
    for horizon in horizons:
        shown = shown_part(asked, horizon)
        assert shown is not None
        assert (shown.start, shown.end) == (40420 - 1440 * horizon, 40420)


def test_a_prediction_is_asked_only_where_the_week_it_names_is_shown() -> None:
    cut = part(context(), 0, 28 * 1440).context
    for week, seven in ((4, (22, 28)), (3, None)):
        asked = row(
            "pd_18", {"week": week}, task_type="prediction", answer='"more"', input_context=cut
        )
        assert days(asked, 7) == seven
        assert days(asked, 1) is None
