"""From observations to the 5-minute grid."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.real_world.cleaning import CleanRecord, cleaned
from generators.real_world.observations import Announcement, Bolus, Observations
from generators.trace import MISSING

SAMPLES = 24


def observations(
    readings: list[tuple[int, float]],
    *,
    basal: list[int] | None = None,
    boluses: tuple[Bolus, ...] = (),
    announcements: tuple[Announcement, ...] = (),
) -> Observations:
    """Return observations of two hours; readings are (second, mg/dL)."""
    return Observations(
        subject="azt1d_01",
        seconds=np.array([second for second, _ in readings], dtype=np.int64),
        glucose=np.array([value for _, value in readings], dtype=np.float64),
        sensor_range=(40, 400),
        basal=np.array(basal or [0] * SAMPLES, dtype=np.int32),
        boluses=boluses,
        announcements=announcements,
        counts={"rows": len(readings)},
    )


def present(record: CleanRecord) -> dict[int, int]:
    at = np.flatnonzero(record.cgm != MISSING)
    return dict(zip(at.tolist(), record.cgm[at].tolist(), strict=True))


@pytest.mark.parametrize(
    ("readings", "expected"),
    [
        ([(0, 100), (300, 110)], {0: 100, 1: 110}),
        ([(149, 100), (450, 110)], {0: 100, 2: 110}),  # halfway goes to the later sample
        ([(290, 100), (305, 101)], {1: 101}),  # the nearest
        ([(295, 100), (305, 110)], {1: 100}),  # as near: the earlier
        ([(305, 110), (295, 100)], {1: 100}),
        ([(300, 104), (300, 100)], {1: 100}),  # same time: the lower
        ([(300, 100), (300, 115)], {1: 100}),  # 15 mg/dL still agree
        ([(300, 100), (300, 116)], {}),
        ([(300, 200), (330, 230)], {1: 200}),  # 15 % still agree
        ([(300, 200), (330, 231)], {}),
        ([(300, 100), (310, 105), (320, 140)], {}),
        ([(300, 40), (600, 400)], {1: 40, 2: 400}),  # the sensor's limits are kept
        ([(300, 39), (600, 401), (900, -120)], {}),
        ([(300, 120.4), (600, 120)], {2: 120}),
        ([], {}),
    ],
)
def test_readings_come_to_the_grid(
    readings: list[tuple[int, float]], expected: dict[int, int]
) -> None:
    assert present(cleaned(observations(readings))) == expected


def test_every_step_is_counted() -> None:
    readings = [
        (0, 100.0),
        (0, 100.0),  # repeated
        (310, 110.0),  # off the grid
        (320, 112.0),  # second reading
        (600, 100.0),
        (600, 180.0),  # conflict
        (900, 20.0),  # out of range
        (1200, 99.5),  # not whole
    ]
    counts = cleaned(observations(readings)).counts
    assert counts == {
        "rows": 8,
        "readings": 7,
        "readings_out_of_range_dropped": 1,
        "readings_like_mmol_dropped": 1,
        "readings_not_whole_dropped": 1,
        "off_grid_moved": 2,
        "second_readings_dropped": 1,
        "conflicting_readings_dropped": 2,
        "unusual_insulin_days": 0,
        "impossible_insulin_days": 0,
    }


def test_insulin_is_basal_and_bolus_in_tenths_of_milliunits_a_minute() -> None:
    record = cleaned(
        observations(
            [(0, 100)],
            basal=[600, 825, 3, 9, MISSING, 0] + [0] * 18,
            boluses=(
                Bolus(second=10, milliunits=4000, kind="meal_bolus"),
                Bolus(second=10, milliunits=1000, kind="correction_bolus"),
                Bolus(second=1210, milliunits=500, kind="automatic_correction"),
            ),
        )
    )
    # 0.825 U/h are 13.75 mU/min; 3 and 9 mU/h are 0.05 and 0.15 mU/min; halves are rounded up
    assert record.insulin[:6].tolist() == [100 + 10_000, 138, 1, 2, MISSING, 0]
    assert [(one.minute, one.units) for one in record.boluses] == [(0, 4.0), (0, 1.0), (20, 0.5)]


def test_carbohydrate_comes_to_the_grid_without_a_name() -> None:
    record = cleaned(
        observations([(0, 100)], announcements=(Announcement(second=449, grams=30.5),))
    )
    (carb,) = record.carbs
    assert (carb.minute, carb.grams, carb.meal, carb.eaten) == (5, 30.5, "unspecified", None)


@given(
    values=st.lists(st.integers(40, 400), min_size=1, max_size=SAMPLES),
    jitter=st.lists(st.integers(-149, 149), min_size=SAMPLES, max_size=SAMPLES),
    repeats=st.lists(st.integers(0, SAMPLES - 1), max_size=10),
)
def test_jitter_within_half_a_step_and_repetitions_change_nothing(
    values: list[int], jitter: list[int], repeats: list[int]
) -> None:
    on_grid = [(300 * i, float(value)) for i, value in enumerate(values)]
    moved = [(300 * i + jitter[i], float(value)) for i, value in enumerate(values)]
    moved[0] = (abs(moved[0][0]), moved[0][1])
    repeated = moved + [moved[i % len(moved)] for i in repeats]
    plain, noisy = cleaned(observations(on_grid)), cleaned(observations(repeated))
    assert np.array_equal(plain.cgm, noisy.cgm)
    assert noisy.counts["readings"] == len(values)


@given(st.lists(st.tuples(st.integers(0, 6800), st.integers(30, 410)), max_size=40))
def test_order_of_the_observations_does_not_matter(readings: list[tuple[int, float]]) -> None:
    one, other = cleaned(observations(readings)), cleaned(observations(readings[::-1]))
    assert np.array_equal(one.cgm, other.cgm)
    assert one.counts == other.counts


@given(st.lists(st.tuples(st.integers(0, 6800), st.integers(30, 410)), max_size=40))
def test_every_value_on_the_grid_was_read_within_half_a_step(
    readings: list[tuple[int, float]],
) -> None:
    for sample, value in present(cleaned(observations(readings))).items():
        assert any(abs(second - 300 * sample) <= 150 and value == v for second, v in readings)
