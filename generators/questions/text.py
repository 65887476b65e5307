"""Parameters in words: clock times, weekdays, amounts. Used by wordings, instructions, contexts."""

import string
from collections.abc import Callable, Mapping
from typing import Any

from generators.questions.task import TaskError
from generators.questions.windows import DAY_PARTS, DayPart
from generators.trace import MINUTES_PER_DAY

WEEKDAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def clock(minute: int) -> str:
    """Return the clock time of a minute of the record or of a day.

    >>> clock(450), clock(1440 + 5)
    ('07:30', '00:05')
    """
    hour, rest = divmod(minute % MINUTES_PER_DAY, 60)
    return f"{hour:02d}:{rest:02d}"


def clock_end(minute: int) -> str:
    """Return the clock time at which a window ends; midnight is 24:00."""
    return "24:00" if minute % MINUTES_PER_DAY == 0 and minute else clock(minute)


def day_and_clock(minute: int) -> str:
    """Return day and clock time of a minute of the record.

    >>> day_and_clock(1440 + 450)
    '07:30 on day 2'
    """
    return f"{clock(minute)} on day {minute // MINUTES_PER_DAY + 1}"


def weekday(number: int) -> str:
    """Return the name of weekday 1 (Monday) to 7 (Sunday)."""
    return WEEKDAY_NAMES[number - 1]


def weekday_of_day(day: int) -> str:
    """Return the name of the weekday of a day of the record; day 1 is a Monday."""
    return WEEKDAY_NAMES[(day - 1) % 7]


def day_part(name: DayPart) -> str:
    """Return a part of the day with its hours.

    >>> day_part("night")
    'night (00:00 to 06:00)'
    """
    start, end = DAY_PARTS[name]
    return f"{name} ({clock(start)} to {clock_end(end)})"


_WORDS: Mapping[str, Callable[[Any], str]] = {
    "clock": clock,
    "clock_end": clock_end,
    "day_and_clock": day_and_clock,
    "day_part": day_part,
    "weekday": weekday,
    "weekday_of_day": weekday_of_day,
}


class _Filler(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        in_words = _WORDS.get(format_spec)
        if in_words is not None:
            return in_words(value)
        return str(super().format_field(value, format_spec))


def fill(template: str, given: Mapping[str, object]) -> str:
    """Put parameters into a text, for example `{start:clock}` or `{weekday:weekday}`.

    Raises:
        TaskError: The text names a parameter that is not given.
    """
    try:
        return _Filler().vformat(template, (), given)
    except (KeyError, IndexError) as error:
        raise TaskError(f"no parameter {error} for the text {template!r}") from error


def placeholders(template: str) -> set[str]:
    """Return the names of the parameters that a text uses."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}
