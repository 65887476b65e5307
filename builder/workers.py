"""Work spread over processes, here or on a cluster, in order, with progress."""

import importlib
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from typing import Any, Literal, Protocol, TypeVar, get_args

import eval_tasks.parent
from builder.errors import BuildError
from builder.ray_address import cluster_address

Work = TypeVar("Work")
Done = TypeVar("Done")
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""
EngineName = Literal["local", "ray"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)
RETRIES = 2
"""Times that a job is computed again after its worker was lost."""
AHEAD = 2
"""Jobs under way for each worker: one is computed, the next waits or its result does."""

_RAY_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_task_oom_retries": str(RETRIES),
}
_RAY_ON_LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""Without a cluster Ray then takes 127.0.0.1 for this machine's address, as it does on macOS."""
_RAY_ELSEWHERE = {"RAY_gcs_server_port_wait_time_s": "1", "RAY_py_gcs_connect_timeout_s": "5"}
"""Of a cluster Ray then asks once and for seconds, not twenty times and for minutes."""

_LEFT_TO_THE_PARENT = (signal.SIGINT, signal.SIGHUP)
"""Signals that a terminal sends to the workers too; the parent answers them and ends the workers."""


class Engine(Protocol):
    """Where jobs are computed. A job whose worker is lost is computed again, `RETRIES` times."""

    def submit(self, function: Callable[[Any], Any], job: Any) -> Any:
        """Begin with a job and return a ticket for its result."""

    def result(self, ticket: Any) -> Any:
        """Wait for what the function made of a job.

        Raises:
            BuildError: Its worker was lost once too often.
        """

    def end(self, *, at_once: bool) -> None:
        """Let the workers go; at once where the work is given up."""


def each(
    function: Callable[[Work], Done],
    jobs: Sequence[Work],
    workers: int,
    what: str,
    progress: Progress,
    engine: EngineName = "local",
) -> Iterator[Done]:
    """Yield what the function makes of each job, in the order of the jobs.

    Few jobs are under way at a time, so that results cannot pile up. Workers on this machine end with
    this process, however it ends, and at once where the work is given up.

    Args:
        function: Importable by name, where there are several workers.
        jobs: What it is called with, one after the other.
        workers: Jobs at a time; with 1 the engine `local` computes everything in this process.
        what: Names the work to `progress`.
        progress: Told how far it is.
        engine: Where the jobs are computed.

    Raises:
        BuildError: A worker was lost again and again, or the engine is not installed.
    """
    progress(what, 0, len(jobs))
    results = (
        map(function, jobs)
        if workers == 1 and engine == "local"
        else _spread(_engine(engine, workers, what), function, jobs, workers)
    )
    for place, done in enumerate(results):
        yield done
        progress(what, place + 1, len(jobs))


def _engine(name: EngineName, workers: int, what: str) -> Engine:
    if name == "local":
        return _Processes(workers, what)
    placed = _RAY_ELSEWHERE if cluster_address() else _RAY_ON_LOOPBACK
    for variable, value in (_RAY_SETTINGS | placed).items():
        os.environ.setdefault(variable, value)
    try:
        module = importlib.import_module("builder.ray_engine")
    except ModuleNotFoundError as error:
        raise BuildError(
            f"the engine ray needs the extra scale ({error}); install it with "
            "pip install -c constraints.txt -e '.[scale]'"
        ) from error
    found: Engine = module.RayEngine(workers, what)
    return found


def _spread(
    engine: Engine, function: Callable[[Work], Done], jobs: Sequence[Work], workers: int
) -> Iterator[Done]:
    under_way: deque[Any] = deque()
    try:
        for job in jobs:
            if len(under_way) == AHEAD * workers:
                yield engine.result(under_way.popleft())
            under_way.append(engine.submit(function, job))
        while under_way:
            yield engine.result(under_way.popleft())
    except BaseException:
        engine.end(at_once=True)
        raise
    engine.end(at_once=False)


@dataclass(slots=True, kw_only=True, eq=False)
class _Ticket:
    """A job given to a pool, and how often the worker that had it was lost."""

    function: Callable[[Any], Any]
    job: Any
    future: Future[Any] | None = None
    losses: int = 0

    @property
    def is_lost(self) -> bool:
        """Whether the pool broke before the job was done."""
        return self.future is None or isinstance(self.future.exception(), BrokenProcessPool)


class _Processes:
    """Processes of this machine; where one is killed, its pool is replaced."""

    def __init__(self, workers: int, what: str) -> None:
        self._workers, self._what = workers, what
        self._others = set(multiprocessing.active_children())
        self._under_way: list[_Ticket] = []
        with _held_back(_LEFT_TO_THE_PARENT):
            resource_tracker.ensure_running()  # which unblocks SIGINT on its own account
        self._pool = _new_pool(workers)

    def submit(self, function: Callable[[Any], Any], job: Any) -> _Ticket:
        ticket = _Ticket(function=function, job=job)
        self._under_way.append(ticket)
        try:
            self._start(ticket)
        except BrokenProcessPool:
            self._replace_pool()
        return ticket

    def result(self, ticket: _Ticket) -> Any:
        while ticket.is_lost:
            self._replace_pool()
        self._under_way.remove(ticket)
        return None if ticket.future is None else ticket.future.result()

    def end(self, *, at_once: bool) -> None:
        if at_once:
            for process in set(multiprocessing.active_children()) - self._others:
                process.kill()
        self._pool.shutdown()

    def _start(self, ticket: _Ticket) -> None:
        ticket.future = None
        with _held_back((*_LEFT_TO_THE_PARENT, signal.SIGTERM)):
            ticket.future = self._pool.submit(ticket.function, ticket.job)

    def _replace_pool(self) -> None:
        """Give what was lost with a pool to a new one.

        Raises:
            BuildError: A job was lost once too often.
        """
        lost = [ticket for ticket in self._under_way if ticket.is_lost]
        for ticket in lost:
            ticket.losses += 1
        if any(ticket.losses > RETRIES for ticket in lost):
            raise BuildError(
                f"{self._what}: a worker process was killed, {RETRIES + 1} times with the same job, "
                "perhaps for want of memory; free some, or use fewer --workers"
            )
        self._pool.shutdown()
        self._pool = _new_pool(self._workers)
        try:
            for ticket in lost:
                self._start(ticket)
        except BrokenProcessPool:
            self._replace_pool()


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

    Args:
        parent: Process id of the parent.
    """
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    eval_tasks.parent.end_with_parent(parent)
