from dataclasses import replace

from builder.balance import Balance, balances
from builder.release import Report
from generators.questions.registry import TASKS

EVEN = Balance(
    config="simulated",
    split="test",
    task_id="pm_13",
    answer_type="category",
    instances=8,
    different=2,
    commonest='"yes"',
    commonest_share=0.5,
    empty_share=0.0,
    left_out=0,
    reasons={},
)


def test_every_task_has_a_line(small_release: Report) -> None:
    lines = balances(small_release.folder, "full")
    assert {line.task_id for line in lines} == set(TASKS)
    for line in lines:
        patients = 2 if line.config == "fault_injected" else 3
        assert line.instances + line.left_out <= 3
        assert line.instances + line.left_out >= patients - 1
        assert line.left_out == sum(line.reasons.values())
        assert 0 <= line.empty_share <= 1


def test_shares_are_counted(small_release: Report) -> None:
    line = next(b for b in balances(small_release.folder, "full") if b.task_id == "pm_0")
    assert (line.instances, line.different, line.commonest_share) == (3, 3, 1 / 3)


def test_rules_of_balance() -> None:
    assert list(EVEN.problems()) == []
    assert list(replace(EVEN, commonest_share=0.6).problems()) == []
    assert list(replace(EVEN, commonest_share=0.61).problems())
    assert list(replace(EVEN, split="full", commonest_share=0.61).problems()) == []
    assert list(replace(EVEN, answer_type="number", commonest_share=0.61).problems()) == []
    assert list(replace(EVEN, answer_type="number", different=1).problems())
    assert list(replace(EVEN, different=1, instances=1, commonest_share=0.5).problems()) == []
