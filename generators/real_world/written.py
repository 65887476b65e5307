"""How numbers and times are written in recordings: each shape strictly, so that no other is guessed.

Python's own `float`, `int`, `fromisoformat` and `strptime` take more than any source writes (`1_23`,
digits of other scripts, `nan`, week dates, times without seconds); what is merely taken for a number
or a time would become a wrong one in silence.
"""

import math
import re
from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator

_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_DATE, _CLOCK = r"[0-9]{4}-[0-9]{2}-[0-9]{2}", r"[0-9]{2}:[0-9]{2}:[0-9]{2}"
_LOCAL = re.compile(rf"{_DATE}[ T]{_CLOCK}")
_DAY_FIRST = re.compile(rf"[0-9]{{2}}-[0-9]{{2}}-[0-9]{{4}} {_CLOCK}")
_INSTANT = re.compile(
    rf"{_DATE}[ T][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}(\.[0-9]{{1,9}})?)?(Z|[+-][0-9]{{2}}:?[0-9]{{2}})"
)
_TIME_OF_DAY = re.compile(r"([0-9]{1,2}):([0-5][0-9])(:[0-5][0-9])?")


def decimal(value: object) -> float | None:
    """Return a number, or the number that a text writes in digits; None stays None.

    >>> decimal("7.50"), decimal("-1e3"), decimal(5), decimal(None)
    (7.5, -1000.0, 5, None)

    Raises:
        ValueError: Anything else: another shape, a truth value, or a number without end.
    """
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float | None):
        raise ValueError("is no number written in digits")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("is no finite number")
    return value


def local_time(text: object) -> datetime:
    """Return a local time written YYYY-MM-DD hh:mm:ss, a T in place of the space too.

    >>> local_time("2024-01-31T23:59:00")
    datetime.datetime(2024, 1, 31, 23, 59)

    Raises:
        ValueError: It is not written so, or there is no such time.
    """
    return datetime.fromisoformat(_written(text, _LOCAL, "YYYY-MM-DD hh:mm:ss"))


def day_first_time(text: object) -> datetime:
    """Return a local time written DD-MM-YYYY hh:mm:ss.

    >>> day_first_time("31-01-2024 23:59:00")
    datetime.datetime(2024, 1, 31, 23, 59)

    Raises:
        ValueError: It is not written so, or there is no such time.
    """
    written = _written(text, _DAY_FIRST, "DD-MM-YYYY hh:mm:ss")
    return datetime.strptime(written, "%d-%m-%Y %H:%M:%S")  # noqa: DTZ007 - a local time


def instant(text: object) -> datetime:
    """Return an instant written YYYY-MM-DDThh:mm:ss.sssZ, or with an offset such as +01:00.

    Seconds, or their fraction, may be missing.

    >>> instant("2024-01-31T23:59:00.000Z")
    datetime.datetime(2024, 1, 31, 23, 59, tzinfo=datetime.timezone.utc)

    Raises:
        ValueError: It is not written so, or there is no such time.
    """
    shape = "YYYY-MM-DDThh:mm:ssZ or with an offset such as +01:00 in place of Z"
    return datetime.fromisoformat(_written(text, _INSTANT, shape))


def second_of_day(text: object) -> int:
    """Return the second of the day of a time written hh:mm or hh:mm:ss, whose seconds are dropped.

    >>> second_of_day("06:30"), second_of_day("0:00")
    (23400, 0)

    Raises:
        ValueError: It is not written so.
    """
    match = _TIME_OF_DAY.fullmatch(_written(text, _TIME_OF_DAY, "hh:mm"))
    return 3600 * int(match[1]) + 60 * int(match[2]) if match else 0


def _written(text: object, shape: re.Pattern[str], name: str) -> str:
    written = text.strip() if isinstance(text, str) else ""
    if not shape.fullmatch(written):
        raise ValueError(f"is not written {name}")
    return written


LocalTime = Annotated[datetime, BeforeValidator(local_time)]
DayFirstTime = Annotated[datetime, BeforeValidator(day_first_time)]
PlainNumber = Annotated[float, BeforeValidator(decimal)]
Amount = Annotated[float | None, BeforeValidator(decimal)]
