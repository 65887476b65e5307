"""Whether what follows an answer takes it back: denies it, doubts it without an end, or states another.

Closing words, checks that come to the same, and talk of other values leave an answer as it is.
"""

import re
from collections.abc import Iterator, Sequence

from eval_tasks.question import Answer
from eval_tasks.texts import LONGEST_TEXT

_START = (
    r"(?:\A|[.!?:\n]|\s[\u2013\u2014-]\s)[\s}*`\"')]{0,9}(?:(?:no|but|oh|sorry|so|and)[,.]?\s)?"
)
"""The start of a sentence, words that may come first included."""
_IT = (
    r"(?:that|this(?: answer)?|the above(?: answer| value| result)?"
    r"|(?:the|my) (?:(?:above|previous|first|earlier) )?(?:answer|value|result|number)(?: above)?)"
)
_DENIED = re.compile(
    "|".join(
        (
            r"\A\s*or\b",
            r"\A[ \t]*(?:is|was) (?:only |just |merely )?(?:what|if)\b",
            r"\A[^\n{]{0,60}\b(?:is|as) (?:just |only |merely )?an? (?:example|placeholder)\b",
            r"\bas a placeholder\b|\(placeholder\)|\bthis is (?:just |only )?a placeholder\b",
            r"\b(?:oops|no, sorry|scratch that|strike that|my bad)\b",
            r"\bon second thought,? I(?:['\u2019]m| am) not\b",
            rf"{_START}(?:hold on\b|I was wrong\b)",
            rf"{_START}{_IT}(?:['\u2019]s| is| was) (?:wrong|incorrect|mistaken|a mistake"
            r"|not (?:right|correct))\b",
            rf"{_START}I(?:['\u2019]ve| have)? (?:made (?:an?|some) (?:\w+ )?(?:error|mistake|slip)\b"
            r"|(?:mis(?:count|read|calculat|comput|applied|interpret|took)\w*|overlooked)(?! no)"
            r"|forgot (?:to|that|the|one)\b|retract\b|(?:need|have) to redo\b)",
            r"\b(?:disregard|ignore) (?:the|my|that|this) (?:(?:above|previous|last|first|earlier)"
            r"(?: (?:answer|value|result|number))?|answer|value|result)\s?(?:[.,;!\n]|\Z)",
            r"\b(?:answer|it|that) should (?:be|have been) (?:higher|lower|larger|smaller|more|less"
            r"|fewer)\b(?! than)",
        )
    ),
    re.IGNORECASE,
)
_DOUBTED = re.compile(
    rf"{_START}(?:hm+[,.]?\s)?wait\s?(?:[,.!:\u2014-]|\Z)|\bhmm+\b"
    r"|\b(?:let me|I (?:need|have) to) (?:re(?:check|count|calculat|comput|consider|think|examine)\w*"
    r"|double[ -]check|verify)\b|\blet me (?:check|correct|fix|count)\b(?! (?:if|whether) you)",
    re.IGNORECASE,
)
_SETTLED = re.compile(
    r"(?<!not )\b(?:yes|good|fine|correct(?!\?)|confirm\w*|consistent|plausible|nothing|match(?:es)?"
    r"|checks out|holds|close enough|verified|right(?! away|\?)|done|ok(?:ay)?)\b(?!\?)",
    re.IGNORECASE,
)
_CORRECTED = re.compile(
    rf"{_START}(?:actually|correction|edit|update|revised|recount|sorry|apologies|I apologi[sz]e"
    r"|on second thought|on (?:closer inspection|reflection)|please use)\b"
    r"|\bthe (?:correct|right|true) (?:\w+ ){1,3}(?:is|was|are|would be|should be)\b"
    rf"|\b(?:answer|value|result|it|{_IT}) should (?:be|have been)\b",
    re.IGNORECASE,
)
_STATES = r"(?:\b(?:is|are|was|were|be|been|gives?|gets?|got|makes?|so|then|use)\b|[=:,]|\A)"
_BETWEEN = r"[\s*\"'(]{0,3}(?:(?:about|only|exactly|rather|now|the|days?|week|minute) ){0,2}"
_NUMBER = re.compile(rf"{_STATES}{_BETWEEN}(?P<number>[+-]?\d+(?:\.\d+)?)", re.IGNORECASE)
_ANY_NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+)?")
_REACH = 200
"""Characters behind a word of doubt or correction in which another value is looked for."""
_SAME = 0.005
"""Share by which a number may differ from the answer that it repeats."""


def withdrawn(after: str, answer: Answer, options: Sequence[str]) -> bool:
    """Return whether the text behind an answer takes it back.

    Args:
        after: The text.
        answer: What was answered.
        options: What could be answered, of a category or verdict.

    >>> withdrawn("Actually, it is 5.", 6, ()), withdrawn("Let me check: 3 + 3 = 6.", 6, ())
    (True, False)
    """
    after = after[:LONGEST_TEXT]
    if _DENIED.search(after):
        return True
    for found in _DOUBTED.finditer(after):
        rest = after[found.end() : found.end() + _REACH]
        same = list(_restated(rest, answer, options))
        if not (any(same) if same else _SETTLED.search(rest)):
            return True
    for found in _CORRECTED.finditer(after):
        same = list(_restated(after[found.end() : found.end() + _REACH], answer, options))
        if same and not any(same):
            return True
    return False


def _restated(text: str, answer: Answer, options: Sequence[str]) -> Iterator[bool]:
    """Yield, of every value of the answer's kind that a text states, whether it is the answer's."""
    if isinstance(answer, str):
        for option in options:
            stated = rf"{_STATES}{_BETWEEN}{re.escape(option)}[\"'*)]*\s*(?:[.,;!\n]|\Z|instead\b)"
            if re.search(stated, text, re.IGNORECASE):
                yield option == answer
        return
    known = [float(number) for number in _ANY_NUMBER.findall(str(answer))]
    listed = isinstance(answer, list)
    for number in _ANY_NUMBER.findall(text) if listed else _NUMBER.findall(text):
        value = abs(float(number))
        yield any(abs(value - one) <= _SAME * max(value, one) for one in known)
