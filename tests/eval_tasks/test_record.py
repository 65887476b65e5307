from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_tasks.errors import EvaluationError, GoldError
from eval_tasks.record import STYLES, Style, read_record, record_text
from eval_tasks.record.shown import Shown, clock_of, part, short_kinds, whole
from scripts.prompt_sizes import source_layout
from tests.eval_tasks.tiny_release import record

EMPTY: dict[str, Any] = {
    "bg_mgdl": [100],
    "carb_events": [],
    "exercise_events": [],
    "insulin_mu_min": [None],
    "insulin_events": [],
}
DAYS = 9
MINUTES = DAYS * 1440


def events(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Events at any minutes of a record, in the order of time."""

    def timed(entries: list[tuple[int, dict[str, Any]]]) -> list[dict[str, Any]]:
        return [
            {
                "time": minute,
                "day": clock_of(minute).day,
                "time_str": clock_of(minute).text,
                **entry,
            }
            for minute, entry in sorted(entries, key=lambda entry: entry[0])
        ]

    entry = st.tuples(st.integers(0, MINUTES - 1), st.fixed_dictionaries(fields))
    return st.lists(entry, max_size=8).map(timed)


def values(value: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """Runs of a few values over the whole record."""
    runs = st.lists(st.tuples(st.none() | value, st.integers(1, 900)), min_size=1, max_size=12)
    return runs.map(lambda pairs: [v for v, n in pairs for _ in range(n)]).map(
        lambda found: (found * (MINUTES // 5))[: MINUTES // 5]
    )


NUMBER = st.floats(0, 1e4) | st.integers(0, 99).map(float) | st.integers(0, 99).map(lambda n: n / 2)
CONTEXTS = st.fixed_dictionaries(
    {
        "bg_mgdl": values(st.integers(0, 600)),
        "insulin_mu_min": values(NUMBER),
        "carb_events": events(
            carbs=NUMBER, meal_type=st.sampled_from(("lunch", "late_snack", "L", "R", "rescue"))
        ),
        "exercise_events": events(
            duration=st.integers(1, 200),
            magnitude=st.none() | NUMBER,
            exercise_type=st.sampled_from(("run", "cycling")),
        ),
        "insulin_events": events(
            dosage=NUMBER,
            insulin_type=st.sampled_from(("basal", "meal_bolus", "mixed_basal", "MB")),
        ),
    }
)


@settings(max_examples=20, deadline=None)
@given(CONTEXTS, st.sampled_from(STYLES), st.integers(0, MINUTES // 5 - 1), st.data())
def test_any_record_and_any_part_of_it_is_recovered(
    context: dict[str, Any], style: Style, first: int, data: st.DataObject
) -> None:
    end = data.draw(st.integers(first + 1, MINUTES // 5))
    for shown in (whole(context), part(context, 5 * first, 5 * end)):
        text = f"Before.\n\n# Record\n{record_text(shown, style)}\n\n# Question\nWhat?"
        assert read_record(text) == shown


@pytest.mark.parametrize("style", STYLES)
def test_a_tiny_record_is_recovered(style: Style) -> None:
    for context in (record(), EMPTY):
        assert read_record(record_text(whole(context), style)) == whole(context)


@pytest.mark.parametrize("style", STYLES)
def test_a_controller_that_moves_at_every_sample_takes_half_of_the_sources_characters(
    style: Style,
) -> None:
    """Most insulin of such a record has its own value, in pump steps, many of them halves."""
    samples = 30 * 288
    meals = [
        {"time": time, "day": clock_of(time).day, "time_str": clock_of(time).text}
        for time in range(400, 30 * 1440, 360)
    ]
    context = {
        **EMPTY,
        "bg_mgdl": [90 + (i * i) % 150 for i in range(samples)],
        "insulin_mu_min": [
            min(46.0, max(0.0, (abs((7 * i) % 161 - 80) - 12) / 2)) for i in range(samples)
        ],
        "carb_events": [{**meal, "carbs": 55.0, "meal_type": "morning_snack"} for meal in meals],
        "insulin_events": [
            {**meal, "dosage": dose, "insulin_type": kind}
            for meal in meals
            for dose, kind in ((3.55, "meal_bolus"), (0.45, "correction_bolus"))
        ],
    }
    text = record_text(whole(context), style)
    assert read_record(text) == whole(context)
    assert len(text) < 0.5 * len(source_layout(context))


def test_a_part_is_padded_to_the_whole_with_nothing() -> None:
    padded = part(record(), 1440, 2880).padded()
    assert len(padded["bg_mgdl"]) == 3 * 288
    assert padded["bg_mgdl"][288:576] == record()["bg_mgdl"][288:576]
    assert set(padded["bg_mgdl"][:288] + padded["insulin_mu_min"][576:]) == {None}
    assert [event["time"] for event in padded["insulin_events"]] == [1900]
    assert padded["carb_events"] == []


def context_of_two_hours() -> dict[str, Any]:
    return {
        **EMPTY,
        "bg_mgdl": [*range(100, 112), None, 113],
        "insulin_mu_min": [12.5] * 11 + [0.0] + [None, None],
        "carb_events": [
            {"time": 7, "day": 1, "time_str": "00:07", "carbs": 45.5, "meal_type": "breakfast"}
        ],
        "insulin_events": [
            {"time": 7, "day": 1, "time_str": "00:07", "dosage": 2.0, "insulin_type": "meal_bolus"}
        ],
    }


def test_the_structured_layout_is_as_documented() -> None:
    text = record_text(whole(context_of_two_hours()), "structured")
    assert "Day 1 Monday, from minute 0\n0: 100 101 102" in text
    assert "\n1: - 113\n" in text
    assert "\n0: 12½*11 0\n1: -*2\n" in text
    assert "\nKinds: B breakfast\nDay 1: 00:07 45.5 B\n" in text
    assert text.endswith("Kinds: MB meal_bolus\nDay 1: 00:07 2 MB")
    assert text.count("None.") == 1


def test_the_timelined_layout_is_as_documented() -> None:
    text = record_text(whole(context_of_two_hours()), "timelined")
    assert "Kinds of boluses and injections: MB meal_bolus\nDay 1 Monday, from minute 0\n" in text
    assert "\n0: 100/12½ 101 [00:07 45.5 g breakfast] [00:07 2 U MB] 102 103 " in text
    assert text.endswith(" 110 111/0\n1: -/- 113")


def test_a_part_says_what_it_shows_and_keeps_days_and_minutes() -> None:
    text = record_text(part(record(), 1445, 2880), "structured")
    assert "Shown are day 2, 00:05, to the end of minute 2879 on day 2 of a longer record" in text
    assert "(minutes 1445 to 2880 of 4320)" in text
    assert "Day 2 Tuesday, from minute 1445\n0:05: " in text
    assert read_record(text).end == 2880


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"meal_type": "second breakfast"}, "second breakfast"),
        ({"meal_type": ""}, "no single word"),
        ({"time_str": "07:31"}, "minute 450 is not 07:31 of day 1"),
        ({"time": 4320, "day": 4, "time_str": "00:00"}, "minute 4320 lies outside the record"),
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_what_could_not_be_read_back_is_refused(
    style: Style, changed: dict[str, object], message: str
) -> None:
    event = {**record()["carb_events"][0], **changed}
    with pytest.raises(GoldError, match=message):
        record_text(whole({**record(), "carb_events": [event]}), style)


def test_a_text_without_record_is_refused() -> None:
    with pytest.raises(EvaluationError, match="holds no record"):
        read_record("100 101 102")


def test_kinds_with_equal_initials_are_written_out() -> None:
    kinds = ("meal_bolus", "mixed_basal", "basal")
    context = {"insulin_events": [{"insulin_type": kind} for kind in kinds]}
    assert short_kinds("insulin_events", context) == {
        "basal": "B",
        "meal_bolus": "meal_bolus",
        "mixed_basal": "mixed_basal",
    }


def test_a_shown_part_knows_its_end() -> None:
    assert Shown(context=EMPTY, start=1440, minutes=4320).end == 1445
