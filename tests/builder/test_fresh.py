"""Fresh tests: private, sealed, and apart from the release and from each other."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from builder import parquet
from builder.errors import BuildError, UnevenSeedError
from builder.fresh import (
    LOWEST_SEED,
    NO_RECORDINGS,
    SALT_NAME,
    check_seal_place,
    check_seed,
    draw_salt,
    draw_seed,
    seal_path,
    seal_problems,
    write_seal,
)
from builder.manifest import CARD_NAME, MANIFEST_NAME, Manifest, file_hashes, read_manifest
from builder.publication import checked
from builder.release import Report, Request, _check_shape, build
from builder.release_config import HIGHEST_SEED
from builder.schema import Config, Split, arrow_schema
from builder.validate import problems_of
from eval_tasks.privacy import is_private
from eval_tasks.release import read_folder
from generators.simulated.patients import parent_of
from tests.conftest import small_request
from tests.eval_tasks.tiny_release import qa_row

CONFIGS: tuple[Config, ...] = ("simulated", "fault_injected", "real_world", "longevity")
SEED = LOWEST_SEED + 5


def quiet(_what: str, _done: int, _total: int) -> None:
    pass


def request(output: Path, seed: int) -> Request:
    """A fresh test of one sibling and two tasks."""
    return replace(
        small_request(output, seed=seed),
        patient_ids=("adult_001",),
        task_ids=("pm_14", "ad_1"),
        configs=CONFIGS,
        private=True,
        fresh=True,
    )


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A fresh test that tests must not change."""
    return build(request(tmp_path_factory.mktemp("fresh") / "one", SEED), quiet)


def keys(report: Report) -> Iterator[str]:
    """Yield what makes each row of `test` a question of its own: id, wording with record."""
    for config, entry in report.manifest.configs.items():
        names = ("user_prompt",) if config == "longevity" else ("question", "input_context")
        table = parquet.read(report.folder / entry.splits["test"].files[0])
        for row in table.to_pylist():
            yield row.get("case_id") or row["instance_id"]
            yield json.dumps([row[name] for name in names])


def test_it_is_private_valid_and_of_drawn_siblings(fresh: Report) -> None:
    assert fresh.manifest.private
    assert is_private(read_folder(fresh.folder))
    assert fresh.manifest.absent["real_world"] == NO_RECORDINGS
    assert problems_of(fresh.folder, quiet) == []
    table = parquet.read(fresh.folder / fresh.manifest.configs["simulated"].splits["test"].files[0])
    (patient,) = set(table.column("patient_id").to_pylist())
    assert patient != parent_of(patient) == "adult_001"
    with pytest.raises(BuildError, match="private"):
        checked(fresh.folder, quiet)


def test_it_shares_no_row_with_the_release_or_another_one(fresh: Report, tmp_path: Path) -> None:
    public = replace(request(tmp_path / "public", 0), private=False, fresh=False)
    reports = [
        fresh,
        build(request(tmp_path / "other", SEED + 1), quiet),
        build(replace(public, seed=public.declared.seed), quiet),
    ]
    first, second, third = (set(keys(report)) for report in reports)
    assert len(first) == len(second) == len(third) > 1000
    assert not (first | second) & third
    assert not first & second


def test_the_seal_covers_a_salt_that_no_row_depends_on(fresh: Report, tmp_path: Path) -> None:
    again = build(request(tmp_path / "again", SEED), quiet)
    assert again.manifest.content_sha256 == fresh.manifest.content_sha256
    assert again.manifest.release_sha256 != fresh.manifest.release_sha256
    seal = write_seal(again.folder, again.manifest)
    assert seal == tmp_path / "again.seal.json"
    assert seal_problems(read_manifest(again.folder), seal) == []
    assert [line.split()[0] for line in seal_problems(fresh.manifest, seal)] == ["release_sha256"]


def test_a_seal_tells_neither_seed_nor_digest_of_the_rows(fresh: Report, tmp_path: Path) -> None:
    text = write_seal(tmp_path / "x", fresh.manifest).read_text()
    parts = [part for entry in fresh.manifest.configs.values() for part in entry.splits.values()]
    secret = [str(SEED), fresh.manifest.content_sha256, *(part.sha256 for part in parts)]
    assert not any(one in text for one in secret)
    assert set(json.loads(text)) == {"name", "version", "release_sha256", "rows"}


def test_a_changed_folder_is_not_the_sealed_one(fresh: Report, tmp_path: Path) -> None:
    """Even where the manifest is made to fit the changed files."""
    seal = write_seal(tmp_path / "x", fresh.manifest)
    files = {**fresh.manifest.files, SALT_NAME: "0" * 64}
    changed: Manifest = fresh.manifest.model_copy(update={"files": files})
    assert seal_problems(changed, seal)
    card = {**fresh.manifest.files, CARD_NAME: "0" * 64}
    assert not seal_problems(fresh.manifest.model_copy(update={"files": card}), seal)
    assert fresh.manifest.files[CARD_NAME] == file_hashes(fresh.folder)[CARD_NAME]


@pytest.mark.parametrize("text", ["", "{}", '{"name": "x", "version": "1", "release_sha256": "g"}'])
def test_what_is_no_seal_is_refused(fresh: Report, tmp_path: Path, text: str) -> None:
    path = tmp_path / "seal.json"
    path.write_text(text)
    with pytest.raises(BuildError, match="is no seal"):
        seal_problems(fresh.manifest, path)
    with pytest.raises(BuildError, match="is no seal"):
        seal_problems(fresh.manifest, tmp_path / MANIFEST_NAME)


def test_seeds_that_can_be_tried_are_refused(tmp_path: Path) -> None:
    check_seed(LOWEST_SEED)
    check_seed(HIGHEST_SEED)
    with pytest.raises(BuildError, match="leave --seed out"):
        check_seed(LOWEST_SEED - 1)
    with pytest.raises(BuildError, match="can be guessed"):
        build(request(tmp_path / "out", 7), quiet)


def test_drawn_seeds_and_salts_differ_and_are_long_enough() -> None:
    seeds, salts = {draw_seed() for _ in range(20)}, {draw_salt() for _ in range(20)}
    assert len(seeds) == len(salts) == 20
    assert all(LOWEST_SEED <= seed <= HIGHEST_SEED for seed in seeds)
    assert all(len(bytes.fromhex(salt)) == 32 for salt in salts)


def test_a_fresh_test_is_private_and_a_test(tmp_path: Path) -> None:
    wanted = request(tmp_path / "out", SEED)
    with pytest.raises(BuildError, match="never published"):
        build(replace(wanted, private=False), quiet)
    with pytest.raises(BuildError, match="not test, train"):
        build(replace(wanted, cohorts=("test", "train")), quiet)


def test_a_seal_that_may_be_published_is_not_replaced_unasked(
    fresh: Report, tmp_path: Path
) -> None:
    check_seal_place(tmp_path / "x", overwrite=False)
    write_seal(tmp_path / "x", fresh.manifest)
    check_seal_place(tmp_path / "x", overwrite=True)
    with pytest.raises(BuildError, match="exists"):
        check_seal_place(tmp_path / "x", overwrite=False)
    assert seal_path(Path("some")).name == "some.seal.json"


@pytest.mark.parametrize(
    ("missing", "most", "message"),
    [
        (0, 0.6, None),
        (1, 0.6, "354 questions on anomaly_detection, not 355"),
        (0, 0.61, 'ad_1: 61% of the answers are "no"'),
    ],
)
def test_a_seed_of_another_shape_is_refused(
    tmp_path: Path, missing: int, most: float, message: str | None
) -> None:
    whole = replace(request(tmp_path, SEED), patient_ids=(), task_ids=())
    count = whole.declared.test_total["anomaly_detection"] - missing
    common = int(most * count)
    rows = [
        qa_row("ad_1", "category", answer, "<no|yes>", number=number, options=["no", "yes"])
        for number, answer in enumerate(["no"] * common + ["yes"] * (count - common))
    ]
    test = pa.Table.from_pylist(rows, schema=arrow_schema("fault_injected"))
    splits: dict[Config, dict[Split, pa.Table]] = {"fault_injected": {"test": test}}
    _check_shape(replace(whole, fresh=False), splits)
    _check_shape(replace(whole, task_ids=("ad_1",)), splits)
    if message is None:
        _check_shape(whole, splits)
        return
    with pytest.raises(UnevenSeedError, match=message):
        _check_shape(whole, splits)
