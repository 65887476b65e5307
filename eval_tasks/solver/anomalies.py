"""Rules of tasks about anomalies that the record itself shows: gaps, frozen values, episodes."""

from typing import Any

import pandas as pd

from eval_tasks.solver.episodes import episodes, runs
from eval_tasks.solver.glucose import HOUR, LEAST_PRESENT, bands
from eval_tasks.solver.record import (
    DAY,
    SAMPLE,
    SAMPLES_PER_DAY,
    Record,
    Row,
    Rule,
    after,
    day_numbers,
    minutes,
    of_days,
    part_of_day,
    rounded,
    where_largest,
    where_smallest,
)

Span = tuple[pd.Timedelta, pd.Timedelta]
"""First and last sample."""

FEWEST_REPETITIONS = 36
NO_FROZEN_VALUES = (-1, 0, 40, 400)
"""What a frozen sensor does not repeat: nothing, 0, and the ends of the sensor's range."""
NIGHT = 6 * HOUR
CLOSELY = 2 * HOUR
LAST_WEEK = (24, 30)


def _interval(span: Span) -> dict[str, int]:
    first, last = span
    end = last + pd.Timedelta(minutes=1) if first == last else last
    return {"start": minutes(first), "end": minutes(end)}


def _where(flags: "pd.Series[bool]") -> list[dict[str, int]]:
    """Return the runs of flagged samples as intervals."""
    rows = runs(flags)
    flagged = rows[rows["value"].astype(bool)]
    return [_interval(span) for span in zip(flagged["first"], flagged["last"], strict=True)]


def _inside(record: Record, spans: list[Span]) -> "pd.Series[bool]":
    """Return for each sample whether it lies in one of the spans."""
    times = record.raw.index.to_series()
    begun = times.isin([first for first, _ in spans]).cumsum()
    over = times.isin([last for _, last in spans]).shift(fill_value=False).cumsum()
    return begun > over


def _lows(record: Record, below: float = 70) -> list[Span]:
    return episodes(record.glucose < below)


def _highs(record: Record) -> list[Span]:
    return episodes(record.glucose > 180)


def _samples(span: Span) -> int:
    return (span[1] - span[0]) // SAMPLE + 1


def _day(time: pd.Timedelta) -> int:
    return int(time // DAY) + 1


def _starting(spans: list[Span], first: int, last: int) -> list[Span]:
    """Return the spans that start on the days first to last."""
    return [span for span in spans if first <= _day(span[0]) <= last]


def _gaps(record: Record, _: Row) -> list[dict[str, int]]:
    return _where(record.raw.isna())


def _missing_percentage(record: Record, _: Row) -> float:
    return rounded(100 * (1 - record.raw.count() / record.raw.size), 1)


def _days_with_gaps(record: Record, _: Row) -> list[int]:
    counts = record.raw.groupby(day_numbers(record.raw)).count()
    return [int(day) for day in counts.index[10 * counts < 7 * SAMPLES_PER_DAY]]


def _frozen(record: Record, _: Row) -> list[dict[str, int]]:
    """Return the runs of one value with at least 36 repetitions, without their first sample."""
    rows = runs(record.raw.fillna(-1))
    frozen = rows[(rows["size"] > FEWEST_REPETITIONS) & ~rows["value"].isin(NO_FROZEN_VALUES)]
    return [
        _interval((first + SAMPLE, last))
        for first, last in zip(frozen["first"], frozen["last"], strict=True)
    ]


def _last_low(record: Record, _: Row) -> list[dict[str, int]]:
    return [_interval(span) for span in _lows(record)[-1:]]


def _length_of_last_low(record: Record, _: Row) -> int:
    return 5 * _samples(_lows(record)[-1])


def _recovery(record: Record, _: Row) -> int:
    first, last = _lows(record)[-1]
    nadir = where_smallest(record.glucose[first:last])
    later = record.glucose[record.glucose.index > nadir]
    return minutes(later.index[later >= 70].min() - nadir)


def _night_lows(record: Record, _: Row) -> list[dict[str, int]]:
    at_night = part_of_day(record.raw, NIGHT) == 0
    return _where(_inside(record, _lows(record)) & at_night)


def _long_night_lows(record: Record, _: Row) -> list[dict[str, int]]:
    found = [s for s in _lows(record) if s[0] % DAY < NIGHT and _samples(s) >= 6]
    return [_interval(span) for span in found]


def _severe_lows(record: Record, asked: Row) -> list[dict[str, int]]:
    week = asked["week"]
    return [_interval(s) for s in _starting(_lows(record, 54), 7 * week - 6, 7 * week)]


def _highs_of_day(record: Record, asked: Row) -> list[dict[str, int]]:
    on_day = day_numbers(record.raw) == asked["day"]
    return _where(_inside(record, _highs(record)) & on_day)


def _long_recent_highs(record: Record, _: Row) -> list[dict[str, int]]:
    return [_interval(s) for s in _starting(_highs(record), *LAST_WEEK) if _samples(s) >= 48]


def _mean_high(record: Record, _: Row) -> int:
    lengths = pd.Series([5 * _samples(span) for span in _highs(record)])
    return int(rounded(float(lengths[lengths >= 60].mean()), 0))


def _longest_high(record: Record, _: Row) -> int:
    return 5 * max(_samples(span) for span in _highs(record))


def _in_sequence(kinds: str) -> Rule:
    """Return the rule for successive episodes, for example `HLH`, at most 2 h apart."""

    def rule(record: Record, _: Row) -> list[dict[str, int]]:
        table = pd.DataFrame(
            [(*span, "L") for span in _lows(record)] + [(*span, "H") for span in _highs(record)],
            columns=["first", "last", "kind"],
        ).sort_values("first", ignore_index=True)
        close = table["first"] - table["last"].shift() <= CLOSELY
        found: list[Span] = []
        for place in range(len(table) - len(kinds) + 1):
            part = table.iloc[place : place + len(kinds)]
            if "".join(part["kind"]) == kinds and close.iloc[part.index[1:]].all():
                found.append((part["first"].iloc[0], part["last"].iloc[-1]))
        return _where(_inside(record, found))

    return rule


def _out_of_range(record: Record, first: int, last: int) -> "pd.Series[int]":
    """Return by day how many readings lie out of range, for days with enough readings."""
    readings = of_days(record.glucose, first, last)
    days = readings.groupby(day_numbers(readings))
    counts = days.apply(lambda found: len(found) - bands(found)["in"])
    selected: pd.Series[int] = counts[days.count() >= LEAST_PRESENT * SAMPLES_PER_DAY]
    return selected


def _more_episodes(record: Record, asked: Row) -> str:
    days = pd.Series([_day(first) for first, _ in _lows(record) + _highs(record)])
    weeks = (days - 1) // 7 + 1
    more = (weeks == asked["week"]).sum() > (weeks == asked["other_week"]).sum()
    return "yes" if more else "no"


def _new_hours(record: Record, _: Row) -> list[int]:
    low = _inside(record, _lows(record))
    table = pd.DataFrame(
        {"hour": part_of_day(low, HOUR), "late": day_numbers(low) >= LAST_WEEK[0]}
    )[low]
    never_before = table.groupby("hour")["late"].all()
    return [int(hour) for hour in never_before.index[never_before]]


def _above_after_lunch(record: Record, asked: Row) -> list[dict[str, int]]:
    high = pd.Series(0, index=record.raw.index)
    lunches = record.carbs.index[record.carbs["meal_type"] == "lunch"]
    for lunch in lunches:
        window: Any = after(record.glucose, lunch, CLOSELY)
        high[window.index[window > asked["value"]]] = 1
    return _where(high > 0)


RULES: dict[str, Rule] = {
    "ad_1": _missing_percentage,
    "ad_2": _days_with_gaps,
    "ad_3": _gaps,
    "ad_7": _frozen,
    "ad_17": _last_low,
    "ad_18": _night_lows,
    "ad_19": _long_night_lows,
    "ad_20": _severe_lows,
    "ad_21": _in_sequence("LH"),
    "ad_22": _length_of_last_low,
    "ad_23": _highs_of_day,
    "ad_25": lambda record, _: len(_lows(record)),
    "ad_26": lambda record, _: len(_starting(_lows(record), *LAST_WEEK)),
    "ad_27": lambda record, _: len(_starting(_highs(record), *LAST_WEEK)),
    "ad_28": _long_recent_highs,
    "ad_29": _mean_high,
    "ad_30": _recovery,
    "ad_31": lambda record, _: int(where_largest(_out_of_range(record, 1, 30))),
    "ad_32": _longest_high,
    "ad_34": _more_episodes,
    "ad_35": _new_hours,
    "ad_36": _above_after_lunch,
    "ad_37": _in_sequence("HLH"),
    "ad_41": lambda record, _: int(where_smallest(_out_of_range(record, *LAST_WEEK))),
    "ad_43": _gaps,
}
