"""Signs of weak reasoning that need no judge, and how far they agree with one."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eval_tasks.question import MINUTES_PER_DAY, SAMPLE_MINUTES, Row
from judges.agreement import Agreement, agreement

Signal = Literal["hedged_number", "no_arithmetic", "outside_window"]
_TIMED = frozenset({"min", "h"})
_COMPUTED = frozenset({"number", "integer", "signed", "minute"})
_HEDGE = re.compile(
    r"\b(?:probably|presumably|roughly|approximately|around|about|maybe|perhaps|likely|possibly"
    r"|seems?|appears?|guess\w*|estimat\w*|ballpark|typical(?:ly)?|usually)\b"
    r"(?P<between>[^.\n\d]{0,60})-?\d[\d.,:]*(?P<behind>\s{0,3}[^\W\d]*)",
    re.IGNORECASE,
)
_NO_RESULT = re.compile(
    r"\b(?:day|week|meal|step|event|defined?|below|above|over|under|than|between|from|threshold|target)s?\b",
    re.IGNORECASE,
)
"""Words between a hedge and a number that is no result."""
_TIME = re.compile(
    r"\s{0,3}(?:h|hrs?|hours?|min|mins|minutes?|days?|weeks?|am|pm)\Z", re.IGNORECASE
)
_ARITHMETIC = re.compile(
    r"[\d)%]\s*[+*=\u00d7\u00f7\u22c5]\s*[-(]?\d|\d\s+x\s+\d|\\(?:frac|times|div|cdot)\b"
    r"|=\s*[-(]?\d[\d.,]*\)?\s*[-/\u2212]\s*[-(]?\d"
    r"|\b(?:sum|mean|average)\b.{0,40}="
)
"""A computation; "70-180", "06:00 - 09:00" and "140/90" are none."""
_DAYS = re.compile(
    r"\bdays?\s{1,3}(?P<first>\d{1,3})\b"
    r"(?:\s{0,3}(?P<joint>to|through|until|[-\u2013]|and)\s{0,3}(?:day\s)?(?P<last>\d{1,3})\b(?!:))?",
    re.IGNORECASE,
)
_DAYS_PER_WEEK = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What was seen in a reasoning.

    Attributes:
        hedged_number: The first words of a hedge before a number, empty if there is none.
        no_arithmetic: Whether a computed answer comes without any computation shown; None of an
            answer that is not computed.
        outside_window: Days it names outside what was asked about.
    """

    hedged_number: str
    no_arithmetic: bool | None
    outside_window: tuple[int, ...]

    def flags(self) -> dict[Signal, bool | None]:
        """Return each signal as yes or no; None where it says nothing."""
        return {
            "hedged_number": bool(self.hedged_number),
            "no_arithmetic": self.no_arithmetic,
            "outside_window": bool(self.outside_window),
        }


def signals(row: Row, text: str, *, coded: bool = False) -> Signals:
    """Return what is seen in the reasoning given to a row.

    Args:
        row: The row, as `material.rows_by_id` has it.
        text: The reasoning.
        coded: Whether the answer was computed with code, which is arithmetic.
    """
    computed = row["answer_type"] in _COMPUTED
    asked = _asked_days(row)
    named = _named_days(text)
    return Signals(
        hedged_number=_hedged_number(text, timed=row["unit"] in _TIMED),
        no_arithmetic=not coded and not _ARITHMETIC.search(text) if computed else None,
        outside_window=tuple(sorted(named - asked)),
    )


def agreement_with_judge(
    seen: Sequence[Signals], judged: Mapping[Signal, Sequence[bool]]
) -> dict[Signal, Agreement]:
    """Return how far each signal agrees with the failure type that it stands for, where it says anything.

    Args:
        seen: The signals of each reasoning.
        judged: By signal, whether the judge found its failure type in each, in the same order.
    """
    found: dict[Signal, Agreement] = {}
    for name, by_judge in judged.items():
        flags = [one.flags()[name] for one in seen]
        pairs = [
            (flag, said) for flag, said in zip(flags, by_judge, strict=True) if flag is not None
        ]
        found[name] = agreement([flag for flag, _ in pairs], [said for _, said in pairs])
    return found


def _hedged_number(text: str, *, timed: bool) -> str:
    """Return a hedge and the result before which it stands; times count where they are asked for."""
    for found in _HEDGE.finditer(text):
        if _NO_RESULT.search(found["between"]) or (_TIME.match(found["behind"]) and not timed):
            continue
        return found.group().strip()
    return ""


def _named_days(text: str) -> set[int]:
    """Return the days that a text names: "day 3", "days 20 to 22"."""
    named: set[int] = set()
    for found in _DAYS.finditer(text):
        first, last = int(found["first"]), int(found["last"] or found["first"])
        between = (found["joint"] or "and").casefold() != "and" and last > first
        named |= set(range(first, last + 1)) if between else {first, last}
    return named


def _asked_days(row: Row) -> set[int]:
    """Return the days that an answer may speak of, 1 the first.

    A question about days or weeks: these, and what question, instruction and rationale name;
    another with a cut: all up to a day after it.
    """
    given = json.loads(row["parameters"])
    last = -(-len(row["input_context"]["bg_mgdl"]) * SAMPLE_MINUTES // MINUTES_PER_DAY)
    if "cut" in given:
        return set(range(1, int(given["cut"]) // MINUTES_PER_DAY + 3))
    said = _named_days(f"{row['question']}\n{row['instruction']}\n{row['rationale']}")
    if "day" in given:
        return said | set(range(int(given["day"]), int(given.get("last_day", given["day"])) + 1))
    weeks = [int(given[name]) for name in ("week", "other_week") if name in given]
    if weeks:
        return said.union(*map(_days_of, weeks))
    return set(range(1, last + 1))


def _days_of(week: int) -> Iterable[int]:
    return range(_DAYS_PER_WEEK * (week - 1) + 1, _DAYS_PER_WEEK * week + 1)
