"""The card's figures, drawn from the rows: the same bytes for the same rows and libraries."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pyarrow as pa
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from builder.floors import Splits
from builder.schema import QA_CONFIGS, Config
from dataset_card.characteristics import records_of
from generators.simulated.pictures import RANGE, profiles_figure
from generators.trace import (
    FAULT_LABELS,
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    SAMPLES_PER_HOUR,
)

FOLDER = "figures"
DPI = 80
_AROUND = 2 * SAMPLES_PER_HOUR
"""Samples that the gallery shows before and after a fault."""
_COLOURS = 64
_COLUMNS = 3
_NAVY, _ORANGE, _RED, _GREY, _GREEN = "#1f3b5c", "#d9822b", "#b3362f", "#8a8f98", "#3a9d5d"
_OF_PUMP = FAULT_LABELS[FAULT_LABELS.index("false_meal") :]
"""Faults that show in the insulin, not in the readings."""
_DOSES = (
    ("commanded_mu_min", _GREY, ":"),
    ("insulin_mu_min", _RED, "-"),
    ("delivered_mu_min", _NAVY, "--"),
)


def first_splits(splits: Splits) -> dict[Config, pa.Table]:
    """Return, of each config of questions that is there, the rows of its first split."""
    return {
        config: next(iter(splits[config].values())) for config in QA_CONFIGS if config in splits
    }


def widest_splits(splits: Splits) -> dict[Config, pa.Table]:
    """Return, of each config of questions that is there, the rows that hold most of its records."""
    return {
        config: splits[config].get("full", first) for config, first in first_splits(splits).items()
    }


def figures_of(splits: Splits) -> dict[str, str]:
    """Return the caption of each figure that these rows allow, by its path in the release."""
    return {f"{FOLDER}/{name}.png": caption for name, (caption, _) in _drawn(splits).items()}


def write_figures(folder: Path, splits: Splits) -> None:
    """Write the figures of a release.

    Args:
        folder: The release.
        splits: Its rows.
    """
    for name, (_, draw) in _drawn(splits).items():
        path = folder / FOLDER / f"{name}.png"
        path.parent.mkdir(exist_ok=True)
        with style.context("default"), mpl.rc_context({"font.family": ["DejaVu Sans"]}):
            draw().savefig(path, dpi=DPI, metadata={"Software": None})
        with Image.open(path) as image:
            few = image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
        few.save(path, optimize=True)


def _drawn(splits: Splits) -> dict[str, tuple[str, Callable[[], Figure]]]:
    """Return caption and drawing of each figure that these rows allow."""
    found: dict[str, tuple[str, Callable[[], Figure]]] = {}
    asked = widest_splits(splits)
    if asked:
        found["day_profiles"] = (
            "Glucose over the day by config: median, 25-75 % and 5-95 % of all readings",
            lambda: _day_profiles(asked),
        )
    traces = next(iter(splits.get("traces", {}).values()), None)
    faults = {} if traces is None else _first_faults(traces)
    if faults:
        found["faults"] = (
            "The first fault of each label, shaded: what the record shows (red), what it would show "
            "without the fault or, of doses, what was delivered (blue, dashed) and commanded (grey, "
            "dotted), by the hour of the day; other faults may lie beside it",
            lambda: _gallery(traces, faults),
        )
    if asked:
        rows = first_splits(splits)
        found["distributions"] = (
            "Questions of the first split of each config by task type and level, and by ability",
            lambda: _distributions(rows),
        )
    return found


def _day_profiles(asked: Mapping[Config, pa.Table]) -> Figure:
    return profiles_figure(
        {config: [one.glucose for one in records_of(rows)] for config, rows in asked.items()}
    )


Fault = tuple[int, Mapping[str, Any]]
"""A fault and the place of its trace."""


def _first_faults(traces: pa.Table) -> dict[str, Fault]:
    """Return the first fault of each label that the traces hold, in the order of the labels."""
    first: dict[str, Fault] = {}
    for place, events in enumerate(traces.column("faults").to_pylist()):
        for event in events:
            first.setdefault(event["label"], (place, event))
    return {label: first[label] for label in FAULT_LABELS if label in first}


def _gallery(traces: pa.Table, faults: Mapping[str, Fault]) -> Figure:
    lines = -(-len(faults) // _COLUMNS)
    figure = Figure(figsize=(10.5, 1.9 * lines), layout="constrained")
    panels: Iterator[Axes] = iter(figure.subplots(lines, _COLUMNS, squeeze=False).flat)
    for place, event in faults.values():
        _draw_fault(next(panels), traces.slice(place, 1), event)
    for panel in panels:
        panel.set_axis_off()
    return figure


def _draw_fault(panel: Axes, trace: pa.Table, event: Mapping[str, Any]) -> None:
    """Draw a fault of a trace, a table of one row."""
    first, last = (event[name] // SAMPLE_MINUTES for name in ("start", "end"))
    length = len(trace.column("bg_mgdl")[0])
    shown = slice(max(0, first - _AROUND), min(length, last + _AROUND + 1))
    midnight = shown.start // SAMPLES_PER_DAY * SAMPLES_PER_DAY
    hours = (np.arange(shown.start, shown.stop) - midnight) / SAMPLES_PER_HOUR
    marked = ((sample - midnight) / SAMPLES_PER_HOUR for sample in (first - 0.5, last + 0.5))
    panel.axvspan(*marked, color=_ORANGE, alpha=0.25, lw=0)
    if event["label"] in _OF_PUMP:
        for name, colour, line in _DOSES:
            rates = _signal(trace, name, shown)
            panel.step(hours, rates, where="post", color=colour, ls=line, lw=1.1)
        panel.set_yscale("symlog", linthresh=50)
        panel.set_ylabel("mU/min", fontsize=7)
    else:
        panel.axhspan(*RANGE, color=_GREEN, alpha=0.08, lw=0)
        without, reported = (
            _signal(trace, name, shown) for name in ("fault_free_reading", "bg_mgdl")
        )
        panel.plot(hours, without, color=_NAVY, ls="--", lw=1)
        panel.plot(hours, reported, color=_RED, lw=1, marker=".", ms=3)
        panel.set_ylabel("mg/dL", fontsize=7)
    panel.set_title(f"{event['label']} ({event['cause'].replace('_', ' ')})", fontsize=8)
    panel.tick_params(labelsize=7)


def _signal(trace: pa.Table, name: str, part: slice) -> NDArray[np.float64]:
    """Return a part of a signal, NaN where it is missing or all of it is unknown."""
    signal = trace.column(name)[0]
    if not signal.is_valid:
        return np.full(part.stop - part.start, np.nan)
    values = signal.values.slice(part.start, part.stop - part.start)
    return np.array(values.to_pylist(), dtype=np.float64)


def _distributions(rows: Mapping[Config, pa.Table]) -> Figure:
    figure = Figure(figsize=(10.5, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    kinds = {config: Counter(_kinds(table)) for config, table in rows.items()}
    paths = {
        config: Counter(name for path in table.column("abilities").to_pylist() for name in path)
        for config, table in rows.items()
    }
    _draw_bars(left, kinds, "questions by task type and level")
    _draw_bars(right, paths, "questions that need the ability")
    right.legend(fontsize=7, frameon=False, loc="lower right")
    return figure


def _kinds(table: pa.Table) -> Iterator[str]:
    columns = (table.column(name).to_pylist() for name in ("task_type", "cognitive_level"))
    for kind, level in zip(*columns, strict=True):
        yield f"{kind.replace('_', ' ')}, {level}"


def _draw_bars(panel: Axes, counts: Mapping[Config, Counter[str]], title: str) -> None:
    """Draw one bar a name, with a part for each config."""
    names = sorted({name for found in counts.values() for name in found}, reverse=True)
    places = np.arange(len(names))
    start = np.zeros(len(names))
    for colour, (config, found) in zip(
        (_NAVY, _ORANGE, _GREEN, _GREY), counts.items(), strict=False
    ):
        widths = np.array([found[name] for name in names])
        panel.barh(places, widths, left=start, color=colour, label=config)
        start = start + widths
    panel.set_yticks(places, names, fontsize=7)
    panel.tick_params(axis="x", labelsize=7)
    panel.set_title(title, fontsize=9)
