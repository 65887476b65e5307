"""Ends a process as soon as the one that started it has ended, however that came about.

A run that goes on without the command that started it goes on paying for answers.
"""

import ctypes
import os
import signal
import sys
import threading
import time

PARENT_VARIABLE = "HEALTHLOOPQA_PARENT"
"""Environment variable that names, to `eval_tasks.offline`, the process to end with."""
_PR_SET_PDEATHSIG = 1
"""Option of prctl(2) on Linux: the signal that a process gets when its parent dies."""
_CHECKED_EVERY_S = 0.5


def end_with_named_parent() -> None:
    """End this process with the one that `PARENT_VARIABLE` names, if it names one.

    The name is taken out of the environment: it is not the parent of this process's own children.
    """
    named = os.environ.pop(PARENT_VARIABLE, "")
    if named.isdecimal():
        end_with_parent(int(named))


def end_with_parent(parent: int) -> None:
    """Make this process end as soon as its parent does, even where that is killed.

    On Linux the kernel sees to it; elsewhere, and should the parent have died before, a thread.

    Args:
        parent: Process id of the parent.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_exit_after, args=(parent,), daemon=True).start()


def _exit_after(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_CHECKED_EVERY_S)
    os._exit(1)
