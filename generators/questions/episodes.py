"""Episodes of low and high glucose (consensus definition: Battelino et al. 2019, 2023)."""

from dataclasses import dataclass

import numpy as np

from generators.questions.windows import is_present
from generators.trace import SAMPLE_MINUTES, Trace

HYPOGLYCAEMIA = 70
"""An episode of hypoglycaemia is below this, mg/dL."""
HYPERGLYCAEMIA = 180
"""An episode of hyperglycaemia is above this, mg/dL."""
LEAST_SAMPLES = 3
"""Consecutive readings (15 min) that start an episode and that end it."""
LONGEST_GAP = 3
"""Missing samples (15 min) that are skipped inside an episode; more of them end it."""


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode, from its first to its last sample beyond the threshold."""

    first: int
    last: int

    @property
    def minutes(self) -> int:
        """Duration: n samples last 5 n minutes."""
        return (self.last - self.first + 1) * SAMPLE_MINUTES


def hypoglycaemia(trace: Trace, below: int = HYPOGLYCAEMIA) -> list[Episode]:
    """Return the episodes with glucose below a threshold, in time order."""
    return _episodes(trace, trace.cgm < below)


def hyperglycaemia(trace: Trace, above: int = HYPERGLYCAEMIA) -> list[Episode]:
    """Return the episodes with glucose above a threshold, in time order."""
    return _episodes(trace, trace.cgm > above)


def _episodes(trace: Trace, beyond: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> list[Episode]:
    samples = np.flatnonzero(is_present(trace))
    if not samples.size:
        return []
    breaks = np.flatnonzero(np.diff(samples) > LONGEST_GAP + 1) + 1
    return [
        episode
        for part in np.split(samples, breaks)
        for episode in _episodes_of_part(part.tolist(), beyond[part].tolist())
    ]


def _episodes_of_part(samples: list[int], beyond: list[bool]) -> list[Episode]:
    """Find the episodes among present samples that no long gap divides."""
    found: list[Episode] = []
    outside = inside = 0
    first: int | None = None
    last = 0
    for place, (sample, is_beyond) in enumerate(zip(samples, beyond, strict=True)):
        outside, inside = (outside + 1, 0) if is_beyond else (0, inside + 1)
        if is_beyond:
            last = sample
        if first is None and outside == LEAST_SAMPLES:
            first = samples[place - LEAST_SAMPLES + 1]
        elif first is not None and inside == LEAST_SAMPLES:
            found.append(Episode(first, last))
            first = None
    if first is not None:
        found.append(Episode(first, last))
    return found
