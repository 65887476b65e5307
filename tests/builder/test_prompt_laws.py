"""Nothing in a row's prompt comes from its gold answer or from what is hidden."""

import json
from collections import Counter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from builder import parquet
from builder.release import Report
from builder.schema import QA_CONFIGS
from eval_tasks.prompts import qa_prompt
from eval_tasks.record.shown import whole
from generators.questions.instances import as_json
from generators.questions.registry import TASKS
from generators.questions.text import fill
from generators.trace import FAULT_LABELS
from tests.generators.questions.hand_made import flat

EVENT_STREAMS = ("carb_events", "exercise_events", "insulin_events")


@pytest.fixture(scope="module")
def table(small_release: Report) -> pa.Table:
    return pa.concat_tables(
        parquet.read(small_release.folder / name)
        for config in QA_CONFIGS
        if config in small_release.manifest.configs
        for name in small_release.manifest.configs[config].splits["full"].files
    )


@pytest.fixture(scope="module")
def rows(table: pa.Table) -> list[dict[str, object]]:
    found: list[dict[str, object]] = table.drop_columns(["input_context"]).to_pylist()
    return found


def test_the_latest_time_of_anything_shown_lies_before_the_cut(small_release: Report) -> None:
    """A bout's length counts: it would tell how long exercise goes on."""
    seen = 0
    for name in small_release.manifest.configs["simulated"].splits["full"].files:
        table = parquet.read(small_release.folder / name)
        chosen = table.filter(pc.is_valid(table.column("cut_minute")))
        for row in chosen.select(["cut_minute", "input_context"]).to_pylist():
            context, cut = row["input_context"], row["cut_minute"]
            assert 5 * len(context["bg_mgdl"]) == 5 * len(context["insulin_mu_min"]) == cut
            times = [event["time"] for event in context["carb_events"]]
            times += [event["time"] for event in context["insulin_events"]]
            times += [event["time"] for event in context["exercise_events"]]
            ends = [event["time"] + event["duration"] for event in context["exercise_events"]]
            assert max(times) < cut
            assert max(ends, default=0) <= cut
            seen += 1
    assert seen > 40


def whole_prompt(row: dict[str, Any]) -> str:
    return qa_prompt(row, whole(row["input_context"]), "structured")


def named_labels(text: str) -> set[str]:
    """Labels of faults that a text names, with spaces or underscores."""
    spaced = text.casefold().replace("_", " ")
    return {label for label in FAULT_LABELS if label.replace("_", " ") in spaced}


def test_a_named_label_is_noticed() -> None:
    assert named_labels("a False_Meal, an unknown stop") == {"false_meal", "unknown_stop"}


def test_no_prompt_names_a_label(table: pa.Table, rows: list[dict[str, object]]) -> None:
    """Neither the record, shown once for each, nor anything else that a reader is given."""
    places = {row["trace_id"]: place for place, row in enumerate(rows)}
    for place in places.values():
        (row,) = table.slice(place, 1).to_pylist()
        assert named_labels(whole_prompt(row)) == set(), row["instance_id"]
        assert named_labels(as_json(row["input_context"])) == set(), row["instance_id"]
    empty: dict[str, object] = {"bg_mgdl": [100], "insulin_mu_min": [0.0]} | dict.fromkeys(
        EVENT_STREAMS, ()
    )
    for row in rows:
        assert named_labels(whole_prompt(row | {"input_context": empty})) == set()


def test_texts_follow_from_task_and_parameters_alone(rows: list[dict[str, object]]) -> None:
    for row in rows:
        task = TASKS[str(row["task_id"])]
        given = json.loads(str(row["parameters"]))
        assert row["question"] in {fill(wording.text, given) for wording in task.wordings}
        assert row["instruction"] == fill(task.instruction, given)
        assert row["rationale"] == task.rationale
        assert row["example_answer"] == as_json(task.example)


def test_parameters_of_process_mining_do_not_depend_on_the_record(
    rows: list[dict[str, object]],
) -> None:
    for row in rows:
        task = TASKS[str(row["task_id"])]
        given = json.loads(str(row["parameters"]))
        drawn = {name: given[name] for name in task.draw}
        for name, values in task.draw.items():
            assert drawn[name] in values
        if task.derive and task.prediction is None:
            assert task.derive(flat(), drawn) == given


def test_categories_are_answered_by_an_option(rows: list[dict[str, object]]) -> None:
    for row in rows:
        if row["answer_type"] == "category":
            assert json.loads(str(row["answer"])) in row["options"]  # type: ignore[operator]


def test_the_options_are_those_that_the_instruction_names(rows: list[dict[str, object]]) -> None:
    for row in rows:
        options, all_of_task = row["options"], TASKS[str(row["task_id"])].options
        named = [one for one in all_of_task if f'"{one}"' in str(row["instruction"])]
        assert options == named
        assert len(named) >= 2 or not all_of_task


def test_no_question_stands_twice(rows: list[dict[str, object]]) -> None:
    asked = Counter((row["task_id"], row["trace_id"], row["parameters"]) for row in rows)
    in_words = Counter((row["question"], row["instruction"], row["trace_id"]) for row in rows)
    assert max(asked.values()) == max(in_words.values()) == 1
