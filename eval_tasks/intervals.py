"""Reader of intervals: as objects, pairs, clock times with days, or in words."""

import re
from collections.abc import Mapping
from typing import Any

from eval_tasks.lists import (
    entries,
    lines,
    parts,
    states_nothing,
    structured,
    table_unit,
    unwrapped,
)
from eval_tasks.moments import minute_of_day, minute_of_record, without_minute_prefix
from eval_tasks.quantities import is_bare_number, unit_beside
from eval_tasks.question import MINUTES_PER_DAY, AnswerShape
from eval_tasks.scalars import read_day, read_minute
from eval_tasks.texts import UnreadableError, plain, quoted, short

_MINUTES = AnswerShape(answer_type="minute", unit="min")
_MINUTE_UNITS = re.compile(r"min(?:ute)?s?\b.*", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_DAY_COMMA = re.compile(
    r"(\b(?:d(?:ay)?\s*\d{1,3}|[a-z]{3,6}day)),(?=\s*\d{1,2}:\d)", re.IGNORECASE
)
_INTERVAL = re.compile(
    r"(?:from\s)?(?P<start>[^\n]+?)\s*(?:\s-\s|\bto\b|\buntil\b|\bthrough\b|\u2192|-)\s*(?P<end>.+)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\bbetween\s([^,;\n]+?)\sand\s", re.IGNORECASE)
_LAST_PARENTHESIS = re.compile(r"\s*\((?P<inner>[^()]*)\)[\s.]*$")
_MEANS_MORE = re.compile(r"\b(?:or|not|and)\b", re.IGNORECASE)
_NAMES_DAY = re.compile(r"\b(?:day|d\s?\d|w(?:eek)?\s?\d|[a-z]{3,6}day)\b", re.IGNORECASE)
_DAY_OF = re.compile(r".*?(?=\s*:?\s*\d{1,2}:\d)")
_START = re.compile(r"(?:start|from|begin)(?:_?(?:minutes?|mins?|time|day))?", re.IGNORECASE)
_END = re.compile(r"(?:end|to|until|stop)(?:_?(?:minutes?|mins?|time|day))?", re.IGNORECASE)
_OTHER_BOUND = re.compile(r"(?:start|from|begin|end|to|until|stop)(?:_|$)", re.IGNORECASE)


def read_intervals(stated: Any, unit: str | None) -> list[dict[str, float]]:
    """Return intervals in minutes of the record; bounds in reverse order are swapped.

    Args:
        stated: JSON or text.
        unit: Unit that is stated beside them.

    Raises:
        UnreadableError: An entry is none, or the unit is not minutes.
    """
    _check_unit(unit)
    stated = structured(stated)
    if isinstance(stated, str) and not states_nothing(stated):
        return _written(stated)
    stated = unwrapped(stated)
    if isinstance(stated, list) and len(stated) == 2 and not isinstance(stated[0], list | dict):
        stated = [stated] if not isinstance(stated[0], str) or _is_pair(stated) else stated
    return [_interval(entry) for entry in entries(stated)]


def _check_unit(unit: Any) -> None:
    if unit is not None and not (isinstance(unit, str) and _MINUTE_UNITS.match(unit)):
        raise UnreadableError(f"intervals in another unit than minutes: {quoted(unit)}")


def _is_pair(stated: list[Any]) -> bool:
    """Return whether two texts are the bounds of one interval rather than two intervals."""
    return not any(isinstance(bound, str) and _INTERVAL.fullmatch(bound) for bound in stated)


def _written(text: str) -> list[dict[str, float]]:
    """Return the intervals of a text; one without a day lies on the day of the one before."""
    found: list[dict[str, float]] = []
    day = ""
    _check_unit(table_unit(text))
    for line in lines(_BETWEEN.sub(r"\1 to ", _DAY_COMMA.sub(r"\1", text))):
        as_json = structured(line)
        if not isinstance(as_json, str) and as_json is not line:
            found += read_intervals(as_json, None)
            continue
        for piece in _pieces(line):
            start, end = _ends(piece)
            if day and minute_of_day(start) is not None:
                start = f"{day} {start}"
            if minute_of_record(start) is not None and (named := _DAY_OF.match(start)):
                day = named[0].strip()
            found.append(_between(start, end))
    return found


def _pieces(line: Any) -> list[Any]:
    """Return a line as one interval, or as those that commas part."""
    if not isinstance(line, str):
        return [line]
    line = line.strip(" .")
    several = [part for part in parts(_COMMA, line) if _INTERVAL.fullmatch(part)]
    return several if len(several) > 1 and len(several) == len(_COMMA.split(line)) else [line]


def _ends(piece: Any) -> tuple[str, str]:
    if isinstance(piece, list):
        if len(piece) != 2:
            raise UnreadableError("a table whose rows are no intervals")
        return piece[0], piece[1]
    bounds = _without_remark(piece)
    found = _INTERVAL.fullmatch(bounds)
    if not found:
        raise UnreadableError(f"no interval: {quoted(piece)}")
    if _NAMES_DAY.search(piece[len(bounds) :]) and minute_of_day(found["start"]) is not None:
        raise UnreadableError(f"the day stands behind its interval: {quoted(piece)}")
    return found["start"], found["end"]


def _without_remark(text: str) -> str:
    """Return a text without the parenthesis at its end, unless that states a unit or more bounds."""
    found = _LAST_PARENTHESIS.search(text)
    if not found or _MEANS_MORE.search(found["inner"]):
        return text
    states_unit = unit_beside(found["inner"]) and not re.search(r"\d", found["inner"])
    return text if states_unit else text[: found.start()]


def _interval(stated: Any) -> dict[str, float]:
    stated = unwrapped(stated)
    if isinstance(stated, str):
        found = _written(plain(stated))
        if len(found) != 1:
            raise UnreadableError(f"several intervals in one: {quoted(stated)}")
        return found[0]
    if isinstance(stated, list) and len(stated) == 2:
        return _between(stated[0], stated[1])
    if not isinstance(stated, dict):
        raise UnreadableError(f"no interval: {quoted(stated)}")
    fields = {key.casefold(): value for key, value in stated.items()}
    _check_unit(fields.get("unit", fields.get("units")))
    day = _day_of(fields)
    end = _bound(fields, _END)
    if day is None or not isinstance(end, str) or minute_of_day(plain(end)) is None:
        end = _on_day(day, end)
    return _between(_on_day(day, _bound(fields, _START)), end)


def _day_of(fields: Mapping[str, Any]) -> int | None:
    """Return the day that an object names beside its bounds: a record's, or a week's with its week.

    >>> _day_of({"day": 3}), _day_of({"week": 2, "day": 3}), _day_of({"start": 5})
    (3, 10, None)
    """
    day = None if fields.get("day") is None else read_day(fields["day"])
    week = fields.get("week")
    if week is None:
        return day
    first = 7 * (read_day(week) - 1)
    if day is not None and 1 <= day <= 7:
        return first + day
    if day is None or not first < day <= first + 7:
        raise UnreadableError("a week beside an interval that names no day of it")
    return day


def _between(start: Any, end: Any) -> dict[str, float]:
    if isinstance(start, str) and isinstance(end, str):
        start, end = _without_remark(plain(start)), _without_remark(plain(end))
        _check_shared_unit(start, end)
        end = _with_day_of(start, end)
    low, high = sorted((read_minute(start, _MINUTES), read_minute(end, _MINUTES)))
    return {"start": low, "end": high}


def _check_shared_unit(start: str, end: str) -> None:
    """Refuse "2 to 3 hours", where the first bound has the unit of the second."""
    bounds = [without_minute_prefix(bound) for bound in (start, end)]
    if is_bare_number(bounds[0]) and not is_bare_number(bounds[1]):
        unit = re.sub(r"^[\d.,\s]+", "", bounds[1])
        _check_unit(unit or None)


def _bound(fields: Mapping[str, Any], names: re.Pattern[str]) -> Any:
    """Return a bound of an interval given as an object: a value, or day and clock time as text."""
    named = {key: value for key, value in fields.items() if names.fullmatch(key)}
    unknown = [key for key in fields if _OTHER_BOUND.match(key) and not _is_bound(key)]
    if unknown or not named:
        raise UnreadableError(f"no interval: its bounds are {', '.join(fields)[:60]}")
    if len(named) == 1 and isinstance(next(iter(named.values())), dict):
        named = {key.casefold(): value for key, value in next(iter(named.values())).items()}
    days = [value for key, value in named.items() if key.endswith("day")]
    times = [value for key, value in named.items() if not key.endswith("day")]
    if len(times) != 1 or len(days) > 1 or times[0] is None:
        raise UnreadableError("no interval: a bound is missing or given twice")
    return _on_day(read_day(days[0]), times[0]) if days else times[0]


def _is_bound(key: str) -> bool:
    return bool(_START.fullmatch(key) or _END.fullmatch(key))


def _on_day(day: int | None, time: Any) -> Any:
    """Return a time on a day: clock times with the day, minutes of the record if they lie on it."""
    if day is None:
        return time
    if isinstance(time, str) and minute_of_record(plain(time)) is None and not is_bare_number(time):
        return f"day {day} {time}"
    minute = read_minute(time, _MINUTES)
    if not 0 <= minute - (day - 1) * MINUTES_PER_DAY <= MINUTES_PER_DAY:
        raise UnreadableError(f"minute {minute:g} is not on day {day}")
    return minute


def _with_day_of(start: str, end: str) -> str:
    """Return "08:10" after "day 3 07:35" as "day 3 08:10", "00:10" as day 4's; else as it is."""
    minute, of_day = minute_of_record(short(start)), minute_of_day(short(end))
    if minute is None or of_day is None:
        return end
    midnight = minute - minute % MINUTES_PER_DAY
    return str(midnight + of_day + (MINUTES_PER_DAY if midnight + of_day < minute else 0))
