"""A record as the tables that an agent computes on."""

from collections.abc import Mapping, Sequence
from typing import Any

from agents.sandbox import Table
from eval_tasks.question import MINUTES_PER_DAY, SAMPLE_MINUTES

_EVENT_COLUMNS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "carbohydrate": ("carb_events", {"carbs": "grams", "meal_type": "kind"}),
    "exercise": (
        "exercise_events",
        {"duration": "minutes", "magnitude": "magnitude", "exercise_type": "kind"},
    ),
    "boluses": ("insulin_events", {"dosage": "units", "insulin_type": "kind"}),
}
TABLE_NAMES = ("glucose", "insulin", *_EVENT_COLUMNS)
TABLES_TEXT = """\
These pandas tables hold the whole record. Minutes count from the start of the record, which is \
midnight before day 1, a Monday; day is floor(minute / 1440) + 1, time the clock time as HH:MM.
- glucose (minute, day, time, glucose_mgdl): a row every 5 minutes, NaN where a reading is missing.
- insulin (minute, day, time, insulin_mu_min): a row every 5 minutes, basal and bolus together, \
mU/min, NaN where unknown.
- carbohydrate (minute, day, time, grams, kind): a row for each meal or snack.
- exercise (minute, day, time, minutes, magnitude, kind): magnitude in mph, for cycling in W.
- boluses (minute, day, time, units, kind): a row for each bolus or injection."""


def record_tables(context: Mapping[str, Any]) -> dict[str, Table]:
    """Return glucose, insulin, carbohydrate, exercise and boluses of a row's `input_context`."""
    return {
        "glucose": _series("glucose_mgdl", context["bg_mgdl"]),
        "insulin": _series("insulin_mu_min", context["insulin_mu_min"]),
        **{
            name: _events(context[column], renamed)
            for name, (column, renamed) in _EVENT_COLUMNS.items()
        },
    }


def _series(name: str, values: Sequence[float | None]) -> Table:
    minutes = [SAMPLE_MINUTES * index for index in range(len(values))]
    return {
        "minute": minutes,
        "day": [minute // MINUTES_PER_DAY + 1 for minute in minutes],
        "time": [f"{minute % MINUTES_PER_DAY // 60:02d}:{minute % 60:02d}" for minute in minutes],
        name: [None if value is None else float(value) for value in values],
    }


def _events(events: Sequence[Mapping[str, Any]], renamed: Mapping[str, str]) -> Table:
    names = {"time": "minute", "day": "day", "time_str": "time", **renamed}
    return {new: [event[old] for event in events] for old, new in names.items()}
