"""Affiliation precision, recall and F1 of interval lists.

Huet, Navarro and Rossi, "Local evaluation of time series anomaly detection algorithms", KDD 2022,
section 3. Every true event owns the part of the record that lies closer to it than to any other
(its affiliation zone). Within a zone of length Z, with the event [u, v):

- precision is the mean, over the predicted time x, of the probability that a point drawn
  uniformly from the zone lies at least as far from the event as x does;
- recall is the mean, over the time y of the event, of the probability that a point drawn uniformly
  from the zone lies at least as far from y as the nearest predicted time of the zone does.

The precision of a record is the mean over the zones that hold a prediction, its recall the mean
over all zones (0 where a zone holds none), F1 their harmonic mean. Both integrals are of piecewise
linear functions and are taken in closed form here, over all zones at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval_tasks.question import SAMPLE_MINUTES

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Affiliation:
    """Affiliation precision, recall and F1, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Zones:
    """Affiliation zones [start, end) of the events [event_start, event_end), k each."""

    start: Floats
    end: Floats
    event_start: Floats
    event_end: Floats

    @property
    def length(self) -> Floats:
        return self.end - self.start


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Pieces:
    """Predictions [start, end) cut at the zones' bounds, in time order, and the zone of each."""

    start: Floats
    end: Floats
    zone: NDArray[np.intp]


def affiliation(predicted: Floats, true: Floats, length: float) -> Affiliation:
    """Return affiliation precision, recall and F1 of half-open intervals.

    Where both lists are empty all three are 1, where one is, all three are 0.

    Args:
        predicted: Predicted intervals [start, end) within [0, length), (n, 2), in any order.
        true: True intervals likewise, (k, 2).
        length: Length of the record.
    """
    predicted, true = merged(predicted), merged(true)
    if not len(predicted) or not len(true):
        both = float(len(predicted) == len(true))
        return Affiliation(precision=both, recall=both, f1=both)
    zones = _zones(true, length)
    pieces = _cut(predicted, zones)
    precision = _precision(pieces, zones)
    recall = _recall(pieces, zones)
    return Affiliation(precision=precision, recall=recall, f1=_harmonic_mean(precision, recall))


def half_open(intervals: Sequence[Mapping[str, float]], length: int) -> Floats:
    """Return intervals of minutes as half-open spans of whole samples.

    Sample i covers the minutes [5i, 5i + 5). An interval from the minute of its first to the
    minute of its last sample becomes [first sample's start, last sample's end); so does an event
    of a single sample, whose end is written as its start + 1. Minutes between two samples count
    for the earlier one. What lies outside the record is moved to its nearest sample.

    Args:
        intervals: {"start": minute, "end": minute} with start <= end.
        length: Length of the record in minutes.

    Returns:
        Spans (n, 2) in minutes, neither sorted nor merged.
    """
    bounds = [(interval["start"], interval["end"]) for interval in intervals]
    minutes = np.array(bounds, dtype=np.float64).reshape(-1, 2)
    last = length // SAMPLE_MINUTES - 1
    samples: Floats = np.clip(np.floor(minutes / SAMPLE_MINUTES), 0, last)
    samples[:, 1] += 1
    return SAMPLE_MINUTES * samples


def merged(intervals: Floats) -> Floats:
    """Return intervals (n, 2) in time order, overlapping and touching ones made one."""
    if len(intervals) < 2:
        return intervals
    ordered = intervals[np.lexsort((intervals[:, 1], intervals[:, 0]))]
    reach = np.maximum.accumulate(ordered[:, 1])
    opens = np.concatenate(([True], ordered[1:, 0] > reach[:-1]))
    closes = np.concatenate((opens[1:], [True]))
    return np.column_stack((ordered[opens, 0], reach[closes]))


def _zones(true: Floats, length: float) -> _Zones:
    middles = (true[1:, 0] + true[:-1, 1]) / 2
    return _Zones(
        start=np.concatenate(([0.0], middles)),
        end=np.concatenate((middles, [float(length)])),
        event_start=true[:, 0],
        event_end=true[:, 1],
    )


def _cut(predicted: Floats, zones: _Zones) -> _Pieces:
    first = np.searchsorted(zones.end, predicted[:, 0], side="right")
    count = np.searchsorted(zones.start, predicted[:, 1], side="left") - first
    source = np.repeat(np.arange(len(predicted)), count)
    zone = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count - first, count)
    return _Pieces(
        start=np.maximum(predicted[source, 0], zones.start[zone]),
        end=np.minimum(predicted[source, 1], zones.end[zone]),
        zone=zone,
    )


def _precision(pieces: _Pieces, zones: _Zones) -> float:
    u, v = zones.event_start[pieces.zone], zones.event_end[pieces.zone]
    room_before, room_after = u - zones.start[pieces.zone], zones.end[pieces.zone] - v
    zone = zones.length[pieces.zone]
    near, far = _positive(u - pieces.end), _positive(u - pieces.start)
    total = _farther_from_event(near, far, v - u, room_after, zone)
    near, far = _positive(pieces.start - v), _positive(pieces.end - v)
    total += _farther_from_event(near, far, v - u, room_before, zone)
    total += _positive(np.minimum(pieces.end, v) - np.maximum(pieces.start, u))
    predicted = _per_zone(pieces.end - pieces.start, pieces, zones)
    held = predicted > 0
    return _mean(_per_zone(total, pieces, zones)[held] / predicted[held])


def _recall(pieces: _Pieces, zones: _Zones) -> float:
    u, v = zones.event_start[pieces.zone], zones.event_end[pieces.zone]
    start, end = zones.start[pieces.zone], zones.end[pieces.zone]
    since, until = _territories(pieces, start, end)
    near = pieces.start - np.minimum(v, pieces.start)
    far = pieces.start - np.maximum(u, since)
    total = _farther_from_time(near, far, pieces.start - start, end - start)
    near = np.maximum(u, pieces.end) - pieces.end
    far = np.minimum(v, until) - pieces.end
    total += _farther_from_time(near, far, end - pieces.end, end - start)
    total += _positive(np.minimum(pieces.end, v) - np.maximum(pieces.start, u))
    return _mean(_per_zone(total, pieces, zones) / (zones.event_end - zones.event_start))


def _territories(pieces: _Pieces, start: Floats, end: Floats) -> tuple[Floats, Floats]:
    """Return the span of its zone in which each piece is the nearest one."""
    middles = (pieces.start[1:] + pieces.end[:-1]) / 2
    shared = pieces.zone[1:] == pieces.zone[:-1]
    since, until = start.copy(), end.copy()
    since[1:][shared] = middles[shared]
    until[:-1][shared] = middles[shared]
    return since, until


def _farther_from_event(
    near: Floats, far: Floats, event: Floats, other_side: Floats, zone: Floats
) -> Floats:
    """Integrate, over distances near to far, the chance to lie farther from the event.

    Nearer than d to the event lie the event itself, d on this side of it, and on the other side d
    or, if that is less, the room there.
    """
    nearer = event * (far - near) + (far**2 - near**2) / 2
    nearer += _capped(far, other_side) - _capped(near, other_side)
    return far - near - nearer / zone


def _farther_from_time(near: Floats, far: Floats, room: Floats, zone: Floats) -> Floats:
    """Integrate, over distances near to far, the chance to lie farther from a time of the event.

    The time lies d from a prediction's bound, that bound `room` from the zone's bound on the
    time's side. Nearer than d to the time lie 2d or, if that is less, that room.
    """
    far = np.maximum(far, near)
    nearer = 2 * (_capped(far, room / 2) - _capped(near, room / 2))
    return far - near - nearer / zone


def _capped(distance: Floats, cap: Floats) -> Floats:
    """Integrate min(t, cap) over t from 0 to distance."""
    below = np.minimum(distance, cap)
    return below**2 / 2 + cap * (distance - below)


def _per_zone(values: Floats, pieces: _Pieces, zones: _Zones) -> Floats:
    sums = np.bincount(pieces.zone, weights=values, minlength=len(zones.start))
    return sums.astype(np.float64)


def _positive(values: Floats) -> Floats:
    return np.maximum(values, 0.0)


def _mean(probabilities: Floats) -> float:
    return float(np.clip(np.mean(probabilities), 0.0, 1.0))


def _harmonic_mean(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
