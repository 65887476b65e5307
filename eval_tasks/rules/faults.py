"""Faults: which kinds an instruction asks for, where they are looked for, how they are reported."""

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from eval_tasks.question import MINUTES_PER_DAY, SAMPLE_MINUTES
from eval_tasks.record.shown import Shown
from eval_tasks.rules.prompt import Prompt
from eval_tasks.rules.signs import SIGNS, Span, signals_of, spans_of

Flags = NDArray[np.bool_]
_DAY = re.compile(r"on day (\d+), from 00:00")
_MORNING = re.compile(r"on the morning of day (\d+)")
_WEEK = re.compile(r"Report each such sample in week (\d)")
_LUNCH = re.compile(r"Find the lunch of day (\d+)")
_SIZE = re.compile(r"hold at least (\d+) samples")
_AFTER_LUNCH, _AFTER_EXERCISE = 120, 60


def asks_for_faults(instruction: str) -> bool:
    """Return whether an instruction defines a kind of fault."""
    return any(text in instruction for text in SIGNS)


def find_faults(prompt: Prompt) -> list[dict[str, int]] | list[int]:
    """Return the faults that a prompt asks for, as intervals, or as days where days are asked."""
    signals = signals_of(prompt.shown)
    spans = _merged(
        span
        for text, rules in SIGNS.items()
        if text in prompt.instruction
        for rule in rules
        for span in rule(signals)
    )
    size = _SIZE.search(prompt.instruction)
    least = int(size[1]) if size else 1
    place = _place(prompt)
    kept = [s for s in spans if s[1] - s[0] + 1 >= least and place[s[0] : s[1] + 1].any()]
    if "Report the readings below 80 mg/dL" in prompt.instruction:
        low = np.zeros(len(signals.glucose), dtype=np.bool_)
        for first, last in kept:
            low[first : last + 1] = signals.glucose[first : last + 1] < 80
        kept = spans_of(low)
    minutes = [(prompt.shown.start + SAMPLE_MINUTES * f, SAMPLE_MINUTES * (e - f)) for f, e in kept]
    if "Report the days" in prompt.instruction:
        return sorted({minute // MINUTES_PER_DAY + 1 for minute, _ in minutes})
    return [{"start": minute, "end": minute + (length or 1)} for minute, length in minutes]


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, those that touch or overlap as one."""
    merged: list[Span] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return merged


def _place(prompt: Prompt) -> Flags:
    """Return for each shown sample whether it lies where faults are asked for."""
    minutes = np.arange(prompt.shown.start, prompt.shown.end, SAMPLE_MINUTES)
    text, of_day = prompt.instruction, minutes % MINUTES_PER_DAY
    days = minutes // MINUTES_PER_DAY + 1
    inside = np.ones(len(minutes), dtype=np.bool_)
    if "The last 7 days are days 24 to 30" in text:
        inside &= days >= 24
    if "The last weekend is days 27" in text:
        inside &= (days == 27) | (days == 28)
    if found := _DAY.search(text):
        inside &= days == int(found[1])
    if found := _MORNING.search(text):
        inside &= (days == int(found[1])) & (of_day >= 360) & (of_day < 720)
    if found := _WEEK.search(text):
        inside &= (days + 6) // 7 == int(found[1])
    if "The night is from 00:00" in text:
        inside &= of_day < 360
    if "between 01:00 (included) and 03:00" in text:
        inside &= (of_day >= 60) & (of_day < 180)
    return inside & _around_events(prompt.shown, text, minutes)


def _around_events(shown: Shown, text: str, minutes: NDArray[np.int64]) -> Flags:
    """Return for each minute whether it lies in a window that an instruction opens at events."""
    windows: list[tuple[int, int]] = []
    lunches = [e["time"] for e in shown.context["carb_events"] if e["meal_type"] == "lunch"]
    bouts = [(e["time"], e["time"] + e["duration"]) for e in shown.context["exercise_events"]]
    if found := _LUNCH.search(text):
        evening = int(found[1]) * MINUTES_PER_DAY - 360
        windows = [(t + 1, evening - 1) for t in lunches if 0 < evening - t < MINUTES_PER_DAY]
    elif "Find all lunches" in text:
        windows = [(lunch + 1, lunch + _AFTER_LUNCH) for lunch in lunches]
    elif "lies during one of the bouts" in text:
        windows = bouts
    elif "up to e + 60 min" in text:
        windows = [(start, end + _AFTER_EXERCISE) for start, end in bouts]
    else:
        return np.ones(len(minutes), dtype=np.bool_)
    inside = np.zeros(len(minutes), dtype=np.bool_)
    for first, last in windows:
        inside |= (minutes >= first) & (minutes <= last)
    return inside
