"""Constant answers and floors of every task, shipped beside the rows as `baselines.json`.

The file holds {config: {split: {task_id: baseline}}}, each baseline being
{"constant": answer, "scores": {trivial model: mean raw score}, "floor": number,
"floor_model": name}. A task's constant is the best guess over the split `full` (over the split
itself where there is no `full`); its scores are those on the split; its floor is the highest.
"""

import json
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from eval_tasks.errors import ReleaseError
from eval_tasks.question import LIST_TYPES, NONE, Answer, Question
from eval_tasks.reference_answers import TRIVIAL_MODELS, completion
from eval_tasks.scoring import gold_answer, score

FILE_NAME = "baselines.json"
CONSTANTS_SPLIT = "full"


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What can be had on a task without looking.

    Attributes:
        constant: The answer that the constant model gives.
        scores: Mean raw score by trivial model.
        floor: The highest of them.
        floor_model: Whose it is; the first in the order of `TRIVIAL_MODELS` where several tie.
    """

    constant: Answer
    scores: Mapping[str, float]
    floor: float
    floor_model: str


def baselines(splits: Mapping[str, Iterable[Question]]) -> dict[str, dict[str, Any]]:
    """Return one config's part of `baselines.json`.

    Args:
        splits: The questions of every split of the config, by its name.

    Raises:
        GoldError: A gold answer is broken.
    """
    by_split = {split: _by_task(questions) for split, questions in splits.items()}
    guesses = {task: constant(rows) for task, rows in by_split.get(CONSTANTS_SPLIT, {}).items()}
    return {
        split: {
            task: asdict(_baseline(rows, guesses[task] if task in guesses else constant(rows)))
            for task, rows in sorted(tasks.items())
        }
        for split, tasks in by_split.items()
    }


def read_baselines(text: str, config: str, split: str) -> dict[str, Baseline]:
    """Return the baselines of a config and split by task id.

    Args:
        text: What `baselines.json` holds.
        config: Name of the config.
        split: Name of the split.

    Raises:
        ReleaseError: The text is not of the documented form, or lacks the config or split.
    """
    try:
        tasks = json.loads(text)[config][split]
        return {task: Baseline(**fields) for task, fields in tasks.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ReleaseError(
            f"{FILE_NAME} has no baselines for {config}/{split} ({error!r}); build the release anew"
        ) from error


def constant(questions: Iterable[Question]) -> Answer:
    """Return the answer that does best, or nearly so, if given to all questions of a task.

    The median of numbers (the lower one of two), the commonest category, day or list (the first
    option, the smallest day, the shortest list where several tie), the example for intervals.
    """
    questions = list(questions)
    first = questions[0]
    if first.shape.answer_type == "intervals":
        example: Answer = json.loads(first.example)
        return example
    golds = [gold_answer(question) for question in questions]
    if first.shape.answer_type in ("category", "verdict", "day", *LIST_TYPES):
        return _commonest(golds, first.shape.options)
    numbers = [gold for gold in golds if isinstance(gold, int | float)]
    if 2 * len(numbers) < len(golds):
        return NONE
    return statistics.median_low(numbers)


def _by_task(questions: Iterable[Question]) -> dict[str, list[Question]]:
    tasks: defaultdict[str, list[Question]] = defaultdict(list)
    for question in questions:
        tasks[question.task_id].append(question)
    return dict(tasks)


def _baseline(questions: list[Question], guess: Answer) -> Baseline:
    scores: dict[str, float] = {
        model: statistics.fmean(
            score(question, completion(model, question, guess)).value for question in questions
        )
        for model in TRIVIAL_MODELS
    }
    best = max(TRIVIAL_MODELS, key=lambda model: scores[model])
    return Baseline(constant=guess, scores=scores, floor=scores[best], floor_model=best)


def _commonest(golds: list[Answer], options: tuple[str, ...]) -> Answer:
    counts = Counter(json.dumps(gold) for gold in golds)
    most = max(counts.values())
    tied: list[Answer] = [json.loads(text) for text, count in counts.items() if count == most]
    return min(tied, key=lambda gold: _rank(gold, options))


def _rank(gold: Answer, options: tuple[str, ...]) -> tuple[float, str]:
    if isinstance(gold, list):
        return len(gold), json.dumps(gold)
    if isinstance(gold, str):
        return (options.index(gold) if gold in options else len(options)), gold
    return gold, ""
