"""What a task is: a declaration, and a pure function that answers it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from generators.errors import GeneratorError
from generators.trace import Added, MealType, Trace

TaskType = Literal["process_mining", "anomaly_detection", "prediction"]
Level = Literal["descriptive", "memory", "pattern"]
Ability = Literal["QC", "TR", "ER", "CA", "PC", "PR"]
RecordStream = Literal["glucose", "insulin", "carbohydrate", "exercise"]
AnswerType = Literal[
    "number",
    "integer",
    "signed",
    "minute",
    "category",
    "day",
    "day_list",
    "hour_list",
    "pair_list",
    "intervals",
]
Unit = Literal["mg/dL", "mg/dL/min", "%", "h", "U", "min"]
Voice = Literal["patient", "parent", "clinician"]

Value = int | float | str
Given = Mapping[str, Value]
"""The parameters of one instance, by name."""
Interval = dict[str, int]
"""{"start": minute of the first sample, "end": minute of the last}."""
Answer = int | float | str | list[int] | list[list[int]] | list[Interval]


class TaskError(GeneratorError):
    """A task is declared or used wrongly."""


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """The question cannot be asked exactly here, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class NearTie(NotApplicable):
    """The question has an answer, but one too close to another to be asked for.

    Other days of the same person count with their answer all the same.
    """

    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One way to ask, and who asks so."""

    voice: Voice
    text: str


def voiced(
    *,
    patient: tuple[str, ...] = (),
    parent: tuple[str, ...] = (),
    clinician: tuple[str, ...] = (),
) -> tuple[Wording, ...]:
    """Return wordings sorted by who asks."""
    by_voice: dict[Voice, tuple[str, ...]] = {
        "patient": patient,
        "parent": parent,
        "clinician": clinician,
    }
    return tuple(
        Wording(voice=voice, text=text) for voice, texts in by_voice.items() for text in texts
    )


class Course(Protocol):
    """A patient's course: the record, and what follows or would follow a cut."""

    @property
    def trace(self) -> Trace:
        """The whole trace."""
        ...

    def resume(
        self,
        cut: int,
        *,
        until: int,
        added: Added | None = None,
        member: int = 0,
        start: int = 0,
    ) -> Trace:
        """Return minutes start to until: the record before the cut, then what follows.

        Args:
            cut: Minute, a multiple of 5.
            until: Minute after the last sample, a multiple of 5.
            added: What a hypothetical adds; None for life going on.
            member: 0 for what happens, 1 and up for other days of the same person.
            start: Minute, a midnight.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The course of a recording: what happened is known, what would have happened is not."""

    trace: Trace

    def resume(
        self,
        cut: int,
        *,
        until: int,
        added: Added | None = None,
        member: int = 0,
        start: int = 0,
    ) -> Trace:
        """Return the recording from `start` to `until`.

        Raises:
            TaskError: Something hypothetical is asked of it.
        """
        if added is not None or member:
            raise TaskError(f"{self.trace.trace_id} is a recording: it can only be read on")
        del cut
        return self.trace.between(start, until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What makes a task a prediction.

    Attributes:
        horizon: Minutes after the cut that the answer needs.
        ensemble: How many other days of the same person are simulated for each instance.
        least_agreement: Share of them that must give the same answer (categories).
        most_spread: Standard deviation over them up to which a number is asked for; None for any.
        added: Turns the parameters and the cut, a minute of the whole trace, into the alternatives
            that the answer compares, each of them what a hypothetical adds; None where life goes
            on.
        hypothetical: Text that states all of it; None where life goes on.
    """

    horizon: int
    ensemble: int = 20
    least_agreement: float = 0.85
    most_spread: float | None = None
    added: Callable[[Given, int], tuple[Added, ...]] | None = None
    hypothetical: str | None = None

    def alternatives(self, given: Given, cut: int) -> tuple[Added | None, ...]:
        """Return what is added in each of the courses that the answer needs."""
        return (None,) if self.added is None else self.added(given, cut)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unnamed:
    """How a task asks about meals that the record does not name, so that a name is only a guess.

    The question tells a meal by its time of day, never by the guessed name.

    Attributes:
        meals: What the meals are guessed to be.
        wordings: As in `Task`.
        instruction: As in `Task`; says which entry of the record is meant.
        rationale: As in `Task`.
        derive: Adds to the drawn parameters what tells the meals from others.
        answer: As in `Task`; None where the task's own answers this form too.
    """

    meals: tuple[MealType, ...]
    wordings: tuple[Wording, ...]
    instruction: str
    rationale: str
    derive: Callable[[Trace, Given], Given | NotApplicable]
    answer: Callable[..., Answer | NotApplicable] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One of the 127 tasks.

    Attributes:
        id: For example `pm_14`.
        revision: Moves when the task's rows change.
        type: Process mining, anomaly detection or prediction.
        level: Cognitive level.
        path: Cognitive abilities in the order in which they are needed.
        prototype: What it asks about, in a word or two.
        answer_type: Shape of the answer; decides the metric.
        unit: Unit of the answer, None where it has none.
        decimals: Digits after the point to which a number is rounded, half away from zero.
        options: Allowed answers of a category.
        rare: Options that are sought for every simulated patient, because other days of the same
            person seldom agree on them; none where each is sought as often as the others.
        fixed: Drawn parameters that are not varied in search of an answer as long as the question
            can be asked with them, so that they do not give it away.
        streams: Parts of the record that the answer needs.
        draw: Parameters and the values each may take. A prediction has `cut`, a minute.
        derive: Completes drawn parameters by what follows from them for this patient.
        wordings: At least four, with at least two for every age group.
        instruction: Every definition that the answer needs.
        rationale: How the answer is found.
        example: Shape of an answer, the same for all instances, chosen without any gold.
        answer: From the trace that the answer needs (or one for each alternative) and the
            parameters to the unrounded answer.
        prediction: Set for predictions.
        unnamed: How it is asked where the record does not name the meals; None if it needs none.
        inferred_meals: Meals that this form tells by their time, because their names are guesses.
    """

    id: str
    revision: int
    type: TaskType
    level: Level
    path: tuple[Ability, ...]
    prototype: str
    answer_type: AnswerType
    streams: tuple[RecordStream, ...]
    wordings: tuple[Wording, ...]
    instruction: str
    rationale: str
    example: Answer
    answer: Callable[..., Answer | NotApplicable]
    unit: Unit | None = None
    decimals: int = 0
    options: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    draw: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    derive: Callable[[Trace, Given], Given | NotApplicable] | None = None
    prediction: Prediction | None = None
    unnamed: Unnamed | None = None
    inferred_meals: tuple[MealType, ...] = ()

    def asked_by_time(self) -> "Task | None":
        """Return the task in the form that tells meals by their time; None if it has none."""
        form = self.unnamed
        if form is None:
            return None
        return replace(
            self,
            wordings=form.wordings,
            instruction=form.instruction,
            rationale=form.rationale,
            derive=form.derive,
            answer=form.answer or self.answer,
            unnamed=None,
            inferred_meals=form.meals,
        )

    def answered(self, trace: Trace, given: Given, *others: Trace) -> Answer | NotApplicable:
        """Return the gold answer, rounded as the instruction says.

        Args:
            trace: What the answer is read from.
            given: Parameters.
            others: The further alternatives of a prediction that compares several.
        """
        named: dict[str, Any] = dict(given)
        raw = self.answer(trace, *others, **named)
        return raw if isinstance(raw, NotApplicable) else self._rounded(raw)

    def _rounded(self, raw: Answer) -> Answer:
        if self.answer_type in ("number", "signed", "minute") and isinstance(raw, int | float):
            rounded = half_up(float(raw), self.decimals)
            return rounded if self.decimals else int(rounded)
        return raw


def half_up(value: float, decimals: int) -> float:
    """Round half away from zero, after removing binary noise below 1e-9 of a step.

    >>> half_up(2.675, 2), half_up(-0.5, 0), half_up(154.04999999999998, 1)
    (2.68, -1.0, 154.1)
    """
    step = 10.0**decimals
    size = int(abs(value) * step + 0.5 + 1e-9)
    return (size if value >= 0 else -size) / step + 0.0
