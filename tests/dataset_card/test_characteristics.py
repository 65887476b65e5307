"""Figures of hand-made records."""

import pyarrow as pa
import pytest

from builder.schema import arrow_schema
from dataset_card.characteristics import CHARACTERISTICS, records_of, table_of
from tests.eval_tasks.tiny_release import qa_row, record

EMPTY: dict[str, list[object]] = {"carb_events": [], "exercise_events": [], "insulin_events": []}


def rows_of(*records: tuple[str, list[int | None], list[float | None]]) -> pa.Table:
    """Rows of records: trace, readings, insulin."""
    rows = []
    for number, (trace, readings, insulin) in enumerate(records):
        row = qa_row("pm_1", "number", 1, 2, number=number, trace_id=trace)
        row["input_context"] = {**EMPTY, "bg_mgdl": readings, "insulin_mu_min": insulin}
        rows.append(row)
    return pa.Table.from_pylist(rows, schema=arrow_schema("simulated"))


def cells(rows: pa.Table) -> dict[str, str]:
    return {name: cell for name, (cell,) in table_of([records_of(rows)]).items()}


def test_ranges_end_where_the_consensus_says() -> None:
    readings = [53, 54, 69, 70, 180, 181, 250, 251, 0, None]
    found = cells(rows_of(("a", readings, [10.0] * 10)))
    assert found["below 54 mg/dL, %"].startswith("12.5 ")
    assert found["below 70 mg/dL, %"].startswith("37.5 ")
    assert found["readings from 70 to 180 mg/dL, %"].startswith("25.0 ")
    assert found["above 180 mg/dL, %"].startswith("37.5 ")
    assert found["above 250 mg/dL, %"].startswith("12.5 ")
    assert found["readings present, %"].startswith("80.0 ")


def test_insulin_is_taken_over_what_is_known() -> None:
    found = cells(rows_of(("a", [100] * 4, [10.0, None, 30.0, None])))
    assert found["insulin, U a day"] == "28.8 [28.8, 28.8]"


def test_carbohydrate_and_exercise_are_counted_by_day_and_week() -> None:
    row = {**qa_row("pm_1", "number", 1, 2), "input_context": record()}
    rows = pa.Table.from_pylist([row], schema=arrow_schema("simulated"))
    found = cells(rows)
    assert found["carbohydrate, g a day"].startswith("15.2 ")  # 45.5 g in 3 days
    assert found["exercise, min a week"].startswith("70.0 ")  # 30 min in 3 days


def test_the_longest_record_of_each_trace_counts() -> None:
    rows = rows_of(("a", [100], [1.0]), ("b", [200], [1.0]), ("a", [120, 140], [1.0, 1.0]))
    assert [one.readings.tolist() for one in records_of(rows)] == [[120, 140], [200]]


def test_what_no_record_tells_is_said() -> None:
    found = cells(rows_of(("a", [None, None], [None, None]), ("b", [0, None], [None, 1.0])))
    assert found["mean glucose, mg/dL"] == "none recorded"
    assert found["readings present, %"] == "0.0 (0.0) [0.0, 0.0]"
    assert found["insulin, U a day"] == "1.4 [1.4, 1.4], n = 1"
    assert found["exercise, min a week"] == "none recorded"


@pytest.mark.parametrize("readings", [[100], [100, 100]])
def test_a_constant_or_single_reading_has_no_spread(readings: list[int | None]) -> None:
    found = cells(rows_of(("a", readings, [1.0] * len(readings))))
    spread = "none recorded" if len(readings) == 1 else "0.0 [0.0, 0.0]"
    assert found["standard deviation, mg/dL"] == spread
    assert found["glucose management indicator, %"] == "5.70 [5.70, 5.70]"


def test_names_are_unique() -> None:
    assert len({line.name for line in CHARACTERISTICS}) == len(CHARACTERISTICS)
