"""A record as compact text, and back without loss.

Glucose and insulin have a line for every hour of every day; equal insulin values in a row are
written once with their number. Events have a line each. `read_record` recovers exactly what
`record_text` was given.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from eval_tasks.errors import GoldError
from eval_tasks.question import SAMPLE_MINUTES

SAMPLES_PER_HOUR = 12
_HOURS_PER_DAY = 24
_SAMPLES_PER_DAY = SAMPLES_PER_HOUR * _HOURS_PER_DAY
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MISSING = "-"
_HEADINGS = {
    "bg_mgdl": 'Glucose (mg/dL; "-" is a missing reading)',
    "insulin_mu_min": "Insulin (mU/min, basal and bolus together, mean of the 5 minutes; "
    '"-" is unknown; 15*4 stands for 15 15 15 15)',
    "carb_events": "Carbohydrate (minute, day, clock, g, kind)",
    "exercise_events": "Exercise (minute, day, clock, minutes, mph or for cycling W, kind)",
    "insulin_events": "Boluses and injections (minute, day, clock, U, kind)",
}
_EVENT_FIELDS: Mapping[str, tuple[str, ...]] = {
    "carb_events": ("time", "day", "time_str", "carbs", "meal_type"),
    "exercise_events": ("time", "day", "time_str", "duration", "magnitude", "exercise_type"),
    "insulin_events": ("time", "day", "time_str", "dosage", "insulin_type"),
}
_TEXT_FIELDS = frozenset({"time_str", "meal_type", "exercise_type", "insulin_type"})
_WHOLE_FIELDS = frozenset({"time", "day", "duration"})
_DAY_LINE = re.compile(r"Day \d+ .*")


def record_text(context: Mapping[str, Any]) -> str:
    """Return a record as text.

    Args:
        context: A row's `input_context`: `bg_mgdl` and `insulin_mu_min`, one value per 5 minutes,
            None where missing; `carb_events`, `exercise_events` and `insulin_events`.

    Raises:
        GoldError: A text of an event holds blanks, so that it could not be read back.
    """
    samples = len(context["bg_mgdl"])
    sections = [
        f"{samples} samples, one every {SAMPLE_MINUTES} minutes. Sample i (from 0) is at minute "
        f"{SAMPLE_MINUTES}*i of the record. Day 1 is a Monday and begins at minute 0. Each line of "
        "glucose and insulin is one hour of the day with its samples from minute 00 to 55.",
        _series("bg_mgdl", context["bg_mgdl"]),
        _series("insulin_mu_min", context["insulin_mu_min"]),
        *(_events(name, context[name]) for name in _EVENT_FIELDS),
    ]
    return "\n\n".join(sections)


def read_record(text: str) -> dict[str, Any]:
    """Return the record that `record_text` wrote, wherever in a text it stands."""
    context: dict[str, Any] = {}
    for name, heading in _HEADINGS.items():
        lines = text.partition(f"## {heading}\n")[2].partition("\n\n")[0].split("\n")
        if name in _EVENT_FIELDS:
            context[name] = [_read_event(name, line) for line in lines if line != "None."]
        else:
            kind = int if name == "bg_mgdl" else float
            context[name] = [
                None if value == _MISSING else kind(value)
                for line in lines
                if not _DAY_LINE.match(line)
                for value in _read_samples(line)
            ]
    return context


def number_text(number: float) -> str:
    """Return the shortest text that is read back as the same number.

    >>> number_text(12.0), number_text(0.1)
    ('12', '0.1')
    """
    return str(int(number)) if number == int(number) else repr(number)


def _series(name: str, values: Sequence[float | None]) -> str:
    lines = [f"## {_HEADINGS[name]}"]
    for first in range(0, len(values), SAMPLES_PER_HOUR):
        day, hour = divmod(first // SAMPLES_PER_HOUR, _HOURS_PER_DAY)
        if hour == 0:
            lines.append(
                f"Day {day + 1} {_WEEKDAYS[day % 7]}, from minute {first * SAMPLE_MINUTES}"
            )
        shown = map(_sample_text, values[first : first + SAMPLES_PER_HOUR])
        lines.append(f"{hour:02d}: {' '.join(shown if name == 'bg_mgdl' else _runs(shown))}")
    return "\n".join(lines)


def _runs(texts: Iterable[str]) -> Iterator[str]:
    for text, run in groupby(texts):
        count = sum(1 for _ in run)
        yield text if count == 1 else f"{text}*{count}"


def _sample_text(value: float | None) -> str:
    return _MISSING if value is None else number_text(value)


def _read_samples(line: str) -> Iterator[str]:
    for word in line.split()[1:]:
        value, _, count = word.partition("*")
        for _ in range(int(count or 1)):
            yield value


def _events(name: str, events: Sequence[Mapping[str, Any]]) -> str:
    lines = [" ".join(_field_text(event[f]) for f in _EVENT_FIELDS[name]) for event in events]
    return "\n".join((f"## {_HEADINGS[name]}", *(lines or ["None."])))


def _field_text(value: Any) -> str:
    if isinstance(value, str):
        if not value or value.split() != [value]:
            raise GoldError(f"the text {value!r} of an event is empty or holds blanks")
        return value
    return _sample_text(value)


def _read_event(name: str, line: str) -> dict[str, Any]:
    fields = zip(_EVENT_FIELDS[name], line.split(), strict=True)
    return {field: _read_field(field, text) for field, text in fields}


def _read_field(field: str, text: str) -> Any:
    if text == _MISSING:
        return None
    if field in _TEXT_FIELDS:
        return text
    return int(text) if field in _WHOLE_FIELDS else float(text)
