"""Made-up results of any size, in the files of lighteval and of the judges.

A made-up model gives the gold answer with a given chance and the task's constant answer otherwise.
What comes of it says nothing of any real model; it shows that a report works, and how fast.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from eval_tasks.forms import DEFAULT_FORM, SUITE, TEST_SPLIT, Form, task_name
from eval_tasks.question import Question
from eval_tasks.release import Release
from eval_tasks.rows import read_without_records
from eval_tasks.scoring import answer_text, score
from generators.streams import Stream
from reports.judgements import JUDGE_RUN, VERDICTS

TIME = "2026-01-01T00-00-00.000000"
REQUIREMENTS = (
    *("comprehensiveness", "correctness", "usefulness"),
    *("interpretability", "safety"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeUp:
    """A made-up model.

    Attributes:
        name: Its name.
        chance: Of the gold answer, in [0, 1].
        text: What it writes before each answer.
    """

    name: str
    chance: float
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a model is asked: a question, and the floor and constant answer of its task."""

    question: Question
    floor: float
    constant: str


def questions(release: Release, config: str, split: str = TEST_SPLIT) -> list[Asked]:
    """Return the questions of a config without reading its records."""
    baselines = release.baselines(config, split)
    asked = []
    for row in read_without_records(release, config, split):
        question = Question.from_row(row)
        base = baselines[question.task_id]
        constant = json.dumps(base.constant_for(question.shape.options))
        asked.append(Asked(question=question, floor=base.floor, constant=constant))
    return asked


def write_details(
    folder: Path,
    model: MadeUp,
    config: str,
    asked: Sequence[Asked],
    form: Form = DEFAULT_FORM,
) -> Path:
    """Write a details file of a made-up model on the split `test`, and return it."""
    name = f"{task_name(config, TEST_SPLIT, form)}|0"
    stream = Stream(1, "made-up answers", model.name, config)
    chances = stream.uniform(len(asked))
    lines = [
        _line(name, model, one, hit=bool(drawn < model.chance))
        for one, drawn in zip(asked, chances, strict=True)
    ]
    path = folder / "details" / model.name / TIME / f"details_{name}_{TIME}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(lines), path)
    return path


def write_verdicts(folder: Path, model: MadeUp, asked: Sequence[Asked], replicates: int = 1) -> int:
    """Write made-up verdicts on a model's longevity cases with a judge's record; return how many.

    In each of two runs a requirement is met with the model's chance.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = [one.question.id for one in asked]
    total = len(names) * len(REQUIREMENTS) * replicates
    runs = Stream(1, "made-up verdicts", model.name).uniform(2 * total) < model.chance
    pairs = iter(zip(runs[::2].tolist(), runs[1::2].tolist(), strict=True))
    with (folder / VERDICTS).open("w", encoding="utf-8") as file:
        for name in names:
            for requirement in REQUIREMENTS:
                for replicate in range(replicates):
                    verdict = _verdict(name, requirement, replicate, next(pairs))
                    file.write(json.dumps(verdict) + "\n")
    record = {"model": "made-up judge", "version": 1, "truth_shown": True, "canaries": []}
    (folder / JUDGE_RUN).write_text(json.dumps(record), encoding="utf-8")
    return total


def _line(name: str, model: MadeUp, asked: Asked, *, hit: bool) -> dict[str, Any]:
    question = asked.question
    stated = json.loads(question.answer if hit else asked.constant)
    text = f"{model.text}\n{answer_text(stated)}"
    result = score(question, text)
    about = {"task_id": question.task_id, "task_type": question.task_type}
    about |= {"level": question.level}
    return {
        "doc": {
            "query": "What was asked.",
            "task_name": name,
            "specific": {
                "id": question.id,
                **about,
                "floor": asked.floor,
                "constant": asked.constant,
                "question": question.to_json(),
            },
        },
        "metric": {
            SUITE: {
                **about,
                "floor": asked.floor,
                **{key: value for key, value in asdict(result).items() if key != "answer"},
                "answer": json.dumps(result.answer),
            }
        },
        "model_response": {
            "text": [text],
            "input_tokens": [list(range(10))],
            "output_tokens": [list(range(len(text) // 4))],
        },
    }


def _verdict(
    case: str, requirement: str, replicate: int, runs: tuple[bool, bool]
) -> dict[str, object]:
    return {
        "case_id": case,
        "item_id": case.partition(".")[0],
        "requirement": requirement,
        "truth_shown": True,
        "replicate": replicate,
        "status": "ok",
        "passed": all(runs),
        "runs": runs,
        "split": runs[0] != runs[1],
        "unquoted": 0,
        "input_tokens": 0,
        "output_tokens": 0,
    }
