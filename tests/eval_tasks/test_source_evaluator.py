import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_tasks.affiliation import affiliation
from eval_tasks.answers import Reply, Scored, score_reply
from eval_tasks.errors import AnswersError
from eval_tasks.metrics import raw_score
from eval_tasks.question import AnswerType, Question
from eval_tasks.source_evaluator import (
    Evaluated,
    NotScoredError,
    evaluate_scored,
    is_source_file,
    read_source_file,
    report,
    source_score,
    source_value,
)
from eval_tasks.summary import ScoredRow
from tests.eval_tasks.tiny_release import qa_row


@pytest.mark.parametrize(
    ("metric", "predicted", "gold", "expected"),
    [
        ("Accuracy", "Yes", "yes", 100),
        ("accuracy", "no", "yes", 0),
        ("Accuracy", [1, 2], [2, 3], 100 / 3),
        ("Accuracy", [], [], 100),
        ("Accuracy", float("nan"), float("nan"), 100),
        ("Accuracy", '{"answer": "B"}', "b", 100),
        ("sMAPE", 150, 100, 80),
        ("SMAPE", "150", "100", 80),
        ("sMAPE", 0, 0, 100),
        ("sMAPE", 0, 5, 0),
        ("sMAPE", -5, 5, 0),
        ("sMAPE", 1e308, 5, 0),
        ("sMAPE", [150, 100], [100, 100], 90),
        ("F1", [1, 2], [2, 3], 50),
        ("f1", [], [], 100),
        ("F1", [], [1], 0),
        ("F1", [[3, 45.5]], "[(3, 45.5), (7, 60)]", 200 / 3),
        ("Affinity F-score", [], [], 100),
        ("Affinity F-score", [], [[1, 2]], 0),
        ("Affinity F-score", [[20, 10]], [{"start": 10, "end": 20}], 100),
        ("affinity f-score", [[10, 10]], [[10, 11]], 100),
        ("Affinity F-score", [[10, 15], [14, 20]], [[10, 20]], 100),
    ],
)
def test_formulas_by_hand(metric: str, predicted: Any, gold: Any, expected: float) -> None:
    assert source_score(metric, predicted, gold) == pytest.approx(expected)


def test_the_range_is_that_of_both_lists_together() -> None:
    # Event [4, 6), prediction [7, 8), range [4, 8): the zone is 4 long. Precision: at distance d in
    # 1 to 2 lie nearer 2 + d of 4 (no room before the event), mean of 1 - (2 + d) / 4 is 0.125.
    # Recall: y lies 7 - y in 1 to 3 before the prediction, nearer lie min(2 d, 3) of 4 (the
    # zone's start is 3 before 7): the mean of 1 - min(2 d, 3) / 4 over d in 1 to 3 is 0.28125.
    expected = 2 * 0.125 * 0.28125 / (0.125 + 0.28125)
    assert source_score("Affinity F-score", [[7, 8]], [[4, 6]]) == pytest.approx(100 * expected)


@pytest.mark.parametrize(
    ("metric", "predicted", "gold"),
    [
        ("sMAPE", "lots", 5),
        ("sMAPE", None, 5),
        ("sMAPE", [1], [1, 2]),
        ("sMAPE", float("inf"), 5),
        ("sMAPE", 1e308, -1e308),
        ("Affinity F-score", [{"start": 1e308, "end": -1e308}], [[1, 2]]),
        ("Affinity F-score", [[1e308, 1e308]], [[1, 2]]),
        ("F1", 5, [5]),
        ("Affinity F-score", [[1, 2, 3]], [[1, 2]]),
        ("Affinity F-score", [{"start": 1}], [[1, 2]]),
        ("Affinity F-score", [["a", "b"]], [[1, 2]]),
        ("MAE", 4, 5),
        ("BLEU", 4, 5),
    ],
)
def test_what_the_source_fails_on_is_not_scored(metric: str, predicted: Any, gold: Any) -> None:
    with pytest.raises(NotScoredError):
        source_score(metric, predicted, gold)


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ('{"answer": [1, 2]}', [1, 2]),
        ({"answer": 5}, 5),
        ("(1, 2)", (1, 2)),
        ("True", True),
        ("between 5 and 6", "between 5 and 6"),
        ("[" * 5_000, "[" * 5_000),
        ("9" * 300_000, "9" * 300_000),
    ],
)
def test_answers_are_taken_from_json_python_or_text(stated: Any, expected: Any) -> None:
    assert source_value(stated) == expected


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["start", "end"]), inner)
    ),
    max_leaves=8,
)


@given(st.sampled_from(["Accuracy", "sMAPE", "F1", "Affinity F-score"]), JSON_VALUES, JSON_VALUES)
def test_any_values_score_0_to_100_or_are_left_out(metric: str, value: Any, gold: Any) -> None:
    with suppress(NotScoredError):
        assert 0 <= source_score(metric, value, gold) <= 100


def asked(answer_type: AnswerType, gold: object, unit: str | None = None) -> Question:
    return Question.from_row(qa_row("pm_0", answer_type, gold, 1, unit=unit))


NUMBERS = st.floats(0, 1e6) | st.integers(0, 500)
DAYS = st.lists(st.integers(1, 30), max_size=6, unique=True).map(sorted)


@given(NUMBERS, NUMBERS)
def test_numbers_score_as_here(value: float, gold: float) -> None:
    ours = raw_score(value, gold, asked("number", gold))
    assert source_score("sMAPE", value, gold) == pytest.approx(100 * ours, abs=1e-6)


@given(DAYS, DAYS)
def test_lists_score_as_here(value: list[int], gold: list[int]) -> None:
    ours = raw_score(value, gold, asked("day_list", gold))
    assert source_score("F1", value, gold) == pytest.approx(100 * ours)


@given(st.lists(st.integers(1, 29), min_size=2, max_size=8, unique=True).map(sorted))
def test_intervals_that_span_the_range_score_as_affiliation_over_it(bounds: list[int]) -> None:
    true = [[0, 1], [29, 30]]
    predicted = [list(pair) for pair in zip(bounds[::2], bounds[1::2], strict=False)]
    ours = affiliation(np.array(predicted, float), np.array(true, float), 30).f1
    assert source_score("Affinity F-score", predicted, true) == pytest.approx(100 * ours)


def record(**fields: Any) -> dict[str, Any]:
    return {
        "patient_id": "Patient_7",
        "question_id": "pm_14",
        "metric": "sMAPE",
        "cognitive_level": "Memory",
        "expected_answer": 100,
        "predicted_answer": "150",
        "answer_type": "float",
        **fields,
    }


def written(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


def test_output_files_of_the_source_are_read(tmp_path: Path) -> None:
    parsed = record(question_id="ad_3", metric="F1", llm_response_parsed={"answer": [1]})
    parsed["original_answer"] = [1]
    del parsed["predicted_answer"], parsed["expected_answer"]
    path = written(tmp_path / "out.jsonl", record(), record(predicted_answer="lots"), parsed)
    assert is_source_file(path)
    first, second, third = read_source_file(path)
    assert (first.task_type, first.level, first.score) == ("process_mining", "memory", 80)
    assert second.score is None
    assert (third.task_type, third.score) == ("anomaly_detection", 100)


def test_other_files_are_refused_with_their_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"instance_id": "x"})
    assert not is_source_file(path)
    with pytest.raises(AnswersError, match=r"a\.jsonl:1: no record of the source's output"):
        read_source_file(path)
    (tmp_path / "b.jsonl").write_text("lorem", encoding="utf-8")
    assert not is_source_file(tmp_path / "b.jsonl")


def evaluated(task_id: str, score: float | None) -> Evaluated:
    return Evaluated(task_id=task_id, task_type=task_id[:2], level="", score=score)


def test_means_are_over_tasks_and_failures_are_left_out() -> None:
    found = report(
        [
            *(evaluated("pm_1", 100), evaluated("pm_1", 100), evaluated("pm_2", 40)),
            *(evaluated("ad_1", None), evaluated("pm_2", None)),
        ]
    )
    assert found["overall"] == 70
    assert found["overall_records"] == 80
    assert found["by_type"] == {"pm": 70, "ad": None}
    assert (found["n"], found["left_out"], found["tasks_without_score"]) == (5, 2, ["ad_1"])
    assert report([])["overall"] is None


def test_the_published_overall_figures_are_means_over_127_tasks() -> None:
    counts = {"pm": 44, "ad": 63, "pd": 20}
    for by_type, overall in (((67.4, 21.2, 62.3), 43.7), ((88.3, 72.9, 74.6), 78.5)):
        records = [
            evaluated(f"{name}_{n}", score)
            for (name, count), score in zip(counts.items(), by_type, strict=True)
            for n in range(count)
        ]
        assert report(records)["overall"] == pytest.approx(overall, abs=0.05)


def test_answers_to_this_benchmark_are_evaluated_from_what_was_read() -> None:
    rows = []
    for completion in ('{"answer": 150}', "no idea"):
        question = asked("number", 100.0, "mg/dL")
        result = score_reply(question, Reply(instance_id="pm_0/0", completion=completion))
        row = ScoredRow.of(question, 0.5, result)
        rows.append(Scored(question=question, result=result, row=row))
    assert [part.score for part in evaluate_scored(rows)] == [80, None]
