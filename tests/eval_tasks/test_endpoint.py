import json
from pathlib import Path
from typing import Any

import pytest

from eval_tasks.answers import Reply, read_replies
from eval_tasks.endpoint import KEY_VARIABLE, Endpoint, Prompt, ask_all
from eval_tasks.errors import AnswersError, EvaluationError
from tests.eval_tasks.loopback import TOO_LONG, Behaviour, serving

WRITTEN = '{"answer": 5}'
BEHAVIOURS = {
    "fine": Behaviour(content=WRITTEN),
    "slow to start": Behaviour(content=WRITTEN, failures=2),
    "empty": Behaviour(content=""),
    "null": Behaviour(content=None),
    "cut": Behaviour(content="Let me", finish_reason="length"),
    "filtered": Behaviour(content=None, finish_reason="content_filter"),
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
    assert (found["empty"].completion, found["empty"].status) == ("", None)
    assert (found["null"].completion, found["null"].status) == ("", None)
    assert found["cut"].finish_reason == "length"
    assert found["filtered"].finish_reason == "content_filter"
    assert {name for name, reply in found.items() if reply.status == "error"} == {
        *("broken", "busy", "bad", "late", "no completion", "no JSON"),
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


def test_an_interrupted_store_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with serving(BEHAVIOURS.__getitem__) as server:
        ask_all(endpoint(server.url), prompts("fine", "cut"), path)
        path.write_text(path.read_text(encoding="utf-8")[:-30], encoding="utf-8")
        ask_all(endpoint(server.url), prompts("fine", "cut"), path)
        assert dict(server.by_prompt) == {"fine": 1, "cut": 2}
    assert len(read_replies(path)) == 2


def test_a_file_of_something_else_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("lorem\n", encoding="utf-8")
    with pytest.raises(AnswersError, match=r"a\.jsonl:1: no answer"):
        ask_all(endpoint("http://127.0.0.1:1"), prompts("fine"), tmp_path / "a.jsonl")


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
