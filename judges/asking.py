"""Asks a judge many things at once: cached, resumable, every failure counted."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from endpoints.cache import ReplyCache, call_key
from endpoints.chat import Call, Client, Reply
from endpoints.errors import CallStatus, EndpointError

JUDGE_VERSION = 1
"""Moves when a judge's prompts or rules change; replies of other versions are not reused."""
JudgeStatus = CallStatus | Literal["ok", "unreadable"]
"""How a question to the judge ended. Only `ok` carries findings; all others are no verdict."""
TRIES = 2
"""How often a judge is asked whose reply cannot be read."""
Findings = TypeVar("Findings", bound=BaseModel)
Name = TypeVar("Name", bound=str)
_OBJECT_START = re.compile(r"\{")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query(Generic[Findings]):
    """A question to the judge.

    Attributes:
        call: Prompt and parameters.
        about: What the reply depends on beside the prompt: run, replicate, hash of the judged text.
        form: What the JSON of the reply must be.
        accept: Whether findings are complete; incomplete ones cannot be read.
    """

    call: Call
    about: Mapping[str, object]
    form: type[Findings]
    accept: Callable[[Findings], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Generic[Findings]):
    """What a judge said.

    Attributes:
        status: How it ended.
        findings: None unless the status is `ok`.
        calls: Calls made now; 0 where the reply was on disk.
        input_tokens: Tokens read for it, whenever it was asked.
        output_tokens: Tokens written.
    """

    status: JudgeStatus
    findings: Findings | None = None
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class Judge:
    """A judging model with its replies on disk."""

    def __init__(self, client: Client, cache: ReplyCache, workers: int = 4) -> None:
        self._client = client
        self._cache = cache
        self._workers = workers

    @property
    def model(self) -> str:
        """The model's name."""
        return self._client.endpoint.model

    def ask_all(
        self, queries: Sequence[Query[Findings]], progress: Callable[[int, int], None]
    ) -> list[Finding[Findings]]:
        """Return what the judge says to each, in the order given."""
        found = []
        workers = ThreadPoolExecutor(self._workers)
        try:
            for finding in workers.map(self.ask, queries):
                found.append(finding)
                progress(len(found), len(queries))
        finally:
            workers.shutdown(cancel_futures=True)
        return found

    def ask(self, query: Query[Findings]) -> Finding[Findings]:
        """Return what the judge says; never raises for a failed call."""
        calls = read = written = 0
        for attempt in range(TRIES):
            about = {**query.about, "version": JUDGE_VERSION, "attempt": attempt}
            key = call_key(self._client.endpoint, query.call, about)
            reply = self._cache.get(key)
            if reply is None:
                try:
                    reply = self._client.complete(query.call)
                except EndpointError as error:
                    return Finding(status=error.status, calls=calls + 1)
                self._cache.put(key, reply)
                calls += 1
            read, written = read + reply.input_tokens, written + reply.output_tokens
            findings = _read(reply, query)
            if findings is not None:
                return Finding(
                    status="ok",
                    findings=findings,
                    calls=calls,
                    input_tokens=read,
                    output_tokens=written,
                )
        return Finding(status="unreadable", calls=calls, input_tokens=read, output_tokens=written)


def fingerprint(*parts: str) -> str:
    """Return a hash of texts, in hexadecimal."""
    return hashlib.sha256(json.dumps(parts).encode("utf-8", "backslashreplace")).hexdigest()


def boundary(text: str, *about: str) -> str:
    """Return a mark that delimits a text and that no text can hold: a hash of it."""
    return f"=== {fingerprint(text, *about)[:24]} ==="


def shuffled(names: Sequence[Name], *about: str) -> list[Name]:
    """Return names in an order that only their hash decides."""
    return sorted(names, key=lambda name: fingerprint(name, *about))


def _read(reply: Reply, query: Query[Findings]) -> Findings | None:
    """Return the last JSON object of a reply that is of the form asked for."""
    decoder = json.JSONDecoder()
    for start in reversed([found.start() for found in _OBJECT_START.finditer(reply.text)]):
        try:
            value, _ = decoder.raw_decode(reply.text, start)
            findings = query.form.model_validate(value)
        except (ValueError, RecursionError, ValidationError):
            continue
        if query.accept(findings):
            return findings
    return None
