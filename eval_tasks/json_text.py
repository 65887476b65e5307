"""JSON as models write it: common slips are mended, what follows a value is kept."""

import json
import re
from typing import Any

LONGEST_MENDED = 10_000
"""Characters in which slips are mended."""
NOT_JSON: Any = object()
"""Stands for no value, as None is JSON's null."""
_COMMENT = re.compile(r"(?<=[\s,\[{}\]\d])(?:(?://|#)[^\n]{0,200}|/\*[^*\n]{0,200}\*/)")
_LEAVES_OPEN = re.compile(
    r"\.\.\.|\u2026|\"|\b(?:more(?! than)|rest|remaining|etc|so on|or)\b", re.IGNORECASE
)


def _without_comment(found: re.Match[str]) -> str:
    """Return nothing for a comment, unless it says that values are left out or uncertain."""
    return found[0] if _LEAVES_OPEN.search(found[0]) else ""


_REPAIRS = (
    (_COMMENT, _without_comment),
    (re.compile(r"[\u201c\u201d]"), '"'),
    (re.compile(r"(?<=[\[{,:\s])'([^'\"\n]{0,200})'"), r'"\1"'),
    (re.compile(r"(?<=[{,])\s{0,20}([A-Za-z_]\w{0,40})\s{0,20}:"), r'"\1":'),
    (re.compile(r"\bNone\b"), "null"),
    (re.compile(r"\bTrue\b"), "true"),
    (re.compile(r"\bFalse\b"), "false"),
    (re.compile(r",(\s{0,20}[\]}])"), r"\1"),
)
_BETWEEN = re.compile(r"\s*(?:[,;&]|\band\b)?\s*(?:[-*\u2022]\s+|\d{1,3}[.)]\s+)?(?=[\[{])")


def decoded(text: str) -> tuple[Any, str]:
    """Return the JSON value that a text starts with and what follows, mending common slips.

    Single or curly quotes, bare keys, Python's constants, trailing commas and comments are mended.
    Returns `NOT_JSON` where there is no value.
    """
    text = text.lstrip()
    found = _raw_decoded(text)
    if found[0] is not NOT_JSON or not text.startswith(("[", "{", "'", "\u201c")):
        return found
    mended = " " + text[:LONGEST_MENDED]
    for pattern, replacement in _REPAIRS:
        mended = pattern.sub(replacement, mended)
    return _raw_decoded(mended[1:])


def decoded_series(text: str) -> tuple[Any, str]:
    """Return the JSON value that a text starts with, or a list of those that follow each other.

    Lists and objects belong together where a comma, "and", a line break or a bullet parts them.
    """
    value, rest = decoded(text)
    series = [value]
    while isinstance(series[-1], list | dict) and (between := _BETWEEN.match(rest)):
        following, after = decoded(rest[between.end() :])
        if following is NOT_JSON:
            return NOT_JSON, text
        series.append(following)
        rest = after
    return (series, rest) if len(series) > 1 else (value, rest)


def without_comments(text: str) -> str:
    """Return JSON without its comments, but for those that say that values are left out."""
    return _COMMENT.sub(_without_comment, text[:LONGEST_MENDED]) + text[LONGEST_MENDED:]


def whole(text: str) -> Any:
    """Return the JSON that a text is, but for a full stop; else the text."""
    value, rest = decoded_series(text)
    return text if value is NOT_JSON or rest.strip(" .\n") else value


def _raw_decoded(text: str) -> tuple[Any, str]:
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return NOT_JSON, text
    return value, text[end:]


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
