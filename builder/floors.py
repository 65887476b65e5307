"""The floors of a release, as they stand in its `baselines.json`."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from builder.rows import questions_of
from builder.schema import Config, Split
from eval_tasks.baselines import baselines

Splits = Mapping[Config, Mapping[Split, pa.Table]]
"""The rows of a release."""


def floors_of(splits: Splits) -> dict[str, dict[str, Any]]:
    """Return constants, scores of the trivial models and floors by config, split and task.

    Raises:
        GoldError: A gold answer is broken.
    """
    return {
        config: baselines({split: questions_of(table) for split, table in parts.items()})
        for config, parts in splits.items()
        if config not in ("multiple_choice", "traces")
    }
