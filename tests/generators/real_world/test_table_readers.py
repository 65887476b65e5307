"""HUPA-UCM and MetaboNet: tables of 5-minute rows."""

import zipfile
from pathlib import Path

import numpy as np
import pytest

from generators.real_world.importing import Wanted, import_recordings
from generators.real_world.recordings import RawDataError, Recordings
from generators.trace import MISSING, Trace
from tests.generators.real_world.made_exports import (
    SAMPLES,
    glucose,
    hupa_csv,
    metabonet_columns,
    write_metabonet,
)


def recordings(path: Path) -> Recordings:
    return import_recordings(Wanted(path=path)).recordings


def hupa(tmp_path: Path, content: bytes) -> Recordings:
    (tmp_path / "HUPA0007P.csv").write_bytes(content)
    return recordings(tmp_path)


def only(found: Recordings) -> Trace:
    (trace,) = found.traces
    return trace


def test_hupa_ucm_gives_known_values(tmp_path: Path) -> None:
    rows = {144: "180.0;4.8;70.5;0.0;0.05;4.0;4.5", 145: "40.0;4.8;70.5;0.0;0.0;1.0;0.0"}
    found = hupa(tmp_path, hupa_csv(rows))
    trace = only(found)
    assert (trace.trace_id, trace.source) == ("hupa_ucm_01", "hupa_ucm")
    assert trace.cgm[:144].tolist() == [glucose(i) for i in range(144)]
    assert trace.cgm[144:146].tolist() == [180, 40]
    assert trace.insulin[143:147].tolist() == [100, 100 + 8000, 2000, 100]  # 0.6 U/h are 10 mU/min
    assert [(one.minute, one.grams) for one in trace.carbs] == [(720, 45.0)]
    assert [(one.minute, one.units, one.kind) for one in trace.boluses] == [
        (720, 4.0, "meal_bolus"),
        (725, 1.0, "unspecified_bolus"),
    ]


@pytest.mark.parametrize(
    ("row", "insulin"),
    [
        ("120.0;4.8;70.5;0.0;;0.0;0.0", MISSING),
        ("120.0;4.8;70.5;0.0;-0.05;0.0;0.0", MISSING),
        ("120.0;4.8;70.5;0.0;1e9;0.0;0.0", MISSING),
        ("120.0;4.8;70.5;0.0;0.05;-1;0.0", MISSING),
        ("120.0;4.8;70.5;0.0;0.05;1e9;0.0", MISSING),
        ("120.0;4.8;70.5;0.0;0.05;;0.0", MISSING),
        ("120.0;4.8;70.5;0.0;0.05;0.0;-3", 100),
        ("120.0;4.8;70.5;0.0;0.05;0.0;1e9", 100),
    ],
)
def test_missing_and_impossible_amounts_are_unknown(tmp_path: Path, row: str, insulin: int) -> None:
    trace = only(hupa(tmp_path, hupa_csv({50: row})))
    assert trace.insulin[50] == insulin
    assert (trace.carbs, trace.boluses) == ((), ())
    assert (np.delete(trace.insulin[:SAMPLES], 50) == 100).all()


@pytest.mark.parametrize("value", ["1e9", "39.0", "-120", "501.0", "2.5", ""])
def test_impossible_reading_is_missing(tmp_path: Path, value: str) -> None:
    trace = only(hupa(tmp_path, hupa_csv({50: f"{value};4.8;70.5;0.0;0.05;0.0;0.0"})))
    assert np.flatnonzero(trace.cgm == MISSING).tolist() == [50]


@pytest.mark.parametrize(
    "content",
    [
        hupa_csv({9: "132,5;4.8;70.5;0.0;0.05;0.0;0.0"}),
        hupa_csv({9: "132;4.8;70.5;0.0;0,05;0.0;0.0"}),
        hupa_csv({9: "nan;4.8;70.5;0.0;0.05;0.0;0.0"}),
        hupa_csv({9: "132;4.8;70.5;0.0;0.05;0.0"}),
        hupa_csv().replace(b"2024-01-13", b"13-01-2024"),
        hupa_csv().replace(b"basal_rate", b"basal"),
    ],
    ids=["comma in glucose", "comma in basal", "nan", "short row", "day first", "column"],
)
def test_hupa_ucm_refuses(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(RawDataError, match=r"HUPA0007P\.csv"):
        hupa(tmp_path, content)


def test_basal_of_nothing_but_zeros_is_unknown(tmp_path: Path) -> None:
    found = hupa(tmp_path, hupa_csv().replace(b";0.05;", b";0.0;"))
    assert set(only(found).insulin.tolist()) == {MISSING}
    assert found.counts["hupa_ucm_01"]["basal_is_zero_throughout"] == 1


def test_series_between_quarters_of_an_hour_is_not_passed_off_as_measured(tmp_path: Path) -> None:
    read = [glucose(i) for i in range(SAMPLES // 3 + 1)]
    rows = {}
    for i in range(SAMPLES):
        a, b = read[i // 3], read[i // 3 + 1]
        rows[i] = f"{round(a + (b - a) * (i % 3) / 3)}.0;4.8;70.5;0.0;0.05;0.0;0.0"
    with pytest.raises(RawDataError, match="every 15 minutes"):
        hupa(tmp_path, hupa_csv(rows))


def test_million_repeated_rows_count_once(tmp_path: Path) -> None:
    content = hupa_csv()
    last = content.rsplit(b"\n", 2)[1] + b"\n"
    found = hupa(tmp_path, content + last * 1_000_000)
    assert len(only(found)) == SAMPLES
    assert found.counts["hupa_ucm_01"]["repeated_rows"] == 1_000_000


def test_metabonet_gives_known_values(tmp_path: Path) -> None:
    columns = metabonet_columns()
    columns["CGM"][10] = 100.99999  # converted from mmol/L
    columns["CGM"][11] = 7.0
    columns["bolus"][144], columns["insulin"][144] = 4.0, 4.05
    columns["carbs"][144], columns["meal_label"][144] = 45.0, "Lunch"
    columns["carbs"][200], columns["meal_label"][200] = 8.0, "at Joe's"
    columns["insulin"][146] = None
    path = write_metabonet(tmp_path / "metabonet_public.parquet", columns)
    trace = only(recordings(path))
    assert trace.source == "metabonet"
    assert trace.cgm[9:12].tolist() == [glucose(9), 101, MISSING]
    assert trace.insulin[143:147].tolist() == [100, 8100, 100, MISSING]
    assert [(one.minute, one.grams, one.meal) for one in trace.carbs] == [
        (720, 45.0, "lunch"),
        (1000, 8.0, "unspecified"),
    ]
    assert (trace.profile.therapy, trace.profile.age_group) == ("hybrid_closed_loop", "adult")


def test_metabonet_columns_may_be_missing(tmp_path: Path) -> None:
    kept = ("date", "id", "CGM")
    columns = {name: values for name, values in metabonet_columns().items() if name in kept}
    trace = only(recordings(write_metabonet(tmp_path / "some.parquet", columns)))
    assert set(trace.insulin.tolist()) == {MISSING}
    assert (trace.cgm != MISSING).all()


@pytest.mark.parametrize(("bolus", "known"), [(None, True), (0.0, False)])
def test_missing_bolus_means_none_only_where_the_column_never_says_none(
    tmp_path: Path, bolus: float | None, known: bool
) -> None:
    columns = metabonet_columns()
    del columns["insulin"]
    columns["bolus"][5] = bolus
    trace = only(recordings(write_metabonet(tmp_path / "some.parquet", columns)))
    assert ((trace.insulin != MISSING).mean() > 0.5) == known


def test_basal_of_injections_is_unknown(tmp_path: Path) -> None:
    columns = metabonet_columns()
    columns["insulin_delivery_modality"] = ["MDI"] * SAMPLES
    columns["bolus"][144], columns["insulin"][144] = 4.0, 4.05
    trace = only(recordings(write_metabonet(tmp_path / "some.parquet", columns)))
    assert set(trace.insulin.tolist()) == {MISSING}
    assert [one.units for one in trace.boluses] == [4.0]


def test_rows_of_metabonet_may_be_shuffled_and_repeated(tmp_path: Path) -> None:
    columns = metabonet_columns()
    shuffled = {name: values[::-1] + values[:100] for name, values in columns.items()}
    plain = only(recordings(write_metabonet(tmp_path / "plain.parquet", columns)))
    found = recordings(write_metabonet(tmp_path / "shuffled.parquet", shuffled))
    assert np.array_equal(plain.cgm, only(found).cgm)
    assert np.array_equal(plain.insulin, only(found).insulin)
    assert found.counts["metabonet_01"]["repeated_rows"] == 100


def test_two_rows_that_tell_other_insulin_make_it_unknown(tmp_path: Path) -> None:
    columns = metabonet_columns()
    for name, values in columns.items():
        values.append({"basal": 0.1, "insulin": 0.1}.get(name, values[60]))
    trace = only(recordings(write_metabonet(tmp_path / "some.parquet", columns)))
    assert np.flatnonzero(trace.insulin == MISSING).tolist() == [60]


def test_subjects_beyond_those_asked_for_are_listed(tmp_path: Path) -> None:
    subjects = [{**metabonet_columns(), "id": [str(i)] * SAMPLES} for i in range(3)]
    path = write_metabonet(tmp_path / "some.parquet", *subjects)
    found = import_recordings(Wanted(path=path, most=2)).recordings
    assert len(found.traces) == 2
    assert [one.reason for one in found.left_out] == ["only 2 subjects were asked for"]


@pytest.mark.parametrize("damage", [slice(None, 2000), slice(100, None), slice(0, 4)])
def test_damaged_parquet_is_refused(tmp_path: Path, damage: slice) -> None:
    path = write_metabonet(tmp_path / "some.parquet", metabonet_columns(288))
    path.write_bytes(path.read_bytes()[damage])
    with pytest.raises(RawDataError, match=r"some.parquet"):
        recordings(path)


def test_parquet_of_something_else_is_refused(tmp_path: Path) -> None:
    columns = {"date": metabonet_columns(9)["date"], "price": [1.0] * 9}
    with pytest.raises(RawDataError, match="no column id"):
        recordings(write_metabonet(tmp_path / "some.parquet", columns))


def test_archive_of_parquet_is_read(tmp_path: Path) -> None:
    path = write_metabonet(tmp_path / "some.parquet", metabonet_columns())
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(path, "deep/some.parquet")
    assert only(recordings(tmp_path / "all.zip")).source == "metabonet"


@pytest.mark.parametrize(
    ("every", "scale", "message"),
    [
        (1, 1 / 18, f"{SAMPLES} of {SAMPLES} readings look like mmol/L.*multiply them by 18.0156"),
        (5, 1 / 18, f"{SAMPLES // 5 + 1} of {SAMPLES} readings look like mmol/L"),
        (1, 10, "they have another unit or are no glucose"),
    ],
)
def test_another_unit_is_told_and_left_out(
    tmp_path: Path, every: int, scale: float, message: str
) -> None:
    rows = {
        i: f"{glucose(i) * scale:.1f};4.8;70.5;0.0;0.05;0.0;0.0" for i in range(0, SAMPLES, every)
    }
    with pytest.raises(RawDataError, match=message):
        hupa(tmp_path, hupa_csv(rows))


def test_days_about_which_less_can_be_asked_are_listed(tmp_path: Path) -> None:
    rows = dict.fromkeys(range(2 * 288, 2 * 288 + 100), ";4.8;70.5;0.0;0.05;0.0;0.0")
    rows |= {i: f"{glucose(i)};4.8;70.5;0.0;;0.0;0.0" for i in range(4 * 288, 4 * 288 + 20)}
    rows |= {i: f"{glucose(i)};4.8;70.5;0.0;0.6;0.0;0.0" for i in range(6 * 288, 7 * 288)}
    rows |= {i: f"{glucose(i)};4.8;70.5;0.0;2.0;0.0;0.0" for i in range(7 * 288, 8 * 288)}
    found = hupa(tmp_path, hupa_csv(rows))
    listed = {one.reason.split(":")[0]: one.days for one in found.days_left_out}
    assert listed == {
        "fewer than 70% of the readings": (3,),
        "insulin known for less than 95% of the day": (5, 8),
        "recorded insulin of less than 10 or more than 150 U": (7,),
        "recorded insulin of less than 2 or more than 400 U": (8,),
    }
    assert set(only(found).insulin[7 * 288 : 8 * 288].tolist()) == {MISSING}
