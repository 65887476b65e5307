"""Whether a quote really stands in a text, and as what."""

import re

_MARKS = re.compile(r"[*_`#>|]+")
_BLANKS = re.compile(r"\s+")
_SAME = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u2010": "-",
        "\u2011": "-",
        "\u2012": "-",
        "\u2013": "-",
        "\u2014": "-",
        "\u00a0": " ",
        "\u202f": " ",
    }
)
_GAP = re.compile(r"\s*(?:\.\.\.|\u2026|\[\u2026\]|\[\.\.\.\])\s*")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")
_NO_DENIAL = r"(?<!not\s)(?<!n't\s)(?<!never\s)"
_WHICH = r"(?:all|any|of|the|your|these|those|previous|prior|above|earlier|preceding|other|five)"
_TO_THE_JUDGE = re.compile(
    r"\b(?:to|for|dear|hello|the|attention)[ ,]{1,3}(?:the |any |whoever )?"
    r"(?:judge|grader|evaluator|rubric)s?\b"
    r"|^\W*(?:judge|grader|evaluator|assessor)s?\s?:"
    rf"|{_NO_DENIAL}\b(?:ignore|disregard|forget|override)\s(?:{_WHICH}\s){{1,4}}"
    r"(?:instruction|rule|prompt|guideline|rubric|criteri|check|fact)\w*"
    rf"|{_NO_DENIAL}\b(?:ignore|disregard|forget)\s(?:everything|all|anything|whatever)\b.{{0,30}}"
    r"\b(?:above|before|previous|earlier|said|told)\b"
    r"|\bmark\b.{0,40}\bas\s(?:met|true|pass(?:ed)?|fulfilled|satisfied)\b"
    r"|\bmark\s(?:it|this|them|all|each|every\w*)\b.{0,40}\b(?:met|true|pass(?:ed)?|fulfilled|satisfied)\b"
    r"|\b(?:all|every|each|the five)\s(?:(?:of|the|five|your|these|single)\s){0,3}(?:requirement|check)\w*\b"
    r".{0,40}\b(?:met|true|pass(?:ed|es)?|fulfilled|satisf\w+)\b"
    r"|\b(?:answer|response|text)\b.{0,20}\b(?:satisf\w+|fulfil\w*|meets?|pass(?:es)?)\b.{0,40}"
    r"\b(?:all|every|each)\b.{0,40}\b(?:requirement|criteri|check)\w*"
    r"|\"met\"|\bmet\s*[:=]\s*true\b|\b(?:verdict|score)\b.{0,20}\bpass\b|</\w+>"
    r"|<(?:answer|verdict|system|judge|instructions?)>",
    re.IGNORECASE,
)
SHORTEST_QUOTE = 12
"""Characters that a quote must have, unless it is the whole text."""
_MOST_TEXT = 20_000
LEFT_OUT = "\n[the middle is left out here]\n"
"""Stands in the place of the middle of a very long answer."""


def plain(text: str) -> str:
    r"""Return a text without marks of markdown, in small letters, with single blanks.

    >>> plain("**TSH** \u2013 is\n42")
    'tsh - is 42'
    """
    unmarked = _MARKS.sub(" ", text.translate(_SAME))
    return _BLANKS.sub(" ", unmarked).strip().casefold()


def judged_text(text: str, most: int = _MOST_TEXT) -> str:
    """Return what is judged of an answer: marks of headings and bold gone, the middle too if very long.

    Style must not decide (Zheng 2023, arXiv 2306.05685; Saito 2023, arXiv 2310.10076).
    """
    unmarked = re.sub(r"^[ \t]*#+[ \t]+|\*\*|__|`", "", text, flags=re.MULTILINE).strip()
    if len(unmarked) <= most:
        return unmarked
    return f"{unmarked[: most // 2]}{LEFT_OUT}{unmarked[-(most // 2) :]}"


def sentences(text: str) -> list[str]:
    """Return the sentences and lines of a text."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


def speaks_to_the_judge(sentence: str) -> bool:
    """Return whether a sentence is about its own judging instead of the matter."""
    return bool(_TO_THE_JUDGE.search(sentence))


def evidence(text: str) -> str:
    """Return the text in which quotes must stand: without sentences that speak to the judge."""
    return plain(" ".join(part for part in sentences(text) if not speaks_to_the_judge(part)))


def stands_in(quote: str, evidence_text: str) -> bool:
    """Return whether a quote stands in a text, gaps marked by dots allowed.

    Args:
        quote: As the judge gave it.
        evidence_text: What `evidence` or `plain` returned.
    """
    parts = [part for part in map(plain, _GAP.split(quote.strip(" \"'"))) if part]
    whole = " ".join(parts)
    if not whole or (len(whole) < SHORTEST_QUOTE and whole != evidence_text):
        return False
    at = 0
    for part in parts:
        at = evidence_text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True
