"""What answers that are lists share, and the readers of days, hours and pairs.

A list comes as JSON or as text: one entry after another, one a line, as bullets or as a table.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from eval_tasks.moments import day_span
from eval_tasks.quantities import is_bare_number, unit_in_brackets
from eval_tasks.question import AnswerShape
from eval_tasks.scalars import read_day, read_hour, read_number
from eval_tasks.texts import UnreadableError, bare, plain, quoted, short

LONGEST_LIST = 2_000
"""Entries that a list may have."""
BULLET = re.compile(r"^[ \t]*(?:[-*\u2022+]|\d{1,3}[.)])[ \t]+", re.MULTILINE)
"""What a line of a list may start with."""
_SEPARATORS = re.compile(r"\s*(?:[,;&\n]|\band\b)(?![^()]*\))\s*")
_LINES = re.compile(r"\s*[;\n]\s*")
_RULE = re.compile(r"^\|?(?:\s*:?-{2,}:?\s*\|)*\s*:?-{2,}:?\s*\|?$")
_THINGS = (
    r"(?:days?|hours?|intervals?|episodes?|events?|periods?|pairs?|stretch(?:es)?|spikes?|faults?"
    r"|readings|anomal(?:y|ies)|gaps?)"
)
_NOTHING = re.compile(
    r"none|(?:there (?:is|are|was|were) )?(?:none|no(?: such| matching)?(?: [a-z]{4,20}a?emi[ac])?"
    rf" {_THINGS})(?:(?: (?:is|are|was|were))? (?:found|detected|observed|identified|recorded|present))?"
    r"(?: (?:at all|in (?:the|this|my) (?:whole )?(?:record|data|trace)))?"
    rf"|none of the {_THINGS}"
)
_LIST_NAME = re.compile(r"(?:days|hours)|(?!.*(?:day|week|hour))[a-z_ ]+", re.IGNORECASE)
_PAIR = re.compile(r"(?P<day>[^:,=\u2192(]+?)\s?(?:[:,=\u2192]|->|\s-\s|\()\s?(?P<value>[^()]+)\)?")


def states_nothing(text: str) -> bool:
    """Return whether a text says that there is no such thing.

    >>> states_nothing("No episodes were found."), states_nothing("no other episodes")
    (True, False)
    """
    return bool(_NOTHING.fullmatch(bare(short(text))))


def read_day_list(stated: Any) -> list[int]:
    """Return days in ascending order, spans of days unfolded.

    Raises:
        UnreadableError: An entry is no day.
    """
    days: set[int] = set()
    for entry in entries(stated):
        span = day_span(short(plain(entry))) if isinstance(entry, str) else None
        days |= set(span or [read_day(entry)])
    return sorted(days)


def read_hour_list(stated: Any) -> list[int]:
    """Return clock hours in ascending order.

    Raises:
        UnreadableError: An entry is no hour.
    """
    return sorted({read_hour(entry) for entry in entries(stated)})


def read_pair_list(stated: Any, shape: AnswerShape, unit: str | None) -> list[list[float]]:
    """Return pairs of a day and a value.

    Args:
        stated: JSON or text.
        shape: What the answer must look like.
        unit: Unit that is stated beside the list, for values that state none.

    Raises:
        UnreadableError: An entry is no pair.
    """
    stated = structured(stated)
    if isinstance(stated, str) and not states_nothing(stated):
        unit = unit or table_unit(stated)
        stated = [row if isinstance(row, list) else _written_pair(row) for row in lines(stated)]
    if isinstance(stated, dict):
        stated = _pairs_of_object(stated)
    if isinstance(stated, list) and len(stated) == 2 and not isinstance(stated[0], list | dict):
        stated = [stated]
    return [_pair(entry, shape, unit) for entry in entries(stated)]


def entries(stated: Any) -> list[Any]:
    """Return the entries of a list, or of a text that names them one after another.

    Raises:
        UnreadableError: There are too many, or none where "none" is not said.
    """
    stated = structured(stated)
    if isinstance(stated, str):
        return [] if states_nothing(stated) else _named_entries(short(stated))
    stated = unwrapped(stated)
    found = stated if isinstance(stated, list) else [stated]
    if len(found) > LONGEST_LIST:
        raise UnreadableError(f"a list of {len(found)} entries")
    return found


def lines(text: str) -> list[Any]:
    """Return the entries of a text, one a line or parted by semicolons; rows of a table as lists.

    Raises:
        UnreadableError: There are none.
    """
    text = short(text)
    if text.startswith("|"):
        return _table_rows(text)
    return parts(_LINES, BULLET.sub("", text))


def table_unit(text: str) -> str | None:
    """Return the unit that the head of a table states in brackets."""
    return unit_in_brackets(text.partition("\n")[0]) if text.startswith("|") else None


def parts(separators: re.Pattern[str], text: str) -> list[str]:
    """Return the parts of a text that are not empty.

    Raises:
        UnreadableError: There are none.
    """
    found = [part for part in separators.split(text) if part]
    if not found:
        raise UnreadableError(f"no entry in {quoted(text)}")
    return found


def unwrapped(stated: Any) -> Any:
    """Return the list that is the only value of an object, and anything else as it is.

    Not where its name tells a day, week or hour, to which the list belongs.
    """
    if isinstance(stated, dict) and len(stated) == 1:
        ((name, value),) = stated.items()
        return value if isinstance(value, list) and _LIST_NAME.fullmatch(name) else stated
    return stated


def structured(stated: Any) -> Any:
    """Return what a text holds as JSON, round brackets read as square ones; else the text."""
    if not isinstance(stated, str) or not stated.startswith(("[", "(", "{")):
        return stated
    text = short(stated).rstrip(". ").replace("(", "[").replace(")", "]")
    for whole in (text, f"[{text}]"):
        try:
            return json.loads(whole)
        except (ValueError, RecursionError):
            continue
    return stated


def _named_entries(text: str) -> list[Any]:
    if text.startswith("|"):
        rows = _table_rows(text)
        if any(len(row) != 1 for row in rows):
            raise UnreadableError("a table of more than one column")
        return [row[0] for row in rows]
    text = re.sub(r"^(?:days|hours)\s*:?\s+(?=\d)", "", BULLET.sub("", text), flags=re.IGNORECASE)
    text = re.sub(r"^day\s+(?=\d+\s*(?:,|and\b))", "", text, flags=re.IGNORECASE)
    return list(parts(_SEPARATORS, text.rstrip(".")))


def _table_rows(text: str) -> list[list[str]]:
    """Return the cells of a Markdown table below its head."""
    rows = [line.strip() for line in text.splitlines() if line.strip()]
    rules = [number for number, row in enumerate(rows) if _RULE.match(row)]
    if rules != [1] or len(rows) < 3 or not all(row.startswith("|") for row in rows):
        raise UnreadableError("no table with a head and rows")
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def _written_pair(text: str) -> list[str]:
    found = _PAIR.fullmatch(text.strip(" ."))
    if not found:
        raise UnreadableError(f"no pair of day and value: {quoted(text)}")
    return [found["day"], found["value"]]


def _pairs_of_object(stated: Mapping[str, Any]) -> list[Any]:
    """Return the pairs of {"3": 45.2, ...}, or the one pair {"day": 3, "rise": 45.2}."""
    if not stated:
        raise UnreadableError("an empty object")
    if any(key.casefold() == "day" for key in stated):
        return [stated]
    return [[day, value] for day, value in stated.items()]


def _pair(stated: Any, shape: AnswerShape, unit: str | None) -> list[float]:
    if isinstance(stated, dict):
        days = [value for key, value in stated.items() if key.casefold() == "day"]
        units = [value for key, value in stated.items() if key.casefold() in ("unit", "units")]
        unit = units[0] if units and isinstance(units[0], str) else unit
        stated = days + [
            value for key, value in stated.items() if key.casefold() not in ("day", "unit", "units")
        ]
    if not isinstance(stated, list) or len(stated) != 2:
        raise UnreadableError(f"no pair of day and value: {quoted(stated)}")
    day, value = stated
    if unit and ((isinstance(value, str) and is_bare_number(value)) or type(value) in (int, float)):
        value = f"{value} {unit}"
    return [read_day(day), read_number(value, shape)]
