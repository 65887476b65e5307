"""Rows come checked against the manifest, at the version asked for, from a folder or the Hub."""

import json
import sys
from pathlib import Path

import pytest
from datasets import load_dataset

import load_healthloopqa
from builder import parquet
from builder.manifest import MANIFEST_NAME, read_manifest
from eval_tasks.canonical import row_hashes
from eval_tasks.errors import ReleaseError, UnknownNameError
from eval_tasks.release import LOCATION_VARIABLE
from eval_tasks.version import RELEASE_VERSION
from load_healthloopqa import HealthLoopQA, load
from tests.hub.conftest import REPOSITORY, publish
from tests.hub.stand_in import Fault, StandIn


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "datasets_cache")
    monkeypatch.delenv(LOCATION_VARIABLE, raising=False)


def as_version(folder: Path, version: str) -> Path:
    path = folder / MANIFEST_NAME
    path.write_text(json.dumps(json.loads(path.read_text()) | {"version": version}))
    return folder


def stored(folder: Path, config: str, split: str) -> Path:
    return folder / read_manifest(folder).configs[config].splits[split].files[0]  # type: ignore[index]


@pytest.mark.parametrize("config", ["simulated", "traces"])
def test_rows_of_a_folder_are_those_of_its_files(config: str, declared_release: Path) -> None:
    rows = load(config, source=str(declared_release))
    assert (
        rows.data.table.to_pylist()
        == parquet.read(stored(declared_release, config, "test")).to_pylist()
    )


def test_rows_of_the_hub_are_pinned_to_the_version(hub: StandIn, release_folder: Path) -> None:
    publish(hub, release_folder, RELEASE_VERSION)
    expected = load("simulated", source=str(release_folder)).to_list()
    stored(release_folder, "simulated", "test").write_bytes(b"later")
    publish(hub, as_version(release_folder, "9.9.9"), "9.9.9")
    assert load("simulated", version=RELEASE_VERSION, source=REPOSITORY).to_list() == expected
    with pytest.raises(ReleaseError, match=r"no release 0\.0\.1 in a Hub repository"):
        load("simulated", version="0.0.1", source=REPOSITORY)


def test_another_version_is_not_taken_from_this_machine(
    hub: StandIn, release_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eval_tasks.release._HOME", release_folder)
    monkeypatch.setattr("eval_tasks.release.HUB_REPOSITORY", REPOSITORY)
    here = load("simulated").to_list()
    assert hub.log == []
    publish(hub, as_version(release_folder, "9.9.9"), "9.9.9")
    assert load("simulated", version="9.9.9").to_list() == here
    assert hub.asked("GET .*/revision/9.9.9")


def test_a_tag_that_holds_another_version_is_refused(hub: StandIn, release_folder: Path) -> None:
    publish(hub, release_folder, "9.9.9")
    with pytest.raises(ReleaseError, match=f"holds version {RELEASE_VERSION}, not 9.9.9"):
        load("simulated", version="9.9.9", source=REPOSITORY)
    with pytest.raises(ReleaseError, match=f"holds version {RELEASE_VERSION}, not 9.9.9"):
        load("simulated", version="9.9.9", source=str(release_folder))


def test_changed_rows_are_refused(release_folder: Path) -> None:
    path = stored(release_folder, "simulated", "test")
    table = parquet.read(path)
    answers = ["1", *table.column("answer").to_pylist()[1:]]
    place = table.column_names.index("answer")
    parquet.write(table.set_column(place, table.schema.field("answer"), [answers]), path)
    with pytest.raises(ReleaseError, match="simulated/test are not those"):
        load("simulated", source=str(release_folder))
    assert load("simulated", split="full", source=str(release_folder)).num_rows


def test_unknown_names(declared_release: Path) -> None:
    with pytest.raises(
        UnknownNameError, match=r"no config 'simulatd'.*simulated, multiple_choice, traces"
    ):
        load("simulatd", source=str(declared_release))
    with pytest.raises(UnknownNameError, match=r"no split 'train'.*test, full"):
        load("simulated", split="train", source=str(declared_release))


@pytest.mark.usefixtures("waits")
def test_a_hub_that_fails_is_told_in_one_line(hub: StandIn, release_folder: Path) -> None:
    publish(hub, release_folder, RELEASE_VERSION)
    hub.faults.append(Fault(method="GET", path="/revision/", status=500, times=100))
    with pytest.raises(ReleaseError) as refused:
        load("simulated", source=REPOSITORY)
    assert "\n" not in str(refused.value)


@pytest.mark.slow
def test_the_builder_generates_what_a_release_holds(declared_release: Path, tmp_path: Path) -> None:
    options = {
        "cache_dir": str(tmp_path / "cache"),
        "config_name": "simulated",
        "patients": ("adult_001", "child_008"),
        "tasks": ("pm_0", "pm_7", "pm_15", "pm_23"),
    }
    builder = HealthLoopQA(**options)
    builder.download_and_prepare()
    manifest = read_manifest(declared_release)
    for split, part in manifest.configs["simulated"].splits.items():
        assert row_hashes(builder.as_dataset(split=split).data.table).sha256 == part.sha256
    assert HealthLoopQA(**options, workers=2).cache_dir == builder.cache_dir
    assert HealthLoopQA(**options, seed=7).cache_dir != builder.cache_dir


def test_code_is_part_of_the_builders_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = HealthLoopQA(cache_dir=str(tmp_path)).cache_dir
    assert RELEASE_VERSION in before
    monkeypatch.setattr(load_healthloopqa, "_HERE", tmp_path)
    assert HealthLoopQA(cache_dir=str(tmp_path)).cache_dir != before


def test_without_a_checkout_there_is_no_builder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "builder.schema", None)
    with pytest.raises(ReleaseError, match="needs a checkout"):
        HealthLoopQA(config_name="simulated")


def test_load_dataset_takes_a_folder_that_holds_the_loader(declared_release: Path) -> None:
    assert (declared_release / "load_healthloopqa.py").is_file()
    assert load_dataset(str(declared_release), "simulated", split="test").num_rows
