"""What a reader sees of a trace."""

from dataclasses import replace

from builder.rows import context_of
from tests.generators.questions.hand_made import flat, meal


def test_a_guessed_name_of_a_meal_is_not_shown() -> None:
    trace = meal(meal(flat(), 480, "breakfast"), 720, "lunch")
    guess = replace(trace, carbs=(trace.carbs[0], replace(trace.carbs[1], inferred=True)))
    shown = context_of(guess)[0].as_py()["carb_events"]
    assert [event["meal_type"] for event in shown] == ["breakfast", "unspecified"]
