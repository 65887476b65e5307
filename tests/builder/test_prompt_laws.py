"""Nothing in a row's prompt comes from its gold answer."""

import json
from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from builder import parquet
from builder.release import Report
from builder.schema import QA_CONFIGS
from generators.questions.instances import as_json
from generators.questions.registry import TASKS
from generators.questions.text import fill
from tests.generators.questions.hand_made import flat


@pytest.fixture(scope="module")
def rows(small_release: Report) -> list[dict[str, object]]:
    tables = [
        parquet.read(small_release.folder / name)
        for config in QA_CONFIGS
        if config in small_release.manifest.configs
        for name in small_release.manifest.configs[config].splits["full"].files
    ]
    found: list[dict[str, object]] = (
        pa.concat_tables(tables).drop_columns(["input_context"]).to_pylist()
    )
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


def test_no_question_stands_twice(rows: list[dict[str, object]]) -> None:
    asked = Counter((row["task_id"], row["trace_id"], row["parameters"]) for row in rows)
    in_words = Counter((row["question"], row["instruction"], row["trace_id"]) for row in rows)
    assert max(asked.values()) == max(in_words.values()) == 1
