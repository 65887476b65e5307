"""The agent against a scripted model: steps, budgets, traces, second stage."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.errors import AgentError, SettingsError
from agents.run import Assignment, run_row
from agents.sandbox import confined_layers
from agents.settings import SETTINGS_VARIABLE, AgentSettings, load_settings
from agents.tables import record_tables
from agents.trace import RowTrace, TraceFile
from endpoints.chat import URL_VARIABLE, Client
from endpoints.loopback import LoopbackEndpoint, Request, Scripted
from tests.eval_tasks.tiny_release import record

TABLES = record_tables(record())
CODE = "Thought: {}\n<code>\n{}\n</code>"
SECOND = "You turn the notes"


def scripted(*replies: str) -> Callable[[Request], Scripted]:
    """Give the replies in order to the agent, the last one again and again; answer at the end."""
    given = iter(replies)

    def script(request: Request) -> Scripted:
        if request.system.startswith(SECOND):
            return Scripted(text='{"answer": 219}')
        return Scripted(text=next(given, replies[-1]))

    return script


def run(script: Callable[[Request], Scripted], **settings: object) -> RowTrace:
    if not confined_layers():
        pytest.skip("this kernel offers nothing that confines the sandbox")
    with LoopbackEndpoint(script) as server:
        chosen = AgentSettings.model_validate(
            {"base_url": server.url, "retries": 0, "price_input": 1.0, "price_output": 2.0}
            | settings
        )
        with Client(chosen.endpoint("m")) as client:
            asked = Assignment(id="row/1", question="Highest glucose?", tables=TABLES)
            return run_row(client, chosen, asked)


def test_steps_tokens_and_cost_are_kept() -> None:
    trace = run(
        scripted(
            CODE.format("look", "print(glucose.glucose_mgdl.max())"),
            CODE.format("oops", "open('/etc/passwd')"),
            CODE.format("answer", "final_answer(int(glucose.glucose_mgdl.max()))"),
        )
    )
    assert (trace.status, trace.final, trace.completion) == ("answered", 213, '{"answer": 219}')
    assert [step.snippet for step in trace.steps] == ["ok", "error", "ok"]
    assert "213.0" in trace.steps[0].observed
    assert "PermissionError" in trace.steps[1].error
    assert trace.steps[1].attempts == ("open /etc/passwd",)
    assert trace.calls == 4
    assert trace.input_tokens > sum(step.input_tokens for step in trace.steps) > 0
    assert trace.cost == (trace.input_tokens + 2 * trace.output_tokens) / 1e6
    assert trace.text().endswith('{"answer": 219}')
    assert RowTrace.model_validate_json(trace.model_dump_json()) == trace


def test_the_step_budget_ends_the_steps_and_the_second_stage_answers_all_the_same() -> None:
    trace = run(scripted(CODE.format("again", "print(1)")), max_steps=2)
    assert (trace.status, trace.completion) == ("steps", '{"answer": 219}')


def test_the_token_budget_ends_the_steps() -> None:
    trace = run(scripted(CODE.format("again", "print(1)")), row_tokens=1)
    assert (trace.status, len(trace.steps), trace.calls) == ("tokens", 2, 2)
    assert trace.completion == '{"answer": 219}'


def test_the_time_budget_ends_the_steps() -> None:
    sleep = CODE.format("wait", "import time; time.sleep(1)")
    trace = run(scripted(sleep), row_seconds=0.5)
    assert trace.status == "time"
    assert "the 0.5 s of a row are used up" in trace.reason


def test_a_failed_endpoint_is_a_status_and_no_answer() -> None:
    trace = run(lambda _request: Scripted(text="no", status=401))
    assert (trace.status, trace.completion) == ("error", "")
    assert "HTTP 401" in trace.reason


def test_a_killed_snippet_costs_a_step_only() -> None:
    trace = run(
        scripted(
            CODE.format("attack", "import os; os.system('ls')"),
            CODE.format("answer", "final_answer(1)"),
        )
    )
    assert trace.status == "answered"
    assert trace.steps[0].snippet == "killed"


def test_traces_are_reused_but_not_failed_or_cut_off_ones(tmp_path: Path) -> None:
    path = tmp_path / "new" / "traces.jsonl"
    file = TraceFile(path)
    good = RowTrace(key="a", id="1", model="m", status="answered", completion="x")
    file.add(good)
    file.add(RowTrace(key="b", id="2", model="m", status="error"))
    with path.open("a", encoding="utf-8") as raw:
        raw.write('{"key": "c"')
    again = TraceFile(path)
    assert (again.get("a"), again.get("b"), again.get("c")) == (good, None, None)
    again.add(RowTrace(key="c", id="3", model="m", status="answered"))
    assert TraceFile(path).get("c") is not None
    path.write_text("nonsense\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(AgentError, match="line 1 is no trace"):
        TraceFile(path)


def test_what_can_change_an_answer_is_in_the_key() -> None:
    settings = AgentSettings(base_url="u")
    key = Assignment(id="1", question="q", tables=TABLES).key(settings.fingerprint("m"))
    keys = {
        key,
        Assignment(id="1", question="p", tables=TABLES).key(settings.fingerprint("m")),
        Assignment(id="1", question="q", tables={}).key(settings.fingerprint("m")),
        Assignment(id="1", question="q", tables=TABLES).key(settings.fingerprint("n")),
        Assignment(id="1", question="q", tables=TABLES).key(
            AgentSettings(base_url="u", max_steps=3).fingerprint("m")
        ),
    }
    assert len(keys) == 5
    same = AgentSettings(base_url="u", workers=9, traces=Path("other"))
    assert Assignment(id="1", question="q", tables=TABLES).key(same.fingerprint("m")) in keys


def test_settings_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    monkeypatch.delenv(SETTINGS_VARIABLE, raising=False)
    with pytest.raises(SettingsError, match="no endpoint: set OPENAI_BASE_URL"):
        load_settings()
    monkeypatch.setenv(URL_VARIABLE, "http://h/v1")
    assert load_settings().base_url == "http://h/v1"
    path = tmp_path / "agent.yaml"
    monkeypatch.setenv(SETTINGS_VARIABLE, str(path))
    path.write_text(json.dumps({"base_url": "http://g/v1", "max_steps": 3}), encoding="utf-8")
    assert load_settings().max_steps == 3
    path.write_text("max_step: 3", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"agent\.yaml: not the settings of an agent"):
        load_settings()
