"""What a Tandem pump delivered: basal hours, boluses, what stays unknown."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.real_world.tandem import PumpRecord, PumpRow, pump_record
from generators.trace import MISSING

HOUR = 12


def pump_row(
    minute: float,
    basal: float | None = 0.6,
    bolus_type: str = "",
    parts: tuple[float | None, float, float] = (None, 0, 0),
    grams: float = 0,
) -> PumpRow:
    """Return a row; parts are total, food and correction."""
    total, food, correction = parts
    return PumpRow(
        second=round(60 * minute),
        basal=basal,
        bolus_type=bolus_type,
        total=total,
        food=food,
        correction=correction,
        grams=grams,
    )


def hours(*rates: float | None) -> list[PumpRow]:
    """Return complete hours with these basal values."""
    return [
        pump_row(60 * hour + minute, basal)
        for hour, basal in enumerate(rates)
        for minute in range(0, 60, 5)
    ]


def with_entries(rows: list[PumpRow], *entries: PumpRow) -> PumpRecord:
    return pump_record(sorted((*rows, *entries), key=lambda one: one.second))


def basal_of_hours(record: PumpRecord) -> list[int]:
    by_hour = record.basal[: len(record.basal) // HOUR * HOUR].reshape(-1, HOUR)
    assert all(len(set(hour.tolist())) == 1 for hour in by_hour)
    return [int(hour[0]) for hour in by_hour]


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        ((0.6, 0.825, 0.0), [600, 825, 0]),
        ((0.6, None, 0.6), [600, MISSING, 600]),
        ((0.3, 300.0, 1650.0), [300, 300, 1650]),
        ((3.0, 2.0, 0.9), [3000, 2000, 900]),
        ((356.0, 10.0, 296.0), [356, MISSING, 296]),  # 10 mU, or 10 U?
        ((0.9, 1.0, 900.0), [900, MISSING, 900]),
        ((0.6, 0.005288, 0.6), [600, MISSING, 600]),  # finer than the pump's step
        ((15.0, 15.5, 15000.0), [15000, MISSING, 15000]),
        ((0.6, 15001.0, 1e308), [600, MISSING, MISSING]),
        ((0.6, -0.5, -300.0), [600, MISSING, MISSING]),
    ],
)
def test_basal_holds_for_its_hour_in_either_scale(
    rates: tuple[float | None, ...], expected: list[int]
) -> None:
    assert basal_of_hours(pump_record(hours(*rates))) == expected


def test_few_rows_or_no_majority_leave_the_hour_unknown() -> None:
    rows = hours(0.6, None, 0.9)
    rows[HOUR : HOUR + 2] = [pump_row(60, 0.6), pump_row(65, 0.6)]
    rows[2 * HOUR : 2 * HOUR + 6] = [pump_row(120 + 5 * i, 0.8) for i in range(6)]
    record = pump_record(rows)
    assert basal_of_hours(record) == [600, MISSING, MISSING]
    assert record.counts["basal_hours_undecided"] == 2


def test_one_row_of_the_next_hour_does_not_decide() -> None:
    rows = hours(0.6, 0.9)
    rows[HOUR - 1] = pump_row(55, 0.9)
    assert basal_of_hours(pump_record(rows)) == [600, 900]


def test_rows_that_share_their_time_say_nothing_of_the_hour() -> None:
    rows = [row for row in hours(0.6, 0.7) if not 20 < row.second / 60 < 50]
    shared = [pump_row(50, rate) for rate in (0.1, 0.2, 0.3, 0.4, 0.5) for _ in range(4)]
    assert with_entries(rows, *shared).basal[[0, 10]].tolist() == [600, 600]


def test_clock_that_drifts_belongs_to_the_nearest_step() -> None:
    rows = [pump_row(row.second / 60 + 2.4, row.basal) for row in hours(0.6, 0.9)]
    assert basal_of_hours(pump_record(rows)) == [600, 900]
    late = [pump_row(row.second / 60 + 2.5, row.basal) for row in hours(0.6, 0.9)]
    assert pump_record(late).basal[: HOUR + 1].tolist() == [MISSING, *[600] * (HOUR - 1), 900]


@given(st.lists(st.integers(-149, 149), min_size=3 * HOUR, max_size=3 * HOUR))
def test_jitter_within_half_a_step_changes_nothing(jitter: list[int]) -> None:
    rows = hours(0.6, 0.9, 0.3)
    rows[20] = pump_row(100, 0.9, "Standard", (4, 4, 0), 40)
    moved = [replace(row, second=row.second + by) for row, by in zip(rows, jitter, strict=True)]
    record, other = pump_record(rows), pump_record(moved)
    assert np.array_equal(record.basal, other.basal)
    assert record.counts == other.counts
    assert len(other.boluses) == len(other.announcements) == 1


@pytest.mark.parametrize(
    ("bolus_type", "parts", "grams", "expected"),
    [
        ("Standard", (4, 4, 0), 40, [("meal_bolus", 4000)]),
        ("BLE Standard Bolus", (4, 4, 0), 40, [("meal_bolus", 4000)]),
        ("Standard/Correction", (1.26, 0, 1.26), 0, [("correction_bolus", 1260)]),
        (
            "BLE Standard Bolus/Correction",
            (4.08, 2.67, 1.41),
            8,
            [("meal_bolus", 2670), ("correction_bolus", 1410)],
        ),
        (
            "Standard/Correction",
            (0.06, 0.05, 0.02),
            5,
            [("meal_bolus", 40), ("correction_bolus", 20)],
        ),
        ("Automatic Bolus/Correction", (0.6, 0, 0.6), 0, [("automatic_correction", 600)]),
        ("Standard", (3, 0, 0), 0, [("unspecified_bolus", 3000)]),
        ("Standard", (3, 0, 0), 20, [("meal_bolus", 3000)]),
        ("Standard/Correction", (3, 0, 0), 0, [("correction_bolus", 3000)]),
        ("Standard/Correction", (3, 0, 0), 20, [("meal_bolus", 3000)]),
        ("Standard", (0, 0, 0), 20, []),
    ],
)
def test_bolus_is_told_by_its_parts_and_adds_up_to_the_total(
    bolus_type: str,
    parts: tuple[float, float, float],
    grams: float,
    expected: list[tuple[str, int]],
) -> None:
    record = with_entries(hours(0.6, 0.6), pump_row(62, None, bolus_type, parts, grams))
    assert [(one.kind, one.milliunits) for one in record.boluses] == expected
    assert MISSING not in record.basal


@pytest.mark.parametrize(
    "parts",
    [(None, 0, 0), (0, 0, 0.49), (5, 3, 1), (-1, 0, 0), (25.01, 0, 0), (1e308, 0, 0), (2, 3, -1)],
)
def test_bolus_that_cannot_be_read_makes_its_sample_unknown(
    parts: tuple[float | None, float, float],
) -> None:
    record = with_entries(hours(0.6, 0.6), pump_row(60.5, None, "Standard", parts))
    assert record.boluses == ()
    assert record.counts["unreadable_boluses_dropped"] == 1
    assert np.flatnonzero(record.basal == MISSING).tolist() == [HOUR]


def test_boluses_by_hand_without_a_stated_purpose_are_counted() -> None:
    by_hand = pump_row(60.5, None, "Standard", (3, 0, 0))
    assert with_entries(hours(0.6, 0.6), by_hand).counts["boluses_of_unstated_purpose"] == 1


def test_entry_repeated_with_other_basal_counts_once() -> None:
    entries = [pump_row(62, rate, "Standard", (4, 4, 0), 40) for rate in (0.6, 0.7, 0.8)]
    record = with_entries(hours(0.6, 0.6), *entries)
    assert [one.milliunits for one in record.boluses] == [4000]
    assert [one.grams for one in record.announcements] == [40]


def test_extended_bolus_delivers_its_first_part_and_leaves_eight_hours_unknown() -> None:
    extended = pump_row(61, None, "Extended 50.00%/15.49", (7.74, 7.74, 0), 65)
    record = with_entries(hours(*[0.6] * 12), extended)
    assert [(one.kind, one.milliunits) for one in record.boluses] == [("meal_bolus", 7740)]
    unknown = np.flatnonzero(record.basal == MISSING)
    assert (unknown[0], unknown[-1], len(unknown)) == (HOUR, 9 * HOUR - 1, 8 * HOUR)
    assert record.counts["extended_boluses"] == 1


@pytest.mark.parametrize(("absent", "known"), [(3, True), (4, False)])
def test_insulin_is_unknown_in_a_long_gap_of_the_glucose_record(absent: int, known: bool) -> None:
    rows = hours(0.6, 0.6)
    del rows[6 : 6 + absent]
    record = pump_record(rows)
    unknown = np.flatnonzero(record.basal == MISSING).tolist()
    assert unknown == ([] if known else list(range(6, 6 + absent)))


@pytest.mark.parametrize(("minute", "sample"), [(25, 5), (50, 10)])
def test_entry_beside_a_long_gap_cannot_be_dated(minute: int, sample: int) -> None:
    rows = [row for row in hours(0.6, 0.6) if not 25 <= row.second / 60 <= 50]
    beside = [
        pump_row(at, 0.6, *(("Standard", (4, 4, 0), 40) if at == minute else ())) for at in (25, 50)
    ]
    record = with_entries(rows, *beside)
    assert (record.boluses, record.announcements) == ((), ())
    assert record.counts["undatable_entries_dropped"] == 1
    assert np.flatnonzero(record.basal == MISSING).tolist() == sorted({6, 7, 8, 9, sample})


def test_insulin_is_unknown_before_the_first_row() -> None:
    assert pump_record(hours(0.6, 0.6)[3:]).basal[:4].tolist() == [MISSING] * 3 + [600]


@pytest.mark.parametrize(
    ("entries", "grams"),
    [
        # minute, total, food, grams; 0.1 U/g is usual
        ([(0, 4, 4, 40), (10, 4, 4, 40)], [40, 40]),  # eaten and dosed twice
        ([(0, 0, 0, 55), (5, 0, 0, 55), (15, 5.5, 5.5, 55)], [55]),  # cancelled twice
        ([(0, 0, 0, 45), (5, 4.3, 4.3, 43)], [43]),  # cancelled and corrected
        ([(0, 0.9, 0.9, 50), (10, 5, 5, 50)], [50]),  # interrupted
        ([(0, 0, 0, 35), (31, 4, 4, 40)], [35, 40]),  # too late to be the same meal
        ([(0, 0, 0, 35)], [35]),  # announced, not dosed
        ([(0, 2, 0, 10), (5, 1, 1, 10)], [10, 10]),  # dosed by hand
    ],
)
def test_carbohydrate_of_a_cancelled_or_interrupted_bolus_counts_once(
    entries: list[tuple[float, float, float, float]], grams: list[float]
) -> None:
    usual = [pump_row(300 + 60 * i, None, "Standard", (3, 3, 0), 30) for i in range(9)]
    rows = [
        pump_row(120 + minute, None, "Standard", (total, food, 0), carbs)
        for minute, total, food, carbs in entries
    ]
    record = with_entries(hours(*[0.6] * 15), *rows, *usual)
    assert [one.grams for one in record.announcements[: -len(usual)]] == grams


@pytest.mark.parametrize("grams", [-5, 1000, 1e300])
def test_impossible_carbohydrate_is_dropped(grams: float) -> None:
    entry = pump_row(62, None, "Standard", (3, 0, 0), grams)
    record = with_entries(hours(0.6, 0.6), entry)
    assert record.announcements == ()
    assert record.counts["carbs_out_of_range_dropped"] == 1


def test_no_rows_give_an_empty_record() -> None:
    record = pump_record([])
    assert len(record.basal) == 0
    assert (record.boluses, record.announcements) == ((), ())
