import json
from typing import Any

import pytest

from eval_tasks.baselines import Baseline, baselines, constant, read_baselines
from eval_tasks.errors import ReleaseError, UnknownNameError
from eval_tasks.question import AnswerType, Question
from eval_tasks.reference_answers import (
    REFERENCE_MODELS,
    TRIVIAL_MODELS,
    completion,
    reference_answer,
    reference_model,
)
from eval_tasks.scoring import score
from tests.eval_tasks.tiny_release import interval, qa_row, rows


def questions(answer_type: AnswerType, golds: list[Any], **columns: Any) -> list[Question]:
    example = columns.pop("example", 1)
    return [
        Question.from_row(qa_row("pm_0", answer_type, gold, example, number=i, **columns))
        for i, gold in enumerate(golds)
    ]


@pytest.mark.parametrize(
    ("answer_type", "golds", "expected"),
    [
        ("number", [3.0, 1.0, 2.0], 2.0),
        ("number", [4.0, 1.0, 2.0, 3.0], 3.0),
        ("integer", [0, 0, 9], 0),
        ("minute", [100, 200, 201, 209], 204),
        ("category", ["dinner", "lunch", "lunch"], "lunch"),
        ("category", ["dinner", "lunch"], "lunch"),
        ("day", [9, 2], 2),
        ("day_list", [[1], [2, 3], [2, 3]], [2, 3]),
        ("day_list", [[1, 2], []], []),
        ("pair_list", [[[1, 2.5]], [[1, 2.5]], []], [[1, 2.5]]),
    ],
)
def test_the_constant_is_the_answer_that_scores_best(
    answer_type: AnswerType, golds: list[Any], expected: Any
) -> None:
    assert constant(questions(answer_type, golds)) == expected


def test_a_row_that_does_not_offer_the_constant_gets_its_first_option() -> None:
    offered = [["lunch", "dinner"], ["lunch", "dinner"], ["breakfast", "dinner"]]
    asked = [
        questions("category", [gold], options=options)[0]
        for gold, options in zip(["lunch", "lunch", "breakfast"], offered, strict=True)
    ]
    assert constant(asked) == "lunch"
    answers = [reference_answer("constant", question, "lunch") for question in asked]
    assert answers == ["lunch", "lunch", "breakfast"]


def test_rows_that_offer_other_options_have_another_constant() -> None:
    offered = [["night", "morning"]] * 3 + [["morning", "evening"]] * 3
    golds = ["morning", "morning", "night", "evening", "morning", "evening"]
    asked = [
        questions("category", [gold], options=options, example="<a|b>")[0]
        for gold, options in zip(golds, offered, strict=True)
    ]
    (found,) = baselines({"full": asked})["full"].values()
    assert found["constant"] == "morning"
    assert found["by_options"] == {"evening|morning": "evening", "morning|night": "morning"}
    assert found["scores"]["constant"] == found["floor"] == pytest.approx(2 / 3)
    base = Baseline(**found)
    assert base.constant_for(["evening", "morning"]) == "evening"
    assert base.constant_for(["night", "evening"]) == "morning"


def test_the_constant_of_intervals_is_the_example() -> None:
    example = [interval(1, 2)]
    assert constant(questions("intervals", [[interval(5, 9)]], example=example)) == example


def test_a_number_that_is_mostly_none_has_the_constant_none() -> None:
    columns = {"instruction": 'Answer "none" if there is none.'}
    assert constant(questions("number", ["none", "none", 3.0], **columns)) == "none"
    assert constant(questions("number", ["none", 2.0, 3.0], **columns)) == 2.0


def test_constants_come_from_full_and_scores_from_each_split() -> None:
    full = questions("number", [100.0, 100.0, 300.0])
    found = baselines({"test": full[2:], "full": full})
    assert found["test"]["pm_0"]["constant"] == 100.0
    assert found["test"]["pm_0"]["scores"]["constant"] == 0.5  # 1 - 200 / 400
    assert found["full"]["pm_0"]["scores"]["constant"] == pytest.approx(2.5 / 3)


def test_without_full_constants_come_from_the_split() -> None:
    assert baselines({"test": questions("number", [300.0])})["test"]["pm_0"]["constant"] == 300.0


def test_the_floor_is_the_best_trivial_score() -> None:
    found = baselines({"test": questions("day_list", [[1, 2, 3], []], example=[1])})["test"]["pm_0"]
    assert found["scores"] == {
        "constant": 0.5,
        "abstain": 0.5,
        "cover-all": 0.5,
        "every-6-hours": 0.5,
    }
    assert (found["floor"], found["floor_model"]) == (0.5, "constant")
    found = baselines({"test": questions("day_list", [[1, 2], [2, 3], [1, 3]])})["test"]["pm_0"]
    assert found["floor_model"] == "cover-all"


def test_what_is_written_is_read_back() -> None:
    written = {"simulated": baselines({"test": questions("number", [300.0])})}
    read = read_baselines(json.dumps(written), "simulated", "test")
    assert read["pm_0"].constant == 300.0
    assert read["pm_0"].floor == 1.0
    for text in ("", "[]", "{}", '{"simulated": {"test": {"pm_0": {}}}}'):
        with pytest.raises(ReleaseError, match="no baselines for simulated/test"):
            read_baselines(text, "simulated", "test")


def test_abstaining_scores_only_where_nothing_is_right() -> None:
    for row in [row for content in rows().values() for row in content]:
        question = Question.from_row(row)
        result = score(question, completion("abstain", question, 1))
        assert result.value == (json.loads(row["answer"]) in ("none", []))
        assert result.status in ("ok", "refused")


def test_the_gold_model_scores_1() -> None:
    for row in [row for content in rows().values() for row in content]:
        question = Question.from_row(row)
        assert score(question, completion("gold", question, 1)).value == 1


def test_cover_all_marks_everything() -> None:
    def covered(answer_type: AnswerType, gold: Any) -> Any:
        return reference_answer("cover-all", questions(answer_type, [gold])[0], 7.5)

    assert covered("day_list", [1]) == [1, 2, 3]
    assert covered("hour_list", [1]) == list(range(24))
    assert covered("intervals", []) == [interval(0, 4315)]
    assert covered("number", 1.0) == 7.5


def test_every_6_hours_marks_a_sample_at_each_quarter() -> None:
    marked = reference_answer("every-6-hours", questions("intervals", [[]])[0], 0)
    assert isinstance(marked, list)
    assert len(marked) == 12
    assert marked[1] == interval(360, 361)


def test_models_are_found_by_name() -> None:
    assert reference_model("cover-all") == "cover-all"
    assert reference_model("every-6-hours") == "every-6-hours"
    assert set(TRIVIAL_MODELS) == set(REFERENCE_MODELS) - {"gold"}
    with pytest.raises(UnknownNameError, match="there are gold, constant, abstain"):
        reference_model("gpt")
