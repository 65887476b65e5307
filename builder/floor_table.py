"""What trivial answers, and the rules that read the prompt, score on the tasks of a release."""

import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from builder import parquet
from builder.manifest import read_manifest
from builder.schema import Config, Split
from eval_tasks import rules
from eval_tasks.baselines import FILE_NAME, Baseline, read_baselines
from eval_tasks.prompts import qa_prompt
from eval_tasks.question import Question
from eval_tasks.record.shown import whole
from eval_tasks.reference_answers import RULES, TRIVIAL_MODELS
from eval_tasks.scoring import score
from eval_tasks.summary import task_skill

HIGH = 0.6
"""A raw score above this looks like knowledge; where it is trivial, skill must not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Floors:
    """What can be had on one task.

    Attributes:
        task_id: Task.
        rows: How many rows it has.
        floor: The best trivial model's mean raw score.
        scores: Mean raw score by trivial model, and of `rules`.
    """

    task_id: str
    rows: int
    floor: float
    scores: Mapping[str, float]

    def skill(self, model: str) -> float:
        """Return a model's skill; NaN where a trivial model is perfect."""
        return task_skill(self.scores[model], self.floor)


def floors(folder: Path, config: Config, split: Split, prefix: str = "") -> list[Floors]:
    """Return what can be had on the tasks of a config and split, in the order of their numbers.

    Args:
        folder: A release.
        config: A config of questions.
        split: One of its splits.
        prefix: Only tasks whose id starts so.

    Raises:
        BuildError: The folder is no release.
        ReleaseError: It has no baselines for the config and split.
    """
    known = read_baselines((folder / FILE_NAME).read_text(encoding="utf-8"), config, split)
    found: defaultdict[str, list[float]] = defaultdict(list)
    for name in read_manifest(folder).configs[config].splits[split].files:
        for task_id, value in _by_rules(folder / name, prefix):
            found[task_id].append(value)
    return [
        _floors(task_id, known[task_id], found[task_id])
        for task_id in sorted(found, key=lambda name: int(name.partition("_")[2]))
    ]


def _by_rules(path: Path, prefix: str) -> Iterator[tuple[str, float]]:
    """Yield task and the score of the reference model `rules` for every row."""
    for batch in parquet.read(path).to_batches(max_chunksize=8):
        for row in batch.to_pylist():
            if row["task_id"].startswith(prefix):
                text = qa_prompt(row, whole(row["input_context"]), "structured")
                yield row["task_id"], score(Question.from_row(row), rules.completion(text)).value


def _floors(task_id: str, known: Baseline, by_rules: list[float]) -> Floors:
    scores = {**known.scores, RULES: statistics.fmean(by_rules)}
    return Floors(task_id=task_id, rows=len(by_rules), floor=known.floor, scores=scores)


def floors_table(lines: list[Floors]) -> Iterator[str]:
    """Yield a Markdown table: raw score (skill) of each model on each task."""
    models = (*TRIVIAL_MODELS, RULES)
    yield f"| task | rows | {' | '.join(models)} |"
    yield f"|---|---|{'---|' * len(models)}"
    for line in lines:
        cells = (f"{line.scores[model]:.2f} ({line.skill(model):+.2f})" for model in models)
        yield f"| {line.task_id} | {line.rows} | {' | '.join(cells)} |"
