"""Twins, redrawn values, harder distractors and paraphrases keep what they must keep."""

from dataclasses import replace
from typing import get_args

import pytest

from generators.longevity.cases import ITEMS, longevity_rows
from generators.longevity.conditions import CONDITIONS
from generators.longevity.distractors import (
    HARD_DISTRACTORS,
    HARMLESS_MARKERS,
    Distractor,
    check_distractor,
)
from generators.longevity.errors import LongevityError
from generators.longevity.items import Item, Twin, ground_truth
from generators.longevity.markers import MARKERS
from generators.longevity.profile import Finding
from generators.longevity.rules import decide, fired_rules
from generators.longevity.variants import (
    FORMS,
    QUESTIONS,
    ItemVariant,
    age_twin,
    hard_distractor,
    paraphrased,
    redrawn,
)

SEEDS = range(8)
FLIPPED_BY_AGE = {"lv_09", "lv_25"}


def values(item: Item) -> dict[str, float]:
    return {m.field: m.value for m in item.profile.measurements}


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_a_twin_differs_in_age_and_in_what_follows_from_it(item: Item) -> None:
    twin = age_twin(item, 0)
    changed = {f for f, value in values(twin).items() if value != values(item)[f]}
    assert twin.profile.age == item.twin.age != item.profile.age
    assert changed <= {"egfr"}
    assert twin.profile.history == item.profile.history
    assert twin.profile.request == item.profile.request
    assert twin.question == item.question


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_the_verdict_of_a_twin_is_derived_again(item: Item) -> None:
    twin = age_twin(item, 0)
    decision = ground_truth(twin)
    assert (
        decision.verdict == decide(twin.profile.facts(), twin.profile.request.intervention).verdict
    )
    assert (decision.answer != ground_truth(item).answer) == (item.id in FLIPPED_BY_AGE)


def test_twins_separate_age_from_disease() -> None:
    crossed = [i for i in ITEMS if age_twin(i, 0).profile.age_group != i.profile.age_group]
    assert len(crossed) >= 15
    sick = [i for i in crossed if ground_truth(i).conditions and i.id not in FLIPPED_BY_AGE]
    assert {ground_truth(i).answer for i in sick} == {"yes", "no"}


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_redrawn_values_keep_verdict_and_rules(item: Item) -> None:
    decision = ground_truth(item)
    drawn = [redrawn(item, seed) for seed in SEEDS]
    for variant in drawn:
        again = ground_truth(variant)
        assert again.answer == decision.answer
        assert again.deciding == decision.deciding
        assert again.conditions == decision.conditions
        assert values(variant) != values(item)
        assert replace(variant, profile=item.profile) == item
    assert len({tuple(values(variant).items()) for variant in drawn}) == len(drawn)


def test_there_are_two_hundred_redrawn_variants() -> None:
    assert len(ITEMS) * len(SEEDS) == 200


@pytest.mark.parametrize("form", get_args(ItemVariant))
def test_every_form_gives_a_thousand_distinct_cases(form: ItemVariant) -> None:
    rows = list(longevity_rows(form, seed=11))
    assert len({row["case_id"] for row in rows}) == 1000
    assert len({(row["system_prompt"], row["user_prompt"]) for row in rows}) == 1000
    assert {row["item_variant"] for row in rows} == {form}


@pytest.mark.parametrize("form", ["redrawn", "hard_distractor", "paraphrased"])
def test_another_seed_gives_another_set_and_the_same_seed_the_same(form: ItemVariant) -> None:
    first, again, other = (list(longevity_rows(form, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert [row["answer"] for row in first] == [row["answer"] for row in other]
    prompts = {row["user_prompt"] for row in first}
    fresh = [row for row in other if row["user_prompt"] not in prompts]
    assert len(fresh) >= (1000 if form == "redrawn" else 300)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_no_distractor_touches_a_rule(item: Item) -> None:
    profile, code = item.profile, item.profile.request.intervention
    before = fired_rules(profile.facts(), code)
    texts = (*HARD_DISTRACTORS, *(other.distractor for other in ITEMS))
    for distractor in texts:
        try:
            check_distractor(distractor, ground_truth(item).conditions)
        except LongevityError as error:
            assert "matters beside" in str(error)  # noqa: PT017 - safe list, but not here
        more = replace(profile, history=(*profile.history, Finding(text=distractor.text)))
        assert fired_rules(more.facts(), code) == before
        assert decide(more.facts(), code) == decide(profile.facts(), code)


FLAGGED = [
    finding.text
    for item in ITEMS
    for finding in (*item.profile.history, *item.profile.medication)
    if finding.flags
]
MEASURED = [m.name for m in MARKERS.values() if m.field not in HARMLESS_MARKERS]
DISEASES = [name for condition in CONDITIONS for name in condition.names]


@pytest.mark.parametrize("text", [*FLAGGED, *MEASURED, *DISEASES])
def test_what_a_rule_reads_is_refused_as_a_distractor(text: str) -> None:
    with pytest.raises(LongevityError, match=r"the distractor .* (says|names)"):
        check_distractor(Distractor(topics=("cat",), text=text), ())


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_harder_distractors_and_paraphrases_pass_every_check(item: Item) -> None:
    for seed in SEEDS:
        for variant in (hard_distractor(item, seed), paraphrased(item, seed)):
            assert ground_truth(variant) == ground_truth(item)
    assert "{regimen}" in paraphrased(item, 0).question
    assert paraphrased(item, 0).question in QUESTIONS


def test_a_twin_whose_verdict_needs_other_words_is_refused() -> None:
    item = next(item for item in ITEMS if item.id == "lv_09")
    wordless = replace(item, twin=Twin(age=item.twin.age))
    with pytest.raises(LongevityError, match="lv_09: the commentary must quote the deciding rule"):
        list(map(ground_truth, [age_twin(wordless, 0)]))


def test_a_harder_distractor_may_not_say_what_rules_read() -> None:
    with pytest.raises(LongevityError, match="says 'thyroid'"):
        check_distractor(Distractor(topics=("podcast",), text="A podcast on the thyroid."), ())


def test_forms_are_declared_in_the_order_of_their_names() -> None:
    assert tuple(FORMS) == get_args(ItemVariant)
