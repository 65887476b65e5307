"""The score of a completion: what it answers, held against the gold answer."""

import json
import math
from dataclasses import dataclass
from typing import Any, get_args

from eval_tasks.errors import GoldError
from eval_tasks.extraction import Status, extract
from eval_tasks.metrics import raw_score, strictly_right
from eval_tasks.question import NONE, Answer, Question
from eval_tasks.values import UnreadableError, read_value

STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The score of one completion.

    Attributes:
        value: Raw score, finite and in [0, 1]; 0 unless the status is `ok`.
        answer: What the completion answers, None unless the status is `ok`.
        status: `ok`, or why there is no answer.
        reason: Why there is none, empty if there is one.
        strict: Whether the answer counts as right by `eval_tasks.metrics.strictly_right`.
    """

    value: float
    answer: Answer | None
    status: Status
    reason: str = ""
    strict: bool = False


def score(question: Question, completion: str | None, *, cut_off: bool = False) -> Score:
    """Return the score of a completion.

    Args:
        question: What was asked.
        completion: What the model wrote; None where the backend failed and returned nothing.
        cut_off: Whether the model was stopped by its token limit.

    Raises:
        GoldError: The row's own answer is broken. Never raised for what a model wrote.
    """
    gold = gold_answer(question)
    if completion is None:
        return unanswered("error", "the backend returned no text")
    found = extract(completion, question.shape, cut_off=cut_off)
    if found.value is None:
        return unanswered(found.status, found.reason)
    return Score(
        value=raw_score(found.value, gold, question),
        answer=found.value,
        status=found.status,
        strict=strictly_right(found.value, gold, question),
    )


def unanswered(status: Status, reason: str) -> Score:
    """Return the score of a row without an answer: 0, with its status and reason."""
    return Score(value=0.0, answer=None, status=status, reason=reason)


def gold_answer(question: Question) -> Answer:
    """Return a row's gold answer.

    Raises:
        GoldError: It is no JSON, not of the row's answer type, none of its options, or outside
            the record.
    """
    try:
        stated = json.loads(question.answer)
        gold = read_value(stated, question.shape)
    except (ValueError, UnreadableError, RecursionError) as error:
        raise GoldError(
            f"{question.id}: broken gold answer {question.answer!r}: {error}"
        ) from error
    if not _is_canonical(stated, gold) or not _is_possible(gold, question):
        raise GoldError(
            f"{question.id}: gold answer {question.answer!r} is not of type "
            f"{question.shape.answer_type}; validate the release and build it anew"
        )
    return gold


def _is_canonical(stated: object, gold: Answer) -> bool:
    """Return whether the gold answer was stored as what it is read as, up to the order of a list."""
    if isinstance(stated, list) and isinstance(gold, list):
        return len(stated) == len(gold) and all(entry in stated for entry in gold)
    return type(stated) is not bool and stated == gold


def _is_possible(gold: Answer, question: Question) -> bool:
    if gold == NONE:
        return question.offers_none
    match question.shape.answer_type:
        case "category" | "verdict":
            return gold in question.shape.options
        case "intervals":
            entries: list[Any] = gold if isinstance(gold, list) else []
            return all(0 <= e["start"] <= e["end"] < question.minutes for e in entries)
        case _:
            return isinstance(gold, list) or math.isfinite(float(gold))


def answer_text(answer: object) -> str:
    """Return the JSON object with which a completion is asked to end."""
    return json.dumps({"answer": answer}, ensure_ascii=False)
