"""Runs untrusted Python over tables in a process that the kernel confines and that can be killed.

The process sees no file, network, environment variable or other process; it can compute, read the
tables, print and answer. What it sends back is read as data and never trusted. A snippet that
runs too long, or what only hostile code does, ends the process; the next snippet gets a fresh one.
"""

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from agents.confinement import LAYERS, Layer, enough
from agents.errors import SandboxError
from agents.frames import HEADER, frame
from agents.interpreter import LONGEST_ATTEMPT, LONGEST_ERROR, MOST_ATTEMPTS

Status = Literal["ok", "error", "timeout", "memory", "output", "killed", "protocol"]
"""How a snippet ended: `killed` by the kernel, `protocol` where its process sends nonsense."""
Table = Mapping[str, Sequence[object]]
"""Columns by name."""

_ROOT = str(Path(__file__).resolve().parent.parent)
_START = "import sys; sys.path.insert(0, sys.argv[1]); from agents.interpreter import main; main()"
_START_SECONDS = 60.0
_OVERHEAD_BYTES = 1 << 20
_BYTES_OF_A_CHARACTER = 12
"""What JSON writes for one beyond the basic plane: two escapes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a snippet may use.

    Attributes:
        seconds: Time from start to end, waiting included.
        memory_bytes: Address space beyond what the loaded interpreter has.
        output_characters: Printed, and again for the shown value.
    """

    seconds: float = 20.0
    memory_bytes: int = 1 << 30
    output_characters: int = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """What a snippet did.

    Attributes:
        status: How it ended.
        logs: What it printed.
        output: The value of its last expression, as text; where it is cut, its end says so.
        error: One line; empty if the status is `ok`.
        final: The answer handed to `final_answer`, as JSON holds it; None without one.
        answered: Whether `final_answer` was called.
        attempts: Files, modules, sockets and processes it reached for, as Python reports them.
        seconds: How long it took.
    """

    status: Status
    logs: str = ""
    output: str = ""
    error: str = ""
    final: Any = None
    answered: bool = False
    attempts: tuple[str, ...] = ()
    seconds: float = 0.0


class _Ready(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    layers: list[Layer]
    refused: bool
    why: str


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    status: Literal["ok", "error", "memory", "output"]
    error: Annotated[str, Field(max_length=LONGEST_ERROR)]
    logs: str
    output: str
    final: Annotated[list[Any], Field(max_length=1)]
    attempts: Annotated[
        list[Annotated[str, Field(max_length=LONGEST_ATTEMPT)]], Field(max_length=MOST_ATTEMPTS)
    ]

    @field_validator("logs", "output", "final")
    @classmethod
    def _within(cls, value: Any, info: ValidationInfo[int]) -> Any:
        """Hold a reply to what the interpreter keeps to by itself, unless code has forged it."""
        texts = [value] if isinstance(value, str) else map(json.dumps, value)
        if any(len(text) > info.context for text in texts):
            raise ValueError("longer than what may be printed")
        return value


class _EndedError(Exception):
    """The process is no longer of use."""

    def __init__(self, status: Status, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why


@dataclass(slots=True, kw_only=True)
class _Process:
    """A started interpreter and its pipes, which never block."""

    handle: subprocess.Popen[bytes]
    folder: "tempfile.TemporaryDirectory[str]"
    rest: bytearray = field(default_factory=bytearray)

    def send(self, message: object, deadline: float) -> None:
        waiting = memoryview(frame(message))
        sink = self._pipe(self.handle.stdin)
        while waiting:
            self._wait(sink, selectors.EVENT_WRITE, deadline)
            try:
                waiting = waiting[os.write(sink, waiting) :]
            except BlockingIOError:
                continue
            except BrokenPipeError as error:
                raise self._ended() from error

    def receive(self, most: int, deadline: float) -> bytes:
        """Return the body of the next message."""
        self._fill(HEADER.size, deadline)
        (length,) = HEADER.unpack_from(self.rest)
        if length > most:
            raise _EndedError("protocol", f"a message of {length} bytes; at most {most} are taken")
        self._fill(HEADER.size + length, deadline)
        body = bytes(self.rest[HEADER.size : HEADER.size + length])
        del self.rest[: HEADER.size + length]
        return body

    def quiet(self) -> bool:
        """Return whether nothing waits to be read that was not asked for."""
        if self.rest:
            return False
        try:
            return not os.read(self._pipe(self.handle.stdout), 1)
        except BlockingIOError:
            return True

    def stop(self) -> None:
        if self.handle.poll() is None:
            os.killpg(self.handle.pid, signal.SIGKILL)
        self.handle.wait()
        for stream in (self.handle.stdin, self.handle.stdout):
            if stream is not None:
                stream.close()
        self.folder.cleanup()

    def _fill(self, size: int, deadline: float) -> None:
        source = self._pipe(self.handle.stdout)
        while len(self.rest) < size:
            self._wait(source, selectors.EVENT_READ, deadline)
            try:
                read = os.read(source, 1 << 16)
            except BlockingIOError:
                continue
            if not read:
                raise self._ended()
            self.rest += read

    def _ended(self) -> _EndedError:
        code = self.handle.wait()
        if code == -signal.SIGSYS:
            return _EndedError("killed", "a forbidden system call")
        reason = signal.Signals(-code).name if code < 0 else f"exit status {code}"
        return _EndedError("killed", f"the interpreter ended: {reason}")

    @staticmethod
    def _pipe(stream: Any) -> int:
        return int(stream.fileno())

    @staticmethod
    def _wait(pipe: int, event: int, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, event)
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise _EndedError("timeout", "the time is up")


class Sandbox:
    """An interpreter with tables, restarted whenever a snippet has ended it.

    Belongs to the thread that uses it: the process dies with that thread.
    """

    def __init__(
        self,
        tables: Mapping[str, Table],
        limits: Limits | None = None,
        *,
        unsafe: bool = False,
        layers: Sequence[Layer] = LAYERS,
    ) -> None:
        """Start the interpreter.

        Args:
            tables: Tables by the names that snippets know them by.
            limits: What a snippet may use.
            unsafe: Run even where the kernel cannot confine the process.
            layers: Kinds of confinement to use where the kernel has them.

        Raises:
            SandboxError: The kernel cannot confine the process, or it does not start.
        """
        self.limits = limits or Limits()
        self._request = {
            "tables": {name: dict(table) for name, table in tables.items()},
            "memory_bytes": self.limits.memory_bytes,
            "output_characters": self.limits.output_characters,
            "unsafe": unsafe,
            "layers": list(layers),
        }
        self.layers: tuple[Layer, ...] = ()
        """What confines the process."""
        self.starts = 0
        """How often it was started."""
        self._process: _Process | None = None
        self._start()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.stop()
            self._process = None

    def run(self, code: str) -> Snippet:
        """Run a snippet. However it ends, the next one can be run.

        Raises:
            SandboxError: A fresh interpreter was needed and could not be had.
        """
        process = self._process or self._start()
        begin = time.monotonic()
        deadline = begin + self.limits.seconds
        try:
            if not process.quiet():
                raise _EndedError("protocol", "the interpreter sent what nobody asked for")
            process.send({"code": code}, deadline)
            reply = self._reply(process, deadline)
        except ValidationError:
            return self._broken("protocol", "the interpreter sent nonsense", begin)
        except _EndedError as ended:
            return self._broken(ended.status, ended.why, begin)
        return Snippet(
            status=reply.status,
            logs=reply.logs,
            output=reply.output,
            error=reply.error,
            final=reply.final[0] if reply.final else None,
            answered=bool(reply.final),
            attempts=tuple(reply.attempts),
            seconds=time.monotonic() - begin,
        )

    def _reply(self, process: _Process, deadline: float) -> _Reply:
        """Return what came of a snippet.

        Raises:
            _EndedError: The process has ended, is late, or sends too much.
            ValidationError: It sends nonsense.
        """
        most = self.limits.output_characters
        body = process.receive(3 * _BYTES_OF_A_CHARACTER * most + _OVERHEAD_BYTES, deadline)
        return _Reply.model_validate_json(body, context=most)

    def _broken(self, status: Status, why: str, begin: float) -> Snippet:
        self.close()
        return Snippet(
            status=status,
            error=f"{why}; all names but the tables are lost",
            seconds=time.monotonic() - begin,
        )

    def _start(self) -> _Process:
        folder = tempfile.TemporaryDirectory(prefix="healthloopqa-sandbox-")
        handle = subprocess.Popen(
            [sys.executable, "-I", "-B", "-X", "utf8", "-c", _START, _ROOT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            cwd=folder.name,
            start_new_session=True,
        )
        process = _Process(handle=handle, folder=folder)
        self._process = process
        self.starts += 1
        for stream in (handle.stdin, handle.stdout):
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
        deadline = time.monotonic() + _START_SECONDS
        try:
            process.send({**self._request, "folder": folder.name}, deadline)
            ready = _Ready.model_validate(json.loads(process.receive(_OVERHEAD_BYTES, deadline)))
        except (_EndedError, ValueError, RecursionError) as error:
            self.close()
            raise SandboxError(f"the sandbox does not start: {error}") from error
        self._check(ready)
        return process

    def _check(self, ready: _Ready) -> None:
        self.layers = tuple(ready.layers)
        if ready.refused and ready.why:
            self.close()
            raise SandboxError(f"the sandbox does not start: {ready.why}")
        if ready.refused:
            self.close()
            raise SandboxError(
                f"this kernel cannot confine the code (of {', '.join(LAYERS)} it offers "
                f"{', '.join(ready.layers) or 'nothing'}); run in a container or virtual machine "
                "that may be lost, and pass --unsafe"
            )


def confined_layers() -> tuple[Layer, ...]:
    """Return what confines code on this machine; empty where the sandbox refuses to run."""
    try:
        with Sandbox({}) as sandbox:
            return sandbox.layers if enough(sandbox.layers) else ()
    except SandboxError:
        return ()
