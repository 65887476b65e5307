"""Constant answers and floors of every task, shipped beside the rows as `baselines.json`.

The file holds {config: {split: {task_id: baseline}}}, each baseline being
{"constant": answer, "by_options": {options: answer}, "scores": {trivial model: mean raw score},
"floor": number, "floor_model": name}. A task's constant is the one answer that scores best over the
split `full` (over the split itself where there is no `full`), and likewise for each set of options
that its rows offer, named by its options in alphabetical order with "|" between; its scores are
those on the split; its floor is the highest.
"""

import json
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from eval_tasks.errors import ReleaseError
from eval_tasks.metrics import MINUTES_EXACT, raw_score
from eval_tasks.question import LIST_TYPES, NONE, Answer, Question
from eval_tasks.reference_answers import TRIVIAL_MODELS, ReferenceModel, completion
from eval_tasks.scoring import gold_answer, score

FILE_NAME = "baselines.json"
CONSTANTS_SPLIT = "full"


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What can be had on a task without looking.

    Attributes:
        constant: The answer that the constant model gives.
        by_options: Its answer to rows that offer certain options, by `options_key`; empty unless a
            task's rows offer different ones.
        scores: Mean raw score by trivial model.
        floor: The highest of them.
        floor_model: Whose it is; the first in the order of `TRIVIAL_MODELS` where several tie.
    """

    constant: Answer
    scores: Mapping[str, float]
    floor: float
    floor_model: str
    by_options: Mapping[str, Answer] = field(default_factory=dict)

    def constant_for(self, options: Sequence[str]) -> Answer:
        """Return the answer that the constant model gives to a row that offers these options."""
        return self.by_options.get(options_key(options), self.constant)


def options_key(options: Sequence[str]) -> str:
    """Return the name of a set of options, whatever their order."""
    return "|".join(sorted(options))


def baselines(splits: Mapping[str, Iterable[Question]]) -> dict[str, dict[str, Any]]:
    """Return one config's part of `baselines.json`.

    Args:
        splits: The questions of every split of the config, by its name.

    Raises:
        GoldError: A gold answer is broken.
    """
    by_split = {split: _by_task(questions) for split, questions in splits.items()}
    guesses = {task: _guesses(rows) for task, rows in by_split.get(CONSTANTS_SPLIT, {}).items()}
    return {
        split: {
            task: asdict(_baseline(rows, guesses[task] if task in guesses else _guesses(rows)))
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
    """Return the answer that does best if given to all questions of a task.

    Looked for among the gold answers, and for minutes also 5 min to either side of them: no other
    number does better where a score falls in a straight line. The example for intervals; "none"
    where most answers are. Of several the first option, the number nearest to the median (the
    smaller one), the shortest list.
    """
    questions = list(questions)
    first = questions[0]
    if first.shape.answer_type == "intervals":
        example: Answer = json.loads(first.example)
        return example
    golds = [gold_answer(question) for question in questions]
    numbers = [gold for gold in golds if isinstance(gold, int | float)]
    if first.shape.answer_type not in ("category", "verdict", *LIST_TYPES) and 2 * len(
        numbers
    ) < len(golds):
        return NONE
    middle = statistics.median_low(numbers) if numbers else 0.0
    pairs = list(zip(golds, questions, strict=True))
    return min(
        _candidates(golds, first),
        key=lambda guess: (
            -round(sum(raw_score(guess, gold, question) for gold, question in pairs), 9),
            *_rank(guess, first.shape.options, middle),
        ),
    )


def _candidates(golds: Sequence[Answer], question: Question) -> Iterator[Answer]:
    yield from golds
    if question.shape.answer_type == "minute":
        numbers = [gold for gold in golds if isinstance(gold, int | float)]
        yield from (max(0, gold - MINUTES_EXACT) for gold in numbers)
        yield from (gold + MINUTES_EXACT for gold in numbers)


def _guesses(questions: Sequence[Question]) -> tuple[Answer, dict[str, Answer]]:
    """Return the constant of a task, and one for each set of options where they differ."""
    sets: defaultdict[str, list[Question]] = defaultdict(list)
    for question in questions:
        sets[options_key(question.shape.options)].append(question)
    several = sorted(sets.items()) if len(sets) > 1 else []
    return constant(questions), {key: constant(rows) for key, rows in several}


def _by_task(questions: Iterable[Question]) -> dict[str, list[Question]]:
    tasks: defaultdict[str, list[Question]] = defaultdict(list)
    for question in questions:
        tasks[question.task_id].append(question)
    return dict(tasks)


def _baseline(questions: list[Question], guesses: tuple[Answer, Mapping[str, Answer]]) -> Baseline:
    guess, by_options = guesses
    scores: dict[str, float] = {
        model: statistics.fmean(_scored(model, question, guesses) for question in questions)
        for model in TRIVIAL_MODELS
    }
    best = max(TRIVIAL_MODELS, key=lambda model: scores[model])
    return Baseline(
        constant=guess,
        by_options=by_options,
        scores=scores,
        floor=scores[best],
        floor_model=best,
    )


def _scored(
    model: ReferenceModel, question: Question, guesses: tuple[Answer, Mapping[str, Answer]]
) -> float:
    guess, by_options = guesses
    known = by_options.get(options_key(question.shape.options), guess)
    return score(question, completion(model, question, known)).value


def _rank(gold: Answer, options: tuple[str, ...], middle: float) -> tuple[float, float, str]:
    if isinstance(gold, list):
        return len(gold), 0, json.dumps(gold)
    if isinstance(gold, str):
        return (options.index(gold) if gold in options else len(options)), 0, gold
    return abs(gold - middle), gold, ""
