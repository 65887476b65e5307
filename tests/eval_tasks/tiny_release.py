"""A release with a handful of rows of every answer type, for tests of evaluation."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from builder.schema import Config, arrow_schema
from eval_tasks.baselines import FILE_NAME, baselines
from eval_tasks.canonical import row_hashes
from eval_tasks.metrics import METRIC_NAMES
from eval_tasks.question import AnswerType, Question
from eval_tasks.version import RELEASE_VERSION

DAYS = 3
MINUTES = DAYS * 1440
PROFILE = {
    "age_group": "adult",
    "age_years": 41,
    "weight_kg": 70.5,
    "therapy": "hybrid_closed_loop",
    "carbohydrate_ratio": 10.0,
    "correction_factor": None,
    "target_mgdl": 110,
}
PROVENANCE = {
    "source": "synthetic",
    "release": RELEASE_VERSION,
    "seed": 1,
    "task_revision": 1,
    "licence": "CC-BY-4.0",
    "attribution": "tests",
    "canary": "none",
}
TASK_TYPES = {"pm": "process_mining", "ad": "anomaly_detection", "pd": "prediction"}
OPTIONS = ("breakfast", "lunch", "dinner")


def record(shift: int = 0) -> dict[str, Any]:
    """Return a small record with missing values, runs and all kinds of events."""
    samples = MINUTES // 5
    glucose = [None if i % 97 == 0 else 80 + (7 * i + shift) % 140 for i in range(samples)]
    insulin = [None if 30 <= i < 40 else 12.5 if i % 50 < 40 else 0.1 * i for i in range(samples)]
    return {
        "bg_mgdl": glucose,
        "carb_events": [
            {
                "time": 450,
                "day": 1,
                "time_str": "07:30",
                "carbs": 45.5,
                "meal_type": "breakfast",
            }
        ],
        "exercise_events": [
            {
                "time": 2500,
                "day": 2,
                "time_str": "17:40",
                "duration": 30,
                "magnitude": 6.0,
                "exercise_type": "run",
            }
        ],
        "insulin_mu_min": insulin,
        "insulin_events": [
            {"time": 445, "day": 1, "time_str": "07:25", "dosage": 4.55, "insulin_type": "basal"},
            {"time": 1900, "day": 2, "time_str": "07:40", "dosage": 3.0, "insulin_type": "basal"},
        ],
    }


def qa_row(
    task_id: str, answer_type: AnswerType, gold: object, example: object, **columns: object
) -> dict[str, Any]:
    """Return a QA row whose gold answer is given."""
    number = str(columns.pop("number", 0))
    return {
        "instance_id": f"{task_id}/{number}",
        "task_id": task_id,
        "parameters": "{}",
        "task_type": TASK_TYPES[task_id[:2]],
        "cognitive_level": "descriptive",
        "abilities": ["QC"],
        "streams": ["glucose"],
        "complexity": 1,
        "prototype": "test",
        "patient_id": "adult_001",
        "trace_id": "adult_001.s1",
        "question": f"Question {number} of {task_id}?",
        "instruction": "Answer as the example shows.",
        "rationale": "None.",
        "answer_type": answer_type,
        "metric": METRIC_NAMES[answer_type],
        "options": list(OPTIONS) if answer_type == "category" else [],
        "unit": None,
        "answer": json.dumps(gold),
        "example_answer": json.dumps(example),
        "patient_profile": PROFILE,
        "agreement": None,
        "spread": None,
        "cut_minute": None,
        "hypothetical": None,
        "provenance": PROVENANCE,
        "input_context": record(int(number) if number.isdigit() else 0),
        **columns,
    }


def longevity_row(number: int, gold: str) -> dict[str, Any]:
    """Return a longevity case."""
    texts = ("intervention", "age_group", "background", "profile_form")
    lists = ("conditions", "deciding_rules", "keywords", "critical_facts", "supporting_facts")
    return {
        **dict.fromkeys((*texts, "commentary", "key_hazard", "next_step"), "text"),
        **{name: ["text"] for name in lists},
        "case_id": f"case_{number}",
        "item_id": "item",
        "item_variant": "original",
        "passages": [],
        "distractor": False,
        "system_prompt_level": "specific" if number else "minimal",
        "system_prompt": "You are a physician.",
        "user_prompt": f"Should I fast? Case {number}. Answer yes or no first.",
        "options": ["yes", "no"],
        "answer": json.dumps(gold),
        "physician_reviewed": False,
        "provenance": PROVENANCE,
    }


def interval(start: int, end: int) -> dict[str, int]:
    return {"start": start, "end": end}


def rows(shift: int = 0, *, reworded: bool = True) -> dict[Config, list[dict[str, Any]]]:
    """Return rows by config; another shift gives other gold answers, and wordings and order too.

    Without them the prompts are those of no shift, to the letter.
    """
    by_type: list[tuple[str, AnswerType, list[object], object, dict[str, object]]] = [
        ("pm_0", "number", [140.5 + shift, 120.0, 180.25], 150.1, {"unit": "mg/dL"}),
        ("pm_7", "integer", [0, 4, 7 + shift], 5, {}),
        ("pm_24", "signed", [-0.4, 1.25, 0.0], 0.5, {"unit": "mg/dL/min"}),
        ("pm_3", "minute", [35, 1300, 2880], 1000, {"unit": "min"}),
        ("pm_23", "category", ["lunch", "dinner", "dinner"], "<breakfast|lunch|dinner>", {}),
        ("pm_16", "day", [1, 3, 2], 9, {"cognitive_level": "memory"}),
        ("pm_15", "day_list", [[1, 2], [3], []], [1, 3], {"cognitive_level": "memory"}),
        ("pm_25", "pair_list", [[[1, 40.5]], [[2, 30.0], [3, 12.0]], []], [[1, 20.0]], {}),
        ("pd_6", "number", [90.0, 150.0, 210.0], 165, {"unit": "mg/dL", "hypothetical": "Eat."}),
    ]
    anomalies: list[tuple[str, AnswerType, list[object], object, dict[str, object]]] = [
        (
            "ad_4",
            "intervals",
            [[interval(100, 101)], [interval(500, 560), interval(2000 + 5 * shift, 3100)], []],
            [interval(40, 50)],
            {},
        ),
        ("ad_35", "hour_list", [[2, 3], [23], [0]], [1, 5], {"cognitive_level": "memory"}),
        (
            "ad_17",
            "category",
            ["none", "lunch", "lunch"],
            "<lunch|none>",
            {"instruction": 'Answer "none" if there is none.', "options": ["lunch", "none"]},
        ),
    ]
    verdicts = ("no", "no", "yes") if shift else ("yes", "no", "no")
    made: dict[Config, list[dict[str, Any]]] = {
        "simulated": _rows(by_type),
        "fault_injected": _rows(anomalies),
        "longevity": [longevity_row(i, gold) for i, gold in enumerate(verdicts)],
    }
    if not shift or not reworded:
        return made
    return {config: _reworded(part, shift) for config, part in made.items()}


def _reworded(content: list[dict[str, Any]], shift: int) -> list[dict[str, Any]]:
    """Return rows in reverse order with another wording of their questions."""
    return [
        {**row, name: f"{row[name]} Again, {shift}."}
        for row in reversed(content)
        for name in ("question", "user_prompt")
        if name in row
    ]


def _rows(
    tasks: list[tuple[str, AnswerType, list[object], object, dict[str, object]]],
) -> list[dict[str, Any]]:
    return [
        qa_row(task_id, answer_type, gold, example, number=number, **columns)
        for task_id, answer_type, golds, example, columns in tasks
        for number, gold in enumerate(golds)
    ]


def write_release(folder: Path, *, shift: int = 0, reworded: bool = True) -> Path:
    """Write a release; `full` has the rows of `test`."""
    configs: dict[str, Any] = {}
    card: list[str] = ["---", "configs:"]
    floors: dict[str, Any] = {}
    for config, content in rows(shift, reworded=reworded).items():
        table = pa.Table.from_pylist(content, schema=arrow_schema(config))
        hashes = row_hashes(table)
        card += [f"- config_name: {config}", "  data_files:"]
        splits: dict[str, Any] = {}
        for split in ("test",) if config == "longevity" else ("test", "full"):
            name = f"data/{config}/{split}-{hashes.sha256[:12]}-00000-of-00001.parquet"
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(table, folder / name)
            card += [f"  - split: {split}", f"    path: {name}"]
            splits[split] = {
                "rows": len(content),
                "sha256": hashes.sha256,
                "row_digests": "".join(hashes.digests),
                "files": [name],
            }
        configs[config] = {"splits": splits}
        floors[config] = baselines({s: map(Question.from_row, content) for s in splits})
    content_hash = hashlib.sha256(json.dumps(configs, sort_keys=True).encode()).hexdigest()
    manifest = {
        "name": "healthloopqa",
        "version": RELEASE_VERSION,
        "seed": shift,
        "content_sha256": content_hash,
        "configs": configs,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / FILE_NAME).write_text(json.dumps(floors), encoding="utf-8")
    (folder / "README.md").write_text("\n".join([*card, "---", ""]), encoding="utf-8")
    return folder
