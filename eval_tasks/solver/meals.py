"""Rules of tasks about meals."""

import pandas as pd

from eval_tasks.errors import EvaluationError
from eval_tasks.solver.record import (
    DAY,
    Record,
    Row,
    Rule,
    after,
    at,
    day_numbers,
    minutes,
    of_days,
    part_of_day,
    rounded,
    where_largest,
)

POST_MEAL = pd.Timedelta(hours=3)
RETURN_WINDOW = pd.Timedelta(hours=5)
HALF_HOUR = pd.Timedelta(minutes=30)
HOUR = pd.Timedelta(hours=1)
LEAST_DINNER = 20
"""Grams of the smallest entry that stands for a dinner the record does not name."""


def value_before(record: Record, time: pd.Timedelta) -> float:
    """Return the last reading at or before a time."""
    return float(record.glucose[record.glucose.index <= time].iloc[-1])


def rate(record: Record, start: pd.Timedelta, end: pd.Timedelta) -> float:
    """Return the mean rate from the last reading up to start to the first from end on, mg/dL/min."""
    glucose = record.glucose
    first, last = glucose[glucose.index <= start].tail(1), glucose[glucose.index >= end].head(1)
    time = pd.Timedelta(last.index[0]) - pd.Timedelta(first.index[0])
    return (float(last.iloc[0]) - float(first.iloc[0])) / minutes(time)


def _meal_time(record: Record, asked: Row, meal: str, around: str = "around") -> pd.Timedelta:
    """Return when a meal starts, found by its name or, if a time is given, as the entry near it."""
    on_day = of_days(record.carbs, asked["day"])
    if "inferred_meals" in asked:
        near = abs(on_day.index - at(asked[around]) - DAY * (asked["day"] - 1)) <= HOUR
        times = on_day.index[near].to_series()
    else:
        times = on_day.index[on_day["meal_type"] == meal].to_series()
    if len(times) != 1:
        raise EvaluationError(f"day {asked['day']} has {len(times)} of {meal}, not one")
    return pd.Timedelta(times.iloc[0])


def _peak(meal: str) -> Rule:
    return lambda record, asked: float(
        after(record.glucose, _meal_time(record, asked, meal), POST_MEAL).max()
    )


def _rise(record: Record, time: pd.Timedelta) -> int:
    return int(after(record.glucose, time, POST_MEAL).max() - value_before(record, time))


def _largest_rise(record: Record, asked: Row) -> str:
    rises = {
        meal: _rise(record, _meal_time(record, asked, meal, around=meal))
        for meal in ("breakfast", "lunch", "dinner")
    }
    return str(where_largest(pd.Series(rises)))


def _return(record: Record, asked: Row) -> int:
    start = _meal_time(record, asked, "dinner")
    window = after(record.glucose, start, RETURN_WINDOW)
    late = window[window.index > where_largest(window)]
    return minutes(late.index[10 * late <= 11 * value_before(record, start)].min() - start)


def _snack_rate(record: Record, asked: Row) -> float:
    start = _meal_time(record, asked, "morning_snack")
    return rounded(rate(record, start, start + HALF_HOUR), 2)


def _named_dinners(record: Record) -> pd.DataFrame:
    dinners = record.carbs[record.carbs["meal_type"] == "dinner"]
    return dinners[~day_numbers(dinners).duplicated(keep=False).to_numpy()]


def _evening_meals(record: Record) -> pd.DataFrame:
    """Return the entry of each evening that is by far the largest and has no name."""
    hour = part_of_day(record.carbs, HOUR)
    evening = record.carbs[hour.between(17, 21).to_numpy()]
    ranked = evening.sort_values("carbs", ascending=False, kind="stable")
    nth = ranked.groupby(day_numbers(ranked).to_numpy())
    second = nth["carbs"].nth(1)
    others = pd.Series(second.to_numpy(), index=day_numbers(second).to_numpy())
    first = nth.head(1).sort_index()
    rest = others.reindex(day_numbers(first).to_numpy()).fillna(0).to_numpy()
    clear = (first["carbs"] >= LEAST_DINNER) & (2 * first["carbs"] >= 3 * rest)
    return first[(clear & (first["meal_type"] == "unspecified")).to_numpy()]


def _large_dinners(record: Record, asked: Row) -> list[list[int]]:
    dinners = _evening_meals(record) if "inferred_meals" in asked else _named_dinners(record)
    pairs = []
    for time in dinners.index[dinners["carbs"] >= asked["grams"]]:
        start = pd.Timedelta(time)
        times = record.carbs.index.to_series()
        alone = times.between(start, start + POST_MEAL).sum() == 1
        if alone and start + POST_MEAL + at(1) <= record.end:
            pairs.append([start // DAY + 1, _rise(record, start)])
    return pairs


RULES: dict[str, Rule] = {
    "pm_21": _peak("lunch"),
    "pm_22": _return,
    "pm_23": _largest_rise,
    "pm_24": _snack_rate,
    "pm_25": _large_dinners,
    "pm_26": _peak("breakfast"),
}
