"""Ray that does not start on this machine: one line with the cause and what to do."""

import importlib
import os
import re
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from builder.errors import BuildError
from builder.ray_address import RAY_ADDRESS

pytestmark = pytest.mark.skipif(
    find_spec("ray") is None, reason="the extra scale (Ray) is not installed"
)
ROOT = Path(__file__).resolve().parent.parent.parent
TIMED_OUT = (
    "The current node timed out during startup. This could happen because some of the raylet "
    "failed to startup or the GCS has become overloaded."
)
ELSEWHERE = """
from builder.errors import BuildError
from builder.workers import each

if __name__ == "__main__":
    try:
        list(each(abs, [1, 2], 2, "x", lambda *_: None, "ray"))
    except BuildError as error:
        print(error)
"""


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Exception(TIMED_OUT), r"timed out.*overloaded.*fewer --workers"),
        (
            RuntimeError("Failed to start GCS.\n Last 0 lines:\n"),
            r"Failed to start GCS\. Last.*free",
        ),
        (OSError("AF_UNIX path length cannot exceed 107"), "RAY_TMPDIR to a folder with a short"),
        (PermissionError(13, "Permission denied", "/x"), r"denied: '/x'\); .*RAY_AUTH_TOKEN_PATH"),
        (ValueError("odd"), r"\(odd\); see its logs in /short/ray/session_latest/logs"),
        (Exception("x" * 5000), r"\(x{200}\); see"),
    ],
)
def test_the_cause_and_what_to_do_in_one_line(
    error: Exception, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray_engine = importlib.import_module("builder.ray_engine")

    def init(**_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise error

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.delenv(RAY_ADDRESS, raising=False)
    monkeypatch.setenv("RAY_TMPDIR", "/short")
    monkeypatch.setattr(ray_engine.ray, "init", init)
    with pytest.raises(BuildError) as raised:
        ray_engine.RayEngine(2, "x")
    line = str(raised.value)
    assert re.search(told, line)
    assert line.startswith("Ray cannot start on this machine (")
    assert line.endswith(", or use the engine local")
    assert "\n" not in line
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_long_temporary_folder_is_named(tmp_path: Path) -> None:
    """Ray itself raises; nothing of it runs on."""
    program, folder = tmp_path / "elsewhere.py", tmp_path / ("long" * 25)
    program.write_text(ELSEWHERE, encoding="utf-8")
    folder.mkdir()
    kept = {name: value for name, value in os.environ.items() if name != RAY_ADDRESS}
    done = subprocess.run(
        [sys.executable, str(program)],
        env={**kept, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(
        r"Ray cannot start on this machine \(.*AF_UNIX.*\); set RAY_TMPDIR .* engine local\n",
        done.stdout,
    )
    assert "Traceback" not in done.stderr
