"""What the reference models answer. They prove the pipeline and give each task its floor.

`gold` answers right. The others look at nothing: `constant` gives the same answer to every
question of a task, `abstain` says that there is nothing, `cover-all` marks the whole record, and
`every-6-hours` a sample at the start of every quarter of a day.
"""

import json
from typing import Literal, get_args

from eval_tasks.errors import UnknownNameError
from eval_tasks.question import LIST_TYPES, MINUTES_PER_DAY, NONE, SAMPLE_MINUTES, Answer, Question
from eval_tasks.scoring import answer_text

ReferenceModel = Literal["gold", "constant", "abstain", "cover-all", "every-6-hours"]
REFERENCE_MODELS: tuple[ReferenceModel, ...] = get_args(ReferenceModel)
RULES: Literal["rules"] = "rules"
"""The reference model that reads the prompt, and nothing else; see `eval_tasks.rules`."""
MODEL_NAMES = (*REFERENCE_MODELS, RULES)
TRIVIAL_MODELS: tuple[ReferenceModel, ...] = REFERENCE_MODELS[1:]
_QUARTER = MINUTES_PER_DAY // 4


def reference_model(name: str) -> ReferenceModel | Literal["rules"]:
    """Return the reference model of that name.

    Raises:
        UnknownNameError: There is none.
    """
    for model in MODEL_NAMES:
        if name == model:
            return model
    raise UnknownNameError(f"unknown reference model {name!r}; there are {', '.join(MODEL_NAMES)}")


def completion(model: ReferenceModel, question: Question, constant: Answer) -> str:
    """Return what a reference model writes.

    Args:
        model: Which one.
        question: What is asked.
        constant: The constant answer of the question's task.
    """
    answer = reference_answer(model, question, constant)
    if question.shape.answer_type == "verdict" and isinstance(answer, str):
        return f"{answer.capitalize()}\nThis is the answer of the reference model {model}."
    return f"This is the answer of the reference model {model}.\n{answer_text(answer)}"


def reference_answer(model: ReferenceModel, question: Question, constant: Answer) -> Answer | None:
    """Return what a reference model answers; None is JSON's null, no answer.

    `cover-all` and `every-6-hours` give the constant where neither time nor days nor hours are
    asked for. Where a row does not offer the constant, its first option stands for it.
    """
    if question.shape.options and constant not in question.shape.options:
        constant = question.shape.options[0]
    match model:
        case "gold":
            answer: Answer = json.loads(question.answer)
            return answer
        case "abstain":
            return _nothing(question)
        case "cover-all":
            return _everything(question, constant)
        case "every-6-hours" if question.shape.answer_type == "intervals":
            starts = range(0, question.minutes, _QUARTER)
            return [_interval(start, start + 1) for start in starts]
        case _:
            return constant


def _nothing(question: Question) -> Answer | None:
    if question.shape.answer_type in LIST_TYPES:
        return []
    return NONE if question.offers_none else None


def _everything(question: Question, constant: Answer) -> Answer:
    match question.shape.answer_type:
        case "intervals":
            return [_interval(0, question.minutes - SAMPLE_MINUTES)]
        case "day_list":
            return list(range(1, -(-question.minutes // MINUTES_PER_DAY) + 1))
        case "hour_list":
            return list(range(24))
        case _:
            return constant


def _interval(start: int, end: int) -> dict[str, float]:
    return {"start": start, "end": end}
