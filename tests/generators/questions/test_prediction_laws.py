"""What must hold for every prediction: nothing leaks, and a hypothetical says all it adds."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from generators.questions.instances import Instance, first_instance, pose
from generators.questions.prediction.cuts import dose
from generators.questions.registry import TASKS
from generators.questions.task import NotApplicable, Recorded, Task
from generators.questions.text import day_and_clock
from generators.simulated.cohort import Simulation, simulate
from generators.streams import Stream
from generators.trace import (
    Added,
    CarbEvent,
    ExerciseEvent,
    InsulinEvent,
    PatientProfile,
    Trace,
)
from tests.generators.questions.hand_made import at, bolus, bout, flat

PREDICTIONS = [task for task in TASKS.values() if task.prediction]
HYPOTHETICAL = [t for t in PREDICTIONS if t.prediction and t.prediction.added]
SEED = 20261
EVERY = pytest.mark.parametrize("task", PREDICTIONS, ids=lambda task: task.id)
PATIENTS = ("adolescent_007", "adult_006", "child_008")


@cache
def simulation(patient_id: str) -> Simulation:
    return simulate(patient_id, seed=SEED)


@cache
def instance_of(task_id: str) -> Instance:
    """The first patient's instance; few members, so that the tests stay quick."""
    task = TASKS[task_id]
    assert task.prediction is not None
    quick = replace(task, prediction=replace(task.prediction, ensemble=2, least_agreement=0.0))
    for patient_id in PATIENTS:
        posed = first_instance(quick, simulation(patient_id), SEED)
        if isinstance(posed, Instance):
            return posed
    raise AssertionError(f"nobody can be asked {task_id}")


def test_the_predictions_are_those_of_the_benchmark() -> None:
    assert {task.id for task in PREDICTIONS} == {f"pd_{n}" for n in range(21) if n != 16}
    assert all(task.level == "pattern" for task in PREDICTIONS)
    assert len(TASKS) == 127


@EVERY
def test_everything_shown_lies_before_the_cut(task: Task) -> None:
    instance = instance_of(task.id)
    shown, cut = instance.shown, int(instance.given["cut"])
    assert shown.minutes == cut
    assert 28 * 1440 <= cut <= 30 * 1440
    minutes = [event.minute for event in shown.carbs]
    minutes += [event.minute for event in shown.exercise]
    minutes += [event.minute for event in shown.boluses]
    assert all(0 <= minute < cut for minute in minutes)
    assert all(event.minute + event.duration <= cut for event in shown.exercise)


def test_no_record_ends_while_exercise_is_under_way() -> None:
    """The length of a bout that goes on would tell what happens after the cut."""
    course = Recorded(trace=bout(flat(days=31), at(30, "12:00"), 30))
    refused = {
        clock: isinstance(
            pose(TASKS["pd_1"], course, {"first_day": 1, "cut": at(30, clock)}, Stream(1, "")),
            NotApplicable,
        )
        for clock in ("12:00", "12:05", "12:25", "12:30")
    }
    assert refused == {"12:00": False, "12:05": True, "12:25": True, "12:30": False}


class Changed:
    """A course on which everything after the cut of the first record is different."""

    def __init__(self, original: Simulation, cut: int) -> None:
        self.original = original
        trace = original.trace
        cgm, insulin = trace.cgm.copy(), trace.insulin.copy()
        cgm[cut // 5 :], insulin[cut // 5 :] = 333, 12345
        food = CarbEvent(minute=cut, grams=111, meal="late_snack")
        ride = ExerciseEvent(minute=cut, duration=60, kind="cycle", magnitude=77.0)
        dose = InsulinEvent(minute=cut, units=11.1, kind="correction_bolus")
        self.trace = replace(
            trace,
            cgm=cgm,
            insulin=insulin,
            carbs=(*(e for e in trace.carbs if e.minute < cut), food),
            exercise=(*(e for e in trace.exercise if e.minute < cut), ride),
            boluses=(*(e for e in trace.boluses if e.minute < cut), dose),
        )

    def resume(
        self,
        cut: int,
        *,
        until: int,
        added: Added | None = None,
        member: int = 0,
        start: int = 0,
    ) -> Trace:
        return self.original.resume(cut, until=until, added=added, member=member, start=start)


@EVERY
def test_changing_everything_after_the_cut_changes_no_prompt(task: Task) -> None:
    instance = instance_of(task.id)
    drawn = {name: instance.given[name] for name in task.draw}
    cut = (int(drawn["first_day"]) - 1) * 1440 + int(drawn["cut"])
    course = Changed(simulation(instance.shown.patient_id), cut)
    other = pose(instance.task, course, drawn, Stream(1, "wording"))
    same = pose(instance.task, course.original, drawn, Stream(1, "wording"))
    assert isinstance(other, Instance)
    assert isinstance(same, Instance)
    for name in ("given", "question", "instruction", "rationale", "hypothetical", "id"):
        assert getattr(other, name) == getattr(same, name)
    assert np.array_equal(other.shown.cgm, same.shown.cgm)
    assert np.array_equal(other.shown.insulin, same.shown.insulin)
    assert other.shown.carbs == same.shown.carbs
    assert other.shown.exercise == same.shown.exercise
    assert other.shown.boluses == same.shown.boluses
    assert other.shown.profile == same.shown.profile


@pytest.mark.parametrize("task", HYPOTHETICAL, ids=lambda task: task.id)
def test_hypothetical_states_all_that_is_added(task: Task) -> None:
    instance = instance_of(task.id)
    text, given = str(instance.hypothetical), instance.given
    assert task.prediction is not None
    for added in task.prediction.alternatives(given, int(given["cut"])):
        assert added is not None
        for food in added.carbs:
            assert f"{food.grams} g" in text
            assert food.eaten == food.grams
            assert day_and_clock(food.minute)[:5] in text
            assert added.boluses or "takes no bolus" in text
        for injected in added.boluses:
            assert f"{injected.units} U" in text
            assert day_and_clock(injected.minute)[:5] in text
        for event in added.exercise:
            assert f"{event.duration} min at {event.magnitude} " in text
            assert day_and_clock(event.minute) in text
    for said in ("nothing else is eaten", "dosed by hand", "no other exercise", "long-acting"):
        assert said in text


@pytest.mark.parametrize("task", HYPOTHETICAL, ids=lambda task: task.id)
def test_every_number_asked_about_stands_in_the_hypothetical(task: Task) -> None:
    instance = instance_of(task.id)
    for name, value in instance.given.items():
        if f"{{{name}}}" in "".join(wording.text for wording in task.wordings):
            assert re.search(rf"\b{re.escape(str(value))}\b", str(instance.hypothetical)), name


@pytest.mark.parametrize("task", HYPOTHETICAL, ids=lambda task: task.id)
def test_nothing_is_added_while_a_dose_waits_for_its_meal(task: Task) -> None:
    assert task.derive is not None
    instance = instance_of(task.id)
    drawn = {name: instance.given[name] for name in task.draw}
    busy = bolus(instance.shown, instance.shown.minutes - 60, 1.0)
    assert isinstance(task.derive(busy, drawn), NotApplicable)
    assert task.derive(instance.shown, drawn) == instance.given


@pytest.mark.parametrize(
    ("therapy", "age_group", "units", "given"),
    [
        ("hybrid_closed_loop", "adult", 3.026, 3.05),
        ("hybrid_closed_loop", "adult", 0.01, 0.05),
        ("multiple_daily_injections", "adult", 2.5, 3.0),
        ("multiple_daily_injections", "adolescent", 0.2, 1.0),
        ("multiple_daily_injections", "child", 2.24, 2.0),
        ("multiple_daily_injections", "child", 2.25, 2.5),
        (None, None, 30.0, 30.0),
    ],
)
def test_doses_come_in_the_steps_of_the_device(
    therapy: str | None, age_group: str | None, units: float, given: float
) -> None:
    profile = PatientProfile(therapy=therapy, age_group=age_group)  # type: ignore[arg-type]
    assert dose(flat(profile=profile), units) == given


def test_no_dose_is_larger_than_is_given_at_once() -> None:
    assert isinstance(dose(flat(), 30.01), NotApplicable)


def test_a_dose_an_hour_ago_belongs_to_the_past() -> None:
    task = TASKS["pd_3"]
    assert task.derive is not None
    given = {"cut": at(30, "22:00"), "grams": 20, "first_day": 1}
    shown = flat(days=31).between(0, at(30, "22:00"))
    assert task.derive(bolus(shown, at(30, "20:59"), 2.0), given) == given
