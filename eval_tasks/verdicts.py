"""Yes or no in prose, and refusals.

Yes and no are read by the same patterns, so that no form is taken of one and refused of the other.
What may be a hedge, a condition or a denial is left unread.
"""

import re
from typing import Literal

Verdict = Literal["yes", "no"]
UNCLEAR: Literal["unclear"] = "unclear"
"""Both are said where one was asked for."""
VERDICTS: tuple[Verdict, ...] = ("yes", "no")

_SPEAKING = (
    "because|since|as|for|if|unless|provided|given|based|but|though|although|i|we|you|it|this"
)
"""Words that may follow a verdict without a comma."""
_STOP = rf"(?!['\u2019-]\w|[.#]\d|\s?[?])(?=[^\w\s]|\s*$|\s*\n|\s+(?:{_SPEAKING})\b|\s+[^\w\s])"
_SAID = rf"\b(?P<verdict>yes|no)\b{_STOP}"
_LABEL = (
    r"(?:(?:(?:my|the|your)\s)?(?:(?:final|short|long|direct)\s)?"
    r"(?:answer(?![\"'\u201d\u2019]\s{0,20}:)|verdict|recommendation|decision|conclusion)|in\s(?:short|summary|brief)|overall)"
)
_JOINT = r"(?:\s{1,3}(?:is|would\sbe))?[^\w\n]{0,10}\n{0,2}[^\w\n]{0,5}"
_LABELLED = rf"{_LABEL}\b{_JOINT}{_SAID}"
_LEAD_IN = (
    r"(?:(?:based\son|given|considering|going\sby|in\sview\sof|so|therefore|thus|hence)\b"
    r"[^.;:?!\n]{0,120}?\b)?"
)
_FIRST_WORD = re.compile(rf"\W{{0,10}}+(?:{_LABEL}\b{_JOINT})?{_SAID}", re.IGNORECASE)
_LINE = re.compile(
    rf"(?:^\W{{0,10}}+|(?<=[.!?])\s){_LEAD_IN}{_LABELLED}", re.IGNORECASE | re.MULTILINE
)
_CONDITION = re.compile(
    r"\b(?:if|unless|whether|when|not|never|without)\b|n['\u2019]t\b", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
_CLAUSE = re.compile(r"[,;]\s(?:(?:so|and|but|therefore|hence|thus)\s)?")
_NEXT_WORD = re.compile(
    r"[^\w\n]{0,5}(?:(?:and|or|but|then|well|actually|rather)\b[^\w\n]{0,5})?\b(?P<word>yes|no)\b",
    re.IGNORECASE,
)

_NOT = r"\s(?:not|never)\b|n['\u2019]t\b"
_THING = (
    r"(?:it|this|that|(?:this|the|such\san?)\s(?:intervention|plan|programme|program|diet|treatment"
    r"|therapy|supplement|regimen|approach|training)|(?:intermittent\s)?fasting|cold\sexposure"
    r"|caloric\srestriction|calorie\srestriction|exercise|epicatechin|fisetin|spermidine|rapamycin)"
)
_VERB = r"(?:start|begin|try|do|take|use|go\sahead\swith)"
_GERUND = r"(?:starting|beginning|trying|doing|taking|using|going\sahead\swith)"
_ACT = rf"(?:(?:{_VERB}|{_GERUND})(?:\s(?:with\s)?{_THING})?|{_THING})"
_CIRCUMSTANCE = (
    r"(?:\s(?:for\syou|now|right\snow|yet|today|at\sthis\s(?:time|point|stage)|at\sthe\smoment|slowly"
    r"|gradually|in\syour\s(?:case|situation)))*"
)
_ADVICE = re.compile(
    rf"(?:I|we)(?:\s(?:would|do|can)(?P<refrains>{_NOT})?)?\s(?:strongly\s)?"
    rf"(?:recommend|advise|suggest)(?P<against>\sagainst)?"
    rf"(?:\s(?:that\s)?you(?P<avoids>\sdo\snot|\sdon['\u2019]t|\snot|\sshould\snot)?(?:\sto)?)?"
    rf"\s{_ACT}{_CIRCUMSTANCE}",
    re.IGNORECASE,
)
_OUGHT = re.compile(
    rf"you\sshould(?P<refrains>{_NOT})?\s{_VERB}(?:\s(?:with\s)?{_THING})?{_CIRCUMSTANCE}",
    re.IGNORECASE,
)
_JUDGED = re.compile(
    rf"(?:it|this|{_THING})(?:\sis|['\u2019]s|\swould\sbe)(?P<refrains>{_NOT})?"
    rf"\s(?:recommended|advisable|appropriate|safe)(?:\sfor\syou)?(?:\sto\s{_VERB}(?:\s{_THING})?)?"
    rf"{_CIRCUMSTANCE}",
    re.IGNORECASE,
)
_REVERSAL = re.compile(
    r"\s*(?:but|however|yet|unless|except|still|that said|only)\b", re.IGNORECASE
)
_REFUSAL = re.compile(
    r"\bI(?:['\u2019]m| am) (?:sorry|unable|not able)\b"
    r"|\b(?:I|we) (?:can ?not|can['\u2019]t|won['\u2019]t|will not|am not able to)\b"
    r"|\bas an AI\b|\bnot possible to (?:answer|determine|tell|say)\b"
    r"|\bcannot be (?:answered|determined)\b",
    re.IGNORECASE,
)
_LONGEST_SENTENCE = 200
"""Characters of a sentence that says clearly whether something is advised."""
_MOST_LABELS = 20
_ENDS = 2_000
"""Characters at the start and at the end of a text in which a refusal is looked for."""


def first_word(text: str) -> Verdict | Literal["unclear"] | None:
    """Return the yes or no that a text starts with, a label before it set aside.

    `UNCLEAR` if the same sentence says the opposite too ("yes and no", "yes? no"), None if it
    starts with something else.
    """
    found = _FIRST_WORD.match(text)
    if not found:
        return None
    rest = text[found.end() : found.end() + _LONGEST_SENTENCE]
    follows = _NEXT_WORD.match(rest)
    said = {as_verdict(found["verdict"])} | ({as_verdict(follows["word"])} if follows else set())
    sentence = _SENTENCE_END.split(rest, maxsplit=1)[0]
    said |= {as_verdict(other) for other in re.findall(_SAID, sentence, re.IGNORECASE)}
    clauses = (
        clear_advice(clause.strip(" ,;:-\u2013\u2014")) for clause in _CLAUSE.split(sentence)
    )
    said |= {advised for advised in clauses if advised}
    return as_verdict(found["verdict"]) if len(said) == 1 else UNCLEAR


def labelled(text: str) -> Verdict | Literal["unclear"] | None:
    """Return the yes or no of lines such as "Final answer: no"; `UNCLEAR` if they differ.

    A line that states a condition or a denial before its label is not counted.
    """
    said = {
        as_verdict(found["verdict"])
        for found in list(_LINE.finditer(text))[-_MOST_LABELS:]
        if not _CONDITION.search(found[0])
    }
    return None if not said else said.pop() if len(said) == 1 else UNCLEAR


def clear_advice(text: str) -> Verdict | None:
    """Return yes or no where the first sentence does nothing but advise for or against it.

    Only known forms count, and as a whole: "I recommend that you see a doctor first", "I would not
    recommend waiting" and "I do not recommend against it" are neither.
    """
    text = text[: 2 * _LONGEST_SENTENCE]
    end = _SENTENCE_END.search(text)
    sentence = text[: end.start() if end else None].strip()
    if len(sentence) > _LONGEST_SENTENCE or (end and _REVERSAL.match(text[end.end() :])):
        return None
    for form in (_ADVICE, _OUGHT, _JUDGED):
        found = form.fullmatch(" ".join(sentence.split()))
        if found:
            denials = sum(part is not None for part in found.groupdict().values())
            return {0: "yes", 1: "no"}.get(denials)  # type: ignore[return-value]
    return None


def declines(text: str) -> bool:
    """Return whether a text says, near its start or end, that it will not or cannot answer."""
    return bool(_REFUSAL.search(text[:_ENDS]) or _REFUSAL.search(text[-_ENDS:]))


def as_verdict(word: str) -> Verdict:
    """Return the word yes or no, in whatever case, as a verdict."""
    return "yes" if word.casefold() == "yes" else "no"
