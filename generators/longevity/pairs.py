"""Measurements that belong together, and what the two can be at the same time.

Each value may be plausible while the pair is not, for example a diastolic pressure close to the
systolic one. Values that follow from others by a formula stand in `derived.py`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

Values = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two measurements and the bounds of a number made of them.

    Attributes:
        name: What the number is, for error messages.
        fields: The markers, both of which must be stated for the bounds to apply.
        compute: The two values in, the number out.
        low: Lowest plausible number.
        high: Highest plausible number.
        source: What the bounds rest on.
    """

    name: str
    fields: tuple[str, str]
    compute: Callable[[float, float], float]
    low: float
    high: float
    source: str


PAIRS = (
    Pair(
        name="the pulse pressure in mmHg",
        fields=("sbp", "dbp"),
        compute=lambda systolic, diastolic: systolic - diastolic,
        low=30,
        high=70,
        source="about 40 is normal and above 100 wide (Homan, StatPearls NBK482408); bounds ours",
    ),
    Pair(
        name="the pulse pressure as a share of the systolic pressure",
        fields=("sbp", "dbp"),
        compute=lambda systolic, diastolic: (systolic - diastolic) / systolic,
        low=0.25,
        high=0.60,
        source="below a quarter is narrow (Homan, StatPearls NBK482408); upper bound ours",
    ),
    Pair(
        name="the fasting glucose as a share of the average that the HbA1c stands for",
        fields=("glu", "a1c"),
        compute=lambda glucose, a1c: glucose / (28.7 * a1c - 46.7),
        low=0.75,
        high=1.10,
        source="average by ADAG (Nathan 2008, doi 10.2337/dc08-0545); bounds ours",
    ),
)


def unlikely_pairs(values: Values) -> Iterator[str]:
    """Say which measurements, in their markers' units, cannot stand beside each other."""
    for pair in PAIRS:
        if all(field in values for field in pair.fields):
            first, second = (values[field] for field in pair.fields)
            number = pair.compute(first, second)
            if not pair.low <= number <= pair.high:
                yield (
                    f"{pair.fields[0]} {first} and {pair.fields[1]} {second}: {pair.name} would be "
                    f"{number:.3g}, outside the plausible {pair.low}-{pair.high} ({pair.source})"
                )
