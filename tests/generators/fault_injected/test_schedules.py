from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from generators.errors import GeneratorError
from generators.fault_injected.inject import FAULT_PATIENT_IDS, simulate_with_faults
from generators.fault_injected.schedules import GAP, QUIET, holds, release_schedule
from generators.simulated.cohort import simulate
from generators.trace import FaultEvent, FaultLabel, Trace

DAY = 288
SEEDS = (1, 7)
CASES = [(p, seed) for seed in SEEDS for p in FAULT_PATIENT_IDS]


@cache
def run(patient_id: str, seed: int) -> Trace:
    return simulate_with_faults(patient_id, seed=seed, days=30).trace


def events(trace: Trace, label: FaultLabel) -> list[FaultEvent]:
    return [event for event in trace.faults if event.label == label]


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
def test_every_event_does_what_its_label_says(patient_id: str, seed: int) -> None:
    trace = run(patient_id, seed)
    assert trace.truth is not None
    sensor_faults = np.zeros(len(trace), dtype=bool)
    pump_faults = np.zeros(len(trace), dtype=bool)
    for event in trace.faults:
        assert holds(event, trace)
        where = pump_faults if event.label == "unknown_stop" else sensor_faults
        where[event.start : event.end + 1] = True

    assert np.array_equal(trace.cgm[~sensor_faults], trace.truth.sensor[~sensor_faults])
    assert np.array_equal(trace.insulin[~pump_faults], trace.truth.insulin[~pump_faults])
    assert (trace.truth.insulin[pump_faults] == 0).all()
    assert trace.cgm[trace.cgm != -1].min() >= 40


@pytest.mark.parametrize(("patient_id", "seed"), CASES)
def test_every_trace_holds_what_the_questions_need(patient_id: str, seed: int) -> None:
    trace = run(patient_id, seed)

    missing = [np.mean(trace.cgm[d * DAY : (d + 1) * DAY] == -1) for d in range(30)]
    assert max(missing) > 0.3
    assert any(26 <= e.start // DAY <= 27 for e in events(trace, "missing_signal"))
    assert len(events(trace, "missing_signal")) >= 4
    for label in ("positive_spike", "negative_spike"):
        spikes = events(trace, label)
        assert len({spike.start // DAY for spike in spikes}) == len(spikes) >= 4
        assert any(in_hours(spike, 0, 6) for spike in spikes)
        assert any(in_hours(spike, 6, 12) for spike in spikes)
        assert any(spike.start // DAY >= 23 for spike in spikes)
    repeated = events(trace, "repeated_reading")
    long = [event for event in repeated if length(event) >= 36]
    short = [event for event in repeated if 6 <= length(event) <= 24]
    assert len(long) >= 2
    assert len(short) >= 2
    assert any(in_hours(event, 0, 6) for event in long)
    stops = events(trace, "unknown_stop")
    assert 2 <= len(stops) <= 3
    assert all(12 <= length(stop) <= 48 for stop in stops)


def test_patients_and_seeds_have_their_own_times_and_sizes() -> None:
    schedules = [run(p, seed).faults for p, seed in CASES]

    assert len({tuple(event.start for event in faults) for faults in schedules}) == len(CASES)
    sizes = {abs(event.size) for faults in schedules for event in faults}
    assert len(sizes) > 30
    assert max(sizes) <= 120


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


def test_insulin_that_stops_unknown_raises_glucose() -> None:
    rises = []
    for patient_id in FAULT_PATIENT_IDS:
        trace = run(patient_id, 1)
        assert trace.truth is not None
        for stop in events(trace, "unknown_stop"):
            others = tuple(event for event in trace.faults if event != stop)
            without = simulate(patient_id, seed=1, days=30, schedule=others).trace
            assert without.truth is not None
            after = slice(stop.end, stop.end + 24)
            rises.append(trace.truth.glucose[after].mean() - without.truth.glucose[after].mean())

    assert np.mean(np.array(rises) > 0) >= 0.9
    assert np.median(rises) > 10
