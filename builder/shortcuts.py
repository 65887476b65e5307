"""What can be had on a task by reading the options and the stated parameters alone, not the record.

Whoever answers so knows how answers follow from options (the best constant for each set of options)
or from one number that the question states (one constant below a threshold, another one from it on).
Both are fitted to the very rows on which they are scored, which flatters them: of sixteen rows with
two even answers, some threshold on a number without any meaning parts about two thirds rightly.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from builder import parquet
from builder.manifest import read_manifest
from builder.rows import questions_of
from builder.schema import QA_CONFIGS, Config, Split
from eval_tasks.baselines import constant, options_key
from eval_tasks.metrics import raw_score
from eval_tasks.question import Question
from eval_tasks.scoring import gold_answer
from generators.questions.registry import TASKS
from generators.questions.task import Task

MOST_BY_OPTIONS = 0.75
"""Mean score above which the options on offer tell too much of a category in `test`."""
LEAST_ROWS = 10
"""Rows from which on this is judged."""
Asked = tuple[Question, Mapping[str, object]]
"""A question and its parameters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcut:
    """What rules that do not look at the record score on a task, mean raw scores.

    Attributes:
        config: Config.
        split: Split.
        task_id: Task.
        rows: How many rows it has.
        constant: Of one answer for all rows.
        by_options: Of one answer for each set of options.
        by_number: Of two answers, by a threshold on the one stated number that does best.
        number: Name of that parameter; "" where none is stated, or none helps.
    """

    config: Config
    split: Split
    task_id: str
    rows: int
    constant: float
    by_options: float
    by_number: float
    number: str


def told_by_options(found: Shortcut) -> bool:
    """Return whether the options of a task's rows tell its answers, in `test`."""
    return (
        found.split == "test"
        and found.rows >= LEAST_ROWS
        and found.by_options > max(MOST_BY_OPTIONS, found.constant)
    )


def shortcuts(folder: Path, split: Split) -> list[Shortcut]:
    """Return what can be had so on every task of a split, config by config, in numbered order.

    Raises:
        BuildError: The folder is no release.
    """
    found = []
    for config in QA_CONFIGS:
        entry = read_manifest(folder).configs.get(config)
        for name in () if entry is None else entry.splits[split].files:
            found += list(shortcuts_of(parquet.read(folder / name), config, split))
    return found


def shortcuts_of(table: pa.Table, config: Config, split: Split) -> Iterator[Shortcut]:
    """Yield what can be had so on the tasks of one config and split."""
    asked: defaultdict[str, list[Asked]] = defaultdict(list)
    for question, text in zip(
        questions_of(table), table.column("parameters").to_pylist(), strict=True
    ):
        asked[question.task_id].append((question, json.loads(text)))
    for task_id in sorted(asked, key=_by_number):
        yield _shortcut((config, split), TASKS[task_id], asked[task_id])


def shortcut_table(lines: Sequence[Shortcut]) -> Iterator[str]:
    """Yield a Markdown table, one line for each task."""
    yield "| config | task | rows | one answer | by options | by one stated number | which |"
    yield "|---|---|---|---|---|---|---|"
    for line in lines:
        scores = f"{line.constant:.2f} | {line.by_options:.2f} | {line.by_number:.2f}"
        yield f"| {line.config} | {line.task_id} | {line.rows} | {scores} | {line.number} |"


def stated_numbers(task: Task, asked: Sequence[Asked]) -> list[str]:
    """Return the numeric parameters that a task's texts state in every row, in order of name."""
    prediction = task.prediction
    hypothetical = prediction.hypothetical if prediction and prediction.hypothetical else ""
    text = " ".join((task.instruction, hypothetical, *(w.text for w in task.wordings)))
    names = sorted(set.intersection(*(set(given) for _, given in asked)))
    return [
        name
        for name in names
        if f"{{{name}" in text and all(isinstance(given[name], int | float) for _, given in asked)
    ]


def _shortcut(place: tuple[Config, Split], task: Task, asked: Sequence[Asked]) -> Shortcut:
    one = _score([[question for question, _ in asked]])
    sets: defaultdict[str, list[Question]] = defaultdict(list)
    for question, _ in asked:
        sets[options_key(question.shape.options)].append(question)
    parted = [(_by_threshold(name, asked), name) for name in stated_numbers(task, asked)]
    by_number, number = max(parted, default=(one, ""))
    return Shortcut(
        config=place[0],
        split=place[1],
        task_id=task.id,
        rows=len(asked),
        constant=one,
        by_options=_score(list(sets.values())),
        by_number=max(one, by_number),
        number=number if by_number > one else "",
    )


def _by_threshold(name: str, asked: Sequence[Asked]) -> float:
    """Return what the best threshold on a parameter scores."""
    best = 0.0
    for threshold in sorted({_number(given[name]) for _, given in asked})[1:]:
        parts: tuple[list[Question], list[Question]] = ([], [])
        for question, given in asked:
            parts[_number(given[name]) >= threshold].append(question)
        best = max(best, _score(parts))
    return best


def _number(value: object) -> float:
    return float(str(value))


def _score(groups: Sequence[Sequence[Question]]) -> float:
    """Return the mean score of the best constant of each group."""
    total, count = 0.0, 0
    for questions in groups:
        guess = constant(questions)
        total += sum(raw_score(guess, gold_answer(q), q) for q in questions)
        count += len(questions)
    return total / count


def _by_number(task_id: str) -> tuple[str, int]:
    kind, _, number = task_id.partition("_")
    return kind, int(number)
