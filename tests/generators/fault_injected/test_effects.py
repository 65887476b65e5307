from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from generators.errors import GeneratorError
from generators.simulated.cohort import Simulation, simulate
from generators.trace import MISSING, FaultEvent, FaultLabel, Trace, Truth

PATIENT, DAYS = "adult_004", 4


def event(label: FaultLabel, start: int, end: int | None = None, size: int = 0) -> FaultEvent:
    return FaultEvent(
        label=label, cause="test", start=start, end=start if end is None else end, size=size
    )


@cache
def run(*schedule: FaultEvent) -> Simulation:
    return simulate(PATIENT, seed=1, days=DAYS, schedule=schedule)


def truth(trace: Trace) -> Truth:
    assert trace.truth is not None
    return trace.truth


def differs(trace: Trace) -> NDArray[np.intp]:
    return np.flatnonzero(trace.cgm != truth(trace).sensor)


def high_sample() -> int:
    """A sample at which glucose is high and insulin is commanded, for the next two hours."""
    trace = run().trace
    high = (truth(trace).glucose > 150) & (trace.insulin > 0)
    return next(i for i in range(288, DAYS * 288 - 72) if high[i : i + 24].all())


def test_missing_signal_is_missing_where_it_says_and_nowhere_else() -> None:
    trace = run(event("missing_signal", 400, 430)).trace

    assert np.array_equal(np.flatnonzero(trace.cgm == MISSING), np.arange(400, 431))
    assert np.array_equal(differs(trace), np.arange(400, 431))
    assert np.array_equal(trace.insulin, truth(trace).insulin)


def test_without_readings_scheduled_basal_is_given() -> None:
    trace = run(event("missing_signal", 400, 430)).trace
    boluses = {bolus.minute // 5 for bolus in trace.boluses}
    quiet = [i for i in range(403, 431) if i not in boluses]

    assert len({int(trace.insulin[i]) for i in quiet}) == 1
    assert not any(
        400 <= b.minute // 5 <= 430 for b in trace.boluses if b.kind == "automatic_correction"
    )


@pytest.mark.parametrize(("label", "size"), [("positive_spike", 75), ("negative_spike", -65)])
def test_a_spike_is_one_reading_that_changes_the_dose(label: FaultLabel, size: int) -> None:
    at = high_sample() + 6
    twin, trace = run().trace, run(event(label, at, size=size)).trace

    assert np.array_equal(differs(trace), [at])
    assert int(trace.cgm[at]) - int(truth(trace).sensor[at]) == size
    assert np.array_equal(trace.cgm[:at], twin.cgm[:at])
    assert np.array_equal(trace.insulin[:at], twin.insulin[:at])
    assert not np.array_equal(trace.insulin[at : at + 4], twin.insulin[at : at + 4])


def test_a_spike_stays_within_the_range_of_the_sensor() -> None:
    trace = run(
        event("positive_spike", 400, size=500), event("negative_spike", 430, size=-500)
    ).trace

    assert trace.cgm[400] == 400
    assert trace.cgm[430] == 40


def test_repeated_reading_holds_the_last_value_and_the_controller_believes_it() -> None:
    at = high_sample()
    twin, trace = run().trace, run(event("repeated_reading", at, at + 40)).trace

    assert (trace.cgm[at : at + 41] == trace.cgm[at - 1]).all()
    assert trace.cgm[at - 1] == truth(trace).sensor[at - 1]
    assert set(differs(trace)) <= set(range(at, at + 41))
    assert len(differs(trace)) > 30
    assert not np.array_equal(trace.insulin[at : at + 41], twin.insulin[at : at + 41])


def test_unknown_stop_reports_what_was_commanded_and_glucose_rises() -> None:
    at = high_sample()
    twin, trace = run().trace, run(event("unknown_stop", at, at + 35)).trace

    stopped = truth(trace).insulin != trace.insulin
    assert (truth(trace).insulin[at : at + 36] == 0).all()
    assert set(np.flatnonzero(stopped)) <= set(range(at, at + 36))
    assert trace.insulin[at] == twin.insulin[at] > 0
    assert differs(trace).size == 0
    after = slice(at + 36, at + 48)
    assert truth(trace).glucose[after].mean() > truth(twin).glucose[after].mean() + 10


def test_the_twin_is_the_same_before_the_first_fault() -> None:
    twin, trace = run().trace, run(event("repeated_reading", 500, 540)).trace

    assert np.array_equal(twin.cgm[:500], trace.cgm[:500])
    assert np.array_equal(truth(twin).glucose[:500], truth(trace).glucose[:500])
    assert trace.source == "fault_injected"
    assert trace.trace_id == f"{PATIENT}.s1.faults"


def test_faults_survive_a_continuation_and_are_cut_at_its_end() -> None:
    simulation = run(event("missing_signal", 400, 430), event("repeated_reading", 500, 540))
    whole = simulation.resume(2400, until=DAYS * 1440)
    part = simulation.resume(2400, until=520 * 5)

    assert np.array_equal(whole.cgm, simulation.trace.cgm)
    assert whole.faults == simulation.trace.faults
    assert part.faults == (whole.faults[0], replace(whole.faults[1], end=519))


@pytest.mark.parametrize(
    ("schedule", "reason"),
    [
        ([event("missing_signal", 0, 5)], "free are 1 to"),
        ([event("missing_signal", 9, 5)], "runs backwards"),
        ([event("missing_signal", 5, 9), event("repeated_reading", 9, 12)], "free are 10 to"),
        ([event("missing_signal", 5, 9), event("repeated_reading", 10, 12)], "no reading before"),
        ([event("positive_spike", 5, 6, size=70)], "must last one sample"),
        ([event("positive_spike", 5, size=59)], "allowed is 60 or beyond"),
        ([event("negative_spike", 5, size=70)], "allowed is -60 or beyond"),
        ([event("unknown_stop", 5, size=3)], "allowed is 0"),
        ([event("missing_signal", 5, DAYS * 288)], "beyond the end"),
        ([event("max_basal", 5)], "max_basal cannot be injected; possible are missing_signal"),
    ],
)
def test_schedules_that_make_no_sense_are_refused(schedule: list[FaultEvent], reason: str) -> None:
    with pytest.raises(GeneratorError, match=reason):
        run(*schedule)
