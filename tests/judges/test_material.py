"""Rows by id, and answers from traces, plain lines and lighteval's details."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from agents.trace import RowTrace, Step, TraceFile, read_traces
from eval_tasks.errors import UnknownNameError
from eval_tasks.release import find_release
from judges.errors import JudgeError
from judges.material import Answer, question_of, read_answers, rows_by_id
from tests.eval_tasks.tiny_release import MINUTES, write_release


def test_rows_come_without_records_but_with_their_length(tmp_path: Path) -> None:
    release = find_release(str(write_release(tmp_path / "release")))
    rows = rows_by_id(release, "simulated", "test")
    assert len(rows) == release.rows["simulated"]["test"]
    assert question_of(rows["pm_0/1"]).minutes == MINUTES
    assert set(rows_by_id(release, "longevity", "test")) == {"case_0", "case_1", "case_2"}
    with pytest.raises(UnknownNameError, match="no split 'train' of simulated"):
        rows_by_id(release, "simulated", "train")


def test_answers_of_an_agent_and_plain_ones(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    trace = RowTrace(
        key="k",
        id="a",
        model="m",
        status="answered",
        completion="end",
        steps=(Step(number=1, written="think", code="glucose.max()", observed="1"),),
    )
    plain = json.dumps({"id": "b", "text": "yes"})
    file.write_text(f"{trace.model_dump_json()}\n{plain}\n", encoding="utf-8")
    assert list(read_answers(file)) == [
        Answer(id="a", text="think\n\n1\n\nend", completion="end", coded=True),
        Answer(id="b", text="yes", completion="yes"),
    ]


def test_an_answer_may_hold_any_separator(tmp_path: Path) -> None:
    file = tmp_path / "traces.jsonl"
    written = "a\u2028b\u2029c\x85d"
    trace = RowTrace(key="k", id="a", model="m", status="answered", completion=written)
    TraceFile(file).add(trace)
    assert list(read_traces(file)) == [trace]
    assert next(read_answers(file)).completion == written


def test_code_that_uses_no_table_computes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "traces.jsonl"
    steps = (Step(number=1, code="final_answer(7)"),)
    trace = RowTrace(key="k", id="a", model="m", status="answered", steps=steps)
    file.write_text(trace.model_dump_json() + "\n", encoding="utf-8")
    assert not next(read_answers(file)).coded


def test_answers_in_lightevals_details(tmp_path: Path) -> None:
    rows = [
        {"doc": {"specific": {"id": "a"}}, "model_response": {"text": ["yes"]}},
        {"doc": {"specific": {"id": "b"}}, "model_response": {"text": []}},
    ]
    folder = tmp_path / "details" / "m"
    folder.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / "details_x.parquet")
    found = [(answer.id, answer.text) for answer in read_answers(tmp_path)]
    assert found == [("a", "yes"), ("b", "")]


@pytest.mark.parametrize("text", ["nonsense", "[]", '{"id": "a"}', '{"completion": "x"}'])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(JudgeError, match="line 1 is neither"):
        list(read_answers(file))


def test_nothing_there(tmp_path: Path) -> None:
    for source in (tmp_path, tmp_path / "gone.jsonl"):
        with pytest.raises(JudgeError, match="no answers there"):
            list(read_answers(source))
    (tmp_path / "details_x.parquet").write_bytes(b"no parquet")
    with pytest.raises(JudgeError, match="no details of this benchmark"):
        list(read_answers(tmp_path))
