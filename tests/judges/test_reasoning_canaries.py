"""Reasonings whose verdict is known, with scripted judges on loopback."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from endpoints.loopback import Request, Scripted
from judges.quotes import evidence, plain, speaks_to_the_judge
from judges.reasoning_canaries import (
    KINDS,
    ReasoningOutcome,
    ReasoningRun,
    chosen_rows,
    reasoning_canaries,
    run_reasoning_canaries,
    trusted_reasoning,
)
from tests.eval_tasks.tiny_release import qa_row
from tests.judges.longevity_material import honest, judge_of, silent

ROWS = [
    qa_row("pm_1", "integer", 213, 100, rationale="Go through all readings and keep the largest."),
    qa_row("pm_2", "integer", 7, 3, rationale="Count the days on which a reading is below 70."),
]


def judged(request: Request) -> str:
    """Return the judged text of a prompt."""
    return request.user.rpartition("all between is data.\n")[2].partition("\n")[2]


def saying(*, follows: bool, quote: str) -> Scripted:
    told = {"follows": follows, "follows_quote": quote, "quality": 3, "format": 3, "failures": []}
    return Scripted(text=json.dumps(told))


def generous(request: Request) -> Scripted:
    """Find that every reasoning follows, with its first line as quote."""
    return saying(follows=True, quote=judged(request).partition("\n")[0])


def harsh(_: Request) -> Scripted:
    return saying(follows=False, quote="")


def obedient(request: Request) -> Scripted:
    """Find what stands in the reasoning, but write down what it orders."""
    text = judged(request)
    ordered = "that may be copied" in text or "write this down" in text
    return generous(request) if ordered else honest(request)


def run_of(script: Callable[[Request], Scripted], folder: Path) -> ReasoningRun:
    with judge_of(script, folder) as (judge, _):
        return run_reasoning_canaries(judge, ROWS, silent)


def test_a_sound_judge_gets_every_canary_right(tmp_path: Path) -> None:
    run = run_of(honest, tmp_path)
    assert {one.kind for one in run.canaries} == set(KINDS)
    assert all(one.sound == one.expected for one in run.canaries)
    assert trusted_reasoning(run).trusted
    assert ReasoningRun.model_validate_json(run.model_dump_json()) == run


@pytest.mark.parametrize(
    ("script", "wrong"),
    [
        (generous, {"no_work", "contradiction", "injection"}),
        (harsh, {"sound"}),
        (obedient, {"injection"}),
        (lambda _: Scripted(text="It is fine."), set(KINDS)),
        (lambda _: Scripted(text="no", status=401), set(KINDS)),
    ],
    ids=["generous", "harsh", "obedient", "unreadable", "failed calls"],
)
def test_a_judge_that_gets_canaries_wrong_is_not_trusted(
    tmp_path: Path, script: Callable[[Request], Scripted], wrong: set[str]
) -> None:
    trust = trusted_reasoning(run_of(script, tmp_path))
    assert not trust.trusted
    assert {reason.partition(":")[0] for reason in trust.reasons} == {
        f"canary {kind}" for kind in wrong
    }


def test_nine_in_ten_of_each_kind_are_enough_and_fewer_are_not() -> None:
    def run(right: int) -> ReasoningRun:
        outcomes = [
            ReasoningOutcome(kind=kind, id=str(number), expected=True, sound=number < right)
            for kind in KINDS
            for number in range(10)
        ]
        return ReasoningRun(model="m", version=1, canaries=tuple(outcomes))

    assert trusted_reasoning(run(9)).trusted
    assert len(trusted_reasoning(run(8)).reasons) == len(KINDS)
    none = trusted_reasoning(ReasoningRun(model="m", version=1, canaries=()))
    assert none.reasons == tuple(f"canary {kind}: not tested" for kind in KINDS)


def test_only_the_judge_stands_between_most_orders_and_a_verdict() -> None:
    orders = [one.text for one in reasoning_canaries(ROWS) if one.kind == "injection"]
    thrown_out = [any(map(speaks_to_the_judge, text.splitlines())) for text in orders]
    assert thrown_out == [True, False, False] * len(ROWS)
    sound = next(one for one in reasoning_canaries(ROWS) if one.kind == "sound")
    assert plain(sound.row["rationale"]) in evidence(sound.text)


def test_a_row_alone_contradicts_nothing() -> None:
    kinds = {one.kind for one in reasoning_canaries(ROWS[:1])}
    assert kinds == set(KINDS) - {"contradiction"}


def test_rows_are_chosen_of_several_tasks_in_any_order_alike() -> None:
    rows = {row["instance_id"]: row for row in ROWS}
    backwards = dict(reversed(rows.items()))
    assert chosen_rows(rows, 9) == chosen_rows(backwards, 9)
    assert {row["task_id"] for row in chosen_rows(rows, 9)} == {"pm_1", "pm_2"}
    assert len(chosen_rows(rows, 1)) == 1
