import json

import pytest

from eval_tasks.errors import UnknownNameError
from eval_tasks.forms import DEFAULT_FORM, FORMS, Form, form_of, task_name
from eval_tasks.prompts import longevity_prompt, qa_prompt
from eval_tasks.question import Row
from eval_tasks.record import STYLES, Style, read_record
from eval_tasks.record.shown import part, whole
from tests.eval_tasks.tiny_release import longevity_row, qa_row


def prompt(row: Row, style: Style = "structured") -> str:
    return qa_prompt(row, whole(row["input_context"]), style)


@pytest.mark.parametrize("style", STYLES)
def test_a_record_is_recovered_from_the_whole_prompt(style: Style) -> None:
    row = qa_row("pd_6", "number", 90.0, 165, unit="mg/dL", hypothetical="60 g are eaten.")
    assert read_record(prompt(row, style)) == whole(row["input_context"])
    shown = part(row["input_context"], 1440, 2880)
    assert read_record(qa_prompt(row, shown, style)) == shown


@pytest.mark.parametrize("style", STYLES)
def test_a_prompt_holds_all_that_the_reader_may_know(style: Style) -> None:
    row = qa_row("pd_6", "category", "lunch", "<a|b>", unit="mg/dL", hypothetical="60 g are eaten.")
    text = prompt(row, style)
    for expected in (
        "Age group: adult\nAge: 41 years\nWeight: 70.5 kg\nTherapy: hybrid closed loop\n"
        "Carbohydrate ratio: 10 g/U\nGlucose target: 110 mg/dL\n",
        row["question"],
        row["instruction"],
        row["hypothetical"],
        "One of: breakfast, lunch, dinner.",
        'end with one JSON object {"answer": ...}',
        '{"answer": "<breakfast|lunch|dinner>"}',
    ):
        assert expected in text
    assert text.index("# Patient") < text.index("# Record") < text.index("# Question")
    assert "Correction factor" not in text
    for hidden in ("rationale", "instance_id", "canary"):
        assert str(row.get(hidden, hidden)) not in text.replace("None.", "")


def test_the_gold_answer_does_not_touch_the_prompt() -> None:
    row = qa_row("pm_0", "number", 140.5, 165)
    assert prompt(row) == prompt({**row, "answer": json.dumps(99)})


def test_a_profile_of_which_nothing_is_known_says_so() -> None:
    row = qa_row("pm_0", "number", 140.5, 165)
    row["patient_profile"] = dict.fromkeys(row["patient_profile"])
    assert "# Patient\nNothing is known.\n" in prompt(row)


def test_a_longevity_prompt_is_system_and_user_prompt() -> None:
    row = longevity_row(1, "no")
    assert longevity_prompt(row) == f"{row['system_prompt']}\n\n{row['user_prompt']}"


def test_task_names_say_what_differs_from_the_default() -> None:
    assert task_name("simulated", "test") == "healthloopqa:simulated"
    assert task_name("simulated", "full") == "healthloopqa_full:simulated"
    timelined = Form(style="timelined", days=7)
    assert task_name("simulated", "test", timelined) == "healthloopqa_timelined_7d:simulated"
    assert task_name("a", "full", Form(days=1)) == "healthloopqa_full_structured_1d:a"
    names = {task_name("a", split, form) for split in ("test", "full") for form in FORMS}
    assert len(names) == 2 * len(FORMS) == 12


def test_forms_are_found_by_style_and_days() -> None:
    assert form_of("structured", 30) == DEFAULT_FORM
    for style, days in (("prose", 30), ("timelined", 14)):
        with pytest.raises(UnknownNameError, match="structured, timelined over 30, 7, 1 days"):
            form_of(style, days)
