"""A release reaches the Hub whole, or its version is not there."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from huggingface_hub import CommitInfo, HfApi

from builder.publication import Checked, checked, plan, push
from eval_tasks.hub import HubError, hub_api
from eval_tasks.version import RELEASE_VERSION
from tests.hub.conftest import REPOSITORY
from tests.hub.stand_in import WRITER, Answer, Fault, Request, StandIn
from tests.hub.stored import MAIN, Blob, Commit

pytestmark = pytest.mark.filterwarnings(
    "ignore:Use 'content=<...>' to upload raw bytes:DeprecationWarning"
)
"""huggingface_hub 1.33 hands a file to httpx in a way that httpx wants to end."""
COMMIT = r"/commit/main$"
TAG = r"/tag/"
UPLOAD = r"^/lfs/\w+$"


def quiet(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""


@pytest.fixture(scope="module")
def release(declared_release: Path) -> Checked:
    return checked(declared_release, quiet)


def pushed(release: Checked) -> str:
    api = hub_api()
    return push(api, release, plan(api, release, REPOSITORY, create=True))


def holds(hub: StandIn, release: Checked, revision: str) -> bool:
    """Return whether a revision is the release, file by file."""
    files = {p: b.data for p, b in hub.dataset(REPOSITORY).files(revision).items()}
    del files[".gitattributes"]
    return files == {name: path.read_bytes() for name, path in release.files.items()}


def assert_published(hub: StandIn, release: Checked, commit: str) -> None:
    repository = hub.dataset(REPOSITORY)
    assert repository.tags == {RELEASE_VERSION: commit}
    assert holds(hub, release, RELEASE_VERSION)
    assert [c.title for _, c in repository.history(MAIN)] == [
        f"HealthLoopQA {RELEASE_VERSION}",
        "initial commit",
    ]


def assert_nothing_half(hub: StandIn, release: Checked) -> None:
    """No tag, and `main` is as it was or the whole release."""
    repository = hub.dataset(REPOSITORY)
    assert repository.tags == {}
    assert list(repository.files()) == [".gitattributes"] or holds(hub, release, MAIN)


def test_a_release_is_one_commit_with_its_version_as_tag(hub: StandIn, release: Checked) -> None:
    assert_published(hub, release, pushed(release))
    assert hub.asked("POST .*/commit/main") == 1


def test_a_plan_lists_what_a_push_would_change(hub: StandIn, release: Checked) -> None:
    repository = hub.create("dataset", REPOSITORY)
    card = Blob(data=b"old card", large=False)
    licence = Blob(data=release.files["LICENSE"].read_bytes(), large=False)
    files = {"README.md": card, "LICENSE": licence, "data/old.parquet": Blob(data=b"x", large=True)}
    head = repository.add(Commit(parent=repository.head, title="old", files=files), MAIN)
    planned = plan(hub_api(), release, REPOSITORY)
    kinds = {change.path: change.kind for change in planned.changes}
    assert (planned.head, planned.version) == (head, RELEASE_VERSION)
    assert (kinds["README.md"], kinds["data/old.parquet"]) == ("change", "delete")
    assert kinds["manifest.json"] == "add"
    assert "LICENSE" not in kinds
    assert planned.unchanged == 1
    assert repository.head == head
    push(hub_api(), release, planned)
    assert repository.tags[RELEASE_VERSION] == repository.head


def test_files_on_the_hub_are_not_sent_again(hub: StandIn, release: Checked) -> None:
    commit = pushed(release)
    hub.dataset(REPOSITORY).tags.clear()
    uploads = hub.asked("PUT /lfs/")
    assert plan(hub_api(), release, REPOSITORY).changes == ()
    assert pushed(release) == commit
    assert hub.asked("PUT /lfs/") == uploads
    assert hub.asked("POST .*/commit/main") == 1


def test_a_published_version_is_refused(hub: StandIn, release: Checked) -> None:
    commit = pushed(release)
    with pytest.raises(HubError, match=rf"tag {RELEASE_VERSION} already.*raise RELEASE_VERSION"):
        plan(hub_api(), release, REPOSITORY)
    assert hub.dataset(REPOSITORY).head == commit


PASSING = {
    "upload cut": Fault(method="PUT", path=UPLOAD),
    "upload answer lost": Fault(method="PUT", path=UPLOAD, done=True),
    "upload 500": Fault(method="PUT", path=UPLOAD, status=500),
    "preupload 429": Fault(
        method="POST", path="/preupload/", status=429, headers={"Retry-After": "7"}
    ),
    "commit cut": Fault(method="POST", path=COMMIT),
    "commit answer lost": Fault(method="POST", path=COMMIT, done=True),
    "commit 409": Fault(method="POST", path=COMMIT, status=409),
    "commit 429": Fault(method="POST", path=COMMIT, status=429, headers={"Retry-After": "7"}),
    "commit 500": Fault(method="POST", path=COMMIT, status=500, times=2),
    "commit 503 though done": Fault(method="POST", path=COMMIT, status=503, done=True),
    "tag cut": Fault(method="POST", path=TAG),
    "tag answer lost": Fault(method="POST", path=TAG, done=True),
    "tag 500": Fault(method="POST", path=TAG, status=500),
    "tag 409 though done": Fault(method="POST", path=TAG, status=409, done=True),
    "refs cut before the tag": Fault(method="GET", path="/refs$", skip=2),
}


@pytest.mark.parametrize("name", PASSING)
def test_passing_failures_are_survived(
    name: str, hub: StandIn, release: Checked, waits: list[float]
) -> None:
    hub.faults.append(replace(PASSING[name]))
    assert_published(hub, release, pushed(release))
    assert hub.faults[0].times == 0
    assert waits
    if "429" in name:
        assert max(waits) in (7, 8)


LASTING = {
    "upload cut": (Fault(method="PUT", path=UPLOAD, skip=1), "no answer"),
    "upload 500": (Fault(method="PUT", path=UPLOAD, status=500), "failure of its own.*HTTP 500"),
    "upload 403": (Fault(method="PUT", path=UPLOAD, status=403), "write access.*HTTP 403"),
    "preupload cut": (Fault(method="POST", path="/preupload/"), "no answer"),
    "commit cut": (Fault(method="POST", path=COMMIT), "no answer"),
    "commit 401": (Fault(method="POST", path=COMMIT, status=401), "hf auth login"),
    "commit 409": (Fault(method="POST", path=COMMIT, status=409), "somebody else"),
    "commit 429": (Fault(method="POST", path=COMMIT, status=429), "limits requests"),
    "commit 500": (Fault(method="POST", path=COMMIT, status=500), "failure of its own"),
    "tag 403": (Fault(method="POST", path=TAG, status=403), "write access"),
    "tag 500": (Fault(method="POST", path=TAG, status=500), "failure of its own"),
}


@pytest.mark.usefixtures("waits")
@pytest.mark.parametrize("name", LASTING)
def test_lasting_failures_are_refused_and_resumed(
    name: str, hub: StandIn, release: Checked
) -> None:
    fault, message = LASTING[name]
    hub.create("dataset", REPOSITORY)
    hub.faults.append(replace(fault, times=1000))
    with pytest.raises(HubError, match=message) as refused:
        pushed(release)
    assert "\n" not in str(refused.value)
    assert WRITER not in str(refused.value)
    assert_nothing_half(hub, release)
    hub.faults.clear()
    assert_published(hub, release, pushed(release))


def test_a_long_wait_is_refused(hub: StandIn, release: Checked, waits: list[float]) -> None:
    hub.faults.append(
        Fault(method="POST", path=COMMIT, status=429, headers={"Retry-After": "3600"})
    )
    with pytest.raises(HubError, match="limits requests"):
        pushed(release)
    assert waits == []


def test_a_change_by_somebody_else_in_between_is_replaced(
    hub: StandIn, release: Checked, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = hub.create("dataset", REPOSITORY)
    other = {"notes.txt": Blob(data=b"hello", large=False)}
    answer = hub.answer
    others = iter([Commit(parent=repository.head, title="other", files=other)])

    def interrupted(request: Request) -> Answer:
        if "/preupload/" in request.path and (commit := next(others, None)):
            repository.add(commit, MAIN)
        return answer(request)

    monkeypatch.setattr(hub, "answer", interrupted)
    commit = pushed(release)
    assert waits
    assert repository.tags == {RELEASE_VERSION: commit}
    assert "notes.txt" not in repository.files(commit)
    assert [c.title for _, c in repository.history(commit)][1] == "other"


def test_a_version_tagged_by_somebody_else_in_between_is_refused(
    hub: StandIn, release: Checked
) -> None:
    repository = hub.create("dataset", REPOSITORY)
    planned = plan(hub_api(), release, REPOSITORY)
    repository.tags[RELEASE_VERSION] = repository.head
    with pytest.raises(HubError, match="already"):
        push(hub_api(), release, planned)
    assert list(repository.files()) == [".gitattributes"]


class Careless:
    """A client whose commits lack the manifest, as an ignore file on the Hub would have it."""

    def __getattr__(self, name: str) -> object:
        return getattr(hub_api(), name)

    def create_commit(self, repository: str, *, operations: list[Any], **rest: Any) -> CommitInfo:
        kept = [one for one in operations if one.path_in_repo != "manifest.json"]
        made: CommitInfo = hub_api().create_commit(repository, operations=kept, **rest)
        return made


def test_a_commit_that_lacks_a_file_is_not_tagged(hub: StandIn, release: Checked) -> None:
    hub.create("dataset", REPOSITORY)
    planned = plan(hub_api(), release, REPOSITORY)
    with pytest.raises(HubError, match=r"does not hold the release \(manifest.json differ"):
        push(cast("HfApi", Careless()), release, planned)
    assert hub.dataset(REPOSITORY).tags == {}
