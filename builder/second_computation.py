"""Compares gold answers with a second computation that was written another way.

What the record determines is solved from the row alone (`eval_tasks.solver`). What only the
injected faults determine is recomputed from the hidden truth in the config `traces`: reported
against fault-free readings, reported against delivered insulin. The labels that the gold answers
came from are not read.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from eval_tasks.errors import EvaluationError
from eval_tasks.solver import SOLVERS, solve
from generators.trace import SAMPLE_MINUTES

SPIKE = 60
"""mg/dL by which a spiked reading is off, at least."""
Row = Mapping[str, Any]
Mask = NDArray[np.bool_]


def disagreements(questions: pa.Table, traces: pa.Table | None) -> Iterator[str]:
    """Yield a line for every row whose gold answer the second computation does not confirm.

    Args:
        questions: Rows of a config of questions.
        traces: Rows of the config `traces`; without them hidden faults are not compared.
    """
    truth = _truth_by_trace(traces)
    for batch in questions.to_batches(max_chunksize=8):
        for row in batch.to_pylist():
            problem = _disagreement(row, truth)
            if problem:
                yield f"{row['instance_id']}: {problem}"


def _truth_by_trace(traces: pa.Table | None) -> dict[str, dict[str, NDArray[np.float64]]]:
    if traces is None:
        return {}
    names = ("bg_mgdl", "fault_free_reading", "insulin_mu_min", "delivered_mu_min")
    return {
        traces.column("trace_id")[place].as_py(): {
            name: traces.column(name)[place].values.to_numpy(zero_copy_only=False).astype(float)
            for name in names
        }
        for place in range(traces.num_rows)
    }


def _disagreement(row: Row, truth: Mapping[str, Mapping[str, NDArray[np.float64]]]) -> str | None:
    task_id = row["task_id"]
    try:
        gold = json.loads(row["answer"])
    except ValueError:
        return f"the gold answer {row['answer']!r} is no JSON"
    if task_id in SOLVERS:
        try:
            second = solve(row)
        except EvaluationError as error:
            return f"the second computation refuses: {error}"
        return None if second == gold else f"gold {gold}, second computation {second}"
    if task_id in _FAULT_CHECKS and row["trace_id"] in truth:
        samples = len(row["input_context"]["bg_mgdl"])
        signals = {name: values[:samples] for name, values in truth[row["trace_id"]].items()}
        return _FAULT_CHECKS[task_id](signals, _mask(gold, samples))
    return None


def _mask(intervals: list[dict[str, int]], samples: int) -> Mask:
    minutes = np.arange(samples) * SAMPLE_MINUTES
    marked = np.zeros(samples, dtype=np.bool_)
    for interval in intervals:
        marked |= (minutes >= interval["start"]) & (minutes <= interval["end"])
    return marked


def _negative_spikes(signals: Mapping[str, NDArray[np.float64]], gold: Mask) -> str | None:
    below = signals["fault_free_reading"] - signals["bg_mgdl"] >= SPIKE
    lone = below & ~np.roll(below, 1) & ~np.roll(below, -1)
    return _difference("a lone reading 60 mg/dL below the fault-free one", lone, gold)


def _undelivered(signals: Mapping[str, NDArray[np.float64]], gold: Mask) -> str | None:
    """Insulin reported but not delivered must lie inside; elsewhere inside none is reported."""
    withheld = signals["insulin_mu_min"] - signals["delivered_mu_min"] > 0
    expected = withheld | (gold & (signals["insulin_mu_min"] == 0))
    return _difference("insulin reported and not delivered", expected, gold)


def _difference(what: str, second: Mask, gold: Mask) -> str | None:
    differing = np.flatnonzero(second != gold)
    if not differing.size:
        return None
    return f"at minute {differing[0] * SAMPLE_MINUTES} gold and the truth differ on {what}"


_FAULT_CHECKS: dict[str, Callable[[Mapping[str, NDArray[np.float64]], Mask], str | None]] = {
    "ad_4": _negative_spikes,
    "ad_59": _undelivered,
}
