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
    rounded,
    where_largest,
)

POST_MEAL = pd.Timedelta(hours=3)
RETURN_WINDOW = pd.Timedelta(hours=5)
HALF_HOUR = pd.Timedelta(minutes=30)


def value_before(record: Record, time: pd.Timedelta) -> float:
    """Return the last reading at or before a time."""
    return float(record.glucose[record.glucose.index <= time].iloc[-1])


def rate(record: Record, start: pd.Timedelta, end: pd.Timedelta) -> float:
    """Return the mean rate from the last reading up to start to the first from end on, mg/dL/min."""
    glucose = record.glucose
    first, last = glucose[glucose.index <= start].tail(1), glucose[glucose.index >= end].head(1)
    time = pd.Timedelta(last.index[0]) - pd.Timedelta(first.index[0])
    return (float(last.iloc[0]) - float(first.iloc[0])) / minutes(time)


def _meal_time(record: Record, day: int, meal: str) -> pd.Timedelta:
    on_day = of_days(record.carbs, day)
    times = on_day.index[on_day["meal_type"] == meal].to_series()
    if len(times) != 1:
        raise EvaluationError(f"day {day} has {len(times)} of {meal}, not one")
    return pd.Timedelta(times.iloc[0])


def _peak(meal: str) -> Rule:
    return lambda record, asked: float(
        after(record.glucose, _meal_time(record, asked["day"], meal), POST_MEAL).max()
    )


def _rise(record: Record, time: pd.Timedelta) -> int:
    return int(after(record.glucose, time, POST_MEAL).max() - value_before(record, time))


def _largest_rise(record: Record, asked: Row) -> str:
    rises = {
        meal: _rise(record, _meal_time(record, asked["day"], meal))
        for meal in ("breakfast", "lunch", "dinner")
    }
    return str(where_largest(pd.Series(rises)))


def _return(record: Record, asked: Row) -> int:
    start = _meal_time(record, asked["day"], "dinner")
    window = after(record.glucose, start, RETURN_WINDOW)
    late = window[window.index > where_largest(window)]
    return minutes(late.index[10 * late <= 11 * value_before(record, start)].min() - start)


def _snack_rate(record: Record, asked: Row) -> float:
    start = _meal_time(record, asked["day"], "morning_snack")
    return rounded(rate(record, start, start + HALF_HOUR), 2)


def _large_dinners(record: Record, asked: Row) -> list[list[int]]:
    dinners = record.carbs[record.carbs["meal_type"] == "dinner"]
    dinners = dinners[~day_numbers(dinners).duplicated(keep=False).to_numpy()]
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
