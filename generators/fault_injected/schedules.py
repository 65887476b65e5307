"""Schedules of faults: which fault hits a patient when, drawn by key.

A schedule is drawn against the record that it disturbs: a spike needs room between 40 and 400
mg/dL, and insulin that silently stops does harm only while it is needed. Since earlier faults move
later glucose, the draw is checked in a run with all of them, and what no longer fits is redrawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from generators.errors import GeneratorError, NoScheduleError
from generators.fault_injected.causes import causes_of
from generators.fault_injected.effects import EFFECTS, LEAST_SPIKE
from generators.fault_injected.fitting import holds, may_hold
from generators.fault_injected.slots import RELEASE_DAYS, RELEASE_SLOTS, Mask, Slot
from generators.fault_injected.twins import moved
from generators.simulated.cohort import simulate
from generators.simulated.patients import PATIENT_IDS, parent_of
from generators.simulated.sensor import HIGHEST, LOWEST
from generators.simulated.therapy import therapy_of
from generators.streams import Stream
from generators.trace import (
    FAULT_LABELS,
    SAMPLE_MINUTES,
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

GAP = SAMPLES_PER_HOUR
"""Least distance between two faults, samples."""
QUIET = 12 * SAMPLES_PER_HOUR
"""Samples at the start of a trace without faults."""
MOST_INTENSITY = 4.0
"""Faults a day in a random schedule, at most."""

_ROOM = 20
"""Room that a drawn spike leaves to the end of the range, mg/dL."""
_STRICT, _ANY_DAY, _LENIENT, _ATTEMPTS = 12, 40, 80, 500
"""Attempts after which a slot may be filled at another time of the day, after which on another day,
after which it may stay empty where another holds its label, and after which the draw is given up."""
_FOLLOWING = (GAP + 1, 3 * SAMPLES_PER_HOUR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What a schedule is drawn for.

    Attributes:
        patient_id: Patient on closed loop.
        seed: Release seed.
        days: Days on which faults lie.
        name: Stream of the draw.
        slots: What it must hold.
    """

    patient_id: str
    seed: int
    days: int
    name: str
    slots: tuple[Slot, ...]


def release_schedule(
    patient_id: str, *, seed: int, days: int = RELEASE_DAYS
) -> tuple[FaultEvent, ...]:
    """Return the faults of a patient in the release with that seed, in time order.

    Args:
        patient_id: One of FAULT_PATIENT_IDS or a sibling of one.
        seed: Release seed.
        days: Length of the record that is shown, at least 30; all faults lie in its first 30 days.

    Raises:
        GeneratorError: The patient is unknown or not on closed loop, or days is below 30.
        NoScheduleError: No fitting schedule was found.
    """
    if days < RELEASE_DAYS:
        raise GeneratorError(
            f"{patient_id}: a fault schedule needs at least {RELEASE_DAYS} days, not {days}"
        )
    return _drawn(
        Draw(
            patient_id=patient_id, seed=seed, days=RELEASE_DAYS, name="faults", slots=RELEASE_SLOTS
        )
    )


def random_schedule(
    patient_id: str,
    *,
    seed: int,
    days: int,
    intensity: float,
    labels: Sequence[FaultLabel] = FAULT_LABELS,
) -> tuple[FaultEvent, ...]:
    """Return faults at random times, every label at least once, in time order.

    Args:
        patient_id: One of FAULT_PATIENT_IDS.
        seed: Release seed.
        days: Length of the record.
        intensity: Faults a day on average, above 0, at most 4.
        labels: Which faults may occur.

    Raises:
        GeneratorError: The patient is unknown or not on closed loop, there is no label or an
            unknown one, or the intensity is out of range or too low for every label to occur.
        NoScheduleError: No fitting schedule was found.
    """
    wrong = [label for label in labels if label not in EFFECTS]
    if wrong or not labels:
        raise GeneratorError(
            f"{patient_id}: there is no fault {', '.join(wrong) or 'to draw'}; possible are "
            + ", ".join(EFFECTS)
        )
    count = round(intensity * days) if 0 < intensity <= MOST_INTENSITY else -1
    if count < len(labels):
        raise GeneratorError(
            f"{patient_id}: {intensity:g} faults a day over {days} days cannot hold each of "
            f"{len(labels)} labels; allowed are up to {MOST_INTENSITY:g} a day"
        )
    stream = Stream(seed, "random_fault_slots", patient_id)
    chosen = [*labels, *(stream.choice(labels) for _ in range(count - len(labels)))]
    slots = tuple(_anywhere(label, days) for label in chosen)
    return _drawn(
        Draw(patient_id=patient_id, seed=seed, days=days, name="random_faults", slots=slots)
    )


def _anywhere(label: FaultLabel, days: int) -> Slot:
    fewest, _ = EFFECTS[label].lasts
    length = _LENGTHS.get(label, (6, 36))
    return Slot(
        label=label,
        causes=causes_of(label),
        days=range(days),
        length=(1, 1) if EFFECTS[label].lasts == (1, 1) else (max(fewest, length[0]), length[1]),
    )


_LENGTHS: dict[FaultLabel, tuple[int, int]] = {
    "repeated_reading": (12, 36),
    "zero_reading": (6, 18),
    "min_reading": (6, 18),
    "max_reading": (6, 18),
    "repeated_episode": (24, 48),
    "positive_basal": (12, 30),
    "max_basal": (12, 30),
    "negative_basal": (18, 48),
    "min_basal": (18, 48),
    "unknown_stop": (36, 48),
    "unknown_under": (36, 48),
}


def _drawn(draw: Draw) -> tuple[FaultEvent, ...]:
    if parent_of(draw.patient_id) not in FAULT_PATIENT_IDS:
        raise GeneratorError(
            f"{draw.patient_id!r} has no fault schedule; closed-loop patients are "
            + ", ".join(FAULT_PATIENT_IDS)
        )
    slots = list(draw.slots)
    trace = _run(draw, ())
    placed: list[FaultEvent | None] = [None] * len(slots)
    for attempt in range(_ATTEMPTS):
        if attempt in (_STRICT, _ANY_DAY):
            days = range(RELEASE_DAYS) if attempt == _ANY_DAY else None
            slots = [_eased(slot, event, days) for slot, event in zip(slots, placed, strict=True)]
        if attempt >= _LENIENT:
            slots, placed = _without_spare(slots, placed)
        _fill(placed, slots, trace, Stream(draw.seed, draw.name, draw.patient_id, attempt))
        events = _in_order(placed)
        trace = _run(draw, events)
        placed = [event if event and holds(event, trace) else None for event in placed]
        _drop_torn_bursts(placed, slots)
        if all(placed):
            placed = [event if event and _shows(draw, event, events) else None for event in placed]
        if all(placed):
            return events
    lacking = [slot.label for slot, event in zip(slots, placed, strict=True) if event is None]
    raise NoScheduleError(
        f"{draw.patient_id}: no fault schedule found for seed {draw.seed} in {_ATTEMPTS} attempts: "
        f"no place for {', '.join(lacking)}; take another seed or fewer faults"
    )


def _run(draw: Draw, events: Sequence[FaultEvent]) -> Trace:
    return simulate(draw.patient_id, seed=draw.seed, days=draw.days, schedule=events).trace


def _in_order(placed: Sequence[FaultEvent | None]) -> tuple[FaultEvent, ...]:
    return tuple(sorted(filter(None, placed), key=lambda event: event.start))


def _eased(slot: Slot, event: FaultEvent | None, days: range | None) -> Slot:
    """Return a slot that could not be filled without its place in the day, or with other days."""
    if event:
        return slot
    return replace(slot, place=None, hours=(0, 24), within_day=False, days=days or slot.days)


def _without_spare(
    slots: Sequence[Slot], placed: Sequence[FaultEvent | None]
) -> tuple[list[Slot], list[FaultEvent | None]]:
    """Return slots and events without the empty slots whose label is held elsewhere."""
    held = {event.label for event in placed if event}
    pairs = zip(slots, placed, strict=True)
    kept = [(slot, event) for slot, event in pairs if event or slot.label not in held]
    return [slot for slot, _ in kept], [event for _, event in kept]


def _drop_torn_bursts(placed: list[FaultEvent | None], slots: Sequence[Slot]) -> None:
    """Drop all events of a burst of which one is missing, in place."""
    starts = [n for n, slot in enumerate(slots) if not slot.follows]
    for first, last in zip(starts, [*starts[1:], len(slots)], strict=True):
        if not all(placed[first:last]):
            placed[first:last] = [None] * (last - first)


def _shows(draw: Draw, event: FaultEvent, events: Sequence[FaultEvent]) -> bool:
    """Return whether the record shows a fault, or glucose moves for it."""
    if event.label not in ("unknown_stop", "unknown_under"):
        return True
    return moved(draw.patient_id, event, events, seed=draw.seed, days=draw.days)


def _fill(
    placed: list[FaultEvent | None], slots: Sequence[Slot], trace: Trace, stream: Stream
) -> None:
    """Draw an event for every slot that has none, in place."""
    for n, slot in enumerate(slots):
        if placed[n] is None:
            others = [event for event in placed if event is not None]
            before = placed[n - 1] if slot.follows else None
            if not slot.follows or before is not None:
                placed[n] = _draw(slot, (others, before), trace, stream)


def _draw(
    slot: Slot,
    context: tuple[Sequence[FaultEvent], FaultEvent | None],
    trace: Trace,
    stream: Stream,
) -> FaultEvent | None:
    """Return the first fitting event among the starts of a slot in random order.

    The context is what is placed already, and what the event follows, if it follows one.
    """
    others, before = context
    length = stream.integer(*slot.length)
    cause = stream.choice(slot.causes)
    strength = stream.uniform(1)[0]
    allowed = _free(others, length, len(trace))
    if slot.place is not None:
        allowed &= slot.place(trace)
    if before is None:
        starts = _starts(slot, length, others, len(trace))
    else:
        starts = before.end + np.arange(*_FOLLOWING)
    starts = starts[starts + length <= len(trace)]
    starts = starts[allowed[starts]]
    order = np.argsort(stream.uniform(len(starts)), kind="stable")
    for start in starts[order].tolist():
        event = FaultEvent(label=slot.label, cause=cause, start=start, end=start + length - 1)
        sized = _sized(event, trace, strength)
        if sized is not None and may_hold(sized, trace):
            return sized
    return None


def _free(others: Sequence[FaultEvent], length: int, samples: int) -> Mask:
    """Return at which samples an event of some length keeps its distance from others."""
    free = np.ones(samples, dtype=np.bool_)
    free[:QUIET] = False
    for event in others:
        free[max(0, event.start - GAP - length + 1) : event.end + GAP + 1] = False
    return free


def _starts(
    slot: Slot, length: int, others: Sequence[FaultEvent], samples: int
) -> NDArray[np.int64]:
    """Return the samples at which a slot's event may start, if it can on a day without its label."""
    first, last = (hour * SAMPLES_PER_HOUR for hour in slot.hours)
    if slot.within_day:
        last = min(last, SAMPLES_PER_DAY - length + 1)
    used = {event.start // SAMPLES_PER_DAY for event in others if event.label == slot.label}
    whole = [day for day in slot.days if day < samples // SAMPLES_PER_DAY]
    days = np.array([day for day in whole if day not in used] or whole, dtype=np.int64)
    return (days[:, None] * SAMPLES_PER_DAY + np.arange(first, last)).reshape(-1)


def _sized(event: FaultEvent, trace: Trace, strength: float) -> FaultEvent | None:
    """Give an event its size; None where there is no room for it or nothing to repeat."""
    low, high = EFFECTS[event.label].usual
    if event.label in ("positive_spike", "negative_spike"):
        reading = _reading(trace, event.start)
        high = min(high, HIGHEST - _ROOM - reading)
        low = max(low, LOWEST + _ROOM - reading)
        low, high = (low, min(high, -LEAST_SPIKE)) if high < 0 else (max(low, LEAST_SPIKE), high)
    if event.label == "repeated_episode":
        days = low // SAMPLES_PER_DAY + int(strength * ((high - low) // SAMPLES_PER_DAY + 1))
        size = days * SAMPLES_PER_DAY
        return replace(event, size=size) if size < event.start - QUIET else None
    if event.label == "false_bolus":
        return _repeating(event, trace, (low, high))
    if low > high:
        return None
    return replace(event, size=low + int(strength * (high - low + 1)))


def _repeating(event: FaultEvent, trace: Trace, ages: tuple[int, int]) -> FaultEvent | None:
    """Let a false bolus repeat the meal bolus that was given closest to a day earlier."""
    lags = [
        event.start - bolus.minute // SAMPLE_MINUTES
        for bolus in trace.boluses
        if bolus.kind == "meal_bolus"
        and ages[0] <= event.start - bolus.minute // SAMPLE_MINUTES <= ages[1]
    ]
    if not lags:
        return None
    return replace(event, size=min(lags, key=lambda lag: (abs(lag - SAMPLES_PER_DAY), lag)))


def _reading(trace: Trace, sample: int) -> int:
    return int(trace.truth.sensor[sample]) if trace.truth else int(trace.cgm[sample])
