import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_tasks.errors import GoldError
from eval_tasks.prompts import longevity_prompt, structured_prompt
from eval_tasks.record import read_record, record_text
from tests.eval_tasks.tiny_release import longevity_row, qa_row, record

EMPTY: dict[str, Any] = {
    "bg_mgdl": [100],
    "carb_events": [],
    "exercise_events": [],
    "insulin_mu_min": [None],
    "insulin_events": [],
}


def test_a_record_is_recovered_from_its_text() -> None:
    assert read_record(record_text(record())) == record()
    assert read_record(record_text(EMPTY)) == EMPTY


@settings(max_examples=30)
@given(
    st.lists(st.none() | st.integers(0, 600), min_size=1, max_size=400),
    st.lists(
        st.none() | st.floats(0, 1e4) | st.integers(0, 9).map(float), min_size=1, max_size=400
    ),
)
def test_any_series_is_recovered(glucose: list[int | None], insulin: list[float | None]) -> None:
    context = {**EMPTY, "bg_mgdl": glucose, "insulin_mu_min": insulin}
    assert read_record(record_text(context)) == context


def test_a_record_is_recovered_from_the_whole_prompt() -> None:
    row = qa_row("pd_6", "number", 90.0, 165, unit="mg/dL", hypothetical="60 g are eaten.")
    assert read_record(structured_prompt(row)) == row["input_context"]


def test_the_layout_is_as_documented() -> None:
    context = {
        **EMPTY,
        "bg_mgdl": [*range(100, 112), None, 113],
        "insulin_mu_min": [12.5] * 11 + [0.0] + [None, None],
        "carb_events": record()["carb_events"],
    }
    text = record_text(context)
    assert "Day 1 Monday, from minute 0\n00: 100 101 102" in text
    assert "\n01: - 113\n" in text
    assert "\n00: 12.5*11 0\n01: -*2\n" in text
    assert "\n450 1 07:30 45.5 breakfast\n" in text
    assert text.count("None.") == 2


def test_a_day_of_288_samples_has_24_lines_and_days_know_their_weekday() -> None:
    text = record_text({**EMPTY, "bg_mgdl": [100] * (8 * 288)})
    assert text.count("\n23: ") == 8
    assert "Day 8 Monday, from minute 10080" in text


def test_text_that_could_not_be_read_back_is_refused() -> None:
    event = {**record()["carb_events"][0], "meal_type": "second breakfast"}
    with pytest.raises(GoldError, match="second breakfast"):
        record_text({**EMPTY, "carb_events": [event]})


def test_a_prompt_holds_all_that_the_reader_may_know() -> None:
    row = qa_row("pd_6", "category", "lunch", "<a|b>", unit="mg/dL", hypothetical="60 g are eaten.")
    prompt = structured_prompt(row)
    for part in (
        "Age group: adult\nAge: 41 years\nWeight: 70.5 kg\nTherapy: hybrid closed loop\n"
        "Carbohydrate ratio: 10 g/U\nGlucose target: 110 mg/dL\n",
        row["question"],
        row["instruction"],
        row["hypothetical"],
        "One of: breakfast, lunch, dinner.",
        'end with one JSON object {"answer": ...}',
        '{"answer": "<a|b>"}',
    ):
        assert part in prompt
    assert "Correction factor" not in prompt
    for hidden in ("rationale", "instance_id", "canary"):
        assert str(row.get(hidden, hidden)) not in prompt.replace("None.", "")


def test_the_gold_answer_does_not_touch_the_prompt() -> None:
    row = qa_row("pm_0", "number", 140.5, 165)
    assert structured_prompt(row) == structured_prompt({**row, "answer": json.dumps(99)})


def test_a_profile_of_which_nothing_is_known_says_so() -> None:
    row = qa_row("pm_0", "number", 140.5, 165)
    row["patient_profile"] = dict.fromkeys(row["patient_profile"])
    assert "# Patient\nNothing is known.\n" in structured_prompt(row)


def test_a_longevity_prompt_is_system_and_user_prompt() -> None:
    row = longevity_row(1, "no")
    assert longevity_prompt(row) == f"{row['system_prompt']}\n\n{row['user_prompt']}"
