"""The sheet for people's labels, there and back."""

import codecs
import csv
from pathlib import Path

import pandas as pd
import pytest

from judges.errors import JudgeError
from judges.human_sheet import agreement_with_people, read_sheet, write_sheet
from judges.longevity import Verdict
from judges.requirements import REQUIREMENTS, Requirement, checks
from tests.judges.longevity_material import cases

CASES = cases()[:6]
MOST_IN_A_CELL = 32_767
"""Characters that Excel keeps of a cell."""


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def filled(path: Path, label: str, encoding: str = "utf-8-sig", delimiter: str = ",") -> None:
    rows = rows_of(path)
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), delimiter=delimiter)
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
    assert {row["answer"] for row in rows_of(path)} == {" =HYPERLINK(1)\nYes"}
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


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "sheet.csv"
    write_sheet(path, [(case, "**Yes**, 5 \u00b5g \u2265 4") for case in CASES], most=4)
    return path


def test_spreadsheets_and_pandas_see_what_is_not_ascii(sheet: Path) -> None:
    assert sheet.read_bytes().startswith(codecs.BOM_UTF8)
    table = pd.read_csv(sheet)
    assert set(table.answer) == {"Yes, 5 \u00b5g \u2265 4"}
    assert table.columns[0] == "case_id"


def test_people_see_what_the_judge_sees_and_none_of_its_verdicts(tmp_path: Path) -> None:
    path, every = tmp_path / "sheet.csv", cases()
    text = "<think>No reason.</think>\n# Yes\nIt **helps**."
    write_sheet(path, [(case, text) for case in every], most=99)
    rows = {row["case_id"]: row for row in rows_of(path)}
    assert set(rows) == {case.id for case in every}
    for case in every:
        row = rows[case.id]
        assert row["answer"] == "Yes\nIt helps."
        assert all(part in row["reference"] for part in (case.commentary, case.next_step))
        for requirement in REQUIREMENTS:
            seen = row[f"{requirement}_passes_if"].splitlines()
            asked = {f"- {check.texts[0]}" for check in checks(requirement, case)}
            assert {line for line in seen if line.startswith("- ")} == asked
            assert row[requirement] == ""
        assert max(map(len, row.values())) < MOST_IN_A_CELL


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("delimiter", [",", ";"])
def test_a_sheet_that_a_spreadsheet_saved_is_read(
    sheet: Path, encoding: str, delimiter: str
) -> None:
    filled(sheet, "PASS", encoding, delimiter)
    labels = read_sheet(sheet)
    assert (len(labels), set(labels.values())) == (4, {True})
    assert {name for name, _ in labels} <= {case.id for case in CASES}


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_another_encoding_is_named_in_one_line(sheet: Path, encoding: str) -> None:
    sheet.write_text(sheet.read_text(encoding="utf-8-sig").replace("\u2265", ">"), encoding)
    with pytest.raises(JudgeError, match=r"^\S+: is not in UTF-8; save .* CSV UTF-8$"):
        read_sheet(sheet)


def test_lost_columns_and_names_are_named(sheet: Path) -> None:
    filled(sheet, "fail")
    rows = rows_of(sheet)
    whole = sheet.read_text(encoding="utf-8-sig")
    sheet.write_text(whole.replace("case_id", "case", 1), encoding="utf-8")
    with pytest.raises(JudgeError, match="lacks the columns case_id; keep"):
        read_sheet(sheet)
    first = rows[0]["case_id"]
    sheet.write_text(whole.replace(first, "", 1), encoding="utf-8")
    with pytest.raises(JudgeError, match="row 2 has labels and no case_id"):
        read_sheet(sheet)


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
