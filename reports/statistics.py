"""Intervals and tests, by pingouin, SciPy and scikit-learn.

Rows about one patient, and cases of one longevity item, are not independent: intervals come from a
bootstrap that draws whole patients or items (Davison and Hinkley 1997, section 3.8), from the
project's own streams, so that they are the same in every run.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import pingouin as pg
from scipy.stats import binomtest, chi2_contingency
from scipy.stats.contingency import association
from sklearn.metrics import cohen_kappa_score

from generators.streams import Stream

Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
REPLICATES = 1000
SEED = 1
LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A value with its 95 % interval; NaN where there is none."""

    value: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """Two systems on the same rows, right or wrong (McNemar 1947, 10.1007/BF02295996).

    Attributes:
        only_first: Rows that only the first gets right.
        only_second: Rows that only the second gets right.
        p: Exact, two-sided; 1 where they never differ.
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


def resamples(clusters: int, replicates: int = REPLICATES) -> Numbers:
    """Return how often each cluster is drawn in each replicate, shape (replicates, clusters).

    The draws depend on the number of clusters only, so that groups are resampled alike.
    """
    drawn = Stream(SEED, "bootstrap", clusters).uniform(replicates * clusters)
    places = (drawn * clusters).astype(np.int64).reshape(replicates, clusters)
    flat = places + clusters * np.arange(replicates)[:, None]
    counts = np.bincount(flat.ravel(), minlength=replicates * clusters)
    return counts.reshape(replicates, clusters).astype(np.float64)


def interval(value: float, samples: Numbers) -> Interval:
    """Return a value with the percentiles of its bootstrap samples; NaN samples are left out."""
    kept = samples[~np.isnan(samples)]
    if len(kept) == 0:
        return Interval(value=value)
    low, high = np.quantile(kept, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(value=value, low=float(low), high=float(high))


def cluster_mean(sums: Numbers, counts: Numbers) -> Interval:
    """Return the mean over all rows with its interval from drawing clusters.

    Args:
        sums: Sum of the values of each cluster, shape (clusters,).
        counts: Number of rows of each cluster, same shape; clusters without rows do not count.
    """
    filled = counts > 0
    sums, counts = sums[filled], counts[filled]
    if not len(counts):
        return Interval(value=math.nan)
    value = float(sums.sum() / counts.sum())
    if len(counts) < 2:
        return Interval(value=value)
    weights = resamples(len(counts))
    return interval(value, (weights @ sums) / (weights @ counts))


def mean_by_cluster(values: pd.Series, clusters: pd.Series) -> Interval:
    """Return the mean of rows with its interval from drawing clusters."""
    codes = pd.factorize(clusters, sort=True)[0]
    sums = np.bincount(codes, weights=values.to_numpy(dtype=float))
    return cluster_mean(sums.astype(np.float64), np.bincount(codes).astype(np.float64))


def mcnemar(first: Flags, second: Flags) -> McNemar:
    """Return the exact McNemar test of two systems on the same rows."""
    only_first = int((first & ~second).sum())
    only_second = int((second & ~first).sum())
    differ = only_first + only_second
    if not differ:
        return McNemar(only_first=0, only_second=0, p=1.0, cohen_g=0.0)
    return McNemar(
        only_first=only_first,
        only_second=only_second,
        p=float(binomtest(only_first, differ).pvalue),
        cohen_g=max(only_first, only_second) / differ - 0.5,
    )


def cochran(right: Flags) -> Test:
    """Return Cochran's Q test of several systems on the same rows (Cochran 1950).

    Args:
        right: Shape (rows, systems).
    """
    rows, systems = right.shape
    varied = right.any(axis=1) & ~right.all(axis=1)
    if systems < 2 or not varied.any():
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
