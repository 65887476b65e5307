"""Sentences that must not matter: from a closed list of safe topics, clear of every rule."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generators.longevity.conditions import CONDITIONS
from generators.longevity.errors import LongevityError
from generators.longevity.markers import MARKERS

SAFE_TOPICS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "eye or hair colour": frozenset(),
        "left-handedness": frozenset(),
        "blood group": frozenset(),
        "siblings": frozenset(),
        "birthplace": frozenset(),
        "job title": frozenset(),
        "music": frozenset(),
        "crosswords": frozenset(),
        "cat": frozenset(),
        "tram": frozenset(),
        "glasses": frozenset(),
        "wisdom teeth": frozenset(),
        "appendix": frozenset(),
        "chickenpox": frozenset(),
        "childhood wrist fracture": frozenset({"OSTEO", "CUSH"}),
        "star sign": frozenset(),
        "phone": frozenset(),
        "holiday": frozenset(),
        "tattoo": frozenset(),
        "spicy food": frozenset({"GERD"}),
        "biological age app": frozenset(),
        "friend's success": frozenset(),
        "podcast": frozenset(),
        "horoscope": frozenset(),
        "microbiome report": frozenset(),
    }
)
"""What a distractor may be about, and the conditions beside which it would matter."""

HARMLESS_MARKERS = frozenset({"plt", "na"})
"""Measurements that no rule reads and a distractor may name."""

_READ_BY_RULES = (
    # drugs and what distorts tests
    "metformin insulin sulfonylurea glic glip levothyroxin thyrox steroid cortiso predniso warfarin "
    "anticoag antiplatelet aspirin clopidogrel antihypertens diuretic thiazid gliflozin statin "
    "antifung macrolid clarithro contracept pill proton omeprazol lithium moclobemid chemother "
    "biotin creatin grapefruit wort medic drug tablet supplement",
    # symptoms
    "weigh lost loss gain tired fatigu exhaust cold heat bruis ring\\b rings shoe snor headach sweat missed "
    "period cycle menstru palpitat faint dizz chest breath swell swallow stool joint "
    "bone pain\\b painful fall height mood bing symptom reflux heartburn fever infect "
    # signs and diseases
    "chin\\b acne follic ovar gaps tingl nerve purple stripe chair\\b face\\b coeliac celiac gluten wheat "
    "ligament endurance oxygen rowing immun",
    # life
    "conceiv pregnan nurs breastfeed surgery operation dental vaccin shift ramadan vegan donat tea\\b "
    "coffee alcohol wine beer smok cigar race\\b marathon labour dog walk run gym sport train exercis "
    "fast diet calor eat anorex bulim hip parent mother father heart",
    # laboratory
    "glucose sugar choleste lipid triglycer thyroid tsh hormone testost estrog iron ferrit anaem "
    "anem haemoglob hemoglob calcium vitamin pressure pulse kidney liver album urate gout diabet "
    "cancer density strength grip muscle",
)
_FORBIDDEN = tuple(
    re.compile(rf"\b{stem}", re.IGNORECASE) for stem in " ".join(_READ_BY_RULES).split()
) + tuple(
    re.compile(rf"\b{re.escape(marker.name)}(?!\w)")
    for marker in MARKERS.values()
    if marker.field not in HARMLESS_MARKERS
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Distractor:
    """A sentence or two that change nothing, and the safe topics they are about."""

    topics: tuple[str, ...]
    text: str


def check_distractor(distractor: Distractor, conditions: Iterable[str]) -> None:
    """Check that a distractor touches no rule.

    Args:
        distractor: The distractor.
        conditions: Identifiers of the conditions that the profile meets.

    Raises:
        LongevityError: A topic is not on the safe list, matters beside one of the conditions, or
            the text holds a word that rules read, a measurement or the name of a condition.
    """
    met = frozenset(conditions)
    for topic in distractor.topics:
        if topic not in SAFE_TOPICS:
            raise LongevityError(f"the distractor topic {topic!r} is not on the safe list")
        clash = SAFE_TOPICS[topic] & met
        if clash:
            raise LongevityError(f"the distractor topic {topic!r} matters beside {sorted(clash)}")
    for pattern in _FORBIDDEN:
        found = pattern.search(distractor.text)
        if found:
            raise LongevityError(f"the distractor {distractor.text!r} says {found[0]!r}")
    for condition in CONDITIONS:
        name = condition.named_in(distractor.text)
        if name:
            raise LongevityError(f"the distractor {distractor.text!r} names {name!r}")


HARD_DISTRACTORS: tuple[Distractor, ...] = (
    Distractor(
        topics=("biological age app",),
        text=(
            "An app that does not say how it counts puts my biological age nine years above my "
            "real one and has sent me a warning in red letters."
        ),
    ),
    Distractor(
        topics=("friend's success",),
        text=(
            "A friend of my age did exactly this for a year, and a test from the internet now "
            "calls her fourteen years younger than her passport."
        ),
    ),
    Distractor(
        topics=("podcast",),
        text=(
            "In a podcast a professor of biology says that everybody who knows the studies does "
            "it himself, and that doctors are ten years behind."
        ),
    ),
    Distractor(
        topics=("microbiome report",),
        text=(
            "A report on the bacteria of my gut, ordered from abroad, gives me 38 of 100 points "
            "and files me under a type that is said to be rare."
        ),
    ),
    Distractor(
        topics=("blood group",),
        text=(
            "My blood group is AB negative, which a website connects with a delicate constitution "
            "and a book with great resilience."
        ),
    ),
    Distractor(
        topics=("appendix", "wisdom teeth", "chickenpox"),
        text=(
            "I had chickenpox as a child, my appendix was taken out when I was eleven, and two "
            "wisdom teeth came out later under local anaesthetic."
        ),
    ),
    Distractor(
        topics=("glasses",),
        text="My optician measured minus six on both sides and wrote that this is stable.",
    ),
    Distractor(
        topics=("horoscope", "star sign"),
        text=(
            "My horoscope for the month warns people of my star sign against hasty steps that "
            "concern the body."
        ),
    ),
)
"""Health talk without weight; each may stand beside every condition."""
