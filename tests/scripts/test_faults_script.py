import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from builder.answer_pictures import answer_spans
from builder.release import Report
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


def test_questions_are_drawn_as_their_reader_sees_them(
    small_release: Report, tmp_path: Path
) -> None:
    asked = ["ad_2", "ad_4", "ad_25"]
    options = [part for name in asked for part in ("--task", name)]
    folder = ["--release", str(small_release.folder)]
    done = RUNNER.invoke(app, ["questions", str(tmp_path), *folder, *options])

    assert done.exit_code == 0, done.output
    assert {path.stem for path in tmp_path.glob("*.png")} == set(asked)


def test_questions_need_a_release_with_faults(tmp_path: Path) -> None:
    done = RUNNER.invoke(app, ["questions", str(tmp_path), "--release", str(tmp_path)])

    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("kind", "answer", "spans"),
    [
        ("intervals", '[{"start": 10, "end": 11}]', [(10, 16)]),
        ("day", "2", [(1440, 2880)]),
        ("day_list", "[1, 3]", [(0, 1440), (2880, 4320)]),
        ("hour_list", "[5]", [(300, 360), (1740, 1800)]),
        ("integer", "7", []),
    ],
)
def test_what_an_answer_names_is_shaded(
    kind: str, answer: str, spans: list[tuple[int, int]]
) -> None:
    row = {"answer_type": kind, "answer": answer, "input_context": {"bg_mgdl": [100] * 576}}

    assert answer_spans(row) == spans


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
