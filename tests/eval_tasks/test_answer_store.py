import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_tasks.answer_store import AnswerStore, store_of, write_replies
from eval_tasks.answers import Reply, read_replies
from eval_tasks.errors import AnswersError


def reply(number: int, completion: str | None = "5", **fields: object) -> Reply:
    return Reply.model_validate(
        {"instance_id": f"row/{number}", "completion": completion, "request": str(number), **fields}
    )


def filled(path: Path, count: int = 3) -> AnswerStore:
    store = AnswerStore.open(path)
    for number in range(count):
        store.add(reply(number, f"Müde {number}"))
    return store


@given(st.data())
def test_a_kill_at_any_byte_loses_no_reply_that_was_written_whole(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("store") / "kept" / "a.jsonl"
    filled(path)
    content = path.read_bytes()
    end = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:end])
    whole = content[:end].count(b"\n") + (content[end : end + 1] == b"\n")
    store = AnswerStore.open(path)
    assert [int(key) for key in store.replies] == list(range(whole))
    store.add(reply(9))
    assert [int(key) for key in AnswerStore.open(path).replies] == [*range(whole), 9]


def test_nothing_that_was_written_is_taken_out(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    filled(path)
    before = path.read_bytes()
    AnswerStore.open(path).add(reply(1, "another"))
    assert path.read_bytes().startswith(before)
    assert AnswerStore.open(path).replies["1"].completion == "another"


def test_a_success_is_not_followed_by_an_error(tmp_path: Path) -> None:
    store = AnswerStore.open(tmp_path / "a.jsonl")
    failed = reply(1, None, status="error", reason="HTTP 500")
    for each in (failed, reply(1, "5"), failed):
        store.add(each)
    for found in (store, AnswerStore.open(store.path)):
        assert found.replies == {"1": reply(1, "5")}


def test_two_runs_at_once_lose_nothing(tmp_path: Path) -> None:
    first, second = (AnswerStore.open(tmp_path / "a.jsonl") for _ in range(2))
    for number in range(6):
        (first if number % 2 else second).add(reply(number))
    assert len(AnswerStore.open(first.path).replies) == 6


def test_lines_that_are_no_replies_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for text in ("lorem\n", '{"instance_id": "x", "score": 1}\n', "[]\n"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(AnswersError, match=r"a\.jsonl:1: no answer"):
            AnswerStore.open(path)


def test_what_cannot_be_read_or_written_is_told_in_one_line(tmp_path: Path) -> None:
    store = filled(tmp_path / "kept" / "a.jsonl")
    shutil.rmtree(tmp_path / "kept")
    with pytest.raises(AnswersError, match=r"cannot write to .*a\.jsonl \(No such file"):
        store.add(reply(7))
    (tmp_path / "kept").write_text("a file", encoding="utf-8")
    with pytest.raises(AnswersError, match=r"cannot use .* as a store of answers"):
        AnswerStore.open(tmp_path / "kept" / "a.jsonl")


def test_the_answers_of_a_run_are_replaced_at_one_stroke(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_replies(path, [reply(1), reply(2)])
    write_replies(path, [reply(3)])
    assert read_replies(path) == [reply(3)]
    assert [each.name for each in tmp_path.iterdir()] == ["a.jsonl"]
    assert store_of(path) == tmp_path / "kept" / "a.jsonl"
    (tmp_path / "b.jsonl").mkdir()
    with pytest.raises(AnswersError, match=r"cannot write .*b\.jsonl"):
        write_replies(tmp_path / "b.jsonl", [reply(1)])
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.jsonl", "b.jsonl"]
