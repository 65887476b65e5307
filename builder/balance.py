"""How the answers of a release are spread: whether guessing without reading can pay."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from builder import parquet
from builder.manifest import read_manifest
from builder.schema import QA_CONFIGS, Config, Split
from builder.shortcuts import shortcuts_of, told_by_options

MOST_OF_A_CATEGORY = 0.6
"""Largest share that an answer of a category may have in `test`."""
_LISTS = ("intervals", "day_list", "hour_list", "pair_list")


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """The answers of one task in one split.

    Attributes:
        config: Config.
        split: Split.
        task_id: Task.
        answer_type: Its answer type.
        instances: How many there are.
        different: How many different answers there are.
        commonest: The commonest answer, JSON.
        commonest_share: Its share.
        empty_share: Share of the answers [], "none" and, for numbers and counts, 0.
        left_out: How many patients the task is not asked about.
        reasons: Why, with counts.
    """

    config: Config
    split: Split
    task_id: str
    answer_type: str
    instances: int
    different: int
    commonest: str
    commonest_share: float
    empty_share: float
    left_out: int
    reasons: Mapping[str, int]

    def problems(self) -> Iterator[str]:
        """Yield every rule of balance that the task breaks in this split."""
        if self.instances > 1 and self.different == 1:
            yield f"{self.task_id}: every answer is {self.commonest}"
        skewed = self.split == "test" and self.commonest_share > MOST_OF_A_CATEGORY
        if self.answer_type == "category" and skewed:
            yield f"{self.task_id}: {self.commonest_share:.0%} of the answers are {self.commonest}"


def balances(folder: Path, split: Split) -> list[Balance]:
    """Return the balance of every task in a split of a release, config by config.

    Raises:
        BuildError: The folder is no release.
    """
    manifest = read_manifest(folder)
    reasons: defaultdict[tuple[str, str | None], Counter[str]] = defaultdict(Counter)
    for left in manifest.left_out:
        reasons[left.config, left.task_id][left.reason] += 1
    found = []
    for config in (config for config in QA_CONFIGS if config in manifest.configs):
        answers: defaultdict[str, list[str]] = defaultdict(list)
        kinds: dict[str, str] = {}
        for name in manifest.configs[config].splits[split].files:
            table = parquet.read(folder / name).select(["task_id", "answer_type", "answer"])
            for row in table.to_pylist():
                answers[row["task_id"]].append(row["answer"])
                kinds[row["task_id"]] = row["answer_type"]
        unasked = {task for of, task in reasons if of == config and task is not None}
        found += [
            _balance(
                (config, split, task), kinds.get(task, ""), answers[task], reasons[config, task]
            )
            for task in sorted(answers.keys() | unasked, key=_by_number)
        ]
    return found


def broken_rules(tables: Mapping[Config, Mapping[Split, pa.Table]]) -> tuple[str, ...]:
    """Return every rule of balance that a task breaks in `test`, one line each.

    Where too few people can be asked a question with either answer, no choice of rows keeps them.
    """
    found: list[str] = []
    for config in QA_CONFIGS:
        table = tables.get(config, {}).get("test")
        if table is None:
            continue
        answers: defaultdict[str, list[str]] = defaultdict(list)
        kinds: dict[str, str] = {}
        for row in table.select(["task_id", "answer_type", "answer"]).to_pylist():
            answers[row["task_id"]].append(row["answer"])
            kinds[row["task_id"]] = row["answer_type"]
        for task in sorted(answers, key=_by_number):
            line = _balance((config, "test", task), kinds[task], answers[task], Counter())
            found += [f"{config}/test: {problem}" for problem in line.problems()]
        found += [
            f"{config}/test: {one.task_id}: the options on offer alone score {one.by_options:.0%}"
            for one in shortcuts_of(
                table.filter(pc.equal(table.column("answer_type"), "category")), config, "test"
            )
            if told_by_options(one)
        ]
    return tuple(found)


def _balance(
    key: tuple[Config, Split, str], kind: str, answers: Sequence[str], reasons: Counter[str]
) -> Balance:
    config, split, task_id = key
    counts = Counter(answers)
    commonest, most = max(counts.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
    size = max(len(answers), 1)
    return Balance(
        config=config,
        split=split,
        task_id=task_id,
        answer_type=kind,
        instances=len(answers),
        different=len(counts),
        commonest=commonest,
        commonest_share=most / size,
        empty_share=sum(_is_empty(answer, kind) for answer in answers) / size,
        left_out=sum(reasons.values()),
        reasons=dict(reasons),
    )


def _is_empty(answer: str, kind: str) -> bool:
    value = json.loads(answer)
    if value == "none" or kind in _LISTS:
        return value in ("none", [])
    return kind in ("number", "integer") and value == 0


def _by_number(task_id: str) -> tuple[str, int]:
    kind, _, number = task_id.partition("_")
    return kind, int(number)
