"""Stretches of a record with injected faults: what most anomaly tasks ask for."""

import numpy as np
from numpy.typing import NDArray

from generators.questions.task import Interval
from generators.questions.windows import intervals, stretches
from generators.trace import SAMPLE_MINUTES, FaultLabel, Trace


def labelled(trace: Trace, labels: tuple[FaultLabel, ...]) -> NDArray[np.bool_]:
    """Return for each sample whether a fault with one of the labels is injected there."""
    marked = np.zeros(len(trace), dtype=np.bool_)
    for fault in trace.faults:
        if fault.label in labels:
            marked[fault.start : fault.end + 1] = True
    return marked


def fault_intervals(
    trace: Trace, *, labels: tuple[FaultLabel, ...], at_least: int = SAMPLE_MINUTES
) -> list[Interval]:
    """Return the stretches with these labels that last at least so many minutes."""
    return intervals(
        [
            (first, last)
            for first, last in stretches(labelled(trace, labels))
            if (last - first + 1) * SAMPLE_MINUTES >= at_least
        ]
    )
