"""The evaluator of the published HealthLoopQA system, for comparison with its numbers.

Its formulas, as its files document them, differ from this package's:

- accuracy: equality, of texts without case; of two lists the Jaccard index of their sets;
- sMAPE: mean of 2|p - g| / (|p| + |g|), 0 where both are 0; lists must be equally long;
- F1: on sets of entries; both empty 1, one empty 0;
- affinity F-score: affiliation F1, intervals with start > end swapped, those of no length widened by
  1, overlapping ones merged, over the range from the smallest to the largest bound of both lists;
- a record whose scoring fails is left out of the mean.

Scores are normalised to 0..100, sMAPE as 100 (1 - sMAPE / 2). The means that its paper prints are
means over tasks of each task's mean: 44 process mining, 63 anomaly detection and 20 prediction
tasks weigh its overall figures. A metric without bounds (MAE) has no place on this scale and is
left out too, and counted apart.
"""

import ast
import json
import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from eval_tasks.affiliation import affiliation
from eval_tasks.answers import Scored, read_lines
from eval_tasks.errors import AnswersError
from eval_tasks.question import AnswerType
from eval_tasks.scoring import gold_answer

SOURCE_METRICS: Mapping[AnswerType, str] = {
    **dict.fromkeys(("number", "integer", "signed", "minute"), "smape"),
    **dict.fromkeys(("category", "day", "verdict"), "accuracy"),
    **dict.fromkeys(("day_list", "hour_list", "pair_list"), "f1"),
    "intervals": "affinity f-score",
}
"""The source's metric for each answer type."""
TASK_TYPES = {"pm": "process_mining", "ad": "anomaly_detection", "pd": "prediction"}
_LONGEST_LITERAL = 200_000
_UNBOUNDED = ("mae",)


class NotScoredError(ValueError):
    """The source's evaluator fails on a record and leaves it out."""


class SourceRecord(BaseModel):
    """A line of the source's output files; other fields than these are of no account."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question_id: str
    metric: str
    cognitive_level: str
    gold: Any = Field(validation_alias=AliasChoices("expected_answer", "original_answer", "answer"))
    predicted_answer: Any = None
    llm_response_parsed: Any = None

    @property
    def predicted(self) -> Any:
        """What the model answered, as the file holds it."""
        if self.predicted_answer is None and isinstance(self.llm_response_parsed, dict):
            return self.llm_response_parsed.get("answer")
        return self.predicted_answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """A record under the source's evaluator.

    Attributes:
        task_id: Its task.
        task_type: Its task type.
        level: Its cognitive level.
        score: Normalised score, 0 to 100; None where the record is left out.
    """

    task_id: str
    task_type: str
    level: str
    score: float | None


def is_source_file(path: Path) -> bool:
    """Return whether a file looks like the source's output, by its first line.

    Raises:
        AnswersError: The file cannot be read or holds nothing.
    """
    _, line = next(iter(read_lines(path)))
    try:
        first = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and "question_id" in first


def read_source_file(path: Path) -> list[Evaluated]:
    """Return the records of one of the source's output files (JSONL), evaluated its way.

    Raises:
        AnswersError: The file cannot be read, or a line is no such record.
    """
    return [_evaluated(line, f"{path}:{number}") for number, line in read_lines(path)]


def evaluate_scored(rows: Iterable[Scored]) -> list[Evaluated]:
    """Return rows of this benchmark under the source's formulas; unread answers are left out."""
    evaluated = []
    for row in rows:
        question = row.question
        metric = SOURCE_METRICS[question.shape.answer_type]
        score = _score_or_none(metric, row.result.answer, gold_answer(question))
        evaluated.append(
            Evaluated(
                task_id=question.task_id,
                task_type=question.task_type,
                level=question.level,
                score=None if row.result.answer is None else score,
            )
        )
    return evaluated


def report(records: Sequence[Evaluated]) -> dict[str, Any]:
    """Return the source's figures: means over tasks and over records, 0 to 100, None without any.

    `{"overall": ..., "overall_records": ..., "by_type": {...}, "by_level": {...}, "n": ...,
    "left_out": ...}`.
    """
    types = sorted({record.task_type for record in records})
    levels = sorted({record.level for record in records})
    kept = [record.score for record in records if record.score is not None]
    return {
        "overall": _task_mean(records),
        "overall_records": statistics.fmean(kept) if kept else None,
        "by_type": {
            name: _task_mean([r for r in records if r.task_type == name]) for name in types
        },
        "by_level": {name: _task_mean([r for r in records if r.level == name]) for name in levels},
        "n": len(records),
        "left_out": len(records) - len(kept),
        "tasks_without_score": sorted(
            task
            for task, scores in _by_task(records).items()
            if not any(score is not None for score in scores)
        ),
    }


def source_score(metric: str, predicted: Any, gold: Any) -> float:
    """Return a normalised score, 0 to 100.

    Args:
        metric: The source's metric; case and marks do not matter.
        predicted: An answer as JSON or as its text.
        gold: The expected answer likewise.

    Raises:
        NotScoredError: The source's evaluator fails on it, or the metric has no bounds.
    """
    name = metric.casefold().replace("-", " ").strip()
    rule = next((rule for key, rule in _RULES.items() if key in name), None)
    if rule is None:
        kind = "has no bounds" if name in _UNBOUNDED else "is unknown"
        raise NotScoredError(f"the metric {metric!r} {kind}")
    value, true = source_value(predicted), source_value(gold)
    if _is_nan(value) and _is_nan(true):
        return 100.0
    try:
        with np.errstate(all="ignore"):
            score = 100.0 * rule(value, true)
    except (TypeError, ValueError, KeyError, OverflowError, RecursionError) as error:
        raise NotScoredError(f"{metric}: {error}") from error
    if not math.isfinite(score):
        raise NotScoredError(f"{metric}: numbers too large to score")
    return score


def source_value(stated: Any) -> Any:
    """Return the answer in an object's `answer`, a JSON or Python literal, or the bare text."""
    if isinstance(stated, str):
        stated = _literal(stated)
    return stated["answer"] if isinstance(stated, dict) and "answer" in stated else stated


def _literal(text: str) -> Any:
    if len(text) > _LONGEST_LITERAL:
        return text
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return text


def _evaluated(line: str, where: str) -> Evaluated:
    try:
        record = SourceRecord.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        raise AnswersError(
            f"{where}: no record of the source's output ({'.'.join(map(str, first['loc']))}: "
            f"{first['msg']})"
        ) from error
    task_id = record.question_id.casefold()
    return Evaluated(
        task_id=task_id,
        task_type=TASK_TYPES.get(task_id.partition("_")[0], "other"),
        level=record.cognitive_level.casefold(),
        score=_score_or_none(record.metric, record.predicted, record.gold),
    )


def _score_or_none(metric: str, predicted: Any, gold: Any) -> float | None:
    try:
        return source_score(metric, predicted, gold)
    except NotScoredError:
        return None


def _by_task(records: Iterable[Evaluated]) -> dict[str, list[float | None]]:
    tasks: defaultdict[str, list[float | None]] = defaultdict(list)
    for record in records:
        tasks[record.task_id].append(record.score)
    return tasks


def _task_mean(records: Iterable[Evaluated]) -> float | None:
    kept = [
        [score for score in scores if score is not None] for scores in _by_task(records).values()
    ]
    means = [statistics.fmean(scores) for scores in kept if scores]
    return statistics.fmean(means) if means else None


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _accuracy(value: Any, gold: Any) -> float:
    if isinstance(value, list) and isinstance(gold, list):
        mine, true = _hashable(value), _hashable(gold)
        return len(mine & true) / len(mine | true) if mine | true else 1.0
    return float(_caseless(value) == _caseless(gold))


def _smape(value: Any, gold: Any) -> float:
    values, golds = (entry if isinstance(entry, list) else [entry] for entry in (value, gold))
    if len(values) != len(golds) or not golds:
        raise ValueError("lists of different or no length")
    return 1.0 - statistics.fmean(map(_pair_smape, values, golds)) / 2


def _pair_smape(value: Any, gold: Any) -> float:
    value, gold = float(value), float(gold)
    if not (math.isfinite(value) and math.isfinite(gold)):
        raise ValueError("no finite number")
    size = abs(value) + abs(gold)
    return abs(value - gold) / (size / 2) if size else 0.0


def _f1(value: Any, gold: Any) -> float:
    mine, true = _hashable(_listed(value)), _hashable(_listed(gold))
    return 2 * len(mine & true) / (len(mine) + len(true)) if mine or true else 1.0


def _affinity(value: Any, gold: Any) -> float:
    mine, true = (_spans(_listed(entry)) for entry in (value, gold))
    if not len(mine) or not len(true):
        return float(len(mine) == len(true))
    low = min(mine.min(), true.min())
    high = max(mine.max(), true.max())
    mine, true = mine - low, true - low
    if any((spans[:, 0] >= spans[:, 1]).any() for spans in (mine, true)):
        raise ValueError("bounds too large to tell apart")
    return affiliation(mine, true, high - low).f1


def _spans(entries: list[Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    pairs = [(e["start"], e["end"]) if isinstance(e, dict) else tuple(e) for e in entries]
    spans = np.sort(np.array(pairs, dtype=np.float64).reshape(-1, 2), axis=1)
    if not np.isfinite(spans).all():
        raise ValueError("no finite bounds")
    spans[spans[:, 0] == spans[:, 1], 1] += 1
    return spans


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list | tuple | set):
        raise TypeError("no list")
    return list(value)


def _hashable(entries: Iterable[Any]) -> frozenset[Any]:
    return frozenset(
        json.dumps(entry, sort_keys=True) if isinstance(entry, dict) else _tuple(entry)
        for entry in entries
    )


def _tuple(entry: Any) -> Any:
    if isinstance(entry, list | tuple):
        return tuple(_tuple(part) for part in entry)
    return _caseless(entry)


def _caseless(value: Any) -> Any:
    return value.strip().casefold() if isinstance(value, str) else value


_RULES: Mapping[str, Callable[[Any, Any], float]] = {
    "accuracy": _accuracy,
    "smape": _smape,
    "affinity": _affinity,
    "f1": _f1,
}
