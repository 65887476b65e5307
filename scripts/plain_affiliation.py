"""Affiliation precision and recall as the paper defines them, in plain Python, point by point.

Huet, Navarro and Rossi (KDD 2022), section 3, without any algebra: both means are taken over points
of the time axis, and each probability is the share of the zone that lies farther away. The tests
hold `eval_tasks.affiliation` against it, and `scripts/benchmark.py score` its speed.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

Interval = tuple[float, float]
STEP = 1.25
"""Minutes between points: exact for intervals of whole 5-minute samples, since the integrands bend
at multiples of 1.25 minutes only and are straight between."""


def by_definition(
    predicted: Sequence[Interval], true: Sequence[Interval], length: float, step: float = STEP
) -> tuple[float, float]:
    """Return affiliation precision and recall.

    Args:
        predicted: Predicted intervals [start, end), disjoint and in time order.
        true: True intervals likewise.
        length: Length of the record.
        step: Distance of the points; each stands for the stretch around it.
    """
    if not predicted or not true:
        both = float(len(predicted) == len(true))
        return both, both
    precisions: list[float] = []
    recalls: list[float] = []
    for zone, event in zip(_zones(true, length), true, strict=True):
        inside = [(max(a, zone[0]), min(b, zone[1])) for a, b in predicted]
        inside = [(a, b) for a, b in inside if a < b]
        if not inside:
            recalls.append(0.0)
            continue
        precisions.append(_mean(_from_event(event, zone), inside, step))
        recalls.append(_mean(_from_time(inside, zone), [event], step))
    return math.fsum(precisions) / len(precisions), math.fsum(recalls) / len(recalls)


def _zones(true: Sequence[Interval], length: float) -> list[Interval]:
    middles = [(a[1] + b[0]) / 2 for a, b in pairwise(true)]
    return list(zip([0.0, *middles], [*middles, float(length)], strict=True))


def _mean(
    probability: Callable[[float], float], intervals: Sequence[Interval], step: float
) -> float:
    points = [a + step * (i + 0.5) for a, b in intervals for i in range(round((b - a) / step))]
    return math.fsum(map(probability, points)) / len(points)


def _from_event(event: Interval, zone: Interval) -> Callable[[float], float]:
    """Return the chance that a point of the zone lies at least as far from the event as x does."""

    def chance(x: float) -> float:
        d = _distance(x, event)
        if d == 0:
            return 1.0
        return 1 - _overlap((event[0] - d, event[1] + d), zone) / (zone[1] - zone[0])

    return chance


def _from_time(predicted: Sequence[Interval], zone: Interval) -> Callable[[float], float]:
    """Return the chance that a point of the zone lies at least as far from y as the predictions."""

    def chance(y: float) -> float:
        d = min(_distance(y, interval) for interval in predicted)
        return 1 - _overlap((y - d, y + d), zone) / (zone[1] - zone[0])

    return chance


def _distance(x: float, interval: Interval) -> float:
    return max(interval[0] - x, 0.0, x - interval[1])


def _overlap(a: Interval, b: Interval) -> float:
    return max(0.0, min(a[1], b[1]) - max(a[0], b[0]))
