"""Which questions can be asked over fewer days than the whole record, and over which days.

A question that names days (a day, a week, the last 7 days) is shown them; where more days are shown
than it names, the day after them comes along, since windows run past midnight, and then the days
before. A question that names none is shown the last days, a prediction the last days before its cut.
Times and day numbers keep their meaning: the shortened record counts from the start of the whole.

Whether what is not shown could change the answer is computed. Where the record decides the answer
(`eval_tasks.solver`), everything outside the shown days is replaced by nothing at all, by low and
by high readings and by swings between the two, each of the last three with large meals, bouts and
boluses; the question is asked only if the answer stays the gold answer every time. Where hidden
labels decide, the days must be named, no definition may look back at an earlier stretch or dose,
and everything that is to be found must begin and end inside. A prediction is asked if the days that
it names are shown.
"""

import json
from collections.abc import Iterator
from typing import Any, Literal, get_args

from eval_tasks.errors import EvaluationError
from eval_tasks.question import MINUTES_PER_DAY, SAMPLE_MINUTES, Row
from eval_tasks.record.shown import EVENTS, Context, Shown, clock_of, part, whole
from eval_tasks.solver import SOLVERS, solve

Horizon = Literal[30, 7, 1]
"""Days; 30 is the whole record, which a prediction may have cut a little shorter."""
HORIZONS: tuple[Horizon, ...] = get_args(Horizon)
Days = tuple[int, int]
"""First and last day."""
_LAST_WEEK = "The last 7 days are days 24 to 30."
_LAST_WEEKEND = "The last weekend is days 27 (Saturday) and 28 (Sunday)."
_LOOKS_BACK = ("an earlier stretch of the record", "given earlier", "elsewhere in the record")
_LOW, _HIGH = 20, 600
"""Readings beyond all that a record holds."""
_SWING = 36
"""Samples after which a swing turns."""


def shown_part(row: Row, horizon: Horizon) -> Shown | None:
    """Return the part of a row's record that a question is asked over; None if it cannot be.

    Args:
        row: A row of a QA config.
        horizon: Days to show.

    Raises:
        GoldError: The row's parameters are broken.
    """
    context = row["input_context"]
    if horizon == 30:
        return whole(context)
    minutes = SAMPLE_MINUTES * len(context["bg_mgdl"])
    named = named_days(row)
    if row["task_type"] == "prediction":
        shown = part(context, max(0, minutes - horizon * MINUTES_PER_DAY), minutes)
        first_whole_day = clock_of(shown.start - 1).day + 1 if shown.start else 1
        return shown if named is None or first_whole_day <= named[0] else None
    days = _chosen_days(named, horizon, minutes // MINUTES_PER_DAY)
    if days is None:
        return None
    shown = part(context, (days[0] - 1) * MINUTES_PER_DAY, days[1] * MINUTES_PER_DAY)
    decides = _record_decides if row["task_id"] in SOLVERS else _labels_decide
    return shown if decides(row, shown) else None


def named_days(row: Row) -> Days | None:
    """Return the first and the last day that a question names, None if it names none."""
    given = json.loads(row["parameters"])
    weeks = [given[name] for name in ("week", "other_week") if name in given]
    if "weekday" in given:
        day = 7 * (given["week"] - 1) + given["weekday"]
        return day, day
    if weeks:
        return 7 * min(weeks) - 6, 7 * max(weeks)
    if "day" in given:
        return given["day"], given.get("last_day", given["day"])
    if _LAST_WEEK in row["instruction"]:
        return 24, 30
    return (27, 28) if _LAST_WEEKEND in row["instruction"] else None


def _chosen_days(named: Days | None, horizon: Horizon, last: int) -> Days | None:
    first_named, last_named = named or (last, last)
    spare = horizon - (last_named - first_named + 1)
    if spare < 0:
        return None
    end = min(last_named + (1 if spare else 0), last)
    return max(end - horizon + 1, 1), max(end, horizon)


def _record_decides(row: Row, shown: Shown) -> bool:
    """Return whether the answer stays the gold answer whatever stands outside the shown part."""
    gold = json.loads(row["answer"])
    for context in _replaced(shown):
        try:
            if solve({**row, "input_context": context}) != gold:
                return False
        except (EvaluationError, IndexError, KeyError, ValueError):
            return False
    return True


def _labels_decide(row: Row, shown: Shown) -> bool:
    gold = json.loads(row["answer"])
    if named_days(row) is None or any(text in row["instruction"] for text in _LOOKS_BACK):
        return False
    return all(
        shown.start < found["start"] and found["end"] < shown.end - SAMPLE_MINUTES
        for found in gold
        if isinstance(found, dict)
    )


def _replaced(shown: Shown) -> Iterator[Context]:
    """Yield records that differ outside the shown part only."""
    swings = [_HIGH if place // _SWING % 2 else _LOW for place in range(shown.minutes // 5)]
    flats = ([level] * len(swings) for level in (_LOW, _HIGH))
    events = _large_events(shown)
    for readings in (swings, *flats):
        first, end = shown.start // SAMPLE_MINUTES, shown.end // SAMPLE_MINUTES
        padded = shown.padded()
        readings[first:end] = shown.context["bg_mgdl"]
        yield {**padded, "bg_mgdl": readings, **events}
    yield shown.padded()


def _large_events(shown: Shown) -> dict[str, list[dict[str, Any]]]:
    """Return the shown events, and large ones on every day outside."""
    templates: dict[str, list[dict[str, Any]]] = {
        "carb_events": [
            {"minute": 60 * hour, "carbs": 500.0, "meal_type": meal}
            for hour, meal in (
                (8, "breakfast"),
                (10, "morning_snack"),
                (12, "lunch"),
                (19, "dinner"),
            )
        ],
        "exercise_events": [
            {"minute": 900, "duration": 60, "magnitude": 9.0, "exercise_type": "run"}
        ],
        "insulin_events": [{"minute": 720, "dosage": 1000.0, "insulin_type": "meal_bolus"}],
    }
    events = {name: list(shown.context[name]) for name in EVENTS}
    for midnight in range(0, shown.minutes, MINUTES_PER_DAY):
        for name, entries in templates.items():
            for entry in entries:
                time = midnight + entry["minute"]
                if not shown.start <= time < shown.end:
                    day, text = clock_of(time)
                    events[name].append({"time": time, "day": day, "time_str": text, **entry})
    return {name: sorted(entries, key=lambda e: e["time"]) for name, entries in events.items()}
