"""The explorer: one HTML page that shows records, questions, gold and given answers, and traces.

Everything is in the file. Each trace is stored once, its samples as base64 of 16-bit numbers, in a
block of its own that the page reads only when the trace is picked.
"""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from eval_tasks.horizons import named_days
from eval_tasks.question import MINUTES_PER_DAY, SAMPLE_MINUTES, Question
from reports.answers import Answers
from reports.errors import ReportError
from reports.page import page

Samples = npt.NDArray[np.float64]
TEXT_BUDGET = 12_000_000
"""Characters of models' texts in a page; where there are more, each is shortened."""
LEAST_TEXT, MOST_TEXT = 400, 20_000
MISSING = 65_535
FROM_START = "from the start of the record"
"""How an instruction says that minutes count from the start of the record."""
_PER_DAY = MINUTES_PER_DAY // SAMPLE_MINUTES
_EVENTS = ("carb_events", "exercise_events", "insulin_events")
_COLUMNS = (
    *("instance_id", "trace_id", "task_id", "task_type", "cognitive_level", "question"),
    *("instruction", "rationale", "parameters", "unit", "patient_profile", "cut_minute"),
    *("hypothetical", "input_context"),
)


@dataclass(slots=True, kw_only=True)
class Record:
    """A trace as far as questions show it; time counts from its own start.

    Attributes:
        glucose: mg/dL, one value per 5 min, NaN where missing or not shown.
        insulin: mU/min, the same.
        events: Meals, exercise and doses, by name of the column.
    """

    glucose: Samples = field(default_factory=lambda: np.empty(0))
    insulin: Samples = field(default_factory=lambda: np.empty(0))
    events: dict[str, list[dict[str, Any]]] = field(
        default_factory=lambda: {name: [] for name in _EVENTS}
    )

    def agrees(self, start: int, glucose: Samples, insulin: Samples) -> bool:
        """Return whether a part that starts at a sample says the same where both are known."""
        shared = slice(start, min(len(self.glucose), start + len(glucose)))
        size = max(shared.stop - start, 0)
        pairs = ((self.glucose, glucose), (self.insulin, insulin))
        return all(np.array_equal(a[shared], b[:size], equal_nan=True) for a, b in pairs)

    def lacks(self, start: int, size: int) -> bool:
        """Return whether a part reaches beyond what is known."""
        return start + size > len(self.glucose)

    def add(
        self, start: int, glucose: Samples, insulin: Samples, events: Mapping[str, list[Any]]
    ) -> None:
        """Add a part that starts at a sample."""
        known = len(self.glucose) * SAMPLE_MINUTES
        shift = start * SAMPLE_MINUTES
        self.glucose = _extended(self.glucose, start, glucose)
        self.insulin = _extended(self.insulin, start, insulin)
        for name, entries in events.items():
            later = ({**entry, "time": entry["time"] + shift} for entry in entries)
            self.events[name] += [entry for entry in later if entry["time"] >= known]


def write_explorer(answers: Answers, path: Path) -> None:
    """Write the page.

    Raises:
        ReportError: The rows of the release cannot be read.
    """
    given = answers.questions()
    systems = sorted(given["system"].unique())
    blocks = [
        block
        for (config, split), part in given.groupby(["config", "split"], sort=True)
        for block in _blocks(answers, str(config), str(split), part, systems)
    ]
    index = {
        "version": answers.release.version,
        "systems": systems,
        "traces": [
            {"config": block["config"], "label": block["label"], "rows": len(block["rows"])}
            for block in blocks
        ],
    }
    data = {f"trace-{place}": block for place, block in enumerate(blocks)}
    path.write_text(page("explorer.html", {"index": index, **data}), encoding="utf-8")


def _blocks(
    answers: Answers, config: str, split: str, given: pd.DataFrame, systems: list[str]
) -> Iterator[dict[str, Any]]:
    by_row = {str(name): rows for name, rows in given.groupby("id", sort=False)}
    limit = _text_limit(len(answers.questions()))
    table = _table(answers, config, split)
    table = table.filter(pc.is_in(table["instance_id"], value_set=pa.array(sorted(by_row))))
    plain = table.drop_columns(["input_context"]).to_pylist()
    records = _records(table, plain)
    shown: dict[str, list[dict[str, Any]]] = {}
    about: dict[str, Mapping[str, Any]] = {}
    for row, (name, start, size) in zip(plain, records.places, strict=True):
        lines: Any = by_row[row["instance_id"]].to_dict(orient="records")
        shown.setdefault(name, []).append(_row(row, start, size, lines, systems, limit))
        about[name] = row["patient_profile"]
    for name in sorted(shown):
        yield {
            "config": config if split == "test" else f"{config}, {split}",
            "label": name,
            "profile": {key: value for key, value in about[name].items() if value is not None},
            **_encoded(records.by_name[name]),
            "rows": sorted(shown[name], key=lambda row: (row["type"], _number(row["task"]))),
        }


def _table(answers: Answers, config: str, split: str) -> pa.Table:
    release = answers.release
    paths = [Path(release.repo) / name for name in release.parts[config][split].files]
    try:
        return pa.concat_tables(pq.ParquetFile(path).read(columns=list(_COLUMNS)) for path in paths)
    except (OSError, pa.ArrowException) as error:
        raise ReportError(f"{config}/{split} cannot be read ({error}); validate it") from error


@dataclass(slots=True, kw_only=True)
class _Records:
    """Records by name, and for each row its record, first sample and number of samples."""

    by_name: dict[str, Record] = field(default_factory=dict)
    places: list[tuple[str, int, int]] = field(default_factory=list)

    def name_of(self, trace: str, start: int, glucose: Samples, insulin: Samples) -> str:
        """Return the name of the record that a part belongs to: the trace, or one beside it."""
        number = 1
        while True:
            name = trace if number == 1 else f"{trace} ({number})"
            record = self.by_name.setdefault(name, Record())
            if record.agrees(start, glucose, insulin):
                return name
            number += 1


def _records(table: pa.Table, plain: list[dict[str, Any]]) -> _Records:
    context = table["input_context"].combine_chunks()
    glucose, insulin = (_parts(context.field(name)) for name in ("bg_mgdl", "insulin_mu_min"))
    starts = [(json.loads(row["parameters"]).get("first_day", 1) - 1) * _PER_DAY for row in plain]
    found = _Records()
    named: dict[int, str] = {}
    for place in sorted(range(len(plain)), key=lambda i: (starts[i], -len(glucose[i]))):
        start, part, dosed = starts[place], glucose[place], insulin[place]
        name = found.name_of(plain[place]["trace_id"], start, part, dosed)
        named[place] = name
        record = found.by_name[name]
        if record.lacks(start, len(part)):
            events = {kind: context.field(kind)[place].as_py() for kind in _EVENTS}
            record.add(start, part, dosed, events)
    found.places = [(named[i], starts[i], len(glucose[i])) for i in range(len(plain))]
    return found


def _parts(column: pa.ListArray) -> list[Samples]:
    values = pc.cast(column.values, pa.float64()).to_numpy(zero_copy_only=False)
    offsets = column.offsets.to_numpy()
    return [values[first:end] for first, end in pairwise(offsets)]


def _extended(known: Samples, start: int, part: Samples) -> Samples:
    whole = np.full(max(len(known), start + len(part)), np.nan)
    whole[: len(known)] = known
    whole[start : start + len(part)] = part
    return whole


def _encoded(record: Record) -> dict[str, Any]:
    most = float(np.nanmax(record.insulin, initial=1.0))
    scale = most / (MISSING - 1)
    return {
        "glucose": _base64(record.glucose),
        "insulin": _base64(record.insulin / scale),
        "insulin_scale": scale,
        "meals": [[e["time"], e["carbs"], e["meal_type"]] for e in record.events["carb_events"]],
        "exercise": [
            [e["time"], e["duration"], e["exercise_type"], e["magnitude"]]
            for e in record.events["exercise_events"]
        ],
        "doses": [
            [e["time"], e["dosage"], e["insulin_type"]] for e in record.events["insulin_events"]
        ],
    }


def _base64(values: Samples) -> str:
    whole = np.where(np.isnan(values), MISSING, np.round(values)).astype("<u2")
    return base64.b64encode(whole.tobytes()).decode("ascii")


def _row(
    row: Mapping[str, Any],
    start: int,
    size: int,
    lines: list[dict[str, Any]],
    systems: list[str],
    limit: int,
) -> dict[str, Any]:
    question = Question.from_json(lines[0]["question"])
    days = named_days(row)
    from_start = FROM_START in row["instruction"].rpartition("Answer with")[2]
    place = Place(question=question, days=days, from_start=from_start)
    return {
        "id": row["instance_id"],
        "task": row["task_id"],
        "type": row["task_type"],
        "level": row["cognitive_level"],
        "question": row["question"],
        "instruction": row["instruction"],
        "rationale": row["rationale"],
        "unit": row["unit"],
        "hypothetical": row["hypothetical"],
        "start": start,
        "size": size,
        "cut": row["cut_minute"] is not None,
        "window": days and [(days[0] - 1) * MINUTES_PER_DAY, days[1] * MINUTES_PER_DAY],
        "gold": json.loads(question.answer),
        "spans": place.spans(json.loads(question.answer)),
        "answers": [
            [
                systems.index(line["system"]),
                json.loads(line["answer"]),
                round(line["value"], 4),
                line["status"],
                line["reason"],
                shortened(line["text"], limit),
                place.spans(json.loads(line["answer"])),
                line["outcome"],
                line["failures"],
            ]
            for line in sorted(lines, key=lambda line: str(line["system"]))
        ],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in the record an answer lies.

    Attributes:
        question: What was asked.
        days: First and last day that the question names.
        from_start: Whether minutes count from the start of the record; else they are a length,
            unless the question asks for a time of the day.
    """

    question: Question
    days: tuple[int, int] | None = None
    from_start: bool = False

    def spans(self, answer: Any) -> list[list[float]]:
        """Return the stretches that a gold or given answer names, in minutes; a point twice.

        A time of the day has a place only where the question names one day.
        """
        kind = self.question.shape.answer_type
        if kind == "intervals" and isinstance(answer, list):
            return [[entry["start"], entry["end"]] for entry in answer]
        if kind == "minute" and isinstance(answer, int | float):
            return self._point(answer)
        if kind == "hour_list" and isinstance(answer, list) and self._midnight is not None:
            starts = [self._midnight + 60 * hour for hour in answer]
            return [[start, start + 60] for start in starts]
        return [_whole_day(number) for number in _days_of(kind, answer)]

    @property
    def _midnight(self) -> int | None:
        if self.days is None or self.days[0] != self.days[1]:
            return None
        return (self.days[0] - 1) * MINUTES_PER_DAY

    def _point(self, minute: float) -> list[list[float]]:
        if self.from_start:
            return [[minute, minute]]
        if not self.question.shape.minute_of_day or self._midnight is None:
            return []
        return [[self._midnight + minute] * 2]


def _days_of(kind: str, answer: Any) -> Iterable[float]:
    if kind == "day" and isinstance(answer, int | float):
        return [answer]
    if kind == "day_list" and isinstance(answer, list):
        return answer
    return (
        [entry[0] for entry in answer] if kind == "pair_list" and isinstance(answer, list) else []
    )


def _whole_day(number: float) -> list[float]:
    return [(number - 1) * MINUTES_PER_DAY, number * MINUTES_PER_DAY]


def shortened(text: str, limit: int) -> str:
    """Return a text of at most so many characters and a note, a third from its beginning."""
    if len(text) <= limit:
        return text
    head = limit // 3
    left = len(text) - limit
    return f"{text[:head]}\n[... {left} characters are left out ...]\n{text[head + left :]}"


def _text_limit(count: int) -> int:
    return min(max(TEXT_BUDGET // max(count, 1), LEAST_TEXT), MOST_TEXT)


def _number(task: str) -> tuple[str, int]:
    kind, _, number = task.partition("_")
    return kind, int(number) if number.isdigit() else 0
