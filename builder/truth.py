"""What really went wrong in a simulated record, read off its hidden truth and not off its labels.

Reported readings are held against fault-free ones, delivered insulin against what was commanded and
what was reported, announced carbohydrate against eaten. Each deviation is classified by its form.
Where a fault leaves no trace in a sample (a frozen value that happens to be right, insulin withheld
while none is due), that sample may or may not be part of it: an event has a core that must be in an
answer, and a reach beyond which an answer must not go.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.trace import SAMPLE_MINUTES, FaultLabel

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]
Span = tuple[int, int]
"""First and last sample."""

SPIKE = 60
"""mg/dL by which a spiked reading is off, at least."""
LOWEST, HIGHEST = 40, 400
"""Ends of what the sensor can show, mg/dL."""
LEAST_REPLAY = 24
"""Samples of the shortest replay."""
APART = 12
"""Samples without any deviation that part two events at least."""
_SERIES = ("bg_mgdl", "fault_free_reading", "insulin_mu_min", "delivered_mu_min")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Signals:
    """A record with its truth, n samples.

    Attributes:
        reported: Readings in mg/dL, NaN where missing.
        fault_free: Readings without faults, mg/dL.
        insulin: Insulin as reported, mU/min.
        delivered: Insulin as delivered, mU/min.
        commanded: Insulin as the controller and the person asked for it, mU/min; what was reported
            where the traces do not hold it.
        bolus: Part of the reported insulin that came as boluses, mU/min.
        uneaten: Samples in which carbohydrate was announced that was not eaten.
    """

    reported: Values
    fault_free: Values
    insulin: Values
    delivered: Values
    commanded: Values
    bolus: Values
    uneaten: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """An event: its label, the samples that must belong to it and those that may."""

    label: FaultLabel
    core: Span
    reach: Span


def signals_of(row: Mapping[str, Any], samples: int) -> Signals:
    """Return the first samples of a row of the config `traces`."""
    series = {name: np.array(row[name], dtype=np.float64)[:samples] for name in _SERIES}
    commanded = row.get("commanded_mu_min")
    bolus = np.zeros(len(row["bg_mgdl"]))
    for event in row["insulin_events"]:
        bolus[event["time"] // SAMPLE_MINUTES] += event["dosage"] * 1000 / SAMPLE_MINUTES
    meals = zip(row["carb_events"], row["carbs_eaten"], strict=True)
    uneaten = (event["time"] // SAMPLE_MINUTES for event, grams in meals if grams == 0)
    return Signals(
        reported=series["bg_mgdl"],
        fault_free=series["fault_free_reading"],
        insulin=series["insulin_mu_min"],
        delivered=series["delivered_mu_min"],
        commanded=series["insulin_mu_min"]
        if commanded is None
        else np.array(commanded, dtype=np.float64)[:samples],
        bolus=bolus[:samples],
        uneaten=tuple(sample for sample in uneaten if sample < samples),
    )


def deviations(signals: Signals) -> list[Deviation]:
    """Return everything that went wrong; what has no known form is left out."""
    return [
        *_gaps(signals),
        *_sensor_deviations(signals),
        *_pump_deviations(signals),
        *(
            Deviation(label="false_meal", core=(sample, sample), reach=(sample, sample))
            for sample in signals.uneaten
        ),
    ]


def spans_of(flags: Mask, apart: int = 1) -> list[Span]:
    """Return runs of flagged samples; less than `apart` unflagged ones do not part them."""
    places = np.flatnonzero(flags)
    if not places.size:
        return []
    parts = np.split(places, np.flatnonzero(np.diff(places) > apart) + 1)
    return [(int(part[0]), int(part[-1])) for part in parts]


def mask_of(spans: Sequence[Span], samples: int) -> Mask:
    """Return for each sample whether it lies in one of the spans."""
    flags = np.zeros(samples, dtype=np.bool_)
    for first, last in spans:
        flags[first : last + 1] = True
    return flags


def _gaps(signals: Signals) -> Iterator[Deviation]:
    for span in spans_of(np.isnan(signals.reported)):
        yield Deviation(label="missing_signal", core=span, reach=span)


def _sensor_deviations(signals: Signals) -> Iterator[Deviation]:
    off = signals.reported - signals.fault_free
    differs = ~np.isnan(off) & (off != 0)
    zero = signals.reported == 0
    for span in spans_of(zero):
        yield Deviation(label="zero_reading", core=span, reach=span)
    for core in spans_of(differs & ~zero, APART):
        for form in (_spike, _run, _shift, _replay):
            found = form(signals, core)
            if found is not None:
                yield found
                break


def _spike(signals: Signals, core: Span) -> Deviation | None:
    first, last = core
    off = float(signals.reported[first] - signals.fault_free[first])
    if first != last or abs(off) < SPIKE:
        return None
    label: FaultLabel = "positive_spike" if off > 0 else "negative_spike"
    return Deviation(label=label, core=core, reach=core)


def _run(signals: Signals, core: Span) -> Deviation | None:
    """One value again and again: that of the reading before it, or an end of the range."""
    values = signals.reported
    value = values[core[0]]
    if np.any(values[core[0] : core[1] + 1] != value):
        return None
    first, last = _widened(core, values == value)
    if first == last:
        return None
    measured = values[first] == signals.fault_free[first]
    if measured and value not in (LOWEST, HIGHEST):
        return Deviation(label="repeated_reading", core=core, reach=(first + 1, last))
    above = value > np.mean(signals.fault_free[core[0] : core[1] + 1])
    label: FaultLabel = "max_reading" if above else "min_reading"
    return Deviation(label=label, core=core, reach=(first, last))


def _shift(signals: Signals, core: Span) -> Deviation | None:
    """One and the same distance, but for the ends of the range."""
    inside = slice(core[0], core[1] + 1)
    off = signals.reported[inside] - signals.fault_free[inside]
    distance = off[np.argmax(np.abs(off))]
    shifted = np.clip(signals.fault_free + distance, LOWEST, HIGHEST) == signals.reported
    if not shifted[inside].all():
        return None
    label: FaultLabel = "positive_bias" if distance > 0 else "negative_bias"
    return Deviation(label=label, core=core, reach=_widened(core, shifted))


def _replay(signals: Signals, core: Span) -> Deviation | None:
    """What an earlier stretch held, value for value."""
    first, last = core
    length = last - first + 1
    if first < length:
        return None
    earlier = np.lib.stride_tricks.sliding_window_view(signals.reported[:last], length)[:first]
    matches = np.flatnonzero((earlier == signals.reported[first : last + 1]).all(axis=1))
    if not matches.size:
        return None
    lag = first - int(matches[-1])
    same = np.zeros(len(signals.reported), dtype=np.bool_)
    same[lag:] = signals.reported[lag:] == signals.reported[:-lag]
    reach = _widened(core, same)
    if reach[1] - reach[0] + 1 < LEAST_REPLAY:
        return None
    return Deviation(label="repeated_episode", core=core, reach=reach)


def _pump_deviations(signals: Signals) -> Iterator[Deviation]:
    added = _tenths(signals.delivered - signals.commanded)
    hidden = _tenths(signals.insulin - signals.delivered) > 0
    idle = signals.commanded == 0
    for core in spans_of((added < 0) & hidden, APART):
        inside = slice(core[0], core[1] + 1)
        stopped = not signals.delivered[inside][hidden[inside]].any()
        label: FaultLabel = "unknown_stop" if stopped else "unknown_under"
        yield Deviation(label=label, core=core, reach=_widened(core, idle))
    for core in spans_of((added < 0) & ~hidden, APART):
        yield _basal(signals, core, added == 0, ("min_basal", "negative_basal"))
    for core in spans_of(added > 0, APART):
        if core[0] == core[1]:
            yield Deviation(label="false_bolus", core=core, reach=core)
        else:
            yield _basal(signals, core, added == 0, ("max_basal", "positive_basal"))


def _basal(
    signals: Signals, core: Span, unchanged: Mask, labels: tuple[FaultLabel, FaultLabel]
) -> Deviation:
    """Basal insulin at a limit of the record throughout, or else only shifted."""
    level = _tenths(signals.insulin - signals.bolus)
    limit = level.min() if labels[0] == "min_basal" else level.max()
    at_limit = bool((level[core[0] : core[1] + 1] == limit).all())
    silent = unchanged & ((level == limit) if at_limit else (signals.commanded == 0))
    return Deviation(
        label=labels[0] if at_limit else labels[1], core=core, reach=_widened(core, silent)
    )


def _tenths(rate: Values) -> NDArray[np.int64]:
    """Return a rate in tenths of mU/min, the unit of the simulation."""
    return np.rint(10 * rate).astype(np.int64)


def _widened(core: Span, possible: Mask) -> Span:
    """Return a span with the possible samples that adjoin it."""
    flags = possible.copy()
    flags[core[0] : core[1] + 1] = True
    return next(span for span in spans_of(flags) if span[0] <= core[0] <= span[1])
