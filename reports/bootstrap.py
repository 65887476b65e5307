"""Intervals from drawing whole patients or longevity items.

Rows about one patient, and cases of one longevity item, are not independent: intervals come from a
bootstrap that draws whole patients or items (Davison and Hinkley 1997, section 3.8), from the
project's own streams, so that they are the same in every run. Where all clusters give the same
value, draws have no spread, and the interval is that of `eval_tasks.unvaried`.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from eval_tasks.unvaried import unvaried
from generators.streams import Stream

Numbers = npt.NDArray[np.float64]
REPLICATES = 1000
SEED = 1
LEVEL = 0.95
NO_SPREAD = 1e-12
"""Range up to which samples differ by rounding only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A value with its 95 % interval; NaN where there is none."""

    value: float
    low: float = math.nan
    high: float = math.nan


def resamples(clusters: int, replicates: int = REPLICATES) -> Numbers:
    """Return how often each cluster is drawn in each replicate, shape (replicates, clusters).

    The draws depend on the number of clusters only, so that groups are resampled alike.
    """
    drawn = Stream(SEED, "bootstrap", clusters).uniform(replicates * clusters)
    places = (drawn * clusters).astype(np.int64).reshape(replicates, clusters)
    flat = places + clusters * np.arange(replicates)[:, None]
    counts = np.bincount(flat.ravel(), minlength=replicates * clusters)
    return counts.reshape(replicates, clusters).astype(np.float64)


def interval(value: float, samples: Numbers, unvaried_bounds: tuple[float, float]) -> Interval:
    """Return a value with the percentiles of its bootstrap samples; NaN samples are left out.

    Args:
        value: The value.
        samples: It in each sample.
        unvaried_bounds: Its bounds if no sample differs from another.
    """
    kept = samples[~np.isnan(samples)]
    if len(kept) == 0:
        return Interval(value=value)
    if np.ptp(kept) <= NO_SPREAD:
        low, high = unvaried_bounds
    else:
        low, high = np.quantile(kept, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(value=value, low=float(low), high=float(high))


def cluster_mean(sums: Numbers, counts: Numbers, least: float = 0.0) -> Interval:
    """Return the mean over all rows with its interval from drawing clusters.

    Args:
        sums: Sum of the values of each cluster, shape (clusters,).
        counts: Number of rows of each cluster, same shape; clusters without rows do not count.
        least: Least value that a row can have; the most is 1.
    """
    filled = counts > 0
    sums, counts = sums[filled], counts[filled]
    if not len(counts):
        return Interval(value=math.nan)
    value = float(sums.sum() / counts.sum())
    if len(counts) < 2:
        return Interval(value=value)
    weights = resamples(len(counts))
    samples = (weights @ sums) / (weights @ counts)
    return interval(value, samples, unvaried(value, len(counts), least))


def mean_by_cluster(values: pd.Series, clusters: pd.Series) -> Interval:
    """Return the mean of rows with its interval from drawing clusters."""
    codes = pd.factorize(clusters, sort=True)[0]
    sums = np.bincount(codes, weights=values.to_numpy(dtype=float))
    return cluster_mean(sums.astype(np.float64), np.bincount(codes).astype(np.float64))
