"""Checks on what an item's texts say about the person: years of life, age, and who speaks.

The prompts are written by the person in question, so nothing in them may speak about that person
in the third person, and what they tell must fit into a life of that length, at the age of the twin
as well.
"""

import re
from collections.abc import Iterator

_NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
}
_YEARS = re.compile(
    rf"\b(?P<number>\d+|{'|'.join(_NUMBERS)}) years\b"
    r"(?! (?:above|below|older|younger|ahead|behind|shorter|longer)\b)",
    re.IGNORECASE,
)
_DECADES = re.compile(r"\b(?:for|over) decades\b", re.IGNORECASE)
_AT_AGE = re.compile(
    r"\b(?:at|since the age of|at the age of) (?P<age>\d\d)\b(?! (?:%|percent|met))"
)
_RELATIVES = re.compile(
    r"\b(?:mother|father|parent|brother|sister|aunt|uncle|cousin|friend|wife|husband|children)",
    re.IGNORECASE,
)
_THIRD_PERSON = re.compile(r"\b(?:she|he|hers?|him|his|herself|himself)\b", re.IGNORECASE)
_FIRST_YEARS = (("wisdom t", 16), ("smok", 10), ("desk", 15), ("job", 15))
"""From which age on somebody can have, do or lose what a clause is about; else from birth."""
_OF_THIS_AGE = re.compile(
    r"\b(?:this|that|his|her) age\b|\b(?:an|the) age at which\b", re.IGNORECASE
)
_OF_AN_AGE = re.compile(
    r"\b(?:older|elderly|younger|old age)\b|\b(?:under|over|below|from) (?:the age of )?\d\d\b",
    re.IGNORECASE,
)


def impossible_years(text: str, age: int) -> Iterator[str]:
    """Say which stretches of time in a text about the person do not fit into a life of `age` years.

    Ages of relatives are left out.
    """
    for clause in re.split(r"[.;,]", text):
        first = max((year for word, year in _FIRST_YEARS if word in clause.lower()), default=0)
        for phrase, years in _durations(clause):
            if age - years < first:
                yield f"{phrase!r} in {clause.strip()!r} begins at {age - years} at the age of {age}"
        if _RELATIVES.search(clause):
            continue
        for match in _AT_AGE.finditer(clause):
            if int(match["age"]) > age:
                yield f"{match[0]!r} in {clause.strip()!r} lies ahead at the age of {age}"


def _durations(clause: str) -> Iterator[tuple[str, int]]:
    for match in _YEARS.finditer(clause):
        number = match["number"].lower()
        yield match[0], _NUMBERS[number] if number in _NUMBERS else int(number)
    for match in _DECADES.finditer(clause):
        yield match[0], 20


def third_person(finding: str) -> str | None:
    """Return the word by which a finding speaks about the person as about somebody else."""
    if _RELATIVES.search(finding):
        return None
    match = _THIRD_PERSON.search(finding)
    return match[0] if match else None


def age_talk(text: str, *, crosses_a_limit: bool) -> str | None:
    """Return the words by which a text for the judge says something that hangs on the age.

    Args:
        text: The text.
        crosses_a_limit: Whether the twin lies on another side of an age at which the rules change;
            then words about older people and stated ages count too.
    """
    match = _OF_THIS_AGE.search(text) or (crosses_a_limit and _OF_AN_AGE.search(text))
    return match[0] if match else None
