"""The small common table that every source is brought to before it is cleaned."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from generators.trace import SAMPLE_MINUTES, InsulinType, MealType

SAMPLE_SECONDS = 60 * SAMPLE_MINUTES

_Seconds = TypeVar("_Seconds", int, NDArray[np.int64])


@dataclass(frozen=True, slots=True, kw_only=True)
class Bolus:
    """A bolus as the pump reported it.

    Attributes:
        second: When, in seconds from the start of the table.
        milliunits: What was delivered, mU.
        kind: What it was for.
        duration: Over how many seconds it was delivered evenly; 0 for at once.
    """

    second: int
    milliunits: int
    kind: InsulinType
    duration: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """Carbohydrate that was announced.

    Attributes:
        second: When, in seconds from the start of the table.
        grams: How much, g.
        meal: What the record calls it.
    """

    second: int
    grams: float
    meal: MealType = "unspecified"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Observations:
    """One subject's raw observations; all times run from a Monday at 00:00 of the local clock.

    The Monday is the last one at or before the first row, so that no date is needed any more.

    Attributes:
        subject: For example `azt1d_08`.
        seconds: When each reading was taken, s, int64, in time order, repetitions included.
        glucose: The readings, mg/dL, float64, of the same length.
        sensor_range: Lowest and highest value that the sensor reports, mg/dL.
        basal: Basal insulin per 5-minute sample, mU/h, int32; MISSING where it, or whether a
            bolus was given, is not known. Its length is that of the record in samples.
        boluses: In time order.
        announcements: In time order.
        counts: What reading the source already found and decided, step by step.
    """

    subject: str
    seconds: NDArray[np.int64]
    glucose: NDArray[np.float64]
    sensor_range: tuple[int, int]
    basal: NDArray[np.int32]
    boluses: tuple[Bolus, ...]
    announcements: tuple[Announcement, ...]
    counts: Mapping[str, int]


def nearest_sample(seconds: _Seconds) -> _Seconds:
    """Return the 5-minute sample nearest to a second or to each; halfway goes to the later one."""
    return (seconds + SAMPLE_SECONDS // 2) // SAMPLE_SECONDS
