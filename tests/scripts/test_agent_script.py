"""`scripts/agent.py` on a small release, with a scripted model on loopback."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agents.sandbox import confined_layers
from agents.settings import AgentSettings
from agents.trace import read_traces
from endpoints.loopback import LoopbackEndpoint, Request, Scripted
from eval_tasks.release import find_release
from reports.submission import AGENT_FILE, SubmissionError, submission
from scripts.agent import app
from tests.eval_tasks.tiny_release import write_release


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def script(request: Request) -> Scripted:
    """Compute the mean glucose and answer 120, which is one of three gold answers of pm_0."""
    if request.system.startswith("You turn the notes"):
        return Scripted(text='{"answer": 120.0}')
    return Scripted(
        text="Thought: mean\n<code>\nfinal_answer(glucose.glucose_mgdl.mean())\n</code>"
    )


@pytest.mark.slow
def test_rows_are_answered_and_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not confined_layers():
        pytest.skip("this kernel offers nothing that confines the sandbox")
    monkeypatch.setenv("HEALTHLOOPQA_AGENT", "")
    release, output = write_release(tmp_path / "release"), tmp_path / "out"
    with LoopbackEndpoint(script) as server:
        arguments = ("--model", "m", "--base-url", server.url, "--release", release, "--json")
        chosen = ("--config", "simulated", "--output", output, "--rows", 3, "--workers", 2)
        first = invoke(*arguments, *chosen)
        assert first.exit_code == 0, first.stderr
    told = json.loads(first.stdout)
    assert told["configs"]["simulated"]["n"] == 3
    assert told["statuses"] == {"answered": 3}
    assert len(server.requests) == 6
    traces = list(read_traces(output / "traces.jsonl"))
    assert len(traces) == 3
    assert all("# Record\nThese pandas tables" in r.user for r in server.requests[:1])
    assert not any("Day 1 Monday" in r.user for r in server.requests)
    (results,) = output.rglob("results_*.json")
    ran = json.loads(results.read_text(encoding="utf-8"))["config_general"]["model_config"]
    assert Path(ran["model_definition_file_path"]).parts[-2:] == AGENT_FILE
    assert (
        ran["generation_parameters"]["max_new_tokens"] == AgentSettings(base_url="x").reply_tokens
    )
    assert list(output.rglob("details_*.parquet"))
    with pytest.raises(SubmissionError, match="is limited"):
        submission(output, find_release(str(release)), "me/m")


def test_advice_is_left_to_others(tmp_path: Path) -> None:
    release = write_release(tmp_path / "release")
    arguments = ("--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--release", release)
    result = invoke(*arguments, "--config", "longevity", "--output", tmp_path / "out")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "longevity has no record to compute with" in result.stderr


def test_a_private_release_stays_here(tmp_path: Path) -> None:
    release = write_release(tmp_path / "release")
    (release / "PRIVATE").touch()
    result = invoke("--model", "m", "--base-url", "https://example.org/v1", "--release", release)
    assert result.exit_code == 1
    assert "is private" in result.stderr
    assert result.stderr.count("\n") == 1
