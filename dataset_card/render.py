"""Renders the dataset card of a release from the release itself."""

import re
from collections import Counter
from dataclasses import dataclass
from importlib.resources import files
from itertools import zip_longest
from pathlib import Path

import yaml
from jinja2 import Environment, StrictUndefined

from builder.errors import BuildError
from builder.floors import Splits
from builder.manifest import CARD_NAME, Manifest
from builder.schema import COLUMNS, QA_COLUMNS, QA_CONFIGS, Config, arrow_schema
from dataset_card.characteristics import records_of, table_of
from dataset_card.croissant import CROISSANT_NAME, render_croissant
from dataset_card.features import features_of
from dataset_card.figures import figures_of, widest_splits
from dataset_card.longevity import longevity_facts
from dataset_card.texts import CITATION, HOME, TAGS
from generators.questions.anomaly_detection.same_answer import SAME_ANSWER
from generators.questions.registry import TASKS

_ABOUT: dict[Config, str] = {
    "simulated": "questions about 30 days of simulated patients: process mining and prediction",
    "fault_injected": "anomaly questions about simulated patients whose sensor or pump fails or "
    "is attacked",
    "real_world": "questions about recordings of real people",
    "longevity": "yes/no advice on longevity interventions for fictional people; review status below",
    "multiple_choice": "questions of the other configs whose answer is a number, with ten options",
    "traces": "the simulated time series with their hidden truth and fault labels",
}

_SIZES = {"n<1K": 10**3, "1K<n<10K": 10**4, "10K<n<100K": 10**5, "100K<n<1M": 10**6}
"""Size categories of the Hub, and where each ends."""
_HUB = "https://huggingface.co/datasets/"
_CHANGELOG = Path(__file__).resolve().parent.parent / "CHANGELOG.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskLine:
    """A line of the card's task table."""

    id: str
    prototype: str
    level: str
    path: str
    answer: str
    rows: int


def render_card(manifest: Manifest, splits: Splits) -> str:
    """Return the text of README.md: YAML for the Hub and `load_dataset`, then the card.

    Args:
        manifest: The release's manifest; whether it lists the card itself makes no difference.
        splits: Its rows.
    """
    template = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    ).from_string((files("dataset_card") / "card.md.jinja").read_text(encoding="utf-8"))
    records = {config: records_of(rows) for config, rows in widest_splits(splits).items()}
    return front_matter(manifest) + template.render(
        manifest=manifest,
        about=_ABOUT,
        columns=QA_COLUMNS,
        every_column=COLUMNS,
        tasks=_task_lines(splits),
        cleaning=_cleaning(manifest),
        first_split={config: next(iter(parts), "test") for config, parts in splits.items()},
        longevity=next(map(longevity_facts, splits.get("longevity", {}).values()), None),
        home=HOME,
        source="PATH" if manifest.private else HOME.removeprefix(_HUB),
        citation=CITATION,
        records={config: len(found) for config, found in records.items()},
        characteristics=table_of(list(records.values())),
        figures=figures_of(splits),
        same_answer=SAME_ANSWER,
        score_changes=_score_changes(manifest.version),
        left_out=Counter((left.config, left.task_id, left.reason) for left in manifest.left_out),
    )


def front_matter(manifest: Manifest) -> str:
    """Return the YAML block that tells `load_dataset` where each split lies and what it holds.

    `dataset_info` tells the columns only. With splits `datasets` 5.2 wants their bytes in memory
    too, which are not the same wherever rows are read; the manifest is what rows are checked by.
    Configs with the same columns share one list (a YAML alias): every `load_dataset` reads this block.
    """
    schemas = {config: arrow_schema(config) for config in manifest.configs}
    features = {schema: features_of(schema) for schema in dict.fromkeys(schemas.values())}
    data = {
        "license": "other" if manifest.private else "cc-by-4.0",
        "language": ["en"],
        "pretty_name": "HealthLoopQA",
        "task_categories": ["question-answering"],
        "tags": list(TAGS),
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
        "dataset_info": [
            {"config_name": config, "features": features[schema]}
            for config, schema in schemas.items()
        ],
    }
    return f"---\n{yaml.safe_dump(data, sort_keys=False, allow_unicode=True)}---\n"


def problems_of_card(folder: Path, manifest: Manifest, splits: Splits) -> list[str]:
    """Return what is wrong with the card of a release, one line each.

    Args:
        folder: The release.
        manifest: Its manifest.
        splits: Its rows.

    Raises:
        BuildError: There is no card.
    """
    try:
        text = (folder / CARD_NAME).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BuildError(f"{folder} is no release: it holds no readable {CARD_NAME}") from error
    found = _croissant_problems(folder, manifest)
    if not text.startswith(front_matter(manifest)):
        found.append(f"{CARD_NAME}: its YAML block is not the one that the manifest asks for")
    if manifest.release_sha256 not in text:
        found.append(f"{CARD_NAME}: the manifest is not the one whose digest it states")
    lines = zip_longest(text.splitlines(), render_card(manifest, splits).splitlines())
    other = next((place for place, pair in enumerate(lines, 1) if pair[0] != pair[1]), None)
    if other is not None:
        found.append(
            f"{CARD_NAME}: line {other} is not what this code writes about these rows and this "
            "manifest"
        )
    return found


def _croissant_problems(folder: Path, manifest: Manifest) -> list[str]:
    try:
        text = (folder / CROISSANT_NAME).read_text(encoding="utf-8")
    except FileNotFoundError:
        return [f"{CROISSANT_NAME} is missing"]
    except (OSError, UnicodeDecodeError):
        return [f"{CROISSANT_NAME} cannot be read"]
    if text == render_croissant(manifest):
        return []
    return [f"{CROISSANT_NAME} is not what this code writes about these columns and this manifest"]


def _score_changes(version: str) -> str:
    """Return what the changelog says of a version's scores.

    Raises:
        BuildError: There is no changelog.
    """
    try:
        text = _CHANGELOG.read_text(encoding="utf-8")
    except OSError as error:
        raise BuildError(f"{_CHANGELOG} cannot be read; work in a checkout") from error
    entry = rf"^## {re.escape(version)}\b.*?^### Scores\n(.*?)^##"
    found = re.search(entry, text, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else "Not recorded."


def _task_lines(splits: Splits) -> dict[str, list[TaskLine]]:
    lines: dict[str, list[TaskLine]] = {}
    for config in QA_CONFIGS:
        table = next(iter(splits.get(config, {}).values()), None)
        if table is None:
            continue
        rows = Counter(table.column("task_id").to_pylist())
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


def _size_category(manifest: Manifest) -> str:
    rows = sum(part.rows for entry in manifest.configs.values() for part in entry.splits.values())
    for name, end in _SIZES.items():
        if rows < end:
            return name
    return "1M<n<10M"
