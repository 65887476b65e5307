import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.questions.spread import PLACES, Pattern, Scale, pattern
from generators.streams import Stream

BY_FACTOR = Scale(
    by_factor=True,
    widths=(math.log(1.25), math.log(1.7)),
    slips=(math.log(2),),
    low=0.0,
    high=math.inf,
    step=0.1,
    apart=0.2,
)
BY_DIFFERENCE = Scale(
    by_factor=False,
    widths=(180.0, 360.0),
    slips=(10, 30, 60),
    low=0.0,
    high=1440.0,
    step=5,
    apart=6,
)


def _pattern(scale: Scale, seed: int) -> Pattern:
    drawn = pattern(scale, Stream(seed, "test"))
    assert drawn is not None
    return drawn


@given(seed=st.integers(0, 10_000), scale=st.sampled_from((BY_FACTOR, BY_DIFFERENCE)))
def test_places_lie_within_the_width_and_pairs_a_slip_apart(seed: int, scale: Scale) -> None:
    drawn = pattern(scale, Stream(seed, "test"))
    if drawn is None:
        return
    assert len(drawn.places) == PLACES
    assert all(0 <= place <= drawn.width + 1e-9 for place in drawn.places)
    for first, second in drawn.pairs:
        slip = drawn.places[second] - drawn.places[first]
        assert any(abs(slip - known) < 1e-9 for known in scale.slips)


def test_a_place_knows_its_partner() -> None:
    drawn = Pattern(width=1.0, places=(0.0,) * PLACES, pairs=((0, 1),))
    assert drawn.pair(0) == drawn.pair(1) == (0, 1)
    assert drawn.pair(5) == (5,)
    assert drawn.firsts == (0, 2, 3, 4, 5, 6, 7, 8, 9)


def test_where_ten_places_do_not_fit_there_is_no_pattern() -> None:
    tight = Scale(
        by_factor=False, widths=(40.0, 50.0), slips=(), low=0.0, high=90.0, step=5, apart=6
    )
    assert pattern(tight, Stream(1, "test")) is None


def test_patterns_without_and_with_pairs_are_drawn() -> None:
    counts = Counter(len(_pattern(BY_DIFFERENCE, seed).pairs) for seed in range(50))
    assert set(counts) == {0, 1, 2}
    assert counts[0] > counts[1]


@pytest.mark.parametrize(
    ("values", "holds"),
    [
        ((1.0, 1.2), True),
        ((1.0, 1.1), False),
        ((100.0, 101.0), False),
        ((100.0, 101.1), True),
        ((-0.1, 5.0), False),
    ],
)
def test_options_hold_when_possible_and_apart(values: tuple[float, ...], holds: bool) -> None:
    assert BY_FACTOR.holds(values) is holds


def test_minutes_are_apart_by_minutes_only() -> None:
    assert BY_DIFFERENCE.holds((1000.0, 1006.0))
    assert not BY_DIFFERENCE.holds((1000.0, 1005.0))
    assert not BY_DIFFERENCE.holds((1435.0, 1441.0))


@given(low=st.integers(30, 500), seed=st.integers(0, 1000))
def test_a_slip_and_its_reverse_make_the_same_pairs(low: int, seed: int) -> None:
    """A pair is (x, 2x) within what rounding takes, whichever of the two was there first."""
    value = low / 10
    up = BY_FACTOR.slipped(value, math.log(2), Stream(seed, "up"))
    assert abs(up - 2 * value) < 0.11 + 1e-9
    down = BY_FACTOR.slipped(up, -math.log(2), Stream(seed, "down"))
    assert abs(2 * down - up) < 0.11 + 1e-9


def test_unlike_signs_are_infinitely_far_apart_by_factor() -> None:
    assert BY_FACTOR.distance(-1.0, 1.0) == math.inf
    assert BY_FACTOR.distance(-2.0, -1.0) == pytest.approx(math.log(2))
    assert BY_DIFFERENCE.distance(-1.0, 1.0) == 2.0


def test_no_option_is_written_as_minus_zero() -> None:
    assert str(BY_FACTOR.rounded(-0.01)) == "0.0"
