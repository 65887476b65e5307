"""Sensor noise: the error model of Breton and Kovatchev 2008 as simglucose parameterises it.

An AR(1) process on knots 15 min apart is bent by a Johnson SU transformation. Between knots runs a
local cubic through the four nearest ones, so that a sample depends on four knots only and the
curve has no seams.
"""

from math import sinh

import numpy as np
from numpy.typing import NDArray

SAMPLES_PER_KNOT = 3
LOWEST, HIGHEST = 40, 400
"""What a reading is clipped to, mg/dL."""

_PERSISTENCE = 0.7
_XI, _LAMBDA, _GAMMA, _DELTA = -5.47, 15.9574, -0.5444, 1.6898
_BETWEEN = np.arange(SAMPLES_PER_KNOT) / SAMPLES_PER_KNOT
_LAGRANGE = np.stack(
    [
        -_BETWEEN * (_BETWEEN - 1) * (_BETWEEN - 2) / 6,
        (_BETWEEN + 1) * (_BETWEEN - 1) * (_BETWEEN - 2) / 2,
        -(_BETWEEN + 1) * _BETWEEN * (_BETWEEN - 2) / 2,
        (_BETWEEN + 1) * _BETWEEN * (_BETWEEN - 1) / 6,
    ]
)
"""Weights of the knots -1, 0, 1, 2 at a sample between knots 0 and 1, (4, samples)."""


def knots_for(samples: int) -> int:
    """Return how many knots that many samples need; one lies before the first sample."""
    return samples // SAMPLES_PER_KNOT + 4


def first_free_knot(sample: int) -> int:
    """Return the first knot that no sample before the given one depends on."""
    return (sample - 1) // SAMPLES_PER_KNOT + 4 if sample > 0 else 0


def autoregressive(
    innovations: NDArray[np.float64], before: float | None = None
) -> NDArray[np.float64]:
    """Return e[n] = 0.7 (e[n-1] + w[n]) for standard normal w; the first is w[0] at a start.

    Args:
        innovations: Standard normal numbers, (n,).
        before: Value of the process before the first one; None at its start.
    """
    values = np.empty(len(innovations))
    last = 0.0 if before is None else before
    for n, innovation in enumerate(innovations.tolist()):
        last = innovation if n == 0 and before is None else _PERSISTENCE * (last + innovation)
        values[n] = last
    return values


def noise(process: NDArray[np.float64], samples: int) -> NDArray[np.float64]:
    """Return the error of each sample in mg/dL.

    Args:
        process: Values of the AR(1) process on the knots, at least knots_for(samples) of them.
        samples: How many samples.
    """
    knots = np.array([_XI + _LAMBDA * sinh((e - _GAMMA) / _DELTA) for e in process.tolist()])
    spans = samples // SAMPLES_PER_KNOT + 1
    curve = np.zeros((spans, SAMPLES_PER_KNOT))
    for offset in range(4):
        curve += knots[offset : offset + spans, None] * _LAGRANGE[offset]
    return curve.reshape(-1)[:samples]
