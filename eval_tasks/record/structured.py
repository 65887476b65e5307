"""The structured style: a section for glucose, one for insulin, one for each kind of event.

Glucose and insulin have a line for every hour of every day; equal insulin values in a row are
written once with their number. Events have a line for every day on which there are any; kinds of
meals, boluses and injections are written as initials, which the section explains.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from eval_tasks.question import MINUTES_PER_DAY, SAMPLE_MINUTES
from eval_tasks.record.shown import (
    EVENTS,
    SERIES,
    Context,
    Event,
    Shown,
    clock_of,
    event_words,
    insulin_text,
    kinds_text,
    read_event,
    read_insulin,
    read_kinds,
    read_value,
    short_kinds,
    value_text,
    weekday,
)

_HEADINGS = {
    "bg_mgdl": 'Glucose (mg/dL; "-" is a missing reading)',
    "insulin_mu_min": "Insulin (mU/min, basal and bolus together, mean of the 5 minutes; "
    '"-" is unknown; 15*4 stands for 15 15 15 15, 7½ for 7.5)',
    "carb_events": "Carbohydrate (clock, g, kind)",
    "exercise_events": "Exercise (clock, minutes, mph or for cycling W, kind)",
    "insulin_events": "Boluses and injections (clock, U, kind)",
}
EXPLANATION = (
    "A line of glucose and insulin is one hour of the day with its samples, one every 5 minutes: "
    "12 from minute 00 to 55."
)
_KINDS = "Kinds: "
_ABBREVIATED = ("carb_events", "insulin_events")
"""Streams with many events, whose kinds are written as initials."""


def write(shown: Shown) -> str:
    """Return the sections of a record."""
    series = [_series(name, shown) for name in SERIES]
    return "\n\n".join([*series, *(_events(name, shown.context) for name in EVENTS)])


def read(text: str) -> Context:
    """Return the samples and events of the text that `write` returned."""
    context: dict[str, Any] = {}
    for name, heading in _HEADINGS.items():
        lines = text.partition(f"## {heading}\n")[2].partition("\n\n")[0].split("\n")
        context[name] = _read_events(name, lines) if name in EVENTS else _read_series(name, lines)
    return context


def _series(name: str, shown: Shown) -> str:
    lines = [f"## {_HEADINGS[name]}"]
    values = iter(shown.context[name])
    for _, hour in groupby(range(shown.start, shown.end, SAMPLE_MINUTES), lambda m: m // 60):
        minutes = list(hour)
        day, clock = clock_of(minutes[0])
        if minutes[0] == shown.start or minutes[0] % MINUTES_PER_DAY == 0:
            lines.append(_day_line(name, day, minutes[0]))
        label = clock.removesuffix(":00").removeprefix("0")
        lines.append(f"{label}: {' '.join(_texts(name, [next(values) for _ in minutes]))}")
    return "\n".join(lines)


def _texts(name: str, values: Iterable[float | None]) -> Iterable[str]:
    return map(value_text, values) if name == "bg_mgdl" else _runs(map(insulin_text, values))


def _day_line(name: str, day: int, minute: int) -> str:
    return f"Day {day} {weekday(day)}, from minute {minute}" if name == "bg_mgdl" else f"Day {day}"


def _read_series(name: str, lines: Iterable[str]) -> list[float | None]:
    read_sample = partial(read_value, kind=int) if name == "bg_mgdl" else read_insulin
    return [
        read_sample(text)
        for line in lines
        if not line.startswith("Day ")
        for text in _read_samples(line)
    ]


def _runs(texts: Iterable[str]) -> Iterator[str]:
    for text, run in groupby(texts):
        count = sum(1 for _ in run)
        yield text if count == 1 else f"{text}*{count}"


def _read_samples(line: str) -> Iterator[str]:
    for word in line.split()[1:]:
        value, _, count = word.partition("*")
        for _ in range(int(count or 1)):
            yield value


def _events(stream: str, context: Context) -> str:
    lines = [f"## {_HEADINGS[stream]}"]
    short = short_kinds(stream, context) if stream in _ABBREVIATED else {}
    if short:
        lines.append(f"{_KINDS}{kinds_text(short)}")
    for day, events in groupby(context[stream], lambda event: event["day"]):
        shown = "; ".join(_event(stream, event, short) for event in events)
        lines.append(f"Day {day}: {shown}")
    return "\n".join(lines if context[stream] else [*lines, "None."])


def _event(stream: str, event: Event, short: dict[str, str]) -> str:
    *numbers, kind = event_words(stream, event)
    return " ".join((event["time_str"], *numbers, short.get(kind, kind)))


def _read_events(stream: str, lines: Sequence[str]) -> list[dict[str, Any]]:
    kinds: dict[str, str] = {}
    events = []
    for line in lines:
        if line.startswith(_KINDS):
            kinds = read_kinds(line.removeprefix(_KINDS))
        elif line.startswith("Day "):
            day, _, shown = line.removeprefix("Day ").partition(": ")
            for text in shown.split("; "):
                clock, *numbers, kind = text.split()
                words = [*numbers, kinds.get(kind, kind)]
                events.append(read_event(stream, int(day), clock, words))
    return events
