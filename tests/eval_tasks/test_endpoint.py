import json
from pathlib import Path
from typing import Any

import pytest

from eval_tasks.answer_store import AnswerStore, store_of
from eval_tasks.answers import Reply, read_replies
from eval_tasks.endpoint import KEY_VARIABLE, Endpoint, Prompt, ask_all
from eval_tasks.errors import EvaluationError
from tests.eval_tasks.loopback import TOO_LONG, Behaviour, serving

WRITTEN = '{"answer": 5}'
PARTS = [
    {"type": "thinking", "thinking": [{"type": "text", "text": "It may be 7."}]},
    {"type": "text", "text": WRITTEN},
]
BEHAVIOURS = {
    "fine": Behaviour(content=WRITTEN),
    "slow to start": Behaviour(content=WRITTEN, failures=2),
    "empty": Behaviour(content=""),
    "null": Behaviour(content=None),
    "cut": Behaviour(content="Let me", finish_reason="length"),
    "filtered": Behaviour(content=None, finish_reason="content_filter"),
    "parts": Behaviour(raw=json.dumps({"choices": [{"message": {"content": PARTS}}]})),
    "hollow": Behaviour(
        raw=json.dumps({"choices": [{"message": {"content": [{"type": "text"}]}}]})
    ),
    "broken": Behaviour(status=500),
    "busy": Behaviour(status=429),
    "bad": Behaviour(status=400, raw="temperature must be 1"),
    "long": Behaviour(status=400, raw=TOO_LONG),
    "large": Behaviour(status=413),
    "late": Behaviour(content=WRITTEN, delay_s=0.5),
    "no completion": Behaviour(raw='{"choices": []}'),
    "no JSON": Behaviour(raw="<html>"),
    "a prompt of many words that was cut": Behaviour(content=WRITTEN, prompt_tokens=4),
}


def endpoint(url: str, **fields: Any) -> Endpoint:
    defaults = {"tries": 3, "wait_s": 0.0, "timeout_s": 0.3, "max_errors": 1.0, "concurrency": 4}
    return Endpoint(url=url, model="m", **{**defaults, **fields})


def prompts(*texts: str) -> list[Prompt]:
    return [Prompt(id=f"row/{text}", text=text) for text in texts]


def test_every_way_of_failing_is_told_apart(tmp_path: Path) -> None:
    with serving(BEHAVIOURS.__getitem__) as server:
        replies = ask_all(endpoint(server.url), prompts(*BEHAVIOURS), tmp_path / "a.jsonl")
        tries = dict(server.by_prompt)
    found = {reply.instance_id[4:]: reply for reply in replies}
    assert found["fine"].completion == found["slow to start"].completion == WRITTEN
    assert found["parts"].completion == WRITTEN
    assert (found["empty"].completion, found["empty"].status) == ("", None)
    assert (found["null"].completion, found["null"].status) == ("", None)
    assert found["cut"].finish_reason == "length"
    assert found["filtered"].finish_reason == "content_filter"
    assert {name for name, reply in found.items() if reply.status == "error"} == {
        *("hollow", "broken", "busy", "bad", "late", "no completion", "no JSON"),
    }
    assert {name for name, reply in found.items() if reply.status == "too_long"} == {
        *("long", "large", "a prompt of many words that was cut"),
    }
    assert "HTTP 500" in found["broken"].reason
    assert "within 0.3 s" in found["late"].reason
    assert (tries["broken"], tries["bad"], tries["long"], tries["slow to start"]) == (3, 1, 1, 3)
    assert read_replies(tmp_path / "a.jsonl") == replies


def test_a_rerun_asks_only_what_failed(tmp_path: Path) -> None:
    names = ("fine", "empty", "cut", "broken", "long")
    with serving(BEHAVIOURS.__getitem__) as server:
        first = ask_all(endpoint(server.url), prompts(*names), tmp_path / "a.jsonl")
        asked = len(server.requests)
        again = ask_all(endpoint(server.url), prompts(*names), tmp_path / "a.jsonl")
        assert {body["messages"][0]["content"] for body in server.requests[asked:]} == {"broken"}
    assert again == first


def test_another_prompt_or_setting_is_asked_anew(tmp_path: Path) -> None:
    with serving(lambda _: Behaviour(content=WRITTEN)) as server:
        for asked, settings, text in (
            (1, {}, "fine"),
            (1, {}, "fine"),
            (2, {}, "another wording"),
            (3, {"temperature": 1.0}, "another wording"),
            (4, {"extra": {"reasoning_effort": "low"}}, "another wording"),
        ):
            prompt = Prompt(id="row", text=text)
            replies = ask_all(endpoint(server.url, **settings), [prompt], tmp_path / "a.jsonl")
            assert (len(server.requests), replies[0].completion) == (asked, WRITTEN)
        assert server.requests[-1]["reasoning_effort"] == "low"
    assert [reply.instance_id for reply in read_replies(tmp_path / "a.jsonl")] == ["row"]


def test_what_was_answered_is_never_asked_again(tmp_path: Path) -> None:
    """Fewer rows, other settings, another wording, and back: all that was paid for is still there."""
    path = tmp_path / "a.jsonl"
    whole = prompts("fine", "empty", "cut", "filtered")
    with serving(BEHAVIOURS.__getitem__) as server:
        usual, longer = endpoint(server.url), endpoint(server.url, max_tokens=5)
        first = ask_all(usual, whole, path)
        for asked, rows in ((usual, whole[:1]), (longer, whole[1:3]), (usual, whole[2:])):
            ask_all(asked, rows, path)
            assert [reply.instance_id for reply in read_replies(path)] == [row.id for row in rows]
        assert len(server.requests) == 6
        assert ask_all(usual, whole, path) == read_replies(path) == first
        ask_all(longer, whole[1:3], path)
        assert len(server.requests) == 6


def test_files_of_other_models_urls_and_settings_have_other_names() -> None:
    made = [
        Endpoint(url=url, model=model, **fields)
        for url in ("http://a/v1", "http://b/v1")
        for model in ("a/b", "a_b", "A_b", "../b", "x" * 300)
        for fields in ({}, {"max_tokens": 5}, {"temperature": 1.0}, {"extra": {"seed": 1}})
    ]
    names = [each.label for each in made]
    assert len({name.casefold() for name in names}) == len(made)
    assert names[0].startswith("a_b-")
    assert max(map(len, names)) < 100
    assert not any("/" in name for name in names)
    assert Endpoint(url="http://a/v1/", model="a/b").label == names[0]
    # How patiently it is asked changes no answer.
    assert Endpoint(url="http://a/v1", model="a/b", concurrency=1, tries=9).label == names[0]


def test_the_settings_stand_beside_the_answers_without_a_password(tmp_path: Path) -> None:
    with serving(BEHAVIOURS.__getitem__) as server:
        url = server.url.replace("//", "//me:s3cret@")
        ask_all(endpoint(url, max_tokens=7), prompts("fine"), tmp_path / "a.jsonl")
        told = json.loads((tmp_path / "settings.json").read_text(encoding="utf-8"))
        assert told == {"url": server.url, "model": "m", "max_tokens": 7, "temperature": 0.0}


def test_too_many_failures_are_an_error_and_the_rest_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with serving(BEHAVIOURS.__getitem__) as server:
        strict = endpoint(server.url, max_errors=0.3)
        with pytest.raises(EvaluationError, match=r"1 of 3 requests .* failed, .*HTTP 500"):
            ask_all(strict, prompts("fine", "broken", "cut"), path)
        assert len(ask_all(strict, prompts("fine", "broken", "cut", "empty"), path)) == 4
        assert server.by_prompt["fine"] == 1


@pytest.mark.parametrize("status", [401, 403, 404])
def test_an_endpoint_that_refuses_everything_is_an_error_at_once(
    tmp_path: Path, status: int
) -> None:
    with (
        serving(lambda _: Behaviour(status=status)) as server,
        pytest.raises(EvaluationError, match=f"HTTP {status}.*check the URL"),
    ):
        ask_all(endpoint(server.url, concurrency=1), prompts("a", "b"), tmp_path / "a.jsonl")


def test_nobody_there_is_an_error(tmp_path: Path) -> None:
    with serving(BEHAVIOURS.__getitem__) as server:
        url = server.url
    with pytest.raises(EvaluationError, match="1 of 1 requests"):
        ask_all(endpoint(url, max_errors=0.0), prompts("fine"), tmp_path / "a.jsonl")


def test_nobody_there_is_told_after_as_many_rows_as_are_asked_at_a_time(tmp_path: Path) -> None:
    with serving(BEHAVIOURS.__getitem__) as server:
        kept = ask_all(endpoint(server.url), prompts("fine"), tmp_path / "a.jsonl")
        url = server.url
    rows = prompts("fine", *(f"row {number}" for number in range(200)))
    told: list[tuple[int, int]] = []
    with pytest.raises(EvaluationError, match=f"nobody answers at {url} .*same command again"):
        ask_all(endpoint(url), rows, tmp_path / "a.jsonl", lambda *done: told.append(done))
    assert told[0] == (1, 201)
    assert len(told) <= 4
    assert read_replies(tmp_path / "a.jsonl") == kept
    assert kept[0].request in AnswerStore.open(store_of(tmp_path / "a.jsonl")).replies


def test_progress_is_told_as_replies_come(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with serving(BEHAVIOURS.__getitem__) as server:
        for names in (("fine",), ("fine", "cut", "long")):
            ask_all(
                endpoint(server.url),
                prompts(*names),
                tmp_path / "a.jsonl",
                lambda *done: told.append(done),
            )
    assert told == [(0, 1), (1, 1), (1, 3), (2, 3), (3, 3)]


def test_the_key_comes_from_the_environment_and_is_written_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "s3cret")
    with serving(BEHAVIOURS.__getitem__) as server:
        asked = endpoint(server.url)
        ask_all(asked, prompts("fine"), tmp_path / "a.jsonl")
    assert "s3cret" not in (tmp_path / "a.jsonl").read_text(encoding="utf-8")
    assert "s3cret" not in asked.model_dump_json()


def test_replies_survive_json() -> None:
    reply = Reply(instance_id="x", completion="\ud7ff 5", finish_reason="stop", request="abc")
    assert Reply.model_validate(json.loads(reply.model_dump_json())) == reply


def test_an_endpoint_on_this_machine_is_asked_without_a_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(BEHAVIOURS.__getitem__) as server, serving(BEHAVIOURS.__getitem__) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        (reply,) = ask_all(endpoint(server.url), prompts("fine"), tmp_path / "a.jsonl")
    assert reply.completion == WRITTEN
    assert (len(server.requests), len(proxy.requests)) == (1, 0)
