"""From an answer and the gold answer to a raw score in [0, 1], one rule for each answer type."""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from eval_tasks.affiliation import affiliation, half_open, merged
from eval_tasks.errors import GoldError
from eval_tasks.question import NONE, SAMPLE_MINUTES, Answer, AnswerType, Question

METRIC_NAMES: Mapping[AnswerType, str] = {
    "number": "smape_similarity",
    "integer": "smape_similarity",
    "signed": "scaled_error",
    "minute": "minute_tolerance",
    "category": "exact_match",
    "day": "exact_match",
    "day_list": "set_f1",
    "hour_list": "set_f1",
    "pair_list": "pair_f1",
    "intervals": "affiliation_f1",
    "verdict": "exact_match",
}
"""What the raw score of each answer type is called."""

ERROR_SCALE: Mapping[str, float] = {"mg/dL": 30.0, "mg/dL/min": 2.0}
"""Error, by unit, at which the score of a signed number reaches 0."""
MINUTES_EXACT = 5
"""Minutes of error up to which a time or duration scores 1."""
MINUTES_WRONG = 60
"""Minutes of error from which it scores 0."""
PAIR_TOLERANCE = 2.0
"""mg/dL by which the value of a pair may differ."""
STRICT_SHARE = 0.05
"""Share of the gold answer by which a number that counts as right may differ from it."""
_ROUNDING = 1e-9


def raw_score(value: Answer, gold: Answer, question: Question) -> float:
    """Return the raw score of an answer, by the rule of the question's answer type.

    Where either is "none", the score is 1 if both are and 0 otherwise.

    Raises:
        GoldError: The question's unit has no error scale, or the score is no number in [0, 1].
    """
    if NONE in (value, gold):
        return float(value == gold)
    score = _RULES[question.shape.answer_type](value, gold, question)
    if not 0.0 <= score <= 1.0:
        raise GoldError(f"{question.id}: score {score} for {value!r} against {gold!r}")
    return score


def strictly_right(value: Answer, gold: Answer, question: Question) -> bool:
    """Return whether an answer counts as right where nothing between right and wrong is known.

    Numbers of any kind: within 5 % of the gold answer (0 exactly). Minutes: within 5. Intervals, as
    spans of whole samples, overlapping and touching ones made one: as many as in the gold answer,
    each bound within one sample. All else: raw score 1.
    """
    if NONE in (value, gold):
        return value == gold
    rule = _STRICT_RULES.get(question.shape.answer_type)
    return rule(value, gold, question) if rule else raw_score(value, gold, question) == 1.0


def smape_similarity(value: float, gold: float) -> float:
    """Return 1 - sMAPE / 2 = 1 - |value - gold| / (|value| + |gold|).

    Two zeros score 1; zero against anything else and numbers of opposite sign score 0. Written as
    2 / (1 + larger / smaller), so that a huge answer cannot overflow into a score.
    """
    if value == gold:
        return 1.0
    if value * math.copysign(1.0, gold) <= 0 or gold == 0:
        return 0.0
    small, large = sorted((abs(value), abs(gold)))
    return 2 / (1 + large / small)


def scaled_error(value: float, gold: float, scale: float) -> float:
    """Return 1 - |value - gold| / scale, but never below 0."""
    return max(0.0, 1.0 - abs(value - gold) / scale)


def minute_tolerance(value: float, gold: float) -> float:
    """Return 1 within 5 minutes of the gold answer, falling linearly to 0 at 60 minutes."""
    late = (abs(value - gold) - MINUTES_EXACT) / (MINUTES_WRONG - MINUTES_EXACT)
    return min(1.0, max(0.0, 1.0 - late))


def set_f1(value: list[int], gold: list[int]) -> float:
    """Return F1 of two sets: both empty 1, one empty 0."""
    return _f1(len(set(value) & set(gold)), len(set(value)), len(set(gold)))


def pair_f1(value: list[list[float]], gold: list[list[float]]) -> float:
    """Return F1 of [day, value] pairs: both empty 1, one empty 0.

    Pairs match, one to one, where the days are equal and the values lie within 2 mg/dL. Taking
    the values of a day in ascending order and pairing each with the first free one in reach gives
    the largest number of matches.
    """
    matches = 0
    days = Counter(day for day, _ in gold)
    for day in days:
        matches += _matches(_of_day(value, day), _of_day(gold, day))
    return _f1(matches, len(value), len(gold))


def _of_day(pairs: list[list[float]], day: float) -> list[float]:
    return sorted(value for other, value in pairs if other == day)


def _matches(values: list[float], golds: list[float]) -> int:
    found = place = 0
    for value in values:
        while place < len(golds) and golds[place] < value - PAIR_TOLERANCE - _ROUNDING:
            place += 1
        if place < len(golds) and golds[place] <= value + PAIR_TOLERANCE + _ROUNDING:
            found, place = found + 1, place + 1
    return found


def _f1(matches: int, predicted: int, true: int) -> float:
    return 2 * matches / (predicted + true) if predicted + true else 1.0


def _signed(value: float, gold: float, question: Question) -> float:
    scale = ERROR_SCALE.get(question.shape.unit or "")
    if scale is None:
        raise GoldError(
            f"{question.id}: a signed answer in {question.shape.unit!r} has no error scale; "
            f"there is one for {', '.join(ERROR_SCALE)}"
        )
    return scaled_error(value, gold, scale)


def _intervals(
    value: list[dict[str, float]], gold: list[dict[str, float]], question: Question
) -> float:
    predicted, true = half_open(value, question.minutes), half_open(gold, question.minutes)
    return affiliation(predicted, true, question.minutes).f1


def _within_share(value: float, gold: float, _: Question) -> bool:
    return abs(value - gold) <= (STRICT_SHARE + _ROUNDING) * abs(gold)


def _same_intervals(
    value: list[dict[str, float]], gold: list[dict[str, float]], question: Question
) -> bool:
    predicted, true = (merged(half_open(spans, question.minutes)) for spans in (value, gold))
    same = predicted.shape == true.shape
    return same and bool((abs(predicted - true) <= SAMPLE_MINUTES).all())


_STRICT_RULES: Mapping[AnswerType, Callable[[Any, Any, Question], bool]] = {
    "number": _within_share,
    "integer": _within_share,
    "signed": _within_share,
    "intervals": _same_intervals,
}

_RULES: Mapping[AnswerType, Callable[[Any, Any, Question], float]] = {
    "number": lambda value, gold, _: smape_similarity(value, gold),
    "integer": lambda value, gold, _: smape_similarity(value, gold),
    "signed": _signed,
    "minute": lambda value, gold, _: minute_tolerance(value, gold),
    "category": lambda value, gold, _: float(value == gold),
    "day": lambda value, gold, _: float(value == gold),
    "day_list": lambda value, gold, _: set_f1(value, gold),
    "hour_list": lambda value, gold, _: set_f1(value, gold),
    "pair_list": lambda value, gold, _: pair_f1(value, gold),
    "intervals": _intervals,
    "verdict": lambda value, gold, _: float(value == gold),
}
