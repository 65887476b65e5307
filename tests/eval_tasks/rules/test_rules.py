"""The model `rules` sees a prompt's text and nothing else."""

from typing import Any

import pytest

from builder import parquet
from builder.release import Report
from eval_tasks import rules
from eval_tasks.errors import EvaluationError
from eval_tasks.forms import FORMS, Form
from eval_tasks.horizons import shown_part
from eval_tasks.prompts import longevity_prompt, qa_prompt
from eval_tasks.question import Question
from eval_tasks.record import read_record
from eval_tasks.record.shown import whole
from eval_tasks.rules.exact import rule_of
from eval_tasks.rules.predictions import predict
from eval_tasks.rules.prompt import read_prompt
from eval_tasks.scoring import score
from tests.eval_tasks.test_horizons import context
from tests.eval_tasks.tiny_release import longevity_row, qa_row


def prompt(instruction: str, **columns: Any) -> str:
    row = qa_row("pm_0", "number", 0, 1, instruction=instruction, **columns)
    return qa_prompt(row, whole(row["input_context"]), "structured")


@pytest.fixture(scope="module")
def rows(one_patient_release: Report) -> list[dict[str, Any]]:
    entry = one_patient_release.manifest.configs["simulated"].splits["test"]
    table = parquet.read(one_patient_release.folder / entry.files[0])
    found: list[dict[str, Any]] = table.to_pylist()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.style}_{form.days}d")
def test_process_mining_is_answered_from_the_text_alone(
    rows: list[dict[str, Any]], form: Form
) -> None:
    asked = 0
    for row in rows:
        shown = shown_part(row, form.days)
        if shown is None:
            continue
        text = qa_prompt(row, shown, form.style)
        assert read_record(text) == shown
        scored = score(Question.from_row(row), rules.completion(text))
        assert scored.status == "ok"
        if row["task_type"] == "process_mining":
            asked += 1
            assert scored.value == 1, row["instance_id"]
    assert asked


def test_the_texts_parameters_count() -> None:
    text = prompt("Find the lunch of day 3 . Answer with the highest reading in that window")
    assert rule_of(read_prompt(text).instruction) == ("pm_21", {"day": 3})


def test_what_the_shown_part_does_not_hold_has_no_answer() -> None:
    text = prompt("Find the lunch of day 3 . Answer with the highest reading in that window")
    assert rules.answer(text) is None
    assert rules.completion(text).endswith('{"answer": null}')


def test_a_longevity_case_is_told_no() -> None:
    assert rules.completion(longevity_prompt(longevity_row(1, "no"))).startswith("No\n")


def test_a_text_of_another_kind_is_refused() -> None:
    with pytest.raises(EvaluationError, match="no prompt of a QA config"):
        rules.answer("What is the mean glucose?")


def test_a_prompt_is_read_with_profile_options_and_what_is_added() -> None:
    row = qa_row("pd_6", "category", "lunch", "<a|b>", hypothetical="60 g are eaten.")
    read = read_prompt(qa_prompt(row, whole(row["input_context"]), "timelined"))
    assert read.options == ("breakfast", "lunch", "dinner")
    assert read.added == "60 g are eaten."
    assert read.instruction == row["instruction"]
    assert read.profile == {
        "Age": 41,
        "Weight": 70.5,
        "Carbohydrate ratio": 10,
        "Glucose target": 110,
    }


def faulty() -> dict[str, Any]:
    """30 smooth days with one fault of each kind that glucose shows."""
    smooth = [100 + abs(i % 120 - 60) for i in range(30 * 288)]
    glucose: list[int | None] = [*smooth]
    glucose[300] = 230
    glucose[600] = 30
    glucose[900:920] = [None] * 20
    glucose[1200:1215] = [0] * 15
    glucose[1500:1530] = [131] * 30
    glucose[1800:1860] = [value + 45 for value in smooth[1800:1860]]
    glucose[2100:2112] = [400] * 12
    return context(bg_mgdl=glucose)


def interval(first: int, last: int) -> dict[str, int]:
    return {"start": 5 * first, "end": 5 * last + (first == last)}


@pytest.mark.parametrize(
    ("instruction", "found"),
    [
        ("A spike is one single reading.", [interval(300, 300), interval(600, 600)]),
        ("An upward spike is one.", [interval(300, 300)]),
        ("A downward spike is one.", [interval(600, 600)]),
        ("A downward spike is one. Report each such sample in week 2.", []),
        (
            "A downward spike is one. Report each such sample on day 3, from 00:00",
            [interval(600, 600)],
        ),
        ("A reading is missing where there is none.", [interval(900, 919)]),
        ("A dropout shows readings of 0.", [interval(1200, 1214)]),
        ("A frozen sensor repeats.", [interval(1501, 1529)]),
        ("A frozen sensor repeats. It must hold at least 36 samples.", []),
        ("Shifted are readings.", [interval(1800, 1859)]),
        ("A sensor stuck at the top", [interval(2100, 2111)]),
        ("A sensor stuck at the bottom", []),
        ("An upward spike is one. Report the days on which it is.", [2]),
    ],
)
def test_faults_are_found_by_their_signs(instruction: str, found: list[Any]) -> None:
    assert rules.answer(prompt(instruction, input_context=faulty())) == found


@pytest.mark.parametrize(
    ("instruction", "added", "answer"),
    [
        ("Predict the reading exactly 30 min from now.", "", 102),
        ("Predict the total insulin of the Monday that starts now.", "", 14.4),
        ("The share in percent", "", 100.0),
        ("readings up to 300 min from now", "late snack of 90 g of carbohydrate", "yes"),
        ("readings up to 300 min from now", "late snack of 10 g of carbohydrate", "no"),
        ("tomorrow's steepest 30-min rise starts", "At 12:45 tomorrow", 775),
        ("A correction is an entry of type", "", "no"),
        ('Answer "more" if the coming week has more insulin a day than week 2', "", "less"),
        ("An hour counts if every reading", "", 6),
        ("Not a word of it", "", None),
    ],
)
def test_predictions_follow_habit(instruction: str, added: str, answer: object) -> None:
    shown = context(bg_mgdl=[100 + (i % 2) for i in range(30 * 288)])
    text = prompt(instruction, hypothetical=added or None, input_context=shown)
    assert predict(read_prompt(text)) == answer
