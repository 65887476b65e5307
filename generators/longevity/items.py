"""An item: a fictional person, a question, and what a judge needs; with the checks it must pass.

For benchmarking only: not medical advice, written by engineers from cited sources, not reviewed by
a physician.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from generators.longevity.conditions import CONDITIONS
from generators.longevity.distractors import Distractor, check_distractor
from generators.longevity.errors import LongevityError
from generators.longevity.markers import Reference
from generators.longevity.profile import Profile
from generators.longevity.render import RENDERINGS, ProfileForm
from generators.longevity.rules import RULES, Decision, age_limits, decide, fired_rules, rule_limits
from generators.longevity.validation import CUTOFF_MARGIN, check_profile
from generators.longevity.wording import age_talk, impossible_years

Background = Literal["short", "verbose"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """The same person at another age, so that age can be told from disease.

    A text that is None stays as it is. The twin brings its own where the verdict differs, and
    where the text says something that hangs on the age.

    Attributes:
        age: In completed years.
        references: Reference ranges that depend on the age, by field.
        commentary: As in Item.
        critical_facts: As in Item.
        supporting_facts: As in Item.
        key_hazard: As in Item.
        next_step: As in Item.
    """

    age: int
    references: Mapping[str, Reference] = field(default_factory=dict)
    commentary: str | None = None
    critical_facts: tuple[str, ...] | None = None
    supporting_facts: tuple[str, ...] | None = None
    key_hazard: str | None = None
    next_step: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One person and one question.

    Texts may name in braces what the profile holds, for example {tsh} for value and unit, {age}
    or {regimen}; numbers of the profile are written in no other way.

    Attributes:
        id: Neutral, shown in case identifiers.
        profile: The person.
        openly: Conditions that the profile states by name; every other one that it meets is
            hidden, and no prompt may name it.
        background_short: Who asks and why, in a sentence or two.
        background_verbose: The same at length.
        question: Asks about the regimen.
        distractor: Irrelevant facts.
        commentary: Why the verdict is what it is, for the judge; quotes the rule that decides.
        keywords: Terms that a good answer would use.
        critical_facts: 2-4 facts that an answer must address.
        supporting_facts: 3-6 facts of which it should address two thirds.
        key_hazard: The danger to name.
        next_step: What should happen next.
        twin: The same person at another age.
    """

    id: str
    profile: Profile
    openly: tuple[str, ...] = ()
    background_short: str
    background_verbose: str
    question: str
    distractor: Distractor
    commentary: str
    keywords: tuple[str, ...]
    critical_facts: tuple[str, ...]
    supporting_facts: tuple[str, ...]
    key_hazard: str
    next_step: str
    twin: Twin

    def fill(self, text: str) -> str:
        """Return a text with its braces replaced by what the profile holds.

        Raises:
            LongevityError: A brace names something that the profile does not hold.
        """
        try:
            return text.format_map(self.profile.texts())
        except (KeyError, ValueError, IndexError) as error:
            raise LongevityError(f"{self.id}: cannot fill {text!r}: {error}") from error

    def background(self, length: Background) -> str:
        """Return the background of this length, filled."""
        texts = {"short": self.background_short, "verbose": self.background_verbose}
        return self.fill(texts[length])

    def rendered(self, form: ProfileForm) -> str:
        """Return the profile in this form."""
        return RENDERINGS[form](self.profile)


def ground_truth(item: Item) -> Decision:
    """Check an item and derive its verdict.

    Returns:
        The decision, its deciding rules reduced to those whose sources were all seen.

    Raises:
        LongevityError: The profile is inconsistent, the verdict is contestable, rests on a source
            that nobody has read or changes when one measurement moves by 10 %, the commentary
            quotes no deciding rule, or a distractor or a list of facts is not as it should be.
    """
    check_profile(item.profile, item.id)
    try:
        decision = _firm(decide(item.profile.facts(), item.profile.request.intervention))
        check_distractor(item.distractor, decision.conditions)
        problems = [
            *_text_problems(item, decision),
            *_age_problems(item),
            *_unstable(item.profile, decision),
        ]
    except LongevityError as error:
        raise LongevityError(f"{item.id}: {error}") from error
    if problems:
        raise LongevityError(f"{item.id}: {'; '.join(problems)}")
    return decision


def hidden_name(item: Item, decision: Decision, text: str) -> str | None:
    """Return the first name of a hidden condition that a text contains, None if it has none."""
    hidden = [c for c in CONDITIONS if c.id in decision.conditions and c.id not in item.openly]
    names = (condition.named_in(text) for condition in hidden)
    return next((name for name in names if name), None)


def _firm(decision: Decision) -> Decision:
    cited = " / ".join(rule.cite() for rule in decision.deciding)
    if decision.verdict == "X":
        raise LongevityError(f"the question is contestable, ask another: {cited}")
    firm = tuple(rule for rule in decision.deciding if rule.is_firm)
    if not firm:
        raise LongevityError(f"the verdict rests on a source that was not seen: {cited}")
    return replace(decision, deciding=firm)


def _text_problems(item: Item, decision: Decision) -> Iterator[str]:
    if not any(rule.because in item.commentary for rule in decision.deciding):
        reasons = " / ".join(rule.because for rule in decision.deciding)
        yield f"the commentary must quote the deciding rule: {reasons}"
    if not 2 <= len(item.critical_facts) <= 4:
        yield f"{len(item.critical_facts)} critical facts; state 2 to 4"
    if not 3 <= len(item.supporting_facts) <= 6:
        yield f"{len(item.supporting_facts)} supporting facts; state 3 to 6"
    if len(item.background_short) >= len(item.background_verbose):
        yield "the verbose background is not longer than the short one"
    if "{regimen}" not in item.question:
        yield "the question must state the {regimen}"
    fired = fired_rules(item.profile.facts(), item.profile.request.intervention)
    for rule in RULES:
        if f'"{rule.because}"' in item.commentary and rule not in fired:
            yield f"the commentary quotes a rule that does not hold here: {rule.cite()}"


def _age_problems(item: Item) -> Iterator[str]:
    """Say what the person's own words, or the texts that the twin keeps, get wrong about the age."""
    profile = item.profile
    findings = (*profile.history, *profile.medication)
    said = (
        item.background_short,
        item.background_verbose,
        item.distractor.text,
        *(finding.text for finding in findings),
    )
    ages = sorted((profile.age, item.twin.age))
    for text in said:
        yield from impossible_years(text, ages[0])
    limits = age_limits(profile.request.intervention)
    crosses = any(ages[0] < limit <= ages[1] for limit in limits)
    for text in _kept_texts(item):
        talk = age_talk(text, crosses_a_limit=crosses)
        if talk:
            yield f"the twin keeps {text!r}, where {talk!r} hangs on the age; give it its own"


def _kept_texts(item: Item) -> Iterator[str]:
    """Yield the texts for the judge that the twin shares with the item."""
    twin = item.twin
    if twin.commentary is None:
        yield item.commentary
    if twin.critical_facts is None:
        yield from item.critical_facts
    if twin.supporting_facts is None:
        yield from item.supporting_facts
    if twin.key_hazard is None:
        yield item.key_hazard
    if twin.next_step is None:
        yield item.next_step


def _unstable(profile: Profile, decision: Decision) -> Iterator[str]:
    """Say which single measurement, moved by the margin, would change the answer."""
    facts = profile.facts()
    limits = rule_limits(profile.sex)
    for name, value in facts.numbers.items():
        if name == "age":
            continue
        for factor in (1 - CUTOFF_MARGIN, 1 + CUTOFF_MARGIN):
            low, high = sorted((value, value * factor))
            if not any(low <= limit <= high for limit in limits.get(name, ())):
                continue
            numbers = {**facts.numbers, name: value * factor}
            moved = decide(replace(facts, numbers=numbers), profile.request.intervention)
            if moved.verdict == "X" or moved.answer != decision.answer:
                yield f"{name} at {numbers[name]:.4g} would change the verdict to {moved.verdict}"
