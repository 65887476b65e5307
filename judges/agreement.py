"""How far two raters agree on yes or no: raw, Cohen's kappa, Gwet's AC1, with 95 % intervals.

Kappa: Cohen 1960, 10.1177/001316446002000104, through scikit-learn. AC1: Gwet 2008,
10.1348/000711006X126600. Intervals of kappa and AC1 come from the jackknife over clusters (Efron
and Stein 1981, 10.1214/aos/1176345462) with Student's t; for raw agreement without clusters from
Wilson (10.1080/01621459.1927.10502953). Cases of one item are one cluster.
"""

import math
import warnings
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest, t
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import cohen_kappa_score

Ratings = npt.NDArray[np.bool_]
_LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with its 95 % interval; NaN where it is not defined."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far two raters agree.

    Attributes:
        n: Ratings that both gave.
        clusters: Independent groups of them.
        raw: Share on which they agree.
        kappa: Cohen's kappa; NaN where both always say the same one thing.
        ac1: Gwet's AC1, which does not collapse where nearly all is yes.
    """

    n: int
    clusters: int
    raw: Estimate
    kappa: Estimate
    ac1: Estimate


def agreement(
    first: Sequence[bool], second: Sequence[bool], clusters: Sequence[Hashable] | None = None
) -> Agreement:
    """Return how far two raters agree.

    Args:
        first: Ratings of one.
        second: Ratings of the other, in the same order.
        clusters: What each rating belongs to; every rating by itself if None.

    Raises:
        ValueError: The lengths differ.
    """
    names = list(range(len(first))) if clusters is None else list(clusters)
    if not len(first) == len(second) == len(names):
        raise ValueError("the raters' ratings and the clusters must be equally many")
    one, other = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    groups = [np.asarray([name == group for name in names]) for group in dict.fromkeys(names)]
    single = len(groups) == len(names)
    return Agreement(
        n=len(names),
        clusters=len(groups),
        raw=_wilson(one, other) if single else _jackknifed(_raw, one, other, groups),
        kappa=_jackknifed(_kappa, one, other, groups),
        ac1=_jackknifed(_ac1, one, other, groups),
    )


def _raw(one: Ratings, other: Ratings) -> float:
    return float((one == other).mean()) if len(one) else math.nan


def _kappa(one: Ratings, other: Ratings) -> float:
    if not len(one):
        return math.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return float(cohen_kappa_score(one, other, labels=[False, True]))


def _ac1(one: Ratings, other: Ratings) -> float:
    if not len(one):
        return math.nan
    share = (float(one.mean()) + float(other.mean())) / 2
    chance = 2 * share * (1 - share)
    return (_raw(one, other) - chance) / (1 - chance)


def _wilson(one: Ratings, other: Ratings) -> Estimate:
    if not len(one):
        return Estimate(value=math.nan, low=math.nan, high=math.nan)
    interval = binomtest(int((one == other).sum()), len(one)).proportion_ci(_LEVEL, "wilson")
    return Estimate(value=_raw(one, other), low=float(interval.low), high=float(interval.high))


def _jackknifed(
    measure: Callable[[Ratings, Ratings], float],
    one: Ratings,
    other: Ratings,
    groups: Sequence[Ratings],
) -> Estimate:
    """Return a measure with the interval that leaving out each cluster in turn gives."""
    value = measure(one, other)
    count = len(groups)
    left = np.asarray([measure(one[~group], other[~group]) for group in groups])
    if count < 2 or np.isnan(left).any() or math.isnan(value):
        return Estimate(value=value, low=math.nan, high=math.nan)
    error = math.sqrt((count - 1) / count * float(((left - left.mean()) ** 2).sum()))
    reach = float(t.ppf((1 + _LEVEL) / 2, count - 1)) * error
    return Estimate(value=value, low=max(-1.0, value - reach), high=min(1.0, value + reach))
