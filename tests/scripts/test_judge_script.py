"""`scripts/judge.py`, and the rehearsal from end to end: good and lazy model, agent, both judges."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agents.sandbox import confined_layers
from builder.release import Report
from endpoints.chat import Call, Client, Endpoint, Message
from endpoints.loopback import LoopbackEndpoint, Request, Scripted
from eval_tasks.prompts import longevity_prompt
from eval_tasks.release import find_release
from judges.human_sheet import write_sheet
from judges.material import rows_by_id
from judges.rehearsal import Rehearsal, lucky
from reports import judgements
from reports.trust import judge_trust
from scripts import agent, judge
from tests.eval_tasks.tiny_release import write_release
from tests.judges.longevity_material import gullible

ROWS = 6
CONFIGS = {"longevity": "longevity", "reasoning": "simulated"}


def invoke(app: Any, *arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def told(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.stderr
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


@pytest.mark.slow
def test_the_lazy_model_is_caught(one_patient_release: Report, tmp_path: Path) -> None:
    """One test from end to end: agent runs, reasoning judge, longevity judge, sheet, agreement."""
    if not confined_layers():
        pytest.skip("this kernel offers nothing that confines the sandbox")
    release = find_release(str(one_patient_release.folder))
    questions = rows_by_id(release, "simulated", "test")
    cases = rows_by_id(release, "longevity", "test")
    with LoopbackEndpoint(Rehearsal(questions.values(), cases.values())) as server:
        at = ("--base-url", server.url, "--release", release.repo, "--json")
        for model in ("good", "lazy"):
            output = tmp_path / model
            run = ("--model", model, "--output", output, "--rows", ROWS, "--config", "simulated")
            told(invoke(agent.app, *run, *at))
            asked = ("reasoning", output / "traces.jsonl", "--model", "judge", "--output", output)
            reasoned = told(invoke(judge.app, *asked, *at))
            check_reasoning(model, reasoned, output)
            file = advice(server.url, model, list(cases.values())[::167], output / "advice.jsonl")
            asked = ("longevity", file, "--model", "judge", "--output", output)
            judged = told(invoke(judge.app, *asked, "--canary-items", 2, *at))
            check_advice(model, judged)
    sheet = ("sheet", tmp_path / "good" / "advice.jsonl", "--file", tmp_path / "s.csv", "--json")
    assert told(invoke(judge.app, *sheet, "--release", release.repo))["rows"] == 6
    verdicts = ("--verdicts", tmp_path / "good" / judge.VERDICTS)
    assert "safety" in invoke(judge.app, "agreement", tmp_path / "s.csv", *verdicts).stdout
    assert (
        told(invoke(judge.app, "agreement", tmp_path / "s.csv", *verdicts, "--json"))["agreement"][
            "all"
        ]["n"]
        == 0
    )


def check_reasoning(model: str, reasoned: dict[str, Any], output: Path) -> None:
    ids = [json.loads(line)["id"] for line in (output / "traces.jsonl").read_text().splitlines()]
    right = sum(map(lucky, ids))
    assert reasoned["trusted"] is True
    assert judge_trust(output / judge.REASONING_RUN).trusted
    if model == "good":
        assert reasoned["outcomes"]["correct"] == ROWS
        return
    assert reasoned["outcomes"]["correct_by_luck"] == right
    assert reasoned["outcomes"]["correct"] == 0
    assert (
        reasoned["failures"]["reluctance_to_calculate"]
        == reasoned["answers"] - (reasoned["answers that cannot be read"])
    )


def check_advice(model: str, judged: dict[str, Any]) -> None:
    assert judged["trusted"] is True
    passed = {name: row["passed"] for name, row in judged["requirements"].items()}
    assert set(passed.values()) == ({6} if model == "good" else {0})


def advice(url: str, model: str, rows: Sequence[Any], file: Path) -> Path:
    """Write what a model answers to longevity cases."""
    with Client(Endpoint(base_url=url, model=model)) as client:
        lines = [
            json.dumps({"id": row["case_id"], "text": client.complete(asked(row)).text})
            for row in rows
        ]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def asked(row: Any) -> Call:
    prompt = longevity_prompt(row)
    return Call(messages=(Message(role="user", content=prompt),), max_tokens=1000)


def test_scores_of_a_judge_that_fails_its_canaries_are_not_printed(
    one_patient_release: Report, tmp_path: Path
) -> None:
    file = tmp_path / "answers.jsonl"
    case = min(rows_by_id(find_release(str(one_patient_release.folder)), "longevity", "test"))
    file.write_text(json.dumps({"id": case, "text": "No."}), encoding="utf-8")
    with LoopbackEndpoint(gullible) as server:
        result = invoke(
            judge.app,
            *("longevity", file, "--model", "judge", "--base-url", server.url),
            *("--release", one_patient_release.folder, "--canary-items", 2),
            *("--output", tmp_path / "out"),
        )
    assert result.exit_code == 1
    assert "trusted: False" in result.stdout
    assert "passed" not in result.stdout
    assert "gets canaries wrong" in result.stderr
    assert (tmp_path / "out" / judge.VERDICTS).is_file()


def test_what_a_judge_of_reasoning_says_that_fails_its_canaries_is_not_printed(
    one_patient_release: Report, tmp_path: Path
) -> None:
    def generous(_: Request) -> Scripted:
        told = {"follows": True, "follows_quote": "It is so.", "quality": 5, "format": 5}
        return Scripted(text=json.dumps(told | {"failures": []}))

    file = tmp_path / "answers.jsonl"
    row = min(rows_by_id(find_release(str(one_patient_release.folder)), "simulated", "test"))
    file.write_text(json.dumps({"id": row, "text": "Answer: 1"}), encoding="utf-8")
    with LoopbackEndpoint(generous) as server:
        result = invoke(
            judge.app,
            *("reasoning", file, "--model", "judge", "--base-url", server.url),
            *("--release", one_patient_release.folder, "--canary-rows", 3),
            *("--output", tmp_path / "out"),
        )
        assert len(server.requests) <= 3 * 6 + 1
    assert result.exit_code == 1
    assert "trusted: False" in result.stdout
    assert "correct" not in result.stdout
    assert "gets canaries wrong" in result.stderr
    assert (tmp_path / "out" / judge.REASONING).is_file()


def test_the_report_looks_for_what_the_command_writes() -> None:
    for name in ("VERDICTS", "JUDGE_RUN", "REASONING", "REASONING_RUN"):
        assert getattr(judge, name) == getattr(judgements, name)


def test_verdicts_that_are_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "v.jsonl").write_text("{}", encoding="utf-8")
    sheet, asked = tmp_path / "s.csv", ("--verdicts", tmp_path / "v.jsonl")
    write_sheet(sheet, [], most=1)
    result = invoke(judge.app, "agreement", sheet, *asked)
    assert result.exit_code == 1
    assert "line 1 is no verdict" in result.stderr
    sheet.write_text("case_id\n", encoding="utf-8")
    assert "lacks the columns" in invoke(judge.app, "agreement", sheet, *asked).stderr


@pytest.mark.parametrize("command", ["longevity", "reasoning"])
def test_what_cannot_be_judged_is_refused_in_one_line(tmp_path: Path, command: str) -> None:
    release = write_release(tmp_path / "release")
    file = tmp_path / "answers.jsonl"
    file.write_text('{"id": "unknown", "text": "yes"}', encoding="utf-8")
    with LoopbackEndpoint(lambda _: Scripted(text="")) as server:
        arguments = (command, file, "--model", "m", "--release", release, "--output", tmp_path)
        result = invoke(judge.app, *arguments, "--base-url", server.url)
        assert "none of 1 answers is to a row of this release" in result.stderr
        name = min(rows_by_id(find_release(str(release)), CONFIGS[command], "test"))
        file.write_text(f"{json.dumps({'id': name, 'text': 'yes'})}\n" * 2, encoding="utf-8")
        twice = invoke(judge.app, *arguments, "--base-url", server.url)
        assert "is answered more than once" in twice.stderr
        (release / "PRIVATE").touch()
        private = invoke(judge.app, *arguments, "--base-url", "https://example.org/v1")
        assert "is private" in private.stderr
        for one in (result, twice, private):
            assert (one.exit_code, one.stdout, one.stderr.count("\n")) == (1, "", 1)
        assert not server.requests
