import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from eval_tasks.release import HUB_REPOSITORY, Release, find_release
from eval_tasks.runner import Definition, Run
from eval_tasks.summary import flat, nested, summarise
from reports.leaderboard import known_release, leaderboard
from reports.submission import submission
from scripts import evaluate as evaluate_script
from scripts.evaluate import app
from tests.eval_tasks.loopback import Behaviour, serving
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
        (("--preset", "slow"), "unknown preset 'slow'; there are quick, paper"),
        (("--endpoint", "http://x", "--settings", "5"), "no settings of an endpoint ("),
        (
            ("--endpoint", "http://x", "--settings", '{"max_token": 5}'),
            "no settings of an endpoint (max_token: Extra inputs",
        ),
        (("--settings", "{}"), "--settings are those of an endpoint; give its URL with --endpoint"),
        (
            ("--endpoint", "http://x", "--settings", '{"model": "x"}'),
            "no settings of an endpoint (model is an option of its own); --settings is a JSON object "
            "of max_tokens, temperature,",
        ),
        (("--endpoint", "http://x", "--settings", "[" * 100_000), "no settings of an endpoint ("),
        (("--endpoint", "x.org"), "no settings of an endpoint (url: String should match"),
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


def started(release: Path, model: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            *(sys.executable, str(SCRIPT), "--model", model, "--release", str(release), "--json"),
            *("--output", str(release.parent / "results"), *options),
        ],
        cwd=release.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def evaluate(release: Path, model: str, *options: str) -> dict[str, Any]:
    done = started(release, model, *options)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_options_become_a_plan_and_an_endpoint(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def run(found: Release, definition: Definition, names: dict[str, str], *_: object) -> Run:
        seen.append((found.repo, definition, names))
        report = nested(flat(summarise([])))
        return Run(reports=dict.fromkeys(names, report), results_file=tmp_path / "r.json")

    monkeypatch.setattr(evaluate_script, "run_tasks", run)
    base = ("--release", release, "--output", tmp_path, "--json")
    url = ("--endpoint", "http://127.0.0.1:1/v1", "--model", "org/m")
    settings = ("--settings", '{"max_tokens": 50}')
    for arguments in (
        ("--model", "abstain", "--preset", "longevity", "--save-details"),
        (*url, "--preset", "quick", *settings),
        (*url, "--tasks", "longevity:minimal, healthloopqa:simulated", "--limit", "3"),
    ):
        result = invoke(*arguments, *base)
        assert result.exit_code == 0
        assert ("style" in json.loads(result.stdout)) is ("--tasks" not in arguments)
    first, second, third = seen
    assert (first[1].name, first[1].limit, first[1].details) == ("abstain", None, True)
    assert not second[1].details
    assert first[2] == {"longevity": "healthloopqa:longevity"}
    assert (second[1].name, second[1].limit, len(second[2])) == ("org/m", 20, 3)
    described = json.loads(second[1].environment["HEALTHLOOPQA_ENDPOINT"])
    assert (described["max_tokens"], described["model"]) == (50, "org/m")
    store = Path(second[1].environment["HEALTHLOOPQA_STORE"])
    assert (store.parent, store.name[:6]) == (tmp_path / "answers", "org_m-")
    assert list(third[2]) == ["longevity:minimal", "healthloopqa:simulated"]
    assert third[1].limit == 3


@pytest.mark.slow
def test_an_endpoint_that_fails_is_asked_again_for_what_failed(release: Path) -> None:
    broken = True

    def behaviour(prompt: str) -> Behaviour:
        return Behaviour(status=500) if broken and "Case 1" in prompt else Behaviour(content="No.")

    settings = json.dumps({"tries": 1, "wait_s": 0})
    with serving(behaviour) as server:
        options = ("--config", "longevity", "--endpoint", server.url, "--settings", settings)
        failed = started(release, "m", *options)
        assert failed.returncode == 1
        assert "1 of 3 requests" in failed.stderr
        assert failed.stderr.count("\n") == 1
        broken = False
        part = evaluate(release, "m", *options)["configs"]["longevity"]
        assert (part["n"], part["statuses"]["ok"]) == (3, 3)
        assert part["score"] == pytest.approx(2 / 3)
        assert sorted(server.by_prompt.values()) == [1, 1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_asked_once_the_command_has_ended(release: Path, number: int) -> None:
    def behaviour(_: str) -> Behaviour:
        return Behaviour(content="No.", delay_s=0.3)

    settings = json.dumps({"concurrency": 1})
    with serving(behaviour) as server:
        process = subprocess.Popen(
            [
                *(sys.executable, str(SCRIPT), "--model", "m", "--release", str(release)),
                *("--output", str(release.parent / "results"), "--endpoint", server.url),
                *("--settings", settings),
            ],
            stderr=subprocess.PIPE,
            text=True,
        )
        while len(server.requests) < 2:
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
        _, told = process.communicate(timeout=20)
        asked = len(server.requests)
        time.sleep(1.5)
        assert len(server.requests) <= asked + 1
    assert process.returncode == (143 if number == signal.SIGTERM else -number)
    assert told == ("error: ended by SIGTERM\n" if number == signal.SIGTERM else "")
    (kept,) = (release.parent / "results" / "answers").glob("m-*/kept/*.jsonl")
    assert kept.read_text(encoding="utf-8").count("\n") >= asked - 2


@pytest.mark.slow
def test_gold_scores_exactly_1_on_every_row_and_leads_to_the_leaderboard(release: Path) -> None:
    report = evaluate(release, "gold", "--save-details")
    assert report["model"] == "gold"
    assert list(report["configs"]) == ["simulated", "fault_injected", "longevity"]
    for config, part in report["configs"].items():
        assert part["score"] == part["skill"] == 1
        assert (
            part["statuses"]["ok"] == part["n"] == find_release(str(release)).rows[config]["test"]
        )
    found = find_release(str(release))
    made = submission(release.parent / "results", found, "healthloopqa/gold")
    path = release.parent / "board" / made.model / made.path
    path.parent.mkdir(parents=True)
    path.write_text(made.as_yaml(), encoding="utf-8")
    board = leaderboard(release.parent / "board", HUB_REPOSITORY, known_release(found))
    assert (board.results, board.left_out) == (3, [])
    assert all(line.ranks is None for one in board.boards for line in one.lines)
