"""What a Tandem t:slim X2 pump reported, read from a table with one row per glucose reading.

The files do not say what their columns mean; it was worked out from the values:

- `Basal` is the insulin of the whole clock hour that a row lies in, in U. One value stands for
  the twelve rows of an hour, and beside a profile's rate r one of the commonest values is 11/12
  of r: an hour in which one 5-minute step was withheld. Within the hour the insulin is spread
  evenly.
- Some hours are written in mU instead: whole numbers such as 1650 or 300 in a subject whose
  profile has 1.65 or 0.3, and once both 0.304 and 304.0 in neighbouring rows of one night.
- The rows of the basal part are the pump's own 5-minute steps, each joined to the nearest glucose
  reading. In a gap of the glucose record the reading on either side therefore stands in many
  rows, and its rows carry the basal values of other hours.
- A bolus was joined in the same way: beside a gap of more than three samples a reading carries a
  bolus four to six times as often as elsewhere. Such a bolus was given some time in the gap.
- A bolus by hand states two parts (food, correction) that add up to the total, or none.
- `Extended p%/u` delivers p percent of u at once, which is the total of the row; how long the
  rest took, and whether it was given, is not recorded.
"""

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from generators.real_world.observations import Announcement, Bolus, nearest_sample
from generators.trace import MISSING, SAMPLES_PER_HOUR, InsulinType

MAX_BASAL_UNITS_PER_HOUR = 15
"""Highest basal rate of a t:slim X2."""
MAX_BOLUS_UNITS = 25
"""Largest bolus of a t:slim X2."""
MAX_CARBS_GRAMS = 999
"""Most carbohydrate that a t:slim X2 lets one enter."""
MAX_EXTENDED_SAMPLES = 8 * SAMPLES_PER_HOUR
"""A t:slim X2 extends a bolus over up to 8 hours."""
MAX_SHORT_GAP = 3
"""Samples without a reading after which boluses can no longer be dated."""
MIN_HOUR_ROWS = 3
"""Rows that must tell an hour's basal insulin; a clock near half a step misplaces one or two."""
SAME_MEAL_SECONDS = 30 * 60
INTERRUPTED_SHARE = 0.5
"""A food bolus below this share of what is usual for its carbohydrate was interrupted."""
_ROUNDING_UNITS = 0.021
"""Parts and total are rounded to 0.01 U each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PumpRow:
    """The pump's part of a row; basal and total are None where the cell is empty.

    Attributes:
        second: When, in seconds from a Monday 00:00.
        basal: Basal insulin of the hour, U or mU.
        bolus_type: What kind of bolus, empty without one.
        total: Bolus delivered, U.
        food: Its part for food, U; 0 where not stated.
        correction: Its part for correction, U; 0 where not stated.
        grams: Carbohydrate announced with it, g; 0 where none.
    """

    second: int
    basal: float | None
    bolus_type: str
    total: float | None
    food: float
    correction: float
    grams: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PumpRecord:
    """What the pump did; the attributes are those of `Observations`."""

    basal: NDArray[np.int32]
    boluses: tuple[Bolus, ...]
    announcements: tuple[Announcement, ...]
    counts: Mapping[str, int]


_Scale = Literal["units", "milliunits", "either"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rate:
    """Basal insulin of an hour, and in which of the two scales it was written."""

    milliunits: int
    scale: _Scale


def pump_record(rows: Sequence[PumpRow]) -> PumpRecord:
    """Work out what the pump delivered.

    Insulin is unknown in a sample (MISSING in `basal`) where no row tells the hour's basal
    insulin or its scale, in a gap of the glucose record, where a bolus cannot be dated or read,
    and for 8 hours after an extended bolus.

    Args:
        rows: All distinct rows of a subject in time order.
    """
    samples = _samples(rows)
    gap, edge = _gaps(samples)
    basal, counts = _basal(rows, samples, length=len(gap))
    basal[gap] = MISSING
    entries = _entries(rows)
    dated: list[PumpRow] = []
    for entry, sample in zip(entries, _samples(entries).tolist(), strict=True):
        unknown = _unknown_samples(entry, is_dated=not edge[sample])
        basal[sample : sample + unknown] = MISSING
        if not edge[sample]:
            dated.append(entry)
    announcements, announcement_counts = _announcements(dated)
    return PumpRecord(
        basal=basal,
        boluses=tuple(bolus for entry in dated for bolus in _boluses(entry)),
        announcements=announcements,
        counts={
            **counts,
            **announcement_counts,
            "undatable_entries_dropped": len(entries) - len(dated),
            "unreadable_boluses_dropped": sum(not _is_readable(entry) for entry in dated),
            "extended_boluses": sum(_is_extended(entry) for entry in dated),
            "boluses_of_unstated_purpose": sum(_states_no_purpose(entry) for entry in dated),
        },
    )


def _samples(rows: Sequence[PumpRow]) -> NDArray[np.int64]:
    return nearest_sample(np.array([row.second for row in rows], dtype=np.int64))


def _gaps(samples: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return per sample whether it lies in a long gap, and whether it is the row beside one.

    What lies before the first row and after the last counts as a gap.
    """
    present: list[int] = np.unique(samples).tolist()
    ends = present[:1] + present[-1:]
    gap = np.zeros(ends[-1] + 1 if ends else 0, dtype=np.bool_)
    edge = gap.copy()
    gap[: min(ends, default=0)] = True
    edge[ends] = True
    for before, after in pairwise(present):
        if after - before - 1 > MAX_SHORT_GAP:
            gap[before + 1 : after] = True
            edge[[before, after]] = True
    return gap, edge


def _basal(
    rows: Sequence[PumpRow], samples: NDArray[np.int64], length: int
) -> tuple[NDArray[np.int32], dict[str, int]]:
    """Return basal insulin per sample in mU/h, MISSING where unknown, and counts of hours."""
    votes = _votes(rows, samples)
    agreed = {hour: rate for hour, vote in votes.items() for rate in _agreed(vote)}
    clear = {
        hour: rate
        for hour, rate in agreed.items()
        if rate is not None and not _is_ambiguous(hour, rate, agreed)
    }
    basal = np.full(length, MISSING, dtype=np.int32)
    for hour, rate in clear.items():
        basal[hour * SAMPLES_PER_HOUR : (hour + 1) * SAMPLES_PER_HOUR] = rate.milliunits
    return basal, {
        "basal_hours_known": len(clear),
        "basal_hours_in_milliunits": sum(rate.scale == "milliunits" for rate in clear.values()),
        "basal_hours_of_unknown_scale": len(agreed) - len(clear),
        "basal_hours_undecided": len(votes) - len(agreed),
    }


def _votes(rows: Sequence[PumpRow], samples: NDArray[np.int64]) -> dict[int, Counter[_Rate | None]]:
    """Count what the rows say of each hour; rows that share their time may mean other hours."""
    sharing = Counter(row.second for row in rows)
    votes: dict[int, Counter[_Rate | None]] = {}
    for row, sample in zip(rows, samples.tolist(), strict=True):
        if row.basal is not None and sharing[row.second] == 1:
            votes.setdefault(sample // SAMPLES_PER_HOUR, Counter())[_rate(row.basal)] += 1
    return votes


def _agreed(vote: Counter[_Rate | None]) -> list[_Rate | None]:
    """Return what most rows of an hour say, in a list that is empty if they do not agree."""
    rate, number = vote.most_common(1)[0]
    return [rate] if number >= MIN_HOUR_ROWS and 2 * number > vote.total() else []


def _rate(value: float) -> _Rate | None:
    """Return the basal insulin of an hour, None where neither scale makes sense of the value."""
    whole = value.is_integer()
    if 0 <= value <= MAX_BASAL_UNITS_PER_HOUR:
        milliunits = round(1000 * value)
        stepped = abs(1000 * value - milliunits) < 1e-6
        scale: _Scale = "either" if whole and value else "units"
        return _Rate(milliunits=milliunits, scale=scale) if stepped else None
    if whole and 0 < value <= 1000 * MAX_BASAL_UNITS_PER_HOUR:
        return _Rate(milliunits=int(value), scale="milliunits")
    return None


def _is_ambiguous(hour: int, rate: _Rate, agreed: Mapping[int, _Rate | None]) -> bool:
    """Return whether a small whole number stands beside an hour that is written in mU."""
    neighbours = (agreed.get(hour - 1), agreed.get(hour + 1))
    return rate.scale == "either" and any(
        neighbour is not None and neighbour.scale == "milliunits" for neighbour in neighbours
    )


def _entries(rows: Sequence[PumpRow]) -> list[PumpRow]:
    """Return the distinct rows that hold a bolus or carbohydrate, without their basal insulin."""
    stripped = (
        replace(row, basal=None) for row in rows if row.bolus_type or row.total or row.grams
    )
    return list(dict.fromkeys(stripped))


def _boluses(entry: PumpRow) -> Iterator[Bolus]:
    """Yield what an entry delivered, by purpose."""
    if not _is_readable(entry):
        return
    delivered = _milliunits(entry.total)
    correction = min(_milliunits(entry.correction), delivered)
    if entry.bolus_type.startswith("Automatic"):
        parts: list[tuple[InsulinType, int]] = [("automatic_correction", delivered)]
    elif _milliunits(entry.food):
        parts = [("meal_bolus", delivered - correction), ("correction_bolus", correction)]
    elif correction or (not entry.grams and "Correction" in entry.bolus_type):
        parts = [("correction_bolus", delivered)]
    else:
        parts = [("meal_bolus" if entry.grams else "unspecified_bolus", delivered)]
    for kind, milliunits in parts:
        if milliunits:
            yield Bolus(second=entry.second, milliunits=milliunits, kind=kind)


def _is_readable(entry: PumpRow) -> bool:
    """Return whether total and parts are amounts of a pump and agree."""
    if entry.total is None:
        return False
    amounts = (entry.total, entry.food, entry.correction)
    in_range = all(0 <= units <= MAX_BOLUS_UNITS for units in amounts)
    stated = entry.food + entry.correction
    return in_range and (stated == 0 or abs(entry.total - stated) < _ROUNDING_UNITS)


def _is_extended(entry: PumpRow) -> bool:
    return entry.bolus_type.startswith("Extended")


def _unknown_samples(entry: PumpRow, *, is_dated: bool) -> int:
    """Return for how many samples from the entry on the delivery is unknown."""
    if _is_extended(entry):
        return MAX_EXTENDED_SAMPLES
    return 0 if is_dated and _is_readable(entry) else 1


def _states_no_purpose(entry: PumpRow) -> bool:
    return (
        _is_readable(entry)
        and bool(entry.total)
        and not (entry.food or entry.correction or entry.grams)
    )


def _announcements(entries: Sequence[PumpRow]) -> tuple[tuple[Announcement, ...], dict[str, int]]:
    """Return the carbohydrate announced, each meal once.

    An entry whose bolus was cancelled or interrupted gives way to a later one that follows within
    half an hour.
    """
    announced = [entry for entry in entries if entry.grams]
    possible = [entry for entry in announced if 0 < entry.grams <= MAX_CARBS_GRAMS]
    usual = _usual_units_per_gram(possible)
    kept = [
        entry
        for entry, following in zip(possible, [*possible, None][1:], strict=True)
        if not _gives_way(entry, following, usual)
    ]
    return tuple(Announcement(second=entry.second, grams=entry.grams) for entry in kept), {
        "carbs_out_of_range_dropped": len(announced) - len(possible),
        "superseded_announcements": len(possible) - len(kept),
    }


def _usual_units_per_gram(entries: Sequence[PumpRow]) -> float:
    ratios = [
        entry.food / entry.grams for entry in entries if entry.food > 0 and not _is_extended(entry)
    ]
    return statistics.median(ratios) if ratios else 0.0


def _gives_way(entry: PumpRow, following: PumpRow | None, usual: float) -> bool:
    """Return whether a bolus was cancelled or interrupted and its carbohydrate entered again."""
    if following is None or following.second - entry.second > SAME_MEAL_SECONDS:
        return False
    delivered = entry.total or 0.0
    interrupted = delivered < INTERRUPTED_SHARE * usual * entry.grams and not _is_extended(entry)
    return delivered == 0 or interrupted


def _milliunits(units: float | None) -> int:
    return round(1000 * (units or 0.0))
