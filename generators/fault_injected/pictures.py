"""Pictures of faults: before, during and after, what was reported and what was true."""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from generators.errors import GeneratorError
from generators.fault_injected.twins import HORIZON, Lives
from generators.simulated.pictures import RANGE, check_format
from generators.trace import (
    MISSING,
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    SAMPLES_PER_HOUR,
    FaultEvent,
    Trace,
    Truth,
)

BEFORE = 3 * SAMPLES_PER_HOUR
_NAVY, _GREEN, _ORANGE, _RED, _GREY = "#1f3b5c", "#3a9d5d", "#d9822b", "#b3362f", "#8a8f98"


def draw_fault(event: FaultEvent, both: Lives, path: Path) -> None:
    """Write a picture of one fault.

    Above: reported and true glucose, and true glucose of the twin without the fault; below:
    commanded, reported and delivered insulin. From three hours before to four hours after.

    Raises:
        GeneratorError: The picture's ending names no known format, or the run holds no truth.
    """
    check_format(path)
    truth, twin = both.there.truth, both.without.truth
    if truth is None or twin is None:
        raise GeneratorError(f"{both.there.trace_id} is no simulation: it holds no truth")
    shown = slice(max(0, event.start - BEFORE), min(event.end + HORIZON, len(both.there)))
    hours = np.arange(shown.start, shown.stop) * SAMPLE_MINUTES / 60
    figure = Figure(figsize=(9, 5.5), layout="constrained")
    glucose, insulin = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    _draw_glucose(glucose, hours, (both.there, truth, twin), shown)
    _draw_insulin(insulin, hours, (both.there, truth), shown)
    first, last = (sample * SAMPLE_MINUTES / 60 for sample in (event.start, event.end + 1))
    for panel in (glucose, insulin):
        panel.axvspan(first, last, color=_ORANGE, alpha=0.2, lw=0)
        panel.legend(loc="upper left", fontsize=8, frameon=False)
    day = event.start // SAMPLES_PER_DAY
    insulin.set_xlabel(f"hour, from day {day + 1} = {24 * day} on")
    figure.suptitle(
        f"{event.label} ({event.cause.replace('_', ' ')}), {both.there.patient_id}", fontsize=10
    )
    figure.savefig(path, dpi=110)


def _draw_glucose(
    panel: Axes, hours: np.ndarray, runs: tuple[Trace, Truth, Truth], shown: slice
) -> None:
    trace, truth, twin = runs
    readings = trace.cgm[shown].astype(np.float64)
    readings[readings == MISSING] = np.nan
    panel.axhspan(*RANGE, color=_GREEN, alpha=0.08, lw=0)
    panel.plot(hours, twin.glucose[shown], color=_GREY, lw=1, ls=":", label="true, without it")
    panel.plot(hours, truth.glucose[shown], color=_NAVY, lw=1, ls="--", label="true")
    panel.plot(hours, readings, color=_RED, lw=1, marker=".", ms=3, label="reported")
    panel.set_ylabel("glucose, mg/dL")


def _draw_insulin(panel: Axes, hours: np.ndarray, run: tuple[Trace, Truth], shown: slice) -> None:
    trace, truth = run
    asked = trace.insulin if truth.commanded is None else truth.commanded
    for name, rate, colour, style in (
        ("commanded", asked, _GREY, ":"),
        ("reported", trace.insulin, _RED, "-"),
        ("delivered", truth.insulin, _NAVY, "--"),
    ):
        panel.step(
            hours, rate[shown] / 10, where="post", color=colour, ls=style, lw=1.2, label=name
        )
    panel.set_yscale("symlog", linthresh=50)
    panel.set_ylabel("insulin, mU/min")
