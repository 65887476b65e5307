import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from eval_tasks.question import Question
from eval_tasks.release import find_release
from eval_tasks.scoring import answer_text
from scripts.score import app
from tests.eval_tasks.tiny_release import rows, write_release


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_release(tmp_path / "release")


def answers(path: Path, shift: int = 0, configs: tuple[str, ...] = ("simulated",)) -> Path:
    """Gold answers to the rows of a release."""
    questions = [
        Question.from_row(row)
        for config, part in rows(shift).items()
        for row in part
        if config in configs
    ]
    lines = [
        {"instance_id": question.id, "completion": answer_text(json.loads(question.answer))}
        for question in questions
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def report(*arguments: object) -> dict[str, Any]:
    result = invoke(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_gold_scores_1_overall_and_by_group(tmp_path: Path, release: Path) -> None:
    path = answers(tmp_path / "gold.jsonl", configs=("simulated", "fault_injected", "longevity"))
    found = report(path, "--release", release)
    assert list(found["configs"]) == ["simulated", "fault_injected", "longevity"]
    for config, part in found["configs"].items():
        assert part["score"] == part["strict"] == part["skill"] == 1
        assert part["n"] == part["statuses"]["ok"] == found["rows_listed"][config]
    assert found["configs"]["simulated"]["by_level"]["memory"]["score"] == 1
    assert found["release"]["content_sha256"] == find_release(str(release)).content_sha256


def test_the_table_says_what_is_missing_and_what_is_partial(tmp_path: Path, release: Path) -> None:
    path = answers(tmp_path / "some.jsonl")
    path.write_text("\n".join(path.read_text(encoding="utf-8").split("\n")[:5]), encoding="utf-8")
    whole = invoke(path, "--release", release)
    assert "22 of 27 rows of simulated have no answer and score 0" in whole.stdout
    part = invoke(path, "--release", release, "--partial")
    assert "partial: 5 of 27 rows of simulated" in part.stdout
    assert report(path, "--release", release, "--partial")["partial"] is True


def test_a_release_rebuilt_in_place_is_scored_anew(tmp_path: Path, release: Path) -> None:
    path = answers(tmp_path / "gold.jsonl")
    assert report(path, "--release", release)["configs"]["simulated"]["score"] == 1
    write_release(release, shift=40)
    assert report(path, "--release", release)["configs"]["simulated"]["score"] < 1
    renewed = answers(tmp_path / "new.jsonl", shift=40)
    assert report(renewed, "--release", release)["configs"]["simulated"]["score"] == 1


def test_every_row_is_written_on_request(tmp_path: Path, release: Path) -> None:
    path, rows_file = answers(tmp_path / "gold.jsonl"), tmp_path / "rows.jsonl"
    report(path, "--release", release, "--rows", rows_file)
    lines = [json.loads(line) for line in rows_file.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 27
    assert lines[0]["instance_id"] == "pm_0/0"
    assert lines[0]["answer"] == lines[0]["gold"]
    assert invoke(path, "--release", release, "--rows", tmp_path / "no" / "x").exit_code == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("lorem", "no answer"),
        ("[" * 200_000, "no answer"),
        ('{"a":' * 200_000, "no answer"),
        ('{"instance_id": "x", "completion": "5"}', "1 of 1 answers are to no row"),
        ('{"question_id": "pm_1"}', "score it by its own formulas with --evaluator source"),
    ],
)
def test_wrong_files_are_refused_in_one_line(
    tmp_path: Path, release: Path, line: str, message: str
) -> None:
    (tmp_path / "a.jsonl").write_text(line, encoding="utf-8")
    result = invoke(tmp_path / "a.jsonl", "--release", release)
    assert (result.exit_code, result.stdout) == (1, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_sources_evaluator_reads_both_kinds_of_file(tmp_path: Path, release: Path) -> None:
    path = answers(tmp_path / "gold.jsonl", configs=("simulated", "fault_injected"))
    found = report(path, "--release", release, "--evaluator", "source")
    assert list(found["configs"]) == ["simulated", "fault_injected", "simulated + fault_injected"]
    assert found["configs"]["simulated"]["overall"] == pytest.approx(100)
    record = {"question_id": "pm_1", "metric": "Accuracy", "cognitive_level": "Memory"}
    line = json.dumps({**record, "expected_answer": "yes", "predicted_answer": "No"})
    (tmp_path / "theirs.jsonl").write_text(line, encoding="utf-8")
    theirs = report(tmp_path / "theirs.jsonl", "--evaluator", "source")
    assert theirs["configs"]["source file"]["overall"] == 0
    shown = invoke(tmp_path / "theirs.jsonl", "--evaluator", "source").stdout
    assert "process mining" in shown


def test_numbers_without_bounds_print_json(tmp_path: Path, release: Path) -> None:
    """By the source's rule a record whose scoring fails is left out and counted."""
    path = tmp_path / "a.jsonl"
    huge = {"start": 1e308, "end": -1e308}
    line = {"question_id": "ad_4", "metric": "Affinity F-score", "cognitive_level": "Memory"}
    lines = [
        {**line, "expected_answer": [[1, 2]], "predicted_answer": predicted}
        for predicted in ([huge], [[1, 2]])
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    result = invoke(path, "--release", release, "--evaluator", "source", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    part = json.loads(result.stdout, parse_constant=pytest.fail)["configs"]["source file"]
    assert (part["overall"], part["n"], part["left_out"]) == (100, 2, 1)
