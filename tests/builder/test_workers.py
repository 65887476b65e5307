"""Workers give results in order and end with the process that started them, however it ends."""

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from builder.errors import BuildError
from builder.workers import AHEAD, each

ROOT = Path(__file__).resolve().parent.parent.parent
SLEEPING = """
import time
from builder.console import one_line_errors
from builder.workers import each

if __name__ == "__main__":
    with one_line_errors():
        list(each(time.sleep, [300.0] * 9, 2, "sleeping", lambda *_: print("at work", flush=True)))
"""


def silent(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""


def die(number: int) -> int:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die_once(job: tuple[int, Path]) -> int:
    """Kill the worker that gets job 3 for the first time."""
    number, folder = job
    if number == 3 and not (folder / "dead").exists():
        (folder / "dead").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuse(number: int) -> float:
    if number == 0:
        raise BuildError("not this one")
    time.sleep(300)
    return 0.0


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_jobs(workers: int) -> None:
    told: list[int] = []
    done = each(abs, [-3, 2, -1], workers, "x", lambda _what, done, _total: told.append(done))
    assert list(done) == [3, 2, 1]
    assert told == [0, 1, 2, 3]


def test_no_jobs_need_no_worker() -> None:
    assert list(each(abs, [], 4, "x", silent)) == []


def test_a_job_that_kills_every_worker_is_given_up_in_one_line() -> None:
    with pytest.raises(
        BuildError, match=r"dying: a worker process was killed, 3 times.*memory.*--workers"
    ):
        list(each(die, [1, 2, 3], 2, "dying", silent))
    assert not multiprocessing.active_children()


def test_what_a_killed_worker_had_is_computed_again(tmp_path: Path) -> None:
    jobs = [(number, tmp_path) for number in range(9)]
    assert list(each(die_once, jobs, 2, "x", silent)) == list(range(9))
    assert (tmp_path / "dead").exists()


def test_workers_killed_while_results_wait_are_replaced() -> None:
    done = each(abs, list(range(20)), 2, "x", silent)
    found = []
    for number in done:
        found.append(number)
        if number in (0, 5, 11):
            for process in multiprocessing.active_children():
                process.kill()
                process.join()
    assert found == list(range(20))


def test_few_jobs_are_under_way() -> None:
    started: list[int] = []

    class Jobs(list[int]):
        def __iter__(self) -> Iterator[int]:
            for number in super().__iter__():
                started.append(number)
                yield number

    done = each(abs, Jobs(range(50)), 2, "x", silent)
    next(done)
    assert len(started) <= 2 * AHEAD + 1
    done.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()


def test_a_missing_engine_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "builder.ray_engine", raising=False)
    with pytest.raises(BuildError, match=r"extra scale.*pip install"):
        list(each(abs, [1], 1, "x", silent, "ray"))


ON_RAY = """
import sys
from pathlib import Path
from builder.errors import BuildError
from builder.workers import each
from tests.builder.test_workers import die, die_once, refuse, silent

if __name__ == "__main__":
    jobs = [(number, Path(sys.argv[1])) for number in range(9)]
    print(list(each(die_once, jobs, 2, "x", silent, "ray")) == list(range(9)))
    for function, what in ((die, "dying"), (refuse, "refusing")):
        try:
            list(each(function, [0, 1, 2], 2, what, silent, "ray"))
        except BuildError as error:
            print(error)
    import ray
    print({node["NodeManagerAddress"] for node in ray.nodes()})
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("ray") is None, reason="the extra scale (Ray) is not installed")
def test_ray_computes_again_what_a_killed_worker_had_and_gives_up_in_one_line(
    tmp_path: Path,
) -> None:
    program = tmp_path / "on_ray.py"
    program.write_text(ON_RAY)
    done = subprocess.run(
        [sys.executable, str(program), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stdout.splitlines() if "raylet" not in line]
    assert (tmp_path / "dead").exists()
    assert told[0] == "True"
    assert re.match(r"dying: a worker process was killed, 3 times.*memory.*--workers", told[1])
    assert told[2:] == ["not this one", "{'127.0.0.1'}"]


def test_an_error_does_not_wait_for_the_other_jobs() -> None:
    start = time.monotonic()
    with pytest.raises(BuildError, match="not this one"):
        list(each(refuse, [0, 1, 2], 2, "x", silent))
    assert time.monotonic() - start < 60


def of_session(session: int) -> Iterator[int]:
    """Yield the processes of a session that have not ended, its leader left out."""
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == session:
            continue
        try:
            state, _parent, _group, of = (
                (folder / "stat").read_text().rpartition(")")[2].split()[:4]
            )
        except OSError:
            continue
        if int(of) == session and state != "Z":
            yield int(folder.name)


def wait_for(number: int, session: int, seconds: float = 30) -> int:
    """Wait until a session has so many processes (0: at most), and return how many there are."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = len(list(of_session(session)))
        if found >= number > 0 or found == number == 0:
            return found
        time.sleep(0.02)
    return len(list(of_session(session)))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="lists processes as Linux does")
@pytest.mark.parametrize("at_work", [False, True], ids=["starting", "at work"])
@pytest.mark.parametrize("to_all", [False, True], ids=["to the parent", "to the terminal's group"])
@pytest.mark.parametrize(
    ("number", "status", "line"),
    [
        (signal.SIGKILL, -9, None),
        (signal.SIGTERM, 143, "error: ended by SIGTERM\n"),
        (signal.SIGHUP, 129, "error: ended by SIGHUP\n"),
        (signal.SIGINT, 130, "error: interrupted\n"),
    ],
)
def test_no_process_outlives_its_parent(
    number: signal.Signals,
    status: int,
    line: str | None,
    to_all: bool,
    at_work: bool,
    tmp_path: Path,
) -> None:
    program = tmp_path / "sleeping.py"
    program.write_text(SLEEPING)
    running = subprocess.Popen(
        [sys.executable, str(program)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert wait_for(3, running.pid) == 3  # two workers and the resource tracker
    if at_work:
        time.sleep(0.5)
    if to_all and number is not signal.SIGKILL:
        os.killpg(running.pid, number)
    else:
        running.send_signal(number)
    _, told = running.communicate(timeout=30)
    assert running.returncode == status
    assert wait_for(0, running.pid) == 0
    if number is not signal.SIGKILL:  # which leaves nobody to speak but the resource tracker
        assert told == line
