"""How far two raters agree on yes or no: raw, Cohen's kappa, Gwet's AC1, with 95 % intervals.

Kappa: Cohen 1960, 10.1177/001316446002000104. AC1: Gwet 2008,
10.1348/000711006X126600. Intervals of kappa and AC1 come from the jackknife over clusters (Efron
and Stein 1981, 10.1214/aos/1176345462) with Student's t; for raw agreement without clusters from
Wilson (10.1080/01621459.1927.10502953). Cases of one item are one cluster.

Where leaving out a cluster changes nothing, as where raters never disagree, the jackknife has no
width, which is no certainty. Raw agreement then has the exact interval of `unvaried` over clusters;
kappa and AC1 have what its bounds give with the chance agreement as it was seen, which Cohen's own
standard error takes as known too.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest, t

from eval_tasks.unvaried import unvaried

Tables = npt.NDArray[np.float64]
"""Counts of no-no, no-yes, yes-no and yes-yes on the last axis."""
Numbers = npt.NDArray[np.float64]
_LEVEL = 0.95
_NO_SPREAD = 1e-12
"""Range up to which numbers differ by rounding only."""


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
    names = range(len(first)) if clusters is None else clusters
    if not len(first) == len(second) == len(names):
        raise ValueError("the raters' ratings and the clusters must be equally many")
    order = {name: number for number, name in enumerate(dict.fromkeys(names))}
    tables = np.zeros((len(order), 4))
    cells = 2 * np.asarray(first, dtype=int) + np.asarray(second, dtype=int)
    np.add.at(tables, ([order[name] for name in names], cells), 1.0)
    raw = _raw_estimate(tables)
    kappa = _corrected(_chance_of_kappa, tables, raw)
    return Agreement(
        n=len(names),
        clusters=len(order),
        raw=raw,
        kappa=kappa if _both_vary(tables) else replace(kappa, low=math.nan, high=math.nan),
        ac1=_corrected(_chance_of_ac1, tables, raw),
    )


def _both_vary(tables: Tables) -> bool:
    """Return whether each rater says yes and no; where one does not, kappa is 0 whatever the other says."""
    return all(0 < float(share) < 1 for share in _yes(tables.sum(axis=0)))


def _raw_estimate(tables: Tables) -> Estimate:
    shares = _raw(tables)
    if len(tables) > 1 and np.ptp(shares) == 0.0:
        low, high = unvaried(value := float(shares[0]), len(tables))
        return Estimate(value=value, low=low, high=high)
    return _wilson(tables) if tables.sum() == len(tables) else _jackknifed(_raw, tables)


def _corrected(chance: Callable[[Tables], Numbers], tables: Tables, raw: Estimate) -> Estimate:
    """Return the agreement beyond chance with its interval."""

    def measure(tables: Tables) -> Numbers:
        return _beyond(_raw(tables), chance(tables))

    total = tables.sum(axis=0)
    left = measure(total - tables)
    known = left[~np.isnan(left)]
    if len(tables) < 2 or not len(known) or np.ptp(known) > _NO_SPREAD:
        return _jackknifed(measure, tables)
    by_chance = chance(total)
    low, high = (float(_beyond(np.float64(bound), by_chance)) for bound in (raw.low, raw.high))
    return Estimate(value=float(measure(total)), low=max(-1.0, low), high=min(1.0, high))


def _raw(tables: Tables) -> Numbers:
    """Return the share on which raters agree, of each table no-no, no-yes, yes-no, yes-yes."""
    with np.errstate(invalid="ignore"):
        return np.asarray((tables[..., 0] + tables[..., 3]) / tables.sum(axis=-1))


def _chance_of_kappa(tables: Tables) -> Numbers:
    first, second = _yes(tables)
    return first * second + (1 - first) * (1 - second)


def _chance_of_ac1(tables: Tables) -> Numbers:
    first, second = _yes(tables)
    share = (first + second) / 2
    return 2 * share * (1 - share)


def _yes(tables: Tables) -> tuple[Numbers, Numbers]:
    """Return each rater's share of yes."""
    with np.errstate(invalid="ignore"):
        counts = tables.sum(axis=-1)
        return (
            (tables[..., 2] + tables[..., 3]) / counts,
            (tables[..., 1] + tables[..., 3]) / counts,
        )


def _beyond(agreed: Numbers | np.float64, chance: Numbers) -> Numbers:
    """Return agreement beyond chance; NaN where chance alone agrees always."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(chance < 1, (agreed - chance) / (1 - chance), np.nan)


def _wilson(tables: Tables) -> Estimate:
    count = int(tables.sum())
    if not count:
        return Estimate(value=math.nan, low=math.nan, high=math.nan)
    agreed = int(tables[:, 0].sum() + tables[:, 3].sum())
    interval = binomtest(agreed, count).proportion_ci(_LEVEL, "wilson")
    return Estimate(value=agreed / count, low=float(interval.low), high=float(interval.high))


def _jackknifed(measure: Callable[[Tables], Numbers], tables: Tables) -> Estimate:
    """Return a measure with the interval that leaving out each cluster in turn gives."""
    total = tables.sum(axis=0)
    value = float(measure(total))
    left = measure(total - tables)
    count = len(tables)
    if count < 2 or np.isnan(left).any() or math.isnan(value):
        return Estimate(value=value, low=math.nan, high=math.nan)
    error = math.sqrt((count - 1) / count * float(((left - left.mean()) ** 2).sum()))
    reach = float(t.ppf((1 + _LEVEL) / 2, count - 1)) * error
    return Estimate(value=value, low=max(-1.0, value - reach), high=min(1.0, value + reach))
