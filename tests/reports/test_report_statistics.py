"""The statistics held against statsmodels and against computations by hand."""

import math

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import Table, cochrans_q
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_elsewhere
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from eval_tasks.summary import ScoredRow, sampled_skill, summarise
from eval_tasks.unvaried import unvaried
from generators.streams import Stream
from reports.bootstrap import Interval, cluster_mean, interval, mean_by_cluster, resamples
from reports.measures import measures
from reports.statistics import (
    bonferroni,
    chi_square,
    cochran,
    kappa,
    mcnemar,
    paired_effect,
    score_test,
    swapped,
)

RIGHT = np.array(
    [
        [1, 1, 0],
        [1, 0, 0],
        [0, 0, 0],
        [1, 1, 1],
        [1, 0, 1],
        [1, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
        [1, 1, 0],
        [1, 0, 0],
    ],
    dtype=bool,
)
"""Ten rows, three systems: the fixed table."""


def test_mcnemar_equals_statsmodels_and_the_binomial_by_hand() -> None:
    first, second = RIGHT[:, 0], RIGHT[:, 1]
    found = mcnemar(first, second)
    elsewhere = mcnemar_elsewhere(pd.crosstab(first, second).to_numpy(), exact=True)
    assert (found.only_first, found.only_second) == (5, 1)
    assert found.p == pytest.approx(elsewhere.pvalue)
    assert found.p == pytest.approx(2 * (1 + 6) / 2**6)
    assert found.cohen_g == pytest.approx(5 / 6 - 1 / 2)


def test_systems_that_never_differ_do_not_differ() -> None:
    found = mcnemar(RIGHT[:, 0], RIGHT[:, 0])
    assert (found.p, found.cohen_g) == (1.0, 0.0)


def test_two_systems_without_rows_are_not_tested() -> None:
    assert math.isnan(mcnemar(np.ones(0, dtype=bool), np.ones(0, dtype=bool)).p)


def test_swapping_rows_by_themselves_is_mcnemars_exact_test() -> None:
    first, second = RIGHT[:, 0], RIGHT[:, 1]
    assert swapped(first, second, np.arange(10)) == pytest.approx(mcnemar(first, second).p)


def test_swapping_whole_patients_by_hand() -> None:
    """Differences 3, 2 and -1 of three patients: 4 or more of either sign in 4 of 8 swaps."""
    first = np.array([1, 1, 1, 1, 1, 0, 1], dtype=bool)
    second = np.array([0, 0, 0, 0, 0, 1, 1], dtype=bool)
    assert swapped(first, second, np.array([0, 0, 0, 1, 1, 2, 2])) == pytest.approx(4 / 8)


@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 4)), min_size=1, max_size=30),
    st.integers(1, 5),
)
def test_swapping_depends_on_patients_and_not_on_how_often_they_are_asked(
    rows: list[tuple[bool, bool, int]], copies: int
) -> None:
    first, second = (np.array([row[place] for row in rows]) for place in (0, 1))
    clusters = pd.factorize(np.array([row[2] for row in rows]))[0]
    found = swapped(first, second, clusters)
    again = [np.tile(values, copies) for values in (first, second, clusters)]
    assert swapped(*again) == pytest.approx(found, nan_ok=True)
    assert swapped(second, first, clusters) == pytest.approx(found, nan_ok=True)
    assert math.isnan(found) or 0.0 < found <= 1.0


def test_the_score_test_equals_that_of_statsmodels() -> None:
    stream = Stream(5, "score test")
    clusters = (stream.uniform(400) * 20).astype(int)
    groups = (stream.uniform(400) * 3).astype(int)
    outcomes = stream.uniform(400) < 0.3 + 0.3 * (clusters % 2)
    design = np.column_stack([np.ones(400), groups == 1, groups == 2]).astype(float)
    models = [
        sm.GEE(outcomes.astype(float), design[:, :columns], groups=clusters) for columns in (3, 1)
    ]
    elsewhere = models[0].compare_score_test(models[1].fit())
    assert score_test(groups, outcomes, clusters) == pytest.approx(elsewhere["p-value"])


@pytest.mark.parametrize("between", [True, False], ids=["between patients", "within patients"])
def test_only_the_test_over_clusters_keeps_its_level(between: bool) -> None:
    """No group differs, but patients do: chi-square over rows finds something far too often."""
    stream, clusters = Stream(6, "level", str(between)), np.repeat(np.arange(25), 20)
    groups = clusters % 2 if between else np.tile(np.arange(20) % 2, 25)
    naive, kept = [], []
    for _ in range(200):
        chance = 0.5 + 0.2 * stream.normal(50)[2 * clusters + groups]
        outcomes = stream.uniform(500) < chance
        naive.append(chi_square(pd.Series(groups), pd.Series(outcomes)).p < 0.05)
        kept.append(score_test(groups, outcomes, clusters) < 0.05)
    assert np.mean(naive) > 0.12
    assert np.mean(kept) < 0.09


@pytest.mark.parametrize(
    ("groups", "outcomes", "clusters"),
    [([0, 0], [1, 0], [0, 1]), ([0, 1], [1, 0], [0, 0]), ([0, 1], [1, 1], [0, 1]), ([], [], [])],
    ids=["one group", "one cluster", "one outcome", "none"],
)
def test_the_score_test_is_undefined(
    groups: list[int], outcomes: list[int], clusters: list[int]
) -> None:
    codes = [np.array(values, dtype=int) for values in (groups, clusters)]
    assert math.isnan(score_test(codes[0], np.array(outcomes, dtype=bool), codes[1]))


def test_cochran_equals_statsmodels() -> None:
    found = cochran(RIGHT)
    elsewhere = cochrans_q(RIGHT.astype(int))
    assert found.statistic == pytest.approx(elsewhere.statistic)
    assert found.p == pytest.approx(elsewhere.pvalue)
    assert found.dof == 2
    assert found.effect == pytest.approx(elsewhere.statistic / 20)


@pytest.mark.parametrize("right", [RIGHT[:, :1], RIGHT[3:4], RIGHT[:2], RIGHT[:0]])
def test_cochran_is_undefined_without_systems_that_differ(right: np.ndarray) -> None:
    assert math.isnan(cochran(right).p)


def test_chi_square_equals_statsmodels() -> None:
    groups = pd.Series(["a"] * 30 + ["b"] * 20 + ["c"] * 10)
    outcomes = pd.Series([True] * 20 + [False] * 10 + [True] * 5 + [False] * 15 + [True] * 10)
    found = chi_square(groups, outcomes)
    table = pd.crosstab(groups, outcomes).to_numpy()
    elsewhere = Table(table, shift_zeros=False).test_nominal_association()
    assert found.statistic == pytest.approx(elsewhere.statistic)
    assert found.p == pytest.approx(elsewhere.pvalue)
    assert found.dof == elsewhere.df == 2
    assert found.effect == pytest.approx(math.sqrt(elsewhere.statistic / 60))
    assert found.least_expected == pytest.approx(10 * 25 / 60)


def test_chi_square_is_undefined_where_all_is_one() -> None:
    assert math.isnan(chi_square(pd.Series(["a", "b"]), pd.Series([True, True])).p)


def test_bonferroni_equals_statsmodels_and_leaves_out_what_is_undefined() -> None:
    values = [0.01, 0.2, 0.6]
    elsewhere = multipletests(values, method="bonferroni")[1]
    assert bonferroni(values) == pytest.approx(list(elsewhere))
    found = bonferroni([0.01, math.nan, 0.2])
    assert found[0] == pytest.approx(0.02)
    assert math.isnan(found[1])


def test_kappa_equals_statsmodels() -> None:
    first, second = RIGHT[:, 0], RIGHT[:, 1]
    elsewhere = cohens_kappa(pd.crosstab(first, second).to_numpy()).kappa
    assert kappa(first, second) == pytest.approx(elsewhere)


def test_kappa_is_undefined_where_both_always_say_the_same() -> None:
    assert math.isnan(kappa(np.ones(3, dtype=bool), np.ones(3, dtype=bool)))
    assert math.isnan(kappa(np.ones(0, dtype=bool), np.ones(0, dtype=bool)))


def test_effect_of_paired_values_by_hand() -> None:
    first, second = np.array([1.0, 0.5, 0.75, 0.25]), np.array([0.5, 0.5, 0.25, 0.25])
    spread = math.sqrt((first.var(ddof=1) + second.var(ddof=1)) / 2)
    assert paired_effect(first, second) == pytest.approx((first - second).mean() / spread)
    assert math.isnan(paired_effect(np.ones(3), np.ones(3)))


def test_resamples_draw_as_many_clusters_as_there_are_and_always_the_same() -> None:
    weights = resamples(7)
    assert weights.shape == (1000, 7)
    assert (weights.sum(axis=1) == 7).all()
    assert np.array_equal(weights, resamples(7))
    assert weights.mean() == 1.0
    assert weights.var() == pytest.approx(6 / 7, rel=0.1)


def test_interval_of_two_clusters_by_hand() -> None:
    found = cluster_mean(np.array([0.0, 3.0]), np.array([1.0, 3.0]))
    assert found == Interval(value=0.75, low=0.0, high=1.0)


def test_one_cluster_has_no_interval_and_none_no_value() -> None:
    assert math.isnan(cluster_mean(np.array([2.0, 0.0]), np.array([4.0, 0.0])).low)
    assert math.isnan(cluster_mean(np.zeros(1), np.zeros(1)).value)


def test_interval_agrees_with_standard_errors_that_are_robust_to_clusters() -> None:
    stream = Stream(3, "test")
    shared = np.repeat(stream.normal(40), 25)
    values = pd.Series(shared + stream.normal(1000))
    clusters = pd.Series(np.repeat(np.arange(40), 25))
    fit = sm.OLS(values, np.ones(1000)).fit(cov_type="cluster", cov_kwds={"groups": clusters})
    found = mean_by_cluster(values, clusters)
    assert found.value == pytest.approx(values.mean())
    assert found.high - found.low == pytest.approx(2 * 1.96 * fit.bse.iloc[0], rel=0.12)
    assert found.high - found.low > 3 * 2 * 1.96 * values.std() / math.sqrt(1000)


def test_samples_without_a_value_are_left_out() -> None:
    samples = np.array([math.nan, 0.5, 0.5 + 1e-3])
    assert interval(0.5, samples, (0.0, 1.0)).low == pytest.approx(0.5, abs=1e-3)
    assert math.isnan(interval(0.5, np.array([math.nan]), (0.0, 1.0)).low)


@pytest.mark.parametrize(("right", "clusters"), [(True, 25), (False, 25), (True, 2), (False, 3)])
def test_clusters_that_are_all_right_or_wrong_have_the_exact_interval(
    right: bool, clusters: int
) -> None:
    """As many observations as clusters, however many rows each has."""
    counts = np.arange(5, clusters + 5, dtype=np.float64)
    found = cluster_mean(counts if right else np.zeros(clusters), counts)
    hits = clusters if right else 0
    low, high = proportion_confint(hits, clusters, method="beta")
    assert found.value == float(right)
    assert (found.low, found.high) == pytest.approx((low, high))


def test_a_difference_that_no_cluster_shows_is_not_certainly_none() -> None:
    found = cluster_mean(np.zeros(25), np.full(25, 8.0), -1.0)
    reach = 1 - 0.025 ** (1 / 25)
    assert (found.low, found.value, found.high) == pytest.approx((-reach, 0.0, reach))


@given(st.floats(0.0, 1.0), st.integers(1, 1000))
def test_a_mean_without_spread_holds_its_value_and_narrows_with_clusters(
    value: float, clusters: int
) -> None:
    low, high = unvaried(value, clusters)
    assert 0.0 <= low <= value <= high <= 1.0 + 1e-12
    more = unvaried(value, clusters + 1)
    assert more[1] - more[0] < high - low


def test_skill_of_a_perfect_model_is_not_certain() -> None:
    """Two tasks of one cell with floors 0.5 and 0: the least skills are 2 q - 1 and q."""
    rows = pd.DataFrame(
        {"task_id": ["pm_1", "pm_2"] * 10, "task_type": "process_mining", "level": "memory"}
        | {"cluster": np.repeat(np.arange(10), 2).astype(str), "floor": [0.5, 0.0] * 10}
        | {"value": 1.0, "strict": True, "status": "ok"}
    )
    found = next(one for one in measures(rows) if one.group == "overall")
    alike = 0.025 ** (1 / 10)
    assert (found.score.low, found.score.high) == pytest.approx((alike, 1.0))
    assert (found.skill.low, found.skill.high) == pytest.approx(((3 * alike - 1) / 2, 1.0))


TASKS = [
    ("ad_3", "anomaly_detection", "pattern"),
    ("ad_43", "anomaly_detection", "pattern"),
    ("pm_1", "process_mining", "memory"),
    ("pm_2", "process_mining", "pattern"),
]


@given(
    st.lists(
        st.tuples(st.sampled_from(range(4)), st.sampled_from([0.0, 0.25, 1.0])),
        min_size=1,
        max_size=12,
    ),
    st.lists(st.sampled_from([0.0, 0.5, 0.9, 1.0]), min_size=4, max_size=4),
)
def test_skill_of_a_sample_is_that_of_its_rows(
    drawn: list[tuple[int, float]], floors: list[float]
) -> None:
    rows = [
        ScoredRow(
            task_id=TASKS[place][0],
            task_type=TASKS[place][1],
            level=TASKS[place][2],
            cluster="patient",
            floor=floors[place],
            value=value,
            strict=value == 1.0,
            status="ok",
        )
        for place, value in drawn
    ]
    means = np.array(
        [
            [
                np.mean(values) if (values := [v for p, v in drawn if p == place]) else math.nan
                for place in range(4)
            ]
        ]
    )
    summary = summarise(rows)
    everything = np.ones(4, dtype=bool)
    patterns = np.array([level == "pattern" for _, _, level in TASKS])
    for within, group in ((everything, summary.overall), (patterns, summary.by_level["pattern"])):
        found = sampled_skill(TASKS, np.array(floors), means, within)[0]
        assert found == pytest.approx(group.skill, nan_ok=True)
