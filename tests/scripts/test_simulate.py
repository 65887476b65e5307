"""The simulator as its users meet it: tables, pictures, hypotheticals, refusals in one line."""

import json
from pathlib import Path

import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from scripts.simulate import app


def run(*options: str) -> dict[str, object]:
    done = CliRunner().invoke(app, [*options, "--json"])
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.stdout)
    return found


def refused(*options: str) -> str:
    done = CliRunner().invoke(app, [*options])
    assert done.exit_code == 1, done.output
    assert done.stdout == ""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    return lines[0]


def test_several_patients_go_into_one_parquet_file(tmp_path: Path) -> None:
    path = tmp_path / "days.parquet"
    found = run(
        "--patient",
        "adult_003",
        "--patient",
        "child_001.sib2",
        "--days",
        "2",
        "--output",
        str(path),
    )
    table = pq.read_table(path)

    assert found["written"] == [str(path)]
    assert table.num_rows == 2 * 2 * 288
    assert table["patient_id"].to_pylist()[:: 2 * 288] == ["adult_003", "child_001.sib2"]


def test_a_csv_file_and_a_picture(tmp_path: Path) -> None:
    table, picture = tmp_path / "days.csv", tmp_path / "days.png"
    run("--patient", "adult_009", "--days", "1", "--output", str(table), "--picture", str(picture))

    assert pc.read_csv(table).num_rows == 288
    assert picture.stat().st_size > 5000


def test_threads_change_nothing(tmp_path: Path) -> None:
    tables = []
    for workers in ("1", "3"):
        path = tmp_path / f"{workers}.parquet"
        run("--cohort", "test", "--days", "1", "--workers", workers, "--output", str(path))
        tables.append(pq.read_table(path))

    assert tables[0].equals(tables[1])


def test_variations_and_another_therapy_are_named_in_the_trace() -> None:
    found = run(
        "--patient", "adult_001", "--days", "3", "--vary", "heavy=1", "--therapy", "injections"
    )

    traces = found["traces"]
    assert isinstance(traces, list)
    assert traces[0]["trace_id"] == "adult_001.s1.injections.varied"
    assert traces[0]["therapy"] == "multiple_daily_injections"


def test_a_hypothetical_meal_is_in_the_table(tmp_path: Path) -> None:
    path = tmp_path / "what_if.parquet"
    run(
        *("--patient", "adult_001", "--days", "2", "--cut", "2000", "--add", "lunch:80@2010"),
        *("--add", "meal_bolus:6.5@2005", "--add", "walk:3:30@2200", "--output", str(path)),
    )
    after = pq.read_table(path).slice(400)

    assert [g for g in after["carbs_g"].to_pylist() if g] == [80.0]
    assert [u for u in after["meal_bolus_u"].to_pylist() if u] == [6.5]
    assert after["exercise"].to_pylist().count("walk") == 6


def test_the_table_is_for_people() -> None:
    done = CliRunner().invoke(app, ["--patient", "adult_001", "--days", "1"])

    assert done.exit_code == 0
    assert "adult_001.s1" in done.stdout


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--days", "-3"), "cannot simulate -3 days; allowed 1 to 400"),
        (("--patient", "adult_011"), "did you mean adult_01"),
        (("--cohort", "dev"), "one of test, validation, train"),
        (("--therapy", "pills"), "only pid, temporary_basals, pump, injections"),
        (("--scenario", "odd"), "only usual, regular"),
        (("--vary", "heavy"), "like heavy=0.3"),
        (("--vary", "heavy=2"), "allowed are 0 to 1"),
        (("--vary", "huge=0.2"), "only heavy, light, early, delayed, skipped"),
        (("--output", "days.xlsx"), "written as .parquet or .csv"),
        (("--picture", "days.bmp"), "written as .png, .svg, .pdf, not .bmp"),
        (("--add", "lunch:60@100"), "need --cut"),
        (("--cut", "100"), "exactly one --patient"),
    ],
)
def test_bad_requests_are_refused_with_what_is_allowed(
    options: tuple[str, ...], reason: str
) -> None:
    assert reason in refused(*options)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--cut", "99999", "--nothing"), "0 <= cut < until <= 2880"),
        (("--cut", "1000", "--add", "lunch:5000@1010"), "allowed are up to 300 g"),
        (("--cut", "1000", "--add", "lunch:50@900"), "outside 1000 to 2879"),
        (("--cut", "1000", "--add", "walk:15:30@1100"), "walk at 15 mph; allowed are 2.5 to 3.7"),
        (("--cut", "1000", "--add", "meal_bolus:0.33@1100"), "multiples of 0.05 U up to 30 U"),
        (("--cut", "1000", "--add", "lunch"), "not written like lunch:60@9000"),
        (("--cut", "1000", "--add", "run:6@1100"), "minutes are missing"),
        (("--cut", "1000", "--add", "swim:6:30@1100"), "no meal, bolus or kind of exercise"),
    ],
)
def test_bad_hypotheticals_are_refused_with_what_is_allowed(
    options: tuple[str, ...], reason: str
) -> None:
    assert reason in refused("--patient", "adult_001", "--days", "2", *options)


def test_a_file_in_a_missing_folder_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "days.parquet"

    assert str(path) in refused("--patient", "adult_001", "--days", "1", "--output", str(path))
