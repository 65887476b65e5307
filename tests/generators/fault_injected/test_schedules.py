from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from generators.errors import GeneratorError
from generators.fault_injected.causes import CAUSES
from generators.fault_injected.effects import EFFECTS
from generators.fault_injected.fitting import holds
from generators.fault_injected.inject import FAULT_PATIENT_IDS, simulate_with_faults
from generators.fault_injected.schedules import GAP, QUIET, random_schedule, release_schedule
from generators.fault_injected.slots import (
    around_exercise,
    during_exercise,
    lunch_to_evening,
    soon_after_lunch,
)
from generators.fault_injected.twins import moved
from generators.fault_injected.undelivered import stands_out
from generators.simulated.cohort import simulate
from generators.trace import FAULT_LABELS, FaultEvent, FaultLabel, Trace

DAY = 288
HIDDEN: tuple[FaultLabel, ...] = ("unknown_stop", "unknown_under")
SEVERAL: tuple[FaultLabel, ...] = (
    "positive_spike",
    "negative_spike",
    "missing_signal",
    "repeated_reading",
)
SEEDS = (1, 7)
CASES = [(p, seed) for seed in SEEDS for p in FAULT_PATIENT_IDS]


@cache
def run(patient_id: str, seed: int) -> Trace:
    return simulate_with_faults(patient_id, seed=seed, days=30).trace


def length(event: FaultEvent) -> int:
    return event.end - event.start + 1


def in_hours(event: FaultEvent, first: int, last: int) -> bool:
    return first * 12 <= event.start % DAY < last * 12


def test_the_twenty_on_closed_loop_get_faults() -> None:
    assert len(FAULT_PATIENT_IDS) == 20
    with pytest.raises(GeneratorError, match="'adult_003' has no fault schedule"):
        release_schedule("adult_003", seed=1)
    with pytest.raises(GeneratorError, match="at least 30 days, not 20"):
        release_schedule("adult_004", seed=1, days=20)


@pytest.mark.parametrize(("patient_id", "seed"), CASES)
def test_events_keep_their_distance(patient_id: str, seed: int) -> None:
    faults = run(patient_id, seed).faults

    assert faults[0].start >= QUIET
    assert faults[-1].end < 30 * DAY
    assert all(later.start - earlier.end > GAP for earlier, later in pairwise(faults))


@pytest.mark.parametrize(("patient_id", "seed"), CASES)
def test_every_event_does_what_its_label_says_and_nothing_else_differs(
    patient_id: str, seed: int
) -> None:
    trace = run(patient_id, seed)
    truth = trace.truth
    assert truth is not None
    assert truth.commanded is not None
    assert all(holds(event, trace) for event in trace.faults)
    marked = {
        name: np.zeros(len(trace), dtype=bool) for name in ("sensor", "obeyed", "hidden", "meal")
    }
    for event in trace.faults:
        effect = EFFECTS[event.label]
        place = "sensor" if effect.sensor else "hidden" if event.label in HIDDEN else "obeyed"
        marked["meal" if event.label == "false_meal" else place][event.start : event.end + 1] = True

    assert np.array_equal(trace.cgm[~marked["sensor"]], truth.sensor[~marked["sensor"]])
    assert np.array_equal(trace.insulin[~marked["hidden"]], truth.insulin[~marked["hidden"]])
    assert np.array_equal(trace.insulin[~marked["obeyed"]], truth.commanded[~marked["obeyed"]])
    phantoms = [carbs.minute // 5 for carbs in trace.carbs if carbs.eaten == 0]
    assert phantoms == np.flatnonzero(marked["meal"]).tolist()


@pytest.mark.parametrize(("patient_id", "seed"), CASES)
def test_every_trace_holds_every_label_and_cause(patient_id: str, seed: int) -> None:
    faults = run(patient_id, seed).faults
    counts = Counter(event.label for event in faults)

    assert set(counts) == set(FAULT_LABELS)
    assert all(counts[label] >= 2 for label in SEVERAL)
    assert {event.cause for event in faults} == set(CAUSES)
    assert all(event.label in CAUSES[event.cause].labels for event in faults)


SLOTS: dict[str, Callable[[FaultEvent, Trace], bool]] = {
    "over 7.2 h missing": lambda e, _: (
        e.label == "missing_signal" and length(e) > 86 and e.start // DAY == e.end // DAY
    ),
    "gap on days 27 and 28": lambda e, _: (
        e.label == "missing_signal" and 26 <= e.start // DAY <= 27
    ),
    "frozen for 3 h": lambda e, _: e.label == "repeated_reading" and length(e) >= 36,
    "frozen at night": lambda e, _: (
        e.label == "repeated_reading" and length(e) >= 36 and in_hours(e, 0, 6)
    ),
    "negative bias of 6 h": lambda e, _: e.label == "negative_bias" and length(e) >= 72,
    "positive bias over 1 h": lambda e, _: e.label == "positive_bias" and length(e) > 12,
    "spike from 01 to 03": lambda e, _: e.label == "positive_spike" and in_hours(e, 1, 3),
    "spike at night": lambda e, _: e.label == "negative_spike" and in_hours(e, 0, 6),
    "spike in a morning": lambda e, _: e.label == "positive_spike" and in_hours(e, 6, 12),
    "spike from lunch to 18:00": lambda e, t: (
        e.label == "positive_spike" and bool(lunch_to_evening(t)[e.start])
    ),
    "spike in the 2 h after lunch": lambda e, t: (
        e.label == "negative_spike" and bool(soon_after_lunch(t)[e.start])
    ),
    "spike during exercise": lambda e, t: (
        e.label.endswith("spike") and bool(during_exercise(t)[e.start])
    ),
    "spike in the last 7 days": lambda e, _: e.label.endswith("spike") and e.start // DAY >= 23,
    "sensor fault after lunch in the last 7 days": lambda e, t: (
        EFFECTS[e.label].sensor > 0 and e.start // DAY >= 23 and bool(soon_after_lunch(t)[e.start])
    ),
    "undelivered insulin in the last 7 days": lambda e, _: (
        e.label == "unknown_stop" and e.start // DAY >= 23
    ),
    "held at the bottom while high": lambda e, t: (
        e.label == "min_reading" and bool((t.cgm[e.start - 3 : e.start] > 180).all())
    ),
    "insulin around exercise": lambda e, t: (
        e.label in ("false_bolus", "positive_basal", "max_basal")
        and bool(around_exercise(t)[e.start : e.end + 1].any())
    ),
}


@pytest.mark.parametrize("slot", SLOTS)
def test_at_least_four_in_five_traces_hold_every_slot(slot: str) -> None:
    traces = [run(p, seed) for p, seed in CASES]
    held = [any(SLOTS[slot](event, trace) for event in trace.faults) for trace in traces]

    assert np.mean(held) >= 0.8


@pytest.mark.parametrize(("patient_id", "seed"), CASES[::4])
def test_hidden_faults_move_glucose(patient_id: str, seed: int) -> None:
    faults = run(patient_id, seed).faults

    assert all(
        moved(patient_id, event, faults, seed=seed, days=30)
        for event in faults
        if event.label in HIDDEN
    )


@pytest.mark.parametrize(("patient_id", "seed"), CASES)
def test_insulin_is_taken_away_when_high_and_added_when_low(patient_id: str, seed: int) -> None:
    trace = run(patient_id, seed)
    assert trace.truth is not None
    for event in trace.faults:
        glucose = trace.truth.glucose[event.start]
        if event.label in ("negative_basal", "min_basal"):
            assert glucose > 140
            assert length(event) >= 12
        if event.label in HIDDEN:
            assert stands_out(event, trace)
            assert 36 <= length(event) <= 48
        if event.label in ("false_meal", "false_bolus", "positive_basal", "max_basal"):
            assert glucose < 120
            assert length(event) in (1, *range(12, 100))


@pytest.mark.parametrize("patient_id", ["adult_004", "child_003"])
def test_a_random_schedule_has_its_intensity_and_every_label(patient_id: str) -> None:
    faults = random_schedule(patient_id, seed=3, days=21, intensity=1.5)

    assert len(faults) == round(1.5 * 21)
    assert {event.label for event in faults} == set(FAULT_LABELS)
    assert faults[0].start >= QUIET
    assert all(later.start - earlier.end > GAP for earlier, later in pairwise(faults))
    assert random_schedule(patient_id, seed=3, days=21, intensity=1.5) == faults
    assert random_schedule(patient_id, seed=4, days=21, intensity=1.5) != faults


def test_a_random_schedule_that_cannot_be_is_refused() -> None:
    with pytest.raises(GeneratorError, match="faults a day over 21 days cannot hold each"):
        random_schedule("adult_004", seed=3, days=21, intensity=0.1)
    with pytest.raises(GeneratorError, match="allowed are up to 4 a day"):
        random_schedule("adult_004", seed=3, days=21, intensity=5)
    with pytest.raises(GeneratorError, match="there is no fault to draw"):
        random_schedule("adult_004", seed=3, days=21, intensity=1, labels=())


def test_patients_and_seeds_have_their_own_times_and_sizes() -> None:
    schedules = [run(p, seed).faults for p, seed in CASES]

    assert len({tuple(event.start for event in faults) for faults in schedules}) == len(CASES)
    sizes = {abs(event.size) for faults in schedules for event in faults}
    assert len(sizes) > 30


def test_a_schedule_is_reproducible_and_does_not_depend_on_the_length_shown() -> None:
    trace = run("child_004", 1)

    assert release_schedule("child_004", seed=1, days=38) == trace.faults
    assert simulate_with_faults("child_004", seed=1, days=31).trace.faults == trace.faults


def test_twin_without_faults_is_identical_before_the_first() -> None:
    trace = run("adult_004", 1)
    twin = simulate("adult_004", seed=1, days=30).trace
    first = trace.faults[0].start

    assert np.array_equal(trace.cgm[:first], twin.cgm[:first])
    assert np.array_equal(trace.insulin[:first], twin.insulin[:first])
    assert not np.array_equal(trace.insulin, twin.insulin)
