"""Work spread over processes, in order, with progress."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Work = TypeVar("Work")
Done = TypeVar("Done")
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""


def each(
    function: Callable[[Work], Done],
    jobs: Sequence[Work],
    workers: int,
    what: str,
    progress: Progress,
) -> Iterator[Done]:
    """Yield what the function makes of each job, in the order of the jobs.

    Args:
        function: Importable by name, where there are several workers.
        jobs: What it is called with, one after the other.
        workers: Processes; with 1 everything happens in this one.
        what: Names the work to `progress`.
        progress: Told how far it is.
    """
    progress(what, 0, len(jobs))
    if workers == 1:
        for place, job in enumerate(jobs):
            yield function(job)
            progress(what, place + 1, len(jobs))
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for place, done in enumerate(pool.map(function, jobs)):
            yield done
            progress(what, place + 1, len(jobs))
