"""The cases: every item in 8 user prompts under 5 system prompts.

For benchmarking only: not medical advice, written by engineers from cited sources, not reviewed by
a physician.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import get_args

from generators.longevity.errors import LongevityError
from generators.longevity.items import Background, Item, ground_truth, hidden_name
from generators.longevity.profiles import lv_01, lv_02, lv_03, lv_04
from generators.longevity.prompts import ANSWER_FORM, SYSTEM_PROMPTS, SystemPromptLevel
from generators.longevity.render import ProfileForm
from generators.longevity.rules import Decision
from generators.longevity.vocabulary import INTERVENTIONS

ITEMS: tuple[Item, ...] = (lv_01.ITEM, lv_02.ITEM, lv_03.ITEM, lv_04.ITEM)
"""All items, in the order of the rows."""

ANSWERS = ("yes", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One cell of the factorial design."""

    background: Background
    profile_form: ProfileForm
    distractor: bool
    system_prompt_level: SystemPromptLevel

    @property
    def name(self) -> str:
        """The cell as written in case identifiers."""
        facts = "distracted" if self.distractor else "plain"
        return f"{self.background}.{self.profile_form}.{facts}.{self.system_prompt_level}"


VARIANTS: tuple[Variant, ...] = tuple(
    Variant(
        background=background,
        profile_form=form,
        distractor=distractor,
        system_prompt_level=level,
    )
    for background, form, distractor, level in product(
        get_args(Background), get_args(ProfileForm), (False, True), get_args(SystemPromptLevel)
    )
)
"""2 backgrounds x 2 profile forms x 2 distractor states x 5 system prompts."""


def longevity_rows() -> Iterator[dict[str, object]]:
    """Yield all cases in declared order.

    Raises:
        LongevityError: An item fails a check, or a prompt names what it must hide.
    """
    ids = [item.id for item in ITEMS]
    if len(set(ids)) != len(ids):
        raise LongevityError(f"two items share an identifier: {ids}")
    for item in ITEMS:
        yield from item_rows(item)


def item_rows(item: Item) -> Iterator[dict[str, object]]:
    """Yield the 40 cases of an item.

    Raises:
        LongevityError: The item fails a check, or a prompt names what it must hide.
    """
    decision = ground_truth(item)
    truth = _truth(item, decision)
    for variant in VARIANTS:
        prompt = user_prompt(item, variant)
        system = SYSTEM_PROMPTS[variant.system_prompt_level]
        leak = hidden_name(item, decision, f"{system}\n{prompt}")
        if leak:
            raise LongevityError(f"{item.id}.{variant.name}: the prompt says {leak!r}")
        yield {
            "case_id": f"{item.id}.{variant.name}",
            "background": variant.background,
            "profile_form": variant.profile_form,
            "distractor": variant.distractor,
            "system_prompt_level": variant.system_prompt_level,
            "system_prompt": system,
            "user_prompt": prompt,
            **truth,
        }


def user_prompt(item: Item, variant: Variant) -> str:
    """Return the user message: background, profile, distractor, question, form of the answer."""
    parts = [
        item.background(variant.background),
        f"These are my data:\n{item.rendered(variant.profile_form)}",
        *([item.distractor.text] if variant.distractor else []),
        item.fill(item.question),
        ANSWER_FORM,
    ]
    return "\n\n".join(parts)


def _truth(item: Item, decision: Decision) -> dict[str, object]:
    """Return the columns that are the same in all cases of an item."""
    return {
        "item_id": item.id,
        "intervention": INTERVENTIONS[item.profile.request.intervention],
        "age_group": item.profile.age_group,
        "conditions": list(decision.conditions),
        "options": list(ANSWERS),
        "answer": json.dumps(decision.answer),
        "deciding_rules": [rule.cite() for rule in decision.deciding],
        "commentary": item.fill(item.commentary),
        "keywords": list(item.keywords),
        "critical_facts": [item.fill(fact) for fact in item.critical_facts],
        "supporting_facts": [item.fill(fact) for fact in item.supporting_facts],
        "key_hazard": item.fill(item.key_hazard),
        "next_step": item.fill(item.next_step),
        "physician_reviewed": False,
    }
