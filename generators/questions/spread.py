"""Where ten options stand on a scale when nothing about them may tell which one is given.

A pattern of ten places is drawn without regard to the given value, which then takes one of the
places, each equally likely; the others follow from it. So a given set of options could have come
from each of its members alike, as far as its sizes, distances and ratios go. Relations that a
mistake leaves behind, such as one option being twice another, are part of the pattern and join any
two places, not the given value and another.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from generators.streams import Stream

PLACES = 10
LEAST_SHARE = 0.01
"""Relative distance of two options, so that rounding or another convention decides nothing."""
_PAIRS = (0, 0, 1, 2)
"""How many pairs a pattern holds, each as likely as the others."""
_TRIES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """On what the options stand.

    Attributes:
        by_factor: Whether equal factors are equal distances on it, or equal differences.
        widths: Least and greatest distance within which places lie, in logarithms or in the unit of
            the answer; a slip adds its own.
        slips: Distances, in logarithms or in the unit, that a mistake leaves between two options.
        low: Least possible option.
        high: Greatest possible option.
        step: Distance of two neighbouring possible options.
        apart: Least distance of two options in the unit, beside `LEAST_SHARE` of them where factors
            count.
    """

    by_factor: bool
    widths: tuple[float, float]
    slips: tuple[float, ...]
    low: float
    high: float
    step: float
    apart: float

    def moved(self, value: float, distance: float) -> float:
        """Return what stands so far above a value."""
        return value * math.exp(distance) if self.by_factor else value + distance

    def distance(self, value: float, other: float) -> float:
        """Return how far two values stand apart, infinite for values of unlike sign by factor."""
        if not self.by_factor:
            return abs(value - other)
        return abs(math.log(value / other)) if value * other > 0 else math.inf

    def rounded(self, value: float) -> float:
        """Return the nearest possible option."""
        return round(round(value / self.step) * self.step, 6) + 0.0

    def slipped(self, value: float, distance: float, stream: Stream) -> float:
        """Return the option that a slip makes of a value before it is rounded.

        By factor the digits that rounding took are drawn, so that the two options are the same pair
        whichever of them was there first.
        """
        lost = float(stream.uniform(1)[0]) - 0.5 if self.by_factor else 0.0
        return self.rounded(self.moved(value + lost * self.step, distance))

    def holds(self, values: Sequence[float]) -> bool:
        """Return whether all are possible and no two of them too near each other."""
        ordered = sorted(values)
        return (
            self.low <= ordered[0]
            and ordered[-1] <= self.high
            and all(
                above - below >= self._least(below, above) - 1e-9
                for below, above in pairwise(ordered)
            )
        )

    def _least(self, value: float, other: float) -> float:
        share = LEAST_SHARE * max(abs(value), abs(other)) if self.by_factor else 0.0
        return max(self.apart, share)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Ten places on a scale, some of them in pairs.

    Attributes:
        width: Distance within which all places lie.
        places: Distances from the lower end.
        pairs: Places that stand a slip apart, the lower one first.
    """

    width: float
    places: tuple[float, ...]
    pairs: tuple[tuple[int, int], ...]

    @property
    def firsts(self) -> tuple[int, ...]:
        """Every place but the second of each pair."""
        seconds = {second for _, second in self.pairs}
        return tuple(place for place in range(PLACES) if place not in seconds)

    def pair(self, place: int) -> tuple[int, ...]:
        """Return the pair that holds a place, or the place alone."""
        return next((pair for pair in self.pairs if place in pair), (place,))


def pattern(scale: Scale, stream: Stream) -> Pattern | None:
    """Draw a pattern; None if ten places do not fit on the scale."""
    least, most = scale.widths
    slips = (
        [stream.choice(scale.slips) for _ in range(stream.choice(_PAIRS))] if scale.slips else []
    )
    width = max(slips, default=0.0) + least + (most - least) * float(stream.uniform(1)[0])
    nearest = 1.1 * LEAST_SHARE if scale.by_factor else scale.apart + scale.step / 2
    for _ in range(_TRIES):
        places = (width * stream.uniform(PLACES)).tolist()
        for pair, slip in enumerate(slips):
            places[2 * pair] *= 1 - slip / width
            places[2 * pair + 1] = places[2 * pair] + slip
        ordered = sorted(places)
        if all(b - a >= nearest for a, b in pairwise(ordered)):
            return Pattern(
                width=width,
                places=tuple(places),
                pairs=tuple((2 * pair, 2 * pair + 1) for pair in range(len(slips))),
            )
    return None
