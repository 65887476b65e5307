"""Long-acting insulin of people on injections.

S2008 has no kinetics of long-acting insulin. A daily dose is released at a constant rate for 24 h,
smoothed by a first-order lag of 2 h, into the first subcutaneous depot. How much of it acts varies
from day to day (lognormal, SD 0.15), and a late dose leaves a gap: sizes are ours.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from math import exp, floor

import numpy as np
from numpy.typing import NDArray

from generators.simulated.patients import Patient, patient
from generators.simulated.pump import COUNTS_PER_UNIT
from generators.streams import Stream
from generators.trace import MINUTES_PER_DAY, SAMPLE_MINUTES, SAMPLES_PER_DAY

BEFORE_START = 2
"""Days before a run whose doses still act in it."""

_LAG_MINUTES = 120.0
_SPREAD = 0.15
_TAIL_DAYS = 1.0
ACTING_MINUTES = floor((1 + _TAIL_DAYS) * MINUTES_PER_DAY)
"""Minutes for which a dose acts."""
_REMEMBERED = 256
_HABITS = (420, 1260, 1290, 1320)
"""Minutes of the day at which people take their dose, one of them each."""
_TIME_SPREAD = 20.0
_LATE_CHANCE, _LATE = 0.08, (120, 360)


@dataclass(frozen=True, slots=True, kw_only=True)
class LongActingDose:
    """A daily dose.

    Attributes:
        day: Day to which it belongs; a late one may come after midnight.
        minute: When it is injected, negative before the trace.
        units: Dose, whole U.
        action: Share of it that acts.
    """

    day: int
    minute: int
    units: int
    action: float

    def earlier(self, minutes: int) -> "LongActingDose":
        """Return the dose so many minutes earlier, of the same day of the diary."""
        return LongActingDose(
            day=self.day, minute=self.minute - minutes, units=self.units, action=self.action
        )


def daily_units(who: Patient) -> int:
    """Return the daily dose: what the pump's basal would give, rounded to 1 U, at least 1 U."""
    return max(1, floor(24.0 * who.basal_u_per_h + 0.5))


@lru_cache(maxsize=_REMEMBERED)
def doses(
    seed: int, patient_id: str, days: range, *, member: int = 0
) -> tuple[LongActingDose, ...]:
    """Return the doses of some days, -2 at the earliest, in time order."""
    habit = Stream(seed, "long_acting_habit", patient_id).choice(_HABITS)
    units = daily_units(patient(patient_id))
    stream = Stream(seed, "long_acting", patient_id, member)
    uniform = stream.uniform(2 * (days.stop + BEFORE_START)).tolist()
    normal = Stream(seed, "long_acting_action", patient_id, member).normal(
        2 * (days.stop + BEFORE_START)
    )
    normal = np.clip(normal, -2.5, 2.5).tolist()
    found = []
    for day in days:
        at = 2 * (day + BEFORE_START)
        shift = _TIME_SPREAD * normal[at]
        if uniform[at] < _LATE_CHANCE:
            shift = _LATE[0] + uniform[at + 1] * (_LATE[1] - _LATE[0])
        found.append(
            LongActingDose(
                day=day,
                minute=day * MINUTES_PER_DAY + habit + floor(shift),
                units=units,
                action=exp(_SPREAD * normal[at + 1]),
            )
        )
    return tuple(found)


def injected(given: Iterable[LongActingDose], samples: int) -> NDArray[np.int32]:
    """Return the long-acting insulin injected in each sample, counts."""
    counts = np.zeros(samples, dtype=np.int32)
    for dose in given:
        sample = dose.minute // SAMPLE_MINUTES
        if 0 <= sample < samples:
            counts[sample] += dose.units * COUNTS_PER_UNIT
    return counts


def released(given: Iterable[LongActingDose], samples: int) -> NDArray[np.int32]:
    """Return what reaches the tissue in each sample, counts."""
    counts = np.zeros(samples, dtype=np.int32)
    shares = release_shares()
    for dose in given:
        acting = np.floor(dose.units * COUNTS_PER_UNIT * dose.action * shares + 0.5)
        parts = acting.astype(np.int32)
        parts[1:] -= parts[:-1].copy()
        start = dose.minute // SAMPLE_MINUTES
        first, last = max(start, 0), min(start + len(parts), samples)
        if first < last:
            counts[first:last] += parts[first - start : last - start]
    return counts


@cache
def release_shares() -> NDArray[np.float64]:
    """Return the share of a dose released by the end of each sample after it; the last is 1."""
    day = float(MINUTES_PER_DAY)
    samples = floor(SAMPLES_PER_DAY * (1 + _TAIL_DAYS))
    shares = []
    for sample in range(1, samples + 1):
        t = float(sample * SAMPLE_MINUTES)
        if t <= day:
            shares.append((t - _LAG_MINUTES * (1.0 - exp(-t / _LAG_MINUTES))) / day)
        else:
            left = _LAG_MINUTES * (1.0 - exp(-day / _LAG_MINUTES)) / day
            shares.append(1.0 - left * exp(-(t - day) / _LAG_MINUTES))
    shares[-1] = 1.0
    return np.array(shares)
