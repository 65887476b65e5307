"""One client for every OpenAI-compatible endpoint: calls, retries, token counts, cost."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from endpoints.errors import CallStatus, EndpointError
from eval_tasks.endpoint import Written, asked_wait
from eval_tasks.json_lines import without_halves
from eval_tasks.privacy import is_here

KEY_VARIABLE = "OPENAI_API_KEY"
URL_VARIABLE = "OPENAI_BASE_URL"
"""Environment variables with the key and the address of an endpoint, as OpenAI's client has them."""
_LONGEST_WAIT = 60.0
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a model answers, and how patient to be with it.

    Attributes:
        base_url: Address up to and with `/v1`.
        model: The model's name there.
        api_key: Sent as bearer token if not empty.
        timeout_s: Seconds for one call.
        retries: Further tries after a failure that may pass.
        first_wait_s: Seconds before the first of them; doubled each time.
    """

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    timeout_s: float = 120.0
    retries: int = 4
    first_wait_s: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What is asked of a model."""

    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float = 0.0
    stop: tuple[str, ...] = ()

    def body(self, model: str) -> dict[str, Any]:
        """Return the request's JSON."""
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": m.role, "content": _sendable(m.content)} for m in self.messages],
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
        }
        return {**body, "stop": list(self.stop)} if self.stop else body


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model wrote.

    Attributes:
        text: The text; empty where it wrote none.
        input_tokens: Tokens read, as the endpoint counts; 0 where it does not say.
        output_tokens: Tokens written.
        cut_off: Whether the token limit ended it.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cut_off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a million tokens cost, in any currency; None where unknown."""

    input_per_million: float | None = None
    output_per_million: float | None = None

    def of(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return the cost of tokens, None where a price is unknown.

        >>> Price(input_per_million=2.0, output_per_million=8.0).of(500_000, 250_000)
        3.0
        """
        if self.input_per_million is None or self.output_per_million is None:
            return None
        return (
            input_tokens * self.input_per_million + output_tokens * self.output_per_million
        ) / 1e6


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True)

    content: Written = None


class _Choice(BaseModel):
    model_config = ConfigDict(frozen=True)

    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    model_config = ConfigDict(frozen=True)

    prompt_tokens: int = Field(default=0, ge=0)
    completion_tokens: int = Field(default=0, ge=0)


class _Completion(BaseModel):
    model_config = ConfigDict(frozen=True)

    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


class Client:
    """Makes calls to an endpoint; may be used by several threads at once."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
        self._http = httpx.Client(
            headers=headers,
            timeout=endpoint.timeout_s,
            limits=httpx.Limits(max_connections=None),
            trust_env=not is_here(endpoint.base_url),
        )

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def complete(self, call: Call, *, timeout_s: float | None = None) -> Reply:
        """Return the reply to a call; what may pass is tried again.

        Args:
            call: What is asked.
            timeout_s: Seconds for each try, where it is not the endpoint's.

        Raises:
            EndpointError: No try gave a reply.
        """
        wait = self.endpoint.first_wait_s
        for left in range(self.endpoint.retries, -1, -1):
            try:
                return self._try(call, timeout_s or self.endpoint.timeout_s)
            except _PassingError as error:
                if not left:
                    raise EndpointError(error.status, str(error)) from error
                time.sleep(min(_LONGEST_WAIT, max(wait, error.wait_s)))
                wait *= 2
        raise EndpointError("rejected", "no try is allowed; retries must not be negative")

    def _try(self, call: Call, timeout_s: float) -> Reply:
        url = f"{self.endpoint.base_url.rstrip('/')}/chat/completions"
        try:
            response = self._http.post(url, json=call.body(self.endpoint.model), timeout=timeout_s)
        except httpx.TimeoutException as error:
            raise _PassingError("timeout", f"{url}: no reply in {timeout_s:.0f} s") from error
        except httpx.HTTPError as error:
            raise _PassingError("unreachable", f"{url}: {error}") from error
        _check(response)
        return _reply(response)


class _PassingError(EndpointError):
    """A failure that may pass."""

    def __init__(self, status: CallStatus, reason: str, wait_s: float = 0.0) -> None:
        super().__init__(status, reason)
        self.wait_s = wait_s


def _check(response: httpx.Response) -> None:
    code = response.status_code
    reason = f"{response.url}: HTTP {code} {response.text[:200]!r}"
    if code in _PASSING:
        status: CallStatus = "rate_limited" if code == 429 else "unreachable"
        raise _PassingError(status, reason, asked_wait(response.headers))
    if code != 200:
        raise EndpointError("rejected", reason)


def _reply(response: httpx.Response) -> Reply:
    try:
        completion = _Completion.model_validate_json(without_halves(response.text))
    except ValidationError as error:
        raise _PassingError("malformed", f"{response.url}: no chat completion") from error
    choice, usage = completion.choices[0], completion.usage or _Usage()
    return Reply(
        text=choice.message.content or "",
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
        cut_off=choice.finish_reason == "length",
    )


def _sendable(text: str) -> str:
    """Return a text with lone surrogates, which no encoding has, replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


def conversation(system: str, user: str) -> tuple[Message, ...]:
    """Return a system message and a user message."""
    return Message(role="system", content=system), Message(role="user", content=user)


def as_text(messages: Sequence[Message]) -> str:
    """Return a conversation as text, for keys and logs."""
    return "\n".join(f"[{message.role}]\n{message.content}" for message in messages)
