"""Rules of tasks that compare weeks, or parts of days and weeks."""

import pandas as pd

from eval_tasks.solver.glucose import bands
from eval_tasks.solver.record import (
    Record,
    Row,
    Rule,
    day_numbers,
    of_days,
    part_of_day,
    where_largest,
    where_smallest,
)

SIX_HOURS = pd.Timedelta(hours=6)
PARTS = ("night", "morning", "afternoon", "evening")
LEAST_CHANGE = 5


def _week(record: Record, week: int) -> "pd.Series[float]":
    readings: pd.Series[float] = of_days(record.glucose, 7 * week - 6, 7 * week)
    return readings


def _variation(readings: "pd.Series[float]") -> float:
    return float(100 * readings.std() / readings.mean())


def _more_variable_part(record: Record, asked: Row) -> str:
    readings = _week(record, asked["week"])
    groups = readings.groupby([part_of_day(readings, SIX_HOURS), day_numbers(readings)])
    means = groups.std().groupby(level=0).mean()
    two = means[[PARTS.index(asked["part"]), PARTS.index(asked["other_part"])]]
    return PARTS[int(where_largest(two))]


def _steadier_part_of_week(record: Record, asked: Row) -> str:
    readings = _week(record, asked["week"])
    pools = readings.groupby((day_numbers(readings) - 1) % 7 >= 5)
    return "weekend" if where_smallest(pools.std() / pools.mean()) else "weekdays"


def _fewer_lows(record: Record, asked: Row) -> str:
    lows = [bands(_week(record, asked[name]))["below"] for name in ("week", "other_week")]
    return "yes" if lows[0] < lows[1] else "no"


def _steadier_week(record: Record, asked: Row) -> str:
    weeks = pd.Series(
        {week: _variation(_week(record, week)) for week in (asked["week"], asked["other_week"])}
    )
    return f"week {where_smallest(weeks)}"


def _range_change(record: Record, asked: Row) -> str:
    shares = []
    for name in ("week", "other_week"):
        counts = bands(_week(record, asked[name]))
        shares.append(100 * counts["in"] / counts.sum())
    change = shares[1] - shares[0]
    if -LEAST_CHANGE < change < LEAST_CHANGE:
        return "no change"
    return "increased" if change > 0 else "decreased"


RULES: dict[str, Rule] = {
    "pm_18": _more_variable_part,
    "pm_19": _steadier_part_of_week,
    "pm_38": _fewer_lows,
    "pm_39": _steadier_week,
    "pm_40": _range_change,
}
