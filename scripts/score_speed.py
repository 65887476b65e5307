"""What `scripts/benchmark.py score` measures."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np
from numpy.typing import NDArray

from eval_tasks.affiliation import affiliation, half_open, merged
from eval_tasks.errors import EvaluationError
from eval_tasks.forms import TEST_SPLIT
from eval_tasks.question import Question
from eval_tasks.reference_answers import TRIVIAL_MODELS, completion, reference_answer
from eval_tasks.release import Release
from eval_tasks.rows import read_questions
from eval_tasks.scoring import gold_answer, score
from scripts.plain_affiliation import by_definition

QA_CONFIGS = ("simulated", "fault_injected", "real_world")
ANSWERS = 1_516
"""Questions of the published benchmark: 1,044 over simulations and 472 over recordings."""
REASONING = (
    "Glucose rose from 110 to 163 after lunch on day 3, which is 53 mg/dL in 45 minutes. " * 25
)
"""What stands before every answer, 2,000 characters."""
_REPEATS = 3
_SLOWEST_PAIRS = 60
Pair = tuple[NDArray[np.float64], NDArray[np.float64], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSpeed:
    """Result of the benchmark; times are processor time of one core, the best of three runs.

    Attributes:
        answers: Completions scored.
        score_s: Time for all of them, from text to score.
        interval_pairs: Pairs of interval lists.
        affiliation_s: Time for all pairs.
        plain_s: The same in plain Python by the definition.
        ratio_plain: Times faster.
        largest_difference: Between the two, of precision and recall.
    """

    answers: int
    score_s: float
    interval_pairs: int
    affiliation_s: float
    plain_s: float
    ratio_plain: float
    largest_difference: float


def measure(release: Release) -> ScoreSpeed:
    """Measure on the questions of a release, asked again where there are fewer than 1,516.

    Raises:
        EvaluationError: The release has no question that asks for intervals.
    """
    questions = _questions(release)
    texts = [
        REASONING + completion(model, question, gold_answer(question))
        for question, model in zip(questions, cycle(("gold", *TRIVIAL_MODELS)), strict=False)
    ]
    pairs = _pairs(questions)
    if not pairs:
        raise EvaluationError(f"{release.repo} asks for no intervals; give another --release")
    fast, plain = _best(lambda: _fast(pairs)), _best(lambda: _plain(pairs), repeats=1)
    differences = [
        abs(a - b)
        for mine, other in zip(_fast(pairs), _plain(pairs), strict=True)
        for a, b in zip(mine, other, strict=True)
    ]
    return ScoreSpeed(
        answers=len(texts),
        score_s=_best(lambda: list(map(score, questions, texts))),
        interval_pairs=len(pairs),
        affiliation_s=fast,
        plain_s=plain,
        ratio_plain=plain / fast,
        largest_difference=max(differences),
    )


def _questions(release: Release) -> list[Question]:
    found = [
        question
        for config in QA_CONFIGS
        if TEST_SPLIT in release.rows.get(config, {})
        for question in read_questions(release, config, TEST_SPLIT)
    ]
    return list(islice(cycle(found), ANSWERS))


def _pairs(questions: Sequence[Question]) -> list[Pair]:
    """Return answers of the trivial models and gold answers, as spans of samples."""
    asked = [question for question in questions if question.shape.answer_type == "intervals"]
    step = max(1, math.ceil(len(asked) / _SLOWEST_PAIRS))
    pairs: list[Pair] = []
    for question, model in zip(asked[::step], cycle(TRIVIAL_MODELS), strict=False):
        answer = reference_answer(model, question, gold_answer(question))
        mine, true = (_spans(entry, question.minutes) for entry in (answer, gold_answer(question)))
        pairs.append((mine, true, question.minutes))
    return pairs


def _spans(answer: object, minutes: int) -> NDArray[np.float64]:
    return merged(half_open(answer if isinstance(answer, list) else [], minutes))


def _fast(pairs: Sequence[Pair]) -> list[tuple[float, float]]:
    found = [affiliation(*pair) for pair in pairs]
    return [(one.precision, one.recall) for one in found]


def _plain(pairs: Sequence[Pair]) -> list[tuple[float, float]]:
    return [
        by_definition(
            [(a, b) for a, b in mine.tolist()], [(a, b) for a, b in true.tolist()], length
        )
        for mine, true, length in pairs
    ]


def _best(work: Callable[[], object], repeats: int = _REPEATS) -> float:
    """Return the least processor time of some runs, s."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)
