"""Signals: one line, a status that tells, no traceback, wherever in a script they arrive."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from builder.console import one_line_errors
from builder.interrupts import SignalledError, ending_raises

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "scripts"
NAMES = sorted(p.name for p in SCRIPTS.glob("*.py") if "one_line_errors" in p.read_text())


@pytest.mark.parametrize("name", NAMES)
def test_ctrl_c_during_the_imports_of_a_script(name: str, tmp_path: Path) -> None:
    """The first module of others that a script imports stands for all: it presses Ctrl-C."""
    (tmp_path / "typer.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"
    )
    done = subprocess.run(
        [sys.executable, str(SCRIPTS / name), "--help"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{SCRIPTS.parent}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "error: interrupted\n")


@pytest.mark.parametrize(
    ("number", "status", "line"),
    [
        (signal.SIGINT, 130, "error: interrupted\n"),
        (signal.SIGTERM, 143, "error: ended by SIGTERM\n"),
        (signal.SIGHUP, 129, "error: ended by SIGHUP\n"),
    ],
)
def test_a_signal_in_a_run_cleans_up_and_says_so(
    number: signal.Signals, status: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    handlers = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    cleaned = []

    def run() -> None:
        with one_line_errors():
            try:
                os.kill(os.getpid(), number)
            finally:
                cleaned.append(True)

    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == status
    assert capsys.readouterr().err == line
    assert cleaned
    after = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    assert after == handlers


def test_a_hang_up_that_was_ignored_from_the_start_stays_ignored() -> None:
    former = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ending_raises():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, former)


def test_the_signal_is_named() -> None:
    with pytest.raises(SignalledError, match="SIGTERM"), ending_raises():
        os.kill(os.getpid(), signal.SIGTERM)


def test_another_thread_may_run_the_block() -> None:
    done = []

    def run() -> None:
        with ending_raises():
            done.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert done == [True]
