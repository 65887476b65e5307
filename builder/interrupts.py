"""Ctrl-C, termination and hang-up end a script with one line. Imports nothing that takes long."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_ENDING = (signal.SIGTERM, signal.SIGHUP)
INTERRUPTED = 128 + signal.SIGINT
"""Exit status after Ctrl-C, as shells give it."""


class SignalledError(KeyboardInterrupt):
    """A signal asks the process to end.

    Attributes:
        number: Which.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(signal.Signals(number).name)


def one_line_on_ctrl_c() -> None:
    """Make Ctrl-C end the process with one line and status 130, from now on.

    For the imports at the start of a script; they leave nothing to clean up.
    """
    signal.signal(signal.SIGINT, _end_at_once)


@contextmanager
def ending_raises() -> Iterator[None]:
    """Raise where Ctrl-C, SIGTERM or SIGHUP arrives inside the block, so that it can clean up.

    A signal that was ignored from the start, as `nohup` arranges it, stays ignored. Outside the
    main thread this does nothing, because signals never arrive there.

    Raises:
        KeyboardInterrupt: Ctrl-C.
        SignalledError: One of the others.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {signal.SIGINT: signal.default_int_handler, **dict.fromkeys(_ENDING, _raise)}
    former = {
        number: signal.signal(number, handler)
        for number, handler in handlers.items()
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _end_at_once(_number: int, _frame: FrameType | None) -> None:
    sys.stderr.write("error: interrupted\n")
    sys.stderr.flush()
    os._exit(INTERRUPTED)


def _raise(number: int, _frame: FrameType | None) -> None:
    raise SignalledError(number)
