"""What the readers of answers share: the error they raise, and plain forms of a text."""

import re
from typing import Any

from eval_tasks.errors import EvaluationError

LONGEST_TEXT = 2_000
"""Characters of text, other than JSON, that may state an answer."""
NEGATION = re.compile(
    r"\b(?:no|not|neither|nor|never|cannot|without|unclear|unknown|unsure|undecided)\b|n't\b"
)
"""Words, in lower case, that turn a sentence around or leave it open."""
FALL = re.compile(r"\b(?:fall|fell|drop(?:ped)?|decrease[ds]?|declined?)\b", re.IGNORECASE)
"""Words that may turn the sign of a change."""
_DRESS = str.maketrans(
    {
        **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013", "-"),
        **dict.fromkeys("\u00a0\u2009\u202f", " "),
        "\u2019": "'",
        "$": None,
    }
)
_REASON = re.compile(r",?\s(?:because|since|as|with|while|whereas|given|based on)\b.*", re.DOTALL)


class UnreadableError(EvaluationError):
    """What was stated is no answer of the type asked for.

    Attributes:
        refused: Whether it declines to answer.
    """

    def __init__(self, reason: str, *, refused: bool = False) -> None:
        super().__init__(reason)
        self.refused = refused


def plain(text: str) -> str:
    """Return a text with one kind of blank, hyphen and apostrophe, without quotes around it."""
    return text.translate(_DRESS).strip().strip("\"'\u201c\u201d\u2018").strip()


def short(text: str) -> str:
    """Return a text with runs of blanks made one.

    Raises:
        UnreadableError: It is longer than `LONGEST_TEXT`.
    """
    if len(text) > LONGEST_TEXT:
        raise UnreadableError(f"a text of {len(text)} characters")
    return re.sub(r"[^\S\n]+", " ", text)


def bare(text: str) -> str:
    """Return text without case, quotes, underscores, hyphens and closing marks.

    A dash between blanks ends a clause and becomes a comma.
    """
    text = re.sub(r"\s+(?:-+|\u2014)\s+|\u2014", ", ", text.casefold())
    return re.sub(r"[\s_-]+", " ", text).strip(" .!\"'*")


def without_reason(text: str) -> str:
    """Return a text up to the word that starts its reason."""
    return _REASON.sub("", text, count=1)


def quoted(stated: Any) -> str:
    """Return what was stated as an error message shows it."""
    return repr(stated[:60] if isinstance(stated, str) else type(stated).__name__)
