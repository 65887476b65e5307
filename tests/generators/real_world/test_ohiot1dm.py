"""OhioT1DM: XML files, day first."""

from pathlib import Path

import numpy as np
import pytest

from generators.real_world.importing import Wanted, import_recordings
from generators.real_world.recordings import RawDataError, Recordings
from generators.trace import MISSING, Trace
from tests.generators.real_world.made_exports import SAMPLES, glucose, ohio_time, ohio_xml


def read(tmp_path: Path, *contents: bytes) -> Recordings:
    for number, content in enumerate(contents):
        (tmp_path / f"559-ws-{number}.xml").write_bytes(content)
    return import_recordings(Wanted(path=tmp_path)).recordings


def only(found: Recordings) -> Trace:
    (trace,) = found.traces
    return trace


def temp(start: float, end: float, value: str) -> str:
    return f'<event ts_begin="{ohio_time(start)}" ts_end="{ohio_time(end)}" value="{value}"/>'


def bolus(start: float, end: float, kind: str, dose: str, carbs: str | None = None) -> str:
    entered = "" if carbs is None else f' bwz_carb_input="{carbs}"'
    return (
        f'<event ts_begin="{ohio_time(start)}" ts_end="{ohio_time(end)}" type="{kind}" '
        f'dose="{dose}"{entered}/>'
    )


def meal(minute: float, kind: str, grams: str) -> str:
    return f'<event ts="{ohio_time(minute)}" type="{kind}" carbs="{grams}"/>'


def units(trace: Trace, first: int, last: int) -> float:
    """Return the insulin of samples first to before last, U."""
    return float(trace.insulin[first:last].sum()) * 5 / 10_000


def test_known_file_gives_known_trace(tmp_path: Path) -> None:
    trace = only(read(tmp_path, ohio_xml()))
    assert (trace.trace_id, trace.source) == ("ohiot1dm_01", "ohiot1dm")
    assert trace.cgm.tolist() == [glucose(i) for i in range(SAMPLES)]
    assert set(trace.insulin.tolist()) == {100}
    assert trace.exercise == ()


def test_training_and_testing_files_are_one_recording(tmp_path: Path) -> None:
    parts = [ohio_xml(samples=range(5000)), ohio_xml(samples=range(4990, SAMPLES))]
    found = read(tmp_path, *parts)
    assert (only(found).cgm != MISSING).all()
    assert found.counts["ohiot1dm_01"]["repeated_rows"] == 11  # ten readings and the basal rate


def test_basal_changes_temporary_rates_and_suspensions(tmp_path: Path) -> None:
    basal = [
        f'<event ts="{ohio_time(60)}" value="0.6"/>',
        f'<event ts="{ohio_time(120)}" value="1.2"/>',
    ]
    rates = [temp(182.5, 200, "0.0"), temp(300, 600, "2.4"), temp(330, 360, "0.0")]
    trace = only(read(tmp_path, ohio_xml(basal=basal, temp_basal=rates)))
    insulin = trace.insulin
    assert set(insulin[:12].tolist()) == {MISSING}  # no rate is known yet
    assert set(insulin[12:24].tolist()) == {100}
    assert set(insulin[24:36].tolist()) == {200}
    assert insulin[36:41].tolist() == [100, 0, 0, 0, 200]  # suspended from the middle of a sample
    assert set(insulin[60:66].tolist()) == {400}
    assert set(insulin[66:72].tolist()) == {0}
    assert set(insulin[72:].tolist()) == {200}  # the later rate ended the earlier one


def test_extended_boluses_are_spread_and_add_up(tmp_path: Path) -> None:
    doses = [
        bolus(600, 600, "normal", "4.2", "45"),
        bolus(722, 722, "normal dual", "2.0", "30"),
        bolus(722, 812, "square dual", "3.0", "30"),
        bolus(1000, 1000, "normal", "1.0", "0"),
        bolus(1100, 1100, "normal", "0.5"),
    ]
    trace = only(read(tmp_path, ohio_xml(bolus=doses)))
    assert trace.insulin[120] == 100 + 8400
    assert units(trace, 120, 300) == pytest.approx(180 * 5 * 0.01 + 10.7)
    assert units(trace, 145, 163) == pytest.approx(0.9 + 2.9)
    assert [(one.minute, one.units, one.kind) for one in trace.boluses] == [
        (600, 4.2, "meal_bolus"),
        (720, 2.0, "meal_bolus"),
        (720, 3.0, "meal_bolus"),
        (1000, 1.0, "correction_bolus"),
        (1100, 0.5, "unspecified_bolus"),
    ]
    assert [(one.minute, one.grams) for one in trace.carbs] == [(600, 45), (720, 30), (720, 30)]


def test_meals_have_the_names_that_the_subject_gave(tmp_path: Path) -> None:
    meals = [
        meal(480, "Breakfast", "40"),
        meal(960, "Snack", "20"),
        meal(1000, "HypoCorrection", "15"),
        meal(1100, "Dinner", "0"),
        meal(1200, "Dinner", "1e9"),
    ]
    found = read(tmp_path, ohio_xml(meal=meals, bolus=[bolus(480, 480, "normal", "4", "38")]))
    assert [(one.minute, one.grams, one.meal, one.inferred) for one in only(found).carbs] == [
        (480, 40, "breakfast", False),
        (960, 20, "afternoon_snack", False),
        (1000, 15, "rescue", False),
    ]
    counts = found.counts["ohiot1dm_01"]
    assert counts["carbs_of_bolus_calculator_not_used"] == 1
    assert counts["carbs_out_of_range_dropped"] == 1


@pytest.mark.parametrize("dose", ["-1", "1e9", "NA", "", "75.1"])
def test_unreadable_bolus_makes_its_sample_unknown(tmp_path: Path, dose: str) -> None:
    trace = only(read(tmp_path, ohio_xml(bolus=[bolus(600, 600, "normal", dose)])))
    assert trace.boluses == ()
    assert np.flatnonzero(trace.insulin == MISSING).tolist() == [120]


@pytest.mark.parametrize("value", ["-0.6", "1e9", "NA"])
def test_impossible_basal_rate_is_unknown_until_the_next(tmp_path: Path, value: str) -> None:
    basal = [
        f'<event ts="{ohio_time(0)}" value="0.6"/>',
        f'<event ts="{ohio_time(60)}" value="{value}"/>',
        f'<event ts="{ohio_time(120)}" value="0.6"/>',
    ]
    trace = only(read(tmp_path, ohio_xml(basal=basal)))
    assert np.flatnonzero(trace.insulin == MISSING).tolist() == list(range(12, 24))


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + ']><patient id="1"><glucose_level>&i;</glucose_level></patient>'
)
OUTSIDE = (
    '<?xml version="1.0"?><!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    '<patient id="1"><meal>&x;</meal></patient>'
)


@pytest.mark.parametrize(
    "content",
    [
        ohio_xml()[:-400],
        ohio_xml().replace(b"13-01-2024", b"01-13-2024"),
        ohio_xml().replace(b"13-01-2024", b"2024-01-13"),
        ohio_xml().replace(b'value="107"', b'value="high-ish"'),
        ohio_xml().replace(b'value="107"', b""),
        ohio_xml().replace(b'value="0.6"', b'value="0,6"'),
        ohio_xml().replace(b"<patient", b"<patients").replace(b"</patient", b"</patients"),
        ohio_xml().replace(b"<sleep>", b"<a>" * 50).replace(b"</sleep>", b"</a>" * 50),
        BOMB.encode(),
        OUTSIDE.encode(),
    ],
    ids=[
        "truncated",
        "month first",
        "year first",
        "words",
        "no value",
        "decimal comma",
        "other root",
        "deep",
        "bomb",
        "outside",
    ],
)
def test_other_files_are_refused_or_their_values_missing(tmp_path: Path, content: bytes) -> None:
    if b'value="107"' in ohio_xml() and content == ohio_xml().replace(b'value="107"', b""):
        trace = only(read(tmp_path, content))
        assert (trace.cgm == MISSING).any()
        assert 107 not in trace.cgm
        return
    with pytest.raises(RawDataError, match=r"559-ws-0\.xml|nothing of a known kind"):
        read(tmp_path, content)


def test_utf_16_with_its_mark_is_the_same(tmp_path: Path) -> None:
    text = ohio_xml().decode().replace('<?xml version="1.0"?>', '<?xml version="1.0"?>')
    trace = only(read(tmp_path, text.encode("utf-16")))
    assert trace.cgm.tolist() == [glucose(i) for i in range(SAMPLES)]
