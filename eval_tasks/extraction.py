"""From the text of a completion to the answer it states, or the reason why there is none.

Layers, each a pure function: `without_reasoning` drops reasoning blocks, `undressed` drops fences
and marks, `eval_tasks.statements` finds what is stated last, `eval_tasks.values` reads it. Strict
about meaning, lenient about dress: the last statement decides, and what it states is taken whole
or not at all.
"""

import re
from dataclasses import dataclass
from typing import Literal

from eval_tasks.prose import Reading
from eval_tasks.question import Answer, AnswerShape
from eval_tasks.statements import Statement, last_statement, unmarked
from eval_tasks.values import UnreadableError, read_value
from eval_tasks.verdicts import UNCLEAR, VERDICTS, clear_advice, declines, first_word, labelled
from eval_tasks.withdrawal import withdrawn

Status = Literal[
    "ok", "unparseable", "empty", "truncated", "refused", "error", "too_long", "missing"
]
"""How a row was answered: `error` where the backend failed, `too_long` where the prompt exceeds the
model's context, `missing` where a file of answers lacks the row."""

LONGEST_COMPLETION = 50_000
"""Characters from the end of a completion that are looked at."""

_TAG_NAMES = (
    "think|thinking|thought|thoughts|reasoning|reasoning_content|reflection|analysis|scratchpad"
)
_SAME_MARKS = str.maketrans("\u25c1\u25b7\uff1a", "<>:")
"""Other marks of tags and labels, and what they stand for."""
_TAG_ENDS = (*(f"{name}>" for name in _TAG_NAMES.split("|")), "think]")
_LONGEST_TAG = 40
_MOST_TAGS = 50
"""Tries to find the last tag before the part of a completion that is looked at."""
_TAG = re.compile(
    rf"(?P<open><(?:\w{{1,20}}:)?(?:{_TAG_NAMES})>|\[THINK\])"
    rf"|(?P<close></(?:\w{{1,20}}:)?(?:{_TAG_NAMES})>|\[/THINK\])",
    re.IGNORECASE,
)
_CHANNEL = "<|channel|>"
_FINAL_CHANNEL = f"{_CHANNEL}final<|message|>"
_OTHER_CHANNEL = re.compile(r"<\|channel\|>(?:analysis|commentary)")
_END_MARKS = re.compile(r"<\|(?:end|return|im_end|eot_id|endoftext)\|>|</s>|[\u200b\ufeff]")
_ANSWER_TAG = re.compile(r"<(?P<end>/?)(?:final[ _]?)?answer>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]*$", re.MULTILINE)
_MARKS = re.compile(r"\*\*|__|`|^[ \t]*#+[ \t]+|\\[()\[\]]", re.MULTILINE)
_UNDERSCORED = re.compile(r"(?<!\w)_([A-Za-z]{1,20})_(?!\w)")
_LATEX_TEXT = re.compile(r"(?:\\[ ,])?\\(?:text|mathrm|mathbf)\{([^{}]{0,200})\}")


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
    text, open_ended = without_reasoning(_ending(completion).translate(_SAME_MARKS))
    text = undressed(text)
    if not text:
        if open_ended or cut_off:
            return Extraction(status="truncated", reason="the text ends inside the reasoning")
        return Extraction(status="empty", reason="nothing follows the reasoning")
    found = _verdict(text, shape) if shape.answer_type == "verdict" else _stated(text, shape)
    if found.status == "unparseable" and (open_ended or cut_off):
        return Extraction(status="truncated", reason=f"cut off; {found.reason}")
    return found


def _ending(completion: str) -> str:
    """Return the part of a completion that is looked at, behind the tag that is open where it starts."""
    if len(completion) <= LONGEST_COMPLETION:
        return completion
    head, ending = completion[: _LONGEST_TAG - LONGEST_COMPLETION], completion[-LONGEST_COMPLETION:]
    if _OTHER_CHANNEL.match(head, max(0, head.rfind(_CHANNEL))):
        return f"{_CHANNEL}analysis{ending}"
    return f"<think>{ending}" if _left_open(head) else ending


def _left_open(text: str) -> bool:
    """Return whether a text ends inside a reasoning block."""
    raw = text.encode("utf-8", "surrogatepass").lower()
    tags = [tag for end in _TAG_ENDS if (tag := _last_tag(raw, end.encode()))]
    return bool(tags) and not max(tags)[1]


def _last_tag(raw: bytes, tag_end: bytes) -> tuple[int, bool] | None:
    """Return the place of the last tag that ends so, and whether it closes a block."""
    place = len(raw)
    for _ in range(_MOST_TAGS):
        place = raw.rfind(tag_end, 0, place)
        if place < 0:
            return None
        start = max(0, place - _LONGEST_TAG)
        ending = raw[start : place + len(tag_end)].decode(errors="replace")
        tags = list(_TAG.finditer(ending))
        if tags and tags[-1].end() == len(ending):
            return place, bool(tags[-1]["close"])
    return None


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
    """Return a text without fences, bold, heading, LaTeX and end-of-turn marks, tags as labels."""
    text = _END_MARKS.sub("", text.replace("\r\n", "\n"))
    text = _ANSWER_TAG.sub(lambda tag: "\n" if tag["end"] else "\nAnswer: ", text)
    if "_" in text:
        text = _UNDERSCORED.sub(r"\1", text)
    if "\\" in text:
        text = _LATEX_TEXT.sub(r" \1", text)
    return _MARKS.sub("", _FENCE.sub("", text)).strip()


def _stated(text: str, shape: AnswerShape) -> Extraction:
    statement = last_statement(text, shape)
    if statement:
        return _read(statement, shape)
    if declines(text):
        return Extraction(status="refused", reason="the model declines to answer")
    found = _read(unmarked(text, shape), shape)
    if found.status == "ok":
        return found
    return Extraction(status="unparseable", reason=f"no answer is marked; {found.reason}")


def _read(statement: Statement, shape: AnswerShape) -> Extraction:
    """Return the first reading that is an answer, or why there is none."""
    errors: list[UnreadableError] = []
    for reading in statement.readings:
        try:
            value = read_value(reading.stated, shape, reading.unit)
        except UnreadableError as error:
            errors.append(error)
            continue
        if statement.cut_off:
            return Extraction(status="truncated", reason="the text ends inside the answer")
        if any(_reads_otherwise(rival, shape, value) for rival in statement.rivals):
            return Extraction(status="unparseable", reason="two values, neither marked")
        if withdrawn(statement.after, value, shape.options):
            return Extraction(status="unparseable", reason="the last answer is taken back")
        return Extraction(status="ok", value=value)
    if any(error.refused for error in errors):
        return Extraction(status="refused", reason=str(errors[0]))
    status: Status = "truncated" if statement.cut_off else "unparseable"
    return Extraction(status=status, reason=str(errors[0]) if errors else "no single answer")


def _reads_otherwise(reading: Reading, shape: AnswerShape, value: Answer) -> bool:
    try:
        return read_value(reading.stated, shape, reading.unit) != value
    except UnreadableError:
        return False


def _verdict(text: str, shape: AnswerShape) -> Extraction:
    """Read a yes or no: the first word, a labelled line, JSON, or clear advice; nothing if they differ."""
    first, line = first_word(text), labelled(text)
    statement = last_statement(text, shape, prose=False)
    marked = _read(statement, shape) if statement else None
    said = {found for found in (first, line, marked and marked.value) if found in VERDICTS}
    if len(said) == 1 and line != UNCLEAR:
        return Extraction(status="ok", value=said.pop())
    if said or UNCLEAR in (first, line):
        return Extraction(status="unparseable", reason="both yes and no")
    if marked:
        return marked
    advised = clear_advice(text)
    if advised:
        return Extraction(status="ok", value=advised)
    if declines(text):
        return Extraction(status="refused", reason="the model declines to answer")
    return Extraction(status="unparseable", reason="neither yes nor no")
