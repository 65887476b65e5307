"""From what a completion states to a typed answer: one reader for each answer type.

What is stated comes as JSON (a number, text, list or object) or as text. A reader takes the whole
of it or refuses; it never picks a number out of something longer.
"""

from collections.abc import Callable, Mapping
from typing import Any

from eval_tasks.intervals import read_intervals
from eval_tasks.lists import read_day_list, read_hour_list, read_pair_list, states_nothing
from eval_tasks.options import read_category
from eval_tasks.quantities import is_bare_number
from eval_tasks.question import LIST_TYPES, NONE, Answer, AnswerShape, AnswerType
from eval_tasks.scalars import (
    UNIT_NAMES,
    read_day,
    read_integer,
    read_minute,
    read_number,
    read_signed,
)
from eval_tasks.texts import LONGEST_TEXT, UnreadableError, bare, plain

__all__ = ["UnreadableError", "read_value"]

_LONGEST_NOTHING = 100


def read_value(stated: Any, shape: AnswerShape, unit: str | None = None) -> Answer:
    """Return the answer that JSON or text states.

    "None" and its like are an empty list for list types, 0 for a count, and the answer "none"
    otherwise, where the option "no ..." is not meant.

    Args:
        stated: What `json.loads` returned, or text.
        shape: What the answer must look like.
        unit: Unit that is stated beside it, for a number that states none itself.

    Raises:
        UnreadableError: It states none, or one of another type or unit.
    """
    if stated is None:
        raise UnreadableError("the answer is null", refused=True)
    if isinstance(stated, str):
        stated = plain(stated)
        if not stated:
            raise UnreadableError("the answer is an empty text")
        if _is_nothing(stated, shape):
            return _nothing(shape.answer_type)
    return _READERS[shape.answer_type](stated, shape, unit)


def _is_nothing(text: str, shape: AnswerShape) -> bool:
    if len(text) > _LONGEST_NOTHING:
        return False
    if shape.answer_type in (*LIST_TYPES, "integer"):
        return states_nothing(text)
    return bare(text[:LONGEST_TEXT]) in (NONE, "there is none", "none found")


def _nothing(answer_type: AnswerType) -> Answer:
    if answer_type in LIST_TYPES:
        return []
    return 0 if answer_type == "integer" else NONE


def _with_unit(stated: Any, unit: str | None) -> Any:
    """Return a bare number with the unit beside it as text, and anything else as it is."""
    if unit is None or isinstance(stated, bool):
        return stated
    if isinstance(stated, list) and len(stated) == 1:
        return _with_unit(stated[0], unit)
    if isinstance(stated, dict):
        return (
            stated if UNIT_NAMES & {name.casefold() for name in stated} else stated | {"unit": unit}
        )
    bare_text = isinstance(stated, str) and len(stated) < LONGEST_TEXT and is_bare_number(stated)
    return f"{stated} {unit}" if bare_text or isinstance(stated, int | float) else stated


_READERS: Mapping[AnswerType, Callable[[Any, AnswerShape, str | None], Answer]] = {
    "number": lambda stated, shape, unit: read_number(_with_unit(stated, unit), shape),
    "integer": lambda stated, shape, unit: read_integer(_with_unit(stated, unit), shape),
    "signed": lambda stated, shape, unit: read_signed(_with_unit(stated, unit), shape),
    "minute": lambda stated, shape, unit: read_minute(_with_unit(stated, unit), shape),
    "category": lambda stated, shape, _: read_category(stated, shape),
    "day": lambda stated, _, __: read_day(stated),
    "day_list": lambda stated, _, __: read_day_list(stated),
    "hour_list": lambda stated, _, __: read_hour_list(stated),
    "pair_list": read_pair_list,
    "intervals": lambda stated, _, unit: read_intervals(stated, unit),
    "verdict": lambda stated, shape, _: read_category(stated, shape),
}
