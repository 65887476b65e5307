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


WRAPPINGS = (
    *(
        "{}",
        "{}.",
        "{}!",
        "{},",
        '"{}"',
        "'{}'",
        "\u201c{}\u201d",
        "\u2018{}\u2019",
        "*{}*",
        "_{}_",
    ),
    *(
        "**{}**",
        "`{}`",
        "[{}]",
        "({})",
        "{}\u2026",
        "{} \U0001f44d",
        "{}\u200b",
        "> {}",
        "- {}",
        "# {}",
    ),
    *(
        "{}\r\nBecause.",
        "{} - because",
        "{} \u2013 because",
        "{}\u2014because",
        "{} because x",
        "{}: x",
    ),
    *(
        "{} I would",
        "{} but only later",
        "{} if your doctor agrees",
        "{}; see below",
        "{}\nBecause x.",
    ),
    *(
        "Answer: {}",
        "Answer = {}",
        "Answer: **{}**",
        "Answer:\n{}",
        "**Answer:** {}",
        "Answer: '{}'!",
    ),
    *("Final answer \u2192 {}", 'Final Answer: "{}"', "My recommendation is: {}.", "In short: {}."),
    *("The answer is {}.", "Based on your data, the answer is {}.", "I looked.\nFinal answer: {}"),
    *("<answer>{}</answer>", "\\boxed{{{}}}", "\\boxed{{\\text{{{}}}}}", '{{"answer": "{}"}}'),
    *('{{"verdict": "{}"}}', '{{"answer": ["{}"]}}', "I looked.\n{{'answer': '{}'}}"),
)
"""Forms in which a verdict is read."""
HEDGES = (
    *("Not {}", "Not {}.", "{0} and {1}.", "{0} or {1}?", "{0}/{1}", "{0}? {1}.", "{0}: {1}."),
    *(
        "{0}, but {1}.",
        "{0}. But {1}.",
        "{0} {1}",
        "{} is wrong",
        "{} would be wrong.",
        "{}-one",
    ),
    *(
        "{} is not right here; {1}.",
        "If so, the answer is {}.",
        "The word {} fits",
        "I advise you: {}.",
    ),
    *(
        "{0}\nFinal answer: {1}",
        '{0}\n{{"answer": "{1}"}}',
        "Answer: not {}",
        '{{"answer": "not {}"}}',
    ),
    *('{{"answer": "{0} and {1}"}}', "Answer: {0}\nAnswer: {1}", "{}.1 choice"),
)
"""Forms in which none is."""


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("words", [("Yes", "No"), ("yes", "no"), ("YES", "NO")])
def test_yes_and_no_are_read_of_the_same_forms(wrapping: str, words: tuple[str, str]) -> None:
    shape = AnswerShape(answer_type="verdict", options=("yes", "no"))
    found = [extract(wrapping.format(word), shape).value for word in words]
    assert found == ["yes", "no"]


@pytest.mark.parametrize("hedge", HEDGES)
def test_hedges_are_neither_yes_nor_no(hedge: str) -> None:
    shape = AnswerShape(answer_type="verdict", options=("yes", "no"))
    for one, other in (("Yes", "No"), ("No", "Yes"), ("Yes", "Yes"), ("No", "No")):
        if one != other or "{1}" not in hedge:
            text = hedge.replace("{}", "{0}").format(one, other)
            assert extract(text, shape).status == "unparseable", text


PIECES = st.sampled_from(
    (
        *"\"'*_([{}])>#-.,:;!?\n ",
        "Answer: ",
        "the answer is ",
        "because ",
        " I ",
        " not ",
        "If ",
        "\u2013",
    )
)


@given(st.lists(PIECES, max_size=6), st.lists(PIECES, max_size=6))
def test_yes_and_no_are_treated_alike_in_any_dress(before: list[str], after: list[str]) -> None:
    """What is read of a text with "yes" is the opposite of what is read with "no" in its place."""
    shape = AnswerShape(answer_type="verdict", options=("yes", "no"))
    texts = ["".join((*before, word, *after)) for word in ("yes", "no")]
    assert [extract(text, shape).value for text in texts] in ([None, None], ["yes", "no"])


ADVICE = (
    *(
        "I{} recommend{} starting",
        "I would{} recommend{} it for you",
        "I do{} advise{} this plan now",
    ),
    *("We would{} suggest{} trying it", "I can{} recommend{} fasting"),
)


@pytest.mark.parametrize("advice", ADVICE)
@pytest.mark.parametrize(
    ("negation", "against", "expected"),
    [("", "", "yes"), (" not", "", "no"), ("", " against", "no"), (" not", " against", None)],
)
def test_negations_of_advice_are_counted(
    advice: str, negation: str, against: str, expected: str | None
) -> None:
    if advice.startswith("I{}") and negation:
        negation = " do not"
    text = advice.format(negation, against) + "."
    shape = AnswerShape(answer_type="verdict", options=("yes", "no"))
    assert extract(text, shape).value == expected


@pytest.mark.parametrize(
    "advice",
    [
        *("I {} seeing a doctor first.", "I {} holding off.", "I {} that you first see a doctor."),
        *("I {} waiting.", "I {} delaying it.", "I {} it, but not now.", "I {} a blood test."),
        *("I {} more than three sessions.", "I {} it. However, see a doctor first."),
    ],
)
@pytest.mark.parametrize("verb", ["recommend", "do not recommend", "recommend against"])
def test_advice_on_something_else_is_no_verdict(advice: str, verb: str) -> None:
    shape = AnswerShape(answer_type="verdict", options=("yes", "no"))
    assert extract(advice.format(verb), shape).status == "unparseable"


UNIT_PLACES = (
    *(
        '{{"answer": {}, "unit": "mmol/L"}}',
        '{{"unit": "mmol/L", "answer": {}}}',
        '{{"answer": {}}} mmol/L',
    ),
    *(
        '{{"answer": "{} mmol/L"}}',
        '{{"answer": {{"value": {}, "unit": "mmol/L"}}}}',
        "Answer: {} mmol/L",
    ),
    *(
        "Answer: {} (mmol/L)",
        "Answer: {} (in mmol/L)",
        "Answer: {}, in mmol/L",
        "Answer (mmol/L): {}",
    ),
    *(
        "The answer in mmol/L is {}.",
        "Answer: {}\nUnit: mmol/L",
        "\\boxed{{{}}} mmol/L",
        "{} mmol/L",
    ),
    *(
        "Mean (mmol/L): {}",
        "<answer>{} mmol/L</answer>",
        "Answer: {} \u2014 mmol/L",
        "**{}** mmol/L",
    ),
)


@given(st.integers(10, 300), st.sampled_from(UNIT_PLACES))
def test_a_unit_counts_wherever_it_stands_beside_the_number(tenths: int, place: str) -> None:
    found = extract(place.format(tenths / 10), AnswerShape(answer_type="number", unit="mg/dL"))
    assert found.value == pytest.approx(18.018 * tenths / 10)


LIST_DRESSES = {
    "json": ('{{"answer": [{}]}}', "[{}, {}]", ", "),
    "bullets": ("Answer:\n{}", "- {}-{}", "\n"),
    "numbered": ("{}", "1. minute {} to minute {}", "\n"),
    "words": ("Answer: {}.", "from minute {} to minute {}", "; "),
    "commas": ("Final answer: {}", "{}-{}", ", "),
    "objects": ("{}", '{{"start": {}, "end": {}}}', "\n"),
    "pairs": ("Answer: {}", "[{}, {}]", ", "),
    "tag": ("<answer>{}</answer>", "{} - {}", " and "),
    "table": ("Answer:\n\n| start | end |\n|---|---|\n{}", "| {} | {} |", "\n"),
}


@given(
    st.lists(st.tuples(st.integers(0, 999), st.integers(1000, 43000)), min_size=1, max_size=6),
    st.sampled_from(sorted(LIST_DRESSES)),
)
def test_lists_are_read_whole_in_any_dress(bounds: list[tuple[int, int]], dress: str) -> None:
    frame, entry, separator = LIST_DRESSES[dress]
    text = frame.format(separator.join(entry.format(*pair) for pair in bounds))
    found = extract(text, AnswerShape(answer_type="intervals"))
    assert found.value == [{"start": start, "end": end} for start, end in bounds], found.reason


@given(
    st.lists(st.tuples(st.integers(0, 999), st.integers(1000, 43000)), min_size=2, max_size=4),
    st.sampled_from(sorted(LIST_DRESSES)),
    st.sampled_from(["or so", "[300, 4", "day twelve", "about noon", "?", "300"]),
)
def test_a_list_with_an_entry_that_cannot_be_read_is_not_read_in_part(
    bounds: list[tuple[int, int]], dress: str, odd: str
) -> None:
    frame, entry, separator = LIST_DRESSES[dress]
    entries = [entry.format(*pair) for pair in bounds]
    bullet = "- " if dress == "bullets" else "2. " if dress == "numbered" else ""
    entries.insert(1, f"| {odd} |" if dress == "table" else bullet + odd)
    found = extract(frame.format(separator.join(entries)), AnswerShape(answer_type="intervals"))
    assert found.status != "ok"


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
    "opened tags": "<" * 1_000_000,
    "tag ends": "think>" * 160_000,
    "words": "the glucose was and no or yes " * 33_000,
    "bullets": "- Day 3\n" * 120_000,
    "bullets behind a label": "Answer:\n" + "- 100-150\n" * 4_000,
    "objects a line": '{"start": 1, "end": 2}\n' * 40_000,
    "objects behind a label": "Answer: " + '{"start": 1, "end": 2}, ' * 40_000,
    "tables": "Answer:\n| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 100_000,
    "table rules": "|" + "--|" * 600 + "x",
    "answer tags": "<answer>" * 120_000,
    "answers": '{"answer": 1}, ' * 66_000,
    "units": "in mmol/L " * 100_000,
    "parentheses": '{"answer": "' + "(" * 1_900 + '"}',
    "commas and parentheses": '{"answer": "' + "3, (" * 480 + '"}',
    "dashes between digits": '{"answer": "' + "1-" * 950 + '"}',
    "conditions": "Based on " + "if the answer is " * 60_000,
    "texts": "\\text{" * 160_000,
    "underscores": "_a" * 500_000,
    "full stops": '{"answer": 1, "x": "' + "." * 1_000_000,
    "numbers before a number": "from 1 to " * 100_000 + "\n1",
    "capitals that grow in lower case": "\u0130" * 1_000_000,
    "bare bullets": '{"answer": 1} ' + "\n- " * 17_000,
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
