"""Forecasts from what a reader sees: known continuations, and their scores."""

import json
from typing import Any

import numpy as np
import pytest

from builder.prediction_baselines import (
    CEILING,
    FORECASTS,
    Reference,
    autoregression,
    mean_day,
    persistence,
    references,
    shown_trace,
    yesterday,
)
from builder.prediction_check import simulation_of
from builder.rows import Origin, qa_table
from eval_tasks.baselines import Baseline
from eval_tasks.question import Question
from generators.questions.instances import Instance, first_instance
from generators.questions.registry import TASKS
from tests.generators.questions.hand_made import at, bolus, flat, insulin, reading

SEED = 20261
SHOWN = insulin(
    bolus(reading(flat(days=2), at(2, "23:55"), 160), at(2, "10:30"), 1, "correction_bolus"),
    at(2, "23:55"),
    40,
)
"""100 mg/dL and 10 mU/min but for the last sample, and a correction."""


def row_of(task_id: str) -> dict[str, Any]:
    instance = first_instance(TASKS[task_id], simulation_of("adult_004", SEED), SEED)
    assert isinstance(instance, Instance)
    origin = Origin(source="simulated", release="0.0.0", seed=SEED)
    (row,) = qa_table("simulated", [instance], origin).to_pylist()
    found: dict[str, Any] = row
    return found


@pytest.mark.parametrize("forecast", FORECASTS.values(), ids=FORECASTS)
def test_a_forecast_changes_nothing_that_is_shown(forecast: Any) -> None:
    ahead = forecast(SHOWN, 300)
    assert len(ahead) == len(SHOWN) + 300
    assert np.array_equal(ahead.cgm[:576], SHOWN.cgm)
    assert np.array_equal(ahead.insulin[:576], SHOWN.insulin)
    assert all(event.minute >= SHOWN.minutes for event in ahead.boluses[len(SHOWN.boluses) :])


def test_persistence_keeps_the_last_sample() -> None:
    ahead = persistence(SHOWN, 300)
    assert set(ahead.cgm[576:].tolist()) == {160}
    assert set(ahead.insulin[576:].tolist()) == {400}


def test_yesterday_comes_again_day_for_day() -> None:
    ahead = yesterday(SHOWN, 600)
    assert np.flatnonzero(ahead.cgm[576:] == 160).tolist() == [287, 575]
    assert [event.minute for event in ahead.boluses[1:]] == [at(3, "10:30"), at(4, "10:30")]


def test_mean_day_averages_over_the_days() -> None:
    ahead = mean_day(SHOWN, 288)
    assert ahead.cgm[-1] == 130
    assert ahead.insulin[-1] == 250
    assert ahead.boluses[-1].minute == at(3, "10:30")


def test_missing_readings_are_no_forecast() -> None:
    gone = reading(SHOWN, at(2, "23:50"), None, 0)
    assert set(persistence(gone, 10).cgm[576:].tolist()) == {100}
    assert mean_day(gone, 288).cgm[-1] == 100


def test_autoregression_returns_to_the_mean() -> None:
    waves = flat(days=10)
    waves.cgm[:] = np.round(150 + 50 * np.sin(np.arange(len(waves)) / 20))
    ahead = autoregression(waves, 6)
    expected = 150 + 50 * np.sin(np.arange(len(waves), len(waves) + 6) / 20)
    assert np.max(np.abs(ahead.cgm[-6:] - expected)) < 8
    assert np.ptp(autoregression(SHOWN, 288).cgm[-100:]) == 0


def test_shown_trace_reads_the_row_back() -> None:
    row = row_of("pd_1")
    cut = row["cut_minute"]
    start = 1440 * (json_given(row)["first_day"] - 1)
    expected = simulation_of("adult_004", SEED).trace.between(start, start + cut)
    shown = shown_trace(row)
    assert np.array_equal(shown.cgm, expected.cgm)
    assert np.array_equal(shown.insulin, expected.insulin)
    assert shown.boluses == expected.boluses


def json_given(row: dict[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = json.loads(row["parameters"])
    return given


def test_references_score_every_forecast_and_the_ceiling() -> None:
    rows = [row_of(task_id) for task_id in ("pd_1", "pd_10")]
    base = Baseline(constant=150, scores={}, floor=0.8, floor_model="constant")
    yes = Baseline(constant="yes", scores={}, floor=0.5, floor_model="constant")
    found = list(
        references([(row, Question.from_row(row)) for row in rows], {"pd_1": base, "pd_10": yes})
    )
    assert {(line.task_id, line.name) for line in found} == {
        (task, name) for task in ("pd_1", "pd_10") for name in (*FORECASTS, CEILING)
    }
    ceiling = {line.task_id: line for line in found if line.name == CEILING}
    assert ceiling["pd_10"].raw == ceiling["pd_10"].skill == 1.0
    assert ceiling["pd_1"].raw > 0.9
    assert ceiling["pd_10"].above == (0.0 if json.loads(rows[1]["answer"]) == "yes" else 1.0)
    assert ceiling["pd_10"].error == 0.0


@pytest.mark.parametrize(
    ("skill", "above", "error", "clear"),
    [
        (0.3, 0.1, 0.05, True),
        (0.29, 0.1, 0.05, False),
        (0.9, 0.1, 0.051, False),
        (0.9, 0.1, 0.0, True),
    ],
)
def test_a_clear_ceiling_has_skill_beyond_chance(
    skill: float, above: float, error: float, clear: bool
) -> None:
    line = Reference(
        task_id="pd_1", name=CEILING, rows=16, raw=0.9, skill=skill, above=above, error=error
    )
    assert line.clear == clear
