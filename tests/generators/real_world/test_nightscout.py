"""Nightscout: units, clocks, basal rates, boluses."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generators.real_world.importing import Wanted, import_recordings
from generators.real_world.nightscout import MGDL_PER_MMOL
from generators.real_world.recordings import RawDataError, Recordings
from generators.trace import MISSING, Trace
from tests.generators.real_world.made_exports import (
    SAMPLES,
    entries,
    entry,
    glucose,
    profile,
    pump_events,
    treatment,
    write_nightscout,
)

Records = Sequence[Mapping[str, Any]]
UPLOADED = 92 * 96
"""Sample of the last of the pump's events."""


def read(
    folder: Path,
    readings: Records | None = None,
    treatments: Records = (),
    profiles: Records | None = None,
    timezone: str | None = None,
) -> Recordings:
    write_nightscout(
        folder,
        entries() if readings is None else readings,
        [*pump_events(), *treatments],
        [profile()] if profiles is None else profiles,
    )
    return import_recordings(Wanted(path=folder, timezone=timezone)).recordings


def only(found: Recordings) -> Trace:
    (trace,) = found.traces
    return trace


def test_known_export_gives_known_trace(tmp_path: Path) -> None:
    doses = [
        treatment(720, "Meal Bolus", insulin=4.0, carbs=45),
        treatment(800, "Correction Bolus", insulin=1.0),
        treatment(805, "Correction Bolus", insulin=1.0, enteredBy="loop://phone"),
        treatment(810, "Correction Bolus", insulin=0.3, automatic=True),
        treatment(815, "SMB", insulin="0.2"),
        treatment(820, "Carb Correction", carbs=8),
    ]
    trace = only(read(tmp_path, treatments=doses))
    assert (trace.trace_id, trace.source) == ("nightscout_01", "nightscout")
    assert trace.cgm.tolist() == [glucose(i) for i in range(SAMPLES)]
    assert trace.insulin[71:73].tolist() == [100, 200]  # 0.6 U/h, from 06:00 on 1.2 U/h
    assert trace.insulin[143:146].tolist() == [200, 8200, 200]
    assert [(one.minute, one.units, one.kind) for one in trace.boluses] == [
        (720, 4.0, "meal_bolus"),
        (800, 1.0, "correction_bolus"),
        (805, 1.0, "unspecified_bolus"),
        (810, 0.3, "automatic_correction"),
        (815, 0.2, "automatic_correction"),
    ]
    assert [(one.minute, one.grams) for one in trace.carbs] == [(720, 45), (820, 8)]


def same(one: Trace, other: Trace) -> bool:
    return (
        np.array_equal(one.cgm, other.cgm)
        and np.array_equal(one.insulin, other.insulin)
        and (one.carbs, one.boluses) == (other.carbs, other.boluses)
    )


@pytest.mark.parametrize("stated", [True, False])
def test_mmol_and_mgdl_of_the_same_days_give_the_same_trace(tmp_path: Path, stated: bool) -> None:
    mmol = [(40 + i * i * 7 % 181) / 10 for i in range(SAMPLES)]  # as a European sensor reads
    mgdl = [round(value * MGDL_PER_MMOL) for value in mmol]
    doses = [treatment(720, "Meal Bolus", insulin=4.0, carbs=45, glucose=8.7, units="mmol")]
    one = read(
        tmp_path / "mmol",
        [{**entry(5 * i, v), **({"units": "mmol"} if stated else {})} for i, v in enumerate(mmol)],
        doses,
        [profile(units="mmol")],
    )
    other = read(
        tmp_path / "mgdl",
        [{**entry(5 * i, v), **({"units": "mg/dl"} if stated else {})} for i, v in enumerate(mgdl)],
        doses,
    )
    assert same(only(one), only(other))
    assert one.counts["nightscout_01"]["readings_from_mmol_per_litre"] == SAMPLES


@pytest.mark.parametrize(("decimals", "off"), [(2, 0), (1, 1)])
def test_mmol_with_two_decimals_loses_nothing_and_with_one_at_most_1_mgdl(
    tmp_path: Path, decimals: int, off: int
) -> None:
    values = [40 + i * i * 7 % 361 for i in range(SAMPLES)]
    mmol = [entry(5 * i, round(v / 18.0182, decimals)) for i, v in enumerate(values)]
    trace = only(read(tmp_path, mmol))
    assert np.abs(trace.cgm - np.array(values)).max() <= off


def test_low_and_high_become_the_sensors_limits(tmp_path: Path) -> None:
    readings = entries()
    for place, sgv in ((10, 39), (11, 401), (12, "LOW"), (13, "High"), (14, 5), (15, 1e9)):
        readings[place]["sgv"] = sgv
    found = read(tmp_path, readings)
    assert only(found).cgm[10:17].tolist() == [40, 400, 40, 400, MISSING, MISSING, glucose(16)]
    counts = found.counts["nightscout_01"]
    assert counts["readings_low_or_high_capped"] == 4
    assert counts["sensor_error_codes_dropped"] == 1
    assert counts["readings_out_of_range_dropped"] == 1


def test_reading_above_400_of_a_sensor_that_reads_so_far_is_kept(tmp_path: Path) -> None:
    readings = entries()
    readings[10]["sgv"], readings[11]["sgv"] = 401, 480
    assert only(read(tmp_path, readings)).cgm[10:12].tolist() == [401, 480]


def test_mixed_units_are_refused(tmp_path: Path) -> None:
    readings = [entry(5 * i, glucose(i) if i % 2 else 5.5) for i in range(SAMPLES)]
    with pytest.raises(RawDataError, match="look like mmol/L"):
        read(tmp_path, readings)


def test_temporary_rates_suspensions_and_combo_boluses(tmp_path: Path) -> None:
    doses = [
        treatment(120, "Temp Basal", absolute="2.4", duration="30", rate=2.4),
        treatment(130, "Temp Basal", percent=-50, duration=20),
        treatment(145, "Temp Basal", duration=0),
        treatment(200, "Suspend Pump"),
        treatment(220, "Resume Pump"),
        treatment(
            600, "Combo Bolus", insulin=1.5, enteredinsulin="3", splitNow="50", splitExt="50",
            duration=60, relative=1.5,
        ),
        treatment(
            900, "Combo Bolus", enteredinsulin=1, splitExt=100, duration=120, relative=1
        ),  # contradicts itself: 1 U in all, and 1 U/h for 2 h
    ]  # fmt: skip
    found = read(tmp_path, treatments=doses)
    trace = only(found)
    assert trace.insulin[23:30].tolist() == [100, 400, 400, 50, 50, 50, 100]
    assert trace.insulin[39:45].tolist() == [100, 0, 0, 0, 0, 100]
    assert trace.insulin[120] == 200 + 3000 + 250
    assert trace.insulin[121:132].tolist() == [450] * 11
    assert trace.insulin[132] == 200
    assert set(trace.insulin[180:205].tolist()) == {MISSING}
    assert [one.units for one in trace.boluses] == [1.5, 1.5]
    assert found.counts["nightscout_01"]["boluses_of_unknown_delivery"] == 1


def test_pump_that_is_never_resumed_is_unknown_for_a_day(tmp_path: Path) -> None:
    trace = only(read(tmp_path, treatments=[treatment(1440, "Suspend Pump")]))
    assert np.flatnonzero(trace.insulin[:UPLOADED] == MISSING).tolist() == list(range(288, 576))


def test_profile_switch_to_the_unknown_and_back(tmp_path: Path) -> None:
    switches = [
        treatment(600, "Profile Switch", profile="Default", percentage=120, duration=60),
        treatment(900, "Profile Switch", profile="Default"),
    ]
    trace = only(read(tmp_path, treatments=switches))
    assert np.flatnonzero(trace.insulin[:UPLOADED] == MISSING).tolist() == list(range(120, 132))
    assert set(trace.insulin[132:240].tolist()) == {200}


def test_insulin_is_unknown_where_nothing_was_uploaded(tmp_path: Path) -> None:
    events = [one for i, one in enumerate(pump_events()) if not 9 < i < 15]
    write_nightscout(tmp_path, entries(), events, [profile()])
    trace = only(import_recordings(Wanted(path=tmp_path)).recordings)
    unknown = np.flatnonzero(trace.insulin[:UPLOADED] == MISSING)
    assert (unknown[0], unknown[-1]) == (9 * 96 + 1, 15 * 96 - 1)


def test_profile_is_not_believed_without_a_pump(tmp_path: Path) -> None:
    pen = [treatment(480 * i, "Correction Bolus", insulin=2) for i in range(93)]
    write_nightscout(tmp_path, entries(), pen, [profile()])
    found = import_recordings(Wanted(path=tmp_path)).recordings
    assert set(only(found).insulin.tolist()) == {MISSING}
    assert found.counts["nightscout_01"]["profile_not_believed_without_a_pump"] == 1


def test_glucose_alone_leaves_insulin_unknown(tmp_path: Path) -> None:
    (tmp_path / "entries.json").write_text(json.dumps(entries()))
    found = import_recordings(Wanted(path=tmp_path, timezone="Etc/UTC")).recordings
    assert set(only(found).insulin.tolist()) == {MISSING}


MARCH, OCTOBER = 77 * 1440, 301 * 1440 - 7 * 1440
"""Minutes from 1 January 2024 to Monday 18 March and Monday 21 October, 00:00 UTC."""


@pytest.mark.parametrize(
    ("start", "before", "after"), [(MARCH, 1, 2), (OCTOBER, 2, 1)], ids=["forward", "back"]
)
def test_clock_that_jumps_leaves_the_hour_unknown(
    tmp_path: Path, start: int, before: int, after: int
) -> None:
    readings = [entry(start + 5 * i, glucose(i)) for i in range(33 * 288)]
    events = [treatment(start + 480 * i, "Site Change") for i in range(99)]
    write_nightscout(tmp_path, readings, events, [profile("Europe/Berlin")])
    found = import_recordings(Wanted(path=tmp_path)).recordings
    trace = only(found)
    jump = (13 if start == MARCH else 6) * 288 + 24  # 02:00 on the Sunday
    hour = slice(jump, jump + 12)
    assert set(trace.cgm[hour].tolist()) == {MISSING}
    assert set(trace.insulin[hour].tolist()) == {MISSING}
    assert trace.cgm[jump - 1] == glucose(jump - 1 - 12 * before)
    assert trace.cgm[jump + 12] == glucose(jump + 12 - 12 * after)
    assert found.counts["nightscout_01"]["clock_jumps"] == 1


@pytest.mark.parametrize(
    ("start", "sunday", "first", "last"),
    [(MARCH, 13, 90, 270), (OCTOBER, 6, 150, 210)],
    ids=["forward", "back"],
)
def test_temporary_rate_lasts_as_long_as_it_says_while_the_clock_jumps(
    tmp_path: Path, start: int, sunday: int, first: int, last: int
) -> None:
    """3 U/h for 120 min from 00:30 UTC: from 01:30 to 04:30, and from 02:30 to 03:30 twice over."""
    readings = [entry(start + 5 * i, glucose(i)) for i in range(33 * 288)]
    events = [treatment(start + 480 * i, "Site Change") for i in range(99)]
    told = treatment(start + sunday * 1440 + 30, "Temp Basal", absolute=3.0, duration=120)
    write_nightscout(tmp_path, readings, [*events, told], [profile("Europe/Berlin")])
    trace = only(import_recordings(Wanted(path=tmp_path)).recordings)
    night = trace.insulin[sunday * 288 : sunday * 288 + 72].tolist()
    raised = [i for i, value in enumerate(night) if value == 500]  # 3 U/h are 50 mU/min
    assert raised == [i for i in range(first // 5, last // 5) if not 24 <= i < 36]
    assert {night[i] for i in range(24, 36)} == {MISSING}
    assert night[last // 5] == 100


@pytest.mark.parametrize(("start", "sunday"), [(MARCH, 13), (OCTOBER, 6)])
def test_combo_bolus_while_the_clock_jumps_is_unknown(
    tmp_path: Path, start: int, sunday: int
) -> None:
    readings = [entry(start + 5 * i, glucose(i)) for i in range(33 * 288)]
    events = [treatment(start + 480 * i, "Site Change") for i in range(99)]
    combo = treatment(
        start + sunday * 1440 + 30,
        "Combo Bolus",
        enteredinsulin=6.0,
        splitExt=100,
        insulin=0,
        duration=120,
    )
    write_nightscout(tmp_path, readings, [*events, combo], [profile("Europe/Berlin")])
    found = import_recordings(Wanted(path=tmp_path)).recordings
    trace = only(found)
    night = trace.insulin[sunday * 288 : sunday * 288 + 72]
    end = 54 if start == MARCH else 42
    first = 18 if start == MARCH else 24
    assert np.flatnonzero(night == MISSING).tolist() == list(range(first, end + 1))
    assert set(night[night != MISSING].tolist()) == {100}
    assert trace.boluses == ()
    assert found.counts["nightscout_01"]["boluses_of_unknown_delivery"] == 1


def test_treatments_of_two_uploaders_count_once(tmp_path: Path) -> None:
    meals = [
        treatment(720 + shift, "Meal Bolus", insulin=4.0, carbs=45, enteredBy=by)
        for shift, by in ((0, "xDrip"), (1 / 60, "AndroidAPS"), (5, "xDrip"))
    ]
    write_nightscout(tmp_path, entries(), [*pump_events(), *meals], [profile()])
    found = import_recordings(Wanted(path=tmp_path)).recordings
    trace = only(found)
    assert [(one.minute, one.units) for one in trace.boluses] == [(720, 4.0), (725, 4.0)]
    assert sum(one.grams for one in trace.carbs) == 90
    assert found.counts["nightscout_01"]["treatments_told_twice"] == 1


def test_person_without_entries_is_left_out_with_the_reason(tmp_path: Path) -> None:
    write_nightscout(tmp_path / "alice", [], pump_events(), [profile()])
    with pytest.raises(RawDataError, match="no entries; export them too"):
        import_recordings(Wanted(path=tmp_path))
    write_nightscout(tmp_path / "bob", entries(), pump_events(), [profile()])
    found = import_recordings(Wanted(path=tmp_path)).recordings
    (left_out,) = found.left_out
    assert "no entries" in left_out.reason
    assert {left_out.subject, only(found).trace_id} == {"nightscout_01", "nightscout_02"}


def test_time_zone_comes_from_the_entries_or_must_be_given(tmp_path: Path) -> None:
    with pytest.raises(RawDataError, match="--timezone"):
        read(tmp_path / "none", profiles=[])
    assert only(read(tmp_path / "given", profiles=[], timezone="Etc/GMT-2")).cgm[24] == glucose(0)
    readings = [{**one, "utcOffset": 120} for one in entries()]
    assert only(read(tmp_path / "told", readings, profiles=[])).cgm[24] == glucose(0)
    with pytest.raises(RawDataError, match="no time zone"):
        read(tmp_path / "wrong", timezone="Mars/Olympus")


def test_drift_repeats_and_two_uploaders(tmp_path: Path) -> None:
    readings = [entry(5 * i, glucose(i), shift=i % 3 * 0.7) for i in range(SAMPLES)]
    twice = [entry(5 * i, glucose(i) + 3, shift=i % 3 * 0.7 + 0.05) for i in range(100)]
    conflict = [entry(5 * 500, glucose(500) + 40)]
    found = read(tmp_path, [*readings, *readings[:50], *twice, *conflict])
    trace, counts = only(found), found.counts["nightscout_01"]
    assert trace.cgm[:100].tolist() == [glucose(i) for i in range(100)]
    assert np.flatnonzero(trace.cgm == MISSING).tolist() == [500]
    assert counts["repeated_rows"] == 50
    assert counts["second_readings_dropped"] == 100
    assert counts["conflicting_readings_dropped"] == 2


def test_one_file_with_everything_and_the_answers_of_version_3(tmp_path: Path) -> None:
    plain = only(read(tmp_path / "plain"))
    whole = {"entries": entries(), "treatments": pump_events(), "profile": [profile()]}
    (tmp_path / "whole.json").write_text(json.dumps(whole))
    assert same(plain, only(import_recordings(Wanted(path=tmp_path / "whole.json")).recordings))
    folder = tmp_path / "v3"
    folder.mkdir()
    for name, records in whole.items():
        (folder / f"{name}.json").write_text(json.dumps({"status": 200, "result": records}))
    assert same(plain, only(import_recordings(Wanted(path=folder)).recordings))


def test_each_folder_is_a_person_whose_name_does_not_show(tmp_path: Path) -> None:
    for name in ("alice", "bob"):
        write_nightscout(tmp_path / name, entries(), pump_events(), [profile()])
    found = import_recordings(Wanted(path=tmp_path)).recordings
    assert {one.trace_id for one in found.traces} == {"nightscout_01", "nightscout_02"}
    assert "secret" not in repr(found)
    assert "alice" not in repr(found)


@pytest.mark.parametrize(
    "spoilt",
    [
        {"date": "yesterday", "dateString": None},
        {"date": 1_704_067_200},
        {"date": None, "dateString": "2024-01-01T00:00:00"},
        {"date": 1e300},
        {"sgv": "high-ish"},
        {"sgv": "5,5"},
        {"sgv": [120]},
        {"utcOffset": 100_000},
    ],
)
def test_spoilt_entry_is_refused_with_its_place(tmp_path: Path, spoilt: Mapping[str, Any]) -> None:
    readings = entries()
    readings[3] = {**readings[3], **spoilt}
    with pytest.raises(RawDataError, match=str(tmp_path)):
        read(tmp_path, readings)


@pytest.mark.parametrize(
    "content",
    [
        '[{"sgv": 120, "date": 1704067200000}',
        '[{"sgv": 120}, 7]',
        "[" * 100_000 + '"sgv"',
        '[{"sgv": ' + "9" * 5_000 + ', "date": 1704067200000}]',
    ],
    ids=["truncated", "no record", "deep", "long number"],
)
def test_damaged_json_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "entries.json").write_text(content)
    with pytest.raises(RawDataError):
        import_recordings(Wanted(path=tmp_path))
