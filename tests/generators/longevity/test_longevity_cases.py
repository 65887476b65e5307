"""The built rows: counts, columns, prompts, and verdicts recomputed from the printed text."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

import pyarrow as pa
import pytest

from builder.schema import LONGEVITY_COLUMNS, arrow_schema
from generators.longevity.cases import ITEMS, VARIANTS, item_rows, longevity_rows
from generators.longevity.errors import LongevityError
from generators.longevity.items import Item
from generators.longevity.prompts import ANSWER_FORM, SYSTEM_PROMPTS
from generators.longevity.vocabulary import FLAGS

ROWS = tuple(longevity_rows())

CALORIES, FASTING, BOTH = (
    "caloric restriction",
    "intermittent fasting",
    "caloric restriction with exercise",
)
EXPECTED = {
    "lv_01": ("no", CALORIES, "20-39", ["HYPO"]),
    "lv_02": ("no", CALORIES, "over 60", ["OSTEO"]),
    "lv_03": ("yes", BOTH, "40-60", []),
    "lv_04": ("yes", "exercise", "over 60", ["SARCO"]),
    "lv_05": ("no", FASTING, "20-39", ["PCOSL"]),
    "lv_06": ("no", FASTING, "40-60", ["ACRO"]),
    "lv_07": ("no", BOTH, "20-39", ["CUSH", "RAPX"]),
    "lv_08": ("yes", "exercise", "20-39", ["PCOSO"]),
    "lv_09": ("yes", CALORIES, "20-39", []),
    "lv_10": ("no", "exercise", "over 60", ["CADU"]),
    "lv_11": ("no", "exercise", "over 60", ["CADQ"]),
    "lv_12": ("no", CALORIES, "over 60", ["SARCO"]),
    "lv_13": ("yes", BOTH, "over 60", []),
    "lv_14": ("yes", "epicatechin", "over 60", ["SARCO"]),
    "lv_15": ("no", "epicatechin", "20-39", ["ENDUR"]),
    "lv_16": ("no", "spermidine", "20-39", ["WHEAT"]),
    "lv_17": ("no", "fisetin", "40-60", ["ACOAG"]),
    "lv_18": ("no", "rapamycin", "40-60", ["RAPX"]),
    "lv_19": ("no", "rapamycin", "40-60", ["RAPX"]),
    "lv_20": ("no", CALORIES, "20-39", ["LEAN"]),
    "lv_21": ("yes", "exercise", "20-39", []),
    "lv_22": ("yes", FASTING, "20-39", []),
    "lv_23": ("yes", FASTING, "40-60", []),
    "lv_24": ("yes", BOTH, "20-39", []),
    "lv_25": ("yes", CALORIES, "40-60", ["GERD"]),
}

FACTORS = ("background", "profile_form", "distractor", "system_prompt_level")


def text(row: Mapping[str, object], column: str) -> str:
    return str(row[column])


def test_every_item_gives_forty_cases_in_declared_order() -> None:
    assert Counter(text(row, "item_id") for row in ROWS) == {item.id: 40 for item in ITEMS}
    assert len(VARIANTS) == 40
    assert len(ROWS) == 1000
    names = [f"{item.id}.{variant.name}" for item in ITEMS for variant in VARIANTS]
    assert [row["case_id"] for row in ROWS] == names
    assert len(set(names)) == 1000


def test_rows_have_the_columns_of_the_schema() -> None:
    expected = {column.name for column in LONGEVITY_COLUMNS} - {"provenance"}
    for row in ROWS:
        assert set(row) == expected
        assert all(row[column] is not None for column in expected)


def test_rows_fit_the_types_of_the_schema() -> None:
    fields = [f for f in arrow_schema("longevity") if f.name != "provenance"]
    table = pa.Table.from_pylist([dict(row) for row in ROWS], schema=pa.schema(fields))
    table.validate(full=True)
    assert table.to_pylist()[17]["case_id"] == ROWS[17]["case_id"]


def test_prompts_are_distinct() -> None:
    assert len({(text(r, "system_prompt"), text(r, "user_prompt")) for r in ROWS}) == 1000
    assert len({text(r, "user_prompt") for r in ROWS}) == 200
    cells = {tuple(row[factor] for factor in FACTORS) for row in ROWS}
    assert len(cells) == 40


def test_verdicts_groups_and_conditions() -> None:
    for row in ROWS:
        answer, intervention, group, conditions = EXPECTED[text(row, "item_id")]
        assert json.loads(text(row, "answer")) == answer
        assert row["intervention"] == intervention
        assert row["age_group"] == group
        assert row["conditions"] == conditions
        assert row["options"] == ["yes", "no"]
        assert row["physician_reviewed"] is False


def test_counts_of_interventions_ages_and_answers() -> None:
    firsts = ROWS[::40]
    assert Counter(text(row, "intervention") for row in firsts) == {
        CALORIES: 6,
        FASTING: 4,
        "exercise": 5,
        BOTH: 4,
        "epicatechin": 2,
        "fisetin": 1,
        "spermidine": 1,
        "rapamycin": 2,
    }
    assert Counter((text(r, "age_group"), json.loads(text(r, "answer"))) for r in firsts) == {
        ("20-39", "yes"): 5,
        ("20-39", "no"): 6,
        ("40-60", "yes"): 3,
        ("40-60", "no"): 4,
        ("over 60", "yes"): 3,
        ("over 60", "no"): 4,
    }


def test_hidden_hormones_in_the_younger_and_contraindications_in_the_older() -> None:
    firsts = ROWS[::40]
    hormones = {"HYPO", "CUSH", "ACRO", "PCOSL", "PCOSO"}
    younger = [r for r in firsts if hormones & set(EXPECTED[text(r, "item_id")][3])]
    assert len(younger) == 5
    assert {text(r, "age_group") for r in younger} == {"20-39", "40-60"}
    against = [r for r in firsts if r["age_group"] == "over 60" and r["answer"] == '"no"']
    assert Counter(EXPECTED[text(r, "item_id")][3][0] for r in against) == {
        "OSTEO": 1,
        "SARCO": 1,
        "CADU": 1,
        "CADQ": 1,
    }


# The deciding rules once more, by hand, over nothing but what a prompt prints.
SECOND_OPINION: Mapping[str, Callable[[Mapping[str, float]], bool]] = {
    "lv_01": lambda v: v["TSH"] >= 10 and v["free T4"] < 0.8,
    "lv_02": lambda v: v["age"] >= 50 and v["hip T-score"] <= -2.5,
    "lv_03": lambda v: v["BMI"] >= 25 and v["age"] < 65,
    "lv_04": lambda v: (
        (v["grip strength"] < 27 or v["five chair rises"] > 15)
        and v["appendicular lean mass index"] < 7.0
    ),
    "lv_05": lambda v: v["BMI"] < 25 and v["free androgen index"] > 5 and v["TSH"] < 4.5,
    "lv_06": lambda v: v["IGF-1"] > 1.3 * 260,
    "lv_07": lambda v: v["cortisol after 1 mg dexamethasone"] > 1.8,
    "lv_08": lambda v: v["BMI"] >= 25 and v["free androgen index"] > 5 and v["TSH"] < 4.5,
    "lv_09": lambda v: v["BMI"] >= 25 and v["age"] < 65,
    "lv_12": lambda v: v["grip strength"] < 16 and v["appendicular lean mass index"] < 5.5,
    "lv_13": lambda v: v["BMI"] >= 30 and v["age"] >= 65,
    "lv_14": lambda v: v["grip strength"] < 27 and v["appendicular lean mass index"] < 7.0,
    "lv_18": lambda v: v["LDL cholesterol"] >= 190,
    "lv_20": lambda v: 18.5 <= v["BMI"] < 22,
    "lv_22": lambda v: v["BMI"] >= 25 and v["age"] < 65,
    "lv_23": lambda v: v["BMI"] >= 25 and v["age"] < 65,
    "lv_24": lambda v: v["BMI"] >= 25 and v["age"] < 65,
    "lv_25": lambda v: v["BMI"] >= 25 and v["age"] < 65,
}
# Where a statement and no value decides, the words that a prompt must hold.
STATED = {
    "lv_10": "twice at night in bed",
    "lv_11": "tightness across the chest",
    "lv_15": "maximal oxygen uptake",
    "lv_16": "coeliac",
    "lv_17": "warfarin",
    "lv_19": "under general anaesthesia",
    "lv_21": "no chest pain, no fainting",
}
PRINTED = (
    "TSH", "free T4", "hip T-score", "BMI", "grip strength", "five chair rises",
    "appendicular lean mass index", "weight", "height", "creatinine", "fasting glucose",
    "fasting insulin", "HOMA-IR", "free androgen index", "IGF-1", "LDL cholesterol",
    "cortisol after 1 mg dexamethasone",
)  # fmt: skip


def printed_values(prompt: str) -> dict[str, float]:
    values = {}
    for name in PRINTED:
        found = re.search(rf"(?<![\w(]){re.escape(name)}:? (-?[\d.]*\d)", prompt, re.IGNORECASE)
        if found:
            values[name] = float(found[1])
    age = re.search(r"Age: (\d+) years|(\d+)-year-old", prompt)
    assert age is not None
    values["age"] = float(age[1] or age[2])
    return values


@pytest.mark.parametrize("row", ROWS[::5], ids=lambda row: str(row["case_id"]))
def test_the_deciding_values_are_printed_and_decide(row: dict[str, object]) -> None:
    prompt, item = text(row, "user_prompt"), text(row, "item_id")
    values = printed_values(prompt)
    assert item in STATED or SECOND_OPINION[item](values)
    assert item not in STATED or STATED[item] in prompt
    assert values["BMI"] == pytest.approx(
        values["weight"] / (values["height"] / 100) ** 2, abs=0.05
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["case_id"]))
def test_prompts_are_complete_and_name_no_condition(row: dict[str, object]) -> None:
    prompt = f"{row['system_prompt']}\n{row['user_prompt']}"
    assert not re.search(r"[{}]", prompt)
    assert text(row, "user_prompt").endswith(ANSWER_FORM)
    assert not re.search(
        r"thyroid(?!-)|osteo|sarco|frail|brittle|myxo|hashimoto|diagnosis of|muscle wasting|cushing"
        r"|acromegal|polycystic|pcos|coronary|angina|ischaem|reflux disease",
        prompt,
        re.IGNORECASE,
    )
    assert not re.search(
        r"lv_\d|\b[A-Z]{4,5}\b(?<!HOMA)",
        prompt.replace("HDL", "").replace("LDL", "").replace("SHBG", ""),
    )


def test_distractors_are_there_only_where_the_row_says_so() -> None:
    by_id = {item.id: item for item in ITEMS}
    for row in ROWS:
        distractor = by_id[text(row, "item_id")].distractor.text
        assert (distractor in text(row, "user_prompt")) is row["distractor"]


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_distractors_share_no_word_with_flags_or_measurements(item: Item) -> None:
    words = set(re.findall(r"[a-z]{3,}", item.distractor.text.lower()))
    flags = {part for flag in FLAGS for part in flag.split("_")}
    names = {
        part.lower()
        for m in item.profile.measurements
        for part in re.findall(r"\w+", m.marker.name)
    }
    allowed = {
        "and",
        "not",
        "blood",
    }  # blood group is on the safe list, blood pressure is a measurement
    assert not words & (flags | names) - allowed


def test_system_prompts_tell_more_from_level_to_level() -> None:
    prompts = list(SYSTEM_PROMPTS.values())
    lengths = [len(prompt) for prompt in prompts]
    assert lengths == sorted(set(lengths))
    for name in ("Comprehensiveness", "Correctness", "Usefulness", "Explainability", "Toxicity"):
        assert [name in prompt for prompt in prompts] == [False, False, False, True, True]


def test_texts_for_the_judge_are_filled_and_quote_the_rule() -> None:
    for row in ROWS[::40]:
        columns = ("commentary", "critical_facts", "supporting_facts", "key_hazard", "next_step")
        joined = " ".join(str(row[column]) for column in columns)
        assert not re.search(r"[{}]", joined)
        deciding = row["deciding_rules"]
        assert isinstance(deciding, list)
        because = [re.fullmatch(r".*?: (.*) \{.*\}", rule) for rule in deciding]
        assert any(match and match[1] in text(row, "commentary") for match in because)


def test_rows_are_the_same_every_time() -> None:
    assert tuple(longevity_rows()) == ROWS


def test_a_leaking_prompt_stops_the_build() -> None:
    item = ITEMS[0]
    leaky = replace(item, background_short="Is it Hashimoto?")
    with pytest.raises(LongevityError, match=r"lv_01\.short\.list\.plain\.minimal: .*hashimoto"):
        list(item_rows(leaky))
