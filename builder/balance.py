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
_READ = ["task_id", "answer_type", "answer"]
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
        files = manifest.configs[config].splits[split].files
        table = pa.concat_tables([parquet.read(folder / name).select(_READ) for name in files])
        mine = {task: why for (of, task), why in reasons.items() if of == config and task}
        found += balances_of(config, split, table, mine)
    return found


def balances_of(
    config: Config, split: Split, table: pa.Table, reasons: Mapping[str, Counter[str]]
) -> list[Balance]:
    """Return the balance of every task in the rows of a split.

    Args:
        config: Whose rows they are.
        split: Their split.
        table: At least the columns task_id, answer_type, answer.
        reasons: By task, why it is not asked about patients, with counts.
    """
    answers: defaultdict[str, list[str]] = defaultdict(list)
    kinds: dict[str, str] = {}
    for row in table.select(_READ).to_pylist():
        answers[row["task_id"]].append(row["answer"])
        kinds[row["task_id"]] = row["answer_type"]
    return [
        _balance(
            (config, split, task), kinds.get(task, ""), answers[task], reasons.get(task, Counter())
        )
        for task in sorted(answers.keys() | reasons.keys(), key=_by_number)
    ]


def broken_rules(tables: Mapping[Config, Mapping[Split, pa.Table]]) -> tuple[str, ...]:
    """Return every rule of balance that a task breaks in `test`, one line each.

    Where too few people can be asked a question with either answer, no choice of rows keeps them.
    """
    found: list[str] = []
    for config in QA_CONFIGS:
        table = tables.get(config, {}).get("test")
        if table is None:
            continue
        for line in balances_of(config, "test", table, {}):
            found += [f"{config}/test: {problem}" for problem in line.problems()]
        categories = table.filter(pc.equal(table.column("answer_type"), "category"))
        found += [
            f"{config}/test: {one.task_id}: the options on offer alone score {one.by_options:.0%}"
            for one in shortcuts_of(categories, config, "test")
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
