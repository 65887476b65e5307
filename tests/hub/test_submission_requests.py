"""Results reach a model's repository as one pull request, however the connection behaves."""

from dataclasses import replace
from pathlib import Path

import pytest
from huggingface_hub import EvalResultEntry
from typer.testing import CliRunner

from eval_tasks.hub import HubError, hub_api
from reports.submission import Setting, Submission, propose
from scripts.submit_results import app
from tests.hub.stand_in import READER, Fault, StandIn

MODEL = "me/model"
COMMIT = "/commit/main$"
MADE = Submission(
    model=MODEL,
    version="0.1.0",
    setting=Setting(style="structured", days=30, tools="none"),
    reports={},
    entries=(EvalResultEntry(dataset_id="org/name", task_id="simulated", value=0.25),),
)


@pytest.fixture(autouse=True)
def model(hub: StandIn) -> None:
    hub.create("model", MODEL)


def assert_proposed_once(hub: StandIn, url: str) -> None:
    repository = hub.model(MODEL)
    (request,) = repository.pull_requests
    assert url == f"{hub.url}/{MODEL}/discussions/1"
    assert request.title == MADE.title
    assert repository.files(request.branch)[MADE.path].data.decode() == MADE.as_yaml()
    assert MADE.path not in repository.files()


def test_results_are_proposed(hub: StandIn) -> None:
    assert_proposed_once(hub, propose(hub_api(), MADE))


@pytest.mark.parametrize(
    "fault",
    [
        Fault(method="POST", path=COMMIT),
        Fault(method="POST", path=COMMIT, done=True),
        Fault(method="POST", path=COMMIT, status=500, done=True),
        Fault(method="POST", path=COMMIT, status=409),
        Fault(method="POST", path=COMMIT, status=429, headers={"Retry-After": "2"}),
        Fault(method="POST", path="/preupload/", status=500),
    ],
    ids=["cut", "answer lost", "500 though done", "409", "429", "500"],
)
@pytest.mark.usefixtures("waits")
def test_passing_failures_leave_one_request(fault: Fault, hub: StandIn) -> None:
    hub.faults.append(replace(fault))
    assert_proposed_once(hub, propose(hub_api(), MADE))
    assert hub.faults[0].times == 0


@pytest.mark.usefixtures("waits")
def test_lasting_failures_are_refused(hub: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.faults.append(Fault(method="POST", path=COMMIT, status=500, times=100))
    with pytest.raises(HubError, match="HTTP 500"):
        propose(hub_api(), MADE)
    hub.faults.clear()
    monkeypatch.setenv("HF_TOKEN", READER)
    with pytest.raises(HubError, match="write access"):
        propose(hub_api(), MADE)
    assert hub.model(MODEL).pull_requests == []


def test_what_is_proposed_or_there_is_refused(hub: StandIn) -> None:
    propose(hub_api(), MADE)
    with pytest.raises(HubError, match="discussions/1 proposes these results already"):
        propose(hub_api(), MADE)
    repository = hub.model(MODEL)
    repository.add(repository.commits[repository.branches["refs/pr/1"]], "main")
    repository.pull_requests.clear()
    with pytest.raises(HubError, match="holds these results already"):
        propose(hub_api(), MADE)


def test_a_missing_model_is_refused(hub: StandIn) -> None:
    with pytest.raises(HubError, match="no such repository"):
        propose(hub_api(), replace(MADE, model="me/other"))
    assert [line for line in hub.log if line.startswith("POST ")] == []


def test_the_command_refuses_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEALTHLOOPQA_RELEASE", str(tmp_path))
    done = CliRunner().invoke(app, [str(tmp_path), "--model", MODEL])
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.splitlines()) == 1
