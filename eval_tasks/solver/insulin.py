"""Rules of tasks about insulin."""

from eval_tasks.solver.record import (
    DAY,
    SAMPLES_PER_DAY,
    Record,
    Row,
    Rule,
    minutes,
    of_days,
    rounded,
)

NO_BOLUS = ("basal", "long_acting")


def _units(record: Record, first: int, last: int) -> float:
    """Return the insulin reported on days first to last, U."""
    rates = of_days(record.insulin, first, last)
    return float((rates.fillna(0) * 5 / 1000).sum())


def _units_a_day(record: Record, first: int, last: int) -> float:
    """Return the mean insulin of those days first to last on which 95 % of it is known, U."""
    rates = of_days(record.insulin, first, last)
    days = rates.groupby(rates.index // DAY).agg(["count", "sum"])
    enough = days["count"] >= 0.95 * SAMPLES_PER_DAY
    return float(days.loc[enough, "sum"].mean() * 5 / 1000)


def _span_insulin(record: Record, asked: Row) -> float:
    return rounded(_units(record, asked["day"], asked["last_day"]), 1)


def _day_insulin(record: Record, asked: Row) -> float:
    day = 7 * (asked["week"] - 1) + asked["weekday"]
    return rounded(_units(record, day, day), 1)


def _more_at_weekend(record: Record, asked: Row) -> str:
    sunday = 7 * asked["week"]
    weekdays = _units_a_day(record, sunday - 6, sunday - 2)
    weekend = _units_a_day(record, sunday - 1, sunday)
    return "yes" if weekend > weekdays else "no"


def _largest_bolus(record: Record, _: Row) -> int:
    boluses = record.boluses[~record.boluses["insulin_type"].isin(NO_BOLUS)]
    sums = boluses["dosage"].groupby(level=0).sum().round(4)
    return minutes(sums.index[sums == sums.max()].min())


def _largest_bolus_of_day(record: Record, asked: Row) -> int:
    boluses = record.boluses[~record.boluses["insulin_type"].isin(NO_BOLUS)]
    sums = of_days(boluses["dosage"].groupby(level=0).sum().round(4), asked["day"])
    return minutes(sums.index[sums == sums.max()].min() % DAY)


RULES: dict[str, Rule] = {
    "pm_41": _span_insulin,
    "pm_42": _largest_bolus,
    "pm_43": _day_insulin,
    "pm_44": _largest_bolus_of_day,
    "pm_45": _more_at_weekend,
}
