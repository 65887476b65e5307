"""Yes or no in prose, and refusals."""

import re

_LEADS = (
    r"(?:(?:my|the)\s)?(?:final\s|short\s)?(?:answer|verdict|recommendation)"
    r"(?:\s{0,3}(?:is\b|:|-)){0,2}"
)
_YES_OR_NO = (
    r"(?P<option>yes\b(?!\s{0,3}(?:or\b|[/|]))"
    r"|no\b(?!-\w)(?=\s{0,3}(?:[.,:;!()\u2013\u2014-]|\n|$)))"
)
_FIRST_WORD = re.compile(rf"\W{{0,10}}(?:{_LEADS}\s{{0,5}})?{_YES_OR_NO}", re.IGNORECASE)
_LABELLED_LINE = re.compile(
    rf"^\W{{0,10}}{_LEADS}\s{{0,5}}{_YES_OR_NO}", re.IGNORECASE | re.MULTILINE
)
_AGAINST = re.compile(
    r"\b(?:would|do|can)(?: not|n['\u2019]t) (?:recommend|advise|suggest)\b"
    r"|\b(?:is|are) not (?:recommended|advisable|appropriate|safe)\b"
    r"|\b(?:advise|recommend) against\b|\byou should(?: not|n['\u2019]t)\b",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"\b(?:I|we) (?:would |do )?(?:recommend|advise|suggest)\b(?! against)"
    r"|\b(?:is|are) (?:recommended|advisable|appropriate)\b|\byou should\b(?! not|n['\u2019]t)",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\bI(?:['\u2019]m| am) (?:sorry|unable|not able)\b"
    r"|\b(?:I|we) (?:can ?not|can['\u2019]t|won['\u2019]t|will not|am not able to)\b"
    r"|\bas an AI\b|\bnot possible to (?:answer|determine|tell|say)\b"
    r"|\bcannot be (?:answered|determined)\b",
    re.IGNORECASE,
)
_LEAD = 600
"""Characters in which a clear verdict must come where none is marked as such."""
_ENDS = 2_000
"""Characters at the start and at the end of a text in which a refusal is looked for."""


def first_word(text: str) -> str | None:
    """Return the yes or no that a text starts with, a label before it set aside."""
    found = _FIRST_WORD.match(text)
    return found["option"].casefold() if found else None


def labelled_line(text: str) -> str | None:
    """Return the yes or no of the last line such as "Final answer: no"."""
    found = list(_LABELLED_LINE.finditer(text))
    return found[-1]["option"].casefold() if found else None


def clear_lead(text: str) -> str | None:
    """Return yes or no where the first sentences advise for or against, but not both."""
    lead = text[:_LEAD]
    against, favour = bool(_AGAINST.search(lead)), bool(_FOR.search(lead))
    if against == favour:
        return None
    return "no" if against else "yes"


def declines(text: str) -> bool:
    """Return whether a text says, near its start or end, that it will not or cannot answer."""
    return bool(_REFUSAL.search(text[:_ENDS]) or _REFUSAL.search(text[-_ENDS:]))
