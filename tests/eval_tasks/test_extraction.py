import json
import time
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_tasks.extraction import extract, without_reasoning
from eval_tasks.question import AnswerShape, AnswerType

CASES = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("extraction_cases.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
ANSWER_TYPES: tuple[AnswerType, ...] = get_args(AnswerType)
SHAPES = [
    AnswerShape(answer_type=answer_type, options=("yes", "no"), unit="min")
    for answer_type in ANSWER_TYPES
]


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    shape = AnswerShape(
        answer_type=case["answer_type"],
        options=tuple(case.get("options", ())),
        unit=case.get("unit"),
        minute_of_day=case.get("minute_of_day", False),
    )

    found = extract(case["completion"], shape)

    assert (found.status, found.value) == (
        case["status"],
        pytest.approx(case["value"]) if isinstance(case["value"], float) else case["value"],
    ), found.reason
    assert bool(found.reason) == (found.status != "ok")


def test_the_cases_cover_every_answer_type_and_status() -> None:
    assert {case["answer_type"] for case in CASES} == set(ANSWER_TYPES)
    assert {case["status"] for case in CASES} == {
        "ok",
        "unparseable",
        "empty",
        "truncated",
        "refused",
    }


def test_a_completion_at_its_token_limit_without_an_answer_is_truncated() -> None:
    shape = AnswerShape(answer_type="number")
    assert extract("First I add", shape, cut_off=True).status == "truncated"
    assert extract("", shape, cut_off=True).status == "truncated"
    assert extract('{"answer": 3}', shape, cut_off=True).status == "ok"


def test_text_without_tags_is_left_as_it_is() -> None:
    assert without_reasoning("a < b and c > d") == ("a < b and c > d", False)


HOSTILE = {
    "square brackets": "[" * 1_000_000,
    "answer of brackets": '{"answer": ' + "[" * 1_000_000,
    "braces": "{" * 1_000_000,
    "nested objects": '{"answer": ' * 90_000,
    "closed nesting": '{"answer": ' + "[" * 500_000 + "]" * 500_000 + "}",
    "tags": "<think>" * 150_000,
    "closing tags": "</think>" * 150_000,
    "blanks": " " * 1_000_000,
    "blanks after a label": "answer" + " " * 1_000_000 + ":",
    "blank lines": "\n" * 1_000_000,
    "labels": "the answer is " * 80_000,
    "labels and brackets": "answer: [" * 100_000,
    "digits": "9" * 1_000_000,
    "answer of digits": '{"answer": ' + "9" * 1_000_000,
    "quotes": '"' * 1_000_000,
    "single quotes": "{'answer': ['" * 80_000,
    "backticks": "```\n" * 250_000,
    "boxes": "\\boxed{" * 150_000,
    "many pairs": '{"answer": [' + "[1, 2]," * 14_000 + "[1, 2]]}",
    "long text answer": '{"answer": "' + "a b " * 30_000 + '"}',
    "blanks inside text": '{"answer": "1' + " " * 1_900 + 'x"}',
    "hyphens": '{"answer": "' + "- " * 900 + '"}',
    "separators": '{"answer": "' + " , " * 600 + '"}',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_refused_quickly(text: str) -> None:
    for shape in SHAPES:
        assert min(_seconds(text, shape) for _ in range(2)) < 0.05


def _seconds(text: str, shape: AnswerShape) -> float:
    start = time.process_time()
    extract(text, shape)
    return time.process_time() - start


@given(st.text(max_size=200), st.sampled_from(SHAPES))
def test_no_text_raises(text: str, shape: AnswerShape) -> None:
    for completion in (
        text,
        f'{{"answer": {text}',
        f"Answer: {text}",
        json.dumps({"answer": text}),
    ):
        extract(completion, shape)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from(SHAPES))
def test_no_json_raises(value: object, shape: AnswerShape) -> None:
    extract(json.dumps({"answer": value}), shape)


@given(st.sampled_from(SHAPES), st.text(alphabet="abcdfghijklmqrtuvwxz \n.,", max_size=300))
def test_text_without_a_number_or_label_states_nothing(shape: AnswerShape, text: str) -> None:
    assert extract(text, shape).status != "ok"


@given(st.floats(min_value=-1e6, max_value=1e6), st.text(alphabet="xyz ,.\n", max_size=40))
def test_a_stated_number_is_found_behind_any_words(number: float, words: str) -> None:
    found = extract(f'{words}{{"answer": {number!r}}}', AnswerShape(answer_type="number"))
    assert found.value == number
