"""Renders the dataset card of a release from the release itself."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pyarrow as pa
import yaml
from jinja2 import Environment, StrictUndefined

from builder.errors import BuildError
from builder.manifest import Manifest
from builder.schema import COLUMNS, QA_COLUMNS, QA_CONFIGS, Config, Split
from generators.questions.registry import TASKS

CARD_NAME = "README.md"
_ABOUT: dict[Config, str] = {
    "simulated": "questions about 30 days of simulated patients: process mining and prediction",
    "fault_injected": "anomaly questions about simulated patients whose sensor or pump fails or "
    "is attacked",
    "real_world": "questions about recordings of real people",
    "longevity": "yes/no advice on longevity interventions for fictional people; review status below",
    "traces": "the simulated time series with their hidden truth and fault labels",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskLine:
    """A line of the card's task table."""

    id: str
    prototype: str
    level: str
    path: str
    answer: str
    rows: int


def render_card(manifest: Manifest, splits: Mapping[Config, Mapping[Split, pa.Table]]) -> str:
    """Return the text of README.md: YAML for the Hub and `load_dataset`, then the card.

    Args:
        manifest: The release's manifest.
        splits: Its rows.
    """
    template = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    ).from_string((files("dataset_card") / "card.md.jinja").read_text(encoding="utf-8"))
    return front_matter(manifest) + template.render(
        manifest=manifest,
        about=_ABOUT,
        columns=QA_COLUMNS,
        every_column=COLUMNS,
        tasks=_task_lines(splits),
        cleaning=_cleaning(manifest),
        longevity_items=_longevity_items(splits),
        longevity_reviewed=_longevity_items(splits, reviewed=True),
        left_out=Counter((left.config, left.task_id, left.reason) for left in manifest.left_out),
    )


def front_matter(manifest: Manifest) -> str:
    """Return the YAML block that tells `load_dataset` where each split lies."""
    data = {
        "license": "other" if manifest.private else "cc-by-4.0",
        "language": ["en"],
        "pretty_name": "HealthLoopQA",
        "task_categories": ["question-answering"],
        "tags": ["diabetes", "time-series", "glucose", "longevity", "benchmark", "synthetic"],
        "size_categories": [_size_category(manifest)],
        "configs": [
            {
                "config_name": config,
                "version": manifest.version,
                **({"default": True} if place == 0 else {}),
                "data_files": [
                    {"split": split, "path": list(part.files)}
                    for split, part in entry.splits.items()
                ],
            }
            for place, (config, entry) in enumerate(manifest.configs.items())
        ],
    }
    return f"---\n{yaml.safe_dump(data, sort_keys=False, allow_unicode=True)}---\n"


def problems_of_card(folder: Path, manifest: Manifest) -> list[str]:
    """Return what is wrong with the card of a release, one line each.

    Raises:
        BuildError: There is no card.
    """
    try:
        text = (folder / CARD_NAME).read_text(encoding="utf-8")
    except OSError as error:
        raise BuildError(f"{folder} is no release: it holds no readable {CARD_NAME}") from error
    found = []
    if not text.startswith(front_matter(manifest)):
        found.append(f"{CARD_NAME}: its YAML block is not the one that the manifest asks for")
    if manifest.content_sha256 not in text or manifest.canary not in text:
        found.append(f"{CARD_NAME}: it was rendered for another release")
    return found


def _task_lines(splits: Mapping[Config, Mapping[Split, pa.Table]]) -> dict[str, list[TaskLine]]:
    lines: dict[str, list[TaskLine]] = {}
    for config in QA_CONFIGS:
        if config not in splits:
            continue
        rows = Counter(splits[config]["test"].column("task_id").to_pylist())
        lines[config] = [
            TaskLine(
                id=task.id,
                prototype=task.prototype,
                level=task.level,
                path=" > ".join(task.path),
                answer=task.answer_type + (f", {task.unit}" if task.unit else ""),
                rows=rows[task.id],
            )
            for task in TASKS.values()
            if rows[task.id]
        ]
    return lines


def _cleaning(manifest: Manifest) -> Counter[str]:
    """Return what each cleaning step did over all subjects."""
    total: Counter[str] = Counter()
    for steps in manifest.cleaning.values():
        total.update(steps)
    return total


def _longevity_items(
    splits: Mapping[Config, Mapping[Split, pa.Table]], *, reviewed: bool = False
) -> int:
    """Return the number of longevity profiles, or of those that a physician has signed."""
    if "longevity" not in splits:
        return 0
    rows = splits["longevity"]["test"].select(["item_id", "physician_reviewed"]).to_pylist()
    return len({row["item_id"] for row in rows if row["physician_reviewed"] or not reviewed})


def _size_category(manifest: Manifest) -> str:
    rows = sum(part.rows for entry in manifest.configs.values() for part in entry.splits.values())
    return "n<1K" if rows < 1_000 else "1K<n<10K" if rows < 10_000 else "10K<n<100K"
