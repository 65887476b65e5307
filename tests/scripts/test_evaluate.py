import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from eval_tasks.release import find_release
from scripts.evaluate import app
from tests.eval_tasks.tiny_release import write_release

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "evaluate.py"


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_release(tmp_path / "release")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--model", "gpt-9"), "unknown reference model 'gpt-9'; there are gold, constant"),
        (("--config", "simulatd"), "no config 'simulatd' in"),
        (("--config", "longevity", "--split", "full"), "no split 'full' of longevity"),
    ],
)
def test_unknown_names_are_refused_in_one_line(
    release: Path, arguments: tuple[str, ...], message: str
) -> None:
    result = invoke(*arguments, "--release", release, "--output", release / "results")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: {message}")
    assert result.stderr.count("\n") == 1
    assert not (release / "results").exists()


def test_a_folder_that_is_no_release_is_refused_in_one_line(tmp_path: Path) -> None:
    for location in (tmp_path, tmp_path / "gone"):
        result = invoke("--release", location)
        assert result.exit_code == 1
        assert result.stderr.count("\n") == 1
        assert str(location) in result.stderr


def test_help_names_the_models() -> None:
    assert "cover-all" in invoke("--help").stdout


def evaluate(release: Path, model: str, *options: str) -> dict[str, Any]:
    done = subprocess.run(
        [
            *(sys.executable, str(SCRIPT), "--model", model, "--release", str(release), "--json"),
            *("--output", str(release.parent / "results"), *options),
        ],
        cwd=release.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.slow
def test_gold_scores_exactly_1_on_every_row(release: Path) -> None:
    report = evaluate(release, "gold")
    assert report["model"] == "gold"
    assert list(report["configs"]) == ["simulated", "fault_injected", "longevity"]
    for config, part in report["configs"].items():
        assert part["score"] == part["skill"] == 1
        assert (
            part["statuses"]["ok"] == part["n"] == find_release(str(release)).rows[config]["test"]
        )
