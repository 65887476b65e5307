"""Import of a BioChatter file that the tests make, and refusal of broken ones by case name."""

import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml

from builder.schema import LONGEVITY_COLUMNS, arrow_schema
from generators.longevity.biochatter import import_biochatter
from generators.longevity.errors import LongevityError

LEVELS = (
    "minimal",
    "specific",
    "role_encouraging",
    "requirements_specific",
    "requirements_explicit",
)
Edit = Callable[[list[Any]], object]


def case(number: int, answer: str = "No", individual: str = "young", prefix: str = "") -> Any:
    return {
        "case": f"{prefix}person_{number}",
        "case_id": str(number),
        "type": "longevity_intervention",
        "input": {
            "prompt": {
                "background": {"short": f"Short {number}.", "verbose": f"Verbose {number}, long."},
                "profile": {"list": [f"Age: {number}", "TSH: 2"], "paragraph": f"I am {number}."},
                "question": "Should I begin intermittent fasting?",
                "distractor_sentence": {"distractor": "I like tea.", "no_distractor": ""},
            }
        },
        "expected": {
            "answer": [answer],
            "summary": f"Because of {number}.",
            "key_words": ["TSH", "fasting"],
            "individual": individual,
        },
    }


def entries(cases: int = 2) -> list[Any]:
    messages = {level: [f"{level} line 1", "line 2"] for level in LEVELS}
    return [
        {"general_system_messages": messages},
        {"general_system_messages_rag": messages},
        *(case(n, "Yes" if n % 2 else "No", "geriatric") for n in range(cases)),
        case(90, prefix="rag:"),
    ]


def written(folder: Path, content: object) -> Path:
    path = folder / "longevity.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return path


def test_every_case_gives_eight_prompts_under_five_system_prompts(tmp_path: Path) -> None:
    imported = import_biochatter(written(tmp_path, {"longevity": entries(25)}))
    assert (imported.cases, imported.left_out, len(imported.rows)) == (25, 1, 1000)
    assert len({row["case_id"] for row in imported.rows}) == 1000
    assert len({(r["system_prompt"], r["user_prompt"]) for r in imported.rows}) == 1000
    assert set(Counter(row["item_id"] for row in imported.rows).values()) == {40}
    assert len({row["user_prompt"] for row in imported.rows[:40]}) == 8


def test_rows_have_the_schema_of_the_config(tmp_path: Path) -> None:
    rows = import_biochatter(written(tmp_path, entries())).rows
    assert set(rows[0]) == {column.name for column in LONGEVITY_COLUMNS} - {"provenance"}
    fields = [field for field in arrow_schema("longevity") if field.name != "provenance"]
    table = pa.Table.from_pylist([dict(row) for row in rows], schema=pa.schema(fields))
    table.validate(full=True)
    nullable = {column.name for column in LONGEVITY_COLUMNS if column.nullable}
    assert {name for name in rows[0] if rows[0][name] is None} <= nullable


def test_modules_stand_where_the_row_says(tmp_path: Path) -> None:
    rows = import_biochatter(written(tmp_path, entries())).rows
    for row in rows[:40]:
        prompt = str(row["user_prompt"])
        assert ("Verbose 0" in prompt) == (row["background"] == "verbose")
        assert ("Age: 0\nTSH: 2" in prompt) == (row["profile_form"] == "list")
        assert ("I like tea." in prompt) == row["distractor"]
        assert row["system_prompt"] == f"{row['system_prompt_level']} line 1\nline 2"
        assert row["intervention"] == "intermittent fasting"
        assert row["age_group"] == "over 60"
        assert row["commentary"] == "Because of 0."
    assert [json.loads(str(row["answer"])) for row in rows[::40]] == ["no", "yes"]


def test_system_messages_under_other_names_count_in_order(tmp_path: Path) -> None:
    content = entries()
    content[0] = {"general_system_messages": {f"level {n}": [f"text {n}"] for n in range(5)}}
    rows = import_biochatter(written(tmp_path, content)).rows
    assert [row["system_prompt"] for row in rows[:5]] == [f"text {n}" for n in range(5)]


BROKEN: dict[str, tuple[Edit, str]] = {
    "missing module": (
        lambda e: e[3]["input"]["prompt"]["profile"].pop("paragraph"),
        r"^case 'person_1': input\.prompt\.profile\.paragraph: Field required",
    ),
    "answer Maybe": (
        lambda e: e[2]["expected"].update(answer=["Maybe"]),
        r"^case 'person_0': expected\.answer\.0: Input should be 'Yes' or 'No'",
    ),
    "two answers": (
        lambda e: e[2]["expected"].update(answer=["Yes", "No"]),
        r"^case 'person_0': expected\.answer",
    ),
    "unknown type": (
        lambda e: e[3].update(type="recipe"),
        r"^case 'person_1': unknown type 'recipe'; accepted: longevity_intervention",
    ),
    "unknown age": (
        lambda e: e[3]["expected"].update(individual="old"),
        r"^case 'person_1': expected\.individual",
    ),
    "unknown field": (
        lambda e: e[3].update(colour="red"),
        r"^case 'person_1': colour: Extra inputs",
    ),
    "empty text": (
        lambda e: e[3]["input"]["prompt"].update(question=""),
        r"^case 'person_1': input\.prompt\.question",
    ),
    "blank text": (
        lambda e: e[3]["input"]["prompt"].update(question=" \n "),
        r"^case 'person_1': input\.prompt\.question: String should have at least 1 character",
    ),
    "blank lines": (
        lambda e: e[3]["input"]["prompt"]["profile"].update(list=[" ", ""]),
        r"^case 'person_1': input\.prompt\.profile\.list",
    ),
    "answer not in a list": (
        lambda e: e[3]["expected"].update(answer="Yes"),
        r"^case 'person_1': expected\.answer: write a list that holds either Yes or No",
    ),
    "answer true": (
        lambda e: e[3]["expected"].update(answer=[True]),
        r"^case 'person_1': expected\.answer\.0: Input should be 'Yes' or 'No'",
    ),
    "blank system message": (
        lambda e: e[0]["general_system_messages"].update(minimal=[" "]),
        "the list for minimal holds no lines",
    ),
    "identifier twice": (
        lambda e: e[3].update(case_id="0"),
        r"^case 'person_1': the case_id 0 is taken by 'person_0'",
    ),
    "no system messages": (lambda e: e.pop(0), "general_system_messages: one mapping of 5"),
    "four system messages": (
        lambda e: e[0]["general_system_messages"].pop("minimal"),
        "general_system_messages: one mapping of 5",
    ),
    "mixed names": (
        lambda e: e[0].update(
            general_system_messages={"other": ["a"], **{level: ["b"] for level in LEVELS[1:]}}
        ),
        "unknown list other",
    ),
    "empty list": (
        lambda e: e[0]["general_system_messages"].update(minimal=[]),
        "the list for minimal holds no lines",
    ),
    "strange entry": (lambda e: e.append({"note": 1}), "entry 6 is neither a case nor"),
    "only copies": (lambda e: e.__delitem__(slice(2, 4)), "no case without contexts"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_with_the_case_named(name: str, tmp_path: Path) -> None:
    edit, message = BROKEN[name]
    content = deepcopy(entries())
    edit(content)
    with pytest.raises(LongevityError, match=message):
        import_biochatter(written(tmp_path, content))


@pytest.mark.parametrize("word", ["Yes", "yes", "YES", "No", "no"])
def test_an_unquoted_answer_is_read_as_written(word: str, tmp_path: Path) -> None:
    path = written(tmp_path, entries(1))
    path.write_text(path.read_text().replace("- 'No'", f"- {word}"), encoding="utf-8")
    assert f"- {word}\n" in path.read_text()
    answers = {row["answer"] for row in import_biochatter(path).rows}
    assert answers == {f'"{word.lower()}"'}


@pytest.mark.parametrize("name", ["007", "2024-13-45", "1e3", "on"])
def test_an_unquoted_identifier_is_read_as_written(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, entries(1))
    path.write_text(path.read_text().replace("case_id: '0'", f"case_id: {name}"), encoding="utf-8")
    assert import_biochatter(path).rows[0]["item_id"] == f"biochatter_{name}"


def test_an_empty_distractor_leaves_no_gap(tmp_path: Path) -> None:
    content = entries(1)
    content[2]["input"]["prompt"]["distractor_sentence"]["no_distractor"] = [" "]
    rows = import_biochatter(written(tmp_path, content)).rows
    assert not any("\n\n\n" in str(row["user_prompt"]) for row in rows)


def test_deep_nesting_is_refused_with_the_case_named(tmp_path: Path) -> None:
    path = written(tmp_path, entries(2))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("question: ", f"question: {'[' * 50000} #", 1), encoding="utf-8")
    with pytest.raises(LongevityError, match=r"case 'person_0': line \d+ is nested more than 100"):
        import_biochatter(path)


def test_a_tag_that_builds_an_object_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("- !!python/object/apply:os.getcwd []", encoding="utf-8")
    with pytest.raises(LongevityError, match=r"cannot read x\.yaml: could not determine"):
        import_biochatter(path)


def test_further_types_may_be_accepted(tmp_path: Path) -> None:
    content = entries()
    content[3]["type"] = "recipe"
    path = written(tmp_path, content)
    assert import_biochatter(path, ("recipe", "longevity_intervention")).cases == 2


@pytest.mark.parametrize("text", ["a: [", "just text", "a: 1\nb: 2", "- 1\n- 2"])
def test_what_is_no_such_file_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LongevityError, match=r"x\.yaml"):
        import_biochatter(path)
