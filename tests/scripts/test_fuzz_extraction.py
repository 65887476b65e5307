import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from eval_tasks.scoring import Score
from scripts import fuzz_extraction
from scripts.fuzz_extraction import KINDS, QUESTIONS, Completion, app, breaches, broken_law, made


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_no_completion_breaks_a_law(index: int, seed: int) -> None:
    assert list(breaches(range(index, index + 1), seed)) == []


def test_the_same_index_makes_the_same_completion() -> None:
    assert [made(index, 5) for index in range(50)] == [made(index, 5) for index in range(50)]
    assert {made(index, 5)[0] for index in range(300)} == set(KINDS)


@pytest.mark.parametrize(
    ("completion", "result", "law"),
    [
        (Completion(text="x"), Score(value=0.5, answer=None, status="empty"), "and score 0.5"),
        (Completion(text="x"), Score(value=1.5, answer=1, status="ok"), "and score 1.5"),
        (Completion(text="12"), Score(value=0.5, answer=13, status="ok"), "does not stand in"),
        (Completion(text="x", known=True), Score(value=0, answer=1, status="ok"), "nothing is"),
        (
            Completion(text="x", known=True, states=3),
            Score(value=0, answer=4, status="ok"),
            "instead of 3",
        ),
    ],
)
def test_a_broken_law_is_named(
    monkeypatch: pytest.MonkeyPatch, completion: Completion, result: Score, law: str
) -> None:
    monkeypatch.setattr(fuzz_extraction, "score", lambda _question, _text: result)
    assert law in str(broken_law(QUESTIONS[0], completion))


def test_an_exception_is_a_breach_and_the_exit_status_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(_question: object, _text: str) -> Score:
        raise ValueError("broken")

    monkeypatch.setattr(fuzz_extraction, "score", broken)
    done = CliRunner().invoke(app, ["--count", "3", "--json"])
    assert done.exit_code == 1
    found = json.loads(done.stdout)["breaches"]
    assert [breach["law"] for breach in found] == ["raised ValueError('broken')"] * 3


def test_the_command_says_how_much_it_tried() -> None:
    done = CliRunner().invoke(app, ["--count", "20"])
    assert (done.exit_code, done.stdout) == (0, "20 completions, 0 breaches\n")
