"""The config real_world as made from the real recordings: counts, laws, the second computation."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from builder.generate import Plan, real_world, tasks_of
from builder.release_config import load_release_config
from builder.second_computation import disagreements
from eval_tasks.version import RELEASE_VERSION
from generators.real_world.azt1d import read_azt1d

pytestmark = [pytest.mark.raw_data, pytest.mark.slow]
MOST_UNKNOWN = 0.05
NAMED = {"pm_21", "pm_22", "pm_23", "pm_25", "pm_26"}


@pytest.fixture(scope="module")
def table(raw_dir: Path) -> Any:
    plan = Plan(
        config="real_world",
        release=RELEASE_VERSION,
        seed=load_release_config(RELEASE_VERSION).seed,
        task_ids=tasks_of("real_world", ()),
    )
    return real_world(plan, read_azt1d(raw_dir), workers=1, progress=lambda *_: None).full


@pytest.fixture(scope="module")
def rows(table: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = table.drop_columns(["input_context"]).to_pylist()
    return found


@pytest.fixture(scope="module")
def contexts(table: Any) -> dict[str, dict[str, Any]]:
    """Return the record of each subject's questions about the past."""
    mining = {
        subject: place
        for place, (subject, task) in enumerate(
            zip(table["trace_id"].to_pylist(), table["task_id"].to_pylist(), strict=True)
        )
        if task.startswith("pm_")
    }
    return {subject: table["input_context"][place].as_py() for subject, place in mining.items()}


def test_enough_subjects_for_every_one_of_the_44_tasks(rows: list[dict[str, Any]]) -> None:
    subjects = Counter(row["task_id"] for row in rows)
    assert len(subjects) == 44
    assert min(count for task, count in subjects.items() if task.startswith("pm_")) >= 12
    assert min(count for task, count in subjects.items() if task.startswith("pd_")) >= 10


def test_every_answer_is_confirmed(table: Any) -> None:
    assert list(disagreements(table, None)) == []


def test_meals_are_asked_about_by_time_and_their_guessed_names_not_shown(
    rows: list[dict[str, Any]], contexts: dict[str, dict[str, Any]]
) -> None:
    guesses = {row["task_id"] for row in rows if "inferred_meals" in json.loads(row["parameters"])}
    assert guesses == NAMED
    shown = {e["meal_type"] for context in contexts.values() for e in context["carb_events"]}
    assert shown == {"unspecified"}


def test_no_total_is_asked_over_unknown_insulin(
    rows: list[dict[str, Any]], contexts: dict[str, dict[str, Any]]
) -> None:
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row in rows:
        given = json.loads(row["parameters"])
        if row["task_id"] == "pm_41":
            spans[row["trace_id"]].append((given["day"], given["last_day"]))
        elif row["task_id"] == "pm_43":
            day = 7 * (given["week"] - 1) + given["weekday"]
            spans[row["trace_id"]].append((day, day))
    assert sum(map(len, spans.values())) == 38
    for subject, asked in spans.items():
        insulin = contexts[subject]["insulin_mu_min"]
        for first, last in asked:
            samples = insulin[288 * (first - 1) : 288 * last]
            assert samples.count(None) <= MOST_UNKNOWN * len(samples)
