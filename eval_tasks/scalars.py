"""Readers of a single number, count, time, day or hour: each takes all of what is stated or refuses."""

import math
import re
from typing import Any

from eval_tasks.moments import day_number, minute_of_day, minute_of_record, without_minute_prefix
from eval_tasks.quantities import is_unit, quantity
from eval_tasks.question import MINUTES_PER_DAY, AnswerShape
from eval_tasks.texts import FALL, UnreadableError, plain, quoted, short

_LARGEST = 1e15
"""Size up to which whole numbers are exact as floats, and beyond which no answer lies."""
_COUNTS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
"""Counts that may be spelt out."""
_FIRST_WORD = re.compile(rf"^(?P<count>{'|'.join(_COUNTS)})\b(?!-)", re.IGNORECASE)
_VALUE_NAMES = (
    *("value", "result", "answer", "mean", "average", "total", "sum", "count", "number", "rate"),
    *("percentage", "share", "change", "difference", "rise", "drop", "peak", "highest"),
    *("lowest", "maximum", "minimum", "glucose", "insulin", "duration", "sd"),
)
"""Words in names under which an object may hold the one number asked for."""
UNIT_NAMES = frozenset(("unit", "units"))
"""Names under which an object may hold a unit."""
_HOUR = re.compile(r"(?P<hour>\d{1,2})\s*(?:h|:00)?", re.IGNORECASE)
_HOUR_SPAN = re.compile(
    r"(?P<hour>\d{1,2}):00\s*(?:-|to|until)\s*(?P<end>\d{1,2}):(?P<rest>00|59)", re.IGNORECASE
)


def read_number(stated: Any, shape: AnswerShape) -> float:
    """Return a number in the unit asked for.

    Raises:
        UnreadableError: It is anything else, or in another unit.
    """
    stated = _only(stated)
    if isinstance(stated, dict):
        stated = _of_object(stated)
    if isinstance(stated, str):
        read = quantity(short(stated), shape.unit)
        if read is None:
            unit = f" in {shape.unit}" if shape.unit else ""
            raise UnreadableError(f"no number{unit}: {quoted(stated)}")
        return _finite(read)
    return _finite(stated)


def read_signed(stated: Any, shape: AnswerShape) -> float:
    """Return a change in the unit asked for, a fall with its minus sign.

    Raises:
        UnreadableError: It is anything else, or a fall without a minus sign.
    """
    read = read_number(stated, shape)
    if read > 0 and isinstance(stated, str) and "+" not in stated and FALL.search(stated):
        raise UnreadableError(f"a fall with the sign of a rise: {quoted(stated)}")
    return read


def read_integer(stated: Any, shape: AnswerShape) -> int:
    """Return a whole number, in digits or spelt out up to twenty.

    Raises:
        UnreadableError: It is anything else.
    """
    if isinstance(stated, str):
        stated = _FIRST_WORD.sub(_in_digits, short(stated), count=1)
    return _whole(read_number(stated, shape))


def read_minute(stated: Any, shape: AnswerShape) -> float:
    """Return a minute of the record or the day, or a duration in minutes.

    Raises:
        UnreadableError: It is neither, or a clock time without the day that it needs.
    """
    if not isinstance(stated, str):
        return read_number(stated, shape)
    text = without_minute_prefix(short(stated))
    read = minute_of_record(text)
    if read is not None:
        return read % MINUTES_PER_DAY if shape.minute_of_day else read
    read = minute_of_day(text)
    if read is None:
        return read_number(text, shape)
    if not shape.minute_of_day:
        raise UnreadableError(f"a clock time without its day: {quoted(stated)}")
    return read


def read_day(stated: Any) -> int:
    """Return a day of the record.

    Raises:
        UnreadableError: It is none, or more than one.
    """
    stated = _only(stated)
    if isinstance(stated, dict) and [key.casefold() for key in stated] == ["day"]:
        (stated,) = stated.values()
    if isinstance(stated, str):
        read = day_number(short(plain(stated)).rstrip("."))
        if read is None:
            raise UnreadableError(f"no day of the record: {quoted(stated)}")
        return read
    return _whole(_finite(stated))


def read_hour(stated: Any) -> int:
    """Return a clock hour, given as itself or as the span of one hour.

    Raises:
        UnreadableError: It is none.
    """
    if not isinstance(stated, str):
        return _whole(_finite(stated))
    text = short(plain(stated)).strip()
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
        raise UnreadableError(f"no hour of the day: {quoted(stated)}")
    return int(minute // 60)


def _only(stated: Any) -> Any:
    """Return the only entry of a list, and anything else as it is."""
    return stated[0] if isinstance(stated, list) and len(stated) == 1 else stated


def _of_object(stated: dict[str, Any]) -> Any:
    """Return the number that an object holds, with its unit as text if it names one."""
    if len(stated) == 1 and is_unit(next(iter(stated))):
        ((unit, number),) = stated.items()
        return f"{_finite(number)} {unit}"
    values = [value for key, value in stated.items() if _names_value(key)]
    units = [value for key, value in stated.items() if key.casefold() in UNIT_NAMES]
    if len(values) != 1 or len(values) + len(units) != len(stated) or len(units) > 1:
        raise UnreadableError("an object, of which it is not clear what the answer is")
    (value,) = values
    if isinstance(value, list | dict):
        raise UnreadableError(f"no number: {quoted(value)}")
    return f"{value} {units[0]}" if units and isinstance(units[0], str) else value


def _names_value(key: str) -> bool:
    """Return whether a name is one of a value: "mean", "mean_glucose"; not "duration_hours"."""
    words = re.split(r"[\W_]+", key.casefold())
    return any(word in _VALUE_NAMES for word in words) and not any(map(is_unit, words))


def _in_digits(found: re.Match[str]) -> str:
    return str(_COUNTS.index(found["count"].casefold()))


def _finite(stated: Any) -> float:
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        raise UnreadableError(f"no number: {quoted(stated)}")
    if abs(stated) > _LARGEST or math.isnan(stated):
        raise UnreadableError(f"no finite number of a possible size: {quoted(stated)}")
    return stated


def _whole(number: float) -> int:
    if number != math.floor(number):
        raise UnreadableError(f"not a whole number: {number}")
    return int(number)
