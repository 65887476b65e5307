"""A release made by hand: two people, six questions about records, and four longevity items."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from huggingface_hub import metadata_save

from builder.schema import LONGEVITY_COLUMNS, QA_COLUMNS, Column
from eval_tasks.baselines import FILE_NAME, baselines
from eval_tasks.canonical import row_hashes
from eval_tasks.question import Question
from eval_tasks.release import MANIFEST, Release, read_folder

SAMPLES = 30 * 288
PEOPLE = ("one", "two", "three")
LEVELS = ("minimal", "specific")
_PROVENANCE = {
    "source": "simulated",
    "release": "0.0.0",
    "seed": 1,
    "task_revision": 1,
    "licence": "CC-BY-4.0",
    "attribution": "",
    "canary": "",
}
_TASKS: tuple[dict[str, Any], ...] = (
    {
        "task_id": "pm_1",
        "task_type": "process_mining",
        "cognitive_level": "descriptive",
        "abilities": ["QC"],
        "complexity": 1,
        "answer_type": "number",
        "answer": "120",
        "unit": "mg/dL",
    },
    {
        "task_id": "pm_2",
        "task_type": "process_mining",
        "cognitive_level": "memory",
        "abilities": ["TR", "QC"],
        "complexity": 2,
        "answer_type": "day",
        "answer": "3",
        "parameters": '{"week": 1}',
    },
    {
        "task_id": "pd_1",
        "task_type": "prediction",
        "cognitive_level": "pattern",
        "abilities": ["QC", "PR"],
        "complexity": 2,
        "answer_type": "category",
        "answer": '"rise"',
        "options": ["rise", "fall"],
        "parameters": '{"cut": 40000, "first_day": 3}',
        "cut_minute": 40000,
        "hypothetical": "Half an hour of running now.",
    },
)
_FAULT: dict[str, Any] = {
    "task_id": "ad_1",
    "task_type": "anomaly_detection",
    "cognitive_level": "pattern",
    "abilities": ["PC"],
    "complexity": 1,
    "answer_type": "intervals",
    "answer": '[{"start": 3000, "end": 3200}, {"start": 20000, "end": 20400}]',
}


def tiny_release(folder: Path) -> Release:
    """Write the release and return it."""
    rows = {
        "simulated": [_row(person, task, "simulated") for person in PEOPLE for task in _TASKS],
        "fault_injected": [_row(person, _FAULT, "fault_injected") for person in PEOPLE],
        "real_world": [_row(f"r_{person}", _TASKS[0], "real_world") for person in PEOPLE],
        "longevity": [_case(item, level) for item in range(1, 5) for level in LEVELS],
    }
    columns: Mapping[str, tuple[Column, ...]] = {"longevity": LONGEVITY_COLUMNS}
    configs, floors, named = {}, {}, []
    for config, entries in rows.items():
        name = f"data/{config}/test-00000-of-00001.parquet"
        path = folder / name
        path.parent.mkdir(parents=True)
        table = _table(entries, columns.get(config, QA_COLUMNS))
        pq.write_table(table, path)
        hashes = row_hashes(table)
        part = {"rows": len(entries), "sha256": hashes.sha256, "files": [name]}
        digests = "".join(hashes.digests)
        configs[config] = {"splits": {"test": {**part, "row_digests": digests}}}
        files = [{"split": "test", "path": name}]
        named.append({"config_name": config, "data_files": files})
        floors[config] = baselines({"test": [Question.from_row(row) for row in entries]})
    manifest = {"version": "0.0.0", "content_sha256": "0" * 64, "configs": configs}
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    (folder / FILE_NAME).write_text(json.dumps(floors), encoding="utf-8")
    metadata_save(folder / "README.md", {"configs": named})
    return read_folder(folder)


def _table(entries: list[dict[str, Any]], columns: tuple[Column, ...]) -> pa.Table:
    schema = pa.schema([pa.field(column.name, column.type) for column in columns])
    return pa.Table.from_pylist(entries, schema=schema)


def _row(person: str, task: Mapping[str, Any], config: str) -> dict[str, Any]:
    given = {"parameters": "{}", "options": [], "unit": None, "cut_minute": None} | dict(task)
    first = json.loads(given["parameters"]).get("first_day", 1) - 1
    cut = given["cut_minute"]
    return {
        "instance_id": f"{config}/{task['task_id']}/{person}.s1",
        "streams": ["glucose"],
        "prototype": f"about {task['task_id']}",
        "patient_id": person,
        "trace_id": f"{person}.s1" + (".faults" if config == "fault_injected" else ""),
        "question": f"What of {task['task_id']} <b>?",
        "instruction": "Answer with it.",
        "rationale": "Look.",
        "metric": "exact",
        "example_answer": given["answer"],
        "patient_profile": {"age_group": "adult", "therapy": "injections"},
        "hypothetical": None,
        "provenance": _PROVENANCE,
        "input_context": _context(first * 288, SAMPLES if cut is None else cut // 5),
        **given,
    }


def _context(first: int, size: int) -> dict[str, Any]:
    """Return the part of one endless record that starts at a sample and is so long."""
    places = range(first, first + size)
    last = 5 * (first + size)
    days = range(1, 40)
    meals: list[dict[str, Any]] = [
        {"time": 1440 * (day - 1) + 720, "day": day, "time_str": "12:00", "carbs": 60.0}
        | {"meal_type": "lunch"}
        for day in days
    ]
    doses: list[dict[str, Any]] = [
        {"time": 1440 * (day - 1) + 715, "day": day, "time_str": "11:55", "dosage": 6.0}
        | {"insulin_type": "meal_bolus"}
        for day in days
    ]
    bouts: list[dict[str, Any]] = [
        {"time": 1440 * (day - 1) + 1000, "day": day, "time_str": "16:40", "duration": 30}
        | {"magnitude": 6.0, "exercise_type": "run"}
        for day in days
    ]
    return {
        "bg_mgdl": [None if place % 1000 < 10 else 100 + place % 97 for place in places],
        "insulin_mu_min": [12.0 if place % 288 else 1200.0 for place in places],
        **{
            name: [
                {**event, "time": event["time"] - 5 * first}
                for event in events
                if 5 * first <= event["time"] < last
            ]
            for name, events in (
                ("carb_events", meals),
                ("exercise_events", bouts),
                ("insulin_events", doses),
            )
        },
    }


def _case(item: int, level: str) -> dict[str, Any]:
    return {
        "case_id": f"lv_{item:02d}.short.list.plain.{level}",
        "item_id": f"lv_{item:02d}",
        "item_variant": "original",
        "intervention": "fasting",
        "age_group": "20-39" if item < 3 else "over 60",
        "age_years": 30,
        "sex": "F",
        "conditions": ["A", "B"] if item == 1 else ["B"],
        "background": "short",
        "profile_form": "list",
        "distractor": False,
        "system_prompt_level": level,
        "system_prompt": "",
        "user_prompt": "",
        "passages": [],
        "options": ["yes", "no"],
        "answer": '"yes"' if item % 2 else '"no"',
        "deciding_rules": [],
        "commentary": "",
        "keywords": [],
        "critical_facts": [],
        "supporting_facts": [],
        "key_hazard": "",
        "next_step": "",
        "physician_reviewed": False,
        "provenance": _PROVENANCE,
    }
