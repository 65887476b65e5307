"""Work spread over processes, in order, with progress."""

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TypeVar

from builder.errors import BuildError

Work = TypeVar("Work")
Done = TypeVar("Done")
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""

_PR_SET_PDEATHSIG = 1
"""Option of prctl(2) on Linux: the signal that a process gets when its parent dies."""
_LEFT_TO_THE_PARENT = (signal.SIGINT, signal.SIGHUP)
"""Signals that a terminal sends to the workers too; the parent answers them and ends the workers."""


def each(
    function: Callable[[Work], Done],
    jobs: Sequence[Work],
    workers: int,
    what: str,
    progress: Progress,
) -> Iterator[Done]:
    """Yield what the function makes of each job, in the order of the jobs.

    Workers end with this process, however it ends, and at once where the work is given up.

    Args:
        function: Importable by name, where there are several workers.
        jobs: What it is called with, one after the other.
        workers: Processes; with 1 everything happens in this one.
        what: Names the work to `progress`.
        progress: Told how far it is.

    Raises:
        BuildError: A worker was killed.
    """
    progress(what, 0, len(jobs))
    results = map(function, jobs) if workers == 1 else _spread(function, jobs, workers, what)
    for place, done in enumerate(results):
        yield done
        progress(what, place + 1, len(jobs))


def _spread(
    function: Callable[[Work], Done], jobs: Sequence[Work], workers: int, what: str
) -> Iterator[Done]:
    others = set(multiprocessing.active_children())
    with _held_back(_LEFT_TO_THE_PARENT):
        resource_tracker.ensure_running()  # which unblocks SIGINT on its own account
    pool = _new_pool(min(workers, max(1, len(jobs))))
    try:
        with _held_back((*_LEFT_TO_THE_PARENT, signal.SIGTERM)):
            futures = deque(pool.submit(function, job) for job in jobs)
        while futures:
            yield futures.popleft().result()
    except BrokenProcessPool as error:
        raise BuildError(
            f"{what}: a worker process was killed, perhaps for want of memory; free some, or "
            "use fewer --workers"
        ) from error
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.kill()
        raise
    finally:
        pool.shutdown()


def _new_pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=end_with_parent,
        initargs=(os.getpid(),),
    )


@contextmanager
def _held_back(signals: Sequence[signal.Signals]) -> Iterator[None]:
    """Keep signals from this thread until the block ends; processes started in it block them too.

    A worker whose parent ends before it has been told what to do complains with a traceback.
    """
    former = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, former)


def end_with_parent(parent: int) -> None:
    """Make a worker end as soon as its parent does, even where that is killed.

    On Linux the kernel sees to it; elsewhere, and should the parent have died before, a thread.

    Args:
        parent: Process id of the parent.
    """
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=_exit_after_parent, daemon=True).start()


def _exit_after_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
