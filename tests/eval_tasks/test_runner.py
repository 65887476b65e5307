import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

import eval_tasks.runner
from eval_tasks.errors import EvaluationError, ReleaseError, UnknownNameError
from eval_tasks.release import Release, find_release
from eval_tasks.runner import run_reference_model
from eval_tasks.summary import ScoredRow, flat, summarise
from tests.eval_tasks.tiny_release import write_release


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return find_release(str(write_release(tmp_path / "release")))


def pretend(monkeypatch: pytest.MonkeyPatch, output: Path, scored: int | None) -> list[str]:
    """Let lighteval have written the results of that many longevity rows, or none at all."""
    given: list[str] = []

    def run(arguments: Sequence[str], *_: object) -> str:
        given.extend(arguments)
        row = ScoredRow(
            task_id="longevity",
            task_type="longevity",
            level="",
            cluster="item",
            floor=0.5,
            value=1,
            strict=True,
            status="ok",
        )
        if scored is not None:
            output.mkdir(exist_ok=True)
            values = {"healthloopqa:longevity|0": flat(summarise([row] * scored))}
            (output / "results_1.json").write_text(
                json.dumps({"results": values}), encoding="utf-8"
            )
        return "the log's last line"

    monkeypatch.setattr(eval_tasks.runner, "_run", run)
    return given


def test_reports_are_read_from_lightevals_results(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = pretend(monkeypatch, tmp_path / "out", 3)
    run = run_reference_model(release, "every-6-hours", ["longevity"], "test", tmp_path / "out")
    assert run.reports["longevity"]["score"] == 1
    assert run.results_file == tmp_path / "out" / "results_1.json"
    assert arguments[:2] == ["custom", "every-6-hours"]
    assert arguments[3] == "healthloopqa:longevity|0"


def test_another_number_of_rows_than_listed_is_refused(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, tmp_path / "out", 4)
    with pytest.raises(EvaluationError, match="4 rows were scored, but there are 3 to ask"):
        run_reference_model(release, "gold", ["longevity"], "test", tmp_path / "out")


def test_missing_results_are_refused_with_the_log(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, tmp_path / "out", None)
    with pytest.raises(EvaluationError, match="the log's last line"):
        run_reference_model(release, "gold", ["longevity"], "test", tmp_path / "out")


def test_changed_rows_and_a_missing_extra_are_refused_before_anything_runs(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run() -> None:
        run_reference_model(release, "gold", ["longevity"], "test", tmp_path / "out")

    (Path(release.repo) / release.parts["longevity"]["test"].files[0]).unlink()
    with pytest.raises(ReleaseError, match=r"longevity/test: .*\.parquet is missing; download"):
        run()
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(EvaluationError, match="lighteval is not installed; install the extra eval"):
        run()


def test_an_unknown_model_is_refused_before_anything_runs(release: Release, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError):
        run_reference_model(release, "gpt", ["longevity"], "test", tmp_path / "out")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT])
def test_the_child_ends_with_its_parent_however_that_ends(tmp_path: Path, number: int) -> None:
    """A run that outlives its command would go on paying for answers."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, subprocess, sys\n"
        "from eval_tasks.parent import PARENT_VARIABLE\n"
        "code = 'import time; from eval_tasks.parent import *; end_with_named_parent(); '\n"
        "code += 'print(PARENT_VARIABLE in __import__(\"os\").environ, flush=True); time.sleep(60)'\n"
        "environment = {**os.environ, PARENT_VARIABLE: str(os.getpid())}\n"
        "child = subprocess.Popen([sys.executable, '-c', code], env=environment,\n"
        "                         start_new_session=True, stdout=subprocess.PIPE, text=True)\n"
        "print(child.pid, child.stdout.readline(), flush=True)\n"
        "child.wait()\n",
        encoding="utf-8",
    )
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        child, named = (parent.stdout or io.StringIO()).readline().split()
        assert named == "False"
        parent.send_signal(number)
        parent.wait()
    for _ in range(100):
        if not is_running(int(child)):
            return
        time.sleep(0.05)
    os.kill(int(child), signal.SIGKILL)
    pytest.fail("the child outlived its parent")


def is_running(process: int) -> bool:
    """Whether a process runs; one that waits to be collected has ended."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_progress_is_taken_out_of_the_log() -> None:
    told: list[tuple[str, int, int]] = []
    line = eval_tasks.runner.PROGRESS_LINE.format(task="healthloopqa:simulated", done=3, total=9)
    log = eval_tasks.runner._without_progress(
        ["one\n", f"{line}\n", "two\n"], lambda *done: told.append(done)
    )
    assert list(log) == ["one\n", "two\n"]
    assert told == [("healthloopqa:simulated", 3, 9)]


def test_an_output_folder_that_cannot_be_made_is_told_in_one_line(
    release: Release, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(EvaluationError, match=r"cannot make the folder .*out .*give another"):
        run_reference_model(release, "gold", ["longevity"], "test", tmp_path / "file" / "out")
