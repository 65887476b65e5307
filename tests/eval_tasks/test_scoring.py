import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_tasks.errors import GoldError
from eval_tasks.question import Question
from eval_tasks.scoring import STATUSES, answer_text, gold_answer, score
from tests.eval_tasks.tiny_release import longevity_row, qa_row, rows

ROWS = [row for content in rows().values() for row in content]
IDS = [row.get("instance_id") or row["case_id"] for row in ROWS]
QUESTIONS = [Question.from_row(row) for row in ROWS]


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_the_gold_answer_scores_exactly_1(row: dict[str, Any]) -> None:
    question = Question.from_row(row)
    result = score(question, answer_text(gold_answer(question)))
    assert (result.value, result.status) == (1, "ok")
    assert result.answer == gold_answer(question)


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
def test_the_example_answer_scores_below_1(question: Question) -> None:
    assert score(question, f'{{"answer": {question.example}}}').value < 1


@given(st.sampled_from(QUESTIONS), st.text(max_size=80))
def test_a_score_is_in_range_and_zero_unless_there_is_an_answer(
    question: Question, text: str
) -> None:
    for completion in (text, answer_text(text), f'{{"answer": {text}}}'):
        result = score(question, completion)
        assert 0 <= result.value <= 1
        assert result.status in STATUSES
        assert (result.answer is not None) == (result.status == "ok")
        assert result.status == "ok" or (result.value == 0 and result.reason)


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
def test_garbage_never_scores(question: Question) -> None:
    for garbage in ("", "lorem ipsum", "}{", "I don't know", '{"answer": "lorem"}', "[[[", "\0"):
        assert score(question, garbage).value == 0


def test_no_text_is_an_error_of_the_backend() -> None:
    assert score(QUESTIONS[0], None).status == "error"


@pytest.mark.parametrize(
    ("answer_type", "gold"),
    [
        ("number", "140"),
        ("number", None),
        ("number", True),
        ("number", float("nan")),
        ("integer", 7.5),
        ("day", "day 3"),
        ("category", "supper"),
        ("category", "Lunch"),
        ("category", "none"),
        ("day_list", [3, 3]),
        ("day_list", "none"),
        ("day_list", 3),
        ("pair_list", [[3]]),
        ("intervals", [{"start": 100}]),
        ("intervals", [[100, 160]]),
        ("intervals", [{"start": 160, "end": 100}]),
        ("intervals", [{"start": -5, "end": 100}]),
        ("intervals", [{"start": 100, "end": 3 * 1440}]),
    ],
)
def test_a_broken_gold_answer_raises(answer_type: Any, gold: object) -> None:
    question = Question.from_row(qa_row("pm_0", answer_type, gold, 1))
    with pytest.raises(GoldError, match="pm_0/0"):
        score(question, "whatever the model wrote")


def test_a_row_without_its_columns_raises() -> None:
    row = qa_row("pm_0", "number", 1, 2)
    del row["unit"]
    with pytest.raises(GoldError, match="pm_0/0: column 'unit' is missing"):
        Question.from_row(row)
    with pytest.raises(GoldError, match="unknown answer type 'colour'"):
        Question.from_row({**row, "answer_type": "colour"})


def test_a_question_survives_json() -> None:
    for question in QUESTIONS:
        assert Question.from_json(question.to_json()) == question


def test_minutes_of_the_day_are_told_by_the_instruction() -> None:
    row = qa_row("pd_11", "minute", 455, 600, unit="min")
    assert score(Question.from_row(row), answer_text("07:35")).status == "unparseable"
    row["instruction"] = "Give the minute of the day."
    assert score(Question.from_row(row), answer_text("07:35")).value == 1


def test_a_longevity_case_is_answered_by_its_first_word() -> None:
    question = Question.from_row(longevity_row(1, "no"))
    assert score(question, "No\nBecause of your kidneys.").value == 1
    assert score(question, "Yes\nWith care.").value == 0


def test_scoring_needs_neither_lighteval_nor_torch() -> None:
    code = (
        "import sys\n"
        "for name in ('lighteval', 'torch', 'transformers', 'datasets', 'pyarrow', 'builder'):\n"
        "    sys.modules[name] = None\n"
        "import eval_tasks.scoring, eval_tasks.prompts, eval_tasks.baselines, eval_tasks.summary\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_answer_is_written_as_one_json_object() -> None:
    assert json.loads(answer_text([{"start": 1, "end": 2}])) == {"answer": [{"start": 1, "end": 2}]}
