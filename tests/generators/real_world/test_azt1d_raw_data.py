"""The real recordings, against a second computation that shares no code with the reader."""

import csv
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from io import TextIOWrapper
from pathlib import Path
from statistics import mode

import numpy as np
import pandas as pd
import pytest

from generators.real_world.azt1d import read_azt1d
from generators.real_world.quality import daily_units, quality_of
from generators.real_world.recordings import Recordings
from generators.trace import MISSING, Trace

pytestmark = pytest.mark.raw_data
Rows = list[dict[str, str]]
NUMBERS = [
    "1",
    "2",
    "3",
    "4",
    "6",
    "7",
    "8",
    "10",
    "11",
    "12",
    "13",
    "14",
    "16",
    "17",
    "18",
    "19",
    "20",
    "22",
    "23",
    "25",
]


@pytest.fixture(scope="module")
def recordings(raw_dir: Path) -> Recordings:
    return read_azt1d(raw_dir)


@pytest.fixture(scope="module")
def tables(raw_dir: Path) -> dict[str, Rows]:
    """Each subject's rows as they stand in the archive, by the id that its digest gives it."""
    found: dict[str, Rows] = {}
    for path in sorted(raw_dir.rglob("*.zip")):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                with archive.open(name) as file:
                    number = re.findall(r"\d+", name)[-1]
                    found[number] = list(csv.DictReader(TextIOWrapper(file)))
    return {_id_of(number, found): rows for number, rows in found.items()}


def _id_of(number: str, numbers: Iterable[str]) -> str:
    digests = sorted(sha256(f"azt1d {one}".encode()).digest() for one in numbers)
    return f"azt1d_{1 + digests.index(sha256(f'azt1d {number}'.encode()).digest()):02d}"


def test_twenty_subjects_are_read_and_one_is_left_out(recordings: Recordings) -> None:
    assert len(recordings.counts) == 20
    assert len(recordings.traces) == 19
    assert [one.subject for one in recordings.left_out] == [_id_of("8", NUMBERS)]


def test_no_id_holds_the_number_of_its_source(recordings: Recordings) -> None:
    assert list(recordings.counts) == [f"azt1d_{place:02d}" for place in range(1, 21)]
    assert not any(_id_of(number, NUMBERS) == f"azt1d_{number:0>2}" for number in NUMBERS)


def test_repetitions_are_counted_as_a_second_computation_counts_them(
    recordings: Recordings, tables: dict[str, Rows]
) -> None:
    for subject, rows in tables.items():
        counts = recordings.counts[subject]
        distinct = {tuple(row.items()) for row in rows}
        readings = {(row["EventDateTime"], _glucose(row)) for row in rows}
        assert counts["rows"] == len(rows)
        assert counts["repeated_rows"] == len(rows) - len(distinct)
        assert counts["readings"] == len(readings)
        assert counts["readings_not_whole_dropped"] == sum(value % 1 > 0 for _, value in readings)


def test_values_are_plausible(recordings: Recordings) -> None:
    for trace in recordings.traces:
        present = trace.cgm[trace.cgm != MISSING]
        known = trace.insulin[trace.insulin != MISSING]
        assert 30 <= len(trace) / 288 <= 38
        assert (trace.cgm[:8640] != MISSING).mean() > 0.95
        assert present.min() >= 40
        assert present.max() <= 400
        assert 100 < present.mean() < 180
        assert 10 < known.mean() * 1440 / 10_000 < 200  # U a day
        assert 0.57 < (trace.insulin != MISSING).mean() < 0.9


def _monday(time: datetime) -> datetime:
    midnight = time.replace(hour=0, minute=0, second=0)
    return midnight - timedelta(days=time.weekday())


def _glucose(row: dict[str, str]) -> float:
    return float(row.get("CGM") or row["Readings (CGM / BGM)"])


def _by_sample(rows: Rows) -> dict[datetime, list[dict[str, str]]]:
    """Rows by the time on the 5-minute grid that is nearest to theirs."""
    samples = defaultdict(list)
    for row in rows:
        shifted = datetime.fromisoformat(row["EventDateTime"]) + timedelta(seconds=150)
        on_grid = shifted - timedelta(minutes=shifted.minute % 5, seconds=shifted.second)
        samples[on_grid].append(row)
    return samples


def _readings(rows: Rows) -> dict[datetime, int]:
    chosen = {}
    for time, candidates in _by_sample(rows).items():
        values = [_glucose(row) for row in candidates]
        if max(values) - min(values) <= max(15, 0.15 * min(values)):
            chosen[time] = int(
                min(
                    (
                        abs(datetime.fromisoformat(row["EventDateTime"]) - time),
                        row["EventDateTime"],
                        value,
                    )
                    for row, value in zip(candidates, values, strict=True)
                )[2]
            )
    return chosen


def _start(trace: Trace, readings: dict[datetime, int]) -> datetime:
    """Return the Monday whose readings are exactly those of the trace."""
    monday, found = _monday(min(readings)), []
    while monday <= max(readings):
        times = (monday + timedelta(minutes=5 * i) for i in range(len(trace)))
        if trace.cgm.tolist() == [readings.get(time, MISSING) for time in times]:
            found.append(monday)
        monday += timedelta(days=7)
    (start,) = found
    return start


def test_readings_equal_a_second_computation(
    recordings: Recordings, tables: dict[str, Rows]
) -> None:
    for trace in recordings.traces:
        _start(trace, _readings(tables[trace.trace_id]))


def test_statistics_equal_an_independent_pandas_computation(
    recordings: Recordings, tables: dict[str, Rows]
) -> None:
    for trace in recordings.traces:
        rows = tables[trace.trace_id]
        start = _start(trace, _readings(rows))
        frame = pd.DataFrame(
            {
                "time": pd.to_datetime([row["EventDateTime"] for row in rows]),
                "glucose": [_glucose(row) for row in rows],
            }
        ).drop_duplicates()
        frame = frame[(frame.glucose % 1 == 0) & frame.glucose.between(40, 400)]
        frame["sample"] = (frame.time + pd.Timedelta(seconds=150)).dt.floor("5min")
        frame["off"] = (frame.time - frame["sample"]).abs()
        spread = frame.groupby("sample").glucose.agg(["min", "max"])
        agreeing = spread.index[spread["max"] - spread["min"] <= (0.15 * spread["min"]).clip(15)]
        nearest = frame.sort_values(["off", "time", "glucose"]).drop_duplicates("sample")
        grid = nearest.set_index("sample").glucose.reindex(agreeing)
        shown = grid[(grid.index >= start) & (grid.index < start + timedelta(days=30))]
        found = quality_of(trace)
        assert found.readings == pytest.approx(len(shown) / 8640, abs=5e-5)
        assert found.mean_mgdl == pytest.approx(shown.mean(), abs=0.051)
        assert found.cv_percent == pytest.approx(100 * shown.std() / shown.mean(), abs=0.051)
        assert found.in_range_percent == pytest.approx(
            100 * shown.between(70, 180).mean(), abs=0.051
        )


def test_daily_insulin_is_usual_or_the_day_is_listed(recordings: Recordings) -> None:
    listed = {
        (one.subject, day)
        for one in recordings.days_left_out
        if "more than 150 U" in one.reason
        for day in one.days
    }
    assert {subject for subject, _ in listed} == {
        _id_of(number, NUMBERS) for number in ("1", "3", "11")
    }
    for trace in recordings.traces:
        for day, units in enumerate(daily_units(trace)[:30].tolist(), start=1):
            is_listed = (trace.trace_id, day) in listed
            assert np.isnan(units) or (10 <= units <= 150) != is_listed


def _announced(rows: Rows) -> dict[datetime, float]:
    """Grams by time on the grid, before anything is dropped."""
    grams = {}
    for time, candidates in _by_sample(rows).items():
        distinct = {(row["EventDateTime"], row["CarbSize"]) for row in candidates}
        total = sum(float(carbs or 0) for _, carbs in distinct)
        if total:
            grams[time] = total
    return grams


def test_carbohydrate_equals_a_second_computation_but_for_what_was_dropped(
    recordings: Recordings, tables: dict[str, Rows]
) -> None:
    for trace in recordings.traces:
        rows, counts = tables[trace.trace_id], recordings.counts[trace.trace_id]
        start = _start(trace, _readings(rows))
        announced = {
            int((time - start).total_seconds()) // 60: grams
            for time, grams in _announced(rows).items()
            if start <= time < start + timedelta(minutes=trace.minutes)
        }
        kept = {carb.minute: carb.grams for carb in trace.carbs}
        assert len(kept) == len(trace.carbs)
        assert kept.items() <= announced.items()
        dropped = counts["superseded_announcements"] + counts["undatable_entries_dropped"]
        assert len(announced) - len(kept) <= dropped


def _insulin_of_hours(rows: Rows, start: datetime) -> dict[int, float]:
    """Units by hour from the start: the basal value of most rows, and the boluses."""
    occurrences = Counter(row["EventDateTime"] for row in rows)
    basal: dict[int, list[float]] = defaultdict(list)
    boluses: dict[int, set[tuple[str, float]]] = defaultdict(set)
    for time, candidates in _by_sample(rows).items():
        hour = (time - start) // timedelta(hours=1)
        for row in candidates:
            if row["Basal"] and occurrences[row["EventDateTime"]] == 1:
                basal[hour].append(float(row["Basal"]))
            if row["TotalBolusInsulinDelivered"]:
                units = float(row["TotalBolusInsulinDelivered"])
                boluses[hour].add((row["EventDateTime"], units))
    usual = {hour: mode(values) for hour, values in basal.items()}
    return {
        hour: (value / 1000 if value > 15 else value) + sum(units for _, units in boluses[hour])
        for hour, value in usual.items()
    }


def test_insulin_of_an_hour_is_its_basal_and_its_boluses(
    recordings: Recordings, tables: dict[str, Rows]
) -> None:
    compared = 0
    for trace in recordings.traces:
        rows = tables[trace.trace_id]
        expected = _insulin_of_hours(rows, _start(trace, _readings(rows)))
        for hour in range(len(trace) // 12):
            samples = trace.insulin[12 * hour : 12 * hour + 12]
            if MISSING not in samples:
                assert samples.sum() * 5 / 10_000 == pytest.approx(expected[hour], abs=0.01)
                compared += 1
    assert compared > 10_000
