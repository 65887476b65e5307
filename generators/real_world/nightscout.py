"""Reads Nightscout: a person's `entries`, `treatments` and `profile` as its API exports them.

Source: Nightscout (https://github.com/nightscout/cgm-remote-monitor), collections `entries`
(`date` in ms of Unix time, `sgv`), `treatments` (see `nightscout_insulin`) and `profile`; one file
each or one object with all of them, from version 1 or 3 of the API. Glucose may be in mg/dL or
mmol/L: the field `units` tells, else the values do, because the two ranges do not meet. A reading
with one decimal in mmol/L is only known to 0.9 mg/dL.

Times become those of the wall clock where the person lives: the profile's `timezone`, or one that
is given, or the offsets that the entries carry. Where the clock is set back an hour occurs twice,
and where it is set forward one does not occur: what lies in it is unknown. A sensor's LOW (39 mg/dL
for Dexcom) and HIGH (401) become 40 and 400. Notes and every other text are not read.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
from numpy.typing import NDArray

from generators.real_world.clock import MAX_DAYS, LocalClock, monday_before, quarter_hours
from generators.real_world.files import RawFile
from generators.real_world.nightscout_insulin import insulin_of
from generators.real_world.nightscout_records import (
    Entry,
    Export,
    export_of,
)
from generators.real_world.observations import Observations, nearest_sample
from generators.real_world.recordings import LeftOut, RawDataError
from generators.real_world.selection import Subject, pseudonyms
from generators.real_world.written import decimal
from generators.trace import MISSING, PatientProfile

MGDL_PER_MMOL = 18.0156
"""Molar mass of glucose, 180.156 g/mol, per dL."""
LOWEST_MGDL = 36
"""No sensor reports less in mg/dL, and none as much in mmol/L."""
SENSOR_RANGE = (40, 500)
"""mg/dL; Dexcom up to 400, FreeStyle Libre up to 500."""
MAX_ERROR_CODE = 12
"""Dexcom receivers report 0 to 12 in place of a reading; what they mean is not needed."""
MAX_MIXED_SHARE = 0.01
"""Share of values in the other unit's range above which an export mixes units."""
_LOW, _LOW_CODE, _HIGH, _HIGH_CODE = 40, 39, 400, 402
_WORDS = {"low": float(_LOW), "high": float(_HIGH)}
_HEAD = re.compile(r'"(sgv|eventType|defaultProfile)"')
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def is_nightscout(head: str) -> bool:
    """Return whether a text begins like one of an export's files."""
    start = head.lstrip("\ufeff \r\n\t")[:1]
    return start in ("[", "{") and bool(_HEAD.search(head))


def nightscout_subjects(
    files: Sequence[RawFile], *, timezone: str | None
) -> Iterator[Subject | LeftOut]:
    """Yield what each export tells; files that lie in one folder belong to one person.

    Who has no entries is left out.

    Args:
        files: JSON files.
        timezone: IANA name of where the person lives; None to take it from the export.

    Raises:
        RawDataError: Damaged JSON, a record without time, mixed units, or no time zone.
    """
    folders: dict[str, list[RawFile]] = defaultdict(list)
    for file in files:
        folders[file.folder].append(file)
    ids = pseudonyms("nightscout", folders)
    for folder in sorted(folders, key=lambda folder: ids[folder]):
        export = export_of(folders[folder])
        if not export.entries:
            reason = "its files hold treatments or a profile, but no entries; export them too"
            yield LeftOut(source="nightscout", subject=ids[folder], reason=reason)
            continue
        yield (
            _observations(ids[folder], folders[folder][0].place, export, timezone),
            PatientProfile(),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Readings:
    """UTC seconds and mg/dL of the readings, and what became of the others."""

    utc: NDArray[np.int64]
    mgdl: NDArray[np.float64]
    counts: dict[str, int]


def _observations(subject: str, place: str, export: Export, timezone: str | None) -> Observations:
    readings = _readings(export.entries, place)
    if not len(readings.utc):
        raise RawDataError(f"{place}: its entries hold no sensor reading (sgv); export them")
    instants = [one.utc for one in export.treatments]
    first = min([int(readings.utc[0]), *instants])
    last = max([int(readings.utc[-1]), *instants])
    if last - first > timedelta(days=MAX_DAYS).total_seconds():
        raise RawDataError(f"{place}: the times span more than ten years; remove the wrong ones")
    clock = _from_monday(_clock(export, timezone, place, (first, last)), first)
    insulin = insulin_of(export, clock, last)
    twice = clock.jumps()
    local = clock.local(readings.utc)
    kept = ~_inside(local, twice)
    basal = insulin.basal
    for start, end in twice:
        basal[max(nearest_sample(start), 0) : nearest_sample(end)] = MISSING
    return Observations(
        subject=subject,
        seconds=local[kept],
        glucose=readings.mgdl[kept],
        sensor_range=SENSOR_RANGE,
        basal=_as_long_as(basal, local),
        boluses=tuple(one for one in insulin.boluses if not _is_inside(one.second, twice)),
        announcements=tuple(
            one for one in insulin.announcements if not _is_inside(one.second, twice)
        ),
        counts={
            "rows": export.records,
            "repeated_rows": export.repeated,
            "treatments_told_twice": export.twice,
            **readings.counts,
            "clock_jumps": len(twice),
            "readings_of_repeated_hours_dropped": int((~kept).sum()),
            **insulin.counts,
        },
    )


def _as_long_as(basal: NDArray[np.int32], local: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return basal insulin, unknown on to the last reading."""
    more = int(nearest_sample(local).max()) + 1 - len(basal)
    return np.pad(basal, (0, max(more, 0)), constant_values=MISSING)


def _inside(seconds: NDArray[np.int64], stretches: Sequence[tuple[int, int]]) -> NDArray[np.bool_]:
    inside = np.zeros(len(seconds), dtype=np.bool_)
    for start, end in stretches:
        inside |= (seconds >= start) & (seconds < end)
    return inside


def _is_inside(second: int, stretches: Sequence[tuple[int, int]]) -> bool:
    return any(start <= second < end for start, end in stretches)


def _readings(entries: Sequence[Entry], place: str) -> _Readings:
    sensor = [one for one in entries if one.type == "sgv" and one.sgv is not None]
    words = [_WORDS.get(str(one.sgv).strip().lower()) for one in sensor]
    values = np.array(
        [
            _number(one, place) if word is None else math.nan
            for one, word in zip(sensor, words, strict=True)
        ]
    )
    is_mmol = _is_mmol([one.units for one in sensor], values, place)
    mgdl = np.where(is_mmol, np.rint(values * MGDL_PER_MMOL), values)
    capped = np.array([math.nan if word is None else word for word in words])
    mgdl = np.where(np.isnan(capped), mgdl, capped)
    low = (mgdl >= _LOW_CODE - 0.5) & (mgdl < _LOW)
    reads_on = ((mgdl > _HIGH_CODE) & (mgdl <= SENSOR_RANGE[1])).any()
    high = (mgdl > _HIGH) & (mgdl <= _HIGH_CODE) & ~reads_on
    mgdl = np.where(low, _LOW, np.where(high, _HIGH, mgdl))
    code = ~is_mmol & (values <= MAX_ERROR_CODE) & (values >= 0) & (values == np.rint(values))
    utc = np.array([one.utc for one in sensor], dtype=np.int64)
    order = np.argsort(utc[~code], kind="stable")
    return _Readings(
        utc=utc[~code][order],
        mgdl=mgdl[~code][order],
        counts={
            "readings_from_mmol_per_litre": int(is_mmol.sum()),
            "readings_low_or_high_capped": int((low | high | ~np.isnan(capped)).sum()),
            "sensor_error_codes_dropped": int(code.sum()),
            "other_entries_not_used": len(entries) - len(sensor),
        },
    )


def _number(entry: Entry, place: str) -> float:
    try:
        return decimal(entry.sgv or 0) or 0.0
    except ValueError as error:
        raise RawDataError(
            f"{place}: an entry's sgv is {str(entry.sgv)[:40]!r}, no number and neither LOW nor "
            "HIGH; correct or remove it"
        ) from error


def _is_mmol(
    units: Sequence[str | None], values: NDArray[np.float64], place: str
) -> NDArray[np.bool_]:
    """Return which values are in mmol/L: as they say, or as the range of most of them says."""
    stated = np.array([unit is not None for unit in units], dtype=np.bool_)
    mmol = np.array([(unit or "").lower().startswith("mmol") for unit in units], dtype=np.bool_)
    unsaid = values[~stated & ~np.isnan(values)]
    low = (unsaid < LOWEST_MGDL) & ((unsaid > MAX_ERROR_CODE) | (unsaid != np.rint(unsaid)))
    high = unsaid >= LOWEST_MGDL
    few = min(int(low.sum()), int(high.sum()))
    if few > MAX_MIXED_SHARE * max(len(unsaid), 1):
        raise RawDataError(
            f"{place}: {int(low.sum())} readings look like mmol/L and {int(high.sum())} like mg/dL; "
            "export each unit for itself, or with the field units"
        )
    return np.asarray(np.where(stated, mmol, low.sum() > high.sum()))


def _clock(export: Export, timezone: str | None, place: str, span: tuple[int, int]) -> LocalClock:
    name = timezone or next((one.timezone for one in export.profiles if one.timezone), None)
    if name is not None:
        return _clock_of_zone(name, place, span)
    told = sorted((one.utc, one.offset) for one in export.entries if one.offset is not None)
    if not told:
        raise RawDataError(
            f"{place}: neither a profile nor the entries tell the time zone; give --timezone"
        )
    changes = [told[0], *(b for a, b in pairwise(told) if a[1] != b[1])]
    return LocalClock(
        since=np.array([utc for utc, _ in changes], dtype=np.int64),
        offset=np.array([60 * minutes for _, minutes in changes], dtype=np.int64),
    )


def _clock_of_zone(name: str, place: str, span: tuple[int, int]) -> LocalClock:
    try:
        zone = ZoneInfo(re.sub("^ETC/", "Etc/", name))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise RawDataError(
            f"{place}: there is no time zone {name[:40]!r}; give --timezone with a name such as "
            "Europe/Berlin"
        ) from error
    utc = quarter_hours(*span)
    offsets = np.array([_offset(zone, second) for second in utc.tolist()], dtype=np.int64)
    changed = np.concatenate([[True], np.diff(offsets) != 0])
    return LocalClock(since=utc[changed], offset=offsets[changed])


def _offset(zone: ZoneInfo, utc: int) -> int:
    offset = (_EPOCH + timedelta(seconds=utc)).astimezone(zone).utcoffset()
    return round(offset.total_seconds()) if offset is not None else 0


def _from_monday(clock: LocalClock, first: int) -> LocalClock:
    """Return a clock whose seconds run from the Monday at or before the first instant."""
    local = int(clock.local(np.array([first], dtype=np.int64))[0])
    monday = monday_before(_EPOCH.replace(tzinfo=None) + timedelta(seconds=local))
    start = round((monday - _EPOCH.replace(tzinfo=None)).total_seconds())
    return LocalClock(since=clock.since, offset=clock.offset - start)
