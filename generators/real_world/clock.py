"""Brings the local times of a recording to seconds from a Monday, and tells where a clock jumps."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from generators.real_world.recordings import RawDataError

MAX_DAYS = 3_660
"""A recording that claims to be longer than ten years has a wrong date in it."""
_STEP = 900
"""Seconds; every time zone of today changes its offset at a multiple of a quarter of an hour."""


def monday_before(time: datetime) -> datetime:
    """Return the Monday 00:00 at or before a local time."""
    midnight = time.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - timedelta(days=time.weekday())


def seconds_from(monday: datetime, times: Sequence[datetime], place: str) -> list[int]:
    """Return local times as seconds from a Monday.

    Args:
        monday: From `monday_before` of the first of the recording's times.
        times: In any order, none before the Monday.
        place: Where they come from, for the message.

    Raises:
        RawDataError: They span more than ten years.
    """
    if times and max(times) - monday > timedelta(days=MAX_DAYS):
        raise RawDataError(
            f"{place}: the times span more than ten years; correct or remove the wrong ones"
        )
    return [round((time - monday).total_seconds()) for time in times]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LocalClock:
    """A wall clock: offsets in seconds from UTC that hold from the given UTC seconds on.

    Attributes:
        since: UTC seconds at which an offset begins to hold, ascending; the first holds before too.
        offset: Seconds to add to UTC, as many.
    """

    since: NDArray[np.int64]
    offset: NDArray[np.int64]

    def local(self, utc: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return wall-clock seconds of UTC seconds."""
        at = np.searchsorted(self.since, utc, side="right") - 1
        return utc + self.offset[np.maximum(at, 0)]

    def jumps(self) -> list[tuple[int, int]]:
        """Return the stretches of wall-clock time that occur twice or not at all, start and end."""
        return [
            (int(since + min(before, after)), int(since + max(before, after)))
            for since, before, after in zip(
                self.since[1:], self.offset[:-1], self.offset[1:], strict=True
            )
            if before != after
        ]


def quarter_hours(first: int, last: int) -> NDArray[np.int64]:
    """Return every UTC second at which an offset may change, from before first to after last."""
    return np.arange(first // _STEP, last // _STEP + 2, dtype=np.int64) * _STEP
