"""What an agent did with one row, step by step, as one line of JSON."""

from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from agents.errors import AgentError
from eval_tasks.json_lines import json_lines

RunStatus = Literal["answered", "steps", "tokens", "time", "error"]
"""How a run ended: with an answer, at one of its budgets, or because the endpoint failed."""


class Step(BaseModel):
    """One step: what the model wrote, the code in it, and what came of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    written: str = ""
    code: str = ""
    observed: str = ""
    error: str = ""
    snippet: str = ""
    """Status of the code, empty without code."""
    attempts: tuple[str, ...] = ()
    """What the code reached for outside the sandbox."""
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


class RowTrace(BaseModel):
    """A row's run.

    Attributes:
        key: Hash of model, settings and question; a trace with another key is not reused.
        id: The row's id.
        model: The model's name.
        status: How the run ended.
        reason: Why there is no answer, empty with one.
        steps: The steps.
        final: What the code handed to `final_answer`, or the model's last words.
        completion: What the second stage wrote: the one JSON answer.
        calls: Calls to the endpoint, those of the second stage included.
        input_tokens: Tokens read by them.
        output_tokens: Tokens written by them.
        estimated: Whether the endpoint did not count tokens, so that 4 characters count as one.
        cost: In the currency of the prices, None where none were given.
        seconds: From start to end.
        layers: What confined the code.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    id: str
    model: str
    status: RunStatus
    reason: str = ""
    steps: tuple[Step, ...] = ()
    final: Any = None
    completion: str = ""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    cost: float | None = None
    seconds: float = 0.0
    layers: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the trace as a reader sees it: words, code and results in order."""
        parts = []
        for step in self.steps:
            parts += [step.written or step.code, step.observed, step.error]
        return "\n\n".join([part for part in parts if part] + [self.completion])


class TraceFile:
    """Traces in a JSONL file that is only ever appended to; for several threads."""

    def __init__(self, path: Path) -> None:
        """Read the file; a last line that a kill has cut off is dropped.

        Raises:
            AgentError: Another line is no trace.
        """
        self._path = path
        self._lock = Lock()
        self._kept = {trace.key: trace for trace in read_traces(path)}
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            whole = path.read_bytes().rpartition(b"\n")
            with path.open("r+b") as file:
                file.truncate(len(whole[0]) + len(whole[1]))

    def get(self, key: str) -> RowTrace | None:
        """Return the trace of a key, unless the endpoint failed in it."""
        trace = self._kept.get(key)
        return None if trace is None or trace.status == "error" else trace

    def add(self, trace: RowTrace) -> None:
        """Append a trace."""
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(trace.model_dump_json() + "\n")


def read_traces(path: Path) -> Iterator[RowTrace]:
    """Yield the traces of a file; a last line that a kill has cut off is passed over.

    Raises:
        AgentError: Another line is no trace.
    """
    if not path.is_file():
        return
    lines = json_lines(path)
    for number, line in enumerate(lines, start=1):
        try:
            yield RowTrace.model_validate_json(line)
        except ValidationError as error:
            if number == len(lines) and not line.endswith("\n"):
                return
            raise AgentError(f"{path}: line {number} is no trace; give another file") from error
