"""What a row may still cost."""

import time
from collections.abc import Sequence

from agents.trace import RunStatus
from endpoints.chat import Message, Reply

_CHARACTERS_PER_TOKEN = 4


class BudgetError(Exception):
    """A row has used up its time or its tokens."""

    def __init__(self, status: RunStatus, reason: str) -> None:
        super().__init__(reason)
        self.status: RunStatus = status


class Budget:
    """Counts the calls, tokens and seconds of one row."""

    def __init__(self, seconds: float, tokens: int) -> None:
        self._start = time.monotonic()
        self._seconds = seconds
        self._tokens = tokens
        self.calls = 0
        self.input_tokens = 0
        self.output_tokens = 0
        self.estimated = False

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    @property
    def seconds_left(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._seconds - self.seconds)

    def check(self) -> None:
        """Raise if nothing is left.

        Raises:
            BudgetError: Time or tokens are used up.
        """
        if not self.seconds_left:
            raise BudgetError("time", f"the {self._seconds:g} s of a row are used up")
        if self.input_tokens + self.output_tokens >= self._tokens:
            raise BudgetError("tokens", f"the {self._tokens} tokens of a row are used up")

    def count(self, messages: Sequence[Message], reply: Reply) -> tuple[int, int]:
        """Count a reply, and return the tokens read and written for it."""
        self.calls += 1
        read, written = reply.input_tokens, reply.output_tokens
        if not read:
            self.estimated = True
            read = sum(len(m.content) for m in messages) // _CHARACTERS_PER_TOKEN
            written = written or len(reply.text) // _CHARACTERS_PER_TOKEN
        self.input_tokens += read
        self.output_tokens += written
        return read, written
