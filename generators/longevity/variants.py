"""Further forms of an item: other age, other values, harder distractors, other wording.

Every form is checked like an authored item, and its verdict is derived again by the rules.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

from generators.longevity.derived import DERIVED
from generators.longevity.distractors import HARD_DISTRACTORS, Distractor
from generators.longevity.errors import LongevityError
from generators.longevity.items import Item, ground_truth
from generators.longevity.markers import MARKERS, Reference
from generators.longevity.profile import Measurement, Profile, measured
from generators.longevity.rules import Decision, rule_limits
from generators.longevity.validation import near_cutoffs
from generators.streams import Stream

ItemVariant = Literal["original", "age_twin", "redrawn", "hard_distractor", "paraphrased"]

QUESTIONS = (
    "I am thinking of {regimen}. Would that be good for me, looking at the decades ahead?",
    "My plan is {regimen}. Do you say that I should go ahead, or do you say that I should not?",
    "What do you make of the idea that I take up {regimen}, so as to stay healthy into old age?",
    "Somebody in my position and {regimen}: is that wise, if the aim is many healthy years?",
)
"""Other wordings of the question; none leans to either side."""

_SPAN = 0.12
_SPANS: Mapping[str, float] = MappingProxyType(
    {
        "height": 0.02,
        "weight": 0.03,
        "waist": 0.03,
        "na": 0.03,
        "ca": 0.03,
        "ca_corr": 0.03,
        "nyha": 0.0,
    }
)
"""How far a value moves where that differs: the waist goes with the weight, and the body holds
sodium and calcium within narrow bounds."""
_TRIES = 20
_ATTEMPTS = 500
_DERIVED = frozenset(derived.field for derived in DERIVED)


def original(item: Item, _seed: int) -> Item:
    """Return the item as written."""
    return item


def age_twin(item: Item, _seed: int) -> Item:
    """Return the same person at another age, with what follows from the age recomputed."""
    twin = item.twin
    references = {**_references(item.profile), **twin.references}
    changed = replace(item.profile, age=twin.age)
    profile = _with_values(changed, _values(item.profile), references)
    return replace(
        item,
        profile=profile,
        commentary=twin.commentary or item.commentary,
        critical_facts=twin.critical_facts or item.critical_facts,
        supporting_facts=twin.supporting_facts or item.supporting_facts,
        key_hazard=twin.key_hazard or item.key_hazard,
        next_step=twin.next_step or item.next_step,
    )


def redrawn(item: Item, seed: int) -> Item:
    """Return the item with every measurement drawn anew within the region of its verdict.

    A value moves by up to 12 % (height 2 %, weight, waist, sodium and calcium 3 %) and stays on the
    same side of every cut-off, rule and reference limit, so that what the texts say about it
    remains true. Values that belong together stay a plausible pair.

    Raises:
        LongevityError: No consistent set of values was found.
    """
    decision = ground_truth(item)
    for attempt in range(_ATTEMPTS):
        stream = Stream(seed, "longevity redraw", item.id, attempt)
        values = {m.field: _drawn(item.profile, m, stream) for m in item.profile.measurements}
        profile = _with_values(item.profile, values, _references(item.profile))
        candidate = replace(item, profile=profile)
        if _regions(profile) == _regions(item.profile) and _same_truth(candidate, decision):
            return candidate
    raise LongevityError(f"{item.id}: no values found that keep the verdict; widen its margins")


def hard_distractor(item: Item, seed: int) -> Item:
    """Return the item with two sentences of health talk that change nothing as distractor."""
    order = Stream(seed, "longevity hard distractor", item.id).shuffled(HARD_DISTRACTORS)
    chosen = order[:2]
    return replace(
        item,
        distractor=Distractor(
            topics=tuple(topic for distractor in chosen for topic in distractor.topics),
            text=" ".join(distractor.text for distractor in chosen),
        ),
    )


def paraphrased(item: Item, seed: int) -> Item:
    """Return the item with the question in other words."""
    return replace(item, question=Stream(seed, "longevity question", item.id).choice(QUESTIONS))


FORMS: Mapping[ItemVariant, Callable[[Item, int], Item]] = MappingProxyType(
    {
        "original": original,
        "age_twin": age_twin,
        "redrawn": redrawn,
        "hard_distractor": hard_distractor,
        "paraphrased": paraphrased,
    }
)
"""How each form is made from an item and a seed."""
DRAWN_FORMS: frozenset[ItemVariant] = frozenset({"redrawn", "hard_distractor", "paraphrased"})
"""Forms that depend on the seed."""


def _values(profile: Profile) -> dict[str, float]:
    return {m.field: m.value for m in profile.measurements}


def _references(profile: Profile) -> dict[str, Reference]:
    return {m.field: m.reference for m in profile.measurements if m.reference}


def _with_values(
    profile: Profile, values: Mapping[str, float], references: Mapping[str, Reference]
) -> Profile:
    """Return the profile with other values; those that follow from others are recomputed."""
    complete = dict(values)
    for derived in DERIVED:
        if derived.field in complete:
            value = derived.compute(profile.sex, profile.age, complete)
            if value is not None:
                complete[derived.field] = round(value, MARKERS[derived.field].decimals)
    meant = {m.field: m.meant for m in profile.measurements if m.meant}
    return replace(profile, measurements=measured(complete, meant=meant, references=references))


def _drawn(profile: Profile, measurement: Measurement, stream: Stream) -> float:
    """Return a value in the same region, the old one where no try finds another."""
    if measurement.field in _DERIVED:
        return measurement.value
    span = _SPANS.get(measurement.field, _SPAN)
    for share in stream.uniform(_TRIES):
        value = measurement.value * (1 + span * (2 * float(share) - 1))
        drawn = replace(measurement, value=round(value, measurement.marker.decimals))
        if _region(profile, drawn) == _region(profile, measurement):
            return drawn.value
    return measurement.value


def _regions(profile: Profile) -> tuple[tuple[bool, ...], ...]:
    return tuple(_region(profile, measurement) for measurement in profile.measurements)


def _region(profile: Profile, measurement: Measurement) -> tuple[bool, ...]:
    """Return on which side of each limit a measurement lies, and whether it is near one."""
    name, fact = measurement.fact(profile.sex)
    limits = {*measurement.marker.cutoffs[profile.sex], *rule_limits(profile.sex).get(name, ())}
    sides = (side for limit in sorted(limits) for side in (fact < limit, fact > limit))
    return (*sides, *_sides(profile, measurement), bool(near_cutoffs(profile, measurement)))


def _sides(profile: Profile, measurement: Measurement) -> Iterator[bool]:
    printed = measurement.printed_range(profile.sex)
    if printed is not None and printed.low is not None:
        yield measurement.value < printed.low
    if printed is not None and printed.high is not None:
        yield measurement.value > printed.high


def _same_truth(candidate: Item, decision: Decision) -> bool:
    try:
        return ground_truth(candidate).deciding == decision.deciding
    except LongevityError:
        return False
