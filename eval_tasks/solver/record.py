"""A row's record as pandas tables, and how times and numbers are read and written."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pandas as pd

MINUTE = pd.Timedelta(minutes=1)
DAY = pd.Timedelta(days=1)
SAMPLE = pd.Timedelta(minutes=5)
SAMPLES_PER_DAY = 288
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Record:
    """A reader's record, everything on a time index from 0.

    Attributes:
        raw: Glucose in mg/dL, NaN where null.
        glucose: The readings that count: no nulls, no zeros.
        insulin: Reported insulin in mU/min, NaN where unknown.
        carbs: Carbohydrate events: columns meal_type, carbs.
        exercise: Bouts: column end, the time at which each ends.
        boluses: Boluses and injections: columns insulin_type, dosage.
    """

    raw: "pd.Series[float]"
    glucose: "pd.Series[float]"
    insulin: "pd.Series[float]"
    carbs: pd.DataFrame
    exercise: pd.DataFrame
    boluses: pd.DataFrame

    @property
    def end(self) -> pd.Timedelta:
        """Time at which the record ends."""
        return SAMPLE * len(self.raw)


Rule = Callable[[Record, Row], object]
"""From a record and the parameters of a question to its answer."""


def record_of(row: Row) -> Record:
    """Return the record inside a row."""
    context = row["input_context"]
    raw = _series(context["bg_mgdl"])
    exercise = _events(context["exercise_events"], "duration")
    exercise["end"] = exercise.index + pd.to_timedelta(exercise["duration"], unit="min")
    return Record(
        raw=raw,
        glucose=raw[raw > 0],
        insulin=_series(context["insulin_mu_min"]),
        carbs=_events(context["carb_events"], "meal_type", "carbs"),
        exercise=exercise,
        boluses=_events(context["insulin_events"], "insulin_type", "dosage"),
    )


def at(minutes: int) -> pd.Timedelta:
    """Return the time so many minutes from the start of the record."""
    return MINUTE * minutes


def minutes(time: pd.Timedelta) -> int:
    """Return a time or duration in minutes."""
    return int(time / MINUTE)


def span(table: Any, start: pd.Timedelta, end: pd.Timedelta) -> Any:
    """Return the part of a table with start <= time < end."""
    return table[(table.index >= start) & (table.index < end)]


def of_days(table: Any, first: int, last: int | None = None) -> Any:
    """Return the part of a table on the days first to last, or on the first alone."""
    return span(table, DAY * (first - 1), DAY * (last or first))


def day_numbers(table: Any) -> "pd.Series[int]":
    """Return the day of each entry of a table, counted from 1."""
    index: Any = table.index
    return pd.Series(index // DAY + 1, index=index)


def part_of_day(table: Any, length: pd.Timedelta) -> "pd.Series[int]":
    """Return in which of the day's parts of this length each entry lies, counted from 0."""
    index: Any = table.index
    return pd.Series((index % DAY) // length, index=index)


def after(table: Any, start: pd.Timedelta, length: pd.Timedelta) -> Any:
    """Return the part of a table with start < time <= start + length."""
    return table[(table.index > start) & (table.index <= start + length)]


def where_largest(values: Any) -> Any:
    """Return the index of the largest value, the first of several."""
    return values.idxmax()


def where_smallest(values: Any) -> Any:
    """Return the index of the smallest value, the first of several."""
    return values.idxmin()


def rounded(value: float, digits: int) -> float:
    """Round half away from zero, after removing binary noise.

    >>> rounded(-0.125, 2), rounded(154.04999999999998, 1)
    (-0.13, 154.1)
    """
    exact = Decimal(f"{value:.10f}")
    return float(exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP))


def _series(values: list[float | None]) -> "pd.Series[float]":
    index = pd.timedelta_range("0min", periods=len(values), freq=SAMPLE)
    return pd.Series([float("nan") if v is None else float(v) for v in values], index=index)


def _events(events: list[dict[str, Any]], *columns: str) -> pd.DataFrame:
    index = pd.to_timedelta([event["time"] for event in events], unit="min")
    return pd.DataFrame(
        {column: [event[column] for event in events] for column in columns}, index=index
    )
