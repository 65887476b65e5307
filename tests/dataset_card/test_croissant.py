"""The Croissant file of a release, as mlcroissant reads it."""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from builder import parquet
from builder.release import Report
from dataset_card.texts import HOME
from eval_tasks.release import HUB_REPOSITORY

READ = """
import itertools, json, sys
import mlcroissant
dataset = mlcroissant.Dataset(sys.argv[1])
found = {"errors": sorted(dataset.metadata.ctx.issues.errors), "warnings": sorted(dataset.metadata.ctx.issues.warnings)}
for name in sys.argv[2:]:
    found[name] = list(itertools.islice(dataset.records(name), 2))
def plain(value):
    return value.decode() if isinstance(value, bytes) else value.item()
print(json.dumps(found, default=plain))
"""
"""In a process of its own: mlcroissant and rdflib raise warnings of their own."""

READ_BACK = ("simulated", "longevity", "traces")
"""One config of each schema."""


@pytest.fixture(scope="module")
def read(small_release: Report) -> dict[str, Any]:
    path = str(small_release.folder / "croissant.json")
    names = [f"{config}/test" for config in READ_BACK]
    done = subprocess.run(
        [sys.executable, "-c", READ, path, *names], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_it_is_valid(read: dict[str, Any]) -> None:
    assert read["errors"] == []
    assert [text for text in read["warnings"] if "datePublished" not in text] == []


def test_it_describes_every_column_and_file(small_release: Report) -> None:
    content = json.loads((small_release.folder / "croissant.json").read_text())
    fields = {one["@id"]: [f["name"] for f in one["field"]] for one in content["recordSet"]}
    hashes = {one["@id"]: one["sha256"] for one in content["distribution"]}
    for config, entry in small_release.manifest.configs.items():
        for split, part in entry.splits.items():
            table = parquet.read(small_release.folder / part.files[0])
            assert fields[f"{config}/{split}"] == table.column_names
            assert hashes[part.files[0]] == small_release.manifest.files[part.files[0]]
    assert small_release.manifest.canary in content["description"]
    assert content["url"].endswith(HUB_REPOSITORY)
    assert HOME.endswith(HUB_REPOSITORY)


def flat(value: Any, above: str) -> Any:
    """Return a value of a row with the names that Croissant gives its parts."""
    if isinstance(value, dict):
        return {f"{above}/{name}": flat(inner, f"{above}/{name}") for name, inner in value.items()}
    if isinstance(value, list):
        return [flat(inner, above) for inner in value]
    return value


def same(one: Any, other: Any) -> bool:
    """Whether two values agree, NaN standing for null."""
    if isinstance(one, float) and math.isnan(one):
        return other is None
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@pytest.mark.parametrize("config", READ_BACK)
def test_rows_come_back(small_release: Report, read: dict[str, Any], config: str) -> None:
    name = small_release.manifest.configs[config].splits["test"].files[0]  # type: ignore[index]
    rows = parquet.read(Path(small_release.folder / name)).slice(0, 2).to_pylist()
    for row, found in zip(rows, read[f"{config}/test"], strict=True):
        for column, value in row.items():
            where = f"{config}/test/{column}"
            expected = flat(value, where)
            if column != "input_context":
                assert same(found[where], expected), where
                continue
            events = {part: inner for part, inner in expected.items() if part.endswith("_events")}
            assert all(same(found[part], inner) for part, inner in events.items())
            readings = f"{where}/bg_mgdl"
            assert same(found[where][readings], expected[readings])
