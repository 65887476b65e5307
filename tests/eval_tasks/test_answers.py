import codecs
import json
from pathlib import Path

import pytest

from eval_tasks.answers import Reply, read_replies, score_replies, score_reply
from eval_tasks.errors import AnswersError, UnknownNameError
from eval_tasks.question import Question
from eval_tasks.release import Release, find_release
from eval_tasks.scoring import answer_text
from tests.eval_tasks.tiny_release import qa_row, rows, write_release

QUESTIONS = {
    config: [Question.from_row(row) for row in content] for config, content in rows().items()
}


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return find_release(str(write_release(tmp_path / "release")))


def written(path: Path, *lines: object) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def golds(config: str) -> list[Reply]:
    return [
        Reply(instance_id=question.id, completion=answer_text(json.loads(question.answer)))
        for question in QUESTIONS[config]  # type: ignore[index]
    ]


def test_answers_are_read_from_jsonl(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl",
        {"instance_id": "x", "completion": "5", "finish_reason": "stop"},
        "",
        {"case_id": "y", "completion": None, "status": "too_long", "reason": "8k"},
    )
    assert read_replies(path) == [
        Reply(instance_id="x", completion="5", finish_reason="stop"),
        Reply(instance_id="y", status="too_long", reason="8k"),
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([""], "is empty"),
        (["lorem"], "a.jsonl:1: no answer (Invalid JSON"),
        ([[1]], "a.jsonl:1: no answer"),
        ([{"completion": "5"}], "a.jsonl:1: no answer (instance_id: Field required)"),
        ([{"instance_id": "x", "completion": 5}], "completion: Input should be a valid string"),
        ([{"instance_id": "x", "completoin": "5"}], "completoin: Extra inputs"),
        ([{"instance_id": "x", "status": "ok"}], "'error' or 'too_long'"),
        (
            [{"instance_id": "x"}, {"instance_id": "y"}, {"instance_id": "x"}],
            "a.jsonl:3: x was answered in line 1 already",
        ),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(
    tmp_path: Path, lines: list[object], message: str
) -> None:
    with pytest.raises(AnswersError) as caught:
        read_replies(written(tmp_path / "a.jsonl", *lines))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_half_a_character_is_read_as_an_unknown_one(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"instance_id": "r", "completion": "7 \\ud83d\\ude00 \\ud83d"}\n', encoding="utf-8"
    )
    assert read_replies(path)[0].completion == "7 \U0001f600 \ufffd"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"instance_id": "x", "completion": "5"})
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    assert read_replies(path) == [Reply(instance_id="x", completion="5")]


def test_a_file_that_is_none_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AnswersError, match="cannot read"):
        read_replies(tmp_path / "gone.jsonl")
    (tmp_path / "b.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(AnswersError, match="no UTF-8 text"):
        read_replies(tmp_path / "b.jsonl")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"completion": answer_text(140)}, "ok"),
        ({"completion": "Let me", "finish_reason": "length"}, "truncated"),
        ({"completion": "", "finish_reason": "length"}, "truncated"),
        ({"completion": answer_text(140), "finish_reason": "length"}, "ok"),
        ({"completion": ""}, "empty"),
        ({"completion": "", "finish_reason": "content_filter"}, "refused"),
        ({"finish_reason": "content_filter"}, "refused"),
        ({}, "error"),
        ({"status": "error", "reason": "HTTP 500"}, "error"),
        ({"status": "too_long"}, "too_long"),
        ({"completion": answer_text(140), "finish_reason": "model_length"}, "too_long"),
    ],
)
def test_every_end_has_its_status(fields: dict[str, str], status: str) -> None:
    question = Question.from_row(qa_row("pm_0", "number", 140, 1))
    result = score_reply(question, Reply(instance_id="pm_0/0", **fields))
    assert result.status == status
    assert result.value == (status == "ok")
    assert bool(result.reason) == (status != "ok")


def test_the_configs_are_those_that_were_answered(release: Release) -> None:
    scored = score_replies(release, golds("longevity"), "test")
    assert list(scored) == ["longevity"]
    assert [part.result.value for part in scored["longevity"]] == [1, 1, 1]


def test_rows_without_an_answer_score_0_unless_partial(release: Release) -> None:
    some = golds("simulated")[:4]
    whole = score_replies(release, some, "test")["simulated"]
    assert len(whole) == release.rows["simulated"]["test"]
    assert [part.result.status for part in whole].count("missing") == len(whole) - 4
    assert sum(part.result.value for part in whole) == 4
    part = score_replies(release, some, "test", partial=True)["simulated"]
    assert [(p.question.id, p.result.value) for p in part] == [(s.instance_id, 1) for s in some]


def test_a_config_that_is_named_is_scored_without_answers(release: Release) -> None:
    scored = score_replies(release, golds("longevity"), "test", configs=["longevity", "simulated"])
    assert {part.result.status for part in scored["simulated"]} == {"missing"}


def test_answers_to_other_rows_are_refused(release: Release) -> None:
    stray = [*golds("longevity"), *(Reply(instance_id=f"x{n}", completion="5") for n in range(7))]
    with pytest.raises(AnswersError, match=r"7 of 10 answers are to no row .*: x0, x1, .*, \.\.\."):
        score_replies(release, stray, "test")
    with pytest.raises(AnswersError, match="no row of the split test of longevity"):
        score_replies(release, golds("simulated"), "test", configs=["longevity"])
    with pytest.raises(AnswersError, match="there is no answer to a row"):
        score_replies(release, [], "test")
    with pytest.raises(UnknownNameError):
        score_replies(release, golds("simulated"), "train")
