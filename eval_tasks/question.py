"""What prompts, scoring and reference models need to know of a row, without its record."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from eval_tasks.errors import GoldError

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
    "verdict",
]
"""The answer types of QA rows, and `verdict`, the yes or no of a longevity case."""
LIST_TYPES: tuple[AnswerType, ...] = ("day_list", "hour_list", "pair_list", "intervals")
NONE = "none"
"""The answer "there is no such thing", where an instruction offers it."""
SAMPLE_MINUTES = 5
MINUTES_PER_DAY = 1440
LONGEVITY = "longevity"
SYSTEM_PROMPT_LEVELS = (
    "minimal",
    "specific",
    "role_encouraging",
    "requirements_specific",
    "requirements_explicit",
)
"""System prompts of the longevity cases, by rising information."""

Answer = int | float | str | list[int] | list[list[float]] | list[dict[str, float]]
"""An answer as JSON holds it: pairs as [day, value], intervals as {"start", "end"} in minutes."""
Row = Mapping[str, Any]
"""A row of a QA or longevity config, as `datasets` or pyarrow yields it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerShape:
    """What an answer must look like.

    Attributes:
        answer_type: Decides how a completion is read and scored.
        options: Allowed answers of a category.
        unit: Unit of the answer, None where it has none.
        minute_of_day: Whether minutes count from midnight, so that a bare clock time will do.
    """

    answer_type: AnswerType
    options: tuple[str, ...] = ()
    unit: str | None = None
    minute_of_day: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A row without its record.

    Attributes:
        id: The row's id.
        task_id: For example `pm_14`; `longevity` for every longevity case.
        task_type: Process mining, anomaly detection, prediction or longevity.
        level: Cognitive level, empty for longevity.
        shape: What an answer must look like.
        answer: Gold answer, JSON text.
        example: The task's example answer, JSON text.
        offers_none: Whether the answer "none" is offered.
        minutes: Length of the record; 0 for longevity.
        cluster: Whose rows depend on each other: the patient's, or the longevity item's.
    """

    id: str
    task_id: str
    task_type: str
    level: str
    shape: AnswerShape
    answer: str
    example: str
    offers_none: bool
    minutes: int
    cluster: str = ""

    @classmethod
    def from_row(cls, row: Row) -> "Question":
        """Return what a row of any config asks.

        Raises:
            GoldError: A column is missing or its answer type is unknown.
        """
        try:
            return cls._from_case(row) if "case_id" in row else cls._from_instance(row)
        except KeyError as error:
            name = row.get("instance_id") or row.get("case_id") or "a row without an id"
            raise GoldError(
                f"{name}: column {error} is missing; is this a HealthLoopQA release?"
            ) from error

    @classmethod
    def _from_instance(cls, row: Row) -> "Question":
        answer_type = row["answer_type"]
        if answer_type not in get_args(AnswerType):
            raise GoldError(f"{row['instance_id']}: unknown answer type {answer_type!r}")
        options = tuple(row["options"])
        instruction = row["instruction"].casefold()
        return cls(
            id=row["instance_id"],
            task_id=row["task_id"],
            task_type=row["task_type"],
            level=row["cognitive_level"],
            shape=AnswerShape(
                answer_type=answer_type,
                options=options,
                unit=row["unit"],
                minute_of_day="minute of the day" in instruction or "minute of day" in instruction,
            ),
            answer=row["answer"],
            example=row["example_answer"],
            offers_none=NONE in options or f'"{NONE}"' in instruction,
            minutes=SAMPLE_MINUTES * len(row["input_context"]["bg_mgdl"]),
            cluster=row["patient_id"],
        )

    @classmethod
    def _from_case(cls, row: Row) -> "Question":
        return cls(
            id=row["case_id"],
            task_id=LONGEVITY,
            task_type=LONGEVITY,
            level="",
            shape=AnswerShape(answer_type="verdict", options=tuple(row["options"])),
            answer=row["answer"],
            example=json.dumps("<" + "|".join(row["options"]) + ">"),
            offers_none=False,
            minutes=0,
            cluster=row["item_id"],
        )

    def to_json(self) -> str:
        """Return JSON text from which `from_json` makes this question again."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Question":
        """Return the question that `to_json` wrote."""
        fields = json.loads(text)
        shape = fields.pop("shape")
        options = tuple(shape.pop("options"))
        return cls(shape=AnswerShape(options=options, **shape), **fields)
