"""From the text of a completion to the answer it states, or the reason why there is none.

Layers, each a pure function: `without_reasoning` drops reasoning blocks, `undressed` drops fences
and bold marks, `statements` finds where an answer is stated, `eval_tasks.values` reads one of
them. Strict about meaning, lenient about dress: the last statement decides, and what it states is
taken whole or not at all.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from eval_tasks.question import Answer, AnswerShape
from eval_tasks.values import LONGEST_TEXT, UnreadableError, read_value
from eval_tasks.verdicts import clear_lead, declines, first_word, labelled_line

Status = Literal[
    "ok", "unparseable", "empty", "truncated", "refused", "error", "too_long", "missing"
]
"""How a row was answered: `error` where the backend failed, `too_long` where the prompt exceeds the
model's context, `missing` where a file of answers lacks the row."""

LONGEST_COMPLETION = 50_000
"""Characters from the end of a completion that are looked at."""
MOST_STATEMENTS = 20
"""Statements from the end of a completion that are looked at."""
_LONGEST_MENDED = 10_000

_TAG_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad"
_TAG = re.compile(
    rf"(?P<open><(?:\w{{1,20}}:)?(?:{_TAG_NAMES})>|\[THINK\])"
    rf"|(?P<close></(?:\w{{1,20}}:)?(?:{_TAG_NAMES})>|\[/THINK\])",
    re.IGNORECASE,
)
_FINAL_CHANNEL = "<|channel|>final<|message|>"
_OTHER_CHANNEL = re.compile(r"<\|channel\|>(?:analysis|commentary)")
_END_MARKS = re.compile(r"<\|(?:end|return|im_end|eot_id|endoftext)\|>|</s>")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]*$", re.MULTILINE)
_MARKS = re.compile(r"\*\*|__|`|^[ \t]*#+[ \t]+", re.MULTILINE)

_KEY = r"[\"'\u201c\u201d\u2018\u2019](?:final[ _]?)?answer[\"'\u201c\u201d\u2018\u2019]\s{0,20}:"
_BARE_KEY = r"\{\s{0,20}(?:final[ _]?)?answer\s{0,20}:"
_PHRASE = r"\banswer\b\s{0,5}(?:is\b|was\b|would be\b|=|:)[ \t]{0,20}:?"
_HEADING = r"^[ \t]*(?:the[ \t])?(?:final[ \t])?answer[ \t]*:?[ \t]*$"
_BOXED = r"\\boxed\{"
_STATEMENT = re.compile(
    rf"(?P<key>{_KEY}|{_BARE_KEY})|(?P<boxed>{_BOXED})|(?P<phrase>{_HEADING}|{_PHRASE})",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSED = re.compile(r"\s*(?:\}|,\s*[\"'A-Za-z_])")
_CUT = re.compile(r"(?<=\S)(?:\.\s|;\s|,\s|\s\(|\s-\s|\s\u2014\s|\sbecause\s|\ssince\s)")
_CLAIM = re.compile(r"[^\d=:]{1,200}?(?:\b(?:is|are|was|were)\b|=|:)\s{0,5}(?=[\d+\u2212\[{.-])")
_CLAUSE_END = re.compile(r"[,.;:!](?:\s|$)")
_LONGEST_CLAUSE = 3
"""Words in which an option must stand where nothing marks it as the answer."""
_REPAIRS = (
    (re.compile(r"[\u201c\u201d]"), '"'),
    (re.compile(r"(?<=[\[{,:\s])'([^'\"\n]{0,200})'"), r'"\1"'),
    (re.compile(r"(?<=[{,])\s{0,20}([A-Za-z_]\w{0,40})\s{0,20}:"), r'"\1":'),
    (re.compile(r"\bNone\b"), "null"),
    (re.compile(r"\bTrue\b"), "true"),
    (re.compile(r"\bFalse\b"), "false"),
    (re.compile(r",(\s{0,20}[\]}])"), r"\1"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What a completion answers.

    Attributes:
        status: `ok`, or why there is no answer.
        value: The answer, None unless the status is `ok`.
        reason: Why there is none, empty if there is one.
    """

    status: Status
    value: Answer | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One place where an answer is stated.

    Attributes:
        stated: JSON value or text.
        decisive: Whether it counts even if it cannot be read (an answer in JSON does).
        cut_off: Whether the text ends before it does.
    """

    stated: Any
    decisive: bool
    cut_off: bool = False


def extract(completion: str, shape: AnswerShape, *, cut_off: bool = False) -> Extraction:
    """Return the answer that a completion states.

    Args:
        completion: What the model wrote.
        shape: What the answer must look like.
        cut_off: Whether the model was stopped by its token limit.
    """
    if not completion.strip():
        if cut_off:
            return Extraction(status="truncated", reason="the text ends before it begins")
        return Extraction(status="empty", reason="the completion is empty")
    text, open_ended = without_reasoning(completion[-LONGEST_COMPLETION:])
    text = undressed(text)
    if not text:
        if open_ended or cut_off:
            return Extraction(status="truncated", reason="the text ends inside the reasoning")
        return Extraction(status="empty", reason="nothing follows the reasoning")
    found = _verdict(text, shape) if shape.answer_type == "verdict" else _stated(text, shape)
    if found.status == "unparseable" and (open_ended or cut_off):
        return Extraction(status="truncated", reason=f"cut off; {found.reason}")
    return found


def without_reasoning(text: str) -> tuple[str, bool]:
    """Return the text outside reasoning blocks, and whether the last block never ends.

    What comes before a closing tag without an opening one is reasoning too: some chat templates
    write the opening tag into the prompt.
    """
    if _FINAL_CHANNEL in text:
        text = text.rpartition(_FINAL_CHANNEL)[2]
    elif _OTHER_CHANNEL.search(text):
        return "", True
    kept: list[str] = []
    place, inside = 0, False
    for tag in _TAG.finditer(text):
        if tag["open"] and not inside:
            kept.append(text[place : tag.start()])
            inside = True
        elif tag["close"]:
            if not inside:
                kept.clear()
            place, inside = tag.end(), False
    if not inside:
        kept.append(text[place:])
    return "".join(kept), inside


def undressed(text: str) -> str:
    """Return a text without code fences, bold, heading and end-of-turn marks."""
    text = _END_MARKS.sub("", text)
    return _MARKS.sub("", _FENCE.sub("", text)).strip()


def statements(text: str) -> Iterator[Statement]:
    """Yield the places where an answer is stated, the last one first."""
    places = list(_STATEMENT.finditer(text))[-MOST_STATEMENTS:]
    for place in reversed(places):
        rest = text[place.end() : place.end() + LONGEST_COMPLETION]
        if place["key"]:
            yield _json_statement(rest)
        elif place["boxed"]:
            yield Statement(stated=_boxed(rest), decisive=True)
        else:
            yield from _phrase_statements(rest)


def _stated(text: str, shape: AnswerShape) -> Extraction:
    reason = ""
    for statement in statements(text):
        try:
            value = read_value(statement.stated, shape)
        except UnreadableError as error:
            if statement.decisive:
                return _unreadable(error, cut_off=statement.cut_off)
            reason = reason or str(error)
            continue
        if statement.cut_off:
            return Extraction(status="truncated", reason="the text ends inside the answer")
        return Extraction(status="ok", value=value)
    return _unmarked(text, shape, reason)


def _unreadable(error: UnreadableError, *, cut_off: bool) -> Extraction:
    status: Status = "refused" if error.refused else "truncated" if cut_off else "unparseable"
    return Extraction(status=status, reason=str(error))


def _unmarked(text: str, shape: AnswerShape, reason: str) -> Extraction:
    """Read a text that marks nothing as its answer: all of it, its last line, or its last claim."""
    if declines(text):
        return Extraction(status="refused", reason="the model declines to answer")
    for candidate in _unmarked_candidates(text, shape):
        try:
            return Extraction(status="ok", value=read_value(_whole_json(candidate), shape))
        except UnreadableError as error:
            reason = reason or str(error)
    return Extraction(status="unparseable", reason=f"no answer is marked; {reason}".rstrip("; "))


def _unmarked_candidates(text: str, shape: AnswerShape) -> Iterator[str]:
    last = text.rpartition("\n")[2].strip()
    if shape.answer_type == "category":
        clause = _CLAUSE_END.split(last, maxsplit=1)[0]
        if len(clause.split()) <= _LONGEST_CLAUSE:
            yield clause
        return
    yield text
    yield last
    claim = _CLAIM.match(last[:LONGEST_TEXT])
    if claim:
        yield last[claim.end() :]


def _whole_json(text: str) -> Any:
    """Return the JSON value that a text is, but for a full stop; else the text."""
    value, rest = _decoded(text)
    return text if value is _NOT_JSON or rest.strip(" .\n") else value


def _json_statement(text: str) -> Statement:
    """Return what follows an answer key: a JSON value, or text up to the closing brace."""
    value, rest = _decoded(text)
    if value is not _NOT_JSON:
        if _CLOSED.match(rest):
            return Statement(stated=value, decisive=True)
        if not rest.strip():
            number = isinstance(value, int | float) and not isinstance(value, bool)
            return Statement(stated=value, decisive=True, cut_off=number)
    written = text.partition("}")[0].strip().rstrip(",")
    cut_off = text.count("}") <= text.count("{")
    return Statement(stated=written, decisive=True, cut_off=cut_off)


def _boxed(rest: str) -> str:
    depth = 1
    for place, mark in enumerate(rest[:LONGEST_TEXT]):
        depth += (mark == "{") - (mark == "}")
        if not depth:
            inner = re.sub(r"\\(?:text|mathrm|mathbf)\{([^{}]*)\}", r"\1", rest[:place])
            return inner.replace("\\%", "%").replace("\\,", "").replace("\\", "")
    return rest[:LONGEST_TEXT]


def _phrase_statements(text: str) -> Iterator[Statement]:
    """Yield what follows "the answer is": a JSON value, the line, and the line's first clause."""
    text = text[:_LONGEST_MENDED].lstrip(" \t:\n*")
    if text.startswith(("[", "{", '"')):
        value, _ = _decoded(text)
        if value is not _NOT_JSON:
            yield Statement(stated=value, decisive=False)
    line = text.partition("\n")[0][:LONGEST_TEXT].strip()
    yield Statement(stated=line, decisive=False)
    cut = _CUT.search(line)
    if cut and not re.search(r"\d", line[cut.end() :]):
        yield Statement(stated=line[: cut.start()], decisive=False)


def _decoded(text: str) -> tuple[Any, str]:
    """Return the JSON value that a text starts with and what follows, mending common slips.

    Single or curly quotes, bare keys, Python's constants and trailing commas are mended. Returns
    `_NOT_JSON` where there is no value.
    """
    text = text.lstrip()
    decoded = _raw_decoded(text)
    if decoded[0] is not _NOT_JSON or not text.startswith(("[", "{", "'", "\u201c")):
        return decoded
    mended = " " + text[:_LONGEST_MENDED]
    for pattern, replacement in _REPAIRS:
        mended = pattern.sub(replacement, mended)
    return _raw_decoded(mended[1:])


def _raw_decoded(text: str) -> tuple[Any, str]:
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return _NOT_JSON, text
    return value, text[end:]


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


_NOT_JSON = object()
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _verdict(text: str, shape: AnswerShape) -> Extraction:
    """Read a yes or no: the first word, else the JSON answer, else what is said later or clearly."""
    verdict = first_word(text)
    if verdict is None and any(statement.decisive for statement in statements(text)):
        return _stated(text, shape)
    verdict = verdict or labelled_line(text) or clear_lead(text)
    if verdict:
        return Extraction(status="ok", value=verdict)
    if declines(text):
        return Extraction(status="refused", reason="the model declines to answer")
    return Extraction(status="unparseable", reason="neither yes nor no")
