"""What an item must satisfy before a case may be built from it."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from generators.longevity.cases import ITEMS
from generators.longevity.conditions import CONDITIONS
from generators.longevity.distractors import SAFE_TOPICS, Distractor, check_distractor
from generators.longevity.errors import LongevityError
from generators.longevity.items import Item, ground_truth, hidden_name
from generators.longevity.profile import Finding, Profile, Request, measured
from generators.longevity.rules import decide
from generators.longevity.sources import SOURCES, source

BY_ID = {item.id: item for item in ITEMS}
WEAK_BECAUSE = "encouraged to tolerance"


def with_values(item: Item, **values: float) -> Item:
    old = {m.field: m.value for m in item.profile.measurements}
    meant = {m.field: m.meant for m in item.profile.measurements if m.meant}
    references = {m.field: m.reference for m in item.profile.measurements if m.reference}
    changed = measured({**old, **values}, meant=meant, references=references)
    return replace(item, profile=replace(item.profile, measurements=changed))


def asking(item: Item, request: Request) -> Item:
    return replace(item, profile=replace(item.profile, request=request))


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_items_pass_and_rest_on_sources_that_were_seen(item: Item) -> None:
    decision = ground_truth(item)
    assert decision.verdict in "YCN"
    assert decision.deciding
    for rule in decision.deciding:
        assert rule.sources
        assert {SOURCES[name].standing for name in rule.sources} == {"seen"}
        assert all(SOURCES[name].locator for name in rule.sources)


# What must change so that the deciding rule falls away: values, or the finding that carries a flag.
ACROSS: Mapping[str, tuple[Mapping[str, float], tuple[str, ...]]] = {
    "lv_01": ({"tsh": 2.0, "ft4": 1.2}, ()),
    "lv_02": ({"tscore": -0.8}, ()),
    "lv_03": ({"bmi": 21.0}, ()),
    "lv_04": ({"grip": 38, "chair5": 9.0, "almi": 8.2}, ()),
    "lv_05": ({"tt": 30, "fai": 2.1}, ("hirsutism", "oligo_cycles")),
    "lv_06": ({"igf1": 180, "gh_nadir": 0.20}, ()),
    "lv_07": ({"dst": 1.0, "lnsc": 0.06, "ufc": 20}, ()),
    "lv_08": ({"tt": 30, "fai": 2.1}, ("hirsutism",)),
    "lv_09": ({"bmi": 21.0}, ()),
    "lv_10": ({}, ("rest_or_worsening_angina",)),
    "lv_11": ({}, ("exertional_chest_symptoms",)),
    "lv_12": ({"grip": 24, "chair5": 10.0, "almi": 6.4}, ()),
    "lv_13": ({"bmi": 27.0}, ()),
    "lv_14": ({"grip": 38, "chair5": 9.0, "almi": 8.2}, ()),
    "lv_15": ({}, ("goal_endurance_adaptation",)),
    "lv_16": ({}, ("coeliac",)),
    "lv_17": ({}, ("on_warfarin_or_doac",)),
    "lv_18": ({"ldl": 110}, ()),
    "lv_19": ({}, ("surgery_or_wound",)),
    "lv_20": ({"bmi": 26.5}, ()),
    "lv_22": ({"bmi": 21.0}, ()),
    "lv_23": ({"bmi": 21.0}, ()),
    "lv_24": ({"bmi": 21.0}, ()),
    "lv_25": ({"bmi": 21.0}, ()),
}
EXPLAINED = frozenset({"lv_02", "lv_04", "lv_08", "lv_12", "lv_18", "lv_19"})
"""Where another rule gives the same answer: training is good and rapamycin bad for everybody, and
losing weight is wrong from 65 on without obesity."""


def test_only_exercise_for_a_healthy_man_hangs_on_no_value() -> None:
    assert {item.id for item in ITEMS} - set(ACROSS) == {"lv_21"}


@pytest.mark.parametrize("name", ACROSS)
def test_moving_the_deciding_value_across_its_cutoff_changes_or_explains_the_verdict(
    name: str,
) -> None:
    values, dropped = ACROSS[name]
    item = BY_ID[name]
    before = ground_truth(item)
    moved = with_values(item, **values).profile
    facts = moved.facts()
    after = decide(replace(facts, flags=facts.flags - set(dropped)), moved.request.intervention)
    assert not set(after.deciding) & set(before.deciding)
    if name in EXPLAINED:
        assert after.answer == before.answer
    else:
        assert after.verdict == "X" or after.answer != before.answer


def test_a_contestable_question_is_refused() -> None:
    item = asking(BY_ID["lv_03"], Request(intervention="FIS", regimen="100 mg a day"))
    with pytest.raises(LongevityError, match=r"^lv_03: the question is contestable"):
        ground_truth(item)


def test_a_verdict_on_an_unread_source_is_refused() -> None:
    asked = asking(BY_ID["lv_03"], Request(intervention="EX", regimen="walking"))
    sick = with_values(asked, crea=2.60, egfr=30, uacr=600)
    meant = tuple(
        replace(m, meant="on purpose") if m.field == "egfr" else m
        for m in sick.profile.measurements
    )
    item = replace(sick, profile=replace(sick.profile, measurements=meant), commentary=WEAK_BECAUSE)
    with pytest.raises(LongevityError, match=r"not seen: CKD EX/CM: .*KDIGO 2024"):
        ground_truth(item)


def test_a_verdict_that_flips_within_the_margin_is_refused() -> None:
    profile = BY_ID["lv_03"].profile
    values = {m.field: m.value for m in profile.measurements} | {"urate": 7.2}
    meant = {m.field: m.meant for m in profile.measurements if m.meant} | {"urate": "on purpose"}
    borderline = replace(
        profile,
        measurements=measured(values, meant=meant),
        history=(Finding(text="two attacks of gout", flags=("gout_history",)),),
        request=Request(intervention="IF", regimen="a day without food each week"),
    )
    with pytest.raises(LongevityError, match=r"urate at 6\.48 would change the verdict to C"):
        ground_truth(replace(BY_ID["lv_03"], profile=borderline))


def test_an_inconsistent_profile_is_refused_with_the_item_named() -> None:
    with pytest.raises(LongevityError, match=r"^lv_01: egfr is 95 but CKD-EPI 2021 gives 79"):
        ground_truth(with_values(BY_ID["lv_01"], egfr=95))


EDITS: tuple[tuple[Callable[[Item], Item], str], ...] = (
    (lambda i: replace(i, commentary="It is wise."), "must quote the deciding rule: replace"),
    (lambda i: replace(i, critical_facts=("one",)), "1 critical facts"),
    (lambda i: replace(i, supporting_facts=("one",) * 7), "7 supporting facts"),
    (lambda i: replace(i, background_verbose="I am {age}."), "not longer"),
    (lambda i: replace(i, question="Well?"), "must state the {regimen}"),
    (
        lambda i: replace(i, distractor=Distractor(topics=("weather",), text="It rains.")),
        "'weather' is not on the safe list",
    ),
)


@pytest.mark.parametrize(("edit", "message"), EDITS)
def test_incomplete_texts_are_refused(edit: Callable[[Item], Item], message: str) -> None:
    with pytest.raises(LongevityError, match=f"^lv_01: .*{message}"):
        ground_truth(edit(BY_ID["lv_01"]))


@pytest.mark.parametrize("text", ["TSH is {tshh}.", "open {", "{0}"])
def test_a_placeholder_that_cannot_be_filled_is_refused(text: str) -> None:
    with pytest.raises(LongevityError, match="lv_01: cannot fill"):
        BY_ID["lv_01"].fill(text)


def test_placeholders_become_value_and_unit() -> None:
    assert BY_ID["lv_01"].fill("{tsh} at {age}") == "42.0 mIU/L at 31"


def test_a_condition_may_be_named_only_if_it_is_stated_openly() -> None:
    item = BY_ID["lv_01"]
    decision = ground_truth(item)
    text = "Could it be hypothyroidism?"
    assert hidden_name(item, decision, text) == "hypothyroid"
    assert hidden_name(replace(item, openly=("HYPO",)), decision, text) is None


@pytest.mark.parametrize(
    ("distractor", "conditions", "message"),
    [
        (
            Distractor(topics=("childhood wrist fracture",), text="I broke a wrist at 9."),
            ("OSTEO",),
            "matters beside",
        ),
        (Distractor(topics=("spicy food",), text="I like chillies."), ("GERD",), "matters beside"),
        (Distractor(topics=("cat",), text="My cat and I take Biotin."), (), "Biotin"),
        (Distractor(topics=("job title",), text="I work night shifts."), (), "shift"),
        (Distractor(topics=("cat",), text="I am a bit breathless."), (), "breath"),
        (Distractor(topics=("cat",), text="The cat loses weight."), (), "weigh"),
    ],
)
def test_a_distractor_that_could_matter_is_refused(
    distractor: Distractor, conditions: tuple[str, ...], message: str
) -> None:
    with pytest.raises(LongevityError, match=message):
        check_distractor(distractor, conditions)


def test_harmless_distractors_pass() -> None:
    text = "I teach music, had my appendix out as a child and own a cat called Tom."
    check_distractor(Distractor(topics=("music", "appendix", "cat"), text=text), ("OSTEO",))


@pytest.mark.parametrize("topic", SAFE_TOPICS)
def test_safe_topics_matter_beside_known_conditions_only(topic: str) -> None:
    assert {condition.id for condition in CONDITIONS} >= SAFE_TOPICS[topic]


def test_an_unlisted_source_is_an_error() -> None:
    with pytest.raises(LongevityError, match="Nobody 1900"):
        source("Nobody 1900")


def test_a_symptom_in_the_history_reaches_the_engine() -> None:
    item = BY_ID["lv_03"]
    ill = replace(
        item.profile,
        history=(Finding(text="black stools", flags=("gi_alarm",)),),
    )
    assert isinstance(ill, Profile)
    assert decide(ill.facts(), "CE").verdict == "N"
