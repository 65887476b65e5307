import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

import eval_tasks.release
from eval_tasks.errors import ReleaseError, UnknownNameError
from eval_tasks.release import (
    HUB_REPOSITORY,
    LOCATION_VARIABLE,
    downloaded,
    find_release,
)
from eval_tasks.version import RELEASE_VERSION
from tests.eval_tasks.tiny_release import write_release


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_release(tmp_path / "release")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the package seems to lie in, empty."""
    monkeypatch.delenv(LOCATION_VARIABLE, raising=False)
    monkeypatch.setattr(eval_tasks.release, "_HOME", tmp_path / "home")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    return tmp_path / "home"


def test_a_named_folder_is_read(folder: Path) -> None:
    release = find_release(str(folder))
    assert release.repo == str(folder)
    assert release.version == RELEASE_VERSION
    assert list(release.rows) == ["simulated", "fault_injected", "longevity"]
    assert release.rows["longevity"] == {"test": 3}
    assert release.baselines("simulated", "test")["pm_0"].constant == 140.5


def test_other_content_has_another_revision(folder: Path) -> None:
    before = find_release(str(folder)).revision
    assert find_release(str(write_release(folder))).revision == before
    assert find_release(str(write_release(folder, shift=1))).revision != before


def test_the_environment_names_a_release(
    folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_release(home, shift=1)
    monkeypatch.setenv(LOCATION_VARIABLE, str(folder))
    assert find_release().repo == str(folder)


def test_an_unpacked_release_is_found_around_the_package(home: Path) -> None:
    write_release(home)
    write_release(home / "dist" / f"healthloopqa-{RELEASE_VERSION}")
    assert find_release().repo == str(home)


def test_a_built_release_is_found_beside_the_package(home: Path) -> None:
    built = write_release(home / "dist" / f"healthloopqa-{RELEASE_VERSION}")
    assert find_release().repo == str(built)


def test_without_any_the_hub_is_asked(home: Path) -> None:
    del home
    with pytest.raises(ReleaseError, match=r"offline.*HEALTHLOOPQA_RELEASE.*make release"):
        find_release()


class Hub:
    """A Hub that holds one release."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[object] = []

    def dataset_info(self, repository: str, *, revision: str) -> SimpleNamespace:
        self.asked.append((repository, revision))
        return SimpleNamespace(sha="c0ffee")

    def hf_hub_download(self, repository: str, name: str, **where: str) -> str:
        self.asked.append((repository, name, where["revision"]))
        return str(self.folder / name)

    def snapshot_download(self, repository: str, **what: object) -> str:
        self.asked.append((repository, what["revision"], what["allow_patterns"]))
        return str(self.folder)


@pytest.fixture
def hub(folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    del home
    hub = Hub(folder)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr(eval_tasks.release, "HfApi", lambda: hub)
    for name in ("hf_hub_download", "snapshot_download"):
        monkeypatch.setattr(eval_tasks.release, name, getattr(hub, name))
    return hub


def test_on_the_hub_the_tag_is_pinned_to_its_commit(hub: Hub) -> None:
    release = find_release()
    assert (release.repo, release.revision) == (HUB_REPOSITORY, "c0ffee")
    assert not release.is_folder
    assert hub.asked == [
        (HUB_REPOSITORY, RELEASE_VERSION),
        (HUB_REPOSITORY, "manifest.json", "c0ffee"),
        (HUB_REPOSITORY, "baselines.json", "c0ffee"),
    ]


def test_from_the_hub_only_the_configs_asked_for_are_downloaded(hub: Hub) -> None:
    shutil.rmtree(hub.folder / "data" / "longevity")
    release = downloaded(find_release("some/fork"), ("simulated",))
    assert (release.repo, release.revision) == (str(hub.folder), "c0ffee")
    patterns = ["manifest.json", "baselines.json", "README.md", "data/simulated/*"]
    assert hub.asked[-1] == ("some/fork", "c0ffee", patterns)


def test_a_hub_out_of_reach_is_named(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object, **__: object) -> None:
        raise httpx.ConnectError("no route to host")

    monkeypatch.setattr(hub, "dataset_info", unreachable)
    with pytest.raises(ReleaseError, match=r"no folder some/fork, .*\(no route to host\)"):
        find_release("some/fork")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"no folder .*/gone; build a release"):
        find_release(str(tmp_path / "gone"))


@pytest.mark.parametrize("name", ["manifest.json", "baselines.json"])
def test_a_folder_without_its_files_is_no_release(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ReleaseError, match=f"is no release: cannot read {name}"):
        find_release(str(folder))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": "1", "content_sha256": 5}'])
def test_a_manifest_of_another_kind_is_refused(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(ReleaseError, match=r"manifest.json is not a release's"):
        find_release(str(folder))


def test_data_that_are_gone_are_named(folder: Path) -> None:
    shutil.rmtree(folder / "data" / "longevity")
    with pytest.raises(ReleaseError, match="lists longevity, but data/longevity is gone"):
        find_release(str(folder))


def test_missing_baselines_are_named(folder: Path) -> None:
    (folder / "baselines.json").write_text(json.dumps({"simulated": {}}), encoding="utf-8")
    with pytest.raises(ReleaseError, match="no baselines for simulated/test"):
        find_release(str(folder)).baselines("simulated", "test")


def test_configs_are_chosen_by_name_and_split(folder: Path) -> None:
    release = find_release(str(folder))
    assert release.chosen((), "test") == ("simulated", "fault_injected", "longevity")
    assert release.chosen((), "full") == ("simulated", "fault_injected")
    assert release.chosen(("longevity",), "test") == ("longevity",)
    with pytest.raises(UnknownNameError, match=r"no config 'traces' in .*; there are simulated"):
        release.chosen(("traces",), "test")
    with pytest.raises(UnknownNameError, match="no split 'full' of longevity; there are test"):
        release.chosen(("longevity",), "full")
    with pytest.raises(UnknownNameError, match=r"no config of .* has a split 'train'"):
        release.chosen((), "train")


def test_a_folder_needs_no_download(folder: Path) -> None:
    release = find_release(str(folder))
    assert downloaded(release, ("simulated",)) is release
