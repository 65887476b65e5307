"""Pictures of questions: the record as its reader sees it, with the gold answer shaded."""

import json
import textwrap
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from builder.errors import BuildError
from generators.trace import MINUTES_PER_DAY, SAMPLE_MINUTES

Row = Mapping[str, Any]
Span = tuple[int, int]
"""First minute, and the minute after the last."""

CONTEXT_MINUTES = 5 * 60
"""What is shown before and after a stretch that the answer names."""
MOST_PANELS = 3
"""Stretches of an answer that get a panel: the first, the middle one, the last."""
STRIPS = 6
"""Strips into which a whole record is cut where the answer names no stretch."""
_NAVY, _GREEN, _ORANGE, _RED, _GREY = "#1f3b5c", "#3a9d5d", "#d9822b", "#b3362f", "#8a8f98"


def draw_answer(row: Row, path: Path) -> None:
    """Write a picture of a row: what is asked, the record around the answer, the answer shaded.

    Only what a reader of the row sees is drawn: readings, insulin, carbohydrate and exercise.

    Raises:
        BuildError: The row is no question about a record.
    """
    if "input_context" not in row or "answer" not in row:
        raise BuildError(f"{row.get('trace_id', 'a row')} asks nothing about a record")
    shaded = answer_spans(row)
    windows = _windows(row, shaded)
    figure = Figure(figsize=(11, 1.9 + 2.6 * len(windows)), layout="constrained")
    panels = figure.subplots(
        2 * len(windows), 1, squeeze=False, height_ratios=(3, 1) * len(windows)
    )
    for place, window in enumerate(windows):
        glucose, insulin = panels[2 * place, 0], panels[2 * place + 1, 0]
        _draw_glucose(glucose, row, window)
        _draw_insulin(insulin, row, window)
        for panel in (glucose, insulin):
            _shade(panel, shaded, window)
    figure.suptitle(_wording(row), fontsize=7, ha="left", x=0.01)
    figure.savefig(path, dpi=100)


def answer_spans(row: Row) -> list[Span]:
    """Return the stretches of the record that a gold answer names; none where it is a number."""
    answer = json.loads(row["answer"])
    match row["answer_type"]:
        case "intervals":
            return [(found["start"], found["end"] + SAMPLE_MINUTES) for found in answer]
        case "day":
            return [_day(answer)]
        case "day_list":
            return [_day(day) for day in answer]
        case "hour_list":
            days = range(len(row["input_context"]["bg_mgdl"]) * SAMPLE_MINUTES // MINUTES_PER_DAY)
            starts = [day * MINUTES_PER_DAY + 60 * hour for day in days for hour in answer]
            return [(start, start + 60) for start in starts]
        case _:
            return []


def _day(day: int) -> Span:
    return (day - 1) * MINUTES_PER_DAY, day * MINUTES_PER_DAY


def _windows(row: Row, shaded: Sequence[Span]) -> list[Span]:
    """Return what to show: around stretches of the answer, or the whole record in strips."""
    minutes = len(row["input_context"]["bg_mgdl"]) * SAMPLE_MINUTES
    if row["answer_type"] in ("intervals", "day_list") and shaded:
        places = sorted({0, len(shaded) // 2, len(shaded) - 1})[:MOST_PANELS]
        return [
            (max(0, start - CONTEXT_MINUTES), min(minutes, end + CONTEXT_MINUTES))
            for start, end in (shaded[place] for place in places)
        ]
    edges = np.linspace(0, minutes, STRIPS + 1).astype(int).tolist()
    return list(pairwise(edges))


def _wording(row: Row) -> str:
    lines = [
        f"{row['instance_id']}: {row['question']}",
        *textwrap.wrap(row["instruction"], 190),
        *textwrap.wrap(f"Answer: {row['answer']}", 190)[:2],
    ]
    return "\n".join(lines)


def _hours(window: Span) -> tuple[np.ndarray, slice]:
    inside = slice(window[0] // SAMPLE_MINUTES, window[1] // SAMPLE_MINUTES)
    return np.arange(inside.start, inside.stop) * SAMPLE_MINUTES / 60, inside


def _draw_glucose(panel: Axes, row: Row, window: Span) -> None:
    hours, inside = _hours(window)
    context = row["input_context"]
    readings = np.array(context["bg_mgdl"][inside], dtype=np.float64)
    long = window[1] - window[0] > 2 * MINUTES_PER_DAY
    panel.axhspan(70, 180, color=_GREEN, alpha=0.08, lw=0)
    panel.plot(hours, readings, color=_NAVY, lw=0.8, marker=None if long else ".", ms=4)
    for event in _inside(context["carb_events"], window):
        panel.axvline(event["time"] / 60, color=_ORANGE, lw=0.8, ls="--")
        kind = "" if long else event["meal_type"].replace("_", " ") + " "
        text = f"{kind}{event['carbs']:g} g"
        panel.text(event["time"] / 60, 390, text, fontsize=6, color=_ORANGE, va="top")
    for event in _inside(context["exercise_events"], window):
        bout = (event["time"] / 60, (event["time"] + event["duration"]) / 60)
        panel.axvspan(*bout, ymax=0.06, color=_RED, alpha=0.6, lw=0)
    panel.set(ylim=(0, 410), yticks=(0, 70, 180, 300, 400))
    panel.set_ylabel("mg/dL", fontsize=7)
    _tidy(panel, window)
    panel.tick_params(labelbottom=False)


def _draw_insulin(panel: Axes, row: Row, window: Span) -> None:
    hours, inside = _hours(window)
    context = row["input_context"]
    rate = np.array(context["insulin_mu_min"][inside], dtype=np.float64)
    panel.step(hours, rate, where="post", color=_NAVY, lw=1)
    if window[1] - window[0] <= 2 * MINUTES_PER_DAY:
        for event in _inside(context["insulin_events"], window):
            text = f"{event['insulin_type'].split('_')[0]} {event['dosage']:g}"
            panel.text(event["time"] / 60, panel.get_ylim()[1], text, fontsize=6, va="top")
    panel.set_yscale("symlog", linthresh=50)
    panel.set_ylim(bottom=0)
    panel.set_ylabel("mU/min", fontsize=7)
    _tidy(panel, window)


def _tidy(panel: Axes, window: Span) -> None:
    """Label hours by day and clock."""
    step = 60 * (2 if window[1] - window[0] <= 2 * MINUTES_PER_DAY else 12)
    ticks = range(-(-window[0] // step) * step, window[1] + 1, step)
    panel.set(xlim=(window[0] / 60, window[1] / 60), xticks=[tick / 60 for tick in ticks])
    panel.set_xticklabels(
        [f"d{tick // MINUTES_PER_DAY + 1} {tick % MINUTES_PER_DAY // 60:02}h" for tick in ticks]
    )
    panel.tick_params(labelsize=6)


def _shade(panel: Axes, shaded: Sequence[Span], window: Span) -> None:
    for start, end in shaded:
        if start < window[1] and end > window[0]:
            panel.axvspan(start / 60, end / 60, color=_ORANGE, alpha=0.25, lw=0)


def _inside(events: Sequence[Row], window: Span) -> list[Row]:
    return [event for event in events if window[0] <= event["time"] < window[1]]
