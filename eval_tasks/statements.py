"""Where a completion states its answer: an answer in JSON, in a box, or behind "the answer is".

The last statement decides. It is given whole, in the ways in which it may be read; a mention of
another answer ("not {...}", "the previous answer was 120") is no statement.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from eval_tasks.json_text import (
    LONGEST_MENDED,
    NOT_JSON,
    decoded,
    decoded_series,
    whole,
    without_comments,
)
from eval_tasks.lists import BULLET
from eval_tasks.prose import (
    LEADING_ADVERB,
    Reading,
    belong_together,
    block,
    claim,
    claims_something,
    is_part,
    remark,
)
from eval_tasks.quantities import is_unit, unit_beside, unit_in_brackets
from eval_tasks.question import LIST_TYPES, AnswerShape
from eval_tasks.texts import LONGEST_TEXT

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
_SIGN = re.compile(r"[aA](?i:nswer)|\\boxed")
"""Without it there is no statement; it is found faster than one."""
_NOT_MEANT = re.compile(
    rf"(?:\b(?:not|never|previous|earlier|first|initial|old|wrong|incorrect|instead of|rather than"
    rf"|example(?:\b[^.\n{{]{{0,40}}\()?|(?<!\bin\s)(?:the|your|an?)\s(?:\w+\s){{0,3}}format\s(?:is|was|would be|should be))"
    rf"|n['\u2019]t)[\s:(]*(?:(?:the|my|an?)\s)?(?:final\s)?[\s{_QUOTE[1:-1]}$]*\{{?\s*$",
    re.IGNORECASE,
)
_MENTION = 60
"""Characters before a place in which it may be denied."""
_COMMENT = re.compile(
    r"(?:rounded|given|based|expressed|obtained|calculated|computed|derived|reported|also"
    r"|correct|right|unchanged|final|as (?:above|stated)"
    r"|in\s(?:mg|mmol|%|percent|minutes|hours|units?|whole))\b",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"[}\]$]\s{0,5}(?:,|;|/|&|\bor\b|\band\b)[\s$*]{0,5}(?:\{\s{0,5}[\"'\u201c\u2018]|\\|\{)$",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(r"(?:\A|[.!?\n]\s*)if\b[^.!?\n]*\Z", re.IGNORECASE)
_SET = re.compile(r"\A\s*\{([^{}:]*)\}\s*\Z")
_ONE_OF_SEVERAL = re.compile(
    r"(?:\A|[.;]\s)\s*(?:otherwise|else|if|option|alternative|case|scenario|version)\b[^.\n{]{0,60}[:,]\s*\{?\s*\Z",
    re.IGNORECASE,
)
"""What stands before an answer under a condition, or one of several that are offered."""
_FURTHER_KEY = re.compile(
    rf",\s{{0,20}}(?:{_QUOTE}[\w ]{{1,40}}{_QUOTE}|[A-Za-z_]\w{{0,40}})\s{{0,20}}:"
)
_CLOSED = re.compile(rf"\s{{0,99}}(?:\}}|{_FURTHER_KEY.pattern})")
_SIBLING_UNIT = re.compile(
    rf"[,{{]\s{{0,20}}{_QUOTE}?(?:\w{{0,20}}units?\w{{0,20}}|note|comment|remark){_QUOTE}?\s{{0,20}}:"
    rf"\s{{0,20}}\[?{_QUOTE}?(?P<unit>[^\"'\u201c\u201d{{}}\[\],]{{1,40}})",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(r"\d|\b(?:not|would)\b", re.IGNORECASE)
"""In a remark: its unit is another number's."""
_OBJECT = 500
"""Characters on either side of an answer in JSON in which its object's unit is looked for."""
_UNIT_LINE = re.compile(
    r"\s*(?:note(?:\sthat)?:?\s)?(?:the\s)?(?:units?\s*(?:is\b|[:=])"
    r"|(?:answer|value|result|number)s?\s(?:is|are)\s(?:given\s|expressed\s|stated\s)?in\b)\s*"
    r"(?P<unit>[^\n,.;(]{1,40})",
    re.IGNORECASE,
)
_LONGEST_CLAUSE = 3
"""Words in which an option must stand where nothing marks it as the answer."""
_CLAUSE_END = re.compile(r"[,.;:!](?:\s|$)|\s\(|\s[-\u2013\u2014]+\s")
_SENTENCE_END = re.compile(r"(?<=[\w%)])\.\s+(?=[A-Z(])")
_BULLETED_NUMBER = re.compile(r"-[ \t]+(?=[\d.])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a completion states last.

    Attributes:
        readings: The ways in which it may be read, each the whole of it, the surest first.
        cut_off: Whether the text ends before it does.
        after: The text that follows it.
        rivals: The ways to read a claim beside it, of which nothing tells that it is not the answer.
    """

    readings: tuple[Reading, ...]
    cut_off: bool = False
    after: str = ""
    rivals: tuple[Reading, ...] = ()


def last_statement(text: str, shape: AnswerShape, *, prose: bool = True) -> Statement | None:
    """Return what a text marks as its answer; None if it marks none.

    Args:
        text: A completion without its reasoning and dress.
        shape: What the answer must look like.
        prose: Whether "the answer is" marks one, or JSON and boxes alone.
    """
    places = _places(text)
    last_object = _last_object(text, places)
    marked = sum(not place["phrase"] for place in places)
    for place in reversed(places):
        before = text[max(0, place.start() - _MENTION) : place.start()]
        if place.start() in last_object or _NOT_MEANT.search(before.rpartition("\n")[2]):
            continue
        if place["phrase"] and (
            before.casefold().endswith("this ") or (marked and _CONDITIONAL.search(before))
        ):
            continue
        if place["phrase"]:
            statement = _phrase(text, place, shape) if prose else None
        elif _JOINED.search(before + place[0][0]) or (
            marked > 1 and _ONE_OF_SEVERAL.search(before.rpartition("\n")[2])
        ):
            return Statement(readings=())
        else:
            statement = _json_statement(text, place) if place["key"] else _boxed(text, place)
        if statement:
            return statement
    return None


def _places(text: str) -> list[re.Match[str]]:
    first = _SIGN.search(text)
    if not first:
        return []
    return list(_STATEMENT.finditer(text, max(0, first.start() - _MENTION)))[-MOST_PLACES:]


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
    return Statement(readings=tuple(readings), rivals=tuple(claim(_line_before(text))))


def _line_before(text: str) -> str:
    """Return the line before the last one that is not blank."""
    before = text[: max(text.rfind("\n"), 0)].rstrip()[-LONGEST_TEXT:]
    return before.rpartition("\n")[2]


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
    yield from claim(last)


def _last_list(text: str, lines: list[str]) -> Iterator[Reading]:
    """Yield the list at the end of a text: all of it, the entries of its last lines, or a claim."""
    if text.startswith(("[", "{", "(")):
        yield Reading(whole(text[:LONGEST_MENDED]))
    lines = lines[-LONGEST_TEXT:]
    first = len(lines) - 1
    while first > 0 and belong_together(lines[first - 1], lines[first]):
        first -= 1
    listed = "\n".join(lines[first:]).strip()
    if is_part(lines[:first], lines[first]):
        return
    head = lines[first - 1][:LONGEST_TEXT] if first else ""
    yield Reading(whole(listed), unit_in_brackets(head) if head.rstrip().endswith(":") else None)
    if first == len(lines) - 1 and not (first and claims_something(lines[first - 1])):
        yield from claim(listed)


def _json_statement(text: str, place: re.Match[str]) -> Statement:
    """Return what follows an answer key: JSON, or text up to the closing brace."""
    rest = text[place.end() :]
    value, after = decoded_series(rest)
    if value is not NOT_JSON:
        after = after if _CLOSED.match(after) else without_comments(after)
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
        if found and found["unit"].strip() not in ("null", "None", ""):
            if "unit" in found[0].partition(":")[0].casefold():
                return found["unit"].partition("(")[0].strip()
            return None if _OF_ANOTHER.search(found["unit"]) else unit_beside(found["unit"])
    return None


def _line_unit(after: str) -> str | None:
    """Return the unit that the rest of a line, or the line below it, states."""
    line, _, below = after.partition("\n")
    return unit_beside(line[:LONGEST_TEXT]) or _unit_of_line(below)


def _unit_of_line(line: str) -> str | None:
    """Return the unit of a line: "mmol/L", "Unit: mmol/L", "The answer is in mmol/L"."""
    alone = line.lstrip().partition("\n")[0].strip(" .*()[]").removeprefix("in ")
    if is_unit(alone):
        return alone
    named = _UNIT_LINE.match(line)
    return (unit_beside(f"in {named['unit']}") or named["unit"].strip()) if named else None


def _boxed(text: str, place: re.Match[str]) -> Statement:
    rest = text[place.end() :]
    depth = 1
    for end, mark in enumerate(rest[:LONGEST_TEXT]):
        depth += (mark == "{") - (mark == "}")
        if not depth:
            inner = rest[:end].replace("\\%", "%").replace("\\,", "").replace("\\", "")
            inner = _SET.sub(r"[\1]", inner)
            after = rest[end + 1 :]
            return Statement(readings=(Reading(inner, _line_unit(after)),), after=after)
    return Statement(readings=(Reading(rest[:LONGEST_TEXT]),))


def _phrase(text: str, place: re.Match[str], shape: AnswerShape) -> Statement | None:
    """Return what follows "the answer is"; None if that is a comment on the answer."""
    rest = text[place.end() : place.end() + LONGEST_MENDED]
    stated = LEADING_ADVERB.sub("", rest.lstrip(" \t:\n*\u2192"))
    if _COMMENT.match(stated):
        return None
    listed = shape.answer_type in LIST_TYPES
    line = block(stated) if listed else stated.partition("\n")[0].strip()
    after = stated[len(line) :]
    if not listed and "\n" in rest[: len(rest) - len(stated)]:
        line = "" if _BULLETED_NUMBER.match(line) else BULLET.sub("", line)
    lead = text[max(0, place.start() - LONGEST_TEXT) : place.start()].rpartition("\n")[2]
    said = remark(line, shape)
    beside = (unit_beside(part) for part in (place["beside"] or "", lead, said))
    unit = next((named for named in beside if named), None) or _unit_of_line(after)
    ways = [line, line[: -len(said)]] if said else [line]
    if not listed and shape.answer_type != "category" and (end := _SENTENCE_END.search(line)):
        ways.append(line[: end.start()])
        after = stated[end.end() :]
    sentence = not (listed and claims_something(after.lstrip()))
    claims = claim(line) if sentence and shape.answer_type != "category" else ()
    return Statement(readings=(*(Reading(whole(way), unit) for way in ways), *claims), after=after)
