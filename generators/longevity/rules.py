"""The rule engine: which conditions a person meets, which rules fire, and what follows.

Advisable means: on what the profile shows, the expected benefit outweighs the harm at the regimen
asked for, and nothing must be diagnosed or treated first. The order in which rules decide:

1. a condition's rule against it (strength S or M),
2. a condition's rule that calls the question contestable,
3. a baseline against it,
4. a condition's rule in favour, with conditions before without,
5. a baseline that calls it contestable, else a baseline in favour.

A rule with the verdict `=` adds advice and never decides.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Literal, get_args

from generators.longevity.conditions import CONDITIONS, Condition
from generators.longevity.errors import LongevityError
from generators.longevity.expressions import Expression, limits, parse_expression
from generators.longevity.rule_table import RULE_TABLE
from generators.longevity.sources import source
from generators.longevity.vocabulary import INTERVENTIONS, Facts, Intervention, Sex, Verdict

BASELINE = "BASE"
Strength = Literal["S", "M", ""]
RuleVerdict = Literal["Y", "C", "N", "X", "="]

_LINE = re.compile(r"(?P<owner>[A-Z0-9]+) (?P<rules>\[.*\])")
_RULE = re.compile(
    r"\[(?P<interventions>[A-Z,]+)/(?P<verdict>[YCNX=])(?P<strength>[SM]?)"
    r"(?: when (?P<when>.*?))?: (?P<because>.*?) \{(?P<sources>.*?)\}\]"
)
_STAGES: tuple[tuple[bool, Verdict], ...] = (
    (False, "N"),
    (False, "X"),
    (True, "N"),
    (False, "C"),
    (False, "Y"),
    (True, "X"),
    (True, "C"),
    (True, "Y"),
)
"""Whether a baseline or a condition decides, and its verdict, in order of precedence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a condition or a baseline says about some interventions.

    Attributes:
        owner: Identifier of the condition, or BASE.
        interventions: Codes of the interventions it speaks about.
        verdict: Y, C, N, X or `=`.
        strength: S guideline, label or direct randomised trial; M consensus, small trial or close
            extrapolation; empty for X and `=`.
        when: Further condition; None where there is none.
        because: The reason.
        sources: Names of its sources; empty only for X and `=`.
    """

    owner: str
    interventions: tuple[Intervention, ...]
    verdict: RuleVerdict
    strength: Strength
    when: Expression | None
    because: str
    sources: tuple[str, ...]

    @property
    def is_baseline(self) -> bool:
        """Whether it speaks about everybody."""
        return self.owner == BASELINE

    @property
    def is_firm(self) -> bool:
        """Whether it has sources and all of them were seen."""
        standings = [source(name).standing for name in self.sources]
        return bool(standings) and all(standing == "seen" for standing in standings)

    def cite(self) -> str:
        """Return the rule in one line with its sources."""
        about = ",".join(self.interventions)
        return (
            f"{self.owner} {about}/{self.verdict}{self.strength}: {self.because} "
            f"{{{'; '.join(self.sources)}}}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A verdict and what it rests on.

    Attributes:
        verdict: Y, C, N or X.
        deciding: The rules of the stage that decided.
        conditions: Identifiers of the conditions that the person meets.
    """

    verdict: Verdict
    deciding: tuple[Rule, ...]
    conditions: tuple[str, ...]

    @property
    def answer(self) -> Literal["yes", "no"]:
        """What the verdict answers: yes for Y and C, no for N.

        Raises:
            LongevityError: The verdict is contestable.
        """
        if self.verdict == "X":
            reasons = " / ".join(rule.cite() for rule in self.deciding)
            raise LongevityError(f"the question is contestable: {reasons}")
        return "no" if self.verdict == "N" else "yes"


def parse_rules(text: str, conditions: Iterable[Condition] = CONDITIONS) -> tuple[Rule, ...]:
    """Read a rule table: an owner a line, one bracket a rule.

    Args:
        text: The table.
        conditions: The conditions that may and must own rules.

    Raises:
        LongevityError: A line has text outside its brackets or a bracket that is not in the form,
            an owner, intervention, number, flag or source is unknown, a verdict has no strength or
            no source, or a condition has no line or two.
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    rules = tuple(rule for line in lines for rule in _line(line))
    owners = [line.partition(" ")[0] for line in lines if not line.startswith(f"{BASELINE} ")]
    declared = [condition.id for condition in conditions]
    if sorted(owners) != sorted(declared):
        wrong = sorted(set(owners) ^ set(declared)) or owners
        raise LongevityError(f"each condition needs exactly one line of rules; look at {wrong}")
    return rules


def _line(line: str) -> tuple[Rule, ...]:
    match = _LINE.fullmatch(line)
    if match is None:
        raise LongevityError(f"rule line {line!r} is not an owner followed by brackets")
    left_over = _RULE.sub("", match["rules"]).strip()
    if left_over:
        raise LongevityError(f"rule line {line!r}: {left_over!r} is not in the form of a rule")
    return tuple(_rule(match["owner"], found) for found in _RULE.finditer(match["rules"]))


def _rule(owner: str, match: re.Match[str]) -> Rule:
    where = f"rule {match[0]!r} of {owner}"
    verdict, strength = _verdict(match["verdict"]), _strength(match["strength"])
    names = _names(match["sources"])
    if (verdict in "X=") == bool(strength):
        raise LongevityError(f"{where}: Y, C and N need a strength, X and = have none")
    if verdict not in "X=" and not names:
        raise LongevityError(f"{where}: name a source")
    return Rule(
        owner=owner,
        interventions=tuple(_intervention(code, where) for code in match[1].split(",")),
        verdict=verdict,
        strength=strength,
        when=parse_expression(match["when"]) if match["when"] else None,
        because=match["because"],
        sources=names,
    )


def _names(cell: str) -> tuple[str, ...]:
    if cell == "-":
        return ()
    return tuple(source(name.strip()).name for name in cell.split(";"))


def _verdict(letter: str) -> RuleVerdict:
    return next(verdict for verdict in get_args(RuleVerdict) if verdict == letter)


def _strength(letter: str) -> Strength:
    return next(strength for strength in get_args(Strength) if strength == letter)


def _intervention(code: str, where: str) -> Intervention:
    for known in INTERVENTIONS:
        if known == code:
            return known
    raise LongevityError(f"{where}: there is no intervention {code!r}")


RULES: tuple[Rule, ...] = parse_rules(RULE_TABLE)
"""The whole rule table."""


def conditions_met(facts: Facts) -> tuple[str, ...]:
    """Return the identifiers of the conditions that hold, in declared order."""
    return tuple(condition.id for condition in CONDITIONS if condition.when.holds(facts))


def fired_rules(
    facts: Facts, intervention: Intervention, rules: Iterable[Rule] = RULES
) -> tuple[Rule, ...]:
    """Return the rules that speak about the intervention for this person."""
    owners = {BASELINE, *conditions_met(facts)}
    return tuple(
        rule
        for rule in rules
        if rule.owner in owners
        and intervention in rule.interventions
        and (rule.when is None or rule.when.holds(facts))
    )


def decide(facts: Facts, intervention: Intervention, rules: Iterable[Rule] = RULES) -> Decision:
    """Return the verdict on an intervention.

    Raises:
        LongevityError: No rule speaks about it.
    """
    fired = fired_rules(facts, intervention, rules)
    for baseline, verdict in _STAGES:
        deciding = tuple(r for r in fired if r.is_baseline == baseline and r.verdict == verdict)
        if deciding:
            return Decision(
                verdict=verdict,
                deciding=deciding,
                conditions=conditions_met(facts),
            )
    raise LongevityError(
        f"no rule speaks about {intervention} for a person with {dict(facts.numbers)}"
    )


@cache
def age_limits(intervention: Intervention) -> frozenset[float]:
    """Return the ages in years at which what baselines say about an intervention changes."""
    spoken = (r.when for r in RULES if r.is_baseline and intervention in r.interventions)
    found = (pair for when in spoken if when is not None for pair in limits(when, "F"))
    return frozenset(limit for name, limit in found if name == "age")


@cache
def rule_limits(sex: Sex) -> Mapping[str, frozenset[float]]:
    """Return, by number, the limits that conditions and rules compare for a person of this sex."""
    extra = (rule.when for rule in RULES if rule.when is not None)
    found: dict[str, set[float]] = {}
    for expression in chain((condition.when for condition in CONDITIONS), extra):
        for name, limit in limits(expression, sex):
            found.setdefault(name, set()).add(limit)
    return MappingProxyType({name: frozenset(values) for name, values in found.items()})
