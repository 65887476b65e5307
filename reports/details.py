"""What models answered: lighteval's details files and agents' traces, one line an answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from eval_tasks.forms import DEFAULT_FORM, FORMS, SUITE, Form, task_name, task_prefix
from eval_tasks.question import LONGEVITY, SYSTEM_PROMPT_LEVELS
from eval_tasks.release import EVALUATED_CONFIGS, Release
from eval_tasks.scoring import STATUSES
from reports.errors import ReportError

PATTERN = "details_*.parquet"
RETRIEVED_LEAD = "These passages were found in the literature:"
"""How the user message of a case with retrieved passages begins."""
_COLUMNS = (
    *("doc.specific.id", "doc.specific.question", "doc.task_name"),
    *(f"metric.{SUITE}.{name}" for name in ("task_id", "task_type", "level", "floor")),
    *(f"metric.{SUITE}.{name}" for name in ("value", "strict", "status", "answer", "reason")),
    *("model_response.text", "model_response.input_tokens", "model_response.output_tokens"),
)
_SPLITS = ("test", "full", "train", "validation")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a lighteval task asks: config, split and form."""

    config: str
    split: str
    form: Form


def read_details(sources: Sequence[Path], release: Release) -> pd.DataFrame:
    """Return the answers in lighteval's details below folders.

    Where a model was asked the same in the same form twice, the later run counts.

    Args:
        sources: Folders that hold details files somewhere below, or such files.
        release: What was asked.

    Returns:
        A line an answer: model, file, home (the folder that holds `details`), config, split, style, days, retrieved, id, question (JSON),
        task_id, task_type, level, floor, value, strict, status, answer (JSON), reason, text,
        input_tokens, output_tokens (missing where they were not recorded). No lines without files.

    Raises:
        ReportError: A file is none of this benchmark's.
    """
    files = sorted(set(_files(sources)), key=lambda file: (_time(file), str(file)))
    if not files:
        return pd.DataFrame(columns=["model", "home", "file", "id", "text"])
    known = known_tasks(release)
    answers = pd.concat([_read(file, known) for file in files], ignore_index=True)
    same = ["model", "config", "split", "style", "days", "retrieved", "id"]
    return answers.drop_duplicates(same, keep="last", ignore_index=True)


def known_tasks(release: Release) -> dict[str, Asked]:
    """Return what each lighteval task of the benchmark asks, by its name."""
    splits = sorted({*_SPLITS, *(split for parts in release.rows.values() for split in parts)})
    tasks = {
        task_name(config, split, form): Asked(config=config, split=split, form=form)
        for config in EVALUATED_CONFIGS
        for split in splits
        for form in FORMS
    }
    return tasks | {
        f"{task_prefix(LONGEVITY, split)}:{level}": Asked(
            config=LONGEVITY, split=split, form=DEFAULT_FORM
        )
        for split in splits
        for level in SYSTEM_PROMPT_LEVELS
    }


def model_of(file: Path) -> str:
    """Return the model of a file `.../details/<model>/<time>/details_<task>_<time>.parquet`.

    Raises:
        ReportError: It does not lie in such a folder.
    """
    parts = file.parts
    if "details" not in parts[:-2]:
        raise ReportError(f"{file}: no folder details/<model>/<time> around it tells the model")
    return "/".join(parts[_place(file) + 1 : -2])


def _place(file: Path) -> int:
    return len(file.parts) - 1 - file.parts[::-1].index("details")


def _home(file: Path) -> Path:
    return Path(*file.parts[: _place(file)])


def _files(sources: Sequence[Path]) -> Iterator[Path]:
    for source in sources:
        if source.is_file():
            yield source.resolve()
        else:
            yield from (file.resolve() for file in source.rglob(PATTERN))


def _time(file: Path) -> str:
    return file.parent.name


def _read(file: Path, known: Mapping[str, Asked]) -> pd.DataFrame:
    try:
        parquet = pq.ParquetFile(file)
        table = _flat(parquet.read(columns=list(_COLUMNS)))
        asked = _asked(table["doc.task_name"], known)
        counts = {name: _lengths(table[f"model_response.{name}"]) for name in _TOKENS}
        frame = table.drop_columns(["doc.task_name", *(f"model_response.{n}" for n in _TOKENS)])
        answers: pd.DataFrame = frame.to_pandas().rename(columns=_short)
        answers["text"] = [texts[0] if len(texts) else "" for texts in answers["text"]]
        retrieved = _retrieved(parquet) if asked.config == LONGEVITY else False
    except (OSError, pa.ArrowException, KeyError, ValueError) as error:
        raise ReportError(f"{file}: these are no details of this benchmark ({error})") from error
    return answers.assign(
        model=model_of(file),
        file=str(file),
        home=str(_home(file)),
        config=asked.config,
        split=asked.split,
        style=asked.form.style,
        days=asked.form.days,
        retrieved=retrieved,
        **counts,
    )


_TOKENS = ("input_tokens", "output_tokens")
_short = {name: name.rpartition(".")[2] for name in _COLUMNS}


def _flat(table: pa.Table) -> pa.Table:
    while any(pa.types.is_struct(field.type) for field in table.schema):
        table = table.flatten()
    if missing := sorted(set(_COLUMNS) - set(table.column_names)):
        raise KeyError(f"without {', '.join(missing)}")
    return table.select(_COLUMNS)


def _asked(names: pa.ChunkedArray, known: Mapping[str, Asked]) -> Asked:
    found = {name.partition("|")[0] for name in pc.unique(names).to_pylist()}
    asked = {known[name] for name in found if name in known}
    if len(asked) != 1 or not found <= set(known):
        raise ValueError(f"tasks {', '.join(sorted(found)) or 'none'}")
    return asked.pop()


def _lengths(column: pa.ChunkedArray) -> pd.Series:
    """Return how many tokens each answer has; missing where none were recorded.

    A backend stores a list of tokens for each completion, or one list, or nothing.
    """
    tokens = pa.chunked_array(column.chunks, type=column.type).combine_chunks()
    flat = pc.list_flatten(tokens)
    counts = np.zeros(len(tokens))
    sizes = pc.list_value_length(flat).to_numpy(zero_copy_only=False) if _nested(flat) else 1.0
    if not pa.types.is_null(flat.type):
        np.add.at(counts, pc.list_parent_indices(tokens).to_numpy(), sizes)
    return pd.Series(np.where(counts > 0, counts, np.nan))


def _nested(values: pa.Array) -> bool:
    return bool(pa.types.is_list(values.type) or pa.types.is_large_list(values.type))


def _retrieved(parquet: pq.ParquetFile) -> pd.Series:
    """Return of each longevity case whether its prompt shows passages."""
    query = pc.struct_field(parquet.read(columns=["doc.query"])["doc"], "query")
    return pd.Series(pc.match_substring(query, RETRIEVED_LEAD).to_pylist(), dtype=bool)


def check_statuses(answers: pd.DataFrame) -> None:
    """Check that scores and statuses are those that this benchmark gives.

    Raises:
        ReportError: A status is unknown or a score lies outside [0, 1].
    """
    odd = answers[~answers["status"].isin(STATUSES) | ~answers["value"].between(0.0, 1.0)]
    if len(odd):
        row = odd.iloc[0]
        raise ReportError(
            f"{row['file']}: row {row['id']} has status {row['status']!r} and score {row['value']}; "
            "evaluate anew"
        )
