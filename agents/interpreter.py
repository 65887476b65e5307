"""The Python interpreter inside the sandbox: loads what it needs, gives up all else, runs code.

`agents.sandbox` starts it as a process of its own. It takes a folder, limits and tables first, then
one snippet after another; names live on from snippet to snippet. What it reports of itself (output,
errors, attempts) helps to read a run; nothing that keeps code inside rests on it.
"""

import ast
import importlib
import json
import os
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import CodeType, TracebackType
from typing import Any, BinaryIO

from agents.confinement import (
    Layer,
    deny_files,
    enough,
    enter_namespaces,
    filter_system_calls,
    give_up_privileges,
    leave_files,
    limit_resources,
)
from agents.frames import frame, read_frame

IMPORTABLE = (
    *("bisect", "calendar", "collections", "copy", "dataclasses", "datetime", "decimal", "enum"),
    *("fractions", "functools", "heapq", "itertools", "json", "math", "numbers", "operator"),
    *("pprint", "queue", "random", "re", "stat", "statistics", "string", "textwrap", "time"),
    *("typing", "unicodedata"),
    *("numpy", "pandas"),
)
"""Modules that snippets can import; no file can be opened to load another."""
SNIPPET = "<snippet>"
_READ_BY_PYTHON = frozenset({SNIPPET, "/sys/fs/cgroup/cpu.max"})
"""What Python looks for by itself: the source of an error's line, the number of processors."""
MOST_ATTEMPTS = 20
"""Attempts to reach outside that are noted for one snippet."""
LONGEST_ATTEMPT = 200
"""Characters that are noted of an attempt."""
LONGEST_ERROR = 2000
"""Characters that are told of an error, its line included."""
_LEFT_OUT = ("pyarrow", "scipy", "numexpr", "numba", "bottleneck", "matplotlib", "jinja2")
"""What pandas would use where it is installed; without it, results are the same on any machine."""
_WALKED = ("pandas.core", "pandas.io.formats", "pandas.tseries")
_WATCHED = ("open", "import", "os.", "socket.", "subprocess.", "ctypes.dl", "shutil.", "pty.")


class FinalAnswer(BaseException):
    """Raised by `final_answer`, with the answer; ends the snippet."""

    def __init__(self, answer: object) -> None:
        super().__init__("final answer")
        self.answer = answer


class OutputLimitError(BaseException):
    """A snippet prints more than it may."""


class Printed:
    """Takes what a snippet prints, up to a limit."""

    def __init__(self, limit: int) -> None:
        self._left = limit
        self._parts: list[str] = []

    def write(self, text: str) -> int:
        """Keep a text.

        Raises:
            OutputLimitError: There is more than the limit.
        """
        self._parts.append(text[: self._left])
        self._left -= len(text)
        if self._left < 0:
            self._left = 0
            raise OutputLimitError("the limit on output is reached; print less")
        return len(text)

    def flush(self) -> None:
        """There is nothing to flush."""

    def text(self) -> str:
        """Return what was kept."""
        return "".join(self._parts)


class Attempts:
    """Notes what a snippet tries to reach, by Python's own audit events."""

    def __init__(self) -> None:
        self.noted: list[str] = []
        self._watching = False

    def hook(self, event: str, details: tuple[object, ...]) -> None:
        """Note an event; the signature is that of `sys.addaudithook`."""
        if self._watching and event.startswith(_WATCHED) and len(self.noted) < MOST_ATTEMPTS:
            self._watching = False
            what = str(details[0]) if details else ""
            if what not in _READ_BY_PYTHON:
                noted = f"{event} {what}".strip()[:LONGEST_ATTEMPT]
                self.noted.append(_encodable(noted))
            self._watching = True

    def __enter__(self) -> "Attempts":
        self.noted = []
        self._watching = True
        return self

    def __exit__(self, *_: object) -> None:
        self._watching = False


class Outcome:
    """Catches however a snippet ends."""

    def __init__(self) -> None:
        self.error: str | None = None
        self.kind = "ok"
        self.final: list[object] = []

    def __enter__(self) -> "Outcome":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if kind is None:
            return True
        if isinstance(error, FinalAnswer):
            self.final = [error.answer]
            return True
        self.kind = _kind_of(error)
        where = _where(trace)
        told = f"{kind.__name__}: {_shown(error, str)}"
        self.error = f"{told[: LONGEST_ERROR - len(where)]}{where}"
        return True


def _kind_of(error: BaseException | None) -> str:
    if isinstance(error, MemoryError):
        return "memory"
    return "output" if isinstance(error, OutputLimitError) else "error"


def _where(trace: TracebackType | None) -> str:
    """Return the line of the snippet that an error comes from."""
    lines = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == SNIPPET:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return f" (line {lines[-1]})" if lines else ""


def main() -> None:
    """Serve snippets until standard input ends."""
    source, sink = _own_pipes()
    request = read_frame(source)
    layers: list[Layer] = []
    with Outcome() as start:
        layers = _confined(request)
    if start.error is not None or not (enough(layers) or request["unsafe"]):
        _send(sink, {"layers": layers, "refused": True, "why": start.error or ""})
        return
    attempts = Attempts()
    sys.addaudithook(attempts.hook)
    names = _names(request["tables"])
    _send(sink, {"layers": layers, "refused": False, "why": ""})
    while (snippet := read_frame(source)) is not None:
        _send(sink, _run(snippet["code"], names, attempts, request["output_characters"]))


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take standard input and output for messages; what code writes to them is dropped."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    os.close(nothing)
    return os.fdopen(source, "rb"), os.fdopen(sink, "wb")


def _confined(request: Mapping[str, Any]) -> list[Layer]:
    """Give up everything that is asked for and possible; return the layers that hold."""
    wanted = request["layers"]
    layers: list[Layer] = []
    inside = "namespaces" in wanted and enter_namespaces()
    _load()
    limit_resources(request["memory_bytes"])
    if inside and leave_files(request["folder"]):
        layers.append("namespaces")
    sys.path.clear()
    sys.path_importer_cache.clear()
    os.environ.clear()
    sys.argv.clear()
    give_up_privileges()
    if "landlock" in wanted and deny_files():
        layers.append("landlock")
    if "seccomp" in wanted and filter_system_calls():
        layers.append("seccomp")
    return layers


def _load() -> None:
    """Import all that snippets may import, and what those would import later on."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    vars(sys)["modules"].update(dict.fromkeys(_LEFT_OUT))
    for name in IMPORTABLE:
        importlib.import_module(name)
    for package in _WALKED:
        for name in _modules_of(package):
            with suppress(ImportError):
                importlib.import_module(name)


def _modules_of(package: str) -> Iterator[str]:
    folder = importlib.import_module(package)
    for found in pkgutil.walk_packages(folder.__path__, f"{package}."):
        if not found.name.rpartition(".")[2].startswith(("_numba", "style")):
            yield found.name


def _names(tables: Mapping[str, Mapping[str, list[Any]]]) -> dict[str, Any]:
    pandas = importlib.import_module("pandas")
    numpy = importlib.import_module("numpy")
    frames = {name: pandas.DataFrame(dict(columns)) for name, columns in tables.items()}
    for table in frames.values():
        table.groupby(list(table.columns)[:1]).size().to_string()
    return {
        "__name__": "__main__",
        "pd": pandas,
        "np": numpy,
        "final_answer": _final_answer,
        **frames,
    }


def _final_answer(answer: object) -> None:
    raise FinalAnswer(answer)


def _run(code: str, names: dict[str, Any], attempts: Attempts, limit: int) -> dict[str, object]:
    printed = Printed(limit)
    outcome = Outcome()
    values: list[object] = []
    sys.stdout = sys.stderr = printed
    with attempts, outcome:
        for part in _parts(code):
            values[:] = [eval(part, names)]
    shown, final = "", []
    with Outcome() as rendering:
        shown = _shown(values[0], repr) if values and values[0] is not None else ""
        final = [_answer(answer, limit) for answer in outcome.final]
    return {
        "status": rendering.kind if outcome.kind == "ok" else outcome.kind,
        "error": _encodable(outcome.error or rendering.error or ""),
        "logs": _encodable(printed.text()),
        "output": _encodable(_within(shown, limit)),
        "final": final,
        "attempts": attempts.noted,
    }


def _parts(code: str) -> list[CodeType]:
    """Return a snippet compiled: its statements, and its last expression apart."""
    tree = ast.parse(code, SNIPPET)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    parts = [compile(tree, SNIPPET, "exec")]
    if isinstance(last, ast.Expr):
        parts.append(compile(ast.Expression(last.value), SNIPPET, "eval"))
    return parts


def _shown(value: object, render: type[str] | Any) -> str:
    """Return a value as text, whatever its own code does."""
    text = ""
    with Outcome() as outcome:
        text = str(render(value))
    return text if outcome.error is None else f"<cannot be shown: {outcome.error}>"


def _within(text: str, limit: int) -> str:
    """Return a text, cut with a mark that says so where it is longer than a limit."""
    if len(text) <= limit:
        return text
    mark = f"\n[cut: {len(text)} characters, more than the limit of {limit}; show less]"
    return f"{text[: max(0, limit - len(mark))]}{mark}"[:limit]


def _encodable(text: str) -> str:
    """Return a text with lone surrogates, which no message can hold, replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _answer(value: object, limit: int) -> object:
    """Return an answer as JSON holds it.

    Raises:
        OutputLimitError: It is longer than what a snippet may print.
    """
    answer = _plain(value)
    size = 0
    for part in json.JSONEncoder().iterencode(answer):
        size += len(part)
        if size > limit:
            raise OutputLimitError("the answer is longer than what may be printed; shorten it")
    return answer


def _plain(value: object, depth: int = 0) -> object:
    """Return a value as JSON holds it; what JSON cannot hold as its text."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, str):
        return _encodable(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if depth > 20:
        return "..."
    if isinstance(value, Mapping):
        return {str(key): _plain(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(entry, depth + 1) for entry in value]
    return _shown(value, str)


def _send(sink: BinaryIO, message: object) -> None:
    sink.write(frame(message))
    sink.flush()


if __name__ == "__main__":
    main()
