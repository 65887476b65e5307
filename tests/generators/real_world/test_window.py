"""Which weeks of a recording become a trace."""

from collections.abc import Iterable

import numpy as np
import pytest

from generators.real_world.cleaning import CleanRecord
from generators.real_world.recordings import LeftOut
from generators.real_world.window import best_window
from generators.trace import MISSING, CarbEvent, InsulinEvent, PatientProfile, Trace

DAY = 288


def record(
    days: float,
    *,
    first_day: int = 0,
    absent: Iterable[int] = (),
    insulin_days: range | None = None,
    carbs: tuple[CarbEvent, ...] = (),
) -> CleanRecord:
    """Return a recording whose readings tell their day; absent lists days without readings."""
    length = round(days * DAY)
    cgm = (100 + np.arange(length) // DAY).astype(np.int16)
    cgm[: first_day * DAY] = MISSING
    for day in absent:
        cgm[day * DAY : (day + 1) * DAY] = MISSING
    known = np.arange(length) // DAY
    insulin = np.where(np.isin(known, insulin_days or range(0)), 100, MISSING).astype(np.int32)
    return CleanRecord(
        subject="azt1d_01",
        cgm=cgm,
        insulin=insulin,
        carbs=carbs,
        boluses=tuple(InsulinEvent(minute=c.minute, units=1, kind="meal_bolus") for c in carbs),
        counts={
            "readings": int((cgm != MISSING).sum()),
            "readings_not_whole_dropped": 0,
            "readings_out_of_range_dropped": 0,
            "readings_like_mmol_dropped": 0,
        },
    )


def window(recording: CleanRecord, days: int = 38) -> Trace | LeftOut:
    found = best_window(recording, source="azt1d", profile=PatientProfile(), days=days)
    return found if isinstance(found, LeftOut) else found.trace


def start_and_days(recording: CleanRecord, days: int = 38) -> tuple[int, float]:
    """Return the first day (from 0) and the length in days of the trace."""
    trace = window(recording, days)
    assert isinstance(trace, Trace)
    first = next(value for value in trace.cgm.tolist() if value != MISSING)
    return first - 100, len(trace) / DAY


def test_first_monday_wins_ties() -> None:
    assert start_and_days(record(50)) == (0, 38)


def test_week_that_begins_before_the_recording_is_no_choice() -> None:
    assert start_and_days(record(50, first_day=4)) == (7, 38)


def test_recording_may_begin_during_its_first_day() -> None:
    recording = record(31)
    recording.cgm[: DAY - 1] = MISSING
    assert start_and_days(recording) == (0, 31)


def test_clearly_more_readings_decide() -> None:
    assert start_and_days(record(50, absent=[1, 3])) == (7, 38)


def test_slightly_more_readings_do_not_decide() -> None:
    recording = record(50)
    recording.cgm[1 : DAY // 2] = MISSING  # half a day is less than 2 % of 30 days
    assert start_and_days(recording) == (0, 38)


@pytest.mark.parametrize(("known_from", "start"), [(10, 0), (23, 7), (28, 14)])
def test_known_insulin_decides_between_similar_windows(known_from: int, start: int) -> None:
    # 49 days: the three Mondays reach days 38, 45 and 49
    assert start_and_days(record(49, insulin_days=range(known_from, 40 + start)))[0] == start


def test_readings_come_before_insulin() -> None:
    recording = record(44, absent=[31, 33, 35], insulin_days=range(30, 44))
    assert start_and_days(recording)[0] == 0


def test_trace_ends_with_the_last_reading() -> None:
    assert start_and_days(record(33.25)) == (0, 33.25)
    assert start_and_days(record(33.25), days=30) == (0, 30)


def test_thirtieth_day_is_filled_up_with_missing_samples() -> None:
    trace = window(record(29.5))
    assert isinstance(trace, Trace)
    assert len(trace) == 30 * DAY
    assert set(trace.cgm[-DAY // 2 :].tolist()) == {MISSING}
    assert set(trace.insulin[-DAY // 2 :].tolist()) == {MISSING}


def test_events_are_told_from_the_first_midnight() -> None:
    minutes = (6 * 1440, 7 * 1440, 44 * 1440, 45 * 1440)
    carbs = tuple(CarbEvent(minute=minute, grams=20, meal="unspecified") for minute in minutes)
    trace = window(record(50, first_day=4, carbs=carbs))
    assert isinstance(trace, Trace)
    assert [carb.minute for carb in trace.carbs] == [0, 37 * 1440]
    assert [bolus.minute for bolus in trace.boluses] == [0, 37 * 1440]


@pytest.mark.parametrize(
    ("recording", "reason"),
    [
        (record(29), "no Monday is followed by 30 recorded days (the recording spans 29.0 days)"),
        (record(35, first_day=1), "no Monday is followed by 30 recorded days"),
        (record(31, first_day=31), "it holds no reading"),
        (record(31, absent=range(1, 10)), None),
        (record(31, absent=range(1, 11)), "its best 30 days hold 66 % of the readings, 70 %"),
    ],
)
def test_unusable_recording_is_left_out_with_the_reason(
    recording: CleanRecord, reason: str | None
) -> None:
    result = window(recording)
    if reason is None:
        assert isinstance(result, Trace)
    else:
        assert isinstance(result, LeftOut)
        assert result.reason.startswith(reason)


def test_recording_whose_readings_all_contradict_each_other_says_so() -> None:
    recording = record(31)
    recording.cgm[:] = MISSING
    result = window(recording)
    assert isinstance(result, LeftOut)
    assert result.reason.startswith(f"none of its {31 * DAY} readings could be kept")
