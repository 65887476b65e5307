"""Answers tasks from what a reader sees, by another way than the gold answers were made.

It takes a row's record and parameters, nothing else, and works on pandas tables by run lengths and
time-indexed selections. Every build compares it with the gold answers of the tasks it knows: two
computations that agree on every instance. Tasks whose answer the record does not determine
(hidden faults, predictions) are not here.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from eval_tasks.errors import EvaluationError

DAY = pd.Timedelta(days=1)
SAMPLE = pd.Timedelta(minutes=5)
POST_MEAL = pd.Timedelta(hours=3)
MOST_MISSING = 3
ROW_OF_READINGS = 3
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Record:
    """A reader's record.

    Attributes:
        raw: Glucose in mg/dL on a time index from 0, NaN where null.
        glucose: The readings that count: no nulls, no zeros.
        carbs: Carbohydrate events: columns meal_type, carbs, on the same index.
    """

    raw: "pd.Series[float]"
    glucose: "pd.Series[float]"
    carbs: pd.DataFrame


def record_of(row: Row) -> Record:
    """Return the record inside a row."""
    context = row["input_context"]
    values = [float("nan") if value is None else float(value) for value in context["bg_mgdl"]]
    raw = pd.Series(values, index=pd.timedelta_range("0min", periods=len(values), freq=SAMPLE))
    events = context["carb_events"]
    carbs = pd.DataFrame(
        {"meal_type": [e["meal_type"] for e in events], "carbs": [e["carbs"] for e in events]},
        index=pd.to_timedelta([e["time"] for e in events], unit="min"),
    )
    return Record(raw=raw, glucose=raw[raw > 0], carbs=carbs)


def solve(row: Row) -> object:
    """Return the answer to a row's question.

    Raises:
        EvaluationError: The solver does not know the task, or the record does not determine the
            answer.
    """
    solver = SOLVERS.get(row["task_id"])
    if solver is None:
        raise EvaluationError(f"the solver knows no rule for {row['task_id']}")
    return solver(record_of(row), json.loads(row["parameters"]))


def _round(value: float, digits: int) -> float:
    return float(f"{value + 1e-9:.{digits}f}")


def _mean(record: Record, _: Row) -> float:
    return _round(record.glucose.mean(), 1)


def _mean_in_window(record: Record, asked: Row) -> float:
    midnight = DAY * (7 * asked["week"] - 8 + asked["weekday"])
    start = midnight + pd.Timedelta(minutes=asked["start"])
    end = midnight + pd.Timedelta(minutes=asked["end"])
    index = record.glucose.index
    return _round(record.glucose[(index >= start) & (index < end)].mean(), 1)


def _runs(values: "pd.Series[Any]") -> pd.DataFrame:
    """Return runs of equal values among successive readings: value, first, last, size."""
    ends = (values != values.shift(-1)).to_numpy()
    places = pd.Series(range(len(values)))[ends]
    times = values.index.to_series()
    starts = places.shift(fill_value=-1) + 1
    return pd.DataFrame(
        {
            "value": values.iloc[places].to_numpy(),
            "first": times.iloc[starts].to_numpy(),
            "last": times.iloc[places].to_numpy(),
            "size": (places - starts + 1).to_numpy(),
        }
    )


def _low_episodes(record: Record) -> list[tuple[pd.Timedelta, pd.Timedelta]]:
    """Return first and last reading of each episode below 70 mg/dL."""
    glucose = record.glucose
    times = glucose.index.to_series()
    part = (times.diff() > SAMPLE * (MOST_MISSING + 1)).cumsum()
    found = []
    for _number, readings in glucose.groupby(part.to_numpy()):
        runs = _runs(readings < 70)
        settled = runs[runs["size"] >= ROW_OF_READINGS]
        state = settled["value"].astype(float).reindex(runs.index).ffill() == 1
        for _, group in runs[state].groupby((~state).cumsum()[state].to_numpy()):
            low = group[group["value"].astype(bool)]
            found.append((low["first"].min(), low["last"].max()))
    return found


def _low_count(record: Record, _: Row) -> int:
    return len(_low_episodes(record))


def _peak(record: Record, at: pd.Timedelta) -> float:
    index = record.glucose.index
    return float(record.glucose[(index > at) & (index <= at + POST_MEAL)].max())


def _meal_time(record: Record, day: int, meal: str) -> pd.Timedelta:
    index = record.carbs.index
    on_day = record.carbs[(index >= DAY * (day - 1)) & (index < DAY * day)]
    times = on_day.index[on_day["meal_type"] == meal].to_series()
    if len(times) != 1:
        raise EvaluationError(f"day {day} has {len(times)} of {meal}, not one")
    return pd.Timedelta(times.iloc[0])


def _lunch_peak(record: Record, asked: Row) -> float:
    return _peak(record, _meal_time(record, asked["day"], "lunch"))


def _largest_rise(record: Record, asked: Row) -> str:
    rises = {}
    for meal in ("breakfast", "lunch", "dinner"):
        at = _meal_time(record, asked["day"], meal)
        before = record.glucose[record.glucose.index <= at].iloc[-1]
        rises[meal] = _peak(record, at) - before
    return str(pd.Series(rises).idxmax())


def _minutes(time: pd.Timedelta) -> int:
    return int(time / pd.Timedelta(minutes=1))


def _interval(first: pd.Timedelta, last: pd.Timedelta) -> dict[str, int]:
    end = last + pd.Timedelta(minutes=1) if first == last else last
    return {"start": _minutes(first), "end": _minutes(end)}


def _gaps(record: Record, _: Row) -> list[dict[str, int]]:
    runs = _runs(record.raw.isna())
    gaps = runs[runs["value"].astype(bool)]
    return [_interval(a, b) for a, b in zip(gaps["first"], gaps["last"], strict=True)]


def _frozen(record: Record, _: Row) -> list[dict[str, int]]:
    """Return the runs of one value with at least 36 repetitions, without their first sample.

    Runs at the ends of the sensor's range do not count.
    """
    runs = _runs(record.raw.fillna(-1))
    frozen = runs[(runs["size"] > 36) & ~runs["value"].isin([-1, 0, 40, 400])]
    return [
        _interval(first + SAMPLE, last)
        for first, last in zip(frozen["first"], frozen["last"], strict=True)
    ]


def _night_lows(record: Record, _: Row) -> list[dict[str, int]]:
    times = record.raw.index.to_series()
    minute = pd.Series(range(0, 5 * len(times), 5), index=times.index)
    night = minute % 1440 < 360
    found = []
    for first, last in _low_episodes(record):
        inside = times[night & (times >= first) & (times <= last)]
        found += [
            _interval(part.min(), part.max())
            for _day, part in inside.groupby((minute[inside.index] // 1440).to_numpy())
        ]
    return found


SOLVERS: dict[str, Callable[[Record, Row], object]] = {
    "pm_0": _mean,
    "pm_7": _low_count,
    "pm_14": _mean_in_window,
    "pm_21": _lunch_peak,
    "pm_23": _largest_rise,
    "ad_3": _gaps,
    "ad_7": _frozen,
    "ad_18": _night_lows,
}
"""Rules by task."""
