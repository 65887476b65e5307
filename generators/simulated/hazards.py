"""Hazards of glucose: how far a value lies outside the range of the consensus (Battelino 2019)."""

import numpy as np
from numpy.typing import NDArray

EDGES = (54, 70, 181, 251)
"""Lowest glucose of each level after the first, mg/dL."""


def hazard_levels(glucose: NDArray[np.int16]) -> NDArray[np.int8]:
    """Return -2 below 54 mg/dL, -1 from 54 to 69, 0 in range, 1 from 181 to 250, 2 above."""
    return (np.searchsorted(EDGES, glucose, side="right") - 2).astype(np.int8)
