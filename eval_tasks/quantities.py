"""Numbers with units, clock times and durations in words, read strictly: all of a text or nothing."""

import math
import re
from collections.abc import Mapping

from eval_tasks.question import MINUTES_PER_DAY

MGDL_PER_MMOL = 18.018
"""mg/dL of glucose in 1 mmol/L (molar mass 180.18 g/mol)."""
_UNITS: Mapping[str, tuple[str, float]] = {
    **dict.fromkeys(("mg/dl", "mg per dl", "mg per deciliter", "mgdl"), ("mg/dL", 1.0)),
    **dict.fromkeys(("mmol/l", "mmol per l", "mmol"), ("mg/dL", MGDL_PER_MMOL)),
    **dict.fromkeys(
        ("mg/dl/min", "mg/dl per min", "mg/dl per minute", "mg/dl/minute"), ("mg/dL/min", 1.0)
    ),
    **dict.fromkeys(("mmol/l/min", "mmol/l per minute"), ("mg/dL/min", MGDL_PER_MMOL)),
    **dict.fromkeys(("%", "percent", "per cent", "pct"), ("%", 1.0)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ("min", 1.0)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), ("min", 60.0)),
    **dict.fromkeys(("u", "iu", "unit", "units", "units of insulin", "u of insulin"), ("U", 1.0)),
    **dict.fromkeys(("mu", "milliunits"), ("U", 0.001)),
    **dict.fromkeys(("d", "day", "days"), ("min", 1440.0)),
    **dict.fromkeys(("g", "gram", "grams", "mg", "kg"), ("g", math.nan)),
}
"""Unit as written, without case: the unit it is converted to, and the factor."""
_KEPT_IN: Mapping[str, tuple[str, float]] = {"h": ("min", 60.0)}
"""Units that are kept in another one: that unit, and their size in it."""
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = (
    "mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?"
    "|sun(?:day)?"
)

_WHOLE = r"(?:\d{1,3}(?:[,'\u2019_]\d{3})+(?!\d)|\d+)"
_NUMBER = rf"[+-]?(?:{_WHOLE}(?:\.\d+)?|\.\d+)(?:e[+-]?\d{{1,4}})?"
_QUANTITY = re.compile(
    r"(?:about|approximately|approx\.?|around|roughly|circa|~|\u2248|=)?\s*"
    rf"(?P<number>{_NUMBER})\s*(?P<rest>[^\d]*)",
    re.IGNORECASE,
)
_FRACTION = re.compile(
    r"(?:(?P<whole>\d{1,6}) )?(?P<top>\d{1,9})\s?/\s?(?P<bottom>\d{1,9})\s*(?P<rest>[^\d]*)"
)
_AGREEMENT = 0.02
"""Share by which a number and the same in parentheses, in a stated unit, may differ."""
_PARENTHESIS = re.compile(r"^(?P<text>[^()]*)\((?P<inner>[^()]*)\)\s*$")
_WORDS = re.compile(r"[a-z]+(?: [a-z-]+){0,3}", re.IGNORECASE)
_HOURS_AND_MINUTES = re.compile(
    r"(?P<hours>\d{1,4})\s*(?:h|hrs?|hours?)\s*(?:and\s*)?(?P<minutes>\d{1,2})"
    r"\s*(?:m|mins?|minutes?)?",
    re.IGNORECASE,
)
_WEEK = r"(?:w(?:eek)?\s*(?P<week>\d{1,2})[\s,]*)?"
_DAY = rf"(?:{_WEEK}(?:d(?:ay)?\s*(?P<day>\d{{1,3}})|(?P<weekday>{_WEEKDAY})\b))"
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::00)?\s*(?P<half>[ap]\.?m\.?)?"
_DAY_ONLY = re.compile(rf"{_DAY}|(?P<bare>\d{{1,3}})", re.IGNORECASE)
_DAY_CLOCK = re.compile(rf"{_DAY}[\s,:;-]*(?:at\s+)?{_CLOCK}", re.IGNORECASE)
_CLOCK_DAY = re.compile(rf"{_CLOCK}[\s,]*(?:on|of)?\s*{_DAY}", re.IGNORECASE)
_CLOCK_ONLY = re.compile(_CLOCK, re.IGNORECASE)
_WEEK_LAST = re.compile(
    rf"\b(d(?:ay)?\s*\d{{1,3}}|{_WEEKDAY})[\s,]*(?:(?:of|in)\s+)?w(?:eek)?\s*(\d{{1,2}})\b",
    re.IGNORECASE,
)
_MINUTE_PREFIX = re.compile(r"(?:minutes?|min)\s*[:#=]?\s*(?=[\d.])", re.IGNORECASE)


def quantity(text: str, unit: str | None) -> float | None:
    """Return a number in a unit; None where the text is anything else, or another unit.

    mmol/L are converted to mg/dL, hours to minutes and back, where the text states them. A number
    without a unit is taken to be in the unit asked for; where none is asked for, up to four words
    may follow ("7 episodes"). A fraction is its value, and where percent are asked for its share of
    100. A number without a unit gives way to one in parentheses that states the unit and differs.

    >>> quantity("about 1,234.5 mg/dL", "mg/dL"), quantity("8.1 mmol/L", "mg/dL")
    (1234.5, 145.9458)
    >>> quantity("2 h 30 min", "min"), quantity("45 %", "mg/dL"), quantity("140-150", "mg/dL")
    (150.0, None, None)
    >>> quantity("3/4", "%"), quantity("1 1/2 hours", "min"), quantity("0.5 (50 %)", "%")
    (75.0, 90.0, 50.0)
    """
    parenthesis = _PARENTHESIS.match(text)
    if not parenthesis:
        return _plain_quantity(text, None, unit)
    outer = _plain_quantity(parenthesis["text"], parenthesis["inner"], unit)
    inner = _stated_in_unit(parenthesis["inner"], unit)
    if outer is None or inner is None or _stated_in_unit(parenthesis["text"], unit) is not None:
        return outer
    return outer if abs(outer - inner) <= _AGREEMENT * abs(inner) else inner


def _plain_quantity(text: str, inner: str | None, unit: str | None) -> float | None:
    found = _QUANTITY.fullmatch(text.strip())
    if not found:
        fraction = _fraction(text.strip(), unit)
        return _hours_and_minutes(text, unit) if fraction is None else fraction
    number = float(re.sub(r"[,'\u2019_]", "", found["number"]))
    factor = _factor(found["rest"], inner, unit)
    converted = number * factor if factor is not None else math.nan
    return converted if math.isfinite(converted) else None


def _stated_in_unit(text: str, unit: str | None) -> float | None:
    """Return a number that states a unit itself, in the unit asked for; None for anything else."""
    found = _QUANTITY.fullmatch(text.strip())
    return _plain_quantity(text, None, unit) if unit and found and found["rest"].strip() else None


def _fraction(text: str, unit: str | None) -> float | None:
    found = _FRACTION.fullmatch(text)
    if not found or not int(found["bottom"]):
        return None
    number = int(found["whole"] or 0) + int(found["top"]) / int(found["bottom"])
    if unit == "%":
        return None if found["rest"] else 100.0 * number
    factor = _factor(found["rest"], None, unit)
    return None if factor is None else number * factor


def minute_of_record(text: str) -> float | None:
    """Return the minute of the record for a day and clock time, None for anything else.

    >>> minute_of_record("W1D3 07:35"), minute_of_record("7:35 am on day 3")
    (3335, 3335)
    """
    text = _week_first(text)
    found = _DAY_CLOCK.fullmatch(text) or _CLOCK_DAY.fullmatch(text)
    if not found:
        return None
    day, minute = _day_number(found), _minute_of_clock(found)
    if day is None or minute is None:
        return None
    return (day - 1) * MINUTES_PER_DAY + minute


def minute_of_day(text: str) -> float | None:
    """Return the minute of the day for a clock time, None for anything else."""
    found = _CLOCK_ONLY.fullmatch(_week_first(text))
    return _minute_of_clock(found) if found else None


def day_number(text: str) -> int | None:
    """Return the day of the record, None where the text names none.

    >>> day_number("Day 10 (Wednesday)"), day_number("week 2 day 3"), day_number("Wednesday")
    (10, 10, None)
    >>> day_number("Wed, week 2"), day_number("day 3 of week 2")
    (10, 10)
    """
    found = _DAY_ONLY.fullmatch(_week_first(text))
    if not found:
        return None
    return int(found["bare"]) if found["bare"] else _day_number(found)


def without_minute_prefix(text: str) -> str:
    """Return "minute 3335" as "3335", and any other text as it is."""
    return _MINUTE_PREFIX.sub("", text, count=1) if _MINUTE_PREFIX.match(text) else text


def _factor(rest: str, inner: str | None, unit: str | None) -> float | None:
    """Return what a number is multiplied by for the unit asked for; None where that is unclear."""
    wanted, size = _KEPT_IN.get(unit or "", (unit, 1.0))
    for written in (rest, inner or ""):
        stated = _UNITS.get(" ".join(written.casefold().split()).strip(" ."))
        if stated:
            return stated[1] / size if stated[0] == wanted else None
    bare = rest.strip(" .")
    if not bare:
        return 1.0
    return 1.0 if unit is None and _WORDS.fullmatch(bare) else None


def _hours_and_minutes(text: str, unit: str | None) -> float | None:
    found = _HOURS_AND_MINUTES.fullmatch(text.strip())
    if not found or unit not in ("min", "h"):
        return None
    minutes = 60.0 * int(found["hours"]) + int(found["minutes"])
    return minutes if unit == "min" else minutes / 60


def _day_number(found: re.Match[str]) -> int | None:
    week = int(found["week"]) if found["week"] else None
    if found["weekday"]:
        if week is None:
            return None
        return 7 * (week - 1) + _WEEKDAYS.index(found["weekday"].casefold()[:3]) + 1
    day = int(found["day"])
    return day if week is None else 7 * (week - 1) + day


def _minute_of_clock(found: re.Match[str]) -> int | None:
    hour, minute = int(found["hour"]), int(found["minute"])
    half = (found["half"] or "").casefold()[:1]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    if minute > 59 or 60 * hour + minute > MINUTES_PER_DAY:
        return None
    return 60 * hour + minute


def _week_first(text: str) -> str:
    """Return a text without its last parenthesis, "Monday of week 2" as "week 2 Monday"."""
    found = _PARENTHESIS.match(text)
    return _WEEK_LAST.sub(r"week \2 \1", (found["text"] if found else text).strip())
