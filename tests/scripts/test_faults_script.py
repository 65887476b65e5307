import json
from pathlib import Path

from typer.testing import CliRunner

from scripts.faults import app

RUNNER = CliRunner()


def test_tables_as_json_hold_every_label() -> None:
    result = RUNNER.invoke(app, ["tables", "--patient", "adult_004", "--seed", "1", "--json"])

    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert len(report["detector"]) == len({row["label"] for row in report["hazards"]}) == 18
    assert report["as_meant"] > 0.8


def test_tables_are_printed() -> None:
    result = RUNNER.invoke(app, ["tables", "--patient", "adult_004", "--seed", "1"])

    assert "remote_control" in result.stdout
    assert "glucose moved as meant in" in result.stdout


def test_a_figure_is_drawn_for_every_label(tmp_path: Path) -> None:
    result = RUNNER.invoke(app, ["figures", str(tmp_path), "--patient", "adult_004", "--seed", "1"])

    assert result.exit_code == 0, result.output
    assert len(list(tmp_path.glob("*.png"))) == 18


def test_a_schedule_is_written_and_checked(tmp_path: Path) -> None:
    path = str(tmp_path / "faults.csv")
    options = ["--patient", "adult_004", "--seed", "1", "--days", "20", "--intensity", "1"]
    written = RUNNER.invoke(app, ["schedule", path, *options])
    checked = RUNNER.invoke(app, ["check", path, "--days", "20"])
    refused = RUNNER.invoke(app, ["check", path, "--days", "2"])

    assert "wrote 20 faults" in written.stdout
    assert "holds 20 faults" in checked.stdout
    assert refused.exit_code == 1


def test_the_documented_table_of_causes_is_the_one_of_the_code() -> None:
    table = RUNNER.invoke(app, ["causes"]).stdout.strip()

    assert table in Path("docs/faults.md").read_text()
