"""What can be had without the record: measured on made-up rows, and on the release's reference."""

import json
from typing import Any

import pyarrow as pa

from builder.balance import broken_rules
from builder.shortcuts import (
    LEAST_ROWS,
    MOST_BY_OPTIONS,
    Shortcut,
    shortcut_table,
    shortcuts_of,
    told_by_options,
)
from tests.eval_tasks.tiny_release import qa_row
from tests.generators.questions.test_task_reference import REFERENCE

Made = tuple[str, list[str], dict[str, object]]


def table(rows: list[Made], task: str = "pd_17") -> pa.Table:
    """Rows of a category task: answer, options, parameters."""
    made: list[dict[str, Any]] = [
        {
            **qa_row(task, "category", answer, "<a|b>", number=n, options=options),
            "parameters": json.dumps(given),
        }
        for n, (answer, options, given) in enumerate(rows)
    ]
    for row in made:
        row["input_context"] = {"bg_mgdl": row["input_context"]["bg_mgdl"]}
    return pa.Table.from_pylist(made)


def test_options_that_tell_the_answer_are_noticed() -> None:
    one, other = ["00-04", "20-24"], ["03-07", "15-19"]
    told: list[Made] = [("00-04", one, {}), ("15-19", other, {})] * 6
    (found,) = shortcuts_of(table([*told]), "simulated", "test")
    assert (found.constant, found.by_options, found.number) == (0.5, 1.0, "")
    assert told_by_options(found)
    assert [
        line for line in broken_rules({"simulated": {"test": table(told)}}) if "options" in line
    ]
    open_: list[Made] = [
        ("00-04", one, {}),
        ("20-24", one, {}),
        ("03-07", other, {}),
        ("15-19", other, {}),
    ] * 3
    (found,) = shortcuts_of(table(open_), "simulated", "test")
    assert (found.constant, found.by_options) == (0.25, 0.5)
    assert not told_by_options(found)
    assert broken_rules({"simulated": {"test": table(open_)}}) == ()


def test_a_stated_number_that_tells_the_answer_is_named() -> None:
    grams: list[Made] = [
        ("yes" if grams >= 40 else "no", ["yes", "no"], {"grams": grams, "cut": 5})
        for grams in range(10, 70, 5)
    ]
    (found,) = shortcuts_of(table(grams, "pd_3"), "simulated", "test")
    assert (found.constant, found.by_options) == (0.5, 0.5)
    assert (found.by_number, found.number) == (1.0, "grams")
    hidden: list[Made] = [
        (answer, options, {"first_day": given["grams"]}) for answer, options, given in grams
    ]
    (found,) = shortcuts_of(table(hidden, "pd_3"), "simulated", "test")
    assert (found.by_number, found.number) == (0.5, "")


def test_few_rows_are_not_judged() -> None:
    few = Shortcut(
        config="simulated",
        split="test",
        task_id="pd_0",
        rows=LEAST_ROWS - 1,
        constant=0.5,
        by_options=1.0,
        by_number=1.0,
        number="",
    )
    assert not told_by_options(few)


def test_no_task_of_the_release_is_told_by_its_options() -> None:
    """The reference holds the measured table; the limit keeps the shortcut from coming back."""
    header = next(iter(shortcut_table([])))
    text = REFERENCE.read_text(encoding="utf-8")
    assert header in text
    lines = text.partition(header)[2].strip().splitlines()[1:]
    read = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    judged = [row for row in read if row[0] == "simulated" and int(row[2]) >= LEAST_ROWS]
    assert len(judged) >= 20
    for _, task_id, _, constant, by_options, *_ in judged:
        assert float(by_options) <= max(MOST_BY_OPTIONS, float(constant)), task_id
