from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from generators.errors import GeneratorError
from generators.simulated import cohort
from generators.simulated.cohort import (
    PATIENT_IDS,
    Simulation,
    body_of,
    simulate,
    simulate_open_loop,
)
from generators.simulated.exercise import feasible_range
from generators.simulated.loop import Record, advance, empty_checkpoints, empty_record
from generators.simulated.planning import lay_out
from generators.simulated.scenario import REGULAR
from generators.simulated.therapy import therapy_of
from generators.trace import Added, CarbEvent, ExerciseEvent, InsulinEvent, Trace

DAYS = 10
DAY = 1440
CUT = 6 * DAY + 9 * 60 + 35
CLOSED, OPEN, BY_PEN, TEMPORARY = "adult_004", "adult_003", "adult_006", "adult_008"
EVERY_REGIMEN = (CLOSED, TEMPORARY, OPEN, BY_PEN)


@cache
def run(patient_id: str = CLOSED, seed: int = 1) -> Simulation:
    return simulate(patient_id, seed=seed, days=DAYS)


def assert_equal(a: Trace, b: Trace) -> None:
    assert np.array_equal(a.cgm, b.cgm)
    assert np.array_equal(a.insulin, b.insulin)
    assert a.truth is not None
    assert b.truth is not None
    assert np.array_equal(a.truth.glucose, b.truth.glucose)
    assert np.array_equal(a.truth.sensor, b.truth.sensor)
    assert np.array_equal(a.truth.insulin, b.truth.insulin)
    assert (a.carbs, a.exercise, a.boluses, a.profile) == (
        b.carbs,
        b.exercise,
        b.boluses,
        b.profile,
    )


def until(trace: Trace, minute: int) -> Trace:
    """The part of a trace before a minute, however its end lies."""
    return replace(
        trace,
        cgm=trace.cgm[: minute // 5],
        insulin=trace.insulin[: minute // 5],
        carbs=tuple(e for e in trace.carbs if e.minute < minute),
        exercise=tuple(e for e in trace.exercise if e.minute < minute),
        boluses=tuple(e for e in trace.boluses if e.minute < minute),
        truth=trace.truth
        and replace(
            trace.truth,
            glucose=trace.truth.glucose[: minute // 5],
            sensor=trace.truth.sensor[: minute // 5],
            insulin=trace.truth.insulin[: minute // 5],
        ),
    )


def disturbed_record(simulation: Simulation, size: float) -> Record:
    """What the same plan gives when every state moves by up to a relative size every minute."""
    samples = len(simulation.trace)
    plan = lay_out(simulation.keys, simulation.book, simulation.drawn, samples)
    record, states = empty_record(samples), empty_checkpoints(samples)
    states.body[0] = simulation.checkpoints.body[0]
    states.control[0] = simulation.checkpoints.control[0]
    body = body_of(simulation.keys.patient_id)
    advance(0, samples, body, plan._replace(disturbance=size), record, states)
    return record


@pytest.mark.parametrize("patient_id", PATIENT_IDS)
def test_every_patient_lives_within_what_can_be(patient_id: str) -> None:
    trace = simulate(patient_id, seed=3, days=7).trace

    assert trace.trace_id == f"{patient_id}.s3"
    assert trace.source == "simulated"
    assert trace.minutes == 7 * DAY
    assert 40 <= trace.cgm.min() <= trace.cgm.max() <= 400
    assert 85 < trace.cgm.mean() < 240
    assert trace.truth is not None
    assert np.array_equal(trace.truth.sensor, trace.cgm)
    if trace.profile.therapy != "multiple_daily_injections":
        assert np.array_equal(trace.truth.insulin, trace.insulin)
    assert np.abs(trace.truth.glucose - trace.cgm).mean() < 20
    assert trace.faults == ()


def test_boluses_and_basal_add_up_to_what_is_reported() -> None:
    trace = run().trace
    basal = trace.insulin.copy()
    for bolus in trace.boluses:
        assert bolus.units * 20 == pytest.approx(round(bolus.units * 20))
        basal[bolus.minute // 5] -= round(bolus.units * 2000)

    assert basal.min() >= 0
    assert (basal % 5 == 0).all()
    assert basal.max() <= 2 * body_of(CLOSED).settings.basal


@pytest.mark.parametrize(
    ("patient_id", "therapy", "kinds"),
    [
        (CLOSED, "hybrid_closed_loop", {"automatic_correction"}),
        (TEMPORARY, "hybrid_closed_loop", {"automatic_correction"}),
        (OPEN, "sensor_augmented_pump", set()),
        (BY_PEN, "multiple_daily_injections", {"long_acting"}),
    ],
)
def test_therapies_do_what_they_say(patient_id: str, therapy: str, kinds: set[str]) -> None:
    trace = run(patient_id).trace

    assert {e.kind for e in trace.boluses} == {"meal_bolus", "correction_bolus"} | kinds
    assert trace.profile.therapy == therapy_of(patient_id) == therapy


@pytest.mark.parametrize(("patient_id", "step"), [(BY_PEN, 1.0), ("child_005", 0.5)])
def test_by_pen_the_series_holds_exactly_the_injections(patient_id: str, step: float) -> None:
    trace = run(patient_id).trace
    injected = np.zeros(len(trace), dtype=np.int64)
    for event in trace.boluses:
        assert event.units % (1.0 if event.kind == "long_acting" else step) == 0
        injected[event.minute // 5] += round(event.units * 2000)

    assert np.array_equal(trace.insulin, injected)
    doses = [event for event in trace.boluses if event.kind == "long_acting"]
    assert DAYS - 1 <= len(doses) <= DAYS  # the last one may be late, beyond the end
    assert len({event.units for event in doses}) == 1


def test_long_acting_insulin_goes_on_in_a_hypothetical() -> None:
    trace = run(BY_PEN).resume(CUT, until=CUT + DAY, added=Added())

    assert {e.kind for e in trace.boluses if e.minute >= CUT} == {"long_acting"}


def test_the_target_is_raised_for_exercise() -> None:
    simulation = run(CLOSED)
    plan = lay_out(simulation.keys, simulation.book, simulation.drawn, len(simulation.trace))
    bout = simulation.trace.exercise[0]

    assert plan.exercise_mode[(bout.minute - 60) // 5 : (bout.minute + bout.duration) // 5].all()
    assert not plan.exercise_mode[(bout.minute - 60) // 5 - 1]
    quiet = lay_out(
        simulation.keys,
        replace(simulation.book, exercise=()),
        simulation.drawn,
        len(simulation.trace),
    )
    assert not quiet.exercise_mode.any()


def test_what_is_on_board_is_known_for_every_sample() -> None:
    trace = run(BY_PEN).trace
    assert trace.truth is not None
    assert trace.truth.on_board is not None
    bolus = next(event for event in trace.boluses if event.kind == "meal_bolus")
    before, after = trace.truth.on_board[bolus.minute // 5 : bolus.minute // 5 + 2]

    assert after - before == pytest.approx(1000 * bolus.units, rel=0.05, abs=60)


def test_another_regimen_and_scenario_have_their_own_trace_id() -> None:
    trace = simulate(CLOSED, seed=1, days=1, regimen="injections", scenario=REGULAR).trace

    assert trace.trace_id == f"{CLOSED}.s1.injections.regular"
    assert trace.profile.therapy == "multiple_daily_injections"
    assert simulate(CLOSED, seed=1, days=1, regimen="pid").trace.trace_id == f"{CLOSED}.s1"


def test_profile_is_what_a_reader_may_know() -> None:
    profile = run().trace.profile

    assert (profile.age_group, profile.age_years, profile.weight_kg) == ("adult", 66, 63.0)
    assert (profile.carbohydrate_ratio, profile.correction_factor) == (16.0, 39.0)
    assert profile.target_mgdl == 130


def test_rescue_carbohydrate_follows_a_low() -> None:
    trace = simulate("adolescent_007", seed=1, days=DAYS).trace
    assert trace.truth is not None
    rescues = [event for event in trace.carbs if event.meal == "rescue"]

    assert rescues
    for event in rescues:
        before = slice(max(0, event.minute // 5 - 7), event.minute // 5)
        assert trace.cgm[before].min() < 65 or trace.truth.glucose[before].min() < 55
        assert event.grams == event.eaten == 15


def test_a_patient_does_not_depend_on_what_else_ran() -> None:
    alone = simulate(CLOSED, seed=8, days=3)
    for patient_id in PATIENT_IDS[::7]:
        simulate(patient_id, seed=8, days=2)

    assert_equal(simulate(CLOSED, seed=8, days=3).trace, alone.trace)


def test_threads_change_nothing() -> None:
    patients = PATIENT_IDS[:6]
    with ThreadPoolExecutor(2) as pool:
        threaded = list(pool.map(lambda p: simulate(p, seed=4, days=2).trace, patients))

    for patient_id, trace in zip(patients, threaded, strict=True):
        assert_equal(trace, simulate(patient_id, seed=4, days=2).trace)


def test_days_before_the_end_do_not_depend_on_the_length() -> None:
    assert_equal(until(run().trace, 4 * DAY), simulate(CLOSED, seed=1, days=4).trace)


def test_seeds_share_nothing() -> None:
    first, second = run(seed=1).trace, run(seed=2).trace

    assert not np.array_equal(first.cgm[:288], second.cgm[:288])
    assert {e.minute for e in first.carbs} != {e.minute for e in second.carbs}


@pytest.mark.parametrize("patient_id", EVERY_REGIMEN)
@pytest.mark.parametrize("cut", [0, 5, 60, 715, DAY, CUT, 9 * DAY + 1435])
def test_unchanged_continuation_equals_the_original(patient_id: str, cut: int) -> None:
    simulation = run(patient_id)

    assert_equal(simulation.resume(cut, until=DAYS * DAY), simulation.trace)


def test_continuation_may_end_early_anywhere() -> None:
    end = CUT + 185

    assert_equal(run().resume(CUT, until=end), until(run().trace, end))


@pytest.mark.parametrize("patient_id", EVERY_REGIMEN)
def test_members_share_the_past_and_differ_afterwards(patient_id: str) -> None:
    simulation = run(patient_id)
    members = [simulation.resume(CUT, until=8 * DAY, member=member) for member in range(1, 6)]

    for trace in members:
        assert_equal(until(trace, CUT), until(simulation.trace, CUT))
        assert not np.array_equal(trace.cgm[CUT // 5 :], simulation.trace.cgm[CUT // 5 : 8 * 288])
    assert len({trace.cgm[-288:].tobytes() for trace in members}) == 5
    assert_equal(simulation.resume(CUT, until=8 * DAY, member=3), members[2])


@pytest.mark.parametrize("patient_id", EVERY_REGIMEN)
@pytest.mark.parametrize("cut", [DAY, CUT, 8 * DAY - 5])
def test_what_the_loop_no_longer_remembers_changes_nothing(
    patient_id: str, cut: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A continuation laid out from a day or two before the cut is that of the whole record."""
    added = Added(boluses=(InsulinEvent(minute=cut, units=2.0, kind="correction_bolus"),))
    short = run(patient_id)
    whole = simulate(patient_id, seed=1, days=DAYS)
    courses = [(member, extra) for member in (0, 1, 2) for extra in (None, added)]
    found = [
        short.resume(cut, until=cut + DAY, member=member, added=extra) for member, extra in courses
    ]
    monkeypatch.setattr(cohort, "_first_remembered", lambda _simulation, _cut: 0)
    for (member, extra), trace in zip(courses, found, strict=True):
        assert_equal(whole.resume(cut, until=cut + DAY, member=member, added=extra), trace)


def test_a_continuation_may_start_at_any_midnight() -> None:
    whole = run().resume(CUT, until=CUT + 600, member=1)
    for day in range(CUT // DAY + 1):
        part = run().resume(CUT, until=CUT + 600, member=1, start=day * DAY)
        assert_equal(part, whole.between(day * DAY, whole.minutes))
    with pytest.raises(GeneratorError, match="start at a midnight"):
        run().resume(CUT, until=CUT + 600, start=5)


def test_a_long_acting_dose_of_another_day_may_come_earlier() -> None:
    """The original of that day is late, beyond the end, and replaced all the same."""
    book = run(BY_PEN).book
    late = max(book.doses, key=lambda dose: dose.minute % DAY)
    assert late in book.between(late.day * DAY, late.day * DAY + 5).doses


def test_members_eat_each_meal_once_a_day() -> None:
    for member in range(1, 21):
        trace = run().resume(CUT, until=9 * DAY, member=member)
        kinds = [(e.meal, e.minute // DAY) for e in trace.carbs if e.meal != "rescue"]
        assert len(kinds) == len(set(kinds))
        bouts = [bout.minute // DAY for bout in trace.exercise]
        assert len(bouts) == len(set(bouts))


def test_a_hypothetical_holds_only_what_is_added() -> None:
    added = Added(
        carbs=(CarbEvent(minute=CUT + 12, grams=50, meal="breakfast"),),
        boluses=(InsulinEvent(minute=CUT + 10, units=3.15, kind="meal_bolus"),),
        exercise=(ExerciseEvent(minute=CUT + 200, duration=30, kind="walk", magnitude=3.0),),
    )
    trace = run().resume(CUT, until=CUT + DAY, added=added)

    assert_equal(until(trace, CUT), until(run().trace, CUT))
    assert tuple(e for e in trace.carbs if e.minute >= CUT) == added.carbs
    assert tuple(e for e in trace.exercise if e.minute >= CUT) == added.exercise
    later = [e for e in trace.boluses if e.minute >= CUT]
    assert [e for e in later if e.kind != "automatic_correction"] == list(added.boluses)
    assert trace.insulin[(CUT + 10) // 5] >= 6300


@pytest.mark.parametrize("patient_id", [CLOSED, OPEN])
def test_what_is_added_has_its_effect(patient_id: str) -> None:
    simulation = run(patient_id)
    low, high = feasible_range(patient_id, "cycle") or (0.0, 0.0)
    end = CUT + 180

    def course(added: Added) -> NDArray[np.int16]:
        trace = simulation.resume(CUT, until=end, added=added)
        assert trace.truth is not None
        return trace.truth.glucose[CUT // 5 :]

    def glucose(added: Added) -> int:
        return int(course(added)[-1])

    def peak(added: Added) -> int:
        return int(course(added).max())

    nothing = glucose(Added())
    meal = CarbEvent(minute=CUT, grams=60, meal="lunch")
    bolus = InsulinEvent(minute=CUT, units=2.0, kind="correction_bolus")
    ride = ExerciseEvent(minute=CUT, duration=45, kind="cycle", magnitude=(low + high) // 10 * 5)
    assert peak(Added(carbs=(meal,))) > peak(Added()) + 10
    assert peak(Added(carbs=(meal,))) > peak(Added(carbs=(replace(meal, eaten=30.0),)))
    assert glucose(Added(boluses=(bolus,))) < nothing - 8
    assert glucose(Added(exercise=(ride,))) < nothing - 5


def test_nothing_added_means_no_food_even_when_low() -> None:
    simulation = run("adolescent_007")
    bolus = InsulinEvent(minute=CUT, units=10.0, kind="correction_bolus")
    trace = simulation.resume(CUT, until=CUT + 360, added=Added(boluses=(bolus,)))

    assert trace.cgm[-36:].min() < 65
    assert all(event.minute < CUT for event in trace.carbs)


@pytest.mark.slow
def test_disturbing_every_body_every_minute_changes_no_row_in_900_patient_days() -> None:
    for patient_id in PATIENT_IDS:
        simulation = simulate(patient_id, seed=20261, days=30)
        disturbed = disturbed_record(simulation, 1e-12)

        assert np.array_equal(disturbed.cgm, simulation.record.cgm)
        assert np.array_equal(disturbed.reported, simulation.record.reported)
        assert np.array_equal(disturbed.boluses, simulation.record.boluses)
        assert np.array_equal(disturbed.rescue, simulation.record.rescue)


def test_a_larger_disturbance_is_seen() -> None:
    assert not np.array_equal(disturbed_record(run(), 1e-4).cgm, run().record.cgm)


@pytest.mark.parametrize("days", [0, -3, 401])
def test_impossible_lengths_are_refused(days: int) -> None:
    with pytest.raises(GeneratorError, match=f"cannot simulate {days} days; allowed 1 to 400"):
        simulate(CLOSED, seed=1, days=days)


def test_unknown_patient_is_refused() -> None:
    with pytest.raises(GeneratorError, match="did you mean adult_00"):
        simulate("adult_0004", seed=1)


@pytest.mark.parametrize(
    ("cut", "end"), [(-5, 100), (7, 100), (100, 100), (100, 102), (100, DAYS * DAY + 5)]
)
def test_cuts_off_the_grid_or_outside_are_refused(cut: int, end: int) -> None:
    with pytest.raises(GeneratorError, match=f"minute {cut} to {end}.*until <= {DAYS * DAY}"):
        run().resume(cut, until=end)


@pytest.mark.parametrize(
    ("added", "reason"),
    [
        (Added(carbs=(CarbEvent(minute=CUT - 1, grams=10, meal="lunch"),)), "outside"),
        (Added(carbs=(CarbEvent(minute=CUT + 300, grams=10, meal="lunch"),)), "outside"),
        (Added(carbs=(CarbEvent(minute=CUT, grams=5000, meal="lunch"),)), "up to 300 g"),
        (Added(carbs=(CarbEvent(minute=CUT, grams=0, meal="lunch"),)), "up to 300 g"),
        (Added(boluses=(InsulinEvent(minute=CUT, units=0.07, kind="meal_bolus"),)), "0.05 U"),
        (Added(boluses=(InsulinEvent(minute=CUT, units=90, kind="meal_bolus"),)), "up to 30 U"),
        (
            Added(exercise=(ExerciseEvent(minute=CUT, duration=300, kind="walk", magnitude=3),)),
            "1 to 180 min",
        ),
        (
            Added(exercise=(ExerciseEvent(minute=CUT, duration=30, kind="walk", magnitude=9),)),
            "allowed are 2.5 to 3.7 mph",
        ),
    ],
)
def test_impossible_additions_are_refused_with_what_is_allowed(added: Added, reason: str) -> None:
    with pytest.raises(GeneratorError, match=reason):
        run().resume(CUT, until=CUT + 300, added=added)


def test_member_beyond_range_is_refused() -> None:
    with pytest.raises(GeneratorError, match="member -1 is outside 0 to"):
        run().resume(CUT, until=CUT + 5, member=-1)


def test_open_loop_refuses_inputs_that_do_not_fit() -> None:
    with pytest.raises(GeneratorError, match=r"shape \(3,\), not \(5,\)"):
        simulate_open_loop(CLOSED, [], np.zeros(3), 5)
    with pytest.raises(GeneratorError, match="400 g at minute 2"):
        simulate_open_loop(CLOSED, [(2, 400.0)], np.zeros(5), 5)


@pytest.mark.parametrize("patient_id", EVERY_REGIMEN)
def test_rerun_from_the_start_gives_what_resuming_gives(patient_id: str) -> None:
    """An addition written into the diary and run from minute 0 is the second computation."""
    cut = 6 * DAY + 16 * 60
    low, _ = feasible_range(patient_id, "cycle") or (0.0, 0.0)
    added = Added(
        carbs=(CarbEvent(minute=cut + 7, grams=40, meal="lunch", eaten=40),),
        exercise=(ExerciseEvent(minute=cut + 60, duration=30, kind="cycle", magnitude=low),),
        boluses=(InsulinEvent(minute=cut + 5, units=2.0, kind="meal_bolus"),),
    )
    for extra in (added, Added()):
        resumed = run(patient_id).resume(cut, until=cut + 600, added=extra)
        again = run(patient_id).rerun(cut, until=cut + 600, added=extra)
        assert np.array_equal(resumed.cgm, again.cgm)
        assert np.array_equal(resumed.insulin, again.insulin)
        assert resumed.boluses == again.boluses
        assert resumed.exercise == again.exercise
        assert [(e.minute, e.grams) for e in resumed.carbs] == [
            (e.minute, e.grams) for e in again.carbs
        ]


def test_rerun_refuses_what_resume_refuses() -> None:
    with pytest.raises(GeneratorError, match="multiples of 5"):
        run().rerun(7, until=100, added=Added())
    late = Added(boluses=(InsulinEvent(minute=100, units=1.0, kind="meal_bolus"),))
    with pytest.raises(GeneratorError, match="outside"):
        run().rerun(0, until=100, added=late)
