"""Every reply that an endpoint gave, on disk as it comes. Nothing is ever taken out of it.

What was paid for must survive whatever is asked next: fewer rows, other settings, a rebuilt release,
a kill at any moment. So the store is a file that is only appended to, a line for each reply, keyed by
a hash of the whole request. The answers of one run, in the order of its rows, stand in a file of
their own, which is replaced at one stroke.
"""

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from eval_tasks.answers import Reply, parsed
from eval_tasks.errors import AnswersError

_CUT_OFF = "EOF while parsing"
"""What pydantic says of JSON that ends too early."""


@dataclass(slots=True, kw_only=True)
class AnswerStore:
    """A file of replies that only grows.

    Attributes:
        path: The file; it and its folder need not exist.
        replies: Replies by request hash: the last one, but a success is never followed by an error.
    """

    path: Path
    replies: dict[str, Reply] = field(default_factory=dict)
    _unfinished: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, path: Path) -> "AnswerStore":
        """Return the store in a file. Lines that an interruption cut off are passed over.

        Raises:
            AnswersError: The file cannot be read, or another line is no answer.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        except OSError as error:
            raise AnswersError(f"cannot use {path} as a store of answers ({error})") from error
        store = cls(path=path, _unfinished=bool(text) and not text.endswith("\n"))
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip() and not _is_cut_off(line):
                store._take(parsed(line, f"{path}:{number}"))
        return store

    def add(self, reply: Reply) -> None:
        """Keep a reply, in memory and on disk.

        Raises:
            AnswersError: It cannot be written.
        """
        line = f"{reply.model_dump_json()}\n".encode()
        with self._lock:
            self._take(reply)
            try:
                with self.path.open("ab", buffering=0) as file:
                    written = file.write(b"\n" + line if self._unfinished else line)
            except OSError as error:
                self._unfinished = True
                raise AnswersError(
                    f"cannot write to {self.path} ({error.strerror}); what was answered before is kept"
                ) from error
            self._unfinished = written < len(line)
        if self._unfinished:
            raise AnswersError(f"cannot write to {self.path}: there is no space left; free some")

    def _take(self, reply: Reply) -> None:
        if reply.status != "error" or reply.request not in self.replies:
            self.replies[reply.request] = reply


def store_of(path: Path) -> Path:
    """Return where the store behind a file of answers is."""
    return path.parent / "kept" / path.name


def write_replies(path: Path, replies: Sequence[Reply]) -> None:
    """Make a file hold these replies and nothing else, at one stroke.

    Raises:
        AnswersError: It cannot be written.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(b"".join(f"{r.model_dump_json()}\n".encode() for r in replies))
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise AnswersError(
            f"cannot write {path} ({error.strerror}); the answers are kept in {store_of(path)}"
        ) from error


def _is_cut_off(line: str) -> bool:
    try:
        Reply.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        return first["type"] == "json_invalid" and _CUT_OFF in first["msg"]
    return False
