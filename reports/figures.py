"""The figures: drawn without a display, in colours that colour-blind people can tell (Okabe-Ito)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito 2008; without its yellow, which is faint on white."""
MARKERS = "osD^vPX<>*"
_FIXED: Any = {"svg.hashsalt": "healthloopqa", "svg.fonttype": "none", "font.size": 9}
_PANELS_PER_ROW = 2


def distributions(table: pd.DataFrame, path: Path) -> None:
    """Draw the share of rows in each tenth of the score, a panel for each task type."""
    kinds = list(table["task_type"].unique())
    with rc_context(_FIXED):
        figure, panels = _panels(len(kinds), (3.6, 2.6))
        for kind, axes in zip(kinds, panels, strict=True):
            axes.set(title=kind.replace("_", " "), xlabel="raw score", ylabel="share of rows")
            for place, (system, part) in enumerate(_systems(table[table["task_type"] == kind])):
                middle = (part["low"] + part["high"]) / 2
                _line(axes, place, middle, part["n"] / part["n"].sum(), system)
            axes.set(xlim=(0, 1), ylim=(0, None))
        _legend(figure, panels)
        _save(figure, path)


def complexity(table: pd.DataFrame, path: Path) -> None:
    """Draw the score by the number of cognitive steps with its interval."""
    with rc_context(_FIXED):
        figure, (axes,) = _panels(1, (6.4, 3.6))
        for place, (system, part) in enumerate(_systems(table)):
            shift = 0.03 * place
            _line(axes, place, part["complexity"] + shift, part["score"], system)
            axes.vlines(
                part["complexity"] + shift,
                part["score_low"],
                part["score_high"],
                color=_colour(place),
                linewidth=1,
            )
        steps = sorted(table["complexity"].unique())
        axes.set(xlabel="cognitive steps", ylabel="mean raw score", ylim=(-0.02, 1.02))
        axes.set_xticks(steps)
        _legend(figure, [axes])
        _save(figure, path)


def prototypes(table: pd.DataFrame, path: Path) -> None:
    """Draw how far the scores of each prototype are spread over tasks and systems."""
    with rc_context(_FIXED):
        figure = Figure(figsize=(7.0, 1.0 + 0.15 * len(table)), layout="constrained")
        axes = figure.add_subplot()
        places = np.arange(len(table))
        kinds = sorted(table["task_type"].unique())
        for order, kind in enumerate(kinds):
            mine = (table["task_type"] == kind).to_numpy()
            colour = _colour(order)
            axes.hlines(places[mine], table["min"][mine], table["max"][mine], color=colour)
            axes.scatter(
                table["score"][mine],
                places[mine],
                color=colour,
                marker=MARKERS[order],
                s=16,
                label=kind.replace("_", " "),
                zorder=3,
            )
        axes.set_yticks(places, table["prototype"], fontsize=6)
        axes.set(xlabel="mean raw score; line: least to most over tasks and systems")
        axes.set(xlim=(-0.02, 1.02), ylim=(-1, len(table)))
        axes.legend(loc="lower right", fontsize=7)
        _save(figure, path)


def requirements(table: pd.DataFrame, path: Path) -> None:
    """Draw the share of passed verdicts by requirement and system with its interval."""
    whole = table[table["factor"] == "all"]
    names = list(whole["requirement"].unique())
    with rc_context(_FIXED):
        figure, (axes,) = _panels(1, (7.0, 3.6))
        keys = ["system", "judge", "truth_shown"]
        groups = list(whole.groupby(keys, sort=True))
        for place, (key, part) in enumerate(groups):
            offset = (place - (len(groups) - 1) / 2) * 0.8 / max(len(groups), 1)
            across = np.array([names.index(name) for name in part["requirement"]]) + offset
            label = f"{key[0]}, by {key[1]}" + ("" if key[2] else ", truth hidden")
            axes.vlines(across, part["share_low"], part["share_high"], color=_colour(place))
            axes.scatter(
                across,
                part["share"],
                color=_colour(place),
                marker=_marker(place),
                label=_label(label),
                s=20,
            )
        axes.set_xticks(range(len(names)), names)
        axes.set(ylabel="share passed", ylim=(-0.02, 1.02))
        _legend(figure, [axes])
        _save(figure, path)


def _systems(table: pd.DataFrame) -> Sequence[tuple[str, pd.DataFrame]]:
    return [(str(name), part) for name, part in table.groupby("system", sort=True)]


def _panels(count: int, size: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    across = min(count, _PANELS_PER_ROW)
    down = -(-count // across)
    figure = Figure(figsize=(size[0] * across, size[1] * down + 0.5), layout="constrained")
    return figure, [figure.add_subplot(down, across, place + 1) for place in range(count)]


def _line(axes: Axes, place: int, across: pd.Series, up: pd.Series, label: str) -> None:
    style = ("-", "--", ":", "-.")[place // len(COLOURS) % 4]
    axes.plot(
        across,
        up,
        color=_colour(place),
        marker=_marker(place),
        linestyle=style,
        markersize=4,
        label=_label(label),
    )


def _label(name: str) -> str:
    """Return a name as a legend shows it: no formula in it, and not hidden for how it begins."""
    printable = "".join(sign if sign.isprintable() else " " for sign in name)
    shown = printable.replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _marker(place: int) -> str:
    return MARKERS[place % len(MARKERS)]


def _legend(figure: Figure, panels: Sequence[Axes]) -> None:
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=7, frameon=False)


def _save(figure: Figure, path: Path) -> None:
    """Write a figure without the date, which would differ from run to run."""
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
