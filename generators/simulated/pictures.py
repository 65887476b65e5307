"""Pictures of simulated days and of groups of people."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from generators.errors import GeneratorError
from generators.simulated.plausibility import day_profile
from generators.trace import MINUTES_PER_DAY, SAMPLE_MINUTES, SAMPLES_PER_DAY, Trace

RANGE = (70, 180)
"""Glucose in range, mg/dL."""
FORMATS = (".png", ".svg", ".pdf")
MOST_DAYS = 14

_HOURS = np.arange(SAMPLES_PER_DAY) * SAMPLE_MINUTES / 60.0
_NAVY, _GREEN, _ORANGE, _RED = "#1f3b5c", "#3a9d5d", "#d9822b", "#b3362f"


def check_format(path: Path) -> None:
    """Check that a picture can be written under this name.

    Raises:
        GeneratorError: The ending names no known format.
    """
    if path.suffix.lower() not in FORMATS:
        raise GeneratorError(
            f"{path}: pictures are written as {', '.join(FORMATS)}, not {path.suffix or 'nothing'}"
        )


def draw_days(trace: Trace, path: Path) -> None:
    """Write a picture of the first days (14 at most) of a trace, one strip a day.

    Shown are readings, true glucose, announced carbohydrate, boluses and exercise.

    Raises:
        GeneratorError: The picture's ending names no known format.
    """
    check_format(path)
    days = min(-(-trace.minutes // MINUTES_PER_DAY), MOST_DAYS)
    figure = Figure(figsize=(11, 0.6 + 1.25 * days), layout="constrained")
    strips = figure.subplots(days, 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for day, strip in enumerate(strips):
        _draw_day(strip, trace, day)
    strips[0].set(xlim=(0, 24), ylim=(30, 410), xticks=range(0, 25, 3), yticks=(70, 180, 300))
    strips[-1].set_xlabel("hour of the day")
    figure.suptitle(
        f"{trace.trace_id}: readings (line), true glucose (dashed), carbohydrate in g (orange), "
        "boluses in U (blue), exercise (green)",
        fontsize=9,
    )
    figure.savefig(path, dpi=110)


def draw_profiles(groups: Mapping[str, Sequence[Trace]], path: Path) -> None:
    """Write a picture of the median day of some groups with bands of 25-75 % and 5-95 %.

    Raises:
        GeneratorError: The picture's ending names no known format.
    """
    check_format(path)
    records = {name: [trace.cgm for trace in traces] for name, traces in groups.items()}
    profiles_figure(records).savefig(path, dpi=130)


def profiles_figure(groups: Mapping[str, Sequence[NDArray[np.int16]]]) -> Figure:
    """Return the picture of the median day of some groups of records, as `day_profile` takes them."""
    figure = Figure(figsize=(4.2 * len(groups), 3.8), layout="constrained")
    panels = figure.subplots(1, len(groups), sharex=True, sharey=True, squeeze=False)[0]
    for panel, (name, records) in zip(panels, groups.items(), strict=True):
        lowest, low, median, high, highest = day_profile(records)
        hours = np.arange(len(median)) * 24.0 / len(median)
        panel.axhspan(*RANGE, color=_GREEN, alpha=0.08, linewidth=0)
        panel.fill_between(hours, lowest, highest, color=_NAVY, alpha=0.15, linewidth=0)
        panel.fill_between(hours, low, high, color=_NAVY, alpha=0.3, linewidth=0)
        panel.plot(hours, median, color=_NAVY, linewidth=1.6)
        panel.set_title(f"{name} (n = {len(records)})", fontsize=10)
        panel.set_xlabel("hour of the day")
    panels[0].set(xlim=(0, 24), ylim=(40, 400), xticks=range(0, 25, 6), ylabel="glucose, mg/dL")
    return figure


def _draw_day(strip: Axes, trace: Trace, day: int) -> None:
    first = day * SAMPLES_PER_DAY
    readings = trace.cgm[first : first + SAMPLES_PER_DAY].astype(np.float64)
    readings[readings < 0] = np.nan
    hours = _HOURS[: len(readings)]
    strip.axhspan(*RANGE, color=_GREEN, alpha=0.1, linewidth=0)
    strip.plot(hours, readings, color=_NAVY, linewidth=1.1)
    if trace.truth is not None:
        true = trace.truth.glucose[first : first + SAMPLES_PER_DAY]
        strip.plot(hours, true, color=_RED, linewidth=0.7, linestyle="--")
    for event in trace.carbs:
        if event.minute // MINUTES_PER_DAY == day:
            _mark(strip, event.minute, f"{event.grams:g}", (355, _ORANGE))
    for minute, units in _units_by_minute(trace, day).items():
        _mark(strip, minute, f"{units:.4g}", (40, "tab:blue"))
    for bout in trace.exercise:
        if bout.minute // MINUTES_PER_DAY == day:
            start = bout.minute % MINUTES_PER_DAY / 60.0
            strip.axvspan(start, start + bout.duration / 60.0, color=_GREEN, alpha=0.35)
    strip.set_ylabel(f"day {day + 1}", fontsize=8)
    strip.tick_params(labelsize=7)


def _units_by_minute(trace: Trace, day: int) -> dict[int, float]:
    units: dict[int, float] = {}
    for bolus in trace.boluses:
        if bolus.minute // MINUTES_PER_DAY == day:
            units[bolus.minute] = units.get(bolus.minute, 0.0) + bolus.units
    return units


def _mark(strip: Axes, minute: int, text: str, place: tuple[float, str]) -> None:
    height, colour = place
    hour = minute % MINUTES_PER_DAY / 60.0
    strip.text(hour, height, text, color=colour, fontsize=6, ha="center", clip_on=True)
