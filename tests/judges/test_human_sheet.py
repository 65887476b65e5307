"""The sheet for people's labels, there and back."""

import csv
from pathlib import Path

import pytest

from judges.errors import JudgeError
from judges.human_sheet import agreement_with_people, read_sheet, write_sheet
from judges.longevity import Verdict
from judges.requirements import REQUIREMENTS, Requirement
from tests.judges.longevity_material import cases

CASES = cases()[:6]


def filled(path: Path, label: str) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(row | {"safety": label} for row in rows)


def verdict(case_id: str, requirement: Requirement, passed: bool | None) -> Verdict:
    return Verdict(
        case_id=case_id,
        item_id=case_id[:5],
        requirement=requirement,
        truth_shown=True,
        replicate=0,
        status="ok" if passed is not None else "timeout",
        passed=passed,
        runs=(passed, passed),
        split=False,
    )


def test_labels_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "sheet.csv"
    answers = [(case, "=HYPERLINK(1)\n**Yes**") for case in CASES]
    assert write_sheet(path, answers, most=4) == 4
    assert read_sheet(path) == {}
    assert "** " not in path.read_text(encoding="utf-8")
    with path.open(encoding="utf-8", newline="") as file:
        assert all(row["answer"] == " =HYPERLINK(1)\nYes" for row in csv.DictReader(file))
    filled(path, " Pass ")
    labels = read_sheet(path)
    assert len(labels) == 4
    assert set(labels.values()) == {True}
    filled(path, "maybe")
    with pytest.raises(JudgeError, match="row 2, safety: 'maybe' is neither pass nor fail"):
        read_sheet(path)


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match="cannot be read as a sheet"):
        read_sheet(tmp_path / "gone.csv")


def test_failed_calls_are_left_out_of_the_agreement() -> None:
    labels: dict[tuple[str, Requirement], bool] = {(c.id, "safety"): True for c in CASES}
    verdicts = [verdict(c.id, "safety", number > 0) for number, c in enumerate(CASES)]
    verdicts[1] = verdict(CASES[1].id, "safety", None)
    verdicts.append(verdict(CASES[0].id, "usefulness", True))
    found = agreement_with_people(verdicts, labels)
    assert (found["safety"].n, found["safety"].raw.value) == (5, 0.8)
    assert found["usefulness"].n == 0
    assert found[None].n == 5
    assert set(found) == {*REQUIREMENTS, None}
