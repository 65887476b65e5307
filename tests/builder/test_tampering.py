"""Whatever is changed in the folder of a release is noticed, whichever file it is."""

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from builder import parquet
from builder.manifest import CARD_NAME, MANIFEST_NAME, Manifest, read_manifest
from builder.release import Report, build
from builder.validate import problems_of
from tests.conftest import small_request


def quiet(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A release of the longevity cases alone that tests must not change."""
    folder = tmp_path_factory.mktemp("built") / "release"
    return build(replace(small_request(folder), configs=("longevity",), patient_ids=()), quiet)


@pytest.fixture
def release(built: Report, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built.folder, tmp_path / "release"))


def problems(release: Path) -> str:
    return "\n".join(problems_of(release, quiet))


def relist(release: Path, name: str) -> None:
    """Write a file's hash into the manifest, as a forger would."""
    manifest = read_manifest(release)
    digest = hashlib.sha256((release / name).read_bytes()).hexdigest()
    changed = manifest.model_copy(update={"files": {**manifest.files, name: digest}})
    (release / MANIFEST_NAME).write_text(changed.as_text())


def test_every_file_is_listed(release: Path) -> None:
    there = {p.relative_to(release).as_posix() for p in release.rglob("*") if p.is_file()}
    assert set(read_manifest(release).files) == there - {MANIFEST_NAME}
    assert any(name.startswith("eval_tasks/solver/") for name in there)
    assert problems(release) == ""


def test_no_file_can_be_edited_or_deleted(release: Path) -> None:
    names = [name for name in read_manifest(release).files if not name.endswith(".parquet")]
    for name in names:
        (release / name).write_bytes((release / name).read_bytes() + b" ")
    edited = problems(release)
    assert all(f"{name} is not the file whose hash" in edited for name in names)
    for name in set(names) - {CARD_NAME}:
        (release / name).unlink()
    deleted = problems(release)
    assert all(f"{name} is missing" in deleted for name in set(names) - {CARD_NAME})


@pytest.mark.parametrize(
    "name",
    [
        *("data/longevity/test-00001-of-00002.parquet", "eval_tasks/more.py", "notes", ".hidden"),
        *("results", "eval_tasks/results/x", "resultsx"),
    ],
)
def test_a_file_too_many_is_named(release: Path, name: str) -> None:
    (release / name).parent.mkdir(exist_ok=True)
    (release / name).write_text("x")
    assert f"{name} is no part of the release" in problems(release)


def test_what_git_the_hub_and_python_add_is_no_part_of_it(release: Path) -> None:
    for name in (
        *(".gitattributes", ".git/HEAD", ".cache/x", "eval_tasks/__pycache__/x.pyc"),
        *(".litellm_cache/cache.db", "results/results/gold/results_1.json", "logs/x.eval"),
        "answers/kept/healthloopqa-simulated.jsonl",
    ):
        (release / name).parent.mkdir(parents=True, exist_ok=True)
        (release / name).write_text("x")
    assert problems(release) == ""


CHANGES: dict[str, Callable[[Any], Any]] = {
    "name": lambda name: name + "x",
    "version": lambda _: "9.9.9",
    "seed": lambda seed: seed + 1,
    "release_config_sha256": lambda _: "0" * 64,
    "code_commit": lambda _: "0" * 40,
    "libraries": lambda libraries: {**libraries, "numpy": "0"},
    "content_sha256": lambda _: "0" * 64,
    "configs": lambda _: {},
    "absent": lambda _: {},
    "left_out": lambda _: [
        {"config": "simulated", "subject": "x", "task_id": None, "reason": "none"}
    ],
    "cleaning": lambda _: {"azt1d_01": {"dropped": 1}},
    "canary": lambda _: "none",
    "private": lambda _: True,
    "patients": lambda _: 5,
    "unbalanced": lambda _: ["simulated/test: pm_0: 70% of answers are equal"],
    "files": lambda files: {name: sha for name, sha in files.items() if "solver" not in name},
}


@pytest.mark.parametrize("field", Manifest.model_fields)
def test_no_field_of_the_manifest_can_be_changed(release: Path, field: str) -> None:
    path = release / MANIFEST_NAME
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, field: CHANGES[field](content.get(field))}))
    assert problems(release) != ""


def test_a_changed_seed_contradicts_the_rows(release: Path) -> None:
    path = release / MANIFEST_NAME
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "seed": 5}))
    assert "longevity/test: rows say seed 11, the manifest says 5" in problems(release)


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", '{"longevity": {"test": {}}}'])
def test_broken_floors_are_noticed_though_their_hash_is_listed(release: Path, text: str) -> None:
    (release / "baselines.json").write_text(text)
    relist(release, "baselines.json")
    assert "baselines.json" in problems(release)


def test_lower_floors_are_noticed_though_their_hash_is_listed(release: Path) -> None:
    path = release / "baselines.json"
    floors = json.loads(path.read_text())
    (task,) = floors["longevity"]["test"].values()
    task["floor"] -= 0.01
    path.write_text(json.dumps(floors))
    relist(release, "baselines.json")
    assert "/floor does not follow from the rows" in problems(release)


def test_another_card_is_noticed_though_its_hash_is_listed(release: Path) -> None:
    card = release / CARD_NAME
    text = card.read_text()
    card.write_text(text.replace("Nothing here is medical advice", "This is medical advice"))
    relist(release, CARD_NAME)
    line = 1 + text[: text.index("Nothing here is medical")].count("\n")
    assert problems(release) == (
        f"README.md: line {line} is not what this code writes about these rows and this manifest"
    )


def test_the_digest_covers_all_but_the_card(release: Path, built: Report) -> None:
    digest = built.manifest.release_sha256
    assert digest in (release / CARD_NAME).read_text()
    (release / CARD_NAME).write_text("x")
    relist(release, CARD_NAME)
    assert read_manifest(release).release_sha256 == digest
    (release / "LICENSE").write_text("x")
    relist(release, "LICENSE")
    assert read_manifest(release).release_sha256 != digest


def test_columns_of_another_kind_are_named(release: Path) -> None:
    name = read_manifest(release).configs["longevity"].splits["test"].files[0]
    parquet.write(pa.table({"a": [1]}), release / name)
    assert "longevity/test: the columns are not those" in problems(release)


@pytest.mark.parametrize("answer", ["", "yes", "{", "null"])
def test_an_answer_of_a_case_that_is_no_json_is_named(release: Path, answer: str) -> None:
    path = release / read_manifest(release).configs["longevity"].splits["test"].files[0]
    table = parquet.read(path)
    rows = [{**row, "answer": answer} for row in table.to_pylist()]
    parquet.write(pa.Table.from_pylist(rows, schema=table.schema), path)
    assert "is none of the options" in problems(release)
