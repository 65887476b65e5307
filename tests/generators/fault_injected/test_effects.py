from dataclasses import replace
from functools import cache
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from generators.errors import GeneratorError
from generators.simulated.cohort import Simulation, body_of, simulate
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


@pytest.mark.parametrize(("label", "size"), [("positive_bias", 40), ("negative_bias", -32)])
def test_a_bias_shifts_readings_and_the_controller_follows(label: FaultLabel, size: int) -> None:
    at = high_sample()
    twin, trace = run().trace, run(event(label, at, at + 20, size=size)).trace
    off = trace.cgm.astype(int) - truth(trace).sensor

    assert set(np.flatnonzero(off)) == set(range(at, at + 21))
    assert (off[at : at + 21] == size).all()
    commanded = trace.insulin[at : at + 40].sum() - twin.insulin[at : at + 40].sum()
    assert commanded * size > 0


@pytest.mark.parametrize(
    ("label", "size", "shown"),
    [("zero_reading", 0, 0), ("min_reading", 40, 40), ("max_reading", 400, 400)],
)
def test_a_held_sensor_shows_one_value(label: FaultLabel, size: int, shown: int) -> None:
    at = high_sample()
    twin, trace = run().trace, run(event(label, at, at + 11, size=size)).trace

    assert np.array_equal(differs(trace), np.arange(at, at + 12))
    assert (trace.cgm[at : at + 12] == shown).all()
    assert not np.array_equal(trace.insulin[at : at + 12], twin.insulin[at : at + 12])


def test_a_replay_shows_what_was_reported_before() -> None:
    trace = run(event("repeated_episode", 700, 730, size=288)).trace

    assert np.array_equal(trace.cgm[700:731], trace.cgm[412:443])
    assert set(differs(trace)) <= set(range(700, 731))
    assert len(differs(trace)) > 20


def test_a_false_meal_is_announced_and_dosed_for_but_never_eaten() -> None:
    twin, trace = run().trace, run(event("false_meal", 600, size=45)).trace
    added = [carbs for carbs in trace.carbs if carbs.eaten == 0]

    assert [(carbs.minute, carbs.grams) for carbs in added] == [(3000, 45)]
    assert any(b.minute == 3000 and b.kind == "meal_bolus" for b in trace.boluses)
    assert np.array_equal(trace.insulin, truth(trace).insulin)
    assert truth(trace).glucose[624:660].mean() < truth(twin).glucose[624:660].mean() - 5


def test_a_false_bolus_repeats_an_earlier_one_and_lowers_glucose() -> None:
    meal = next(b for b in run().trace.boluses if b.kind == "meal_bolus" and b.minute > 1440)
    lag = 600 - meal.minute // 5
    twin, trace = run().trace, run(event("false_bolus", 600, size=lag)).trace
    again = [b for b in trace.boluses if b.minute == 3000]

    assert [(b.units, b.kind) for b in again] == [(meal.units, "meal_bolus")]
    assert np.array_equal(trace.insulin, truth(trace).insulin)
    assert np.array_equal(np.flatnonzero(trace.insulin != commanded(trace)), [600])
    assert truth(trace).glucose[624:660].mean() < truth(twin).glucose[624:660].mean() - 5


@pytest.mark.parametrize(
    ("label", "size", "sign"),
    [
        ("positive_basal", 100, 1),
        ("max_basal", 0, 1),
        ("negative_basal", -50, -1),
        ("min_basal", 0, -1),
    ],
)
def test_a_manipulated_basal_is_reported_as_delivered(
    label: FaultLabel, size: int, sign: int
) -> None:
    at = high_sample()
    trace = run(event(label, at, at + 23, size=size)).trace
    boluses = {bolus.minute // 5 for bolus in trace.boluses}
    basal = [int(trace.insulin[i]) for i in range(at, at + 24) if i not in boluses]
    change = trace.insulin.astype(int) - commanded(trace)

    assert np.array_equal(trace.insulin, truth(trace).insulin)
    assert differs(trace).size == 0
    assert set(np.flatnonzero(change)) <= set(range(at, at + 24))
    assert sign * change[at] > 0
    assert (sign * change >= 0).all()
    most = 4 * body_of(PATIENT).settings.basal
    forced = {"max_basal": most, "min_basal": 0}
    assert set(basal) == {forced[label]} if label in forced else 0 < max(basal) < most


def test_unknown_under_delivers_part_of_what_is_reported() -> None:
    at = high_sample()
    twin, trace = run().trace, run(event("unknown_under", at, at + 35, size=-60)).trace
    during = slice(at, at + 36)

    assert np.array_equal(trace.insulin, commanded(trace))
    assert np.array_equal(truth(trace).insulin[during], trace.insulin[during] * 40 // 100)
    lacking = np.flatnonzero(truth(trace).insulin != trace.insulin)
    assert set(lacking) <= set(range(at, at + 36))
    after = slice(at + 36, at + 48)
    assert truth(trace).glucose[after].mean() > truth(twin).glucose[after].mean() + 5


def commanded(trace: Trace) -> NDArray[np.int32]:
    asked = truth(trace).commanded
    assert asked is not None
    return asked


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
        ([event("missing_signal", 5, 9), event("repeated_reading", 9, 30)], "free are 10 to"),
        ([event("missing_signal", 5, 9), event("repeated_reading", 10, 30)], "no reading before"),
        ([event("positive_spike", 5, 6, size=70)], "lasts 2 samples; allowed are 1 to 1"),
        ([event("positive_spike", 5, size=59)], "allowed is 60 to 500"),
        ([event("negative_spike", 5, size=70)], "allowed is -500 to -60"),
        ([event("unknown_stop", 5, size=3)], "allowed is 0 to 0"),
        ([event("false_meal", 5, size=4)], "allowed is 5 to 150"),
        ([event("repeated_episode", 400, 422, size=288)], "lasts 23 samples"),
        ([event("repeated_episode", 400, 450, size=50)], "must lie before it"),
        ([event("repeated_episode", 287, 320, size=288)], "inside the record: 34 to 287"),
        ([event("false_bolus", 100, size=101)], "inside the record: 1 to 100"),
        ([event("missing_signal", 5, DAYS * 288)], "beyond the end"),
        (
            [event(cast("FaultLabel", "flood"), 5)],
            "there is no fault 'flood', only missing",
        ),
    ],
)
def test_schedules_that_make_no_sense_are_refused(schedule: list[FaultEvent], reason: str) -> None:
    with pytest.raises(GeneratorError, match=reason):
        run(*schedule)
