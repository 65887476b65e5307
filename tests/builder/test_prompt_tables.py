"""docs/prompts.md holds numbers of a built release, written by a script."""

from pathlib import Path

import pytest

from builder.prompt_tables import BEGIN, END, document, measure, replaced
from builder.release_config import load_release_config
from eval_tasks.baselines import Baseline
from eval_tasks.version import RELEASE_VERSION
from generators.questions.registry import TASKS
from tests.eval_tasks.tiny_release import rows

PROMPTS = Path(__file__).resolve().parents[2] / "docs" / "prompts.md"


def test_the_tables_count_and_score_rows() -> None:
    asked = [row for row in rows()["simulated"] if row["task_id"] == "pm_0"]
    base = Baseline(constant=1.0, scores={}, floor=0.5, floor_model="constant")
    text = document([measure("simulated", asked, {"pm_0": base})])
    assert f"| simulated | {len(asked)} | " in text
    assert "pm_0" in text
    assert f"({len(asked)})" in text


def test_only_what_stands_between_the_marks_is_replaced() -> None:
    assert replaced(f"a {BEGIN} old {END} b", f"{BEGIN} new {END}") == f"a {BEGIN} new {END} b"
    with pytest.raises(ValueError, match="missing"):
        replaced("nothing", "x")


def test_the_document_holds_the_sizes_that_the_release_declares() -> None:
    text = PROMPTS.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    declared = load_release_config(RELEASE_VERSION)
    simulated, real = declared.test_total, declared.real_world_test_total
    cells = {
        line.split("|")[1].strip(): line.split("|")[2].strip()
        for line in text.splitlines()
        if line.startswith(("| simulated |", "| fault_injected |", "| real_world |"))
    }
    assert cells == {
        "simulated": str(simulated["process_mining"] + simulated["prediction"]),
        "fault_injected": str(simulated["anomaly_detection"]),
        "real_world": str(sum(real.values())),
    }
    listed = {
        task.strip()
        for line in text.splitlines()
        if line.startswith("| ") and "_" in line
        for task in line.split("|")[2].split(",")
    }
    assert set(TASKS) <= listed
