"""What a Nightscout export tells of insulin and carbohydrate.

- The profile's basal programme holds from its `startDate`; a `Profile Switch` to a programme of the
  profile replaces it, one to anything else makes it unknown. It is believed only where some
  treatment shows a pump.
- `Temp Basal` sets `absolute` (or `rate`) U/h or changes the programme by `percent`, for `duration`
  minutes or until the next one; a suspended pump delivers nothing until it is resumed, and nobody
  knows what it delivered where no resumption follows within a day.
- `insulin` is delivered at once; a `Combo Bolus` delivers the share `splitExt` of `enteredinsulin`
  evenly over `duration` minutes. Where that contradicts its rate `relative`, or the clock jumps
  meanwhile, it is unknown.
- Insulin is unknown before the first treatment, after the last, and through a day without one.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.real_world.clock import MAX_DAYS, LocalClock
from generators.real_world.delivery import (
    MAX_BOLUS_UNITS,
    MAX_CARBS_GRAMS,
    Rate,
    basal_per_sample,
    rate_of,
    steps,
    without_overlap,
)
from generators.real_world.nightscout_records import Export, Profile, Step, Treatment
from generators.real_world.observations import (
    SAMPLE_SECONDS,
    Announcement,
    Bolus,
    nearest_sample,
)
from generators.trace import MISSING, InsulinType

SILENCE_SECONDS = 86_400
"""Without any treatment for a day nothing was uploaded."""
_DAY = 86_400
_SUSPENDED = ("Suspend Pump", "Pump Suspend")
_RESUMED = ("Resume Pump", "Pump Resume")
_PUMP = (*_SUSPENDED, *_RESUMED, "Temp Basal", "Site Change", "SMB", "Combo Bolus")
_AGREEMENT_UNITS = 0.05
Programme = tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Insulin:
    """The attributes are those of `Observations`."""

    basal: NDArray[np.int32]
    boluses: tuple[Bolus, ...]
    announcements: tuple[Announcement, ...]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Timed:
    """A treatment, and the local seconds at which it begins and at which its duration ends.

    Where the clock jumps in between they lie an hour more or less apart than it lasts.
    """

    second: int
    end: int
    told: Treatment

    @property
    def lasts(self) -> int:
        """The seconds that it really lasts."""
        return _seconds(self.told.duration)


def insulin_of(export: Export, clock: LocalClock, last: int) -> Insulin:
    """Return the insulin and carbohydrate of an export on the local clock.

    Args:
        export: The export.
        clock: Gives seconds from a Monday 00:00.
        last: Unix time at which the record ends, s.
    """
    instants = np.array([one.utc for one in export.treatments], dtype=np.int64)
    lasting = np.array([_seconds(one.duration) for one in export.treatments], dtype=np.int64)
    timed = [
        _Timed(second=second, end=end, told=told)
        for second, end, told in zip(
            clock.local(instants).tolist(),
            clock.local(instants + lasting).tolist(),
            export.treatments,
            strict=True,
        )
    ]
    end = int(clock.local(np.array([last], dtype=np.int64))[0])
    samples = nearest_sample(end) + 1
    boluses, unknown = _boluses(timed)
    announcements, impossible = _announcements(timed)
    has_pump = any(one.told.kind in _PUMP for one in timed)
    basal = _basal(export, timed, clock, samples, has_pump=has_pump)
    unknown += _cut_short(boluses, _suspensions(timed))
    for stretch in [*_silences(timed, end), *unknown]:
        basal[max(nearest_sample(stretch[0]), 0) : nearest_sample(stretch[1]) + 1] = MISSING
    return Insulin(
        basal=basal,
        boluses=boluses,
        announcements=announcements,
        counts={
            "temporary_basal_rates": sum(one.told.kind == "Temp Basal" for one in timed),
            "suspensions": sum(one.told.kind in _SUSPENDED for one in timed),
            "extended_boluses": sum(bool(one.duration) for one in boluses),
            "boluses_of_unknown_delivery": len(unknown),
            "carbs_out_of_range_dropped": impossible,
            "profile_not_believed_without_a_pump": int(bool(export.profiles) and not has_pump),
        },
    )


def _seconds(minutes: float | None) -> int:
    """Return a duration in seconds, 0 for none, ten years at most."""
    return round(60 * min(max(minutes or 0, 0), 1440 * MAX_DAYS))


def _silences(timed: Sequence[_Timed], end: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches in which treatments were not uploaded."""
    if not timed:
        yield 0, end
        return
    seconds = sorted(one.second for one in timed)
    if seconds[0] > 0:
        yield 0, seconds[0] - SAMPLE_SECONDS
    for before, after in zip(seconds, [*seconds[1:], end], strict=True):
        if after - before >= SILENCE_SECONDS:
            yield before + SAMPLE_SECONDS, after - SAMPLE_SECONDS
    if end - seconds[-1] < SILENCE_SECONDS:
        yield seconds[-1] + SAMPLE_SECONDS, end


def _basal(
    export: Export, timed: Sequence[_Timed], clock: LocalClock, samples: int, *, has_pump: bool
) -> NDArray[np.int32]:
    end = samples * SAMPLE_SECONDS
    scheduled = _scheduled(export.profiles, timed, clock, end) if has_pump else []
    temporary = [
        rate for one in without_overlap(_temporary(timed)) for rate in _applied(one, scheduled)
    ]
    return basal_per_sample(
        scheduled, temporary, without_overlap(_suspensions(timed)), samples=samples
    )


def _scheduled(
    profiles: Sequence[Profile], timed: Sequence[_Timed], clock: LocalClock, end: int
) -> list[Rate]:
    since = clock.local(np.array([one.utc for one in profiles], dtype=np.int64)).tolist()
    set_at: list[tuple[int, Programme | None]] = [
        (second, one.programmes.get(one.default))
        for second, one in zip(since, profiles, strict=True)
    ]
    for one in timed:
        if one.told.kind == "Profile Switch":
            set_at.extend(_switched(one, list(zip(since, profiles, strict=True)), set_at))
    set_at.sort(key=lambda at: at[0])
    changes: list[tuple[int, int | None]] = []
    for (start, programme), (until, _) in zip(set_at, [*set_at[1:], (end, None)], strict=False):
        changes.extend(_days_of(programme, max(start, 0), min(until, end)))
    return steps(changes, end)


def _switched(
    switch: _Timed,
    profiles: Sequence[tuple[int, Profile]],
    set_at: Sequence[tuple[int, Programme | None]],
) -> list[tuple[int, Programme | None]]:
    """Return the programme that a switch sets, and the former one at its end."""
    active = [profile for second, profile in profiles if second <= switch.second]
    told = switch.told
    is_plain = told.percentage in (None, 0, 100) and not told.timeshift
    known = active[-1].programmes.get(told.profile or "") if active and is_plain else None
    if not told.duration:
        return [(switch.second, known)]
    former = [
        programme
        for second, programme in sorted(set_at, key=lambda at: at[0])
        if second <= switch.second
    ]
    return [(switch.second, known), (switch.end, former[-1] if former else None)]


def _days_of(programme: Programme | None, start: int, end: int) -> Iterator[tuple[int, int | None]]:
    """Yield second and rate of each change of a programme from start to end."""
    if start >= end:
        return
    if not programme:
        yield start, None
        return
    ordered = sorted(programme, key=lambda step: step.second)
    at = bisect_right([step.second for step in ordered], start % _DAY) - 1
    yield start, rate_of(ordered[at].value)
    for day in range(start // _DAY, end // _DAY + 1):
        for step in ordered:
            if start < day * _DAY + step.second < end:
                yield day * _DAY + step.second, rate_of(step.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Relative(Rate):
    """A temporary rate; with a share it is that many times the programme."""

    share: float | None = None


def _temporary(timed: Sequence[_Timed]) -> Iterator[_Relative]:
    for one in timed:
        told = one.told
        if told.kind != "Temp Basal":
            continue
        units = told.rate if told.absolute is None else told.absolute
        share = None if units is not None or told.percent is None else 1 + told.percent / 100
        yield _Relative(
            start=one.second,
            end=one.end if one.lasts <= _DAY else one.second,
            milliunits=rate_of(units),
            share=share,
        )


def _applied(temporary: Rate, scheduled: Sequence[Rate]) -> Iterator[Rate]:
    """Yield a temporary rate, or its share of each rate of the programme that it meets."""
    share = temporary.share if isinstance(temporary, _Relative) else None
    if share is None:
        yield temporary
        return
    place = max(bisect_right([rate.start for rate in scheduled], temporary.start) - 1, 0)
    for rate in scheduled[place:]:
        if rate.start >= temporary.end:
            break
        yield Rate(
            start=max(rate.start, temporary.start),
            end=min(rate.end, temporary.end),
            milliunits=None if rate.milliunits is None else round(rate.milliunits * max(share, 0)),
        )


def _suspensions(timed: Sequence[_Timed]) -> Iterator[Rate]:
    resumed = [one.second for one in timed if one.told.kind in _RESUMED]
    for one in timed:
        if one.told.kind in _SUSPENDED:
            following = next((second for second in resumed if second >= one.second), None)
            is_known = following is not None and following - one.second <= _DAY
            yield Rate(
                start=one.second,
                end=following if following is not None and is_known else one.second + _DAY,
                milliunits=0 if is_known else None,
            )


def _cut_short(boluses: Sequence[Bolus], suspensions: Iterable[Rate]) -> Iterator[tuple[int, int]]:
    """Yield from when to when nobody knows whether a suspended pump gave the rest of a bolus."""
    lasting = [one for one in boluses if one.duration]
    for suspension in suspensions if lasting else ():
        for one in lasting:
            if one.second <= suspension.start < one.second + one.duration:
                yield suspension.start, one.second + one.duration


def _boluses(timed: Sequence[_Timed]) -> tuple[tuple[Bolus, ...], list[tuple[int, int]]]:
    """Return the boluses, and from when to when unreadable ones leave the insulin unknown."""
    boluses: list[Bolus] = []
    unknown: list[tuple[int, int]] = []
    for one in timed:
        told, extended = one.told, _extended_units(one.told)
        parts = [(told.insulin or 0.0, 0), (extended or 0.0, one.lasts)]
        over_a_jump = bool(extended) and one.end - one.second != one.lasts
        possible = all(0 <= units <= MAX_BOLUS_UNITS for units, _ in parts)
        if extended is None or over_a_jump or not possible:
            unknown.append((one.second, min(one.end, one.second + _DAY)))
            continue
        boluses.extend(
            Bolus(
                second=one.second,
                milliunits=round(1000 * units),
                kind=_kind(told),
                duration=duration,
            )
            for units, duration in parts
            if units
        )
    return tuple(boluses), unknown


def _extended_units(told: Treatment) -> float | None:
    """Return what a combo bolus delivers over time, U; 0 for other boluses, None where unclear."""
    if told.kind != "Combo Bolus" or not told.split_extended:
        return 0.0
    if not told.duration or told.entered_insulin is None or not 0 < told.duration <= 1440:
        return None
    units = told.entered_insulin * told.split_extended / 100
    if told.relative and abs(told.relative * told.duration / 60 - units) > _AGREEMENT_UNITS:
        return None
    return units


def _kind(told: Treatment) -> InsulinType:
    if told.automatic or told.is_smb or told.kind == "SMB":
        return "automatic_correction"
    if told.carbs or told.kind in ("Meal Bolus", "Snack Bolus"):
        return "meal_bolus"
    is_loop = (told.entered_by or "").startswith("loop://")
    return (
        "correction_bolus"
        if told.kind == "Correction Bolus" and not is_loop
        else "unspecified_bolus"
    )


def _announcements(timed: Sequence[_Timed]) -> tuple[tuple[Announcement, ...], int]:
    told = [one for one in timed if one.told.carbs]
    possible = [one for one in told if one.told.carbs and 0 < one.told.carbs <= MAX_CARBS_GRAMS]
    return tuple(
        Announcement(second=one.second, grams=float(one.told.carbs or 0)) for one in possible
    ), len(told) - len(possible)
