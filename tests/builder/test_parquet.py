"""How a split's file is laid out."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builder import parquet
from builder.schema import COLUMNS, Config, arrow_schema
from tests.eval_tasks.tiny_release import qa_row, record


def table_of(lengths: list[int]) -> pa.Table:
    """Rows with the same record, cut to some numbers of readings."""
    rows = []
    for number, length in enumerate(lengths):
        row = qa_row("pm_1", "number", 1, 2, number=number)
        row["input_context"] = {**record(), "bg_mgdl": record()["bg_mgdl"][:length]}
        rows.append(row)
    return pa.Table.from_pylist(rows, schema=arrow_schema("simulated"))


@pytest.mark.parametrize("config", COLUMNS)
def test_empty_tables_of_every_config_keep_their_columns(config: Config, tmp_path: Path) -> None:
    table = arrow_schema(config).empty_table()
    parquet.write(table, tmp_path / "a.parquet")
    assert parquet.read(tmp_path / "a.parquet").equals(table)


def test_rows_come_back_and_a_viewer_reads_a_hundred_at_once(tmp_path: Path) -> None:
    table = table_of([800] * 101)
    path = tmp_path / "deep" / "a.parquet"
    assert parquet.write(table, path) == path.stat().st_size
    assert parquet.read(path).equals(table)
    groups = pq.ParquetFile(path).metadata
    assert [groups.row_group(n).num_rows for n in range(groups.num_row_groups)] == [100, 1]


def test_a_record_that_comes_again_costs_little_though_its_length_differs(tmp_path: Path) -> None:
    one = parquet.write(table_of([864]), tmp_path / "one.parquet")
    many = parquet.write(table_of([864 - n for n in range(100)]), tmp_path / "many.parquet")
    assert many < 2 * one


def test_only_columns_that_name_rows_carry_extremes(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write(table_of([100]), path)
    group = pq.ParquetFile(path).metadata.row_group(0)
    columns = [group.column(n) for n in range(group.num_columns)]
    named = {column.path_in_schema for column in columns if column.is_stats_set}
    assert named == {"instance_id", "task_id", "patient_id", "trace_id"}
