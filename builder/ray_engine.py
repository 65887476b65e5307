"""Ray as an engine of `builder.workers`: on this machine, or on the cluster that RAY_ADDRESS names.

Ray starts with the first job and stays until the process ends. On this machine it listens on
loopback only; it reports no usage and starts no dashboard. Nodes of a cluster need the same checkout
and environment. What Ray reads at its import is set by `builder.workers`.
"""

import logging
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import ray
from ray.exceptions import AuthenticationError, RayError, RayTaskError

from builder.errors import BuildError
from builder.ray_address import check_answers, cluster_address, unreachable
from builder.workers import RETRIES

_STORE_PER_WORKER = 256 * 2**20
"""Bytes of shared memory for results on their way, of which a patient takes some 15 million."""
_LONGEST_REASON = 200


@ray.remote(num_cpus=1, max_retries=RETRIES)
def _computed(function: Callable[[Any], Any], job: Any) -> Any:
    return function(job)


class RayEngine:
    """Tasks on Ray; a lost worker's task is given to another by Ray itself."""

    def __init__(self, workers: int, what: str) -> None:
        self._what = what
        self._under_way: set[Any] = set()
        if not ray.is_initialized():
            _start(workers)

    def submit(self, function: Callable[[Any], Any], job: Any) -> Any:
        """Begin with a job and return a reference to its result."""
        ticket = _computed.remote(function, job)
        self._under_way.add(ticket)
        return ticket

    def result(self, ticket: Any) -> Any:
        """Wait for what the function made of a job.

        Raises:
            BuildError: Its worker was lost once too often, or the cluster was.
        """
        try:
            return ray.get(ticket)
        except RayTaskError as error:
            raise error.cause from None
        except RayError as error:
            reason = str(error).strip().splitlines()[0]
            raise BuildError(
                f"{self._what}: a worker process was killed, {RETRIES + 1} times with the same job "
                f"({reason}); free some memory, or use fewer --workers"
            ) from error
        finally:
            self._under_way.discard(ticket)

    def end(self, *, at_once: bool) -> None:
        """Let the workers go; at once where the work is given up."""
        if at_once and ray.is_initialized():
            for ticket in self._under_way:
                ray.cancel(ticket, force=True)
        self._under_way.clear()


def _start(workers: int) -> None:
    """Connect to a cluster or start Ray here, and leave SIGTERM to whoever answered it before.

    Raises:
        BuildError: There is no such cluster, or Ray cannot start.
    """
    answers = signal.getsignal(signal.SIGTERM)
    address = cluster_address()
    try:
        if address:
            _join(address)
        else:
            _start_here(workers)
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, answers)


def _join(address: str) -> None:
    check_answers(address)
    try:
        ray.init(log_to_driver=False, logging_level=logging.ERROR)
    except AuthenticationError as error:
        raise unreachable(address, f"{error.message}: see RAY_AUTH_MODE") from error
    except (ConnectionError, RuntimeError, ValueError) as error:
        reason = (
            f"{_one_line(error)}: it needs the same versions of Ray and Python, and the token where "
            "it asks for one"
        )
        raise unreachable(address, reason) from error


def _start_here(workers: int) -> None:
    try:
        ray.init(
            address="local",
            num_cpus=workers,
            object_store_memory=_STORE_PER_WORKER * (workers + 1),
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    except Exception as error:  # Ray raises no kind of its own where its processes do not come up
        raise BuildError(
            f"Ray cannot start on this machine ({_one_line(error)}); {_remedy(error)}, or use the "
            "engine local"
        ) from error


def _remedy(error: Exception) -> str:
    """Return what may help where Ray has not started, as far as its message tells."""
    reason = str(error)
    if "AF_UNIX" in reason:
        return "set RAY_TMPDIR to a folder with a short path, for it keeps its sockets below it"
    if isinstance(error, OSError):
        return "where it cannot keep its token, set RAY_AUTH_TOKEN_PATH"
    if "timed out" in reason or "GCS" in reason:
        return (
            "the machine is overloaded, or a process of Ray was ended: wait, free memory, use fewer "
            "--workers"
        )
    folder = os.environ.get("RAY_TMPDIR") or os.environ.get("TMPDIR") or "/tmp"
    return f"see its logs in {folder}/ray/session_latest/logs"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:_LONGEST_REASON]
