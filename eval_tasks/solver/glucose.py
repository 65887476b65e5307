"""Rules of tasks about readings: of the whole record, of a window, of days."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from eval_tasks.solver.episodes import episodes
from eval_tasks.solver.record import (
    DAY,
    SAMPLE,
    SAMPLES_PER_DAY,
    Record,
    Row,
    Rule,
    at,
    day_numbers,
    minutes,
    of_days,
    rounded,
    span,
    where_largest,
    where_smallest,
)

HOUR = pd.Timedelta(hours=1)
LEAST_PRESENT = 0.7


def bands(readings: "pd.Series[float]") -> "pd.Series[int]":
    """Return how many readings lie below, in and above 70 to 180 mg/dL."""
    edges: Any = [-1, 69.5, 180.5, 10_000]
    cut = pd.cut(readings, edges, labels=["below", "in", "above"])
    return cut.value_counts()


def day_variation(record: Record) -> "pd.Series[float]":
    """Return the CV in % of every day with enough readings, by day number."""
    days = record.glucose.groupby(day_numbers(record.glucose))
    table = days.agg(["count", "mean", "std"])
    table = table[table["count"] >= LEAST_PRESENT * SAMPLES_PER_DAY]
    return 100 * table["std"] / table["mean"]


def _whole(statistic: str, digits: int) -> Rule:
    return lambda record, _: rounded(float(getattr(record.glucose, statistic)()), digits)


def _hours(band: str) -> Rule:
    return lambda record, _: rounded(bands(record.glucose)[band] * (SAMPLE / HOUR), 1)


def _percentage(band: str) -> Rule:
    def rule(record: Record, _: Row) -> float:
        counts = bands(record.glucose)
        return rounded(100 * counts[band] / counts.sum(), 1)

    return rule


def _episode_count(beyond: Callable[["pd.Series[float]"], "pd.Series[bool]"]) -> Rule:
    return lambda record, _: len(episodes(beyond(record.glucose)))


def _time_of_highest(record: Record, _: Row) -> int:
    return minutes(where_largest(record.glucose))


def _fast_change(record: Record, asked: Row) -> str:
    day = of_days(record.raw.where(record.raw > 0), asked["day"])
    rates = day.diff().abs() / 5
    return "yes" if (rates > asked["rate"]).any() else "no"


def _mean_in_window(record: Record, asked: Row) -> float:
    midnight = DAY * (7 * asked["week"] - 8 + asked["weekday"])
    window = span(record.glucose, midnight + at(asked["start"]), midnight + at(asked["end"]))
    return rounded(float(window.mean()), 1)


def _steady_days(record: Record, asked: Row) -> list[int]:
    days = day_variation(record)
    return [int(day) for day in days.index[days < asked["bound"]]]


RULES: dict[str, Rule] = {
    "pm_0": _whole("mean", 1),
    "pm_1": _whole("max", 0),
    "pm_2": _whole("min", 0),
    "pm_3": _time_of_highest,
    "pm_4": _hours("in"),
    "pm_5": _hours("above"),
    "pm_6": _hours("below"),
    "pm_7": _episode_count(lambda glucose: glucose < 70),
    "pm_8": _episode_count(lambda glucose: glucose > 180),
    "pm_9": _whole("std", 1),
    "pm_10": _percentage("in"),
    "pm_11": _percentage("above"),
    "pm_12": _percentage("below"),
    "pm_13": _fast_change,
    "pm_14": _mean_in_window,
    "pm_15": _steady_days,
    "pm_16": lambda record, _: int(where_largest(day_variation(record))),
    "pm_17": lambda record, _: int(where_smallest(day_variation(record))),
}
