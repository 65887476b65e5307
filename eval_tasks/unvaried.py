"""The interval of a mean where no patient or item differs from another.

What is resampled has no spread there, so that a bootstrap or a jackknife gives an interval without
width. That is no certainty: thirty perfect patients do not show that the next one is perfect.
"""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Numbers = TypeVar("Numbers", float, npt.NDArray[np.float64])
_TAIL = 0.025


def unvaried(
    value: Numbers, clusters: int, least: float = 0.0, most: float = 1.0
) -> tuple[Numbers, Numbers]:
    """Return the 95 % bounds of a mean of which all clusters give the same value.

    Where a share s of all clusters gives it, G drawn ones all do with probability s**G. The least s
    that this does not rule out is 0.025**(1/G), the bound of Clopper and Pearson (1934,
    10.1093/biomet/26.4.404) for G of G; with 0.05 in its place it is the rule of three (Hanley and
    Lippman-Hand 1983, 10.1001/jama.1983.03330370053031). The other clusters may lie anywhere
    between `least` and `most`. Clusters count, never rows.

    Args:
        value: What each cluster gives, or what it gives in each of several tasks.
        clusters: Number of clusters, at least 1.
        least: Least value of a cluster.
        most: Most value of a cluster.
    """
    alike = _TAIL ** (1 / clusters)
    return alike * value + (1 - alike) * least, alike * value + (1 - alike) * most
