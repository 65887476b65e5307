"""How numbers and times may be written: exactly the documented shapes."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.real_world.importing import Wanted, import_recordings
from generators.real_world.recordings import RawDataError
from generators.real_world.written import (
    day_first_time,
    decimal,
    instant,
    local_time,
    second_of_day,
)
from tests.generators.real_world.made_exports import (
    entries,
    hupa_csv,
    metabonet_columns,
    ohio_xml,
    profile,
    pump_events,
    treatment,
    write_nightscout,
)
from tests.generators.real_world.made_recordings import as_csv, every_five_minutes

NO_NUMBERS = (
    *("1_23", "1__2", "_1", "١٢٠", "\uff11\uff12\uff10", "nan", "NaN", "inf", "-Infinity"),
    *("0x10", "1e", "e5", ".", "-", "1 2", "1,5", "1.2.3", "1e999", "", "true", "12\u00b2"),
)
NO_LOCAL_TIMES = (
    *("2024-01-04T00:20+01", "2024-W01-4T00:20:00", "2024-004T00:20:00+1", "20240104T002000.000"),
    *("2024-01-04 00:20", "2024-01-04 00:20:00.5", "2024-01-04 24:00:00", "2024-02-30 00:00:00"),
    *("2024-01-04  0:20:00", "2024-01-04x00:20:00", "٢٠٢٤-01-04 00:20:00", "04-01-2024 00:20:00"),
    *("2024-01-04 00:20:00Z", "2024-01-04", "1704327600"),
)


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**15), 10**15))
def test_what_python_writes_of_a_number_is_read_back(number: float) -> None:
    assert decimal(repr(number)) == decimal(number) == number


@given(st.datetimes().map(lambda time: time.replace(microsecond=0)))
def test_times_are_read_back(time: datetime) -> None:
    assert local_time(time.isoformat(" ")) == local_time(time.isoformat("T")) == time
    assert day_first_time(f"{time:%d-%m}-{time.year:04d} {time:%H:%M:%S}") == time
    assert instant(time.isoformat() + "Z") == time.replace(tzinfo=UTC)


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_other_numbers_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="number"):
        decimal(text)


def test_truth_values_and_numbers_without_end_are_no_numbers() -> None:
    for value in (True, False, float("nan"), float("-inf"), [1], b"1"):
        with pytest.raises(ValueError, match="number"):
            decimal(value)


@pytest.mark.parametrize("text", NO_LOCAL_TIMES)
def test_other_times_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"YYYY|hour|day"):
        local_time(text)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (day_first_time, "4-01-2024   00:20:00"),
        (day_first_time, "2024-01-04 00:20:00"),
        (day_first_time, "31-02-2024 00:20:00"),
        (day_first_time, "٠٤-01-2024 00:20:00"),
        (instant, "2024-01-04T00:20:00"),
        (instant, "2024-W01-4T00:20:00Z"),
        (instant, "20240104T002000Z"),
        (instant, "2024-01-04T00Z"),
        (instant, "2024-01-04T00:20:00+25:00"),
        (instant, "2024-01-04T00:20:00 +01:00"),
        (instant, None),
        (second_of_day, "1_0:00"),
        (second_of_day, "06:75"),
        (second_of_day, "06"),
        (second_of_day, "٠٦:00"),
        (second_of_day, None),
    ],
)
def test_other_shapes_are_refused(read: Callable[[object], object], text: object) -> None:
    with pytest.raises(ValueError, match=r"written|day|offset|must be"):
        read(text)


def test_offsets_and_fractions_of_instants() -> None:
    expected = datetime(2024, 1, 4, tzinfo=UTC) + timedelta(minutes=20)
    for text in ("2024-01-04T00:20Z", "2024-01-04T01:20:00.000+0100", "2024-01-03T23:20:00-01:00"):
        assert instant(text) == expected


@pytest.mark.parametrize("wrong", ["2024-01-04T00:20+01", "2024-W01-4T00:20:00", "1_23"])
@pytest.mark.parametrize("source", ["azt1d", "hupa_ucm"])
def test_table_names_file_row_and_column(tmp_path: Path, source: str, wrong: str) -> None:
    if source == "azt1d":
        name, column, content = "Subject 1.csv", "EventDateTime", as_csv(every_five_minutes(31))
        cell = b"2024-01-04 00:20:00"
    else:
        name, column, content = "HUPA0001P.csv", "time", hupa_csv()
        cell = b"2024-01-04T00:20:00"
    if wrong == "1_23":
        column = "CGM" if source == "azt1d" else "glucose"
        line = next(one for one in content.splitlines() if cell in one)
        old = b"120" if source == "azt1d" else line.split(b";")[1]
        content = content.replace(line, line.replace(old, wrong.encode(), 1))
    else:
        content = content.replace(cell, wrong.encode())
    (tmp_path / name).write_bytes(content)
    with pytest.raises(RawDataError) as error:
        import_recordings(Wanted(path=tmp_path))
    assert f"{name}, row {3 * 288 + 4 + 2}, column {column}: {wrong!r}" in str(error.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'value="107"', b'value="1_07"'),
        (b'value="0.6"', b'value="inf"'),
        (b'ts="01-01-2024 00:00:00"', b'ts="1-01-2024  00:00:00"'),
        (b'ts="01-01-2024 00:00:00"', b'ts="2024-01-01T00:00+01"'),
    ],
)
def test_ohiot1dm_refuses_other_shapes(tmp_path: Path, old: bytes, new: bytes) -> None:
    content = ohio_xml()
    assert old in content
    (tmp_path / "559-ws-training.xml").write_bytes(content.replace(old, new))
    with pytest.raises(RawDataError, match=r"559-ws-training\.xml, (glucose_level|basal) event"):
        import_recordings(Wanted(path=tmp_path))


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("entries", "sgv", "1_20"),
        ("entries", "sgv", "nan"),
        ("entries", "sgv", "inf"),
        ("entries", "sgv", True),
        ("entries", "utcOffset", "6_0"),
        ("entries", "date", "2024-W01-1T00:00:00Z"),
        ("treatments", "insulin", "1_0"),
        ("treatments", "created_at", "20240104T002000Z"),
        ("profile", "value", "0_6"),
        ("profile", "time", "0_6:00"),
        ("profile", "timeAsSeconds", "3_600"),
    ],
)
def test_nightscout_refuses_other_shapes(
    tmp_path: Path, kind: str, field: str, value: object
) -> None:
    readings, doses, programme = entries(), [*pump_events(), treatment(720, "Bolus")], profile()
    changed = {
        "entries": readings[3],
        "treatments": doses[-1],
        "profile": programme["store"]["Default"]["basal"][1],
    }
    changed[kind][field] = value
    write_nightscout(tmp_path, readings, doses, [programme])
    with pytest.raises(RawDataError, match=str(tmp_path)):
        import_recordings(Wanted(path=tmp_path))


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("date", pa.array(range(31 * 288))),
        ("date", pa.array([float(i) for i in range(31 * 288)])),
        ("CGM", pa.array([True] * 31 * 288)),
        ("CGM", pa.array(["120"] * 31 * 288)),
        ("basal", pa.array(["nan"] * 31 * 288)),
    ],
)
def test_metabonet_refuses_columns_of_another_type(
    tmp_path: Path, column: str, values: pa.Array
) -> None:
    columns = {name: pa.array(cells) for name, cells in metabonet_columns().items()}
    pq.write_table(pa.table({**columns, column: values}), tmp_path / "some.parquet")
    with pytest.raises(RawDataError, match=f"column {column} holds no"):
        import_recordings(Wanted(path=tmp_path))
