"""From instances and traces to Arrow tables in the release's schema."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from string import ascii_uppercase
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from builder.schema import INPUT_CONTEXT, Config, arrow_schema
from eval_tasks.metrics import METRIC_NAMES
from eval_tasks.prompts import person_and_record
from eval_tasks.question import Question
from eval_tasks.record.shown import whole
from generators.questions.choices import Choices
from generators.questions.instances import Instance, as_json
from generators.questions.text import clock
from generators.simulated.hazards import hazard_levels
from generators.trace import MINUTES_PER_DAY, MISSING, SAMPLE_MINUTES, Trace, Truth

CANARY = (
    "HealthLoopQA benchmark data must not appear in training corpora. "
    "healthloopqa:canary:0f2b7c1e-5d0a-4f6e-9b39-7f4c2a8d6e15"
)
"""Stands in every row and in the card, so that training corpora that hold the data can be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where rows come from: source, release, licence (SPDX identifier), attribution."""

    source: str
    release: str
    seed: int
    licence: str = "CC-BY-4.0"
    attribution: str = "HealthLoopQA"

    def provenance(self, task_revision: int = 1) -> dict[str, object]:
        """Return the provenance column of a row."""
        return {**asdict(self), "task_revision": task_revision, "canary": CANARY}


def qa_table(config: Config, instances: Sequence[Instance], origin: Origin) -> pa.Table:
    """Return the rows of questions, one per instance, each with its record inside."""
    rows = [_qa_row(config, instance, origin) for instance in instances]
    schema = arrow_schema(config)
    table = pa.Table.from_pylist(
        rows, schema=schema.remove(schema.get_field_index("input_context"))
    )
    return table.append_column(
        schema.field("input_context"), _contexts([instance.shown for instance in instances])
    )


def trace_table(config: Config, trace: Trace, truth: Truth, origin: Origin) -> pa.Table:
    """Return one row of the config `traces`: a whole trace with its hidden truth."""
    context = context_of(trace)
    row = {
        "trace_id": trace.trace_id,
        "patient_id": trace.patient_id,
        "config": config,
        "patient_profile": asdict(trace.profile),
        "carbs_eaten": [
            event.grams if event.eaten is None else event.eaten for event in trace.carbs
        ],
        "faults": [
            {
                "label": fault.label,
                "cause": fault.cause,
                "start": fault.start * SAMPLE_MINUTES,
                "end": fault.end * SAMPLE_MINUTES,
                "size": fault.size,
            }
            for fault in trace.faults
        ],
        "provenance": origin.provenance(),
    }
    arrays = {
        **{field.name: context.field(field.name) for field in INPUT_CONTEXT},
        "true_glucose": _one_list(pa.array(truth.glucose)),
        "fault_free_reading": _one_list(pa.array(truth.sensor)),
        "delivered_mu_min": _one_list(pa.array(truth.insulin / 10.0)),
        "hazard": _one_list(pa.array(hazard_levels(truth.glucose))),
    }
    if truth.commanded is not None:
        arrays["commanded_mu_min"] = _one_list(pa.array(truth.commanded / 10.0))
    if truth.on_board is not None:
        arrays["on_board_u"] = _one_list(pa.array(truth.on_board / 1000.0))
    schema = arrow_schema("traces")
    return pa.Table.from_arrays(
        [arrays.get(field.name, pa.array([row.get(field.name)], field.type)) for field in schema],
        schema=schema,
    )


def choice_table(questions: pa.Table, choices: Mapping[str, Choices]) -> pa.Table:
    """Return the rows of the config `multiple_choice`: those questions that have options.

    Args:
        questions: Rows of questions, in the order in which they shall stand.
        choices: Options by instance_id.
    """
    asked = [name in choices for name in questions.column("instance_id").to_pylist()]
    rows = (
        _choice_row(row, choices[row["instance_id"]])
        for batch in questions.filter(pa.array(asked, pa.bool_())).to_batches(max_chunksize=16)
        for row in batch.to_pylist()
    )
    return pa.Table.from_pylist(list(rows), schema=arrow_schema("multiple_choice"))


def longevity_table(cases: Iterable[Mapping[str, object]], origin: Origin) -> pa.Table:
    """Return the rows of the longevity cases."""
    provenance = origin.provenance()
    rows = [{**case, "provenance": provenance} for case in cases]
    return pa.Table.from_pylist(rows, schema=arrow_schema("longevity"))


def questions_of(table: pa.Table) -> Iterator[Question]:
    """Yield what each row of questions or longevity cases asks, without unpacking its record."""
    if "input_context" not in table.column_names:
        yield from map(Question.from_row, table.to_pylist())
        return
    lengths = pc.list_value_length(pc.struct_field(table.column("input_context"), "bg_mgdl"))
    rows = table.drop_columns(["input_context"]).to_pylist()
    for row, samples in zip(rows, lengths.to_pylist(), strict=True):
        yield Question.from_row({**row, "input_context": {"bg_mgdl": range(samples)}})


def context_of(trace: Trace) -> pa.StructArray:
    """Return what a reader sees of a trace as one value of the column `input_context`."""
    events = {
        "carb_events": [
            {
                **_when(event.minute),
                "carbs": event.grams,
                "meal_type": "unspecified" if event.inferred else event.meal,
            }
            for event in trace.carbs
        ],
        "exercise_events": [
            {
                **_when(event.minute),
                "duration": event.duration,
                "magnitude": event.magnitude,
                "exercise_type": event.kind,
            }
            for event in trace.exercise
        ],
        "insulin_events": [
            {**_when(event.minute), "dosage": event.units, "insulin_type": event.kind}
            for event in trace.boluses
        ],
    }
    series = {
        "bg_mgdl": pa.array(trace.cgm, mask=trace.cgm == MISSING),
        "insulin_mu_min": pa.array(trace.insulin / 10.0, mask=trace.insulin == MISSING),
    }
    return pa.StructArray.from_arrays(
        [
            _one_list(series[field.name])
            if field.name in series
            else pa.array([events[field.name]], field.type)
            for field in INPUT_CONTEXT
        ],
        fields=list(INPUT_CONTEXT),
    )


def _qa_row(config: Config, instance: Instance, origin: Origin) -> dict[str, object]:
    task, shown = instance.task, instance.shown
    return {
        "instance_id": instance_id(config, instance, origin.seed),
        "task_id": task.id,
        "parameters": as_json(instance.parameters),
        "task_type": task.type,
        "cognitive_level": task.level,
        "abilities": list(task.path),
        "streams": list(task.streams),
        "complexity": len(task.path),
        "prototype": task.prototype,
        "patient_id": shown.patient_id,
        "trace_id": shown.trace_id,
        "question": instance.question,
        "instruction": instance.instruction,
        "rationale": instance.rationale,
        "answer_type": task.answer_type,
        "metric": METRIC_NAMES[task.answer_type],
        "options": [one for one in task.options if f'"{one}"' in instance.instruction],
        "unit": task.unit,
        "answer": as_json(instance.answer),
        "example_answer": as_json(task.example),
        "patient_profile": asdict(shown.profile),
        "agreement": instance.agreement,
        "spread": instance.spread,
        "cut_minute": shown.minutes if task.prediction else None,
        "hypothetical": instance.hypothetical,
        "provenance": origin.provenance(task.revision),
    }


def _choice_row(row: Mapping[str, Any], offered: Choices) -> dict[str, object]:
    copied = ("task_id", "task_type", "cognitive_level", "patient_id", "trace_id", "provenance")
    return {
        **{name: row[name] for name in copied},
        "instance_id": f"multiple_choice/{row['instance_id']}",
        "question_id": row["instance_id"],
        "record": person_and_record(
            row["patient_profile"], whole(row["input_context"]), "structured"
        ),
        "question": f"{row['question']}\n\n{row['instruction']}",
        "choices": list(offered.options),
        "target": ascii_uppercase[offered.right],
        "kinds": list(offered.kinds),
    }


def instance_id(config: Config, instance: Instance, seed: int) -> str:
    """Return an id that stands for one row, whatever the seed.

    The id of a simulated trace holds the seed; that of a recording does not, although the seed
    decides what is asked of it, and in which words.
    """
    name = f"{config}/{instance.id}"
    return f"{name}/s{seed}" if config == "real_world" else name


def _contexts(traces: Sequence[Trace]) -> pa.Array:
    """Return the column `input_context`, building each different record once."""
    spans: dict[tuple[str, int, bytes], int] = {}
    arrays: list[pa.StructArray] = []
    places: list[int] = []
    for trace in traces:
        key = (trace.trace_id, len(trace), trace.cgm[:288].tobytes())
        if key not in spans:
            spans[key] = len(arrays)
            arrays.append(context_of(trace))
        places.append(spans[key])
    if not arrays:
        return pa.array([], INPUT_CONTEXT)
    return pa.concat_arrays(arrays).take(pa.array(places))


def _one_list(values: pa.Array) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), values)


def _when(minute: int) -> dict[str, object]:
    return {"time": minute, "day": minute // MINUTES_PER_DAY + 1, "time_str": clock(minute)}
