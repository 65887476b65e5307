"""What may not be published is refused before anything is sent, in one line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner, Result

from builder import parquet
from builder.errors import BuildError
from builder.fresh import SALT_NAME, draw_salt
from builder.manifest import (
    CARD_NAME,
    MANIFEST_NAME,
    Manifest,
    content_sha256,
    file_hashes,
    read_manifest,
)
from builder.publication import Checked, check_whole, is_same_repository
from dataset_card.croissant import CROISSANT_NAME, render_croissant
from dataset_card.render import render_card
from eval_tasks.canonical import row_hashes
from eval_tasks.release import HUB_REPOSITORY
from eval_tasks.version import RELEASE_VERSION
from scripts.push_to_hub import app
from tests.hub.conftest import REPOSITORY
from tests.hub.stand_in import READER, WRITER, Fault, StandIn

pytestmark = pytest.mark.filterwarnings(
    "ignore:Use 'content=<...>' to upload raw bytes:DeprecationWarning"
)


@pytest.fixture(autouse=True)
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)


def run(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(app, [str(folder), "--repository", REPOSITORY, *options])


def assert_refused(result: Result, message: str) -> None:
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("error: ")
    assert message in result.stderr
    assert WRITER not in result.output
    assert "Traceback" not in result.output


def restate(folder: Path, **fields: object) -> Manifest:
    """Change fields of the manifest, and the card with it."""
    stated = json.loads((folder / MANIFEST_NAME).read_text()) | {"files": file_hashes(folder)}
    manifest = Manifest.model_validate_json(json.dumps(stated | fields))
    tables = {
        config: {
            split: parquet.read(folder / part.files[0]) for split, part in entry.splits.items()
        }
        for config, entry in manifest.configs.items()
    }
    (folder / CROISSANT_NAME).write_text(render_croissant(manifest))
    manifest = manifest.model_copy(update={"files": file_hashes(folder)})
    (folder / CARD_NAME).write_text(render_card(manifest, tables))
    manifest = manifest.model_copy(update={"files": file_hashes(folder)})
    (folder / MANIFEST_NAME).write_text(manifest.as_text())
    return manifest


def coming(config: str, name: str, value: str) -> Callable[[Path], object]:
    """Let a config's rows say another source or licence, with a manifest that says nothing of it."""

    def change(folder: Path) -> None:
        manifest = read_manifest(folder)
        configs = manifest.model_dump(mode="json")["configs"]
        for part in configs[config]["splits"].values():
            path = folder / part["files"][0]
            table = parquet.read(path)
            rows = table.to_pylist()
            for row in rows:
                row["provenance"][name] = value
            table = pa.Table.from_pylist(rows, schema=table.schema)
            parquet.write(table, path)
            hashes = row_hashes(table)
            part["sha256"], part["row_digests"] = hashes.sha256, "".join(hashes.digests)
        entries = Manifest.model_validate_json(
            json.dumps({**manifest.model_dump(mode="json"), "configs": configs})
        ).configs
        restate(folder, configs=configs, content_sha256=content_sha256(entries))

    return change


def holding(name: str) -> Callable[[Path], object]:
    """Let a release hold and list one more file, a copy of its questions."""

    def change(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = read_manifest(folder).configs["simulated"].splits["test"]
        shutil.copyfile(folder / part.files[0], path)
        restate(folder)

    return change


def stripped_of_its_marks(folder: Path) -> None:
    """A fresh test whose owner took away the marker and the word in the manifest, not the salt."""
    (folder / SALT_NAME).write_text(draw_salt())
    restate(folder, private=False)


def with_a_wrong_answer(folder: Path) -> None:
    path = folder / read_manifest(folder).configs["simulated"].splits["test"].files[0]
    table = parquet.read(path)
    rows = table.to_pylist()
    rows[0]["answer"] = "1"
    parquet.write(pa.Table.from_pylist(rows, schema=table.schema), path)


def edited(folder: Path) -> None:
    with (folder / CARD_NAME).open("a") as card:
        card.write("One more remark.\n")


REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "invalid": (with_a_wrong_answer, "is no valid release"),
    "marked private": (lambda folder: (folder / "PRIVATE").touch(), "is private"),
    "private by its manifest": (lambda folder: restate(folder, private=True), "is private"),
    "sealed": (stripped_of_its_marks, "is private"),
    "cohort": (lambda folder: restate(folder, patients=30), "a scaled cohort, no release"),
    "under an agreement": (coming("simulated", "source", "ohiot1dm"), "the source ohiot1dm"),
    "recordings of one's own": (coming("simulated", "source", "nightscout"), "source nightscout"),
    "unknown recordings": (coming("simulated", "source", "my_pump"), "the source my_pump"),
    "private choices": (
        coming("multiple_choice", "source", "metabonet"),
        "multiple_choice/test holds rows of the source metabonet",
    ),
    "private traces": (coming("traces", "source", "nightscout"), "traces/test holds rows"),
    "terms of others": (
        coming("multiple_choice", "licence", "LicenseRef-private"),
        "the licence LicenseRef-private",
    ),
    "data of no split": (holding("data/real_world/kept.parquet"), "belongs to no split"),
    "data among the code": (holding("eval_tasks/recordings.csv"), "belongs to no split"),
    "stale card": (edited, "README.md: line"),
    "other seed": (lambda folder: restate(folder, seed=5), "seed 5"),
    "other version": (lambda folder: restate(folder, version="0.0.9"), "is version 0.0.9"),
    "stray file": (
        lambda folder: (folder / ".env").write_text("x"),
        ".env is no part of the release",
    ),
    "no release": (lambda folder: (folder / MANIFEST_NAME).unlink(), "is no release"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("options", [(), ("--dry-run",)], ids=["push", "dry run"])
def test_what_may_not_be_published(
    name: str, options: tuple[str, ...], release_folder: Path, hub: StandIn
) -> None:
    change, message = REFUSED[name]
    change(release_folder)
    assert_refused(run(release_folder, *options), message)
    assert hub.log == []


def test_a_dry_run_lists_and_changes_nothing(
    declared_release: Path, hub: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", READER)
    repository = hub.create("dataset", REPOSITORY)
    result = run(declared_release, "--dry-run")
    assert result.exit_code == 0, result.output
    assert "manifest.json" in result.stdout
    assert f"the tag would be {RELEASE_VERSION}" in result.stdout
    assert repository.tags == {}
    assert len(repository.commits) == 1
    assert not [line for line in hub.log if not line.startswith("GET ")]


def test_push_and_once_more(declared_release: Path, hub: StandIn) -> None:
    result = run(declared_release, "--create", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert hub.dataset(REPOSITORY).tags == {RELEASE_VERSION: told["commit"]}
    assert (told["head"], told["unchanged"]) == (None, 0)
    assert WRITER not in result.output
    assert_refused(run(declared_release), f"has the tag {RELEASE_VERSION} already")


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (Fault(method="GET", path="/refs", status=401), "HTTP 401"),
        (Fault(method="GET", path="/refs", status=403), "HTTP 403"),
        (Fault(method="GET", path="/refs", status=429), "HTTP 429"),
        (Fault(method="GET", path="/refs", status=500), "HTTP 500"),
        (Fault(method="GET", path="/refs"), "check the network"),
    ],
    ids=["401", "403", "429", "500", "cut"],
)
def test_errors_of_the_hub_are_one_line(
    fault: Fault, message: str, declared_release: Path, hub: StandIn
) -> None:
    hub.create("dataset", REPOSITORY)
    hub.faults.append(fault)
    result = run(declared_release)
    assert_refused(result, message)
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_missing_repository_is_made_on_request_only(declared_release: Path, hub: StandIn) -> None:
    assert_refused(run(declared_release), "--create makes the repository")
    assert hub.repositories == {}


@pytest.mark.usefixtures("waits")
def test_a_token_that_may_only_read(
    declared_release: Path, hub: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.create("dataset", REPOSITORY)
    monkeypatch.setenv("HF_TOKEN", READER)
    assert_refused(run(declared_release), "write access")
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    assert_refused(run(declared_release), "the token is not accepted")


def test_without_a_token_or_network(
    declared_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "none"))
    monkeypatch.delenv("HF_TOKEN", raising=False)
    assert_refused(run(declared_release), "there is no token")
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    assert_refused(run(declared_release, "--dry-run"), "no answer from the Hub")


@pytest.mark.parametrize("name", [HUB_REPOSITORY, "HealthLoopQA/HealthloopQA"])
def test_a_part_of_a_release_does_not_stand_for_it(
    name: str, hub: StandIn, release_folder: Path
) -> None:
    result = CliRunner().invoke(app, [str(release_folder), "--repository", name])
    assert_refused(result, "fault_injected")
    assert hub.repositories == {}


def test_the_hub_takes_capitals_for_small_letters() -> None:
    assert is_same_repository("Org/Name", "org/name")
    assert not is_same_repository("org/name", "org/names")


@pytest.mark.parametrize("split", ["test", "train"])
def test_a_part_of_the_questions_does_not_stand_for_all(split: str, declared_release: Path) -> None:
    manifest = read_manifest(declared_release)
    entry = manifest.configs["simulated"]
    configs = {"simulated": entry.model_copy(update={"splits": {split: entry.splits["test"]}})}
    part = manifest.model_copy(update={"absent": {}, "configs": configs})
    asked = entry.splits["test"].rows if split == "test" else 0
    with pytest.raises(BuildError, match=rf"has {asked} questions in simulated/test, not \d+;"):
        check_whole(Checked(folder=declared_release, manifest=part, files={}))
