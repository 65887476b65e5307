"""The timelined style: one stream in the order of time, every event where it happens.

A line is one hour of a day. Each sample is its reading; the insulin follows after a slash where it
differs from that of the sample before. Events stand in brackets after the sample at or before them.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from eval_tasks.question import MINUTES_PER_DAY, SAMPLE_MINUTES
from eval_tasks.record.shown import (
    EVENTS,
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

_HEADING = "## Timeline"
EXPLANATION = (
    "A line is one hour of the day with its samples, one every 5 minutes: 12 from minute 00 to 55. "
    'A sample is its glucose in mg/dL ("-" is a missing reading). After a slash stands its insulin '
    '(mU/min, basal and bolus together, mean of the 5 minutes; "-" is unknown; 7½ stands for 7.5) '
    "where that differs from the sample before; a sample without slash has the insulin of the sample "
    "before. In brackets, after the sample at or before them, stand events with their clock time: "
    "carbohydrate in g, exercise with its minutes and mph (cycling: W), boluses and injections in U."
)
_UNITS = {"carb_events": "g", "exercise_events": "min", "insulin_events": "U"}
_STREAMS = {unit: stream for stream, unit in _UNITS.items()}
_KINDS = "Kinds of boluses and injections: "
_ENTRY = re.compile(r"\[([^\]]*)\]|(\S+)")
_DAY = re.compile(r"Day (\d+) ")


def write(shown: Shown) -> str:
    """Return the timeline of a record."""
    short = short_kinds("insulin_events", shown.context)
    lines = [_HEADING]
    if short:
        lines.append(f"{_KINDS}{kinds_text(short)}")
    for _, entries in groupby(_entries(shown, short), lambda entry: entry[0] // 60):
        minutes, texts = zip(*entries, strict=True)
        day, clock = clock_of(minutes[0])
        if minutes[0] == shown.start or minutes[0] % MINUTES_PER_DAY == 0:
            lines.append(f"Day {day} {weekday(day)}, from minute {minutes[0]}")
        lines.append(f"{clock.removesuffix(':00').removeprefix('0')}: {' '.join(texts)}")
    return "\n".join(lines)


def read(text: str) -> Context:
    """Return the samples and events of the text that `write` returned."""
    context: dict[str, Any] = {"bg_mgdl": [], "insulin_mu_min": [], **{name: [] for name in EVENTS}}
    kinds: dict[str, str] = {}
    day, insulin = 0, None
    for line in text.partition(f"{_HEADING}\n")[2].partition("\n\n")[0].split("\n"):
        if line.startswith(_KINDS):
            kinds = read_kinds(line.removeprefix(_KINDS))
        elif found := _DAY.match(line):
            day = int(found[1])
        else:
            for event, sample in _ENTRY.findall(line.partition(": ")[2]):
                if event:
                    stream, entry = _read_event(day, event, kinds)
                    context[stream].append(entry)
                    continue
                reading, slash, given = sample.partition("/")
                insulin = read_insulin(given) if slash else insulin
                context["bg_mgdl"].append(read_value(reading, int))
                context["insulin_mu_min"].append(insulin)
    return context


def _entries(shown: Shown, short: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Yield minute and text of each sample and event in the order of time."""
    events = _events(shown.context, short)
    known: list[float | None] = []
    samples = zip(shown.context["bg_mgdl"], shown.context["insulin_mu_min"], strict=True)
    for place, (reading, insulin) in enumerate(samples):
        minute = shown.start + SAMPLE_MINUTES * place
        text = value_text(reading)
        yield minute, text if known == [insulin] else f"{text}/{insulin_text(insulin)}"
        known = [insulin]
        yield from events.get(minute, ())


def _events(context: Context, short: dict[str, str]) -> dict[int, list[tuple[int, str]]]:
    """Return minute and text of events by the minute of the sample at or before them."""
    texts = [
        (event["time"], f"[{_event(stream, event, short)}]")
        for stream in EVENTS
        for event in context[stream]
    ]
    grouped: dict[int, list[tuple[int, str]]] = {}
    for minute, text in sorted(texts, key=lambda entry: entry[0]):
        grouped.setdefault(minute - minute % SAMPLE_MINUTES, []).append((minute, text))
    return grouped


def _event(stream: str, event: Event, short: dict[str, str]) -> str:
    first, *others, kind = event_words(stream, event)
    return " ".join((event["time_str"], first, _UNITS[stream], *others, short.get(kind, kind)))


def _read_event(day: int, text: str, kinds: dict[str, str]) -> tuple[str, dict[str, Any]]:
    clock, first, unit, *others, kind = text.split()
    stream = _STREAMS[unit]
    return stream, read_event(stream, day, clock, [first, *others, kinds.get(kind, kind)])
