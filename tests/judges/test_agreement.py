"""Agreement on small tables, against results worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.metrics import cohen_kappa_score

from judges.agreement import agreement


def table(both: int, first: int, second: int, neither: int) -> tuple[list[bool], list[bool]]:
    """Ratings with so many cells of a two by two table."""
    one = [True] * (both + first) + [False] * (second + neither)
    other = [True] * both + [False] * first + [True] * second + [False] * neither
    return one, other


def test_a_table_worked_by_hand() -> None:
    """20 5 / 10 15: agree 0.7; chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5; kappa (0.7 - 0.5) / 0.5 = 0.4.

    AC1: share of yes (0.5 + 0.6) / 2 = 0.55, chance 2 * 0.55 * 0.45 = 0.495.
    """
    found = agreement(*table(20, 5, 10, 15))
    assert found.raw.value == pytest.approx(0.7)
    assert found.kappa.value == pytest.approx(0.4)
    assert found.ac1.value == pytest.approx((0.7 - 0.495) / (1 - 0.495))
    centre, reach = 0.7 + 1.9208 / 50, 1.96 * math.sqrt(0.7 * 0.3 / 50 + 0.9604 / 2500)
    assert found.raw.low == pytest.approx((centre - reach) / (1 + 3.8416 / 50), abs=1e-4)
    assert found.raw.high == pytest.approx((centre + reach) / (1 + 3.8416 / 50), abs=1e-4)


def test_the_interval_of_kappa_is_near_that_of_its_large_sample_formula() -> None:
    """Fleiss, Cohen and Everitt 1969 (10.1037/h0028106), from the same table a hundredfold."""
    both, first, second, neither = cells = (0.4, 0.1, 0.2, 0.3)
    rows, columns = (both + first, second + neither), (both + second, first + neither)
    chance = rows[0] * columns[0] + rows[1] * columns[1]
    kappa = (both + neither - chance) / (1 - chance)
    agreed = sum(
        p * (1 - (r + c) * (1 - kappa)) ** 2
        for p, r, c in ((both, rows[0], columns[0]), (neither, rows[1], columns[1]))
    )
    apart = (1 - kappa) ** 2 * (
        first * (columns[0] + rows[1]) ** 2 + second * (columns[1] + rows[0]) ** 2
    )
    rest = (kappa - chance * (1 - kappa)) ** 2
    error = math.sqrt((agreed + apart - rest) / 1000) / (1 - chance)
    found = agreement(*table(*(round(1000 * cell) for cell in cells)))
    assert found.kappa.value == pytest.approx(kappa)
    assert found.kappa.high - found.kappa.value == pytest.approx(1.962 * error, rel=0.01)


def test_ac1_holds_where_kappa_collapses() -> None:
    found = agreement(*table(98, 1, 1, 0))
    assert found.kappa.value < 0
    assert found.ac1.value > 0.97


def test_both_always_yes() -> None:
    found = agreement(*table(5, 0, 0, 0))
    assert (found.raw.value, found.ac1.value) == (1.0, 1.0)
    assert math.isnan(found.kappa.value)
    assert math.isnan(found.kappa.low)


def test_raters_that_never_disagree_are_not_certain() -> None:
    """Ten items: 0.025 ** (1 / 10) = 0.6915; half yes, so that kappa and AC1 lose 0.5 to chance."""
    found = agreement(*table(5, 0, 0, 5))
    exact = binomtest(10, 10).proportion_ci(0.95, "exact").low
    assert found.raw.low == pytest.approx(exact) == pytest.approx(0.6915, abs=1e-4)
    for beyond_chance in (found.kappa, found.ac1):
        assert (beyond_chance.value, beyond_chance.high) == (1.0, 1.0)
        assert beyond_chance.low == pytest.approx((exact - 0.5) / 0.5)


def test_without_disagreement_items_count_and_not_ratings() -> None:
    one, other = table(5, 0, 0, 5)
    assert (
        agreement(one * 40, other * 40, list(range(10)) * 40).kappa == agreement(one, other).kappa
    )


def test_raters_that_always_disagree_are_not_certain_either() -> None:
    found = agreement(*table(0, 10, 0, 0))
    exact = binomtest(0, 10).proportion_ci(0.95, "exact").high
    assert (found.raw.value, found.raw.low) == (0.0, 0.0)
    assert found.raw.high == pytest.approx(exact)
    assert found.kappa.value == 0.0
    assert math.isnan(found.kappa.high), "neither rater varies: kappa is 0 whatever the other says"


def test_one_item_has_no_interval() -> None:
    found = agreement([True, True], [True, True], ["item", "item"])
    assert math.isnan(found.raw.low)
    assert math.isnan(found.ac1.low)


def test_a_single_no_among_agreeing_raters_leaves_kappa_a_wide_interval() -> None:
    """Without that item chance alone agrees always, so that the jackknife is not defined."""
    found = agreement(*table(9, 0, 0, 1))
    chance = 0.81 + 0.01
    assert found.kappa.value == 1.0
    assert found.kappa.low == pytest.approx(max(-1.0, (found.raw.low - chance) / (1 - chance)))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=20))
def test_no_interval_is_without_width(pairs: list[tuple[bool, bool]]) -> None:
    found = agreement([a for a, _ in pairs], [b for _, b in pairs])
    for one in (found.raw, found.kappa, found.ac1):
        assert math.isnan(one.low) or one.low < one.high
        assert math.isnan(one.low) or one.low <= one.value + 1e-12 <= one.high + 2e-12


def test_no_ratings_at_all() -> None:
    found = agreement([], [])
    assert (found.n, found.clusters) == (0, 0)
    assert math.isnan(found.raw.value)


def test_repeated_ratings_of_an_item_make_intervals_no_narrower() -> None:
    one, other = table(8, 3, 2, 7)
    alone = agreement(one, other)
    copies = agreement(one * 40, other * 40, list(range(20)) * 40)
    as_if_independent = agreement(one * 40, other * 40)
    assert copies.clusters == 20
    assert copies.kappa.value == pytest.approx(alone.kappa.value)
    assert copies.kappa.high - copies.kappa.low == pytest.approx(
        alone.kappa.high - alone.kappa.low, rel=1e-6
    )
    assert as_if_independent.kappa.high < copies.kappa.high


def test_ratings_of_unequal_number_are_refused() -> None:
    with pytest.raises(ValueError, match="equally many"):
        agreement([True], [True, False])


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=20))
def test_raters_are_alike_whichever_comes_first(pairs: list[tuple[bool, bool]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    found, turned = agreement(one, other), agreement(other, one)
    for estimate, mirrored in ((found.raw, turned.raw), (found.ac1, turned.ac1)):
        assert estimate.value == pytest.approx(mirrored.value)
        assert -1 <= estimate.value <= 1
    assert found.kappa.value == pytest.approx(turned.kappa.value, nan_ok=True)


@pytest.mark.parametrize("cells", [(20, 5, 10, 15), (98, 1, 1, 0), (0, 3, 4, 0), (1, 1, 1, 1)])
def test_kappa_is_that_of_scikit_learn(cells: tuple[int, int, int, int]) -> None:
    one, other = table(*cells)
    assert agreement(one, other).kappa.value == pytest.approx(cohen_kappa_score(one, other))


def test_a_quarter_million_verdicts_in_25_clusters() -> None:
    """The source's scale: 1,000 cases of 25 items, judged over and over."""
    one, other = table(100_000, 40_000, 30_000, 70_000)
    found = agreement(one, other, [number % 25 for number in range(240_000)])
    assert (found.n, found.clusters) == (240_000, 25)
    assert found.raw.low < found.raw.value < found.raw.high
