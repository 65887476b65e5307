"""Pieces of prose that state an answer: what a sentence claims, its remark, the lines of a list."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from eval_tasks.json_text import NOT_JSON, decoded_series, whole
from eval_tasks.quantities import unit_beside, unit_in_brackets
from eval_tasks.question import LIST_TYPES, AnswerShape
from eval_tasks.texts import FALL, LONGEST_TEXT, NEGATION

_CUT = re.compile(r"(?<=\S)(?:\.\s|;\s|,\s|\s\(|\s-\s|\s\u2014\s|\sbecause\s|\ssince\s)")
_NO_REMARK = re.compile(r"\d|\b(?:or|no|not|wait|wrong|instead)\b", re.IGNORECASE)
_MORE_ENTRIES = re.compile(
    r"\b(?:and|also|plus|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b", re.IGNORECASE
)
_ADVERB = r"(?:therefore|thus|then|hence|exactly|approximately|about|around|roughly|at|on)\s"
LEADING_ADVERB = re.compile(rf"^{_ADVERB}", re.IGNORECASE)
"""What may stand between "is" and the value."""
_CLAIM = re.compile(
    r"[^\d=:]{1,200}?(?:\b(?:is|are|was|were|equals|(?:comes|amounts) to)\b|=|:)\s{0,5}"
    rf"(?:{_ADVERB})?(?=[\d+\u2212\u2013\[{{.-]|(?:day|week|minute)s?\s\d|[dw]\d)",
    re.IGNORECASE,
)
_NO_CLAIM = re.compile(r"\b(?:if|unless|previous|earlier|first|initial|wrong|example|format|or)\b")
_ENTRY_KINDS = (
    re.compile(r"[ \t]*(?:[-*\u2022+]|\d{1,3}[.)])[ \t]"),
    re.compile(r"[ \t]*[\[{(]"),
    re.compile(r"[ \t]*\|"),
    re.compile(r"[ \t]*(?:\d|(?:days?|week|minutes?|from|between)\b|[dw]\d)", re.IGNORECASE),
)
"""What a line of a list starts with: a bullet, JSON, a table's bar, or its entry."""
_GOES_ON = re.compile(r"(?:[,;&]|\band)\s*$")
_ADDS = re.compile(
    r"\s*(?:and|or|also|plus|as well as|possibly|maybe|perhaps|probably)\b", re.IGNORECASE
)
_LONGEST_HEAD = 200
_NEAR = 5
"""Lines before an unmarked list that are looked at for another part of it."""


class Reading(NamedTuple):
    """One way to read a statement: JSON or text, and the unit stated beside it."""

    stated: Any
    unit: str | None = None


def is_part(before: list[str], first: str) -> bool:
    """Return whether the lines before a list show that it is one of several."""
    kind = _kind(first)
    if not before or kind is None or first.lstrip().startswith(("[[", "[{")):
        return False
    near = before[-_NEAR:]
    head = near[-1].rstrip()[-_LONGEST_HEAD:]
    numbered = head.endswith(":") and any(mark.isdigit() for mark in head)
    return numbered or any(_kind(line) == kind for line in near)


def belong_together(line: str, following: str) -> bool:
    """Return whether a line and the one below it are lines of one list."""
    if _ADDS.match(following) or _GOES_ON.search(line[-80:]):
        return True
    return _kind(line) is not None and _kind(line) == _kind(following)


def _kind(line: str) -> int | None:
    kinds = (number for number, kind in enumerate(_ENTRY_KINDS) if kind.match(line))
    return next(kinds, None)


def claim(line: str) -> Iterator[Reading]:
    """Yield what a sentence such as "The mean is 140.5" claims."""
    found = _CLAIM.match(line[:LONGEST_TEXT])
    if not found:
        return
    lead = found[0].casefold()
    if NEGATION.search(lead) or _NO_CLAIM.search(lead):
        return
    yield Reading(whole(line[found.end() :]), unit_beside(lead) or unit_in_brackets(lead))


def claims_something(line: str) -> bool:
    """Return whether a line is such a sentence."""
    return bool(_CLAIM.match(line[:LONGEST_TEXT]))


def block(text: str) -> str:
    """Return the lines from the start of a text that belong to one list."""
    if text.startswith(("[", "{")):
        value, rest = decoded_series(text)
        if value is not NOT_JSON and not rest.partition("\n")[0].strip(" .`"):
            return text[: len(text) - len(rest)]
    end = place = text.find("\n")
    line = text[: end if end >= 0 else None]
    while place >= 0:
        following, place_after = _next_line(text, place)
        if not belong_together(line, following):
            break
        line, place = following, place_after
        end = place
    return text[: end if end >= 0 else None].strip()


def _next_line(text: str, place: int) -> tuple[str, int]:
    """Return the next line that is not blank, and where it ends; -1 at the end of the text."""
    start = len(text) - len(text[place:].lstrip("\n \t"))
    end = text.find("\n", start)
    return text[start : end if end >= 0 else None], end


def remark(line: str, shape: AnswerShape) -> str:
    """Return the remark in which a line ends: no number, no alternative, no denial; else nothing.

    The reader of categories takes remarks itself.
    """
    if shape.answer_type in ("category", "verdict"):
        return ""
    listed = shape.answer_type in LIST_TYPES
    for cut in _CUT.finditer(line[:LONGEST_TEXT]):
        rest = line[cut.start() :]
        turned = shape.answer_type == "signed" and FALL.search(rest)
        if (
            not _NO_REMARK.search(rest)
            and not (listed and _MORE_ENTRIES.search(rest))
            and not turned
        ):
            return rest
    return ""
