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

from generators.streams import Stream

Number = int | float
PLACES = 10
LEAST_SHARE = 0.01
"""Relative distance of two options, so that rounding or another convention decides nothing."""
_MOST_PAIRS = 2
_TRIES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """On what the options stand.

    Attributes:
        by_factor: Whether equal factors are equal distances on it, or equal differences.
        widths: Least and greatest distance from the first place to the last, in logarithms or in
            the unit of the answer.
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
        return round(round(value / self.step) * self.step, 6)

    def holds(self, values: Sequence[float]) -> bool:
        """Return whether all are possible and no two of them too near each other."""
        ordered = sorted(values)
        return (
            self.low <= ordered[0]
            and ordered[-1] <= self.high
            and all(
                above - below >= self._least(below, above) - 1e-9
                for below, above in zip(ordered, ordered[1:], strict=False)
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

    def partner(self, place: int) -> int | None:
        """Return the other place of a pair, None for a place that is in none."""
        for pair in self.pairs:
            if place in pair:
                return sum(pair) - place
        return None


def pattern(scale: Scale, stream: Stream) -> Pattern | None:
    """Draw a pattern; None if ten places do not fit on the scale."""
    least, most = scale.widths
    width = least + (most - least) * float(stream.uniform(1)[0])
    fitting = [slip for slip in scale.slips if slip < width]
    count = stream.integer(0, _MOST_PAIRS) if fitting else 0
    nearest = 1.5 * LEAST_SHARE if scale.by_factor else scale.apart + scale.step
    for _ in range(_TRIES):
        places = (width * stream.uniform(PLACES)).tolist()
        for pair in range(count):
            slip = stream.choice(fitting)
            places[2 * pair] *= 1 - slip / width
            places[2 * pair + 1] = places[2 * pair] + slip
        ordered = sorted(places)
        if all(b - a >= nearest for a, b in zip(ordered, ordered[1:], strict=False)):
            return Pattern(
                width=width,
                places=tuple(places),
                pairs=tuple((2 * pair, 2 * pair + 1) for pair in range(count)),
            )
    return None
