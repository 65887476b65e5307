"""Reads submitted results, which anybody may have written, from a folder of model repositories.

What cannot be an entry of this benchmark's leaderboard is left out with the reason; nothing in a file
can stop the others from being read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from eval_tasks.question import LONGEVITY
from eval_tasks.reference_answers import MODEL_NAMES
from eval_tasks.release import EVALUATED_CONFIGS
from eval_tasks.version import RELEASE_VERSION
from reports.errors import ReportError
from reports.notes import ROUNDING, WEB_ADDRESS, Notes

RESULTS_FOLDER = ".eval_results"
GOLD = "gold"
MOST_BYTES = 65_536
"""Size of a file of entries; more than this is none."""
MOST_ENTRIES = 50
"""Entries in a file, which holds one for each config."""
LAST_YEAR = 2099
"""Years after this one are slips. Whether another day is true nothing here can tell."""
_LONGEST_REASON = 200
_DEEPEST = 8
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COMMIT = re.compile(r"[0-9a-f]{40}")


def _plain(text: str) -> str:
    """Return a text without what a terminal or a reader may take for something else."""
    shown = "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in text)
    return shown if len(shown) <= _LONGEST_REASON else f"{shown[:_LONGEST_REASON]}..."


def _day(value: object) -> object:
    if isinstance(value, str) and _DAY.fullmatch(value):
        day = date.fromisoformat(value)
        if day.year <= LAST_YEAR:
            return day
    raise ValueError("is no day as in 2026-05-04")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Dataset(_Part):
    id: str
    task_id: str
    revision: str = ""


class _Source(_Part):
    url: str = Field(default="", pattern=rf"^({WEB_ADDRESS})?$")
    name: str = ""
    user: str = ""
    org: str = ""


class _Entry(_Part):
    """An item of the Hub's list of results; all scalars are text."""

    dataset: _Dataset
    value: float = Field(allow_inf_nan=False)
    verify_token: str = Field(default="", alias="verifyToken")
    day: Annotated[date, BeforeValidator(_day)] = Field(alias="date")
    source: _Source = Field(default_factory=_Source)
    notes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A result of a model on a config.

    Attributes:
        file: Where it stands, below the folder.
        config: What it is on.
        skill: Overall skill, unrounded.
        day: When it was evaluated.
        url: Where logs or a report can be seen; empty where that is not said.
        notes: Everything else.
    """

    file: str
    config: str
    skill: float
    day: date
    url: str
    notes: Notes


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that is not on the leaderboard, and why."""

    file: str
    reason: str


def read_entries(folder: Path, repository: str) -> tuple[list[Entry], list[LeftOut]]:
    """Return the entries in all `.eval_results/*.yaml` below a folder, and what was left out.

    Where the folder holds repositories as `owner/name`, an entry must be on that model.

    Args:
        folder: The folder.
        repository: The benchmark's dataset repository on the Hub.

    Raises:
        ReportError: It holds no such file.
    """
    files = sorted(folder.rglob(f"{RESULTS_FOLDER}/*.yaml"))
    if not files:
        raise ReportError(
            f"{folder} holds no {RESULTS_FOLDER}/*.yaml; write them with scripts/submit_results.py"
        )
    found = [one for file in files for one in _of_file(file, folder, repository)]
    return (
        [one for one in found if isinstance(one, Entry)],
        [one for one in found if isinstance(one, LeftOut)],
    )


def _of_file(file: Path, folder: Path, repository: str) -> Iterator[Entry | LeftOut]:
    name = _plain(file.relative_to(folder).as_posix())
    try:
        items = _items(file, folder)
    except ReportError as error:
        yield LeftOut(file=name, reason=str(error))
        return
    places = file.relative_to(folder).parts[:-2]
    owner = "/".join(places[-2:]) if len(places) > 1 else None
    for number, item in enumerate(items, 1):
        place = name if len(items) == 1 else f"{name}, entry {number}"
        try:
            yield entry_of(item, place, repository, owner)
        except ReportError as error:
            yield LeftOut(file=place, reason=str(error))


def _items(file: Path, folder: Path) -> list[Any]:
    """Return the items of a file.

    Raises:
        ReportError: It is no plain list in YAML.
    """
    if not file.resolve().is_relative_to(folder.resolve()):
        raise ReportError("is a link to another place")
    try:
        if file.stat().st_size > MOST_BYTES:
            raise ReportError(f"is larger than {MOST_BYTES} bytes")
        return listed(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ReportError("is no YAML that can be read") from error


def listed(text: str) -> list[Any]:
    """Return the items of a file's text, every scalar as text.

    Raises:
        ReportError: It is no list of results.
        YAMLError: It is no YAML.
    """
    _check_plain(text)
    read = yaml.load(text, Loader=yaml.BaseLoader)
    if not isinstance(read, list):
        raise ReportError("is no list of results")
    if len(read) > MOST_ENTRIES:
        raise ReportError(f"holds more than {MOST_ENTRIES} entries")
    return read


def _check_plain(text: str) -> None:
    """Check that YAML can be read in a time that goes with its length.

    Raises:
        ReportError: It has aliases, a few bytes of which can stand for billions of items, or is
            nested deeper than results are.
        YAMLError: It is no YAML.
    """
    depth = 0
    for event in yaml.parse(text):
        if isinstance(event, yaml.AliasEvent):
            raise ReportError("has YAML aliases")
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise ReportError(f"is nested deeper than {_DEEPEST} levels")


def entry_of(item: object, place: str, repository: str, owner: str | None) -> Entry:
    """Return an item as an entry: the one rule of what a leaderboard takes and may be submitted.

    Args:
        item: An item of a file, every scalar as text.
        place: Where it stands.
        repository: The benchmark's dataset repository.
        owner: The model whose folder it lies in; None where that is not known.

    Raises:
        ReportError: It cannot be one.
    """
    dataset = item.get("dataset") if isinstance(item, dict) else None
    named = dataset.get("id") if isinstance(dataset, dict) else None
    if named != repository:
        raise ReportError(f"is on another dataset than {repository}")
    try:
        read = _Entry.model_validate(item)
        notes = Notes.parse(read.notes)
    except ValidationError as error:
        raise ReportError(_reason(error)) from error
    except ValueError as error:
        raise ReportError(_plain(str(error))) from error
    entry = Entry(
        file=place,
        config=read.dataset.task_id,
        skill=read.value,
        day=read.day,
        url=read.source.url,
        notes=notes,
    )
    problem = (
        _problem_of_setting(entry, read.dataset.revision)
        or _problem_of_value(entry)
        or _problem_of_model(entry, repository, owner)
    )
    if problem is not None:
        raise ReportError(problem)
    return entry


def _reason(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    return _plain(f"{where}: {first['msg']}" if where else first["msg"])


def _problem_of_setting(entry: Entry, revision: str) -> str | None:
    if entry.config not in EVALUATED_CONFIGS:
        return f"{_plain(entry.config)!r} is no config with questions"
    if (entry.config == LONGEVITY) != (entry.notes.prompt is None):
        return "prompt and horizon are for records, and longevity has none"
    if _numbers(entry.notes.version) > _numbers(RELEASE_VERSION):
        return f"is on version {entry.notes.version}; the newest known here is {RELEASE_VERSION}"
    if revision != entry.notes.version and _COMMIT.fullmatch(revision) is None:
        return (
            f"revision {_plain(revision)!r} is neither a commit nor version {entry.notes.version}"
        )
    return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _problem_of_value(entry: Entry) -> str | None:
    if abs(entry.skill - entry.notes.skill.value) > 1.01 * ROUNDING:
        return f"value {entry.skill:g} is not the skill in its notes"
    return None


def _problem_of_model(entry: Entry, repository: str, owner: str | None) -> str | None:
    """Return what is wrong with the model's name; reference models are the benchmark's own."""
    model, (ours, _, _) = entry.notes.model, repository.partition("/")
    if owner is not None and owner != model:
        return f"is on {model}, but lies in the folder of {_plain(owner)}"
    if entry.notes.reference == "no":
        return None
    theirs, _, name = model.partition("/")
    if theirs != ours or name not in MODEL_NAMES:
        names = ", ".join(MODEL_NAMES)
        return f"{model} is none of the reference models, which are {ours}'s own: {names}"
    if name == GOLD and (entry.skill < 1.0 or entry.notes.score.value < 1.0):
        return f"{GOLD} scores below 1: the set-up is wrong"
    return None
