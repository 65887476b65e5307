"""Runs the generators and collects their rows, config by config, patient by patient."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pyarrow as pa

from builder.errors import BuildError
from builder.rows import Origin, instance_id, longevity_table, qa_table, trace_table
from builder.schema import Config, arrow_schema
from builder.workers import EngineName, Progress, each
from generators.fault_injected.inject import FAULT_PATIENT_IDS, simulate_with_faults
from generators.longevity.cases import longevity_rows
from generators.questions.choices import Choices, choices
from generators.questions.instances import Instance, first_instance
from generators.questions.registry import TASKS, task
from generators.questions.task import Course, NotApplicable, Recorded, TaskType
from generators.real_world.meals import with_inferred_meals
from generators.real_world.recordings import ATTRIBUTION, LICENCE, Recordings
from generators.simulated.cohort import simulate
from generators.simulated.fresh import fresh_patients
from generators.simulated.patients import (
    COHORTS,
    PATIENT_IDS,
    Cohort,
    parent_of,
    scaled_cohort,
)
from generators.trace import Trace

CLOSED_LOOP = "only patients on closed loop have faults"
TASK_TYPES: dict[Config, tuple[TaskType, ...]] = {
    "simulated": ("process_mining", "prediction"),
    "fault_injected": ("anomaly_detection",),
    "real_world": ("process_mining", "prediction"),
}
"""Which task types a config of questions asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that is not in the release, and why.

    Attributes:
        config: Where it would have been.
        subject: Patient or trace.
        task_id: The task; None where the whole subject is left out.
        reason: Why.
    """

    config: Config
    subject: str
    reason: str
    task_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Rows of one config.

    Attributes:
        full: All rows.
        traces: Rows for the config `traces`.
        left_out: What is missing from them.
        cleaning: What cleaning did to each recording, by subject and step.
        choices: Ten options for the questions that allow them, by instance_id.
    """

    full: pa.Table
    traces: pa.Table
    left_out: tuple[LeftOut, ...] = ()
    cleaning: dict[str, dict[str, int]] = field(default_factory=dict)
    choices: dict[str, Choices] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What every worker needs to know.

    Attributes:
        config: The config.
        release: Release version.
        seed: Release seed.
        task_ids: Tasks to ask.
        patient_ids: Simulated patients, siblings by their parents; empty for all.
        cohort: Whose patients they are.
        fresh: Whether siblings drawn by the seed stand for the patients of the cohort.
        scaled: Patients of a scaled cohort that takes the place of `cohort`; 0 for none.
    """

    config: Config
    release: str
    seed: int
    task_ids: tuple[str, ...]
    patient_ids: tuple[str, ...] = ()
    cohort: Cohort = "test"
    fresh: bool = False
    scaled: int = 0


def tasks_of(config: Config, only: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of the tasks that a config asks, in declared order.

    Args:
        config: The config.
        only: Ids to restrict them to; empty for all.

    Raises:
        TaskError: One of these ids does not exist.
    """
    wanted = {task(task_id).id for task_id in only} or set(TASKS)
    types = TASK_TYPES[config]
    return tuple(known.id for known in TASKS.values() if known.id in wanted and known.type in types)


def nothing_to_ask(config: Config, task_ids: Sequence[str], patient_ids: Sequence[str]) -> str:
    """Return why a config has nothing to ask when restricted to tasks and patients; "" if it has.

    Args:
        config: A config of questions.
        task_ids: Tasks it is restricted to; empty for all.
        patient_ids: Patients it is restricted to; empty for all. Recordings come restricted.

    Raises:
        TaskError: There is no such task.
    """
    if not tasks_of(config, task_ids):
        kinds = " and ".join(TASK_TYPES[config]).replace("_", " ")
        return f"it asks {kinds}, none of which is {', '.join(task_ids)}"
    if config != "real_world" and not _parents("simulated", patient_ids):
        return f"none of its patients is {', '.join(patient_ids)}"
    if config == "fault_injected" and not _parents(config, patient_ids):
        return f"{CLOSED_LOOP}, not {', '.join(patient_ids)}"
    return ""


def simulated(
    plan: Plan, *, workers: int, progress: Progress, engine: EngineName = "local"
) -> Tables:
    """Return the rows about simulated patients, or about their fault-injected twins."""
    jobs = [(plan, patient) for patient in patients_of(plan)]
    what = plan.config if plan.cohort == "test" else f"{plan.config}, {plan.cohort}"
    return _joined(plan, list(each(of_patient, jobs, workers, what, progress, engine)))


def patients_of(plan: Plan) -> list[str]:
    """Return the patients that a plan asks about, in order.

    Raises:
        GeneratorError: Its cohort is larger than any can be.
    """
    parents = _parents(plan.config, plan.patient_ids)
    return [patient for patient in _members(plan) if parent_of(patient) in parents]


def _members(plan: Plan) -> tuple[str, ...]:
    if plan.scaled:
        return scaled_cohort(plan.scaled)
    return fresh_patients(plan.seed) if plan.fresh else COHORTS[plan.cohort]


def _parents(config: Config, only: Sequence[str]) -> set[str]:
    """Return the patients of a config whose ids, or siblings, it may hold."""
    known = set(FAULT_PATIENT_IDS if config == "fault_injected" else PATIENT_IDS)
    return known & set(only) if only else known


def real_world(
    plan: Plan,
    recordings: Recordings,
    *,
    workers: int,
    progress: Progress,
    engine: EngineName = "local",
) -> Tables:
    """Return the rows about recordings of real people."""
    jobs = [(plan, trace) for trace in recordings.traces]
    made = each(_of_recording, jobs, workers, plan.config, progress, engine)
    tables = _joined(plan, list(made))
    subjects = tuple(
        LeftOut(config=plan.config, subject=left.subject, reason=left.reason)
        for left in recordings.left_out
    )
    days = tuple(
        LeftOut(
            config=plan.config,
            subject=left.subject,
            reason=f"days {', '.join(map(str, left.days))}: {left.reason}",
        )
        for left in recordings.days_left_out
    )
    return replace(
        tables,
        left_out=subjects + days + tables.left_out,
        cleaning={subject: dict(steps) for subject, steps in recordings.counts.items()},
    )


def longevity(release: str, seed: int, *, redrawn: bool) -> Tables:
    """Return the rows of the longevity cases.

    Args:
        release: Release version.
        seed: Release seed.
        redrawn: Whether to draw the measurements of the people anew from the seed, each within the
            region of its verdict. Otherwise they are as written, whatever the seed.
    """
    origin = Origin(source="longevity", release=release, seed=seed)
    cases = longevity_rows("redrawn" if redrawn else "original", seed=seed)
    return Tables(full=longevity_table(cases, origin), traces=arrow_schema("traces").empty_table())


def of_patient(job: tuple[Plan, str]) -> Tables:
    """Return the rows about one simulated patient: questions, trace, what is left out."""
    plan, patient = job
    faulty = plan.config == "fault_injected"
    course = (simulate_with_faults if faulty else simulate)(patient, seed=plan.seed)
    origin = Origin(source=course.trace.source, release=plan.release, seed=plan.seed)
    if course.trace.truth is None:
        raise BuildError(f"the simulation of {patient} holds no truth")
    asked = _asked(plan, course, origin)
    return replace(asked, traces=trace_table(plan.config, course.trace, course.trace.truth, origin))


def without(plan: Plan, patient: str, reason: str) -> Tables:
    """Return the tables of a patient who is left out: no rows, and why."""
    left = LeftOut(config=plan.config, subject=patient, reason=reason)
    return replace(_joined(plan, []), left_out=(left,))


def _of_recording(job: tuple[Plan, Trace]) -> Tables:
    plan, trace = job
    origin = Origin(
        source=trace.source,
        release=plan.release,
        seed=plan.seed,
        licence=LICENCE[trace.source],
        attribution=ATTRIBUTION[trace.source],
    )
    return _asked(plan, Recorded(trace=with_inferred_meals(trace)), origin)


def _asked(plan: Plan, course: Course, origin: Origin) -> Tables:
    instances: list[Instance] = []
    left_out: list[LeftOut] = []
    for task_id in plan.task_ids:
        posed = first_instance(TASKS[task_id], course, plan.seed)
        if isinstance(posed, NotApplicable):
            left_out.append(
                LeftOut(
                    config=plan.config,
                    subject=course.trace.trace_id,
                    task_id=task_id,
                    reason=posed.reason,
                )
            )
        else:
            instances.append(posed)
    return Tables(
        full=qa_table(plan.config, instances, origin),
        traces=arrow_schema("traces").empty_table(),
        left_out=tuple(left_out),
        choices=_choices(plan, instances),
    )


def _choices(plan: Plan, instances: Sequence[Instance]) -> dict[str, Choices]:
    """Return the options of the instances that allow some; only `test` asks for them."""
    if plan.cohort != "test" or plan.scaled:
        return {}
    offered = ((instance, choices(instance, plan.seed)) for instance in instances)
    return {
        instance_id(plan.config, instance, plan.seed): found
        for instance, found in offered
        if isinstance(found, Choices)
    }


def _joined(plan: Plan, parts: Sequence[Tables]) -> Tables:
    return Tables(
        full=pa.concat_tables(
            [arrow_schema(plan.config).empty_table(), *(part.full for part in parts)]
        ),
        traces=pa.concat_tables(
            [arrow_schema("traces").empty_table(), *(part.traces for part in parts)]
        ),
        left_out=tuple(left for part in parts for left in part.left_out),
        choices={name: found for part in parts for name, found in part.choices.items()},
    )
