"""Every column of every config, defined once: the writer, the card and the validator use this."""

from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

Config = Literal[
    "simulated", "fault_injected", "real_world", "longevity", "multiple_choice", "traces"
]
Split = Literal["test", "full", "train", "validation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column: name, Arrow type, whether null may occur, and what it means."""

    name: str
    type: pa.DataType
    about: str
    nullable: bool = False


_TIME_FIELDS = [
    pa.field("time", pa.int32()),
    pa.field("day", pa.int16()),
    pa.field("time_str", pa.string()),
]


def _event(*fields: tuple[str, pa.DataType]) -> pa.DataType:
    return pa.list_(pa.struct([*_TIME_FIELDS, *(pa.field(name, kind) for name, kind in fields)]))


CARB_EVENTS = _event(("carbs", pa.float64()), ("meal_type", pa.string()))
EXERCISE_EVENTS = _event(
    ("duration", pa.int32()), ("magnitude", pa.float64()), ("exercise_type", pa.string())
)
INSULIN_EVENTS = _event(("dosage", pa.float64()), ("insulin_type", pa.string()))

INPUT_CONTEXT = pa.struct(
    [
        pa.field("bg_mgdl", pa.list_(pa.int16())),
        pa.field("carb_events", CARB_EVENTS),
        pa.field("exercise_events", EXERCISE_EVENTS),
        pa.field("insulin_mu_min", pa.list_(pa.float64())),
        pa.field("insulin_events", INSULIN_EVENTS),
    ]
)
PATIENT_PROFILE = pa.struct(
    [
        pa.field("age_group", pa.string()),
        pa.field("age_years", pa.int16()),
        pa.field("weight_kg", pa.float64()),
        pa.field("therapy", pa.string()),
        pa.field("carbohydrate_ratio", pa.float64()),
        pa.field("correction_factor", pa.float64()),
        pa.field("target_mgdl", pa.int16()),
    ]
)
PROVENANCE = pa.struct(
    [
        pa.field("source", pa.string()),
        pa.field("release", pa.string()),
        pa.field("seed", pa.int64()),
        pa.field("task_revision", pa.int16()),
        pa.field("licence", pa.string()),
        pa.field("attribution", pa.string()),
        pa.field("canary", pa.string()),
    ]
)
PASSAGES = pa.list_(
    pa.struct(
        [
            pa.field("id", pa.string()),
            pa.field("title", pa.string()),
            pa.field("abstract", pa.string()),
            pa.field("year", pa.int16()),
            pa.field("doi", pa.string()),
            pa.field("score", pa.float64()),
        ]
    )
)
_TEXTS = pa.list_(pa.string())

QA_COLUMNS = (
    Column(
        name="instance_id",
        type=pa.string(),
        about="stable, readable, stands for one row over all seeds",
    ),
    Column(name="task_id", type=pa.string(), about="for example pm_14"),
    Column(
        name="parameters",
        type=pa.string(),
        about="what was drawn for this row, JSON object; inferred_meals lists the meals whose names "
        "the record does not state and are guesses",
    ),
    Column(
        name="task_type",
        type=pa.string(),
        about="process_mining, anomaly_detection or prediction",
    ),
    Column(name="cognitive_level", type=pa.string(), about="descriptive, memory or pattern"),
    Column(name="abilities", type=_TEXTS, about="cognitive path in order, for example TR, QC"),
    Column(name="streams", type=_TEXTS, about="which parts of the record the answer needs"),
    Column(name="complexity", type=pa.int8(), about="number of cognitive steps"),
    Column(name="prototype", type=pa.string(), about="what the task asks about, in a word or two"),
    Column(name="patient_id", type=pa.string(), about="patient or subject"),
    Column(
        name="trace_id",
        type=pa.string(),
        about="trace; of simulated patients it joins traces, which holds no recordings",
    ),
    Column(name="question", type=pa.string(), about="in the voice of a patient, parent, clinician"),
    Column(name="instruction", type=pa.string(), about="every definition the answer needs"),
    Column(name="rationale", type=pa.string(), about="how the answer is found, step by step"),
    Column(
        name="answer_type",
        type=pa.string(),
        about="number, integer, signed, minute, category, day, day_list, hour_list, pair_list "
        "or intervals",
    ),
    Column(name="metric", type=pa.string(), about="how the raw score is computed"),
    Column(
        name="options",
        type=_TEXTS,
        about="allowed answers of a category, those that the instruction names; else empty",
    ),
    Column(name="unit", type=pa.string(), about="unit of the answer", nullable=True),
    Column(name="answer", type=pa.string(), about="gold answer, JSON"),
    Column(name="example_answer", type=pa.string(), about="shape of an answer, JSON, one per task"),
    Column(name="patient_profile", type=PATIENT_PROFILE, about="what a reader may know"),
    Column(
        name="agreement",
        type=pa.float64(),
        about="share of re-simulations with the same answer (predictions of a category)",
        nullable=True,
    ),
    Column(
        name="spread",
        type=pa.float64(),
        about="standard deviation over re-simulations (predictions of a number), in the unit",
        nullable=True,
    ),
    Column(
        name="cut_minute",
        type=pa.int32(),
        about="minute at which the record ends (predictions)",
        nullable=True,
    ),
    Column(
        name="hypothetical",
        type=pa.string(),
        about="what is added after the cut (predictions)",
        nullable=True,
    ),
    Column(
        name="provenance", type=PROVENANCE, about="source, release, seed, licence (SPDX), canary"
    ),
    Column(
        name="input_context",
        type=INPUT_CONTEXT,
        about="the record: bg_mgdl (mg/dL, one value per 5 min, null where missing), "
        "insulin_mu_min (mU/min, basal and bolus together, one value per 5 min, null where "
        "unknown; of injections all units, long-acting too, in the sample of the injection, so "
        "that totals equal those of insulin_events), carb_events (g), exercise_events (min; mph or W), insulin_events (U)",
    ),
)

LONGEVITY_COLUMNS = (
    Column(name="case_id", type=pa.string(), about="item and factors, unique"),
    Column(name="item_id", type=pa.string(), about="the profile"),
    Column(
        name="item_variant",
        type=pa.string(),
        about="original, age_twin, redrawn, hard_distractor, paraphrased or imported",
    ),
    Column(name="intervention", type=pa.string(), about="what the person asks about"),
    Column(name="age_group", type=pa.string(), about="20-39, 40-60 or over 60"),
    Column(name="age_years", type=pa.int16(), about="age; null in imported items", nullable=True),
    Column(name="sex", type=pa.string(), about="F or M; null in imported items", nullable=True),
    Column(name="conditions", type=_TEXTS, about="conditions that the profile meets"),
    Column(name="background", type=pa.string(), about="short or verbose"),
    Column(name="profile_form", type=pa.string(), about="list or paragraph"),
    Column(name="distractor", type=pa.bool_(), about="whether irrelevant facts are added"),
    Column(
        name="system_prompt_level",
        type=pa.string(),
        about="minimal, specific, role_encouraging, requirements_specific, requirements_explicit",
    ),
    Column(name="system_prompt", type=pa.string(), about="system message"),
    Column(name="user_prompt", type=pa.string(), about="user message"),
    Column(
        name="passages",
        type=PASSAGES,
        about="retrieved passages that the user message shows, best first; empty without retrieval",
    ),
    Column(name="options", type=_TEXTS, about="yes, no"),
    Column(name="answer", type=pa.string(), about="ground truth, JSON"),
    Column(name="deciding_rules", type=_TEXTS, about="rules that decide, with their sources"),
    Column(name="commentary", type=pa.string(), about="why, for the judge"),
    Column(name="keywords", type=_TEXTS, about="terms a good answer would use"),
    Column(name="critical_facts", type=_TEXTS, about="facts that must be addressed"),
    Column(name="supporting_facts", type=_TEXTS, about="facts of which two thirds must be"),
    Column(name="key_hazard", type=pa.string(), about="the danger to name"),
    Column(name="next_step", type=pa.string(), about="what should happen next"),
    Column(name="physician_reviewed", type=pa.bool_(), about="whether a physician signed the item"),
    Column(
        name="provenance", type=PROVENANCE, about="source, release, seed, licence (SPDX), canary"
    ),
)

CHOICE_COLUMNS = (
    Column(name="instance_id", type=pa.string(), about="unique; ends in question_id"),
    Column(name="question_id", type=pa.string(), about="instance_id of the row it is made from"),
    Column(name="task_id", type=pa.string(), about="for example pm_14"),
    Column(name="task_type", type=pa.string(), about="process_mining or anomaly_detection"),
    Column(name="cognitive_level", type=pa.string(), about="descriptive, memory or pattern"),
    Column(name="patient_id", type=pa.string(), about="patient"),
    Column(name="trace_id", type=pa.string(), about="trace; joins traces"),
    Column(name="record", type=pa.string(), about="the person and the record as text"),
    Column(name="question", type=pa.string(), about="question and instruction"),
    Column(name="choices", type=_TEXTS, about="ten numbers, one of them right"),
    Column(name="target", type=pa.string(), about="letter of the right one, A to J"),
    Column(name="kinds", type=_TEXTS, about="for each choice the mistake that leads to it"),
    Column(
        name="provenance", type=PROVENANCE, about="source, release, seed, licence (SPDX), canary"
    ),
)

TRACE_COLUMNS = (
    Column(name="trace_id", type=pa.string(), about="unique in the release"),
    Column(name="patient_id", type=pa.string(), about="patient"),
    Column(name="config", type=pa.string(), about="the config whose questions read it"),
    Column(name="patient_profile", type=PATIENT_PROFILE, about="what a reader may know"),
    *(
        Column(name=field.name, type=field.type, about="as in input_context, over the whole trace")
        for field in INPUT_CONTEXT
    ),
    Column(
        name="true_glucose", type=pa.list_(pa.int16()), about="at the sensor's site, mg/dL, 5 min"
    ),
    Column(
        name="fault_free_reading",
        type=pa.list_(pa.int16()),
        about="what the sensor would have shown without a fault, mg/dL, 5 min",
    ),
    Column(
        name="delivered_mu_min",
        type=pa.list_(pa.float64()),
        about="insulin delivered, mU/min, 5 min; of injections rapid insulin when injected, "
        "long-acting insulin as it is released",
    ),
    Column(
        name="commanded_mu_min",
        type=pa.list_(pa.float64()),
        about="insulin that controller and person asked for, mU/min, 5 min; insulin_mu_min differs "
        "from it where a pump was made to do something else",
        nullable=True,
    ),
    Column(
        name="on_board_u",
        type=pa.list_(pa.float64()),
        about="insulin on board before the sample's dose as the therapy counts it, U, 5 min: what "
        "exceeds scheduled basal (of injections: boluses) by the 6-hour exponential curve",
        nullable=True,
    ),
    Column(
        name="hazard",
        type=pa.list_(pa.int8()),
        about="from true glucose, 5 min: -2 below 54 mg/dL, -1 from 54 to 69, 0 in range, 1 from "
        "181 to 250, 2 above",
    ),
    Column(name="carbs_eaten", type=pa.list_(pa.float64()), about="g, one per carb event"),
    Column(
        name="faults",
        type=pa.list_(
            pa.struct(
                [
                    pa.field("label", pa.string()),
                    pa.field("cause", pa.string()),
                    pa.field("start", pa.int32()),
                    pa.field("end", pa.int32()),
                    pa.field("size", pa.int16()),
                ]
            )
        ),
        about="injected faults: label, cause, minute of the first and of the last sample, size",
    ),
    Column(
        name="provenance", type=PROVENANCE, about="source, release, seed, licence (SPDX), canary"
    ),
)

COLUMNS: dict[Config, tuple[Column, ...]] = {
    "simulated": QA_COLUMNS,
    "fault_injected": QA_COLUMNS,
    "real_world": QA_COLUMNS,
    "longevity": LONGEVITY_COLUMNS,
    "multiple_choice": CHOICE_COLUMNS,
    "traces": TRACE_COLUMNS,
}
QA_CONFIGS: tuple[Config, ...] = ("simulated", "fault_injected", "real_world")


def arrow_schema(config: Config) -> pa.Schema:
    """Return the Arrow schema of a config's Parquet files."""
    return pa.schema([pa.field(c.name, c.type, nullable=c.nullable) for c in COLUMNS[config]])
