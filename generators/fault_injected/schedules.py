"""Schedules of faults: which fault hits a patient when, drawn by key.

A schedule is drawn against the record that it disturbs: a spike needs room between 40 and 400
mg/dL, and insulin that silently stops does harm only while it is needed. Since earlier faults move
later glucose, the draw is checked in a run with all of them, and what no longer fits is redrawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from generators.errors import GeneratorError
from generators.fault_injected.effects import LEAST_SPIKE
from generators.simulated.cohort import simulate
from generators.simulated.patients import PATIENT_IDS, parent_of
from generators.simulated.sensor import HIGHEST, LOWEST
from generators.simulated.therapy import therapy_of
from generators.streams import Stream
from generators.trace import (
    SAMPLES_PER_DAY,
    SAMPLES_PER_HOUR,
    FaultEvent,
    FaultLabel,
    Trace,
)

FAULT_PATIENT_IDS: tuple[str, ...] = tuple(
    patient_id for patient_id in PATIENT_IDS if therapy_of(patient_id) == "hybrid_closed_loop"
)
"""Patients on closed loop: elsewhere there is nothing to deceive."""

LEAST_DAYS = 30
GAP = SAMPLES_PER_HOUR
"""Least distance between two faults, samples."""
QUIET = 12 * SAMPLES_PER_HOUR
"""Samples at the start of a trace without faults."""

_ROOM = 20
"""Room that a drawn spike leaves to the end of the range or below its size, mg/dL."""
_MOST_SPIKE = 120
_HIGH = 140
_ATTEMPTS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A fault that a schedule must hold.

    Attributes:
        label: What happens.
        causes: What may be behind it; one is drawn.
        days: Days on which it may start, 0 is the first.
        hours: Hours of the day between which it starts, first included.
        length: Shortest and longest, samples.
        within_day: Whether it must end on the day on which it starts.
    """

    label: FaultLabel
    causes: tuple[str, ...]
    days: range = range(LEAST_DAYS)
    hours: tuple[int, int] = (0, 24)
    length: tuple[int, int] = (1, 1)
    within_day: bool = False


_LOST = ("communication_loss", "availability_attack")
_STUCK = ("loss_of_sensitivity", "replay_attack")
_STOPPED = ("empty_reservoir", "blocked_infusion_set")
_EARLY, _LAST_WEEK, _LAST_WEEKEND = range(1, 23), range(23, 30), range(26, 28)

RELEASE_SLOTS: tuple[Slot, ...] = (
    Slot(
        label="missing_signal",
        causes=_LOST,
        days=_EARLY,
        hours=(1, 14),
        length=(90, 118),
        within_day=True,
    ),
    Slot(label="missing_signal", causes=_LOST, days=_LAST_WEEKEND, hours=(7, 20), length=(12, 42)),
    Slot(label="repeated_reading", causes=_STUCK, days=_EARLY, hours=(0, 3), length=(36, 54)),
    Slot(label="repeated_reading", causes=_STUCK, days=_EARLY, hours=(8, 17), length=(36, 54)),
    Slot(label="unknown_stop", causes=_STOPPED, hours=(7, 21), length=(18, 48)),
    Slot(label="unknown_stop", causes=_STOPPED, hours=(7, 21), length=(18, 48)),
    Slot(label="unknown_stop", causes=_STOPPED, length=(12, 36)),
    Slot(label="missing_signal", causes=_LOST, length=(4, 24)),
    Slot(label="missing_signal", causes=_LOST, length=(4, 24)),
    Slot(label="repeated_reading", causes=_STUCK, length=(6, 24)),
    Slot(label="repeated_reading", causes=_STUCK, length=(6, 24)),
    Slot(label="positive_spike", causes=("motion",), hours=(1, 3)),
    Slot(label="negative_spike", causes=("pressure_attenuation",), hours=(0, 6)),
    Slot(label="positive_spike", causes=("motion",), hours=(6, 12)),
    Slot(label="negative_spike", causes=("motion",), hours=(6, 12)),
    Slot(label="positive_spike", causes=("motion",), days=_LAST_WEEK),
    Slot(label="negative_spike", causes=("motion",), days=_LAST_WEEK),
    Slot(label="positive_spike", causes=("motion",)),
    Slot(label="negative_spike", causes=("motion",)),
    Slot(label="positive_spike", causes=("motion",)),
    Slot(label="negative_spike", causes=("motion",)),
)
"""What the anomaly questions need of every patient, the hardest to place first."""


def release_schedule(
    patient_id: str, *, seed: int, days: int = LEAST_DAYS
) -> tuple[FaultEvent, ...]:
    """Return the faults of a patient in the release with that seed, in time order.

    Args:
        patient_id: One of FAULT_PATIENT_IDS or a sibling of one.
        seed: Release seed.
        days: Length of the record that is shown, at least 30; all faults lie in its first 30 days.

    Raises:
        GeneratorError: The patient is unknown or not on closed loop, days is below 30, or no
            fitting schedule was found.
    """
    if parent_of(patient_id) not in FAULT_PATIENT_IDS:
        raise GeneratorError(
            f"{patient_id!r} has no fault schedule; closed-loop patients are "
            + ", ".join(FAULT_PATIENT_IDS)
        )
    if days < LEAST_DAYS:
        raise GeneratorError(
            f"{patient_id}: a fault schedule needs at least {LEAST_DAYS} days, not {days}"
        )
    trace = simulate(patient_id, seed=seed, days=LEAST_DAYS).trace
    placed: list[FaultEvent | None] = [None] * len(RELEASE_SLOTS)
    for attempt in range(_ATTEMPTS):
        _fill(placed, trace, Stream(seed, "faults", patient_id, attempt))
        events = tuple(sorted(filter(None, placed), key=lambda event: event.start))
        trace = simulate(patient_id, seed=seed, days=LEAST_DAYS, schedule=events).trace
        placed = [event if event and holds(event, trace) else None for event in placed]
        if all(placed):
            return events
    raise GeneratorError(
        f"{patient_id}: no fault schedule found for seed {seed} in {_ATTEMPTS} attempts; "
        "take another seed"
    )


def holds(event: FaultEvent, trace: Trace) -> bool:
    """Return whether a fault does in a trace what its label says.

    A spike deviates by at least 60 mg/dL; insulin stops while it is commanded and true glucose is
    above 140 at the start and for most of the time; a frozen sensor is told from a body or a
    sensor at its limit by readings before and after that differ from the repeated one.
    """
    if trace.truth is None:
        return True
    during = slice(event.start, event.end + 1)
    if event.label in ("positive_spike", "negative_spike"):
        change = int(trace.cgm[event.start]) - int(trace.truth.sensor[event.start])
        return change * (1 if event.size > 0 else -1) >= LEAST_SPIKE
    if event.label == "unknown_stop":
        return _insulin_is_needed(trace.truth.glucose[during], trace.insulin[during])
    if event.label == "repeated_reading":
        return _run_is_the_fault(event, trace.cgm)
    return True


def _run_is_the_fault(event: FaultEvent, cgm: NDArray[np.int16]) -> bool:
    """Return whether the run of equal readings is one measured value and its repetitions."""
    held = cgm[event.start - 1]
    return bool(
        LOWEST < held < HIGHEST
        and cgm[event.start - 2] != held
        and (event.end + 1 == len(cgm) or cgm[event.end + 1] != held)
    )


def _insulin_is_needed(glucose: NDArray[np.int16], insulin: NDArray[np.int32]) -> bool:
    return bool(
        glucose[0] > _HIGH
        and insulin[0] > 0
        and np.mean(glucose > _HIGH) >= 0.75
        and np.mean(insulin > 0) >= 0.5
    )


def _fill(placed: list[FaultEvent | None], trace: Trace, stream: Stream) -> None:
    """Draw an event for every slot that has none, in place."""
    for n, slot in enumerate(RELEASE_SLOTS):
        if placed[n] is None:
            others = [event for event in placed if event is not None]
            placed[n] = _draw(slot, others, trace, stream)


def _draw(
    slot: Slot, others: Sequence[FaultEvent], trace: Trace, stream: Stream
) -> FaultEvent | None:
    """Return the first fitting event among the starts of a slot in random order."""
    length = stream.integer(*slot.length)
    cause = stream.choice(slot.causes)
    strength = stream.uniform(1)[0]
    used = {event.start // SAMPLES_PER_DAY for event in others if event.label == slot.label}
    blocked = np.zeros(len(trace), dtype=bool)
    for event in others:
        blocked[max(0, event.start - GAP) : event.end + GAP + 1] = True
    starts = _starts(slot, length, used)
    order = np.argsort(stream.uniform(len(starts)), kind="stable")
    for start in starts[order].tolist():
        event = FaultEvent(label=slot.label, cause=cause, start=start, end=start + length - 1)
        if blocked[start : start + length].any():
            continue
        sized = _sized(event, int(_reading(trace, start)), strength)
        if sized is not None and _fits(sized, trace):
            return sized
    return None


def _starts(slot: Slot, length: int, used: set[int]) -> NDArray[np.int64]:
    """Return the samples at which a slot's event may start on a day without its label."""
    first, last = (hour * SAMPLES_PER_HOUR for hour in slot.hours)
    if slot.within_day:
        last = min(last, SAMPLES_PER_DAY - length + 1)
    days = np.array([day for day in slot.days if day not in used], dtype=np.int64)
    starts = (days[:, None] * SAMPLES_PER_DAY + np.arange(first, last)).reshape(-1)
    end = LEAST_DAYS * SAMPLES_PER_DAY - length
    return starts[(starts >= QUIET) & (starts <= end)]


def _reading(trace: Trace, sample: int) -> int:
    return int(trace.truth.sensor[sample]) if trace.truth else int(trace.cgm[sample])


def _sized(event: FaultEvent, reading: int, strength: float) -> FaultEvent | None:
    """Give a spike its size, as far as the range of the sensor leaves room for one."""
    if event.label not in ("positive_spike", "negative_spike"):
        return event
    up = event.label == "positive_spike"
    room = (HIGHEST - reading if up else reading - LOWEST) - _ROOM
    most = min(room, _MOST_SPIKE)
    if most < LEAST_SPIKE:
        return None
    size = LEAST_SPIKE + int(strength * (most - LEAST_SPIKE + 1))
    return replace(event, size=size if up else -size)


def _fits(event: FaultEvent, trace: Trace) -> bool:
    """Return whether an event that is not in the trace yet is likely to hold in it."""
    return event.label != "unknown_stop" or holds(event, trace)
