"""Tests and effect sizes, by pingouin, SciPy and scikit-learn.

McNemar, Cochran's Q and chi-square take rows as independent, which those of a patient or an item are
not; `swapped` and `score_test` take whole patients or items as the observations.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import pingouin as pg
from scipy.stats import binomtest, chi2, chi2_contingency
from scipy.stats.contingency import association
from sklearn.metrics import cohen_kappa_score

from reports.bootstrap import Numbers

Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """Two systems on the same rows, right or wrong (McNemar 1947, 10.1007/BF02295996).

    Attributes:
        only_first: Rows that only the first gets right.
        only_second: Rows that only the second gets right.
        p: Exact, two-sided; 1 where they never differ, NaN without rows.
        cohen_g: Share of the more frequent kind among the rows on which they differ, less a half.
    """

    only_first: int
    only_second: int
    p: float
    cohen_g: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """A chi-square statistic.

    Attributes:
        statistic: Its value; NaN where the test is not defined.
        dof: Degrees of freedom.
        p: Of the test; NaN where it is not defined.
        effect: Cramer's V, or of Cochran's Q the share Q / (n (k - 1)); NaN where not defined.
        least_expected: Least expected count of a cell; NaN for Cochran's Q.
    """

    statistic: float
    dof: int
    p: float
    effect: float
    least_expected: float = math.nan


UNDEFINED = Test(statistic=math.nan, dof=0, p=math.nan, effect=math.nan)


def mcnemar(first: Flags, second: Flags) -> McNemar:
    """Return the exact McNemar test of two systems on the same rows."""
    only_first = int((first & ~second).sum())
    only_second = int((second & ~first).sum())
    differ = only_first + only_second
    if not differ:
        p, cohen_g = (1.0, 0.0) if len(first) else (math.nan, math.nan)
        return McNemar(only_first=0, only_second=0, p=p, cohen_g=cohen_g)
    return McNemar(
        only_first=only_first,
        only_second=only_second,
        p=float(binomtest(only_first, differ).pvalue),
        cohen_g=max(only_first, only_second) / differ - 0.5,
    )


def swapped(first: Flags, second: Flags, clusters: Codes) -> float:
    """Return the exact p-value of two systems on the same rows, swapped in whole clusters.

    If systems are alike, each cluster's difference is as likely with the other sign (Fisher 1935, The
    Design of Experiments, section 21). Where every row is its own cluster this is McNemar's exact test.

    Args:
        first: Whether the first system is right, shape (rows,).
        second: Whether the second is.
        clusters: Number of each row's cluster, from 0.

    Returns:
        Two-sided; 1 where no cluster differs, NaN with fewer than two clusters.
    """
    if len(np.unique(clusters)) < 2:
        return math.nan
    differences = np.bincount(clusters, weights=first.astype(float) - second.astype(float))
    steps = np.abs(differences).astype(int)
    reach = int(steps.sum())
    chances = np.zeros(2 * reach + 1)
    chances[reach] = 1.0
    for step in steps[steps > 0]:
        chances = (np.roll(chances, step) + np.roll(chances, -step)) / 2
    totals = np.abs(np.arange(-reach, reach + 1))
    return min(1.0, float(chances[totals >= abs(round(differences.sum()))].sum()))


def score_test(groups: Codes, outcomes: Flags, clusters: Codes) -> float:
    """Return the p-value of groups that differ in the share of an outcome, whole clusters drawn.

    The generalised score test (Rotnitzky and Jewell 1990, 10.1093/biomet/77.3.485; Boos 1992, The
    American Statistician 46, 327) with clusters as observations: with G of them its statistic is at
    most G, so that few can show little. Groups may lie within clusters or between them.

    Args:
        groups: Number of each row's group, from 0.
        outcomes: Shape (rows,).
        clusters: Number of each row's cluster, from 0.

    Returns:
        NaN with fewer than two groups or clusters, or where outcomes are all the same.
    """
    if not len(groups) or not groups.any() or not clusters.any():
        return math.nan
    shares = np.bincount(groups) / len(groups)
    residuals = outcomes - outcomes.mean()
    summed = np.zeros((int(clusters.max()) + 1, len(shares)))
    np.add.at(summed, (clusters, groups), residuals)
    scores = (summed - summed.sum(axis=1, keepdims=True) * shares)[:, :-1]
    total, spread = scores.sum(axis=0), scores.T @ scores
    dof = int(np.linalg.matrix_rank(spread))
    if not dof:
        return math.nan
    statistic = total @ np.linalg.pinv(spread, hermitian=True) @ total
    return float(chi2.sf(statistic, dof))


def cochran(right: Flags) -> Test:
    """Return Cochran's Q test of several systems on the same rows (Cochran 1950).

    It is undefined for less than two systems or three rows, and where no row tells them apart.

    Args:
        right: Shape (rows, systems).
    """
    rows, systems = right.shape
    varied = right.any(axis=1) & ~right.all(axis=1)
    if systems < 2 or rows < 3 or not varied.any():
        return UNDEFINED
    found = pg.cochran(pd.DataFrame(right.astype(int))).iloc[0]
    statistic = float(found["Q"])
    return Test(
        statistic=statistic,
        dof=int(found["dof"]),
        p=float(found["p_unc"]),
        effect=statistic / (rows * (systems - 1)),
    )


def chi_square(groups: pd.Series, outcomes: pd.Series) -> Test:
    """Return Pearson's chi-square test of independence, without continuity correction."""
    table = pd.crosstab(groups.to_numpy(), outcomes.to_numpy()).to_numpy()
    if min(table.shape) < 2:
        return UNDEFINED
    found = chi2_contingency(table, correction=False)
    return Test(
        statistic=float(found.statistic),
        dof=int(found.dof),
        p=float(found.pvalue),
        effect=float(association(table, method="cramer")),
        least_expected=float(found.expected_freq.min()),
    )


def bonferroni(p_values: Sequence[float]) -> list[float]:
    """Return p-values times the number of tests, at most 1; NaN stays and does not count."""
    values = np.asarray(p_values, dtype=float)
    defined = ~np.isnan(values)
    corrected = np.full(len(values), math.nan)
    if defined.any():
        corrected[defined] = pg.multicomp(values[defined], method="bonf")[1]
    adjusted: list[float] = corrected.tolist()
    return adjusted


def paired_effect(first: Numbers, second: Numbers) -> float:
    """Return Cohen's d of paired values with the averaged standard deviation; NaN if both are 0."""
    if len(first) < 2 or (np.ptp(first) == 0.0 and np.ptp(second) == 0.0):
        return math.nan
    return float(pg.compute_effsize(first, second, paired=True, eftype="cohen"))


def kappa(first: Flags, second: Flags) -> float:
    """Return Cohen's kappa of two ratings; NaN where both always say the same one thing."""
    both = np.concatenate([first, second])
    if not len(first) or both.all() or not both.any():
        return math.nan
    return float(cohen_kappa_score(first, second))
