"""Numbers with units and durations in words, read strictly: all of a text or nothing."""

import math
import re
from collections.abc import Mapping

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
_BESIDE = (
    *("mg/dl/min", "mmol/l/min", "mg/dl", "mmol/l", "mmol", "%", "percent"),
    *("min", "minutes", "h", "hours", "mu", "milliunits"),
)
"""Units that a remark beside a number may state."""
_UNIT_BESIDE = re.compile(
    rf"(?:^\W*(?:in\b|units?\b\s*[:=])?|\bin\b|\bunits?\b\s*[:=])\s{{0,5}}"
    rf"(?P<unit>{'|'.join(_BESIDE)})(?![\w/])"
    r"|(?<![\d.])(?<![\d.]\s)(?<!from\s)\b(?P<loose>mmol(?:/l(?:/min)?)?)\b",
    re.IGNORECASE,
)
_ON_CONVERTING = re.compile(
    r"\b(?:convert|converting|conversion|divided?|multipl(?:y|ied)|without|use|to get)\b",
    re.IGNORECASE,
)
"""Words of a remark on another unit than the number's."""
_DECIMAL_COMMA = re.compile(r"\d+,\d{1,2}(?!\d)|0,\d+")
_SEPARATORS = r"[,'\u2019_]"
_WHOLE = rf"(?:[1-9]\d{{0,2}}(?:{_SEPARATORS}\d{{3}})+(?!\d)|\d+)"
_NUMBER = (
    rf"(?:{_DECIMAL_COMMA.pattern}|(?:{_WHOLE}(?:\.\d+)?|\.\d+)(?:e[+-]?\d{{1,4}})?)(?![,.]\d)"
)
_QUANTITY = re.compile(
    r"(?:about|approximately|approx\.?|around|roughly|circa|~|\u2248|=)?\s*"
    rf"(?P<sign>[+-]\s?|minus\s|plus\s)?(?P<number>{_NUMBER})\s*(?P<rest>[^\d]*)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]+(?:on average|in total|in all|overall|altogether|of insulin|(?:in|above|below) range"
    r"|of (?:all )?(?:the |my |your )?(?:time|readings|samples|data|record|day))[ .]*$",
    re.IGNORECASE,
)
_FRACTION = re.compile(
    r"(?:(?P<whole>\d{1,6}) )?(?P<top>\d{1,9})\s?/\s?(?P<bottom>\d{1,9})\s*(?P<rest>[^\d]*)"
)
_AGREEMENT = 0.02
"""Share by which a number and the same in parentheses, in a stated unit, may differ."""
_PARENTHESIS = re.compile(r"^(?P<text>[^()]*)\((?P<inner>[^()]*)\)[\s.]*$")
_IN_OTHER_WORDS = re.compile(r",?\s(?:or|i\.e\.|=|\u2248)(?=[,\s])[,\s]*", re.IGNORECASE)
_WORDS = re.compile(r"[a-z]+(?: [a-z-]+){0,3}", re.IGNORECASE)
_COMPUTED = re.compile(
    r"[\d.,\s()]{1,80}[+*/\u00d7\u00f7-][\d.,\s()+*/\u00d7\u00f7-]{1,80}=\s*(?P<result>[^=]+)"
)
"""A computation that is written out, and its result."""
_OPEN = re.compile(
    r"\b(?:or|to|of|out|than|and|at|not|per|each|every|minus|plus|point|half|dozen|hundred|thousand|st|nd|rd|th"
    r"|one|two|three|four|five|six|seven|eight|nine|ten)\b",
    re.IGNORECASE,
)
"""Words behind a count that leave open how many there are."""
_HOURS_AND_MINUTES = re.compile(
    r"(?P<hours>\d{1,4})\s*(?:h|hrs?|hours?)\s*(?:and\s*)?(?P<minutes>\d{1,2})"
    r"\s*(?:m|mins?|minutes?)?",
    re.IGNORECASE,
)


def quantity(text: str, unit: str | None) -> float | None:
    """Return a number in a unit; None where the text is anything else, or another unit.

    mmol/L are converted to mg/dL, hours to minutes and back, where the text states them. A number
    without a unit is taken to be in the unit asked for; where none is asked for, up to four words
    may follow ("7 episodes"). A fraction is its value, and where percent are asked for its share of
    100. A number without a unit gives way to one in parentheses that states the unit and differs.
    The same stated in two units counts once. A comma before one or two digits, or after a sole 0, is
    a decimal comma.

    >>> quantity("about 1,234.5 mg/dL", "mg/dL"), quantity("8.1 mmol/L", "mg/dL")
    (1234.5, 145.9458)
    >>> quantity("2 h 30 min", "min"), quantity("45 %", "mg/dL"), quantity("140-150", "mg/dL")
    (150.0, None, None)
    >>> quantity("3/4", "%"), quantity("1 1/2 hours", "min"), quantity("0.5 (50 %)", "%")
    (75.0, 90.0, 50.0)
    >>> quantity("142,3", None), quantity("minus 23", None), quantity("70.4 % of the time", "%")
    (142.3, -23.0, 70.4)
    """
    computed = _COMPUTED.fullmatch(text)
    if computed:
        return quantity(computed["result"], unit)
    parenthesis = _PARENTHESIS.match(text)
    if parenthesis and re.search(r"\b(?:or|not)\b", parenthesis["inner"], re.IGNORECASE):
        return _same_twice([parenthesis["text"], parenthesis["inner"].removeprefix("or ")], unit)
    if not parenthesis:
        parts = _IN_OTHER_WORDS.split(text.strip())
        return _plain_quantity(text, None, unit) if len(parts) == 1 else _same_twice(parts, unit)
    outer = _plain_quantity(parenthesis["text"], parenthesis["inner"], unit)
    inner = _stated_in_unit(parenthesis["inner"], unit)
    if outer is None or inner is None or _stated_in_unit(parenthesis["text"], unit) is not None:
        return outer
    return outer if abs(outer - inner) <= _AGREEMENT * abs(inner) else inner


def _same_twice(parts: list[str], unit: str | None) -> float | None:
    """Return a number that is stated in two units, "150 minutes, or 2.5 hours"; None where they differ."""
    if len(parts) != 2 or len({_unit_of(part) for part in parts} - {None}) != 2:
        return None
    first, second = (_stated_in_unit(part, unit) for part in parts)
    if first is None or second is None or abs(first - second) > _AGREEMENT * abs(second):
        return None
    return first


def _plain_quantity(text: str, inner: str | None, unit: str | None) -> float | None:
    found = _QUANTITY.fullmatch(text.strip())
    if not found:
        fraction = _fraction(text.strip(), unit)
        return _hours_and_minutes(text, unit) if fraction is None else fraction
    number = _float(found["number"]) * (-1 if (found["sign"] or "+")[0] in "-mM" else 1)
    factor = _factor(_TAIL.sub("", " " + found["rest"], count=1), inner, unit)
    converted = number * factor if factor is not None else math.nan
    return converted if math.isfinite(converted) else None


def unit_beside(remark: str) -> str | None:
    """Return the unit that a remark on a number states, None where it states none.

    >>> unit_beside("(in mmol/L)"), unit_beside("unit: %"), unit_beside("it is 7.9 mmol/L")
    ('mmol/l', '%', None)
    """
    found = None if _ON_CONVERTING.search(remark) else _UNIT_BESIDE.search(remark)
    return (found["unit"] or found["loose"]).casefold() if found else None


def unit_in_brackets(head: str) -> str | None:
    """Return the unit that a heading states in brackets: "Duration (h)"; None where it states none."""
    found = (unit_beside(inner) for inner in re.findall(r"[(\[]([^()\[\]]{1,40})[)\]]", head))
    return next((unit for unit in found if unit), None)


def is_unit(name: str) -> bool:
    """Return whether a word is a unit."""
    return name.casefold() in _UNITS


def is_bare_number(text: str) -> bool:
    """Return whether a text is a number without a unit."""
    found = _QUANTITY.fullmatch(text.strip())
    return found is not None and not found["rest"].strip(" .")


def _float(written: str) -> float:
    if _DECIMAL_COMMA.fullmatch(written):
        return float(written.replace(",", "."))
    return float(re.sub(_SEPARATORS, "", written))


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


def _unit_of(text: str) -> tuple[str, float] | None:
    """Return the unit that a number states itself: what it is converted to, and the factor."""
    found = _QUANTITY.fullmatch(text.strip())
    return _known_unit(found["rest"]) if found else None


def _known_unit(written: str) -> tuple[str, float] | None:
    return _UNITS.get(" ".join(written.casefold().split()).strip(" .,"))


def _factor(rest: str, inner: str | None, unit: str | None) -> float | None:
    """Return what a number is multiplied by for the unit asked for; None where that is unclear."""
    wanted, size = _KEPT_IN.get(unit or "", (unit, 1.0))
    for written in (rest, unit_beside(inner or "") or inner or ""):
        stated = _known_unit(written)
        if stated:
            return stated[1] / size if stated[0] == wanted else None
    bare = rest.strip(" .")
    if not bare:
        return 1.0
    counted = _WORDS.fullmatch(bare) and not _OPEN.search(bare)
    return 1.0 if unit is None and counted else None


def _hours_and_minutes(text: str, unit: str | None) -> float | None:
    found = _HOURS_AND_MINUTES.fullmatch(text.strip())
    if not found or unit not in ("min", "h"):
        return None
    minutes = 60.0 * int(found["hours"]) + int(found["minutes"])
    return minutes if unit == "min" else minutes / 60
