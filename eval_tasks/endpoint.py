"""Asks any endpoint that speaks OpenAI's chat protocol, and keeps apart what came of it.

lighteval's own endpoint models write an HTTP error, a timeout and an empty reply all as "", store
them in their cache and never ask again. So requests are made here, by plain HTTP, with a store of
answers on disk: a line for every reply as it comes, keyed by a hash of the whole request. A rerun
asks only what has no reply yet or failed; a changed prompt, model or setting changes the key. The
store is a file of answers as `eval_tasks.answers` reads it, so `scripts/score.py` scores it as well.

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
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval_tasks.answers import GENERATION_SIZE, Reply, parsed
from eval_tasks.errors import AnswersError, EvaluationError
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
        text = json.dumps([self.url, self.body(prompt)], sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What is asked for a row."""

    id: str
    text: str


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None


class _Body(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


@dataclass(slots=True, kw_only=True)
class AnswerStore:
    """A file of answers that grows as replies come, one row's last reply counting.

    Attributes:
        path: The file; it and its folder need not exist.
        replies: Replies by request hash.
    """

    path: Path
    replies: dict[str, Reply] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, path: Path) -> "AnswerStore":
        """Return the store in a file. A last line that was cut off by an interruption is dropped.

        Raises:
            AnswersError: The file cannot be read, or another line is no answer.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else [""]
        except (OSError, UnicodeDecodeError) as error:
            raise AnswersError(f"cannot use {path} as a store of answers ({error})") from error
        store = cls(path=path)
        for number, line in enumerate(lines[:-1], start=1):
            reply = parsed(line, f"{path}:{number}")
            store.replies[reply.request] = reply
        store.write(list(store.replies.values()))
        return store

    def add(self, reply: Reply) -> None:
        """Keep a reply, in memory and on disk."""
        with self._lock:
            self.replies[reply.request] = reply
            with self.path.open("a", encoding="utf-8") as file:
                file.write(reply.model_dump_json() + "\n")

    def write(self, replies: Sequence[Reply]) -> None:
        """Replace the file by these replies, at one stroke."""
        partial = self.path.with_suffix(".partial")
        text = "".join(reply.model_dump_json() + "\n" for reply in replies)
        partial.write_text(text, encoding="utf-8")
        partial.replace(self.path)


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
        path: The store. At the end it holds one line for each of these rows.
        report: Called with the number of replies that are there and of all.

    Raises:
        EvaluationError: The endpoint refuses every request, or more rows failed than may. What
            succeeded is in the store.
        AnswersError: The store is no file of answers.
    """
    store = AnswerStore.open(path)
    hashes = {prompt.id: endpoint.request_hash(prompt.text) for prompt in prompts}
    pending = [prompt for prompt in prompts if not _succeeded(store.replies.get(hashes[prompt.id]))]
    with _client(endpoint) as client, ThreadPoolExecutor(endpoint.concurrency) as pool:
        futures = [pool.submit(_ask_into, store, client, endpoint, prompt) for prompt in pending]
        try:
            for done, future in enumerate(futures, start=len(prompts) - len(pending) + 1):
                future.result()
                report(done, len(prompts))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    replies = [
        store.replies[hashes[prompt.id]].model_copy(update={"instance_id": prompt.id})
        for prompt in prompts
    ]
    store.write(replies)
    _check_errors(endpoint, replies, path)
    return replies


def ask(client: httpx.Client, endpoint: Endpoint, prompt: Prompt) -> Reply:
    """Return the reply to a prompt, after as many tries as it takes and the endpoint allows.

    Raises:
        EvaluationError: The endpoint would refuse every other request too.
    """
    problem = ""
    for attempt in range(endpoint.tries):
        if attempt:
            time.sleep(min(_LONGEST_WAIT_S, endpoint.wait_s * 2 ** (attempt - 1)))
        reply = _asked_once(client, endpoint, prompt)
        if isinstance(reply, Reply):
            return reply
        problem = reply
    reason = f"{problem} ({endpoint.tries} tries)"
    return _reply(endpoint, prompt, status="error", reason=reason)


def _ask_into(store: AnswerStore, client: httpx.Client, endpoint: Endpoint, prompt: Prompt) -> None:
    store.add(ask(client, endpoint, prompt))


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


def _asked_once(client: httpx.Client, endpoint: Endpoint, prompt: Prompt) -> Reply | str:
    """Return the reply to one request, or what went wrong that another try may mend."""
    url = f"{endpoint.url.rstrip('/')}/chat/completions"
    try:
        response = client.post(url, json=endpoint.body(prompt.text))
    except httpx.TimeoutException:
        return f"no reply within {endpoint.timeout_s:g} s"
    except httpx.HTTPError as error:
        return f"{type(error).__name__}: {error}"
    if response.status_code == httpx.codes.OK:
        return _read(endpoint, prompt, response)
    return _failed(endpoint, prompt, response)


def _failed(endpoint: Endpoint, prompt: Prompt, response: httpx.Response) -> Reply | str:
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
        return problem
    return _reply(endpoint, prompt, status="error", reason=problem)


def _read(endpoint: Endpoint, prompt: Prompt, response: httpx.Response) -> Reply | str:
    try:
        body = _Body.model_validate_json(response.content)
    except ValidationError as error:
        return f"no chat completion came back ({error.errors()[0]['msg']})"
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
