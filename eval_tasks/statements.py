"""Where a completion states its answer: an answer in JSON, in a box, or behind "the answer is".

The last statement decides. It is given whole, in the ways in which it may be read; a mention of
another answer ("not {...}", "the previous answer was 120") is no statement.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from eval_tasks.json_text import LONGEST_MENDED, NOT_JSON, decoded, decoded_series, whole
from eval_tasks.lists import BULLET
from eval_tasks.quantities import unit_beside, unit_in_brackets
from eval_tasks.question import LIST_TYPES, AnswerShape
from eval_tasks.texts import LONGEST_TEXT, NEGATION

MOST_PLACES = 20
"""Places from the end of a completion that are looked at."""

_QUOTE = r"[\"'\u201c\u201d\u2018\u2019]"
_KEY = rf"{_QUOTE}(?:final[ _]?)?answer{_QUOTE}\s{{0,20}}:"
_BARE_KEY = r"\{\s{0,20}(?:final[ _]?)?answer\s{0,20}:"
_BESIDE = r"(?:\s?\([^()\n]{1,30}\)|\s(?:in|as)\s\S{1,20})?"
_PHRASE = (
    rf"\banswer\b(?P<beside>{_BESIDE})\s{{0,5}}(?:is\b|was\b|would be\b|=|:|\u2192)[ \t]{{0,20}}:?"
)
_HEADING = r"^[ \t]*(?:the[ \t])?(?:final[ \t])?answer[ \t]*:?[ \t]*$"
_STATEMENT = re.compile(
    rf"(?P<key>{_KEY}|{_BARE_KEY})|(?P<boxed>\\boxed\{{)|(?P<phrase>{_HEADING}|{_PHRASE})",
    re.IGNORECASE | re.MULTILINE,
)
_NOT_MEANT = re.compile(
    rf"(?:\b(?:not|never|previous|earlier|first|initial|old|wrong|incorrect|instead of|rather than"
    rf"|example)|n['\u2019]t)[\s:(]*(?:(?:the|my|an?)\s)?(?:final\s)?[\s{_QUOTE[1:-1]}$]*\{{?\s*$",
    re.IGNORECASE,
)
_MENTION = 60
"""Characters before a place in which it may be denied."""
_COMMENT = re.compile(
    r"(?:rounded|given|based|expressed|obtained|calculated|computed|derived|reported|also"
    r"|in\s(?:mg|mmol|%|percent|minutes|hours|units?|whole))\b",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"[}\]$]\s{0,5}(?:,|;|/|&|\bor\b|\band\b)[\s$*]{0,5}(?:\{\s{0,5}[\"'\u201c\u2018]|\\|\{)$",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"^\s*or\b|\b(?:hmm+|oops|wait)\b|\bscratch that\b|\blet me (?:re\w+|check|correct|fix|count)\b"
    r"|\b(?:that|this|it)(?:['\u2019]s| is| was) (?:wrong|incorrect|not (?:right|correct)|a mistake)\b",
    re.IGNORECASE,
)
_FURTHER_KEY = re.compile(
    rf",\s{{0,20}}(?:{_QUOTE}[\w ]{{1,40}}{_QUOTE}|[A-Za-z_]\w{{0,40}})\s{{0,20}}:"
)
_CLOSED = re.compile(rf"\s{{0,99}}(?:\}}|{_FURTHER_KEY.pattern})")
_SIBLING_UNIT = re.compile(
    rf"[,{{]\s{{0,20}}{_QUOTE}?units?{_QUOTE}?\s{{0,20}}:\s{{0,20}}{_QUOTE}(?P<unit>[^\"'\u201c\u201d{{}}]{{1,40}}){_QUOTE}",
    re.IGNORECASE,
)
_OBJECT = 500
"""Characters on either side of an answer in JSON in which its object's unit is looked for."""
_UNIT_LINE = re.compile(
    r"\s*(?:note(?:\sthat)?:?\s)?(?:the\s)?(?:units?\s*(?:is\b|[:=])"
    r"|(?:answer|value|result|number)s?\s(?:is|are)\s(?:given\s|expressed\s|stated\s)?in\b)\s*"
    r"(?P<unit>[^\n,.;(]{1,40})",
    re.IGNORECASE,
)
_CUT = re.compile(r"(?<=\S)(?:\.\s|;\s|,\s|\s\(|\s-\s|\s\u2014\s|\sbecause\s|\ssince\s)")
_NO_REMARK = re.compile(r"\d|\b(?:or|no|not|wait|wrong|instead)\b", re.IGNORECASE)
_MORE_ENTRIES = re.compile(
    r"\b(?:and|also|plus|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b", re.IGNORECASE
)
_ADVERB = r"(?:therefore|thus|then|hence|exactly|approximately|about|around|roughly|at|on)\s"
_LEADING_ADVERB = re.compile(_ADVERB, re.IGNORECASE)
_CLAIM = re.compile(
    r"[^\d=:]{1,200}?(?:\b(?:is|are|was|were)\b|=|:)\s{0,5}"
    rf"(?:{_ADVERB})?(?=[\d+\u2212\[{{.-]|(?:day|week|minute)s?\s\d|[dw]\d)",
    re.IGNORECASE,
)
_NO_CLAIM = re.compile(r"\b(?:if|unless|previous|earlier|first|initial|wrong|example|or)\b")
_LONGEST_CLAUSE = 3
"""Words in which an option must stand where nothing marks it as the answer."""
_CLAUSE_END = re.compile(r"[,.;:!](?:\s|$)|\s\(|\s[-\u2013\u2014]+\s")
_ENTRY_KINDS = (
    re.compile(r"[ \t]*(?:[-*\u2022+]|\d{1,3}[.)])[ \t]"),
    re.compile(r"[ \t]*[\[{(]"),
    re.compile(r"[ \t]*\|"),
    re.compile(r"[ \t]*(?:\d|(?:days?|week|minutes?|from|between)\b|[dw]\d)", re.IGNORECASE),
)
"""What a line of a list starts with: a bullet, JSON, a table's bar, or its entry."""
_GOES_ON = re.compile(r"(?:[,;&]|\band)\s*$")
_ADDS = re.compile(r"\s*(?:and|also|plus|as well as)\b", re.IGNORECASE)
_NUMBERED_HEAD = re.compile(r"[^\n]*\d[^\n]*:\s*$")
_NEAR = 5
"""Lines before an unmarked list that are looked at for another part of it."""
_BULLETED_NUMBER = re.compile(r"-[ \t]+(?=[\d.])")


class Reading(NamedTuple):
    """One way to read a statement: JSON or text, and the unit stated beside it."""

    stated: Any
    unit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a completion states last.

    Attributes:
        readings: The ways in which it may be read, each the whole of it, the surest first.
        marked: Whether JSON, a box or "the answer is" marks it as the answer.
        cut_off: Whether the text ends before it does.
        after: The text that follows it.
    """

    readings: tuple[Reading, ...]
    marked: bool = True
    cut_off: bool = False
    after: str = ""

    @property
    def taken_back(self) -> bool:
        """Whether what follows says that it is wrong or in doubt."""
        return bool(_TAKEN_BACK.search(self.after[:LONGEST_TEXT]))


def last_statement(text: str, shape: AnswerShape, *, prose: bool = True) -> Statement | None:
    """Return what a text marks as its answer; None if it marks none.

    Args:
        text: A completion without its reasoning and dress.
        shape: What the answer must look like.
        prose: Whether "the answer is" marks one, or JSON and boxes alone.
    """
    places = list(_STATEMENT.finditer(text))[-MOST_PLACES:]
    last_object = _last_object(text, places)
    for place in reversed(places):
        before = text[max(0, place.start() - _MENTION) : place.start()]
        if place.start() in last_object or _NOT_MEANT.search(before.rpartition("\n")[2]):
            continue
        if place["phrase"]:
            statement = _phrase(text, place, shape) if prose else None
        elif _JOINED.search(before + place[0][0]):
            return Statement(readings=())
        else:
            statement = _json_statement(text, place) if place["key"] else _boxed(text, place)
        if statement:
            return statement
    return None


def _last_object(text: str, places: list[re.Match[str]]) -> range:
    """Return where the last object with an answer goes on behind its key."""
    keys = [place for place in places if place["key"]]
    if not keys:
        return range(0)
    return range(keys[-1].end(), len(text) - len(_json_statement(text, keys[-1]).after))


def unmarked(text: str, shape: AnswerShape) -> Statement:
    """Return what a text that marks nothing as its answer states at its end."""
    if shape.answer_type == "category":
        readings = _short_sentence(text)
    elif shape.answer_type in LIST_TYPES:
        readings = _last_list(text, [line for line in text.split("\n") if line.strip()])
    else:
        readings = _last_line(text)
    return Statement(readings=tuple(readings), marked=False)


def _short_sentence(text: str) -> Iterator[Reading]:
    last = text.rpartition("\n")[2].strip()
    if len(_CLAUSE_END.split(last, maxsplit=1)[0].split()) <= _LONGEST_CLAUSE:
        yield Reading(last)


def _last_line(text: str) -> Iterator[Reading]:
    last = text.rpartition("\n")[2].strip()
    if _BULLETED_NUMBER.match(last):
        return
    if len(text) <= LONGEST_MENDED:
        yield Reading(whole(text))
    yield Reading(whole(last))
    yield from _claim(last)


def _last_list(text: str, lines: list[str]) -> Iterator[Reading]:
    """Yield the list at the end of a text: all of it, the entries of its last lines, or a claim."""
    if text.startswith(("[", "{", "(")):
        yield Reading(whole(text[:LONGEST_MENDED]))
    lines = lines[-LONGEST_TEXT:]
    first = len(lines) - 1
    while first > 0 and _belong_together(lines[first - 1], lines[first]):
        first -= 1
    block = "\n".join(lines[first:]).strip()
    if _is_part(lines[:first], lines[first]):
        return
    head = lines[first - 1][:LONGEST_TEXT] if first else ""
    yield Reading(whole(block), unit_in_brackets(head) if head.rstrip().endswith(":") else None)
    if first == len(lines) - 1 and not (first and _CLAIM.match(lines[first - 1][:LONGEST_TEXT])):
        yield from _claim(block)


def _is_part(before: list[str], first: str) -> bool:
    """Return whether the lines before a list show that it is one of several."""
    kind = _kind(first)
    if not before or kind is None or first.lstrip().startswith(("[[", "[{")):
        return False
    near = before[-_NEAR:]
    return any(_kind(line) == kind for line in near) or bool(_NUMBERED_HEAD.match(near[-1]))


def _belong_together(line: str, following: str) -> bool:
    if _ADDS.match(following) or _GOES_ON.search(line[-80:]):
        return True
    return _kind(line) is not None and _kind(line) == _kind(following)


def _kind(line: str) -> int | None:
    kinds = (number for number, kind in enumerate(_ENTRY_KINDS) if kind.match(line))
    return next(kinds, None)


def _claim(line: str) -> Iterator[Reading]:
    """Yield what a sentence such as "The mean is 140.5" claims."""
    claim = _CLAIM.match(line[:LONGEST_TEXT])
    if not claim:
        return
    lead = claim[0].casefold()
    if NEGATION.search(lead) or _NO_CLAIM.search(lead):
        return
    yield Reading(whole(line[claim.end() :]), unit_beside(lead) or unit_in_brackets(lead))


def _json_statement(text: str, place: re.Match[str]) -> Statement:
    """Return what follows an answer key: JSON, or text up to the closing brace."""
    rest = text[place.end() :]
    value, after = decoded_series(rest)
    if value is not NOT_JSON:
        if _CLOSED.match(after):
            behind = _behind_object(after)
            unit = _object_unit(text, place, after) or _line_unit(behind)
            return Statement(readings=(Reading(value, unit),), after=behind)
        if not after.strip():
            number = isinstance(value, int | float) and not isinstance(value, bool)
            return Statement(readings=(Reading(value),), cut_off=number)
    written, _, after = rest.partition("}")
    unit = _object_unit(text, place, rest) or _line_unit(after)
    written = _FURTHER_KEY.split(written, maxsplit=1)[0].strip().rstrip(",")
    cut_off = rest.count("}") <= rest.count("{")
    return Statement(readings=(Reading(written, unit),), cut_off=cut_off, after=after)


def _behind_object(after: str) -> str:
    """Return what follows the object whose answer has been read."""
    if after.lstrip().startswith("}"):
        return after.lstrip()[1:]
    siblings, behind = decoded("{" + after.lstrip()[1:LONGEST_MENDED])
    return behind if siblings is not NOT_JSON else after.partition("}")[2]


def _object_unit(text: str, place: re.Match[str], after: str) -> str | None:
    """Return the unit that the object of an answer names before or after it."""
    before = text[max(0, place.start() - _OBJECT) : place.start()]
    inner = after[: len(after) - len(_behind_object(after))] if _CLOSED.match(after) else after
    for part in (inner[:_OBJECT], before[before.rfind("{") :] if "{" in before else ""):
        found = _SIBLING_UNIT.search(part)
        if found:
            return found["unit"]
    return None


def _line_unit(after: str) -> str | None:
    """Return the unit that the rest of a line, or the line below it, states."""
    line, _, below = after.partition("\n")
    return unit_beside(line[:LONGEST_TEXT]) or _unit_of_line(below)


def _unit_of_line(line: str) -> str | None:
    """Return the unit of a line such as "Unit: mmol/L" or "The answer is in mmol/L"."""
    named = _UNIT_LINE.match(line)
    return (unit_beside(f"in {named['unit']}") or named["unit"].strip()) if named else None


def _boxed(text: str, place: re.Match[str]) -> Statement:
    rest = text[place.end() :]
    depth = 1
    for end, mark in enumerate(rest[:LONGEST_TEXT]):
        depth += (mark == "{") - (mark == "}")
        if not depth:
            inner = rest[:end].replace("\\%", "%").replace("\\,", "").replace("\\", "")
            after = rest[end + 1 :]
            return Statement(readings=(Reading(inner, _line_unit(after)),), after=after)
    return Statement(readings=(Reading(rest[:LONGEST_TEXT]),))


def _phrase(text: str, place: re.Match[str], shape: AnswerShape) -> Statement | None:
    """Return what follows "the answer is"; None if that is a comment on the answer."""
    rest = text[place.end() : place.end() + LONGEST_MENDED]
    stated = _LEADING_ADVERB.sub("", rest.lstrip(" \t:\n*\u2192"), count=1)
    new_line = "\n" in rest[: len(rest) - len(stated)]
    if _COMMENT.match(stated):
        return None
    listed = shape.answer_type in LIST_TYPES
    line = _block(stated) if listed else stated.partition("\n")[0].strip()
    if new_line and not listed:
        line = "" if _BULLETED_NUMBER.match(line) else BULLET.sub("", line)
    after = stated[len(line) :]
    lead = text[max(0, place.start() - LONGEST_TEXT) : place.start()].rpartition("\n")[2]
    remark = _remark(line, shape)
    unit = unit_beside(place["beside"] or "") or unit_beside(lead) or unit_beside(remark)
    unit = unit or _unit_of_line(after)
    whole_line = [line, *([line[: -len(remark)]] if remark else [])]
    readings = [Reading(whole(way), unit) for way in whole_line]
    claims = [] if shape.answer_type in ("category", "verdict") else _claim(line)
    if listed and _CLAIM.match(after.lstrip()[:LONGEST_TEXT]):
        claims = []
    return Statement(readings=(*readings, *claims), after=after)


def _block(text: str) -> str:
    """Return the lines from the start of a text that belong to one list."""
    if text.startswith(("[", "{")):
        value, rest = decoded_series(text)
        if value is not NOT_JSON and not rest.partition("\n")[0].strip(" .`"):
            return text[: len(text) - len(rest)]
    end = place = text.find("\n")
    line = text[: end if end >= 0 else None]
    while place >= 0:
        following, place_after = _next_line(text, place)
        if not _belong_together(line, following):
            break
        line, place = following, place_after
        end = place
    return text[: end if end >= 0 else None].strip()


def _next_line(text: str, place: int) -> tuple[str, int]:
    """Return the next line that is not blank, and where it ends; -1 at the end of the text."""
    start = len(text) - len(text[place:].lstrip("\n \t"))
    end = text.find("\n", start)
    return text[start : end if end >= 0 else None], end


def _remark(line: str, shape: AnswerShape) -> str:
    """Return the remark in which a line ends: no number, no alternative, no denial; else nothing.

    The reader of categories takes remarks itself.
    """
    if shape.answer_type in ("category", "verdict"):
        return ""
    listed = shape.answer_type in LIST_TYPES
    for cut in _CUT.finditer(line[:LONGEST_TEXT]):
        remark = line[cut.start() :]
        if not _NO_REMARK.search(remark) and not (listed and _MORE_ENTRIES.search(remark)):
            return remark
    return ""
