"""Days and clock times in words, read strictly: all of a text or nothing."""

import re

from eval_tasks.question import MINUTES_PER_DAY
from eval_tasks.texts import NEGATION

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = (
    "mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?"
    "|sun(?:day)?"
)
_WEEK = r"(?:w(?:eek)?\s*(?P<week>\d{1,2})[\s,]*)?"
_DAY = rf"(?:{_WEEK}(?:d(?:ay)?\s*(?P<day>\d{{1,3}})\b|(?P<weekday>{_WEEKDAY})\b))"
_CLOCK = (
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2})(?::00)?|(?=\s?[ap]\.?m\b))"
    r"\s*(?P<half>[ap]\.?m\b\.?)?"
)
_DAY_ONLY = re.compile(
    rf"(?:on\s+)?{_DAY}|(?P<bare>\d{{1,3}})"
    r"|(?:the\s+)?(?P<ordinal>\d{1,2})(?:st|nd|rd|th)(?:\s+day)?",
    re.IGNORECASE,
)
_LEADING_DAY = re.compile(rf"(?:on\s+)?{_DAY}(?=[\s,;:])", re.IGNORECASE)
_DAY_CLOCK = re.compile(rf"{_DAY}[\s,:;-]*(?:at\s+)?{_CLOCK}", re.IGNORECASE)
_CLOCK_DAY = re.compile(rf"{_CLOCK}[\s,]*(?:on|of)?\s*{_DAY}", re.IGNORECASE)
_CLOCK_ONLY = re.compile(rf"(?:(?:at|about|around|approximately)\s+|~\s?)?{_CLOCK}", re.IGNORECASE)
_WEEK_LAST = re.compile(
    rf"\b(d(?:ay)?\s*\d{{1,3}}|{_WEEKDAY})[\s,]*(?:(?:of|in)\s+)?w(?:eek)?\s*(\d{{1,2}})\b",
    re.IGNORECASE,
)
_PARENTHESIS = re.compile(r"^(?P<text>[^()]*)\((?P<inner>[^()]*)\)\s*$")
_REMARK = re.compile(
    r"\s?[,;:-]?\s?(?:\(|with\b|has\b|had\b|is\b|was\b|because\b|since\b|at\b|cv\b)", re.IGNORECASE
)
_OTHER_DAY = re.compile(
    rf"\bdays?\b|\bw(?:eek)?\s*\d|\d(?:st|nd|rd|th)\b|\b(?:{_WEEKDAY})\b|\b(?:and|or)\b",
    re.IGNORECASE,
)
_NOON = re.compile(r"\b(?:12\s)?noon\b", re.IGNORECASE)
_TO = re.compile(r"\s*(?:-|\bto\b|\bthrough\b|\bthru\b|\buntil\b)\s*", re.IGNORECASE)
_DAYS = re.compile(r"^(?:from\s+)?(?:days\b\s*:?\s*)?", re.IGNORECASE)
_MINUTE_PREFIX = re.compile(r"(?:at\s)?(?:minutes?|min)\s*[:#=]?\s*(?=[\d.])", re.IGNORECASE)


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
    """Return the minute of the day for a clock time, None for anything else.

    >>> minute_of_day("18:10"), minute_of_day("6 pm"), minute_of_day("noon"), minute_of_day("6")
    (1090, 1080, 720, None)
    """
    found = _CLOCK_ONLY.fullmatch(_week_first(text))
    return _minute_of_clock(found) if found else None


def day_number(text: str) -> int | None:
    """Return the day of the record, None where the text names none, or another one beside it.

    >>> day_number("Day 10 (Wednesday)"), day_number("week 2 day 3"), day_number("Wednesday")
    (10, 10, None)
    >>> day_number("Wed, week 2"), day_number("day 3 of week 2"), day_number("the 10th")
    (10, 10, 10)
    >>> day_number("Day 10 with a CV of 45%"), day_number("Day 10 is above day 11")
    (10, None)
    """
    text = _week_first(text)
    found = _DAY_ONLY.fullmatch(text)
    if not found:
        leading = _LEADING_DAY.match(text)
        return _day_number(leading) if leading and _is_remark(text[leading.end() :]) else None
    alone = found["bare"] or found["ordinal"]
    return int(alone) if alone else _day_number(found)


def day_span(text: str) -> list[int] | None:
    """Return the days from one to another, both included; None where the text names no such span.

    >>> day_span("days 3-5"), day_span("1 through 3"), day_span("5 to 3")
    ([3, 4, 5], [1, 2, 3], None)
    """
    ends = [day_number(part) for part in _TO.split(_DAYS.sub("", text.strip(), count=1))]
    if len(ends) != 2 or ends[0] is None or ends[1] is None or ends[0] >= ends[1]:
        return None
    return list(range(ends[0], ends[1] + 1))


def without_minute_prefix(text: str) -> str:
    """Return "minute 3335" as "3335", and any other text as it is."""
    return _MINUTE_PREFIX.sub("", text, count=1) if _MINUTE_PREFIX.match(text) else text


def _is_remark(text: str) -> bool:
    named = _REMARK.match(text) and not _OTHER_DAY.search(text)
    return bool(named) and not NEGATION.search(text.casefold())


def _day_number(found: re.Match[str]) -> int | None:
    week = int(found["week"]) if found["week"] else None
    if found["weekday"]:
        if week is None:
            return None
        return 7 * (week - 1) + _WEEKDAYS.index(found["weekday"].casefold()[:3]) + 1
    day = int(found["day"])
    return day if week is None else 7 * (week - 1) + day


def _minute_of_clock(found: re.Match[str]) -> int | None:
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    half = (found["half"] or "").casefold()[:1]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    if minute > 59 or 60 * hour + minute > MINUTES_PER_DAY:
        return None
    return 60 * hour + minute


def _week_first(text: str) -> str:
    """Return a text without its last parenthesis, "Monday of week 2" as "week 2 Monday".

    A parenthesis that offers an alternative ("or day 11") stays.
    """
    found = _PARENTHESIS.match(text)
    if found and not re.search(r"\b(?:or|not)\b", found["inner"], re.IGNORECASE):
        text = found["text"]
    return _WEEK_LAST.sub(r"week \2 \1", _NOON.sub("12:00", text).strip())
