"""The rule engine against typical verdicts, its order of precedence, and its parser."""

from collections.abc import Mapping
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.longevity.conditions import CONDITIONS, Condition, parse_conditions
from generators.longevity.errors import LongevityError
from generators.longevity.markers import NUMBERS
from generators.longevity.rule_table import RULE_TABLE
from generators.longevity.rules import (
    BASELINE,
    RULES,
    Rule,
    conditions_met,
    decide,
    fired_rules,
    parse_rules,
    rule_limits,
)
from generators.longevity.sources import SOURCES
from generators.longevity.vocabulary import FLAGS, Facts, Intervention

ORDER: tuple[Intervention, ...] = get_args(Intervention)


def person(*flags: str, sex: str = "F", age: float = 35, **numbers: float) -> Facts:
    return Facts(
        sex="M" if sex == "M" else "F",
        numbers={"age": age, "bmi": 27.0, **numbers},
        flags=frozenset(flags),
    )


# One typical person per condition with the verdicts, in the order CR IF EX CE EPI FIS SPD RAP,
# that whoever compiled the evidence wrote down for it before any engine existed.
TYPICAL: Mapping[str, tuple[Facts, str]] = {
    "HYPO": (person("asked_strenuous", tsh=40, ft4=0.4, ck_x=1.6), "NNNNXXXN"),
    "CUSH": (
        person("asked_strenuous", "easy_bruising", "proximal_weakness", lnsc_x=2.5, dst=9),
        "NNNNXXXN",
    ),
    "ACRO": (person("asked_strenuous", "ring_shoe_growth", "snoring", igf1_x=2.4), "NNNNXXXN"),
    "PCOSL": (person("oligo_cycles", bmi=23, fai=9, tsh=2, prl_x=0.5), "NNCNXXXN"),
    "PCOSO": (person("oligo_cycles", bmi=31, fai=9, tsh=2, prl_x=0.5), "XXCXXXXN"),
    "OSTEO": (person(age=72, bmi=24, tscore=-3.2), "NNCNXXXN"),
    "SARCO": (
        person("resistance_training", sex="M", age=76, bmi=25, grip=21, almi=6.1),
        "NNYNCXXN",
    ),
    "CADU": (person("rest_or_worsening_angina", age=58), "NNNNXXXN"),
    "CADQ": (person("exertional_chest_symptoms", "asked_strenuous", age=55), "CXNNXXXN"),
    "CADS": (person("known_cad", "cardiac_evaluation_done", age=59), "CXCCXXXN"),
    "HALT": (person(sbp=190), "CCNNXXXN"),
    "GOUT": (person("gout_history", sex="M", age=50, urate=8.5), "CNYYXXXN"),
    "GERD": (person("gerd_symptoms"), "CCYYXXXN"),
    "ALARM": (person("gi_alarm"), "NNYNXXXN"),
    "IDA": (person(hb=9.5, ferritin=6), "NNCNNNXN"),
    "T2DH": (person("diabetes", "on_insulin", age=55, a1c=7.9), "XNCXXXXN"),
    "EDHX": (person("eating_disorder_history"), "NNXNXXXN"),
    "PREG": (person("pregnant"), "NNCNNNNN"),
    "CKD": (person(age=60, egfr=35), "XNCXXXXN"),
    "HFS": (person(age=60, lvef=33, nyha=2), "NNCXXXXN"),
    "HFD": (person("decompensated", age=60, lvef=33, nyha=3), "NNNNXXXN"),
    "IMMUNO": (person("immunosuppressed"), "XXCXXXXN"),
    "UNDER": (person(bmi=17), "NNCNXXXN"),
    "LEAN": (person(bmi=20), "NNYNXXXN"),
    "REDS": (person("functional_amenorrhoea", bmi=23), "NNNNXXXN"),
    "RAPX": (person(ldl=215), "CCYYXXXN"),
    "ACOAG": (person("on_warfarin_or_doac", age=71), "NXYXXNXN"),
    "WHEAT": (person("coeliac"), "CCYYXXNN"),
    "ENDUR": (person("goal_endurance_adaptation", bmi=23), "CXYCNXXN"),
}


@pytest.mark.parametrize("condition", TYPICAL)
def test_the_engine_gives_the_typical_verdicts(condition: str) -> None:
    facts, expected = TYPICAL[condition]
    assert "".join(decide(facts, code).verdict for code in ORDER) == expected
    assert condition in conditions_met(facts)


def test_every_condition_has_a_typical_person() -> None:
    assert list(TYPICAL) == [condition.id for condition in CONDITIONS]


@pytest.mark.parametrize(
    ("condition", "gentle"), [("HYPO", "X"), ("CUSH", "X"), ("ACRO", "X"), ("CADQ", "X")]
)
def test_gentle_exercise_is_contestable_where_only_strenuous_is_refused(
    condition: str, gentle: str
) -> None:
    facts, _ = TYPICAL[condition]
    calm = replace(facts, flags=facts.flags - {"asked_strenuous"})
    assert decide(facts, "EX").verdict == "N"
    assert decide(calm, "EX").verdict == gentle


@pytest.mark.parametrize(
    ("age", "bmi", "expected"),
    [
        (30, 27.5, "CCYYXXXN"),
        (30, 23.0, "CXYCXXXN"),
        (55, 23.0, "XXYXXXXN"),
        (68, 23.0, "NXYNXXXN"),
        (68, 27.5, "NXYXXXXN"),
        (68, 32.0, "XXYCXXXN"),
        (64, 25.0, "CCYYXXXN"),
        (65, 25.0, "NXYXXXXN"),
        (50, 22.0, "CXYCXXXN"),
    ],
)
def test_baselines_by_age_and_body_mass_index(age: int, bmi: float, expected: str) -> None:
    facts = person(age=age, bmi=bmi)
    assert "".join(decide(facts, code).verdict for code in ORDER) == expected


def test_rules_fire_in_the_stated_order() -> None:
    facts = person("gerd_symptoms", "coeliac")
    stages = [
        rule("GERD", "N", "M"),
        rule("GERD", "X", ""),
        rule(BASELINE, "N", "S"),
        rule("GERD", "C", "M"),
        rule("WHEAT", "Y", "S"),
        rule(BASELINE, "X", ""),
        rule(BASELINE, "C", "S"),
        rule(BASELINE, "Y", "S"),
    ]
    for first in range(len(stages)):
        decision = decide(facts, "EX", list(reversed(stages[first:])))
        assert decision.deciding == (stages[first],)
        assert decision.verdict == stages[first].verdict


def test_advice_fires_and_never_decides() -> None:
    facts = person("gerd_symptoms")
    assert "=" in {r.verdict for r in fired_rules(facts, "CR")}
    decision = decide(facts, "CR")
    assert decision.verdict == "C"
    assert all(r.is_baseline for r in decision.deciding)


def test_a_contestable_verdict_has_no_answer() -> None:
    with pytest.raises(LongevityError, match="contestable"):
        _ = decide(person("immunosuppressed"), "CR").answer


def test_no_rule_at_all_is_an_error() -> None:
    with pytest.raises(LongevityError, match="no rule speaks about FIS"):
        decide(person(), "FIS", [])


def rule(owner: str, verdict: str, strength: str) -> Rule:
    text = f"[EX/{verdict}{strength}: reason {{Mafi 2019}}]"
    if owner == BASELINE:
        return parse_rules(f"{BASELINE} {text}", [])[0]
    return parse_rules(f"{owner} {text}", [c for c in CONDITIONS if c.id == owner])[0]


@given(
    sex=st.sampled_from("FM"),
    age=st.integers(20, 95),
    bmi=st.integers(130, 600).map(lambda tenths: tenths / 10),
    flags=st.frozensets(st.sampled_from(sorted(FLAGS)), max_size=6),
    numbers=st.dictionaries(
        st.sampled_from(sorted(NUMBERS - {"age", "bmi"})), st.floats(0, 300), max_size=6
    ),
)
def test_every_adult_gets_a_verdict_on_everything(
    sex: str, age: int, bmi: float, flags: frozenset[str], numbers: dict[str, float]
) -> None:
    facts = person(*flags, sex=sex, age=age, bmi=bmi, **numbers)
    for code in ORDER:
        decision = decide(facts, code)
        against = [r for r in fired_rules(facts, code) if r.verdict == "N" and not r.is_baseline]
        assert (decision.verdict == "N") or not against


@given(age=st.integers(20, 95), bmi=st.integers(220, 600).map(lambda tenths: tenths / 10))
def test_baselines_neither_overlap_nor_leave_gaps(age: int, bmi: float) -> None:
    facts = person(age=age, bmi=bmi)
    for code in ORDER:
        assert len([r for r in fired_rules(facts, code) if r.is_baseline]) == 1


def test_the_whole_table_is_read() -> None:
    assert len(RULES) == RULE_TABLE.count("[")
    assert {r.owner for r in RULES} == {BASELINE, *(c.id for c in CONDITIONS)}
    assert {name for r in RULES for name in r.sources} == set(SOURCES)


HYPO = [condition for condition in CONDITIONS if condition.id == "HYPO"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("HYPO", "not an owner followed by brackets"),
        ("HYPO advice: [CR/NM: reason {Weiss 2008}]", "not an owner followed by brackets"),
        ("HYPO [CR/NM: reason]", "not in the form"),
        ("HYPO [CR/QM: reason {Weiss 2008}]", "not in the form"),
        ("HYPO [CR/NM: reason {Weiss 2008}] or so [EX/X: reason {-}]", "'or so'"),
        ("HYPO [CR/N: reason {Weiss 2008}]", "need a strength"),
        ("HYPO [CR/XM: reason {-}]", "need a strength"),
        ("HYPO [CR/NM: reason {-}]", "name a source"),
        ("HYPO [CR/NM: reason {Nobody 1900}]", "Nobody 1900"),
        ("HYPO [DIET/NM: reason {Weiss 2008}]", "no intervention 'DIET'"),
        ("HYPO [CR/NM when tsk>4: reason {Weiss 2008}]", "tsk"),
        ("HYPX [CR/NM: reason {Weiss 2008}]", "HYPX"),
        ("BASE [CR/NM: reason {Weiss 2008}]", "HYPO"),
        ("HYPO [CR/NM: a {Weiss 2008}]\nHYPO [EX/X: b {-}]", "exactly one line"),
    ],
)
def test_a_bad_line_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(LongevityError, match=message):
        parse_rules(text, HYPO)


def test_a_rule_keeps_its_parts_and_cites_them() -> None:
    text = "HYPO [CR,IF/NM when age>=65: too little {NICE NG145; KDIGO 2024}]"
    (parsed,) = parse_rules(text, HYPO)
    assert parsed.interventions == ("CR", "IF")
    assert parsed.when is not None
    assert not parsed.when.holds(person(age=64))
    assert parsed.cite() == "HYPO CR,IF/NM: too little {NICE NG145; KDIGO 2024}"
    assert not parsed.is_firm


@pytest.mark.parametrize(
    ("sources", "firm"),
    [("Kraus 2019", True), ("Kraus 2019; KDIGO 2024", False), ("Moel 2025", False)],
)
def test_a_rule_is_firm_if_all_its_sources_were_seen(sources: str, firm: bool) -> None:
    assert parse_rules(f"HYPO [CR/NM: reason {{{sources}}}]", HYPO)[0].is_firm is firm


def test_limits_of_rules_follow_the_sex() -> None:
    assert rule_limits("F")["grip"] == {16.0}
    assert rule_limits("M")["grip"] == {27.0}
    assert rule_limits("F")["hb"] == {12.0, 10.0}
    assert "fai" not in rule_limits("M")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("A | a | pregnant", "needs id"),
        ("A | a | pregnant | -\nA | b | pregnant | -", "declared twice: A"),
        ("A | a | dizzy | -", "dizzy"),
    ],
)
def test_bad_conditions_are_refused(table: str, message: str) -> None:
    with pytest.raises(LongevityError, match=message):
        parse_conditions(table)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It may be Hypothyroidism.", "hypothyroid"),
        ("An underactive thyroid.", "underactive thyroid"),
        ("Free T4 is low.", None),
    ],
)
def test_names_of_a_condition_are_found_in_any_case(text: str, found: str | None) -> None:
    hypo: Condition = HYPO[0]
    assert hypo.named_in(text) == found


def test_a_source_says_what_was_read_where_it_says_where() -> None:
    read = [source for source in SOURCES.values() if source.read_at]
    assert len(read) == 15
    for source in SOURCES.values():
        assert bool(source.says) == bool(source.read_at)
        assert not source.read_at or source.read_at.startswith("https://")
        assert not source.read_at or source.standing == "seen"
