"""From what a pump was set to, to what it delivered."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.real_world.cleaning import cleaned
from generators.real_world.delivery import Rate, basal_per_sample, rate_of, steps, without_overlap
from generators.real_world.observations import Bolus, Observations
from generators.trace import MISSING


@pytest.mark.parametrize(
    ("units", "milliunits"),
    [(0, 0), (0.025, 25), (35, 35_000), (35.01, None), (-0.01, None), (1e9, None), (None, None)],
)
def test_rate_is_one_that_a_pump_delivers(units: float | None, milliunits: int | None) -> None:
    assert rate_of(units) == milliunits


def test_rate_that_changes_inside_a_sample_is_averaged() -> None:
    scheduled = steps([(300, 600), (750, 1200)], 1500)
    assert basal_per_sample(scheduled, samples=5).tolist() == [MISSING, 600, 900, 1200, 1200]


def test_later_layer_overrides_and_unknown_wins_within_a_sample() -> None:
    scheduled = steps([(0, 600)], 1500)
    temporary = [Rate(start=300, end=600, milliunits=0), Rate(start=900, end=901, milliunits=None)]
    assert basal_per_sample(scheduled, temporary, samples=5).tolist() == [600, 0, 600, MISSING, 600]


def test_temporary_rate_ends_where_the_next_begins() -> None:
    rates = without_overlap(
        [
            Rate(start=600, end=600, milliunits=0),  # cancels
            Rate(start=0, end=1200, milliunits=5),
            Rate(start=300, end=900, milliunits=7),
        ]
    )
    assert [(one.start, one.end) for one in rates] == [(0, 300), (300, 600)]


def test_nothing_known_is_unknown() -> None:
    assert steps([], 900) == []
    assert basal_per_sample([], samples=3).tolist() == [MISSING] * 3
    assert basal_per_sample([], samples=0).tolist() == []


@given(
    changes=st.lists(
        st.tuples(st.integers(0, 6000), st.integers(0, 35_000)), min_size=1, max_size=20
    )
)
def test_samples_add_up_to_what_the_rates_deliver(changes: list[tuple[int, int]]) -> None:
    rates = steps([(0, 0), *sorted(changes, key=lambda change: change[0])], 6000)
    delivered = sum((one.end - one.start) * (one.milliunits or 0) for one in rates)
    assert abs(basal_per_sample(rates, samples=20).sum() * 300 - delivered) <= 20 * 150


@given(
    second=st.integers(0, 3000), duration=st.integers(1, 2900), milliunits=st.integers(1, 25_000)
)
def test_bolus_over_a_while_adds_up(second: int, duration: int, milliunits: int) -> None:
    record = cleaned(
        Observations(
            subject="s",
            seconds=np.zeros(1, dtype=np.int64),
            glucose=np.full(1, 100.0),
            sensor_range=(40, 400),
            basal=np.zeros(20, dtype=np.int32),
            boluses=(
                Bolus(second=second, milliunits=milliunits, kind="meal_bolus", duration=duration),
            ),
            announcements=(),
            counts={},
        )
    )
    assert record.insulin.sum() == 10 * milliunits // 5
    given_in = np.flatnonzero(record.insulin)
    if given_in.size:
        assert second // 300 <= given_in[0]
        assert given_in[-1] <= (second + duration) // 300
