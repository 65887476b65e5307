"""A Hub stand-in that this process's huggingface_hub talks to, and a small release to push."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from huggingface_hub import close_session

from builder.release import build
from tests.conftest import small_request
from tests.hub.stand_in import WRITER, StandIn, running
from tests.hub.stored import MAIN, Blob, Commit

REPOSITORY = "org/healthloopqa"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """An empty Hub; requests go there, with a token that may write."""
    with running() as hub:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
        template = f"{hub.url}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub_cache"))
        monkeypatch.setenv("HF_TOKEN", WRITER)
        yield hub
        close_session()


def publish(hub: StandIn, folder: Path, tag: str, name: str = REPOSITORY) -> str:
    """Put a folder on the Hub as it is, tag it and return the commit."""
    repository = hub.create("dataset", name)
    files = {
        path.relative_to(folder).as_posix(): Blob(
            data=path.read_bytes(), large=path.suffix == ".parquet"
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    title = f"version {tag}"
    commit = repository.add(Commit(parent=repository.head, title=title, files=files), MAIN)
    repository.tags[tag] = commit
    return commit


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that were waited, without waiting."""
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    return waited


@pytest.fixture(scope="session")
def declared_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A valid release of two patients and a few tasks, built from the declared seed."""
    folder = tmp_path_factory.mktemp("release") / "declared"
    request = small_request(folder)
    build(
        replace(
            request,
            seed=request.declared.seed,
            configs=("simulated", "multiple_choice", "traces"),
            task_ids=("pm_0", "pm_7", "pm_15", "pm_23"),
            patient_ids=("adult_001", "child_008"),
        ),
        lambda _what, _done, _total: None,
    )
    return folder


@pytest.fixture
def release_folder(declared_release: Path, tmp_path: Path) -> Path:
    """A copy of the release that a test may change."""
    return Path(shutil.copytree(declared_release, tmp_path / "release"))
