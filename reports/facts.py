"""What the report needs to know of the rows of a release, one line a row, without their records."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from eval_tasks.question import LONGEVITY
from eval_tasks.release import Release
from reports.errors import ReportError

_QA = (
    *("instance_id", "patient_id", "trace_id", "abilities", "complexity", "prototype"),
    "answer",
)
_CASE = (
    *("case_id", "item_id", "intervention", "age_group", "conditions", "background"),
    *("profile_form", "distractor", "system_prompt_level", "answer"),
)
KEYS = ["config", "split", "id"]
_JOINED = {"path": " > ", "conditions": ", "}
_NEW_NAMES = {"instance_id": "id", "case_id": "id", "answer": "gold", "abilities": "path"}


def row_facts(release: Release, parts: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """Return the facts of all rows of configs and splits.

    Lists are joined with `>` (abilities, in order) or `, `. The column `cluster` names what rows
    share that makes them dependent: the patient, or of longevity the item.

    Args:
        release: A release in a folder.
        parts: Configs with their splits.

    Raises:
        ReportError: The data cannot be read.
    """
    tables = [_part(release, config, split) for config, split in sorted(set(parts))]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=KEYS)


def _part(release: Release, config: str, split: str) -> pd.DataFrame:
    columns: Sequence[str] = _CASE if config == LONGEVITY else _QA
    files = [Path(release.repo) / name for name in release.parts[config][split].files]
    try:
        table = pa.concat_tables(pq.ParquetFile(file).read(columns=list(columns)) for file in files)
    except (OSError, pa.ArrowException) as error:
        raise ReportError(
            f"{config}/{split} of {release.repo} cannot be read ({error}); validate the release"
        ) from error
    frame: pd.DataFrame = table.to_pandas().rename(columns=_NEW_NAMES)
    for name, mark in _JOINED.items():
        if name in frame:
            frame[name] = frame[name].map(mark.join)
    cluster = frame["item_id"] if config == LONGEVITY else frame["patient_id"]
    return frame.assign(config=config, split=split, cluster=cluster)
