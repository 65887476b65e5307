"""Whether what follows an answer takes it back: denies it, doubts it without an end, or states another.

Closing words, checks that come to the same, and talk of other values leave an answer as it is.
"""

import re
from collections.abc import Sequence

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
            r"\A\s*or\b(?! in other words|,? equivalently)",
            r"\A[ \t]*(?:is|was) (?:only |just |merely )?(?:what|if)\b",
            r"\A[^\n{]{0,60}\b(?:is|as) (?:just |only |merely )?an? (?:example|placeholder)\b",
            r"\bas a placeholder\b(?! for)|\(placeholder\)|\bthis is (?:just |only )?a placeholder\b",
            r"\b(?:oops|no, sorry|my bad|(?:scratch|strike) that(?=\s?(?:[.,;:!\n]|\Z)))",
            r"\bon second thought,? I(?:['\u2019]m| am) not\b",
            rf"{_START}(?:hold on\b|I was wrong\b)",
            rf"{_START}{_IT}(?:['\u2019]s| is| was) (?:wrong|incorrect|mistaken|a mistake"
            r"|not (?:right|correct))\b(?! (?:if|only|to|unless|for)\b)",
            rf"{_START}I(?:['\u2019]ve| have)? (?:made (?:an?|some) (?:\w+ )?(?:error|mistake|slip)\b(?! in an?\b)"
            r"|(?:mis(?:count|read|calculat|comput|applied|interpret|took)\w*+|overlooked)(?! no)"
            r"|forgot (?:to (?!mention|say|add|note|state)|that\b|the\b|one\b)|retract\b|(?:need|have) to redo\b)",
            r"\b(?:disregard|ignore) (?:the|my|that|this) (?:(?:above|previous|earlier|last|first) )?"
            r"(?:(?:answer|value|result|number)\b|(?<=above |vious |rlier )(?!\w)|above\s?(?:[.;!\n]|\Z))",
            r"\banswer should (?:be|have been) (?:higher|lower|larger|smaller|more|less"
            r"|fewer)\b(?! (?:than|to)\b)",
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
    r"|on second thought|on (?:closer inspection|reflection))\b"
    r"|\bthe (?:correct|right|true) \w+ (?=is|was|would be|should be)"
    rf"|\b(?:answer|value|result|start|end|it|{_IT}) (?=should (?:be|have been))"
    r"|\b(?:please )?use (?=\S{1,20} instead)",
    re.IGNORECASE,
)
_LEAD = (
    r"[\s,:\u2014]*(?:(?:no|so|then|it|that|this|there|only|about|exactly|minute|days?|week"
    r"|the (?:correct |right |actual )?(?:answer|value|result|mean|average|count|total|number|start|end|one)"
    r"|should|have|would|be|been|is|are|was|were)[\s,]+|['\u2019]s\s)*[\s*\"'(\[]{0,3}"
)
"""What may stand between a word of correction and the value that it corrects to."""
_CORRECT_NUMBER = re.compile(
    rf"{_LEAD}(?P<number>[+-]?\d+(?:\.\d+)?)(?![\d.]*\s*[-\u2013]\s*\d)(?!\s*(?:readings|samples|of)\b)",
    re.IGNORECASE,
)
_STATES = r"(?:\b(?:on|is|are|was|were|be|been|gives?|gets?|got|makes?|so|then|use)\b|[=:,]|\A)"
_BETWEEN = r"[\s*\"'(]{0,3}(?:(?:about|only|exactly|rather|now|the|days?|week|minute) ){0,2}"
_NUMBER = re.compile(rf"{_STATES}{_BETWEEN}(?P<number>[+-]?\d+(?:\.\d+)?)", re.IGNORECASE)
_ANY_NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+)?")
_SIGNED = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_NONE = re.compile(r"\b(?:no|none|zero)\b", re.IGNORECASE)
_CORRECT_NONE = re.compile(rf"{_LEAD}(?:none|zero)\b", re.IGNORECASE)
_CONCLUSION = re.compile(
    r"(?:\b(?:so|therefore|thus|hence)\b[^.\d]{0,30}?|(?:=|\b(?:gives?|makes?|get))\s*)(?P<number>[+-]?\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_REACH = 200
"""Characters behind a word of doubt or correction in which another value is looked for."""
_ROUNDED = 0.005
"""Share by which a number may differ from the answer that it comes to in a check."""


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
    doubts = (after[found.end() : found.end() + _REACH] for found in _DOUBTED.finditer(after))
    if any(not _is_settled(rest, answer, options) for rest in doubts):
        return True
    corrections = (
        after[found.end() : found.end() + _REACH] for found in _CORRECTED.finditer(after)
    )
    return any(_corrects(rest, answer, options) for rest in corrections)


def _is_settled(text: str, answer: Answer, options: Sequence[str]) -> bool:
    """Return whether the check that a text makes comes to the answer."""
    if isinstance(answer, str):
        lead = rf"(?:{_STATES}|\b(?:it|that|which)\b){_BETWEEN}"
        stated = [option for option in options if _names(lead, option, text)]
        return answer in stated or (not stated and bool(_SETTLED.search(text)))
    concluded = [] if isinstance(answer, list) else _CONCLUSION.findall(text)
    if concluded:
        return _is_among(concluded[-1], answer)
    if not answer and _NONE.search(text):
        return True
    stated = (_ANY_NUMBER if isinstance(answer, list) else _NUMBER).findall(text)
    return any(_is_among(number, answer) for number in stated) or bool(_SETTLED.search(text))


def _corrects(text: str, answer: Answer, options: Sequence[str]) -> bool:
    """Return whether a text starts with another value of the answer's kind."""
    if isinstance(answer, str):
        others = (option for option in options if option != answer)
        return any(_names(rf"\A{_LEAD}", option, text) for option in others)
    if answer and _CORRECT_NONE.match(text):
        return True
    found = _CORRECT_NUMBER.match(text)
    if not isinstance(answer, list):
        return found is not None and not _is_among(found["number"], answer, within=0.0)
    stated = set(map(float, _ANY_NUMBER.findall(text.partition(".\n")[0].partition("because")[0])))
    return bool(found) and stated != set(map(float, _ANY_NUMBER.findall(str(answer))))


def _names(lead: str, option: str, text: str) -> bool:
    pattern = rf"{lead}{re.escape(option)}[\"'*)]*\s*(?:[.,;!\n]|\Z|instead\b)"
    return bool(re.search(pattern, text, re.IGNORECASE))


def _is_among(number: str, answer: Answer, within: float = _ROUNDED) -> bool:
    """Return whether a number is one of the answer's; one without a sign may be either."""
    value = float(number)
    for known in map(float, _SIGNED.findall(str(answer))):
        one = known if number[0] in "+-" else abs(known)
        places = len(number.partition(".")[2])
        rounding = 0.5000001 * 10.0**-places if places else 0.0
        same = (one, one / 100) if within else (one,)
        if any(abs(value - each) <= max(within * abs(each), rounding) for each in same):
            return True
    return False
