"""Trivial answers may look good raw; skill must tell them from knowledge."""

import pytest

from builder.floor_table import HIGH, Floors, floors, floors_table
from builder.release import Report
from eval_tasks.reference_answers import RULES, TRIVIAL_MODELS
from eval_tasks.solver import SOLVERS


@pytest.fixture(scope="module")
def lines(small_release: Report) -> list[Floors]:
    return floors(small_release.folder, "fault_injected", "test", "ad_")


def test_no_trivial_answer_has_skill_however_high_its_raw_score(lines: list[Floors]) -> None:
    high = [
        (line.task_id, model, line.skill(model))
        for line in lines
        for model, raw in line.scores.items()
        if model != RULES and raw > HIGH
    ]
    assert high
    assert all(not skill > 0 for _, _, skill in high)


def test_the_rules_are_right_wherever_the_record_determines_the_answer(
    lines: list[Floors],
) -> None:
    exact = {line.task_id: line.scores[RULES] for line in lines if line.task_id in SOLVERS}
    assert len(exact) > 20
    assert set(exact.values()) == {1.0}


def test_every_anomaly_task_has_a_line(lines: list[Floors]) -> None:
    table = list(floors_table(lines))
    assert len(table) == 2 + len(lines)
    assert [line.task_id for line in lines][:3] == ["ad_1", "ad_2", "ad_3"]


def test_skill_is_measured_from_the_best_trivial_answer() -> None:
    line = Floors(
        task_id="ad_1", rows=1, floor=0.8, scores=dict.fromkeys(TRIVIAL_MODELS, 0.8) | {RULES: 0.9}
    )
    assert line.skill("constant") == 0
    assert line.skill(RULES) == pytest.approx(0.5)
    assert "0.90 (+0.50)" in list(floors_table([line]))[2]
