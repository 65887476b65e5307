"""Compares gold answers with a second computation that was written another way.

What the record determines is solved from the row alone (`eval_tasks.solver`). What only the
injected faults determine is recomputed from the hidden truth in the config `traces`
(`builder.truth`): the labels that the gold answers came from are not read. Predictions are
simulated again as a whole (`builder.prediction_check`).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from builder.prediction_check import is_simulated_prediction, prediction_problem
from builder.truth import Deviation, Mask, deviations, mask_of, signals_of, spans_of
from eval_tasks.errors import EvaluationError
from eval_tasks.solver import SOLVERS, solve
from generators.trace import MINUTES_PER_DAY, SAMPLE_MINUTES, FaultLabel

Row = Mapping[str, Any]
Window = Callable[[Row, NDArray[np.int64]], Mask]
"""From a row and the minutes of its samples to the samples that lie in a window."""

_SPIKES: tuple[FaultLabel, ...] = ("positive_spike", "negative_spike")
_BIASES: tuple[FaultLabel, ...] = ("positive_bias", "negative_bias")
_VALUES: tuple[FaultLabel, ...] = (
    *_SPIKES,
    *_BIASES,
    "repeated_reading",
    "zero_reading",
    "min_reading",
    "max_reading",
    "repeated_episode",
)
_WORN: tuple[FaultLabel, ...] = ("repeated_reading", "zero_reading", *_SPIKES)
_MORE: tuple[FaultLabel, ...] = ("positive_basal", "max_basal")
_LESS: tuple[FaultLabel, ...] = ("negative_basal", "min_basal")


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRule:
    """What a task about faults asks for.

    Attributes:
        labels: Kinds of deviation.
        least: Fewest samples of a stretch.
        windows: Windows in whose common part a stretch must have a sample.
        below: Only the readings below this are asked for, mg/dL; None for all.
    """

    labels: tuple[FaultLabel, ...]
    least: int = 1
    windows: tuple[Window, ...] = ()
    below: int | None = None


def disagreements(questions: pa.Table, traces: pa.Table | None) -> Iterator[str]:
    """Yield a line for every row whose gold answer the second computation does not confirm.

    Args:
        questions: Rows of a config of questions.
        traces: Rows of the config `traces`; without them hidden faults are not compared.
    """
    places = {} if traces is None else _places(traces)
    found: dict[str, list[Deviation]] = {}
    for batch in questions.to_batches(max_chunksize=8):
        for row in batch.to_pylist():
            trace_id = row["trace_id"]
            if row["task_id"] in FAULT_RULES and trace_id in places and traces is not None:
                if trace_id not in found:
                    samples = len(row["input_context"]["bg_mgdl"])
                    (truth,) = traces.slice(places[trace_id], 1).to_pylist()
                    found[trace_id] = deviations(signals_of(truth, samples))
                problem = fault_problem(row, found[trace_id])
            elif is_simulated_prediction(row):
                problem = prediction_problem(row)
            else:
                problem = _solver_problem(row)
            if problem:
                yield f"{row['instance_id']}: {problem}"


def _places(traces: pa.Table) -> dict[str, int]:
    return {name: place for place, name in enumerate(traces.column("trace_id").to_pylist())}


def _solver_problem(row: Row) -> str | None:
    gold = _gold(row)
    if gold is None:
        return f"the gold answer {row['answer']!r} is no JSON"
    if row["task_id"] not in SOLVERS:
        return None
    try:
        second = solve(row)
    except EvaluationError as error:
        return f"the second computation refuses: {error}"
    return None if second == gold else f"gold {gold}, second computation {second}"


def _gold(row: Row) -> Any:
    try:
        return json.loads(row["answer"])
    except (ValueError, RecursionError):
        return None


def fault_problem(row: Row, found: list[Deviation]) -> str | None:
    """Return how a gold answer differs from what really went wrong; None where it does not.

    Args:
        row: A row about faults, whose task is one of `FAULT_RULES`.
        found: All deviations of its record.
    """
    gold = _gold(row)
    if gold is None:
        return f"the gold answer {row['answer']!r} is no JSON"
    rule = FAULT_RULES[row["task_id"]]
    readings = np.array(row["input_context"]["bg_mgdl"], dtype=np.float64)
    minutes = np.arange(len(readings), dtype=np.int64) * SAMPLE_MINUTES
    asked = [event for event in found if event.label in rule.labels]
    core = mask_of([event.core for event in asked], len(readings))
    reach = mask_of([event.reach for event in asked], len(readings))
    inside = np.ones(len(readings), dtype=np.bool_)
    for window in rule.windows:
        inside &= window(row, minutes)
    must, may = (_selected(mask, rule, readings, inside) for mask in (core, reach))
    if row["answer_type"] == "day_list":
        days = sorted(set((minutes[must & inside] // MINUTES_PER_DAY + 1).tolist()))
        return None if days == gold else f"gold {gold}, the truth gives {days}"
    return _difference(_marked(gold, minutes), must, may, core)


def _selected(mask: Mask, rule: FaultRule, readings: NDArray[np.float64], inside: Mask) -> Mask:
    """Return the long enough stretches that reach into the window, cut to the low readings."""
    kept = [
        (first, last)
        for first, last in spans_of(mask)
        if last - first + 1 >= rule.least and inside[first : last + 1].any()
    ]
    chosen = mask_of(kept, len(mask))
    return chosen if rule.below is None else chosen & (readings < rule.below)


def _marked(intervals: list[dict[str, int]], minutes: NDArray[np.int64]) -> Mask:
    marked = np.zeros(len(minutes), dtype=np.bool_)
    for interval in intervals:
        marked |= (minutes >= interval["start"]) & (minutes <= interval["end"])
    return marked


def _difference(gold: Mask, must: Mask, may: Mask, core: Mask) -> str | None:
    """Return where gold lacks what it must hold, or holds what it may not or what nothing shows."""
    idle = mask_of([s for s in spans_of(gold) if not core[s[0] : s[1] + 1].any()], len(gold))
    differing = np.flatnonzero((must & ~gold) | (gold & ~(may | must)) | idle)
    if not differing.size:
        return None
    place = int(differing[0])
    lacking = "lacks" if must[place] and not gold[place] else "holds"
    return f"gold {lacking} minute {place * SAMPLE_MINUTES}, unlike the truth of the trace"


def _days(first: int, last: int) -> Window:
    return lambda _, minutes: (
        (minutes // MINUTES_PER_DAY >= first - 1) & (minutes // MINUTES_PER_DAY < last)
    )


def _hours(first: int, last: int) -> Window:
    def window(_: Row, minutes: NDArray[np.int64]) -> Mask:
        hour = minutes % MINUTES_PER_DAY // 60
        return np.asarray((hour >= first) & (hour < last))

    return window


def _stated_day(row: Row, minutes: NDArray[np.int64]) -> Mask:
    return np.asarray(minutes // MINUTES_PER_DAY + 1 == json.loads(row["parameters"])["day"])


def _stated_week(row: Row, minutes: NDArray[np.int64]) -> Mask:
    day = minutes // MINUTES_PER_DAY
    return np.asarray(day // 7 + 1 == json.loads(row["parameters"])["week"])


def _lunches(row: Row) -> list[int]:
    events = row["input_context"]["carb_events"]
    return [event["time"] for event in events if event["meal_type"] == "lunch"]


def _after_lunch(row: Row, minutes: NDArray[np.int64]) -> Mask:
    late = np.zeros(len(minutes), dtype=np.bool_)
    for lunch in _lunches(row):
        late |= (minutes - lunch > 0) & (minutes - lunch <= 120)
    return late


def _from_lunch(row: Row, minutes: NDArray[np.int64]) -> Mask:
    """Return the samples later than a lunch of the same day, up to 18:00."""
    afternoon = np.zeros(len(minutes), dtype=np.bool_)
    for lunch in _lunches(row):
        six = lunch - lunch % MINUTES_PER_DAY + 18 * 60
        afternoon |= (minutes > lunch) & (minutes < six)
    return afternoon


def _exercise(later: int) -> Window:
    def window(row: Row, minutes: NDArray[np.int64]) -> Mask:
        active = np.zeros(len(minutes), dtype=np.bool_)
        for bout in row["input_context"]["exercise_events"]:
            since = minutes - bout["time"]
            active |= (since >= 0) & (since <= bout["duration"] + later)
        return active

    return window


_LAST_WEEK, _LAST_WEEKEND, _NIGHT = _days(24, 30), _days(27, 28), _hours(0, 6)
_HOUR = 60 // SAMPLE_MINUTES

FAULT_RULES: Mapping[str, FaultRule] = {
    "ad_4": FaultRule(labels=("negative_spike",)),
    "ad_5": FaultRule(labels=("missing_signal", *_VALUES)),
    "ad_6": FaultRule(labels=("repeated_reading",)),
    "ad_8": FaultRule(labels=_WORN),
    "ad_9": FaultRule(labels=_BIASES),
    "ad_10": FaultRule(labels=_SPIKES),
    "ad_11": FaultRule(labels=_WORN, windows=(_LAST_WEEK,)),
    "ad_12": FaultRule(labels=("missing_signal",), windows=(_LAST_WEEKEND,)),
    "ad_13": FaultRule(labels=_SPIKES, windows=(_LAST_WEEK,)),
    "ad_14": FaultRule(labels=("negative_spike",), windows=(_stated_day,)),
    "ad_15": FaultRule(labels=("negative_spike",), windows=(_stated_week,)),
    "ad_16": FaultRule(labels=("positive_spike",), windows=(_stated_day, _hours(6, 12))),
    "ad_24": FaultRule(labels=("positive_spike",), windows=(_stated_day, _from_lunch)),
    "ad_33": FaultRule(labels=("negative_spike",), windows=(_after_lunch,)),
    "ad_38": FaultRule(labels=("positive_spike",), windows=(_hours(1, 3),)),
    "ad_39": FaultRule(labels=("missing_signal", *_VALUES), windows=(_after_lunch, _LAST_WEEK)),
    "ad_40": FaultRule(labels=("repeated_reading",), windows=(_NIGHT,)),
    "ad_42": FaultRule(
        labels=(
            "zero_reading",
            "negative_bias",
            "min_reading",
            "repeated_reading",
            "negative_spike",
        ),
        below=80,
    ),
    "ad_44": FaultRule(labels=("false_meal",)),
    "ad_45": FaultRule(labels=("repeated_episode", "repeated_reading", "false_bolus")),
    "ad_46": FaultRule(labels=(*_MORE, "false_bolus"), windows=(_exercise(60),)),
    "ad_47": FaultRule(labels=_BIASES),
    "ad_48": FaultRule(labels=("false_bolus", *_MORE, *_LESS)),
    "ad_50": FaultRule(labels=("max_reading",)),
    "ad_51": FaultRule(labels=_VALUES),
    "ad_52": FaultRule(labels=(*_MORE, *_LESS, "unknown_stop", "unknown_under")),
    "ad_53": FaultRule(labels=_BIASES, least=_HOUR),
    "ad_54": FaultRule(labels=("negative_spike",), windows=(_NIGHT,)),
    "ad_55": FaultRule(labels=_SPIKES, windows=(_exercise(0),)),
    "ad_56": FaultRule(labels=("repeated_reading", "zero_reading")),
    "ad_57": FaultRule(labels=("negative_bias",), least=6 * _HOUR),
    "ad_58": FaultRule(labels=("min_basal", "unknown_stop")),
    "ad_59": FaultRule(labels=("unknown_stop",)),
    "ad_60": FaultRule(labels=(*_LESS, "unknown_under")),
    "ad_61": FaultRule(labels=("unknown_under",)),
    "ad_62": FaultRule(labels=("unknown_stop",)),
    "ad_63": FaultRule(labels=("unknown_stop",)),
    "ad_64": FaultRule(labels=("unknown_under",)),
}
"""Tasks whose gold answers come from injected faults."""
