"""What simple forecasts score on the predictions: references between the floor and the ceiling.

A forecast continues the record of a row, from what a reader sees, and answers by the task's own
rule. What a hypothetical adds is ignored by all of them. Where a forecast gives no answer, the task's
constant answer stands in.

- `persistence`: the last reading and the last sample's insulin go on.
- `yesterday`: the last day of the record again, day for day.
- `mean_day`: the record's mean at each time of day; a correction in every clock hour that saw one on
  at least half of the days.
- `autoregression`: an autoregression of glucose on its last half hour, fitted on the record (least
  squares, slightly ridged); insulin as in `mean_day`.
- `ensemble_median`: the ceiling: the median, or the commonest answer, of the 20 other days of the
  same person that belong to the gold answer.
"""

import json
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builder.prediction_check import is_simulated_prediction, simulation_of
from eval_tasks.baselines import Baseline
from eval_tasks.question import Question
from eval_tasks.scoring import answer_text, score
from eval_tasks.summary import task_skill
from generators.questions.instances import member_answer
from generators.questions.prediction.insulin import CORRECTIONS
from generators.questions.registry import TASKS
from generators.questions.task import Answer, Given, NearTie, NotApplicable, Task
from generators.trace import (
    MINUTES_PER_DAY,
    MISSING,
    SAMPLE_MINUTES,
    SAMPLES_PER_DAY,
    InsulinEvent,
    Trace,
)

Row = Mapping[str, Any]
Series = NDArray[np.float64]
Forecast = Callable[[Trace, int], Trace]
"""From the shown record and a number of samples to the record with so many more samples."""
CEILING = "ensemble_median"
CLEAR_SKILL, CLEAR_ERRORS = 0.3, 2.0
"""A ceiling lies clearly above the floor from such a skill on, and where it exceeds the constant
answer by so many standard errors."""
_LAGS = 6
_RIDGE = 1e-3
_LOWEST, _HIGHEST = 40, 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """How one forecast does on one task.

    Attributes:
        task_id: Task.
        name: Forecast.
        rows: Rows scored.
        raw: Mean raw score.
        skill: (raw - floor) / (1 - floor), at least -1; NaN where the floor is 1.
        above: Mean over the rows of its score less that of the task's constant answer.
        error: Standard error of that mean; 0 where there is one row only.
    """

    task_id: str
    name: str
    rows: int
    raw: float
    skill: float
    above: float
    error: float

    @property
    def clear(self) -> bool:
        """Whether it is better than the floor by more than chance and by enough to measure with."""
        return self.skill >= CLEAR_SKILL and self.above >= CLEAR_ERRORS * self.error


def references(
    rows: Sequence[tuple[Row, Question]], baselines: Mapping[str, Baseline]
) -> Iterator[Reference]:
    """Yield how every forecast does on every task.

    Args:
        rows: Predictions, each with its question.
        baselines: Constant answer and floor of each task.
    """
    names = [*FORECASTS, CEILING]
    for task_id in sorted({row["task_id"] for row, _ in rows}, key=lambda name: int(name[3:])):
        base = baselines[task_id]
        mine = [(row, question) for row, question in rows if row["task_id"] == task_id]
        for name in names:
            asked = [pair for pair in mine if name != CEILING or is_simulated_prediction(pair[0])]
            if not asked:
                continue
            yield _reference(name, task_id, asked, base)


def _reference(
    name: str, task_id: str, asked: Sequence[tuple[Row, Question]], base: Baseline
) -> Reference:
    scores = [_score(name, row, question, base) for row, question in asked]
    gains = [
        found - score(question, _constant(question, base)).value
        for found, (_, question) in zip(scores, asked, strict=True)
    ]
    raw = statistics.fmean(scores)
    return Reference(
        task_id=task_id,
        name=name,
        rows=len(asked),
        raw=raw,
        skill=task_skill(raw, base.floor),
        above=statistics.fmean(gains),
        error=statistics.stdev(gains) / len(gains) ** 0.5 if gains[1:] else 0.0,
    )


def _score(name: str, row: Row, question: Question, base: Baseline) -> float:
    answer = ensemble_answer(row) if name == CEILING else forecast_answer(FORECASTS[name], row)
    text = _constant(question, base) if answer is None else answer_text(answer)
    return score(question, text).value


def _constant(question: Question, base: Baseline) -> str:
    return answer_text(base.constant_for(question.shape.options))


def forecast_answer(forecast: Forecast, row: Row) -> Answer | None:
    """Return what a forecast answers to a row, None where it gives no answer."""
    task = TASKS[row["task_id"]]
    horizon = task.prediction.horizon if task.prediction else 0
    ahead = forecast(shown_trace(row), horizon // SAMPLE_MINUTES + 1)
    given: Given = json.loads(row["parameters"])
    others = [ahead] * (_alternatives(task, given) - 1)
    return _answer(task.answered(ahead, given, *others))


def ensemble_answer(row: Row) -> Answer | None:
    """Return the median or the commonest of the answers of the ensemble of a simulated row."""
    task = TASKS[row["task_id"]]
    if task.prediction is None:
        return None
    course = simulation_of(row["patient_id"], row["provenance"]["seed"])
    given: Given = json.loads(row["parameters"])
    members = range(1, task.prediction.ensemble + 1)
    found = [_answer(member_answer(task, course, given, member)) for member in members]
    answers = [answer for answer in found if answer is not None]
    if task.answer_type == "category":
        return statistics.mode(str(answer) for answer in answers)
    numbers = [float(answer) for answer in answers if isinstance(answer, int | float)]
    if task.answer_type == "integer":
        return int(statistics.median_low(numbers))
    return statistics.median(numbers)


def _alternatives(task: Task, given: Given) -> int:
    return len(task.prediction.alternatives(given, 0)) if task.prediction else 1


def _answer(found: Answer | NotApplicable) -> Answer | None:
    if isinstance(found, NearTie):
        return found.answer
    return None if isinstance(found, NotApplicable) else found


def shown_trace(row: Row) -> Trace:
    """Return glucose, insulin and doses of a row's record."""
    context = row["input_context"]
    insulin = np.array(context["insulin_mu_min"], dtype=np.float64)
    return Trace(
        trace_id=row["trace_id"],
        patient_id=row["patient_id"],
        source="simulated",
        cgm=_whole(np.array(context["bg_mgdl"], dtype=np.float64), np.int16),
        insulin=_whole(insulin * 10.0, np.int32),
        boluses=tuple(
            InsulinEvent(minute=e["time"], units=e["dosage"], kind=e["insulin_type"])
            for e in context["insulin_events"]
        ),
    )


def _whole(values: Series, dtype: Any) -> NDArray[Any]:
    return np.where(np.isnan(values), MISSING, np.floor(np.nan_to_num(values) + 0.5)).astype(dtype)


def _continued(
    shown: Trace, glucose: Series, insulin: Series, boluses: Sequence[InsulinEvent]
) -> Trace:
    end = (len(shown) + len(glucose)) * SAMPLE_MINUTES
    kept = sorted((e for e in boluses if e.minute < end), key=lambda event: event.minute)
    return replace(
        shown,
        cgm=np.concatenate((shown.cgm, _whole(np.clip(glucose, _LOWEST, _HIGHEST), np.int16))),
        insulin=np.concatenate((shown.insulin, _whole(insulin, np.int32))),
        boluses=(*shown.boluses, *kept),
    )


def _last(values: NDArray[Any], least: int) -> float:
    """Return the last value that exists; 0 where none does."""
    found = values[values >= least]
    return float(found[-1]) if found.size else 0.0


def persistence(shown: Trace, samples: int) -> Trace:
    """Go on as the last sample."""
    level, rate = _last(shown.cgm, 1), _last(shown.insulin, 0)
    return _continued(shown, np.full(samples, level), np.full(samples, rate), ())


def yesterday(shown: Trace, samples: int) -> Trace:
    """Repeat the last 24 hours."""
    back = np.arange(samples) % SAMPLES_PER_DAY - SAMPLES_PER_DAY
    days = -(-samples // SAMPLES_PER_DAY)
    since = shown.minutes - MINUTES_PER_DAY
    again = [
        replace(event, minute=event.minute + day * MINUTES_PER_DAY)
        for day in range(1, days + 1)
        for event in shown.boluses
        if event.minute >= since
    ]
    glucose, insulin = _present(shown.cgm, 1)[back], _present(shown.insulin, 0)[back]
    return _continued(shown, glucose, insulin, again)


def mean_day(shown: Trace, samples: int) -> Trace:
    """Go on as the mean of the record at each time of day."""
    places = (len(shown) + np.arange(samples)) % SAMPLES_PER_DAY
    glucose = _by_time_of_day(_present(shown.cgm, 1))[places]
    return _continued(shown, glucose, _usual_insulin(shown, samples), _usual_corrections(shown))


def autoregression(shown: Trace, samples: int) -> Trace:
    """Go on as an autoregression that is fitted on the record."""
    values = _present(shown.cgm, 1)
    mean = float(np.nanmean(values))
    centred = values - mean
    windows = np.lib.stride_tricks.sliding_window_view(centred, _LAGS + 1)
    whole = windows[~np.isnan(windows).any(axis=1)]
    before, then = whole[:, :-1], whole[:, -1]
    gram = before.T @ before
    ridge = _RIDGE * np.trace(gram) / _LAGS * np.eye(_LAGS)
    weights = np.linalg.solve(gram + ridge, before.T @ then)
    state = np.nan_to_num(centred[-_LAGS:])
    glucose = np.empty(samples)
    for place in range(samples):
        glucose[place] = state @ weights
        state = np.append(state[1:], glucose[place])
    insulin = _usual_insulin(shown, samples)
    return _continued(shown, glucose + mean, insulin, _usual_corrections(shown))


def _present(values: NDArray[Any], least: int) -> Series:
    return np.where(values >= least, values.astype(np.float64), np.nan)


def _by_time_of_day(values: Series) -> Series:
    """Return the mean at each of the 288 times of a day, the overall mean where none exists."""
    padded = np.append(values, np.full(-len(values) % SAMPLES_PER_DAY, np.nan))
    days = padded.reshape(-1, SAMPLES_PER_DAY)
    counts = np.count_nonzero(~np.isnan(days), axis=0)
    means = np.nansum(days, axis=0) / np.maximum(counts, 1)
    return np.where(counts, means, np.nanmean(values))


def _usual_insulin(shown: Trace, samples: int) -> Series:
    places = (len(shown) + np.arange(samples)) % SAMPLES_PER_DAY
    return _by_time_of_day(_present(shown.insulin, 0))[places]


def _usual_corrections(shown: Trace) -> list[InsulinEvent]:
    """Return a correction in each of the next 24 clock hours that usually sees one."""
    seen = {
        (event.minute // MINUTES_PER_DAY, event.minute % MINUTES_PER_DAY // 60)
        for event in shown.boluses
        if event.kind in CORRECTIONS
    }
    days = shown.minutes // MINUTES_PER_DAY
    hours = [hour for hour in range(24) if 2 * sum(h == hour for _, h in seen) >= days]
    first = shown.minutes // 60
    starts = [60 * hour + 30 for hour in range(first, first + 24) if hour % 24 in hours]
    return [
        InsulinEvent(minute=minute, units=1.0, kind="correction_bolus")
        for minute in starts
        if minute >= shown.minutes
    ]


FORECASTS: Mapping[str, Forecast] = {
    "persistence": persistence,
    "yesterday": yesterday,
    "mean_day": mean_day,
    "autoregression": autoregression,
}
"""Forecasts by name, each from what a reader sees."""
