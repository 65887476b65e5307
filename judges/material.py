"""Rows of a release by id, and the answers that models gave to them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, ValidationError

from agents.tables import TABLE_NAMES
from agents.trace import RowTrace
from eval_tasks.json_lines import json_lines, without_halves
from eval_tasks.question import LONGEVITY, Question, Row
from eval_tasks.release import Release
from eval_tasks.rows import read_without_records
from judges.errors import JudgeError

_DETAILS = "details_*.parquet"
_TABLE_USED = re.compile(rf"\b(?:{'|'.join(TABLE_NAMES)})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model gave to a row.

    Attributes:
        id: The row's id.
        text: All that it wrote, an agent's steps included.
        completion: What is scored.
        coded: Whether code of it used a table of the record.
    """

    id: str
    text: str
    completion: str
    coded: bool = False


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    text: str


def rows_by_id(release: Release, config: str, split: str) -> dict[str, Row]:
    """Return the rows of a config by id, without their records.

    What is left of a record is its number of readings, as the length of `bg_mgdl`.

    Raises:
        EvaluationError: The data cannot be read, or is not what the manifest lists.
    """
    key = "case_id" if config == LONGEVITY else "instance_id"
    return {row[key]: row for row in read_without_records(release, config, split)}


def read_answers(source: Path) -> Iterator[Answer]:
    """Yield the answers in a file or folder.

    Args:
        source: JSONL with an agent's traces or lines of `id` and `text`; or Parquet with lighteval's
            details, or a folder that holds such files somewhere below it.

    Raises:
        JudgeError: It is none of these.
    """
    files = sorted(source.rglob(_DETAILS)) if source.is_dir() else [source]
    if not files or not all(file.is_file() for file in files):
        raise JudgeError(f"{source}: no answers there; name a JSONL file or lighteval's details")
    for file in files:
        yield from _details(file) if file.suffix == ".parquet" else _lines(file)


def question_of(row: Row) -> Question:
    """Return what a row of `rows_by_id` asks."""
    return Question.from_row(row)


def _lines(file: Path) -> Iterator[Answer]:
    for number, line in enumerate(json_lines(file), start=1):
        try:
            yield _answer(json.loads(without_halves(line)))
        except (ValueError, AttributeError, RecursionError) as error:
            raise JudgeError(
                f"{file}: line {number} is neither an agent's trace nor id and text"
            ) from error


def _answer(line: Mapping[str, Any]) -> Answer:
    if "completion" in line:
        trace = RowTrace.model_validate(line)
        coded = any(_TABLE_USED.search(step.code) for step in trace.steps)
        return Answer(id=trace.id, text=trace.text(), completion=trace.completion, coded=coded)
    plain = _Line.model_validate(line)
    return Answer(id=plain.id, text=plain.text, completion=plain.text)


def _details(file: Path) -> Iterator[Answer]:
    try:
        table = pq.read_table(file, columns=["doc", "model_response"])
        rows: Sequence[Mapping[str, Any]] = table.to_pylist()
        for row in rows:
            texts = row["model_response"]["text"] or [""]
            yield Answer(id=row["doc"]["specific"]["id"], text=texts[0], completion=texts[0])
    except (OSError, pa.ArrowException, KeyError, TypeError, ValidationError) as error:
        raise JudgeError(f"{file}: these are no details of this benchmark ({error!r})") from error
