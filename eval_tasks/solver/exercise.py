"""Rules of tasks about exercise."""

import pandas as pd

from eval_tasks.errors import EvaluationError
from eval_tasks.solver.glucose import LEAST_PRESENT
from eval_tasks.solver.meals import rate, value_before
from eval_tasks.solver.record import (
    SAMPLE,
    Record,
    Row,
    Rule,
    after,
    day_numbers,
    minutes,
    of_days,
    rounded,
    where_smallest,
)

ONE_HOUR, TWO_HOURS, THREE_HOURS, FOUR_HOURS = (pd.Timedelta(hours=n) for n in (1, 2, 3, 4))


def _bout(record: Record, day: int) -> tuple[pd.Timedelta, pd.Timedelta]:
    """Return start and end of the one bout of a day."""
    bouts = of_days(record.exercise, day)
    if len(bouts) != 1:
        raise EvaluationError(f"day {day} has {len(bouts)} bouts, not one")
    return pd.Timedelta(bouts.index[0]), pd.Timedelta(bouts["end"].iloc[0])


def _during(statistic: str, digits: int) -> Rule:
    def rule(record: Record, asked: Row) -> float:
        start, end = _bout(record, asked["day"])
        inside = record.glucose[record.glucose.index.to_series().between(start, end)]
        return rounded(float(getattr(inside, statistic)()), digits)

    return rule


def _after(statistic: str, length: pd.Timedelta, digits: int) -> Rule:
    def rule(record: Record, asked: Row) -> float:
        _, end = _bout(record, asked["day"])
        return rounded(getattr(after(record.glucose, end, length), statistic)(), digits)

    return rule


def _rate(record: Record, asked: Row) -> float:
    return rounded(rate(record, *_bout(record, asked["day"])), 2)


def _fall(record: Record, asked: Row) -> float:
    start, end = _bout(record, asked["day"])
    return value_before(record, start) - float(after(record.glucose, end, FOUR_HOURS).min())


def _time_to_lowest(record: Record, asked: Row) -> int:
    _, end = _bout(record, asked["day"])
    return minutes(where_smallest(after(record.glucose, end, FOUR_HOURS)) - end)


def _time_to_recovery(record: Record, asked: Row) -> int:
    start, end = _bout(record, asked["day"])
    window = after(record.glucose, end, FOUR_HOURS)
    late = window[window.index > where_smallest(window)]
    return minutes(late.index[10 * late >= 9 * value_before(record, start)].min() - end)


def _steady_days(record: Record, asked: Row) -> list[int]:
    day = day_numbers(record.exercise)
    found = []
    for number in day[~day.duplicated(keep=False).to_numpy()]:
        _, end = _bout(record, number)
        window = after(record.glucose, end, TWO_HOURS)
        enough = len(window) >= LEAST_PRESENT * (TWO_HOURS // SAMPLE)
        if end + TWO_HOURS < record.end and enough:
            steady = 100 * window.std() / window.mean() < asked["bound"]
            found += [int(number)] if steady else []
    return found


RULES: dict[str, Rule] = {
    "pm_28": _during("max", 0),
    "pm_29": _during("min", 0),
    "pm_30": _after("min", THREE_HOURS, 0),
    "pm_31": _rate,
    "pm_32": _time_to_recovery,
    "pm_33": _after("mean", ONE_HOUR, 1),
    "pm_34": _during("mean", 1),
    "pm_35": _fall,
    "pm_36": _time_to_lowest,
    "pm_37": _steady_days,
}
