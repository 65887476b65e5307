"""From a row to the text that a model reads. Moving a letter here moves `PROMPT_VERSION`."""

import json
from collections.abc import Mapping
from typing import Any

from eval_tasks.question import Row
from eval_tasks.record import Style, record_text
from eval_tasks.record.shown import Shown, number_text

_PROFILE_LINES = (
    ("age_group", "Age group: {}"),
    ("age_years", "Age: {} years"),
    ("weight_kg", "Weight: {} kg"),
    ("therapy", "Therapy: {}"),
    ("carbohydrate_ratio", "Carbohydrate ratio: {} g/U"),
    ("correction_factor", "Correction factor: {} mg/dL per U"),
    ("target_mgdl", "Glucose target: {} mg/dL"),
)


def qa_prompt(row: Row, shown: Shown, style: Style) -> str:
    """Return the prompt of a QA row: patient, record, question, form of the answer.

    Args:
        row: The row.
        shown: The record, or the part of it that is shown.
        style: How it is written.
    """
    parts = [
        person_and_record(row["patient_profile"], shown, style),
        f"# Question\n{row['question']}",
    ]
    if row["hypothetical"]:
        parts.append(f"# What is added after the end of the record\n{row['hypothetical']}")
    parts += [f"# Instruction\n{row['instruction']}", f"# Form of the answer\n{_form(row)}"]
    return "\n\n".join(parts)


def person_and_record(profile: Mapping[str, Any], shown: Shown, style: Style) -> str:
    """Return the head of a prompt: what may be known of the person, and the record."""
    return "\n\n".join(
        [
            "Answer a question about the record of one person with diabetes.",
            f"# Patient\n{_profile(profile)}",
            f"# Record\n{record_text(shown, style)}",
        ]
    )


def longevity_prompt(row: Row) -> str:
    """Return the prompt of a longevity case: its system and its user prompt, as they are.

    lighteval has one system prompt for a whole run, and these differ from case to case.
    """
    return f"{row['system_prompt']}\n\n{row['user_prompt']}"


def _profile(profile: Mapping[str, Any]) -> str:
    lines = [
        template.format(_text(profile[name]))
        for name, template in _PROFILE_LINES
        if profile[name] is not None
    ]
    return "\n".join(lines or ["Nothing is known."])


def _text(value: Any) -> str:
    return value.replace("_", " ") if isinstance(value, str) else number_text(value)


def _shape(row: Row) -> str:
    """Return the example answer; where there are options, those of the row and no others."""
    if row["options"]:
        return json.dumps(f"<{'|'.join(row['options'])}>", ensure_ascii=False)
    example: str = row["example_answer"]
    return example


def _form(row: Row) -> str:
    lines = []
    if row["options"]:
        lines.append(f"One of: {', '.join(row['options'])}.")
    if row["unit"]:
        lines.append(f"In {row['unit']}, without the unit.")
    return "\n".join(
        [
            *lines,
            "Reason as long as you need, then end with one JSON object "
            '{"answer": ...} and nothing after it.',
            "What it looks like, with a value that has nothing to do with this record: "
            f'{{"answer": {_shape(row)}}}',
        ]
    )
