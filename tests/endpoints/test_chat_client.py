"""The client against an endpoint on loopback: retries, failures, cache."""

from collections.abc import Callable
from pathlib import Path

import pytest

from endpoints.cache import ReplyCache, call_key
from endpoints.chat import Call, Client, Endpoint, Price, Reply, conversation
from endpoints.errors import EndpointError
from endpoints.loopback import LoopbackEndpoint, Request, Scripted

CALL = Call(messages=conversation("Be brief.", "How much?"), max_tokens=20)


def endpoint_of(server: LoopbackEndpoint, *, retries: int = 2) -> Endpoint:
    return Endpoint(base_url=server.url, model="m", retries=retries, first_wait_s=0.0)


def failing(times: int, status: int) -> Callable[[Request], Scripted]:
    left = [times]

    def script(_request: Request) -> Scripted:
        left[0] -= 1
        return Scripted(text="42") if left[0] < 0 else Scripted(text="busy", status=status)

    return script


def test_a_reply_with_its_tokens() -> None:
    with LoopbackEndpoint(failing(0, 500)) as server, Client(endpoint_of(server)) as client:
        assert client.complete(CALL) == Reply(text="42", input_tokens=4, output_tokens=1)
        assert server.requests[0].user == "How much?"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_pass_is_tried_again(status: int) -> None:
    with LoopbackEndpoint(failing(2, status)) as server, Client(endpoint_of(server)) as client:
        assert client.complete(CALL).text == "42"
        assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("status", "calls", "why"),
    [(429, 3, "rate_limited"), (500, 3, "unreachable"), (401, 1, "rejected")],
)
def test_a_failure_says_why(status: int, calls: int, why: str) -> None:
    with LoopbackEndpoint(failing(9, status)) as server, Client(endpoint_of(server)) as client:
        with pytest.raises(EndpointError, match=f"HTTP {status}") as caught:
            client.complete(CALL)
        assert (caught.value.status, len(server.requests)) == (why, calls)


def test_nobody_there() -> None:
    with LoopbackEndpoint(failing(0, 500)) as server:
        endpoint = endpoint_of(server, retries=0)
    with Client(endpoint) as client, pytest.raises(EndpointError) as caught:
        client.complete(CALL)
    assert caught.value.status == "unreachable"


def test_an_endpoint_on_this_machine_is_asked_without_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with LoopbackEndpoint(failing(0, 500)) as server, LoopbackEndpoint(failing(0, 500)) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        with Client(endpoint_of(server)) as client:
            assert client.complete(CALL).text == "42"
        assert (len(server.requests), len(proxy.requests)) == (1, 0)


def test_the_key_is_not_shown() -> None:
    assert "secret" not in repr(Endpoint(base_url="u", model="m", api_key="secret"))


def test_cost_is_unknown_without_both_prices() -> None:
    assert Price(input_per_million=1.0).of(10, 10) is None


def test_whatever_matters_is_in_the_key() -> None:
    base = Endpoint(base_url="http://h/v1", model="m")
    about = {"judge": 1, "replicate": 0}
    keys = {
        call_key(base, CALL, about),
        call_key(Endpoint(base_url="http://h/v1", model="n"), CALL, about),
        call_key(Endpoint(base_url="http://other/v1", model="m"), CALL, about),
        call_key(base, Call(messages=CALL.messages, max_tokens=21), about),
        call_key(base, Call(messages=CALL.messages, max_tokens=20, temperature=1.0), about),
        call_key(base, Call(messages=conversation("", "How much?"), max_tokens=20), about),
        call_key(base, CALL, {"judge": 2, "replicate": 0}),
        call_key(base, CALL, {"judge": 1, "replicate": 1}),
    }
    assert len(keys) == 8
    patient = Endpoint(base_url="http://h/v1/", model="m", api_key="k", retries=9)
    assert call_key(patient, CALL, about) in keys


def test_replies_outlive_the_process(tmp_path: Path) -> None:
    reply = Reply(text="é 42", input_tokens=3, output_tokens=1, cut_off=True)
    with ReplyCache(tmp_path / "new" / "cache.sqlite") as cache:
        assert cache.get("k") is None
        cache.put("k", reply)
    with ReplyCache(tmp_path / "new" / "cache.sqlite") as cache:
        assert cache.get("k") == reply
