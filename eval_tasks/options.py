"""Reader of a category: one of the options, in some dress, or nothing."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from eval_tasks.question import NONE, AnswerShape
from eval_tasks.texts import NEGATION, UnreadableError, bare, plain, quoted, short, without_reason

_LEAD_END = r"(?=\s*(?:[,.;:!(]|$|\bbecause\b|\bsince\b))"
_LONGEST_SENTENCE = 200
"""Characters in which a category may be named without leading."""
_ONLY_LEADING = ("yes", "no", NONE)
"""Options that mean something else in the middle of a sentence."""
_OTHER_FORMS: Mapping[str, tuple[str, ...]] = {
    "run": ("running",),
    "ride": ("riding",),
    "increased": ("increase", "increases"),
    "decreased": ("decrease", "decreases"),
    "no change": ("unchanged",),
    "weekdays": ("weekday",),
    "weekend": ("weekends",),
}
"""Other forms of an option, as `bare` writes it."""
_WEEK = re.compile(r"(?:w(?:eek)?\s?)?(?P<week>\d)", re.IGNORECASE)
_WEEK_OPTION = re.compile(r"week (?P<week>\d)")
_HOURS = re.compile(
    r"(?:from |between )?(?P<start>\d{1,2})(?::00)?(?: ?h)?\s?(?:-|to|until|and)\s?"
    r"(?P<end>\d{1,2})(?::00)?(?: ?h)?",
    re.IGNORECASE,
)
_BARE_DENIAL = re.compile(r"\W*(?:no|not|never)\W*$")
_CONTRAST = re.compile(
    r"\b(?:not|than|vs|versus|rather than|instead of|compared (?:with|to)|over)\b[^,.;:]*$"
)


def read_category(stated: Any, shape: AnswerShape) -> str:
    """Return the option that is stated.

    It may lead a sentence or be the only one that a short sentence names. Not where another option
    is named beside it, unless in contrast ("lunch, not dinner"), and not where it is denied.

    Raises:
        UnreadableError: None is, or more than one.
    """
    if isinstance(stated, bool):
        stated = "yes" if stated else "no"
    if isinstance(stated, list) and len(stated) == 1:
        stated = stated[0]
    if isinstance(stated, int):
        stated = str(stated)
    if not isinstance(stated, str):
        raise UnreadableError(f"none of the options: {quoted(stated)}")
    text = short(plain(stated))
    option = _by_number(text, shape.options) or _leading(text, shape) or _only_named(text, shape)
    if option is None:
        raise UnreadableError(f"not one of the options: {quoted(stated)}")
    return option


def _by_number(text: str, options: tuple[str, ...]) -> str | None:
    """Return the week or the span of hours that a text names as figures."""
    text = text.strip(" .")
    week, hours = _WEEK.fullmatch(text), _HOURS.fullmatch(text)
    for option in options:
        offered = _WEEK_OPTION.fullmatch(option)
        if week and offered and week["week"] == offered["week"]:
            return option
        span = _HOURS.fullmatch(option)
        if hours and span and _span(hours) == _span(span):
            return option
    return None


def _span(found: re.Match[str]) -> tuple[int, int]:
    return int(found["start"]), int(found["end"])


def _leading(text: str, shape: AnswerShape) -> str | None:
    text = bare(text)
    for form, option in _forms(shape):
        found = re.match(re.escape(form) + _LEAD_END, text)
        if found:
            return None if _contradicted(text[found.end() :], option, shape) else option
    return None


def _contradicted(rest: str, option: str, shape: AnswerShape) -> bool:
    """Return whether what follows an option takes it back or names another one too."""
    if _BARE_DENIAL.match(rest):
        return True
    if option in _ONLY_LEADING:
        others = [o for o in shape.options if o != option]
        return any(re.search(rf"\b{re.escape(bare(o))}\b{_LEAD_END}", rest) for o in others)
    rest = without_reason(rest)
    return any(
        not _CONTRAST.search(rest[: found.start()])
        for form, other in _forms(shape)
        if other != option
        for found in re.finditer(rf"\b{re.escape(form)}\b", rest)
    )


def _only_named(text: str, shape: AnswerShape) -> str | None:
    text = bare(text)
    if len(text) > _LONGEST_SENTENCE:
        return None
    named: set[str] = set()
    for form, option in _forms(shape):
        text, count = re.subn(rf"\b{re.escape(form)}\b", " ", text)
        named |= {option} if count else set()
    if len(named) != 1 or named & set(_ONLY_LEADING) or NEGATION.search(text):
        return None
    return named.pop()


def _forms(shape: AnswerShape) -> Iterator[tuple[str, str]]:
    """Yield the forms of all options with their options, the longest first."""
    forms = [
        (form, option)
        for option in shape.options
        for form in (bare(option), *_OTHER_FORMS.get(bare(option), ()))
    ]
    yield from sorted(forms, key=lambda form: -len(form[0]))
