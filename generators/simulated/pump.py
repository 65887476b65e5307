"""Insulin in integers: counts, pump steps and insulin on board.

One count is a tenth of a mU/min averaged over a 5-minute sample: 0.5 mU, or 0.006 U/h. Basal moves
in steps of 0.03 U/h (5 counts), boluses in steps of 0.05 U (100 counts), and a bolus is delivered
within its sample.
"""

from math import exp, floor

import numpy as np
from numpy.typing import NDArray

from generators.trace import SAMPLE_MINUTES

COUNTS_PER_UNIT = 2000
COUNTS_PER_MILLIUNIT = 2
BASAL_STEP = 5
BOLUS_STEP = 100
UNITS_PER_MINUTE = 1e-4
"""U/min that one count stands for."""
COUNTS_PER_UNIT_PER_HOUR = 1000.0 / 6.0

PEAK_MINUTES = 75.0
ACTION_MINUTES = 360.0
PARTS = 1_000_000


def basal_counts(units_per_hour: float) -> int:
    """Return a basal rate in counts, rounded to the pump's step, at least one step."""
    steps = floor(units_per_hour * COUNTS_PER_UNIT_PER_HOUR / BASAL_STEP + 0.5)
    return max(1, steps) * BASAL_STEP


def on_board_shares() -> list[float]:
    """Return the share of a dose still on board 0, 5, ... minutes after it, 72 values.

    Exponential insulin model of the Loop and oref0 projects, peak 75 min, duration 6 h.
    """
    peak = PEAK_MINUTES / ACTION_MINUTES
    tau = PEAK_MINUTES * (1 - peak) / (1 - 2 * peak)
    a = 2 * tau / ACTION_MINUTES
    scale = 1 / (1 - a + (1 + a) * exp(-ACTION_MINUTES / tau))

    def share(t: float) -> float:
        inner = t * t / (tau * ACTION_MINUTES * (1 - a)) - t / tau - 1
        return 1 - scale * (1 - a) * (inner * exp(-t / tau) + 1)

    return [share(float(t)) for t in range(0, int(ACTION_MINUTES), SAMPLE_MINUTES)]


def on_board_table() -> NDArray[np.int64]:
    """Return `on_board_shares` in parts per million and a closing 0, int64 (73,)."""
    shares = [*on_board_shares(), 0.0]
    return np.array([floor(share * PARTS + 0.5) for share in shares], dtype=np.int64)
