"""Rules of tasks about anomalies that the record itself shows."""

import pandas as pd

from eval_tasks.solver.episodes import episodes, runs
from eval_tasks.solver.record import SAMPLE, Record, Row, Rule, minutes

FEWEST_REPETITIONS = 36
NO_FROZEN_VALUES = (-1, 0, 40, 400)
"""What a frozen sensor does not repeat: nothing, 0, and the ends of the sensor's range."""


def _interval(first: pd.Timedelta, last: pd.Timedelta) -> dict[str, int]:
    end = last + pd.Timedelta(minutes=1) if first == last else last
    return {"start": minutes(first), "end": minutes(end)}


def _gaps(record: Record, _: Row) -> list[dict[str, int]]:
    rows = runs(record.raw.isna())
    gaps = rows[rows["value"].astype(bool)]
    return [_interval(a, b) for a, b in zip(gaps["first"], gaps["last"], strict=True)]


def _frozen(record: Record, _: Row) -> list[dict[str, int]]:
    """Return the runs of one value with at least 36 repetitions, without their first sample."""
    rows = runs(record.raw.fillna(-1))
    frozen = rows[(rows["size"] > FEWEST_REPETITIONS) & ~rows["value"].isin(NO_FROZEN_VALUES)]
    return [
        _interval(first + SAMPLE, last)
        for first, last in zip(frozen["first"], frozen["last"], strict=True)
    ]


def _night_lows(record: Record, _: Row) -> list[dict[str, int]]:
    times = record.raw.index.to_series()
    minute = pd.Series(range(0, 5 * len(times), 5), index=times.index)
    night = minute % 1440 < 360
    found = []
    for first, last in episodes(record.glucose < 70):
        inside = times[night & (times >= first) & (times <= last)]
        found += [
            _interval(part.min(), part.max())
            for _day, part in inside.groupby((minute[inside.index] // 1440).to_numpy())
        ]
    return found


RULES: dict[str, Rule] = {"ad_3": _gaps, "ad_7": _frozen, "ad_18": _night_lows}
