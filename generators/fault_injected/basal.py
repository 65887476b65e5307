"""The background insulin in a record: what a pump reports without its boluses."""

import numpy as np
from numpy.typing import NDArray

from generators.simulated.pump import COUNTS_PER_UNIT
from generators.trace import SAMPLE_MINUTES, Trace


def basal_of(trace: Trace) -> NDArray[np.int64]:
    """Return reported insulin without boluses, tenths of mU/min, int64 (n,)."""
    basal = trace.insulin.astype(np.int64)
    for event in trace.boluses:
        basal[event.minute // SAMPLE_MINUTES] -= round(event.units * COUNTS_PER_UNIT)
    return basal
