"""The scripts that print tables about tasks, answers and mutants."""

import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from builder.prediction_baselines import CEILING, FORECASTS
from builder.release import Report
from scripts import answer_balance, mutation_run, prediction_baselines, task_reference


def test_answer_balance_prints_json(small_release: Report) -> None:
    folder = str(small_release.folder)
    done = CliRunner().invoke(
        answer_balance.app, [folder, "--split", "full", "--prefix", "pm_", "--json"]
    )
    tasks = json.loads(done.stdout)["tasks"]
    assert len(tasks) == 44
    assert all(line["task_id"].startswith("pm_") for line in tasks)
    assert "pm_45" in CliRunner().invoke(answer_balance.app, [folder]).stdout


def test_answer_balance_refuses_an_unknown_split(small_release: Report) -> None:
    done = CliRunner().invoke(answer_balance.app, [str(small_release.folder), "--split", "tset"])
    assert done.exit_code == 1


def test_prediction_baselines_print_every_forecast_and_the_ceiling(
    small_release: Report, tmp_path: Path
) -> None:
    folder, table = str(small_release.folder), tmp_path / "predictions.md"
    done = CliRunner().invoke(prediction_baselines.app, [folder, "--json", "--output", str(table)])
    assert table.read_text().count("| pd_") == 20
    lines = json.loads(done.stdout)["references"]
    assert {line["name"] for line in lines} == {*FORECASTS, CEILING}
    assert len({line["task_id"] for line in lines}) == 20
    assert all(0 <= line["raw"] <= 1 for line in lines)
    refused = CliRunner().invoke(prediction_baselines.app, [folder, "--config", "real_world"])
    assert refused.exit_code == 1
    assert "build it first" in refused.output


def test_task_reference_shows_instances_outside_test(
    small_release: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task_reference, "PATH", tmp_path / "docs" / "tasks.md")
    done = CliRunner().invoke(task_reference.app, [str(small_release.folder), "--json"])
    assert json.loads(done.stdout)["tasks"] >= 44
    text = (tmp_path / "docs" / "tasks.md").read_text()
    assert "### pm_45: insulin at the weekend" in text
    assert "3 in simulated/full" in text
    assert "| task | rows | constant | abstain | cover-all | every-6-hours | rules |" in text
    assert text.count("\n| ad_") >= 60


def test_mutants_are_named_apart_and_the_equivalent_ones_exist() -> None:
    names = [
        mutant.name for name in mutation_run.MODULES for mutant in mutation_run.mutants_of(name)
    ]
    listed = yaml.safe_load(mutation_run.EQUIVALENT.read_text(encoding="utf-8"))
    assert len(names) == len(set(names)) > 300
    assert {name for of_reason in listed.values() for name in of_reason} <= set(names)


def test_a_mutant_differs_in_one_spot() -> None:
    mutant = next(
        mutant
        for mutant in mutation_run.mutants_of("generators.questions.episodes")
        if mutant.name == "episodes.HYPOGLYCAEMIA: 70 -> 71 #1"
    )
    assert "HYPOGLYCAEMIA = 71" in mutant.source
    assert "HYPERGLYCAEMIA = 180" in mutant.source
