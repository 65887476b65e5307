"""The cases: every item in 8 user prompts under 5 system prompts, 1,000 for the 25 items.

For benchmarking only: not medical advice, written by engineers from cited sources, not reviewed by
a physician.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import get_args

from generators.longevity.errors import LongevityError
from generators.longevity.items import Background, Item, ground_truth, hidden_name
from generators.longevity.passages import Passage, context
from generators.longevity.profiles import (
    lv_01,
    lv_02,
    lv_03,
    lv_04,
    lv_05,
    lv_06,
    lv_07,
    lv_08,
    lv_09,
    lv_10,
    lv_11,
    lv_12,
    lv_13,
    lv_14,
    lv_15,
    lv_16,
    lv_17,
    lv_18,
    lv_19,
    lv_20,
    lv_21,
    lv_22,
    lv_23,
    lv_24,
    lv_25,
)
from generators.longevity.prompts import ANSWER_FORM, SYSTEM_PROMPTS, SystemPromptLevel
from generators.longevity.render import ProfileForm
from generators.longevity.review import committed_review, reviewed_items
from generators.longevity.rules import Decision
from generators.longevity.variants import DRAWN_FORMS, FORMS, ItemVariant
from generators.longevity.vocabulary import INTERVENTIONS

ITEMS: tuple[Item, ...] = (
    lv_01.ITEM,
    lv_02.ITEM,
    lv_03.ITEM,
    lv_04.ITEM,
    lv_05.ITEM,
    lv_06.ITEM,
    lv_07.ITEM,
    lv_08.ITEM,
    lv_09.ITEM,
    lv_10.ITEM,
    lv_11.ITEM,
    lv_12.ITEM,
    lv_13.ITEM,
    lv_14.ITEM,
    lv_15.ITEM,
    lv_16.ITEM,
    lv_17.ITEM,
    lv_18.ITEM,
    lv_19.ITEM,
    lv_20.ITEM,
    lv_21.ITEM,
    lv_22.ITEM,
    lv_23.ITEM,
    lv_24.ITEM,
    lv_25.ITEM,
)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """What was retrieved for each item, shown in its prompts and stored with its cases.

    Attributes:
        passages: Passages by item, best first; an item that is missing has none.
    """

    passages: Mapping[str, Sequence[Passage]] = field(default_factory=dict)


NOTHING_RETRIEVED = Retrieved()


def longevity_rows(
    form: ItemVariant = "original", *, seed: int = 0, retrieved: Retrieved = NOTHING_RETRIEVED
) -> Iterator[dict[str, object]]:
    """Yield all cases in declared order.

    Args:
        form: Which form of the items: as written, at another age, redrawn, and so on.
        seed: Seed of the forms that are drawn; another seed gives a fresh set.
        retrieved: Passages to show above the prompts.

    Raises:
        LongevityError: An item fails a check, or a prompt names what it must hide.
    """
    ids = [item.id for item in ITEMS]
    if len(set(ids)) != len(ids):
        raise LongevityError(f"two items share an identifier: {ids}")
    reviewed = reviewed_items(committed_review(), ITEMS) if form == "original" else frozenset()
    for item in ITEMS:
        made = FORMS[form](item, seed)
        passages = retrieved.passages.get(item.id, ())
        drawn_from = seed if form in DRAWN_FORMS else None
        for row in item_rows(made, form=form, drawn_from=drawn_from, passages=passages):
            yield {**row, "physician_reviewed": item.id in reviewed}


def item_rows(
    item: Item,
    *,
    form: ItemVariant = "original",
    drawn_from: int | None = None,
    passages: Sequence[Passage] = (),
) -> Iterator[dict[str, object]]:
    """Yield the 40 cases of an item.

    Args:
        item: The item.
        form: What form of an authored item it is; stands in the identifiers.
        drawn_from: Seed of a form that is drawn; stands in the identifiers.
        passages: Passages to show above the prompts.

    Raises:
        LongevityError: The item fails a check, or a prompt names what it must hide.
    """
    decision = ground_truth(item)
    truth = _truth(item, decision)
    drawn = None if drawn_from is None else f"s{drawn_from}"
    name = ".".join(filter(None, (item.id, None if form == "original" else form, drawn)))
    for variant in VARIANTS:
        prompt = user_prompt(item, variant)
        system = SYSTEM_PROMPTS[variant.system_prompt_level]
        leak = hidden_name(item, decision, f"{system}\n{prompt}")
        if leak:
            raise LongevityError(f"{item.id}.{variant.name}: the prompt says {leak!r}")
        yield {
            "case_id": f"{name}.{variant.name}",
            "item_variant": form,
            "background": variant.background,
            "profile_form": variant.profile_form,
            "distractor": variant.distractor,
            "system_prompt_level": variant.system_prompt_level,
            "system_prompt": system,
            "user_prompt": f"{context(passages)}{prompt}",
            "passages": [passage.model_dump() for passage in passages],
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
        "age_years": item.profile.age,
        "sex": item.profile.sex,
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
