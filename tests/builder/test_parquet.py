"""How a split's file is laid out."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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


NUMBERS = pa.schema([pa.field("number_id", pa.int64())])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    sizes=st.lists(st.integers(0, 9), max_size=12),
    most=st.integers(1, 12),
    group=st.integers(1, 5),
)
def test_shards_hold_all_rows_in_order_and_part_nothing_that_was_added_at_once(
    sizes: list[int], most: int, group: int
) -> None:
    starts = [sum(sizes[:place]) for place in range(len(sizes))]
    with TemporaryDirectory() as folder:
        shards = parquet.Shards(Path(folder), NUMBERS, most, group)
        for start, size in zip(starts, sizes, strict=True):
            shards.add(pa.table([range(start, start + size)], schema=NUMBERS))
        shards.close()
        held = [parquet.read(path).column(0).to_pylist() for path in shards.paths]
        lengths = [
            [pq.read_metadata(path).row_group(n).num_rows for n in range(parquet.groups(path))]
            for path in shards.paths
        ]
    assert shards.rows == sum(sizes)
    assert [number for numbers in held for number in numbers] == list(range(sum(sizes)))
    for numbers, groups in zip(held, lengths, strict=True):
        assert len(numbers) <= max(most, *sizes)
        assert set(groups[:-1]) <= {group}
        assert groups[-1] <= group
    for start, size in zip(starts, sizes, strict=True):
        assert sum(bool({*range(start, start + size)} & {*numbers}) for numbers in held) <= 1


def test_a_group_and_some_of_its_columns_are_read_alone(tmp_path: Path) -> None:
    table = table_of([800] * 101)
    parquet.write(table, tmp_path / "a.parquet")
    assert parquet.groups(tmp_path / "a.parquet") == 2
    assert parquet.schema(tmp_path / "a.parquet").equals(table.schema)
    assert parquet.read_group(tmp_path / "a.parquet", 1).equals(table.slice(100))
    named = parquet.read_group(tmp_path / "a.parquet", 0, ["trace_id"])
    assert (named.column_names, named.num_rows) == (["trace_id"], 100)
