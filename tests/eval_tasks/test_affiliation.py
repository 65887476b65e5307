import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_tasks.affiliation import Affiliation, affiliation, half_open, merged
from scripts.plain_affiliation import by_definition

Intervals = list[tuple[float, float]]


def measured(predicted: Intervals, true: Intervals, length: float) -> Affiliation:
    return affiliation(
        np.array(predicted, dtype=np.float64).reshape(-1, 2),
        np.array(true, dtype=np.float64).reshape(-1, 2),
        length,
    )


def test_the_middle_event_of_the_papers_example() -> None:
    # Event 50..70 min, zone 30..120, predictions 40..60 and 115..120: precision 0.672, recall 0.944
    # are what the authors give for it; here the zone is the record.
    found = measured([(10, 30), (85, 90)], [(20, 40)], 90)
    assert found.precision == pytest.approx(0.672222222)
    assert found.recall == pytest.approx(0.944444444)


def test_the_example_of_the_authors_code() -> None:
    # Given there as precision 0.82 and recall 0.84.
    found = measured([(4, 5), (8, 9)], [(3, 4), (7, 10)], 10)
    assert round(found.precision, 2) == 0.82
    assert round(found.recall, 2) == 0.84


def test_one_event_and_one_prediction_by_hand() -> None:
    # Zone [0, 10), event [4, 6), prediction [7, 8). Precision: at distance d in 1..2 lie nearer
    # 2 + 2 d of 10, so the mean of 1 - (2 + 2 d) / 10 over d in 1..2 is 0.5. Recall: a time y of
    # the event lies 7 - y in 1..3 from the prediction, nearer lie min(2 (7 - y), 7) of 10; the
    # mean of 1 - 2 d / 10 over d in 1..3 is 0.6.
    found = measured([(7, 8)], [(4, 6)], 10)
    assert [found.precision, found.recall] == pytest.approx([0.5, 0.6])
    assert found.f1 == pytest.approx(2 * 0.5 * 0.6 / 1.1)


def test_a_distant_prediction_is_capped_by_the_record() -> None:
    # Event [0, 2), prediction [8, 10): distances 6..8 of at most 8, nearer lie 2 + d of 10.
    # Recall: y lies 8 - y from the prediction, nearer lie y + (8 - y) = 8 of 10 from y >= 0 on.
    found = measured([(8, 10)], [(0, 2)], 10)
    assert [found.precision, found.recall] == pytest.approx([0.1, 0.2])


def test_marking_everything_scores_two_thirds() -> None:
    found = measured([(0, 43200)], [(10000, 10100), (30000, 30200)], 43200)
    assert found.recall == 1
    assert found.precision == pytest.approx(0.5, abs=0.001)
    assert found.f1 == pytest.approx(2 / 3, abs=0.001)


@pytest.mark.parametrize(
    ("predicted", "true", "expected"), [([], [], 1), ([(1, 2)], [], 0), ([], [(1, 2)], 0)]
)
def test_empty_lists(predicted: Intervals, true: Intervals, expected: float) -> None:
    assert measured(predicted, true, 10) == Affiliation(
        precision=expected, recall=expected, f1=expected
    )


def test_a_zone_without_a_prediction_costs_recall_only() -> None:
    found = measured([(1, 2)], [(1, 2), (8, 9)], 10)
    assert (found.precision, found.recall) == (1, 0.5)


@st.composite
def interval_lists(draw: st.DrawFn, length: int = 40, least: int = 0) -> Intervals:
    bounds = draw(
        st.lists(st.integers(0, length), min_size=2 * least, max_size=10, unique=True).map(sorted)
    )
    return [(float(a), float(b)) for a, b in zip(bounds[::2], bounds[1::2], strict=False)]


@given(interval_lists(), interval_lists())
def test_agrees_with_the_definition_rendered_in_plain_python(
    predicted: Intervals, true: Intervals
) -> None:
    found, expected = measured(predicted, true, 40), by_definition(predicted, true, 40, 1 / 16)
    assert found.precision == pytest.approx(expected[0], abs=1e-9)
    assert found.recall == pytest.approx(expected[1], abs=1e-9)


@given(interval_lists(least=1))
def test_the_gold_intervals_score_exactly_1(true: Intervals) -> None:
    assert measured(true, true, 40) == Affiliation(precision=1, recall=1, f1=1)


@given(interval_lists(), interval_lists())
def test_splitting_and_order_do_not_matter(predicted: Intervals, true: Intervals) -> None:
    halves = [part for a, b in reversed(predicted) for part in (((a + b) / 2, b), (a, (a + b) / 2))]
    assert measured(halves, true, 40) == measured(predicted, true, 40)


@given(interval_lists(), interval_lists())
def test_mirroring_time_changes_nothing(predicted: Intervals, true: Intervals) -> None:
    def mirrored(intervals: Intervals) -> Intervals:
        return [(40 - b, 40 - a) for a, b in intervals]

    found, other = measured(predicted, true, 40), measured(mirrored(predicted), mirrored(true), 40)
    assert found.f1 == pytest.approx(other.f1, abs=1e-9)


@given(st.integers(0, 30))
def test_a_nearer_prediction_never_scores_less(distance: int) -> None:
    def f1(away: int) -> float:
        return measured([(5 + away, 6 + away)], [(4, 5)], 40).f1

    assert f1(distance) >= f1(distance + 1)


def test_half_open_spans_cover_whole_samples() -> None:
    intervals: list[dict[str, float]] = [
        {"start": 100, "end": 160},
        {"start": 100, "end": 101},
        {"start": 100, "end": 100},
        {"start": 102.5, "end": 107},
    ]
    assert half_open(intervals, 1000).tolist() == [[100, 165], [100, 105], [100, 105], [100, 110]]


def test_what_lies_outside_the_record_counts_at_its_nearest_sample() -> None:
    intervals = [{"start": 5000, "end": 6000}, {"start": -50, "end": -20}, {"start": -9, "end": 7}]
    assert half_open(intervals, 1000).tolist() == [[995, 1000], [0, 5], [0, 10]]


def test_half_open_of_nothing_is_nothing() -> None:
    assert half_open([], 1000).shape == (0, 2)


def test_touching_and_nested_intervals_are_merged() -> None:
    intervals = np.array([[20, 30], [0, 10], [10, 12], [1, 2], [40, 50], [41, 60]], dtype=float)
    assert merged(intervals).tolist() == [[0, 12], [20, 30], [40, 60]]


@given(
    st.lists(st.integers(0, 60), max_size=8, unique=True).map(sorted),
    st.lists(st.integers(0, 60), max_size=8, unique=True).map(sorted),
)
def test_the_default_step_is_exact_for_spans_of_samples(mine: list[int], true: list[int]) -> None:
    predicted, golds = (
        [(5.0 * a, 5.0 * b) for a, b in zip(bounds[::2], bounds[1::2], strict=False)]
        for bounds in (mine, true)
    )
    found, expected = measured(predicted, golds, 300), by_definition(predicted, golds, 300)
    assert [found.precision, found.recall] == pytest.approx(list(expected), abs=1e-9)


@given(interval_lists(), interval_lists())
def test_every_measure_is_a_share(predicted: Intervals, true: Intervals) -> None:
    found = measured(predicted, true, 40)
    assert 0 <= found.precision <= 1
    assert 0 <= found.recall <= 1
    assert min(found.precision, found.recall) <= found.f1 <= max(found.precision, found.recall)


@given(interval_lists(), interval_lists(least=1))
def test_adding_a_true_event_lowers_neither_precision_nor_recall(
    predicted: Intervals, true: Intervals
) -> None:
    before = measured(predicted, true, 40)
    for event in true:
        after = measured([*predicted, event], true, 40)
        assert after.precision >= before.precision - 1e-12
        assert after.recall >= before.recall - 1e-12
        assert after.f1 >= before.f1 - 1e-12


@given(interval_lists(), interval_lists(least=1))
def test_predictions_inside_true_events_are_perfectly_precise(
    predicted: Intervals, true: Intervals
) -> None:
    inside = [
        (max(a, u), min(b, v)) for a, b in predicted for u, v in true if max(a, u) < min(b, v)
    ]
    if inside:
        assert measured(inside, true, 40).precision == pytest.approx(1)
