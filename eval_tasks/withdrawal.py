"""Whether what follows an answer takes it back."""

import re

from eval_tasks.texts import LONGEST_TEXT

_CONFIRMED = (
    r"(?![^{]{0,200}(?<!\bnot )"
    r"\b(?:correct|confirm\w*|consistent|match(?:es)?|same|checks out|holds|close enough)\b)"
)
"""Not where the check that a model announces confirms what it said."""
_FORMS = (
    r"\A\s*or\b",
    # the answer goes on as a part of a sentence: {"answer": 4} is what a naive count gives
    r"\A[ \t]*(?:is|was|would|isn['\u2019]t)\b",
    r"\A[^\n{]{0,60}\b(?:is|as) (?:just |only |merely )?an? (?:example|placeholder)\b",
    r"\b(?:oops|no, sorry|scratch that)\b",
    r"(?:\A|[.!?\n])\s{0,9}(?:(?:hm|oh|no|ah|but|sorry)[,.]?\s)?"
    r"(?:wait\s?(?:[,.!:\u2014-]|\Z)|actually\b|(?:correction|sorry|edit|apologies)\s?[,:\u2014-]"
    r"|on second thought|I apologi[sz]e)",
    rf"(?:\bhmm+\b|\b(?:let me|I (?:need|have) to) (?:re(?:c|d|th)\w+|check|correct|fix|count)\b)"
    rf"{_CONFIRMED}",
    r"(?<!\bif )(?<!\bwhether )(?<!\bwhere )\b(?:that|this)(?:['\u2019]s| is| was) "
    r"(?:wrong|incorrect|not (?:right|correct)|a mistake)\s?(?:[.,;!]|because\b|since\b|as\b|\Z)",
    r"\bI(?:['\u2019]ve| have)? (?:made (?:an?|some|the) (?:\w+ )?(?:error|mistake|slip)"
    r"|(?:mis(?:count|read|calculat|comput|applied|interpret|took)|forgot|overlooked)\w*)",
    r"\b(?:answer|value|result|number|count|mean|total|it|this|that) should (?:be|have been) "
    r"(?:\d|higher|lower|larger|smaller|more\b|less\b|fewer)",
    r"\bthe (?:correct|right|true) (?:\w+ ){1,3}(?:is|was|are|would be|should be)\b",
    r"\b(?:disregard|ignore) (?:the|my|that|this) (?:above|previous|last|first|answer)\b",
)
_WITHDRAWN = re.compile("|".join(_FORMS), re.IGNORECASE)


def withdrawn(after: str) -> bool:
    """Return whether the text behind an answer says that it is wrong, in doubt or none.

    >>> withdrawn("} Actually, it is 5."), withdrawn("} Let me know if this is wrong.")
    (True, False)
    """
    return bool(_WITHDRAWN.search(after[:LONGEST_TEXT]))
