"""Asks any endpoint that speaks OpenAI's chat protocol, and keeps apart what came of it.

lighteval's own endpoint models write an HTTP error, a timeout and an empty reply all as "", store
them in their cache and never ask again. So requests are made here, by plain HTTP, and every reply
goes to a store on disk (`eval_tasks.answer_store`), keyed by a hash of the whole request. A rerun
asks only what has no reply yet or failed; a changed prompt, model or setting changes the key. The
answers of a run form a file as `eval_tasks.answers` reads it, so `scripts/score.py` scores it too.

A prompt that exceeds the context has the status `too_long`: where the server says so, and where the
number of prompt tokens it reports is below the number of words that were sent, which no tokenizer
gets by with, so that it must have cut the prompt. A server that cuts less than that, and does not
say so, cannot be found out from outside.
"""

import hashlib
import json
import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import httpx
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from eval_tasks.answer_store import AnswerStore, store_of, write_replies
from eval_tasks.answers import GENERATION_SIZE, Reply
from eval_tasks.errors import EvaluationError
from eval_tasks.json_lines import without_halves
from eval_tasks.privacy import is_here

KEY_VARIABLE = "OPENAI_API_KEY"
"""Environment variable that holds the endpoint's key, where it wants one."""
_RETRIED = frozenset({408, 409, 425, 429})
_REFUSING_ALL = frozenset({401, 403, 404, 405})
"""Statuses that the next request would get too."""
_LONGEST_WAIT_S = 60.0
_TOO_LONG = re.compile(
    r"context[ _]?(?:length|window|size)|maximum (?:context|input|prompt)|prompt is too long"
    r"|too many (?:input |prompt )?tokens|input is too long|exceeds? .{0,40}\bcontext",
    re.IGNORECASE,
)


class Endpoint(BaseModel):
    """Where and how a model is asked.

    Attributes:
        url: Base URL, as in `http://127.0.0.1:8000/v1`.
        model: Name of the model there.
        max_tokens: Tokens that it may write, reasoning included.
        temperature: Its temperature.
        timeout_s: Seconds that a request may take.
        concurrency: Requests at a time.
        tries: Requests for a row before it counts as failed.
        wait_s: Seconds before the second try; doubled for each one after it.
        max_errors: Share of rows that may fail; above it nothing is scored.
        extra: Further fields of each request, for example `{"reasoning_effort": "low"}`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str = Field(pattern=r"^https?://")
    model: str = Field(min_length=1)
    max_tokens: int = Field(default=GENERATION_SIZE, ge=1)
    temperature: float = Field(default=0.0, ge=0.0)
    timeout_s: float = Field(default=600.0, gt=0.0)
    concurrency: int = Field(default=8, ge=1, le=256)
    tries: int = Field(default=4, ge=1, le=20)
    wait_s: float = Field(default=1.0, ge=0.0)
    max_errors: float = Field(default=0.01, ge=0.0, le=1.0)
    extra: Mapping[str, Any] = Field(default_factory=dict)

    def body(self, prompt: str) -> dict[str, Any]:
        """Return the request for a prompt."""
        return {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            **self.extra,
        }

    def request_hash(self, prompt: str) -> str:
        """Return what tells this request from every other: URL, model, settings and prompt."""
        text = json.dumps([self.url.rstrip("/"), self.body(prompt)], sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def label(self) -> str:
        """Name of a folder: the model, and a hash of URL, model and settings that tells them apart."""
        readable = re.sub(r"[^\w.-]+", "_", self.model)[:80]
        return f"{readable}-{self.request_hash('')[:8]}"

    def settings(self) -> dict[str, Any]:
        """Return what tells this endpoint's answers from another's, without a password in the URL."""
        body = self.body("")
        del body["messages"]
        return {"url": str(httpx.URL(self.url).copy_with(userinfo=b"")), **body}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What is asked for a row."""

    id: str
    text: str


def _text_of_parts(content: object) -> object:
    """Return the text of a content in parts: models that reason give that as parts of its own.

    Raises:
        ValueError: A part that is no reasoning has no text.
    """
    if not isinstance(content, list):
        return content
    parts = [part for part in content if not _is_reasoning(part)]
    texts = [part.get("text") if isinstance(part, dict) else None for part in parts]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a part of the content has no text")
    return "".join(map(str, texts))


def _is_reasoning(part: object) -> bool:
    return isinstance(part, dict) and part.get("type") in ("thinking", "reasoning")


Written = Annotated[str | None, BeforeValidator(_text_of_parts)]
"""What a model wrote, as a text or in parts."""


class _Message(BaseModel):
    content: Written = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None


class _Body(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


def ask_all(
    endpoint: Endpoint,
    prompts: Sequence[Prompt],
    path: Path,
    report: Callable[[int, int], None] = lambda _done, _total: None,
) -> list[Reply]:
    """Return a reply for every prompt, from the store where one succeeded before.

    Args:
        endpoint: What is asked.
        prompts: The rows' prompts.
        path: File of answers. At the end it holds one line for each of these rows and no others;
            whatever was ever answered stays in the store beside it (`answer_store.store_of`), and
            `settings.json` says what was asked.
        report: Called with the number of replies that are there and of all.

    Raises:
        EvaluationError: The endpoint cannot be reached or refuses every request, or more rows
            failed than may. What succeeded is in the store.
        AnswersError: The store is no file of answers, or cannot be written.
    """
    store = AnswerStore.open(store_of(path))
    hashes = {prompt.id: endpoint.request_hash(prompt.text) for prompt in prompts}
    pending = [prompt for prompt in prompts if not _succeeded(store.replies.get(hashes[prompt.id]))]
    report(len(prompts) - len(pending), len(prompts))
    with _client(endpoint) as client, ThreadPoolExecutor(endpoint.concurrency) as pool:
        asker = _Asker(endpoint=endpoint, client=client, store=store)
        futures = [pool.submit(asker.ask_for, prompt) for prompt in pending]
        try:
            for done, future in enumerate(as_completed(futures), len(prompts) - len(pending) + 1):
                future.result()
                report(done, len(prompts))
        except BaseException:
            asker.stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    replies = [
        store.replies[hashes[prompt.id]].model_copy(update={"instance_id": prompt.id})
        for prompt in prompts
    ]
    write_replies(path, replies)
    (path.parent / "settings.json").write_text(
        json.dumps(endpoint.settings(), indent=2), encoding="utf-8"
    )
    _check_errors(endpoint, replies, path)
    return replies


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    """What went wrong with a request that another try may mend.

    Attributes:
        text: What it was.
        unreached: Whether nobody was there at all.
        wait_s: Seconds that the server wants to be left alone.
    """

    text: str
    unreached: bool = False
    wait_s: float = 0.0


@dataclass(slots=True, kw_only=True)
class _Asker:
    """Asks in several threads, and gives up where nobody is there.

    Attributes:
        endpoint: What is asked.
        client: How.
        store: Where replies go.
        stop: Set where the work is given up: nothing is tried again.
        unreached: Rows in succession, by the time when they ended, for which nobody was there.
    """

    endpoint: Endpoint
    client: httpx.Client
    store: AnswerStore
    stop: threading.Event = field(default_factory=threading.Event)
    unreached: int = 0

    def ask_for(self, prompt: Prompt) -> None:
        """Put the reply to a prompt into the store, after as many tries as it takes and are allowed.

        Raises:
            EvaluationError: The endpoint would refuse every other request too, or nobody was there
                for as many rows in succession as are asked at a time.
        """
        found = self._tried(prompt)
        if isinstance(found, Reply):
            self.unreached = 0
            self.store.add(found)
            return
        if self.stop.is_set():
            return
        self.unreached = self.unreached + 1 if found.unreached else 0
        if self.unreached >= self.endpoint.concurrency:
            raise EvaluationError(
                f"nobody answers at {self.endpoint.url} ({found.text}); start the server or check the "
                "URL. What was answered before is kept: run the same command again to ask for the rest"
            )
        reason = f"{found.text} ({self.endpoint.tries} tries)"
        self.store.add(_reply(self.endpoint, prompt, status="error", reason=reason))

    def _tried(self, prompt: Prompt) -> Reply | _Problem:
        found = _asked_once(self.client, self.endpoint, prompt)
        for attempt in range(1, self.endpoint.tries):
            if isinstance(found, Reply):
                break
            wait_s = max(found.wait_s, self.endpoint.wait_s * 2 ** (attempt - 1))
            if self.stop.wait(min(_LONGEST_WAIT_S, wait_s)):
                break
            found = _asked_once(self.client, self.endpoint, prompt)
        return found


def _succeeded(reply: Reply | None) -> bool:
    return reply is not None and reply.status != "error"


def _client(endpoint: Endpoint) -> httpx.Client:
    key = os.environ.get(KEY_VARIABLE)
    return httpx.Client(
        timeout=endpoint.timeout_s,
        headers={"Authorization": f"Bearer {key}"} if key else {},
        limits=httpx.Limits(max_connections=endpoint.concurrency),
        trust_env=not is_here(endpoint.url),
    )


def _asked_once(client: httpx.Client, endpoint: Endpoint, prompt: Prompt) -> Reply | _Problem:
    url = f"{endpoint.url.rstrip('/')}/chat/completions"
    try:
        response = client.post(url, json=endpoint.body(prompt.text))
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        return _Problem(text=f"{type(error).__name__}: {error}", unreached=True)
    except httpx.TimeoutException:
        return _Problem(text=f"no reply within {endpoint.timeout_s:g} s")
    except httpx.HTTPError as error:
        return _Problem(text=f"{type(error).__name__}: {error}")
    if response.status_code == httpx.codes.OK:
        return _read(endpoint, prompt, response)
    return _failed(endpoint, prompt, response)


def _failed(endpoint: Endpoint, prompt: Prompt, response: httpx.Response) -> Reply | _Problem:
    status, text = response.status_code, " ".join(response.text.split())[:300]
    problem = f"HTTP {status}: {text}"
    if status in (400, 413, 422) and (status == 413 or _TOO_LONG.search(text)):
        return _reply(endpoint, prompt, status="too_long", reason=problem)
    if status in _REFUSING_ALL:
        raise EvaluationError(
            f"{endpoint.url} refuses {endpoint.model} ({problem}); check the URL, the model's name "
            f"and {KEY_VARIABLE}"
        )
    if status in _RETRIED or status >= 500:
        return _Problem(text=problem, wait_s=asked_wait(response.headers))
    return _reply(endpoint, prompt, status="error", reason=problem)


def asked_wait(headers: Mapping[str, str]) -> float:
    """Return the seconds that a server wants to be left alone; 0 where it does not say."""
    text = headers.get("retry-after", "")
    return float(text) if text.isdecimal() else 0.0


def _read(endpoint: Endpoint, prompt: Prompt, response: httpx.Response) -> Reply | _Problem:
    try:
        body = _Body.model_validate_json(without_halves(response.text))
    except ValidationError as error:
        return _Problem(text=f"no chat completion came back ({error.errors()[0]['msg']})")
    tokens = body.usage.prompt_tokens if body.usage else None
    words = len(prompt.text.split())
    if tokens and tokens < words:
        reason = f"the server read {tokens} tokens of a prompt of {words} words: it has cut it"
        return _reply(endpoint, prompt, status="too_long", reason=reason)
    choice = body.choices[0]
    return _reply(
        endpoint,
        prompt,
        completion=choice.message.content or "",
        finish_reason=choice.finish_reason,
    )


def _reply(endpoint: Endpoint, prompt: Prompt, **fields: Any) -> Reply:
    return Reply(instance_id=prompt.id, request=endpoint.request_hash(prompt.text), **fields)


def _check_errors(endpoint: Endpoint, replies: Sequence[Reply], path: Path) -> None:
    failed = [reply for reply in replies if reply.status == "error"]
    if len(failed) > endpoint.max_errors * len(replies):
        raise EvaluationError(
            f"{len(failed)} of {len(replies)} requests to {endpoint.url} failed, more than the share "
            f"of {endpoint.max_errors:g} that may (first: {failed[0].reason}); nothing was scored. "
            f"The other replies are kept in {path}: run the same command again to ask for the rest"
        )
