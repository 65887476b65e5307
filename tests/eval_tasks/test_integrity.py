import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_tasks.canonical import row_hashes
from eval_tasks.errors import ReleaseError
from eval_tasks.release import find_release
from tests.eval_tasks.tiny_release import write_release

Rows = list[dict[str, Any]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_release(tmp_path / "release")


def check(folder: Path) -> None:
    find_release(str(folder)).check("simulated", "test")


def file_of(folder: Path) -> Path:
    return folder / find_release(str(folder)).parts["simulated"]["test"].files[0]


def rewrite(folder: Path, change: Callable[[Rows], Rows]) -> None:
    table = pq.read_table(file_of(folder))
    pq.write_table(
        pa.Table.from_pylist(change(table.to_pylist()), schema=table.schema), file_of(folder)
    )


def edit_manifest(folder: Path, **changed: object) -> None:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["configs"]["simulated"]["splits"]["test"].update(changed)
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def with_record_changed(rows: Rows) -> Rows:
    record = rows[3]["input_context"]
    return [
        row if place != 3 else {**row, "input_context": {**record, "bg_mgdl": [1, 2]}}
        for place, row in enumerate(rows)
    ]


def test_untouched_rows_pass(folder: Path) -> None:
    for config, splits in find_release(str(folder)).parts.items():
        for split in splits:
            find_release(str(folder)).check(config, split)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda rows: [*rows[:2], {**rows[2], "answer": "99"}, *rows[3:]], r"row 2 \(pm_0/2\)"),
        (lambda rows: [{**rows[0], "question": "Eh?"}, *rows[1:]], r"row 0 \(pm_0/0\)"),
        (with_record_changed, r"row 3 \(pm_7/0\)"),
        (lambda rows: [rows[0], rows[2], rows[1], *rows[3:]], r"row 1 \(pm_0/2\)"),
        (lambda rows: rows[1:], "26 rows, but the manifest lists 27"),
    ],
)
def test_changed_rows_are_named(folder: Path, change: Callable[[Rows], Rows], problem: str) -> None:
    rewrite(folder, change)
    with pytest.raises(ReleaseError, match=f"^simulated/test: {problem}.*build the release anew$"):
        check(folder)


def test_a_changed_hash_is_refused(folder: Path) -> None:
    edit_manifest(folder, sha256="0" * 64)
    with pytest.raises(ReleaseError, match=r"simulated/test: .* not those of the manifest's hash"):
        check(folder)


@pytest.mark.parametrize("name", ["../rows.parquet", "data/../../rows.parquet", "/rows.parquet"])
def test_paths_stay_inside_the_release(folder: Path, name: str) -> None:
    (folder.parent / "rows.parquet").write_bytes(file_of(folder).read_bytes())
    edit_manifest(folder, files=[name])
    with pytest.raises(ReleaseError, match=r"rows.parquet lies outside the release"):
        check(folder)


def test_a_missing_or_broken_file_is_named(folder: Path) -> None:
    path = file_of(folder)
    path.write_bytes(b"nothing")
    with pytest.raises(ReleaseError, match=r"test-.*\.parquet cannot be read \(.*\); download"):
        check(folder)
    path.unlink()
    with pytest.raises(ReleaseError, match=r"test-.*\.parquet is missing; download"):
        check(folder)


def test_the_card_must_name_the_same_files(folder: Path) -> None:
    card = folder / "README.md"
    text = card.read_text(encoding="utf-8")
    card.write_text(text.replace("data/simulated/test", "data/other/test"), encoding="utf-8")
    with pytest.raises(ReleaseError, match=r"README.md names other files than the manifest's"):
        check(folder)
    card.write_text("no front matter", encoding="utf-8")
    with pytest.raises(ReleaseError, match="does not say where its rows lie"):
        check(folder)


def test_equal_records_are_hashed_once(folder: Path) -> None:
    rows = pq.read_table(file_of(folder)).slice(0, 1)
    many = pa.concat_tables([rows] * 1000)
    start = time.process_time()
    digests = row_hashes(many).digests
    assert time.process_time() - start < 1
    assert len(set(digests)) == 1
