"""From a task and a patient's course to questions with gold answers."""

import json
import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generators.questions.exercise import end_of
from generators.questions.task import (
    Answer,
    Course,
    Given,
    NearTie,
    NotApplicable,
    Prediction,
    Task,
    TaskError,
    Value,
    Voice,
)
from generators.questions.text import fill
from generators.streams import Stream
from generators.trace import MINUTES_PER_DAY, SAMPLE_MINUTES, PatientProfile, Trace

SHOWN_MINUTES = 30 * MINUTES_PER_DAY
"""Length of the record of a process-mining or anomaly question."""
MOST_TRIES = 200
"""Parameter sets that are tried for one instance before the task is given up for a patient."""
TRIES_FOR_TARGET = 40
"""Applicable parameter sets that are looked at in search of a wanted answer."""
NOTHING_SHARE = 0.1
"""Share of patients of whom a list is asked that may be empty."""
OTHERWISE = "other days of the same person would answer otherwise"
ANOTHER_ANSWER = "another answer is sought"
NOTHING_TO_FIND = "there is nothing of the kind to find"
OF_AGE = 18
"""Years from which on nobody is anybody's child."""
_VOICES: dict[str | None, tuple[Voice, ...]] = {
    "child": ("parent", "clinician"),
    "adolescent": ("patient", "parent", "clinician"),
    "adult": ("patient", "clinician"),
    None: ("patient", "clinician"),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Instance:
    """One question with its gold answer.

    Attributes:
        task: What is asked.
        given: Parameters.
        shown: The record that the reader sees, renumbered to start on day 1.
        question: In words.
        instruction: In words.
        rationale: In words.
        hypothetical: What is added after the cut, in words; None where nothing is.
        answer: Gold answer, rounded as the instruction says.
        agreement: Share of the ensemble with the same answer; None for numbers and non-predictions.
        spread: Standard deviation of the ensemble in the task's unit; None likewise.
    """

    task: Task
    given: Given
    shown: Trace
    question: str
    instruction: str
    rationale: str
    hypothetical: str | None
    answer: Answer
    agreement: float | None = None
    spread: float | None = None

    @property
    def id(self) -> str:
        """Stable, readable id, unique in a config."""
        given = ",".join(f"{name}={value}" for name, value in sorted(self.given.items()))
        return "/".join(filter(None, (self.task.id, self.shown.trace_id, given)))

    @property
    def parameters(self) -> dict[str, object]:
        """The parameters for the row, and as `inferred_meals` which meals' names are guesses."""
        guessed = self.task.inferred_meals
        return {**self.given, "inferred_meals": list(guessed)} if guessed else dict(self.given)


def first_instance(task: Task, course: Course, seed: int) -> Instance | NotApplicable:
    """Return one instance of a task for a patient.

    Parameters are tried in an order that the key (seed, task, trace) decides. A category's
    instance is sought among the first ones for the option that the same key picks, so that a
    task's answers spread over its options instead of following their natural frequency. A list is
    empty for about one patient in ten at most, whom the key picks likewise. Meals that the record
    does not name are asked about by their time of day.

    Args:
        task: What to ask.
        course: Whom to ask about.
        seed: Release seed.

    Returns:
        The instance, or why the question cannot be asked of this patient.
    """
    posed = _first_posed(task, course, seed)
    by_time = task.asked_by_time()
    if isinstance(posed, Instance) or by_time is None:
        return posed
    guessed = any(event.inferred for event in course.trace.carbs)
    return _first_posed(by_time, course, seed) if guessed else posed


def _first_posed(task: Task, course: Course, seed: int) -> Instance | NotApplicable:
    stream = Stream(seed, "question", task.id, course.trace.trace_id)
    rare = task.rare if course.trace.truth is not None else ()
    wanted = rare or ((stream.choice(task.options),) if task.options else ())
    reasons: Counter[str] = Counter()
    found: Instance | None = None
    applicable = 0
    nothing = _asks_about_nothing(task, course, seed)
    for tried, given in enumerate(candidates(task, stream)):
        posed = pose(task, course, given, stream, sought=wanted if found else ())
        if isinstance(posed, NotApplicable):
            reasons[posed.reason] += 1
        elif posed.answer == [] and not nothing:
            reasons[NOTHING_TO_FIND] += 1
        else:
            applicable += 1
            found = found or posed
            if posed.answer in wanted or (not wanted and nothing == (posed.answer == [])):
                return posed
        if tried + 1 == MOST_TRIES or applicable == TRIES_FOR_TARGET:
            break
    if found is not None:
        return found
    return NotApplicable(reasons.most_common(1)[0][0])


def _asks_about_nothing(task: Task, course: Course, seed: int) -> bool:
    """Return whether this patient is one of the few of whom something may be asked in vain.

    For them an empty list is preferred; of all others only lists that hold something are asked.
    """
    if not task.answer_type.endswith("list") and task.answer_type != "intervals":
        return False
    stream = Stream(seed, "nothing to find", task.id, course.trace.trace_id)
    return bool(stream.uniform(1)[0] < NOTHING_SHARE)


def candidates(task: Task, stream: Stream) -> Iterator[Given]:
    """Yield every set of drawn parameters of a task once, in the stream's random order.

    The sets that share the fixed parameters follow each other.
    """
    for fixed in _sets(task, sorted(task.fixed), stream):
        for varied in _sets(task, sorted(task.draw.keys() - fixed.keys()), stream):
            yield {**varied, **fixed}


def _sets(task: Task, names: Sequence[str], stream: Stream) -> Iterator[Given]:
    """Yield every set of values of some parameters; the empty set costs no draw."""
    if not names:
        yield {}
        return
    sizes = [len(task.draw[name]) for name in names]
    for place in _shuffled(math.prod(sizes), stream):
        rest = place
        given: dict[str, Value] = {}
        for name, size in zip(names, sizes, strict=True):
            rest, index = divmod(rest, size)
            given[name] = task.draw[name][index]
        yield given


def pose(
    task: Task, course: Course, drawn: Given, stream: Stream, *, sought: Sequence[Value] = ()
) -> Instance | NotApplicable:
    """Return the instance of a task with these drawn parameters, or why it cannot be asked.

    Args:
        task: What to ask.
        course: Whom to ask about.
        drawn: The drawn parameters.
        stream: Where the wording is drawn from.
        sought: The only answers of a prediction for which its ensemble is worth simulating; none
            for any.
    """
    shown = _shown(task, course.trace, drawn)
    if isinstance(shown, NotApplicable):
        return shown
    given = task.derive(shown, drawn) if task.derive else drawn
    if isinstance(given, NotApplicable):
        return given
    if task.prediction is None:
        answer = task.answered(shown, given)
        if isinstance(answer, NotApplicable):
            return answer
        return _worded(task, given, shown, answer, stream)
    outcome = _predicted(task, task.prediction, course, given, sought)
    if isinstance(outcome, NotApplicable):
        return outcome
    worded = _worded(task, given, shown, outcome.answer, stream)
    return replace(worded, agreement=outcome.agreement, spread=outcome.spread)


def _shown(task: Task, trace: Trace, given: Given) -> Trace | NotApplicable:
    if task.prediction and task.prediction.added and trace.truth is None:
        return NotApplicable("nothing hypothetical can be answered from a recording")
    start, length = _shown_span(task, given)
    horizon = task.prediction.horizon + SAMPLE_MINUTES if task.prediction else 0
    if start + length + horizon > trace.minutes:
        return NotApplicable("the trace is too short")
    shown = trace.between(start, start + length)
    if task.prediction and any(end_of(bout) > shown.minutes for bout in shown.exercise):
        return NotApplicable("exercise is under way at the cut, and how long is not known yet")
    return shown


def _shown_span(task: Task, given: Given) -> tuple[int, int]:
    """Return first minute (of the trace) and length of the record that is shown."""
    if task.prediction is None:
        return 0, SHOWN_MINUTES
    return (int(given["first_day"]) - 1) * MINUTES_PER_DAY, int(given["cut"])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """The answer of a prediction, and what other days of the same person say of it."""

    answer: Answer
    agreement: float | None = None
    spread: float | None = None


def member_answer(task: Task, course: Course, given: Given, member: int) -> Answer | NotApplicable:
    """Return what a prediction answers on one of the days that may follow the cut.

    Args:
        task: A prediction.
        course: Whom it asks about.
        given: Parameters.
        member: 0 for what happens, which gives the gold answer; 1 and up for other days.

    Raises:
        TaskError: The task is no prediction.
    """
    if task.prediction is None:
        raise TaskError(f"{task.id} is no prediction")
    start, length = _shown_span(task, given)
    cut = start + length
    until = cut + task.prediction.horizon + SAMPLE_MINUTES
    first, *others = (
        course.resume(cut, until=until, added=added, member=member, start=start)
        for added in task.prediction.alternatives(given, cut)
    )
    return task.answered(first, given, *others)


def _predicted(
    task: Task, prediction: Prediction, course: Course, given: Given, sought: Sequence[Value]
) -> _Outcome | NotApplicable:
    answer = member_answer(task, course, given, 0)
    if isinstance(answer, NotApplicable):
        return answer
    if sought and answer not in sought:
        return NotApplicable(ANOTHER_ANSWER)
    if course.trace.truth is None:
        return _Outcome(answer=answer)
    others = (
        member_answer(task, course, given, member + 1) for member in range(prediction.ensemble)
    )
    if task.answer_type == "category":
        return _agreed(prediction, answer, others)
    return _spread_out(task, prediction, answer, others)


def _agreed(
    prediction: Prediction, answer: Answer, others: Iterator[Answer | NotApplicable]
) -> _Outcome | NotApplicable:
    """Return how many other days agree, or refuse as soon as too many do not.

    A near tie counts with its answer, a day on which the question cannot be answered disagrees.
    """
    agreeing = 0
    most_misses = prediction.ensemble * (1 - prediction.least_agreement) + 1e-9
    for place, other in enumerate(others):
        agreeing += answer == (other.answer if isinstance(other, NearTie) else other)
        if place + 1 - agreeing > most_misses:
            return NotApplicable(OTHERWISE)
    return _Outcome(answer=answer, agreement=agreeing / prediction.ensemble)


def _spread_out(
    task: Task, prediction: Prediction, answer: Answer, others: Iterator[Answer | NotApplicable]
) -> _Outcome | NotApplicable:
    """Return the standard deviation (n - 1) of other days' numbers, or refuse if it is too large.

    Squared deviations only grow with every day, so that a hopeless case is refused early.
    """
    most = prediction.most_spread
    numbers: list[float] = []
    for other in others:
        if isinstance(other, NotApplicable):
            return other
        if not isinstance(other, int | float):
            raise TaskError(f"{task.id}: a prediction must answer a number or a category")
        numbers.append(float(other))
        if most is not None and _least_spread(numbers, prediction.ensemble) > most:
            return NotApplicable(OTHERWISE)
    return _Outcome(answer=answer, spread=round(statistics.stdev(numbers), 3))


def _least_spread(numbers: list[float], size: int) -> float:
    """Return how small the standard deviation of `size` numbers, these among them, can still be."""
    return math.sqrt(statistics.pvariance(numbers) * len(numbers) / (size - 1))


def _of_age(profile: PatientProfile) -> bool:
    return profile.age_years is not None and profile.age_years >= OF_AGE


def _worded(task: Task, given: Given, shown: Trace, answer: Answer, stream: Stream) -> Instance:
    voices = _VOICES["adult" if _of_age(shown.profile) else shown.profile.age_group]
    wording = stream.choice([wording for wording in task.wordings if wording.voice in voices])
    hypothetical = task.prediction.hypothetical if task.prediction else None
    return Instance(
        task=task,
        given=given,
        shown=shown,
        question=fill(wording.text, given),
        instruction=fill(task.instruction, given),
        rationale=task.rationale,
        hypothetical=hypothetical and fill(hypothetical, given),
        answer=answer,
    )


def _shuffled(size: int, stream: Stream) -> Iterator[int]:
    """Yield 0 to size - 1 in random order, drawing only as far as it is read (Fisher-Yates)."""
    moved: dict[int, int] = {}
    for place in range(size):
        other = stream.integer(place, size - 1)
        yield moved.get(other, other)
        moved[other] = moved.get(place, place)


def as_json(value: object) -> str:
    """Return JSON text as stored in rows: keys sorted, no spaces to spare, no NaN."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
