"""The config real_world as made from the real recordings: counts, laws, the second computation."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from builder.generate import Plan, real_world, tasks_of
from builder.release_config import load_release_config
from builder.second_computation import disagreements
from eval_tasks.version import RELEASE_VERSION
from generators.real_world.azt1d import read_azt1d
from generators.real_world.recordings import Recordings
from generators.trace import MISSING

pytestmark = [pytest.mark.raw_data, pytest.mark.slow]
MOST_UNKNOWN = 0.05
NAMED = {"pm_21", "pm_22", "pm_23", "pm_25", "pm_26"}


@pytest.fixture(scope="module")
def recordings(raw_dir: Path) -> Recordings:
    return read_azt1d(raw_dir)


@pytest.fixture(scope="module")
def insulin(recordings: Recordings) -> dict[str, pd.DataFrame]:
    """Return the insulin of each subject's days on which it is known, on to the last whole day."""
    return {
        trace.trace_id: known_days(
            pd.Series(np.where(trace.insulin == MISSING, np.nan, trace.insulin))
        )
        for trace in recordings.traces
    }


@pytest.fixture(scope="module")
def table(recordings: Recordings) -> Any:
    plan = Plan(
        config="real_world",
        release=RELEASE_VERSION,
        seed=load_release_config(RELEASE_VERSION).seed,
        task_ids=tasks_of("real_world", ()),
    )
    return real_world(plan, recordings, workers=1, progress=lambda *_: None).full


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


def known_days(series: "pd.Series[float]") -> pd.DataFrame:
    """Return, by day, the sum of a series and that with unknown samples at twice the day's mean."""
    days = series.groupby(np.arange(len(series)) // 288 + 1)
    table = pd.DataFrame({"share": days.count() / days.size(), "least": days.sum()})
    table["most"] = table["least"] + 2 * days.mean() * (days.size() - days.count())
    return table[table["share"] >= 1 - MOST_UNKNOWN]


def test_no_total_is_asked_over_a_day_of_unknown_insulin(
    rows: list[dict[str, Any]], insulin: dict[str, pd.DataFrame]
) -> None:
    asked = 0
    for row in rows:
        given = json.loads(row["parameters"])
        if row["task_id"] == "pm_41":
            days = range(given["day"], given["last_day"] + 1)
        elif row["task_id"] == "pm_43":
            day = 7 * (given["week"] - 1) + given["weekday"]
            days = range(day, day + 1)
        elif row["task_id"] == "pd_2":
            day = given["first_day"] - 1 + given["cut"] // 1440 + 1
            days = range(day, day + 1)
        else:
            continue
        asked += 1
        assert set(days) <= set(insulin[row["trace_id"]].index)
    assert asked == 57


def test_what_is_unknown_decides_no_comparison_of_insulin(
    rows: list[dict[str, Any]], insulin: dict[str, pd.DataFrame]
) -> None:
    for row in rows:
        given, table = json.loads(row["parameters"]), insulin[row["trace_id"]]
        if row["task_id"] == "pm_45":
            monday = 7 * given["week"] - 6
            one, other = table.loc[monday + 5 : monday + 6], table.loc[monday : monday + 4]
            assert (len(one), len(other) >= 4) == (2, True)
        elif row["task_id"] == "pd_18":
            one, other = table.loc[29:35], table.loc[7 * given["week"] - 6 : 7 * given["week"]]
            assert min(len(one), len(other)) >= 5
        else:
            continue
        answer = json.loads(row["answer"])
        if answer in ("yes", "more"):
            assert one["least"].mean() > other["most"].mean()
        else:
            assert one["most"].mean() < other["least"].mean()
