"""A sheet on which people label answers, and what a judge's verdicts agree with theirs.

The CSV has a byte order mark, by which spreadsheets know that it is UTF-8. A sheet may come back
without one, and with semicolons, which some countries' settings write for commas.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from eval_tasks.spreadsheets import no_formula
from judges.agreement import Agreement, agreement
from judges.asking import shuffled
from judges.errors import JudgeError
from judges.longevity import Verdict, judged_advice
from judges.requirements import REQUIREMENTS, Case, Requirement, rubric

_RUBRIC = "_passes_if"
_COLUMNS = (
    *("case_id", "item_id", "question", "answer", "right_answer", "reference"),
    *(f"{name}{part}" for name in REQUIREMENTS for part in (_RUBRIC, "")),
)
"""Each requirement's rubric stands to the left of the cell for its label."""
_ENCODING = "utf-8-sig"
_LABELS = {"pass": True, "fail": False}
Labels = Mapping[tuple[str, Requirement], bool]
"""Labels by case and requirement."""


def write_sheet(path: Path, answers: Sequence[tuple[Case, str]], most: int) -> int:
    """Write a CSV with answers to label, without model names, in an order that tells nothing.

    People see what the judge sees: the same text of the answer, the reference, and the checks by
    which each requirement is decided. They see none of its verdicts.

    Args:
        path: The file.
        answers: Cases with their answers.
        most: Most rows.

    Returns:
        The number of rows.
    """
    by_case = {case.id: (case, text) for case, text in answers}
    chosen = shuffled(tuple(by_case), "sheet")[:most]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding=_ENCODING, newline="") as file:
        writer = csv.DictWriter(file, _COLUMNS)
        writer.writeheader()
        writer.writerows(_row(*by_case[name]) for name in chosen)
    return len(chosen)


def _row(case: Case, completion: str) -> dict[str, str]:
    shown = {
        "case_id": case.id,
        "item_id": case.item_id,
        "question": case.profile,
        "answer": judged_advice(completion),
        "right_answer": case.answer,
        "reference": case.reference(),
        **{f"{name}{_RUBRIC}": rubric(name, case) for name in REQUIREMENTS},
    }
    return {name: no_formula(text) for name, text in shown.items()}


def read_sheet(path: Path) -> Labels:
    """Return the labels on a sheet; empty cells are none.

    Raises:
        JudgeError: The file is no sheet, is not in UTF-8, or a label is neither pass nor fail or of no case.
    """
    labels: dict[tuple[str, Requirement], bool] = {}
    for number, row in enumerate(_rows(path), start=2):
        for requirement in REQUIREMENTS:
            label = (row[requirement] or "").strip().casefold()
            if label and label not in _LABELS:
                raise JudgeError(
                    f"{path}: row {number}, {requirement}: {label!r} is neither pass nor fail"
                )
            if label and not row["case_id"]:
                raise JudgeError(f"{path}: row {number} has labels and no case_id; restore it")
            if label:
                labels[row["case_id"], requirement] = _LABELS[label]
    return labels


def _rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a sheet, the header left out.

    Raises:
        JudgeError: It cannot be read, is not in UTF-8, or lacks a column.
    """
    try:
        with path.open(encoding=_ENCODING, newline="") as file:
            header = file.readline()
            file.seek(0)
            rows = csv.DictReader(file, delimiter=max(",;", key=header.count), restval="")
            found = list(rows)
    except UnicodeDecodeError as error:
        raise JudgeError(
            f"{path}: is not in UTF-8; save the sheet again, as the type CSV UTF-8"
        ) from error
    except (OSError, csv.Error) as error:
        raise JudgeError(f"{path}: cannot be read as a sheet ({error})") from error
    missing = [name for name in ("case_id", *REQUIREMENTS) if name not in (rows.fieldnames or ())]
    if missing:
        raise JudgeError(
            f"{path}: is no sheet of labels, it lacks the columns {', '.join(missing)}; keep those "
            "that `judge.py sheet` wrote"
        )
    return found


def agreement_with_people(
    verdicts: Iterable[Verdict], labels: Labels
) -> dict[Requirement | None, Agreement]:
    """Return how far verdicts agree with labels: by requirement, and over all under None.

    The first replicate counts; failed calls are left out, and n says how many remain.
    """
    pairs = [
        (verdict.requirement, verdict.passed, labels[verdict.case_id, verdict.requirement], item)
        for verdict in verdicts
        for item in (verdict.item_id,)
        if verdict.replicate == 0
        and verdict.passed is not None
        and (verdict.case_id, verdict.requirement) in labels
    ]
    chosen: tuple[Requirement | None, ...] = (*REQUIREMENTS, None)
    return {
        name: agreement(
            [passed for requirement, passed, _, _ in pairs if name in {None, requirement}],
            [label for requirement, _, label, _ in pairs if name in {None, requirement}],
            [item for requirement, _, _, item in pairs if name in {None, requirement}],
        )
        for name in chosen
    }
