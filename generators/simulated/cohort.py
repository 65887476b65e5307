"""Simulations of the 30 virtual patients: a trace, its continuation from any cut, hypotheticals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from generators.errors import GeneratorError
from generators.fault_injected.effects import apply_faults, check_schedule, false_meals
from generators.simulated.additions import (
    MOST_GRAMS,
    check_added,
    rewritten,
    until_cut,
    with_added,
)
from generators.simulated.controllers import earlier, initial_controller
from generators.simulated.exercise import fitness
from generators.simulated.loop import (
    AUTOMATIC,
    CORRECTION,
    MEAL,
    SAMPLES_PER_CHECKPOINT,
    Body,
    Checkpoints,
    Plan,
    Record,
    advance,
    empty_checkpoints,
    empty_record,
)
from generators.simulated.patients import PATIENT_IDS, patient
from generators.simulated.physiology import initial_state, model_of, open_loop
from generators.simulated.planning import (
    Diary,
    Keys,
    Streams,
    diary,
    exercise_mode,
    lay_out,
    other_diary,
    other_streams,
    streams,
)
from generators.simulated.pump import (
    BOLUS_STEP,
    COUNTS_PER_MILLIUNIT,
    COUNTS_PER_UNIT,
    on_board_table,
)
from generators.simulated.scenario import USUAL, Scenario
from generators.simulated.therapy import REGIMENS, Regimen, regimen_of, settings_of
from generators.trace import (
    MINUTES_PER_DAY,
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    Added,
    CarbEvent,
    ExerciseEvent,
    FaultEvent,
    InsulinEvent,
    InsulinType,
    PatientProfile,
    Trace,
    Truth,
)

__all__ = ["PATIENT_IDS", "Simulation", "simulate", "simulate_open_loop"]

MOST_DAYS = 400
MOST_MEMBERS = 1000
_REMEMBERED, _PARTS = 256, 16
"""Continuations and parts of traces that are kept, since tasks ask for the same ones."""

Event = TypeVar("Event", CarbEvent, ExerciseEvent, InsulinEvent)

_KINDS: tuple[tuple[int, InsulinType], ...] = (
    (MEAL, "meal_bolus"),
    (CORRECTION, "correction_bolus"),
    (AUTOMATIC, "automatic_correction"),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Simulation:
    """A simulated trace that can be continued from any cut.

    Attributes:
        trace: What happened.
        keys: What addresses its draws.
        book: The diary.
        drawn: The random streams.
        record: What the loop recorded.
        checkpoints: States of the loop at every hour.
    """

    trace: Trace
    keys: Keys
    book: Diary
    drawn: Streams
    record: Record
    checkpoints: Checkpoints

    def resume(
        self,
        cut: int,
        *,
        until: int,
        added: Added | None = None,
        member: int = 0,
        start: int = 0,
    ) -> Trace:
        """Simulate on from a cut.

        Args:
            cut: Minute from which on anything may differ, a multiple of 5: the reading at the cut
                is the first that is not known.
            until: Minute at which the returned trace ends, a multiple of 5 after the cut.
            added: None to live on as the diary says. Otherwise only what is added happens after
                the cut: nothing else is eaten, dosed by hand or done, not even to treat a low.
                Basal insulin goes on: the pump's automation, or the daily long-acting dose.
            member: 0 for the noise and diary of the trace; otherwise others after the cut.
            start: Minute at which the returned trace starts, a midnight before `until`.

        Returns:
            The trace from `start` to `until`; before the cut it equals the original.

        Raises:
            GeneratorError: A time lies off the grid or outside the trace, or something that is
                added lies outside its allowed range.
        """
        self._check_times(cut, until, member)
        if added is not None:
            check_added(self.keys.patient_id, added, cut, until)
        since = _first_remembered(self, cut)
        later = _continued(self, cut, until, added, member)
        if since <= start:
            return later.between(start - since, later.minutes)
        return _part(self.trace, start, since).followed_by(later)

    def rerun(self, cut: int, *, until: int, added: Added) -> Trace:
        """Simulate everything again from minute 0, with what is added written into the diary.

        What `resume` computes, by another way: no state is taken over at the cut.

        Args:
            cut: As in `resume`.
            until: As in `resume`.
            added: What alone happens after the cut.

        Raises:
            GeneratorError: As in `resume`.
        """
        self._check_times(cut, until, 0)
        check_added(self.keys.patient_id, added, cut, until)
        samples, first = until // SAMPLE_MINUTES, cut // SAMPLE_MINUTES
        told = lay_out(self.keys, self.book, self.drawn, samples)
        book = rewritten(self.book, added, cut)
        plan = lay_out(self.keys, book, self.drawn, samples)
        plan.announced[:first], plan.announced[first:] = told.announced[:first], 0
        plan.exercise_mode[:first] = told.exercise_mode[:first]
        for bolus in added.boluses:
            plan.by_hand[bolus.minute // SAMPLE_MINUTES] += round(bolus.units * COUNTS_PER_UNIT)
        never_rescued = plan.rescue_delay.copy()
        never_rescued[first:] = -1
        plan = plan._replace(rescue_delay=never_rescued)
        apply_faults(plan, self.trace.faults)
        record, _ = _run(self.keys, plan)
        return _trace(self.trace, book, record, Added(boluses=added.boluses))

    def _check_times(self, cut: int, until: int, member: int) -> None:
        end = self.trace.minutes
        on_grid = cut % SAMPLE_MINUTES == 0 and until % SAMPLE_MINUTES == 0
        if not on_grid or not 0 <= cut < until <= end:
            raise GeneratorError(
                f"{self.trace.trace_id}: cannot simulate from minute {cut} to {until}; "
                f"both must be multiples of 5 with 0 <= cut < until <= {end}"
            )
        if not 0 <= member <= MOST_MEMBERS:
            raise GeneratorError(
                f"{self.trace.trace_id}: member {member} is outside 0 to {MOST_MEMBERS}"
            )


def simulate(
    patient_id: str,
    *,
    seed: int,
    days: int = 38,
    schedule: Sequence[FaultEvent] = (),
    regimen: Regimen | None = None,
    scenario: Scenario = USUAL,
) -> Simulation:
    """Simulate one patient from a Monday at 00:00.

    Args:
        patient_id: One of PATIENT_IDS, or a sibling such as `adult_003.sib2`.
        seed: Release seed.
        days: Length.
        schedule: Faults to inject, in time order and without overlaps.
        regimen: Treatment; None for the patient's own.
        scenario: Variations of eating.

    Raises:
        GeneratorError: Unknown patient, days outside 1 to 400, or a fault that cannot be injected.
    """
    if not 1 <= days <= MOST_DAYS:
        raise GeneratorError(f"{patient_id}: cannot simulate {days} days; allowed 1 to {MOST_DAYS}")
    keys = Keys(
        seed=seed,
        patient_id=patient(patient_id).patient_id,
        regimen=regimen or regimen_of(patient_id),
        scenario=scenario,
    )
    samples = days * SAMPLES_PER_DAY
    faults = tuple(schedule)
    check_schedule(faults, samples)
    book, drawn = _deceived(diary(keys, range(days)), faults), streams(keys, days)
    plan = lay_out(keys, book, drawn, samples)
    apply_faults(plan, faults)
    record, checkpoints = _run(keys, plan)
    frame = Trace(
        trace_id=_trace_id(keys, faulty=bool(faults)),
        patient_id=patient_id,
        source="fault_injected" if faults else "simulated",
        cgm=record.cgm,
        insulin=record.reported,
        profile=_profile(keys),
        faults=faults,
    )
    return Simulation(
        trace=_trace(frame, book, record, Added()),
        keys=keys,
        book=book,
        drawn=drawn,
        record=record,
        checkpoints=checkpoints,
    )


def simulate_open_loop(
    patient_id: str,
    meals: Sequence[tuple[int, float]],
    insulin_u_per_min: NDArray[np.float64],
    minutes: int,
) -> NDArray[np.float64]:
    """Run a patient at rest, without sensor and controller, from basal steady state.

    Args:
        patient_id: One of PATIENT_IDS.
        meals: (minute, g) of each meal; it is eaten at 5 g/min.
        insulin_u_per_min: Insulin delivered in each minute, U/min, (minutes,).
        minutes: Length.

    Returns:
        Glucose at the sensor's site at the end of each minute, mg/dL, (minutes,).

    Raises:
        GeneratorError: Unknown patient, an insulin array of another length, a meal outside the run.
    """
    who = patient(patient_id)
    if minutes < 1 or insulin_u_per_min.shape != (minutes,):
        raise GeneratorError(
            f"{patient_id}: insulin has shape {insulin_u_per_min.shape}, not ({minutes},)"
        )
    eaten = np.zeros(minutes)
    for minute, grams in meals:
        if not 0 <= minute < minutes or not 0 < grams <= MOST_GRAMS:
            raise GeneratorError(
                f"{patient_id}: a meal of {grams:g} g at minute {minute}; allowed are "
                f"0 to {MOST_GRAMS:g} g at 0 to {minutes - 1}"
            )
        eaten[minute] += grams
    insulin = np.ascontiguousarray(insulin_u_per_min, dtype=np.float64)
    return np.asarray(
        open_loop(initial_state(who.steady_state), model_of(who.parameters), eaten, insulin)
    )


@cache
def body_of(patient_id: str, regimen: Regimen | None = None) -> Body:
    """Return what the compiled loop needs to know of a patient, on the usual regimen or another."""
    who = patient(patient_id)
    return Body(
        model=model_of(who.parameters._replace(hr_b=float(fitness(patient_id).rest))),
        settings=settings_of(who, regimen),
        on_board=on_board_table(),
    )


def _run(keys: Keys, plan: Plan) -> tuple[Record, Checkpoints]:
    """Run a plan from basal steady state at minute 0."""
    samples = len(plan.announced)
    body = body_of(keys.patient_id, keys.regimen)
    record, checkpoints = empty_record(samples), empty_checkpoints(samples)
    checkpoints.body[0] = initial_state(patient(keys.patient_id).steady_state)
    checkpoints.control[0] = initial_controller(body.settings)
    advance(0, samples, body, plan, record, checkpoints)
    return record, checkpoints


@lru_cache(maxsize=_PARTS)
def _part(trace: Trace, start: int, end: int) -> Trace:
    return trace.between(start, end)


def _first_remembered(simulation: Simulation, cut: int) -> int:
    """Return the midnight from which on the loop needs to know the past to go on from a cut.

    From the last checkpoint at or before the cut on it is run again; it then looks back on the
    insulin that still acts. A fault may repeat what is a month old.
    """
    if simulation.trace.faults:
        return 0
    checkpoint = cut - cut % (SAMPLES_PER_CHECKPOINT * SAMPLE_MINUTES)
    table = body_of(simulation.keys.patient_id, simulation.keys.regimen).on_board
    return max(0, checkpoint - len(table) * SAMPLE_MINUTES) // MINUTES_PER_DAY * MINUTES_PER_DAY


@lru_cache(maxsize=_REMEMBERED)
def _continued(
    simulation: Simulation, cut: int, until: int, added: Added | None, member: int
) -> Trace:
    """Return what follows a cut, after the day or two before it that the loop needs to know."""
    keys, since = simulation.keys, _first_remembered(simulation, cut)
    book = told = simulation.book.between(since, until)
    drawn = simulation.drawn
    if member:
        book = other_diary(keys, told, cut, until, member)
        drawn = other_streams(keys, drawn, cut, until, member)
    book = book.earlier(since)
    first, samples = (cut - since) // SAMPLE_MINUTES, (until - since) // SAMPLE_MINUTES
    plan = lay_out(keys, book, drawn.since(since // MINUTES_PER_DAY), samples)
    plan.exercise_mode[:first] = exercise_mode(
        [bout.earlier(since) for bout in told.exercise], first
    )
    apply_faults(plan, simulation.trace.faults)
    alone = Added()
    if added is not None:
        alone = added.earlier(since)
        book = until_cut(book, cut - since)
        plan = with_added(keys, plan, book, alone, cut - since)
    record = _run_on(simulation, plan, since // SAMPLE_MINUTES, first)
    return _trace(simulation.trace, book, record, alone)


def _run_on(simulation: Simulation, plan: Plan, before: int, first: int) -> Record:
    """Run a plan from its sample `first` on; it starts so many samples after the simulation."""
    samples = len(plan.announced)
    record, checkpoints = simulation.record.part(before, samples), empty_checkpoints(samples)
    hour = first // SAMPLES_PER_CHECKPOINT
    at = before // SAMPLES_PER_CHECKPOINT + hour
    checkpoints.body[hour] = simulation.checkpoints.body[at]
    checkpoints.control[hour] = earlier(simulation.checkpoints.control[at], before)
    body = body_of(simulation.keys.patient_id, simulation.keys.regimen)
    advance(first, samples, body, plan, record, checkpoints)
    return record


def _trace_id(keys: Keys, *, faulty: bool) -> str:
    parts = [keys.patient_id, f"s{keys.seed}"]
    if keys.regimen != regimen_of(keys.patient_id):
        parts.append(keys.regimen)
    if keys.scenario != USUAL:
        parts.append(keys.scenario.name)
    return ".".join([*parts, "faults"] if faulty else parts)


def _profile(keys: Keys) -> PatientProfile:
    who = patient(keys.patient_id)
    settings = settings_of(who, keys.regimen)
    return PatientProfile(
        age_group=who.age_group,
        age_years=who.age_years,
        weight_kg=round(who.weight_kg, 1),
        therapy=REGIMENS[keys.regimen][1],
        carbohydrate_ratio=float(settings.carbohydrate_ratio),
        correction_factor=float(settings.correction_factor),
        target_mgdl=settings.target,
    )


def _deceived(book: Diary, faults: Sequence[FaultEvent]) -> Diary:
    """Return a diary with the meals that are announced but never eaten."""
    meals = (*book.meals, *false_meals(faults))
    return replace(book, meals=tuple(sorted(meals, key=lambda meal: meal.minute)))


def _trace(frame: Trace, book: Diary, record: Record, added: Added) -> Trace:
    """Return the trace of a record, identified and described as `frame` is."""
    samples = len(record.cgm)
    end = samples * SAMPLE_MINUTES
    rescue = np.flatnonzero(record.rescue)
    carbs = [
        *(
            CarbEvent(minute=m.minute, grams=m.announced, meal=m.kind, eaten=m.eaten)
            for m in book.meals
        ),
        *(
            CarbEvent(minute=sample * SAMPLE_MINUTES, grams=grams, meal="rescue", eaten=grams)
            for sample, grams in zip(rescue.tolist(), record.rescue[rescue].tolist(), strict=True)
        ),
        *added.carbs,
    ]
    return Trace(
        trace_id=frame.trace_id,
        patient_id=frame.patient_id,
        source=frame.source,
        cgm=record.cgm,
        insulin=record.reported,
        carbs=_in_order(carbs, end),
        exercise=_in_order((*book.exercise, *added.exercise), end),
        boluses=_in_order((*_boluses(record), *_long_acting(book), *added.boluses), end),
        profile=frame.profile,
        faults=tuple(
            replace(fault, end=min(fault.end, samples - 1))
            for fault in frame.faults
            if fault.start < samples
        ),
        truth=Truth(
            glucose=record.glucose,
            sensor=record.sensor,
            insulin=record.delivered,
            on_board=record.on_board // COUNTS_PER_MILLIUNIT,
            commanded=record.commanded,
        ),
    )


def _in_order(events: Iterable[Event], end: int) -> tuple[Event, ...]:
    inside = [event for event in events if 0 <= event.minute < end]
    return tuple(sorted(inside, key=lambda event: event.minute))


def _boluses(record: Record) -> list[InsulinEvent]:
    events = []
    for row, kind in _KINDS:
        counts = record.boluses[row]
        samples = np.flatnonzero(counts)
        for sample, count in zip(samples.tolist(), counts[samples].tolist(), strict=True):
            units = count // BOLUS_STEP * 5 / 100
            events.append(InsulinEvent(minute=sample * SAMPLE_MINUTES, units=units, kind=kind))
    return events


def _long_acting(book: Diary) -> list[InsulinEvent]:
    return [
        InsulinEvent(
            minute=dose.minute // SAMPLE_MINUTES * SAMPLE_MINUTES,
            units=float(dose.units),
            kind="long_acting",
        )
        for dose in book.doses
    ]
