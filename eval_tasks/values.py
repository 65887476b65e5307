"""From what a completion states to a typed answer: one reader for each answer type.

What is stated comes as JSON (a number, text, list or object) or as text. A reader takes the whole
of it or refuses; it never picks a number out of something longer.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from eval_tasks.errors import EvaluationError
from eval_tasks.quantities import (
    day_number,
    minute_of_day,
    minute_of_record,
    quantity,
    without_minute_prefix,
)
from eval_tasks.question import LIST_TYPES, NONE, Answer, AnswerShape, AnswerType

LONGEST_TEXT = 2_000
"""Characters of text, other than JSON, that may state an answer."""
LONGEST_LIST = 2_000
"""Entries that a list may have."""
_LARGEST = 1e15
"""Size up to which whole numbers are exact as floats, and beyond which no answer lies."""
_DRESS = str.maketrans(
    {"\u2212": "-", "\u2013": "-", "\u00a0": " ", "\u2009": " ", "\u202f": " ", "$": None}
)
_SEPARATORS = re.compile(r"\s*(?:[,;&\n]|\band\b)\s*")
_INTERVAL_SEPARATORS = re.compile(r"\s*(?:[;\n]|\band\b)\s*")
_INTERVAL = re.compile(r"(?P<start>[^\n]+?)\s*(?:\s-\s|\bto\b|\buntil\b|\u2192|-)\s*(?P<end>.+)")
_HOUR = re.compile(r"(?P<hour>\d{1,2})\s*(?:h|:00)?", re.IGNORECASE)
_HOUR_SPAN = re.compile(
    r"(?P<hour>\d{1,2}):00\s*(?:-|to|until)\s*(?P<end>\d{1,2}):(?P<rest>00|59)", re.IGNORECASE
)
_LEAD_END = r"(?=\s*(?:[,.;:!(]|-\s|\u2014|$|\bbecause\b|\bsince\b))"
_NEGATION = re.compile(r"\b(?:not|neither|nor|never|cannot|unclear|unknown)\b|n't\b")
_LONGEST_SENTENCE = 200
"""Characters in which a category may be named without leading."""
_ONLY_LEADING = ("yes", "no", NONE)
"""Options that mean something else in the middle of a sentence."""
_NOTHING = re.compile(
    r"(?:(?:there (?:are|were) )?no (?:such )?|none of the )"
    r"(?:days|hours|intervals|episodes|events|periods|pairs)"
)
_COUNTS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
"""Counts that may be spelt out."""
_START_KEYS = ("start", "from", "begin")
_END_KEYS = ("end", "to", "until", "stop")


class UnreadableError(EvaluationError):
    """What was stated is no answer of the type asked for.

    Attributes:
        refused: Whether it declines to answer.
    """

    def __init__(self, reason: str, *, refused: bool = False) -> None:
        super().__init__(reason)
        self.refused = refused


def read_value(stated: Any, shape: AnswerShape) -> Answer:
    """Return the answer that JSON or text states.

    The text "none" is an empty list for list types, 0 for a count, and the answer "none" otherwise.

    Args:
        stated: What `json.loads` returned, or text.
        shape: What the answer must look like.

    Raises:
        UnreadableError: It states none, or one of another type or unit.
    """
    if stated is None:
        raise UnreadableError("the answer is null", refused=True)
    if isinstance(stated, str):
        stated = stated.translate(_DRESS).strip().strip("\"'").strip()
        if not stated:
            raise UnreadableError("the answer is an empty text")
        if _bare(stated[:LONGEST_TEXT]) == NONE:
            return _nothing(shape.answer_type)
    return _READERS[shape.answer_type](stated, shape)


def _nothing(answer_type: AnswerType) -> Answer:
    if answer_type in LIST_TYPES:
        return []
    return 0 if answer_type == "integer" else NONE


def _number(stated: Any, shape: AnswerShape) -> float:
    if isinstance(stated, list) and len(stated) == 1:
        stated = stated[0]
    if isinstance(stated, dict) and set(stated) == {"value", "unit"}:
        stated = f"{stated['value']} {stated['unit']}"
    if isinstance(stated, str):
        read = quantity(_short(stated), shape.unit)
        if read is None:
            raise UnreadableError(f"no number{_in(shape.unit)}: {_quoted(stated)}")
        return _finite(read)
    return _finite(stated)


def _integer(stated: Any, shape: AnswerShape) -> int:
    if isinstance(stated, str) and _bare(_short(stated)) in _COUNTS:
        return _COUNTS.index(_bare(stated))
    return _whole(_number(stated, shape))


def _minute(stated: Any, shape: AnswerShape) -> float:
    if not isinstance(stated, str):
        return _number(stated, shape)
    text = without_minute_prefix(_short(stated))
    read = minute_of_record(text)
    if read is not None:
        return read % 1440 if shape.minute_of_day else read
    read = minute_of_day(text)
    if read is None:
        return _number(text, shape)
    if not shape.minute_of_day:
        raise UnreadableError(f"a clock time without its day: {_quoted(stated)}")
    return read


def _day(stated: Any, shape: AnswerShape) -> int:
    del shape
    if isinstance(stated, list) and len(stated) == 1:
        stated = stated[0]
    if isinstance(stated, str):
        read = day_number(_short(stated))
        if read is None:
            raise UnreadableError(f"no day of the record: {_quoted(stated)}")
        return read
    return _whole(_finite(stated))


def _hour(stated: Any) -> int:
    if not isinstance(stated, str):
        return _whole(_finite(stated))
    text = _short(stated).strip()
    span = _HOUR_SPAN.fullmatch(text)
    if span:
        hour, end = int(span["hour"]), int(span["end"])
        if end == (hour + 1 if span["rest"] == "00" else hour):
            return hour
    single = _HOUR.fullmatch(text)
    if single:
        return int(single["hour"])
    minute = minute_of_day(text)
    if minute is None or minute % 60:
        raise UnreadableError(f"no hour of the day: {_quoted(stated)}")
    return int(minute // 60)


def _category(stated: Any, shape: AnswerShape) -> str:
    if isinstance(stated, bool):
        stated = "yes" if stated else "no"
    if isinstance(stated, list) and len(stated) == 1:
        stated = stated[0]
    if not isinstance(stated, str):
        raise UnreadableError(f"none of the options: {_quoted(stated)}")
    text = _bare(_short(stated))
    options = sorted(((_bare(option), option) for option in shape.options), key=_longest_first)
    for bare, option in options:
        if re.match(re.escape(bare) + _LEAD_END, text):
            return option
    named = [option for bare, option in options if re.search(rf"\b{re.escape(bare)}\b", text)]
    sure = len(named) == 1 and named[0] not in _ONLY_LEADING and not _NEGATION.search(text)
    if not sure or len(text) > _LONGEST_SENTENCE:
        raise UnreadableError(f"not one of the options: {_quoted(stated)}")
    return named[0]


def _day_list(stated: Any, shape: AnswerShape) -> list[int]:
    return sorted({_day(entry, shape) for entry in _entries(stated)})


def _hour_list(stated: Any, shape: AnswerShape) -> list[int]:
    del shape
    return sorted({_hour(entry) for entry in _entries(stated)})


def _pair_list(stated: Any, shape: AnswerShape) -> list[list[float]]:
    stated = _structured(stated)
    if isinstance(stated, dict):
        stated = _pairs_of_object(stated)
    if isinstance(stated, list) and len(stated) == 2 and not isinstance(stated[0], list | dict):
        stated = [stated]
    return [_pair(entry, shape) for entry in _entries(stated)]


def _pairs_of_object(stated: dict[str, Any]) -> list[Any]:
    """Return the pairs of {"3": 45.2, ...}, or the one pair {"day": 3, "rise": 45.2}."""
    if not stated:
        raise UnreadableError("an empty object")
    if any(key.casefold() == "day" for key in stated):
        return [stated]
    return [[day, value] for day, value in stated.items()]


def _pair(stated: Any, shape: AnswerShape) -> list[float]:
    if isinstance(stated, dict):
        days = [value for key, value in stated.items() if key.casefold() == "day"]
        stated = days + [value for key, value in stated.items() if key.casefold() != "day"]
    if not isinstance(stated, list) or len(stated) != 2:
        raise UnreadableError(f"no pair of day and value: {_quoted(stated)}")
    return [_day(stated[0], shape), _number(stated[1], shape)]


def _intervals(stated: Any, shape: AnswerShape) -> list[dict[str, float]]:
    stated = _structured(stated)
    if isinstance(stated, str) and not _NOTHING.fullmatch(_bare(_short(stated))):
        stated = _parts(_INTERVAL_SEPARATORS, _short(stated))
    stated = _unwrapped(stated)
    if isinstance(stated, dict):
        stated = [stated]
    if isinstance(stated, list) and len(stated) == 2 and not isinstance(stated[0], list | dict):
        stated = [stated] if not isinstance(stated[0], str) else stated
    return [_interval(entry, shape) for entry in _entries(stated)]


def _interval(stated: Any, shape: AnswerShape) -> dict[str, float]:
    """Return one interval; bounds in reverse order are swapped."""
    bounds = _bounds(_unwrapped(stated))
    if bounds is None:
        raise UnreadableError(f"no interval: {_quoted(stated)}")
    start, end = bounds
    if isinstance(start, str) and isinstance(end, str):
        end = _with_day_of(start, end)
    shape = AnswerShape(answer_type=shape.answer_type, unit="min")
    low, high = sorted((_minute(start, shape), _minute(end, shape)))
    return {"start": low, "end": high}


def _bounds(stated: Any) -> tuple[Any, Any] | None:
    if isinstance(stated, str):
        found = _INTERVAL.fullmatch(stated)
        return (found["start"], found["end"]) if found else None
    if isinstance(stated, list):
        return (stated[0], stated[1]) if len(stated) == 2 else None
    if not isinstance(stated, dict):
        return None
    start, end = _bound(stated, _START_KEYS), _bound(stated, _END_KEYS)
    return None if start is None or end is None else (start, end)


def _bound(stated: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """Return a bound of an interval given as an object: a value, or day and clock time as text."""
    parts = {
        key.casefold(): value for key, value in stated.items() if key.casefold().startswith(keys)
    }
    if len(parts) == 1 and isinstance(next(iter(parts.values())), dict):
        parts = {key.casefold(): value for key, value in next(iter(parts.values())).items()}
    days = [value for key, value in parts.items() if key.endswith("day")]
    times = [value for key, value in parts.items() if not key.endswith("day")]
    if len(times) != 1 or len(days) > 1:
        return None
    shared = {key.casefold(): value for key, value in stated.items()}.get("day")
    day = days[0] if days else shared
    if day is None or not isinstance(times[0], str):
        return None if days else times[0]
    return f"day {_day(day, AnswerShape(answer_type='day'))} {times[0]}"


def _unwrapped(stated: Any) -> Any:
    """Return the list that is the only value of an object, and anything else as it is."""
    if isinstance(stated, dict) and len(stated) == 1:
        (value,) = stated.values()
        return value if isinstance(value, list) else stated
    return stated


def _with_day_of(start: str, end: str) -> str:
    """Return "08:10" after "day 3 07:35" as "day 3 08:10", "00:10" as day 4's; else as it is."""
    minute, of_day = minute_of_record(start), minute_of_day(end)
    if minute is None or of_day is None:
        return end
    midnight = minute - minute % 1440
    return str(midnight + of_day + (1440 if midnight + of_day < minute else 0))


def _entries(stated: Any) -> list[Any]:
    """Return the entries of a list, or of a text that names them one after another."""
    stated = _structured(stated)
    if isinstance(stated, str) and _NOTHING.fullmatch(_bare(_short(stated))):
        return []
    if isinstance(stated, str):
        text = re.sub(r"^days?\s*:?\s+(?=\d)", "", _short(stated), flags=re.IGNORECASE)
        return _parts(_SEPARATORS, text.rstrip("."))
    entries = stated if isinstance(stated, list) else [stated]
    if len(entries) > LONGEST_LIST:
        raise UnreadableError(f"a list of {len(entries)} entries")
    return entries


def _parts(separators: re.Pattern[str], text: str) -> list[str]:
    parts = [part for part in separators.split(text) if part]
    if not parts:
        raise UnreadableError(f"no entry in {_quoted(text)}")
    return parts


def _structured(stated: Any) -> Any:
    """Return what a text holds as JSON, round brackets read as square ones; else the text."""
    if not isinstance(stated, str) or not stated.startswith(("[", "(", "{")):
        return stated
    text = _short(stated).replace("(", "[").replace(")", "]")
    for whole in (text, f"[{text}]"):
        try:
            return json.loads(whole)
        except (ValueError, RecursionError):
            continue
    return stated


def _finite(stated: Any) -> float:
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        raise UnreadableError(f"no number: {_quoted(stated)}")
    if abs(stated) > _LARGEST or math.isnan(stated):
        raise UnreadableError(f"no finite number of a possible size: {_quoted(stated)}")
    return stated


def _whole(number: float) -> int:
    if number != math.floor(number):
        raise UnreadableError(f"not a whole number: {number}")
    return int(number)


def _short(text: str) -> str:
    """Return a text with runs of blanks made one."""
    if len(text) > LONGEST_TEXT:
        raise UnreadableError(f"a text of {len(text)} characters")
    return re.sub(r"[^\S\n]+", " ", text)


def _bare(text: str) -> str:
    """Return text without case, quotes, underscores, hyphens and closing marks."""
    return re.sub(r"[\s_-]+", " ", text.casefold()).strip(" .!\"'*")


def _longest_first(option: tuple[str, str]) -> int:
    return -len(option[0])


def _in(unit: str | None) -> str:
    return f" in {unit}" if unit else ""


def _quoted(stated: Any) -> str:
    return repr(stated[:60] if isinstance(stated, str) else type(stated).__name__)


_READERS: Mapping[AnswerType, Callable[[Any, AnswerShape], Answer]] = {
    "number": _number,
    "integer": _integer,
    "signed": _number,
    "minute": _minute,
    "category": _category,
    "day": _day,
    "day_list": _day_list,
    "hour_list": _hour_list,
    "pair_list": _pair_list,
    "intervals": _intervals,
    "verdict": _category,
}
