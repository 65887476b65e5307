"""What recordings hold and lack: figures per subject, and one page with pictures."""

import base64
import html
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from generators.real_world.recordings import Recordings
from generators.trace import MISSING, SAMPLE_MINUTES, SAMPLES_PER_DAY, Trace

SHOWN_DAYS = 30
_WIDTH = 10.0
_TARGET = (70, 180)
Figures = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectQuality:
    """What a subject's 30 shown days hold.

    Attributes:
        subject: Id of the trace.
        source: Where it comes from.
        days: Length of the whole trace.
        readings: Share of samples with a reading.
        mean_mgdl: Mean glucose.
        cv_percent: 100 times standard deviation (n - 1) by mean.
        in_range_percent: Share of readings from 70 to 180 mg/dL.
        insulin: Share of samples with known insulin.
        daily_units: Median of the daily insulin on days with at least 95 % known; None without.
        carb_days: Days with carbohydrate.
        boluses: Number of boluses.
    """

    subject: str
    source: str
    days: float
    readings: float
    mean_mgdl: float
    cv_percent: float
    in_range_percent: float
    insulin: float
    daily_units: float | None
    carb_days: int
    boluses: int


def quality_of(trace: Trace) -> SubjectQuality:
    """Return what a trace's shown days hold."""
    shown = trace.between(0, min(SHOWN_DAYS, len(trace) // SAMPLES_PER_DAY) * 1440)
    present = shown.cgm[shown.cgm != MISSING].astype(np.float64)
    daily = daily_units(shown)
    known = daily[~np.isnan(daily)]
    low, high = _TARGET
    return SubjectQuality(
        subject=trace.trace_id,
        source=trace.source,
        days=round(len(trace) / SAMPLES_PER_DAY, 2),
        readings=round(len(present) / len(shown), 4),
        mean_mgdl=round(float(present.mean()), 1),
        cv_percent=round(float(100 * present.std(ddof=1) / present.mean()), 1),
        in_range_percent=round(float(100 * ((present >= low) & (present <= high)).mean()), 1),
        insulin=round(float((shown.insulin != MISSING).mean()), 4),
        daily_units=round(float(np.median(known)), 1) if known.size else None,
        carb_days=len({event.minute // 1440 for event in shown.carbs}),
        boluses=len(shown.boluses),
    )


def daily_units(trace: Trace, least_known: float = 0.95) -> Figures:
    """Return each whole day's insulin in U, NaN where less than 95 % of it is known."""
    days = trace.insulin[: len(trace) // SAMPLES_PER_DAY * SAMPLES_PER_DAY]
    days = days.reshape(-1, SAMPLES_PER_DAY)
    known = days != MISSING
    units = np.where(known, days, 0).sum(axis=1) * SAMPLE_MINUTES / 10_000
    return np.where(known.mean(axis=1) >= least_known, units, np.nan)


def daily_grams(trace: Trace) -> Figures:
    """Return each whole day's announced carbohydrate, g."""
    grams = np.zeros(len(trace) // SAMPLES_PER_DAY)
    for event in trace.carbs:
        if event.minute // 1440 < len(grams):
            grams[event.minute // 1440] += event.grams
    return grams


def report_page(recordings: Recordings, notes: Sequence[str]) -> str:
    """Return one HTML page: a table, three pictures, what is left out and what cleaning did.

    Args:
        recordings: What was read.
        notes: Lines to stand at its top.
    """
    traces = recordings.traces
    qualities = [asdict(quality_of(trace)) for trace in traces]
    pictures = {
        "Coverage: share of readings and of known insulin by day": _coverage(traces),
        "Glucose over 24 hours: median, and from the 10th to the 90th percentile": _profile(traces),
        "Daily insulin and carbohydrate": _daily(traces),
    }
    left_out = [
        *({"subject": one.subject, "reason": one.reason} for one in recordings.left_out),
        *(
            {"subject": one.subject, "reason": f"days {_listed(one.days)}: {one.reason}"}
            for one in recordings.days_left_out
        ),
    ]
    steps = [{"subject": subject, **counts} for subject, counts in recordings.counts.items()]
    return "\n".join(
        [
            "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
            "<title>Quality of the recordings</title><style>",
            "body{font-family:sans-serif;max-width:70rem;margin:1rem auto;font-size:80%}",
            "td,th{padding:.1rem .5rem;text-align:right;border-bottom:1px solid #ddd}",
            "div{overflow-x:auto}</style></head><body><h1>Quality of the recordings</h1>",
            *(f"<p>{html.escape(note)}</p>" for note in notes),
            _table(qualities),
            *(
                f"<h2>{html.escape(title)}</h2><img alt='{html.escape(title)}' src='{image}'>"
                for title, image in pictures.items()
            ),
            "<h2>Left out or doubtful</h2>",
            _table(left_out),
            "<h2>What cleaning did, over whole recordings</h2>",
            _table(steps),
            "</body></html>",
            "",
        ]
    )


def _listed(days: Sequence[int]) -> str:
    return ", ".join(map(str, days))


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return "<p>Nothing.</p>"
    names = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th>{html.escape(name.replace('_', ' '))}</th>" for name in names)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td>{'' if row.get(name) is None else html.escape(str(row[name]))}</td>"
            for name in names
        )
        + "</tr>"
        for row in rows
    )
    return f"<div><table><tr>{head}</tr>{body}</table></div>"


def _coverage(traces: Sequence[Trace]) -> str:
    longest = max(len(trace) // SAMPLES_PER_DAY for trace in traces)
    figure = Figure(figsize=(_WIDTH, 1.2 + 0.2 * len(traces)), layout="constrained")
    for axes, name in zip(figure.subplots(1, 2, sharey=True), ("cgm", "insulin"), strict=True):
        shares = np.full((len(traces), longest), np.nan)
        for row, trace in enumerate(traces):
            days = getattr(trace, name)[: len(trace) // SAMPLES_PER_DAY * SAMPLES_PER_DAY]
            known = (days.reshape(-1, SAMPLES_PER_DAY) != MISSING).mean(axis=1)
            shares[row, : len(known)] = known
        image = axes.imshow(
            shares, aspect="auto", vmin=0, vmax=1, extent=(0.5, longest + 0.5, len(traces), 0)
        )
        axes.set_title("readings" if name == "cgm" else "known insulin")
        axes.set_xlabel("day (1 is a Monday)")
        axes.set_yticks(np.arange(len(traces)) + 0.5, [trace.trace_id for trace in traces])
    figure.colorbar(image, ax=figure.axes)
    return _drawn(figure)


def _profile(traces: Sequence[Trace]) -> str:
    days = np.concatenate(
        [
            trace.cgm[: len(trace) // SAMPLES_PER_DAY * SAMPLES_PER_DAY].reshape(
                -1, SAMPLES_PER_DAY
            )
            for trace in traces
        ]
    )
    readings = np.where(days == MISSING, np.nan, days)
    hours = np.arange(SAMPLES_PER_DAY) / 12
    bands = np.array([_percentiles(readings[:, i]) for i in range(SAMPLES_PER_DAY)])
    figure = Figure(figsize=(_WIDTH, 3), layout="constrained")
    axes = figure.subplots()
    axes.fill_between(hours, bands[:, 0], bands[:, 2], alpha=0.3)
    axes.plot(hours, bands[:, 1])
    for limit in _TARGET:
        axes.axhline(limit, linewidth=0.8, linestyle="--", color="grey")
    axes.set(xlabel="hour of day", ylabel="mg/dL", xlim=(0, 24), xticks=range(0, 25, 3))
    return _drawn(figure)


def _percentiles(readings: Figures) -> Figures:
    present = readings[~np.isnan(readings)]
    if not present.size:
        return np.full(3, np.nan)
    return np.asarray(np.percentile(present, [10, 50, 90]))


def _daily(traces: Sequence[Trace]) -> str:
    figure = Figure(figsize=(_WIDTH, 4), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    for trace in traces:
        units, grams = daily_units(trace), daily_grams(trace)
        upper.plot(np.arange(len(units)) + 1, units, ".-", linewidth=0.6, label=trace.trace_id)
        lower.plot(np.arange(len(grams)) + 1, grams, ".-", linewidth=0.6)
    upper.set_ylabel("insulin, U")
    lower.set(ylabel="carbohydrate, g", xlabel="day (1 is a Monday)")
    if len(traces) <= 10:
        upper.legend(fontsize="x-small", ncols=5)
    return _drawn(figure)


def _drawn(figure: Figure) -> str:
    """Return a picture as a data URL that is the same every time."""
    content = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "healthloopqa"}):
        figure.savefig(content, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(content.getvalue()).decode()
