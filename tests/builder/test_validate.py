"""Every law of a release is noticed when it is broken."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from builder import parquet
from builder.errors import BuildError
from builder.manifest import Manifest, read_manifest
from builder.release import Report
from builder.validate import problems_of

Rows = list[dict[str, Any]]


def quiet(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""


@pytest.fixture
def release(one_patient_release: Report, tmp_path: Path) -> Path:
    folder = tmp_path / "release"
    shutil.copytree(one_patient_release.folder, folder)
    return folder


def file_of(folder: Path, config: str, split: str) -> Path:
    manifest = read_manifest(folder)
    return folder / manifest.configs[config].splits[split].files[0]  # type: ignore[index]


def rewrite(folder: Path, config: str, split: str, change: Callable[[Rows], object]) -> list[str]:
    """Change the rows of a split and return the problems found."""
    path = file_of(folder, config, split)
    table = parquet.read(path)
    rows = table.to_pylist()
    change(rows)
    parquet.write(pa.Table.from_pylist(rows, schema=table.schema), path)
    return problems_of(folder, quiet)


def first(rows: Rows, **wanted: object) -> dict[str, Any]:
    return next(row for row in rows if all(row[name] == value for name, value in wanted.items()))


CHANGES: dict[str, tuple[str, str, Callable[[Rows], object], str]] = {
    "wrong number": (
        "simulated",
        "full",
        lambda rows: first(rows, task_id="pm_0").update(answer="111.1"),
        "second computation",
    ),
    "wrong count": (
        "simulated",
        "full",
        lambda rows: first(rows, task_id="pm_7").update(answer="999"),
        "second computation",
    ),
    "wrong category": (
        "simulated",
        "full",
        lambda rows: first(rows, task_id="pm_23").update(answer='"supper"'),
        "cannot be scored",
    ),
    "answer that is no JSON": (
        "simulated",
        "full",
        lambda rows: rows[0].update(answer="about 140"),
        "cannot be scored",
    ),
    "spike moved by a sample": (
        "fault_injected",
        "full",
        lambda rows: first(rows, task_id="ad_4").update(answer='[{"start": 3000, "end": 3001}]'),
        "unlike the truth of the trace",
    ),
    "stop moved": (
        "fault_injected",
        "full",
        lambda rows: first(rows, task_id="ad_59").update(answer='[{"start": 3000, "end": 3060}]'),
        "unlike the truth of the trace",
    ),
    "interval backwards": (
        "fault_injected",
        "full",
        lambda rows: first(rows, task_id="ad_3").update(answer='[{"start": 3000, "end": 2000}]'),
        "cannot be scored",
    ),
    "record longer than the cut": (
        "simulated",
        "full",
        lambda rows: first(rows, task_id="pd_1").update(cut_minute=40_000),
        "does not end at the cut",
    ),
    "same row twice": (
        "simulated",
        "full",
        lambda rows: rows.append(rows[0]),
        "more than once",
    ),
    "row of test not in full": (
        "simulated",
        "test",
        lambda rows: rows[0].update(instance_id="simulated/other"),
        "not in full",
    ),
    "reading out of range": (
        "simulated",
        "full",
        lambda rows: rows[0]["input_context"]["bg_mgdl"].__setitem__(7, 999),
        "not 0 and 500",
    ),
    "event on the wrong day": (
        "simulated",
        "full",
        lambda rows: rows[0]["input_context"]["carb_events"][3].update(day=29),
        "is not",
    ),
    "event after the end": (
        "simulated",
        "full",
        lambda rows: rows[0]["input_context"]["carb_events"][-1].update(
            time=50_400, day=36, time_str="00:00"
        ),
        "outside the record",
    ),
    "insulin shorter than glucose": (
        "simulated",
        "full",
        lambda rows: rows[0]["input_context"]["insulin_mu_min"].pop(),
        "differ in length",
    ),
    "case missing": ("longevity", "test", lambda rows: rows.pop(), "not 40"),
    "verdict flipped in one case": (
        "longevity",
        "test",
        lambda rows: rows[0].update(answer='"yes"' if rows[0]["answer"] == '"no"' else '"no"'),
        "differs between its cases",
    ),
    "truth too short": (
        "traces",
        "test",
        lambda rows: rows[0]["true_glucose"].pop(),
        "differ in length",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_broken_row_is_noticed(release: Path, name: str) -> None:
    config, split, change, message = CHANGES[name]
    problems = rewrite(release, config, split, change)
    assert any(message in problem for problem in problems), problems
    assert any("hash" in problem for problem in problems)


def test_broken_files_are_noticed(release: Path) -> None:
    path = file_of(release, "simulated", "test")
    path.write_bytes(path.read_bytes()[:1000])
    (release / "LICENSE").unlink()
    problems = "\n".join(problems_of(release, quiet))
    assert "simulated/test: a file of" in problems
    assert "LICENSE is missing" in problems


def test_card_of_another_release_is_noticed(release: Path) -> None:
    card = release / "README.md"
    card.write_text(card.read_text().replace("split: full", "split: train"))
    assert any("YAML block" in problem for problem in problems_of(release, quiet))


def test_another_list_of_broken_rules_than_that_of_the_rows_is_noticed(release: Path) -> None:
    path = release / "manifest.json"
    stated = {**json.loads(path.read_text()), "unbalanced": ["simulated/test: pd_9: 99%"]}
    path.write_text(json.dumps(stated))
    assert any("unbalanced does not follow" in problem for problem in problems_of(release, quiet))


def test_folder_without_manifest_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"holds no manifest\.json"):
        problems_of(tmp_path, quiet)


def test_manifest_with_an_unknown_field_is_refused(release: Path) -> None:
    path = release / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "extra": 1}))
    with pytest.raises(BuildError, match="cannot be read"):
        read_manifest(release)


def test_manifest_survives_reading_and_writing(one_patient_release: Report) -> None:
    text = (one_patient_release.folder / "manifest.json").read_text()
    assert Manifest.model_validate_json(text).as_text() == text
