"""What must hold for every task, whatever it asks."""

import json
from dataclasses import replace
from itertools import combinations

import pytest

from generators.questions.definitions import INTERVAL_ANSWER, NO_READING
from generators.questions.instances import _VOICES, as_json, candidates
from generators.questions.registry import TASKS, task
from generators.questions.task import Task, TaskError, half_up
from generators.questions.text import fill, placeholders
from generators.real_world.meals import with_inferred_meals
from generators.streams import Stream
from generators.trace import FAULT_LABELS, PatientProfile, Trace
from tests.generators.questions.hand_made import at, flat, meal

BY_TIME = tuple(form for form in (known.asked_by_time() for known in TASKS.values()) if form)
EVERY_TASK = pytest.mark.parametrize(
    "known",
    [*TASKS.values(), *BY_TIME],
    ids=lambda known: known.id + " by time" * bool(known.inferred_meals),
)
ID_PREFIX = {"process_mining": "pm_", "anomaly_detection": "ad_", "prediction": "pd_"}


def given_of(known: Task) -> dict[str, object]:
    """Some parameters of a task, completed for a person who reads 200 and has had a lunch."""
    drawn = next(candidates(known, Stream(1, "laws", known.id)))
    if known.derive is None:
        return dict(drawn)
    profile = PatientProfile(carbohydrate_ratio=10.0, correction_factor=30.0, target_mgdl=120)
    lunch = meal(flat(200, profile=profile), at(10, "12:00"), "lunch")
    person = replace(lunch, patient_id="adolescent_001")
    completed = known.derive(unnamed_meals() if known.inferred_meals else person, drawn)
    assert isinstance(completed, dict)
    return completed


def unnamed_meals() -> Trace:
    """A record with three meals a day that it does not name."""
    trace = flat()
    for day in range(1, 31):
        for clock in ("08:00", "12:00", "18:00"):
            trace = meal(trace, at(day, clock), "unspecified")
    return with_inferred_meals(trace)


@EVERY_TASK
def test_declaration_is_consistent(known: Task) -> None:
    assert known.id.startswith(ID_PREFIX[known.type])
    assert known.revision >= 1
    assert bool(known.options) == (known.answer_type == "category")
    assert (known.prediction is not None) == (known.type == "prediction")
    assert ("cut" in known.draw) == (known.type == "prediction")
    assert (known.unit is not None) == (known.answer_type in ("number", "signed", "minute"))
    assert known.level != "descriptive" or known.path[0] == "QC" or known.path[0] == "ER"


@EVERY_TASK
def test_wordings_are_enough_and_differ(known: Task) -> None:
    texts = [wording.text for wording in known.wordings]
    assert len(texts) >= 4
    assert len(set(texts)) == len(texts)
    for age_group, voices in _VOICES.items():
        assert sum(w.voice in voices for w in known.wordings) >= 2, age_group


@EVERY_TASK
def test_texts_use_only_their_parameters(known: Task) -> None:
    given = given_of(known)
    texts = [wording.text for wording in known.wordings] + [known.instruction]
    if known.prediction and known.prediction.hypothetical:
        texts.append(known.prediction.hypothetical)
    for text in texts:
        assert placeholders(text) <= set(given)
        filled = fill(text, given)
        assert "{{" not in filled
        assert filled == filled.strip()
        assert "  " not in filled


@EVERY_TASK
def test_instruction_or_question_states_every_parameter(known: Task) -> None:
    """What decides the answer is said: by each wording, the instruction or the hypothetical."""
    hypothetical = (known.prediction and known.prediction.hypothetical) or ""
    always = placeholders(known.instruction) | placeholders(hypothetical)
    hidden = {"first_day", "dose_share", "lunch_share", "effort", "ride_effort"}
    for wording in known.wordings:
        said = always | placeholders(wording.text)
        derived = {"start", "end"} if {"start", "end"} & said else set()
        assert set(given_of(known)) - hidden <= said | derived


@EVERY_TASK
def test_example_shows_the_shape_and_survives_json(known: Task) -> None:
    assert json.loads(as_json(known.example)) == known.example
    if known.answer_type == "category":
        assert known.example == f"<{'|'.join(known.options)}>"
    elif known.answer_type == "intervals":
        assert isinstance(known.example, list)
        for interval in known.example:
            assert isinstance(interval, dict)
            assert interval["start"] < interval["end"]
        assert fill(INTERVAL_ANSWER, {}) in fill(known.instruction, given_of(known))
    elif known.answer_type in ("day_list", "pair_list"):
        assert isinstance(known.example, list)
        assert known.example == sorted(known.example)  # type: ignore[type-var]
    elif known.answer_type in ("integer", "day", "minute"):
        assert isinstance(known.example, int)
    elif known.answer_type.endswith("_list"):
        assert isinstance(known.example, list)
        assert known.example == sorted(known.example)  # type: ignore[type-var]
    else:
        assert isinstance(known.example, int | float)


@EVERY_TASK
def test_instruction_says_how_a_number_is_rounded(known: Task) -> None:
    if known.answer_type == "signed" and known.decimals:
        assert "rounded half away from zero" in known.instruction
    elif known.answer_type == "number" and known.decimals:
        assert f"rounded half up to {('one decimal', 'two decimals')[known.decimals - 1]}" in (
            known.instruction
        )
    elif known.answer_type in ("number", "signed", "minute", "integer"):
        assert "whole number" in known.instruction or "whole minutes" in known.instruction


@EVERY_TASK
def test_instruction_says_what_counts_as_a_reading(known: Task) -> None:
    judged_by_readings = "glucose" in known.streams and known.type == "process_mining"
    assert not judged_by_readings or NO_READING in known.instruction


def test_the_process_mining_tasks_are_those_of_the_benchmark() -> None:
    mining = [task for task in TASKS.values() if task.type == "process_mining"]
    assert {task.id for task in mining} == {f"pm_{n}" for n in range(46) if n not in (20, 27)}
    assert sum(task.level == "descriptive" for task in mining) == 15


def test_no_label_name_stands_in_a_text() -> None:
    for known in TASKS.values():
        hypothetical = (known.prediction and known.prediction.hypothetical) or ""
        shown = [*(w.text for w in known.wordings), known.instruction, hypothetical, *known.options]
        texts = " ".join([*shown, as_json(known.example)]).lower()
        for label in FAULT_LABELS:
            assert label not in texts
            assert label.replace("_", " ") not in texts


def test_no_question_calls_a_meal_by_a_guessed_name() -> None:
    assert {form.id for form in BY_TIME} == {"pm_21", "pm_22", "pm_23", "pm_25", "pm_26"}
    for form in BY_TIME:
        asked = " ".join(fill(wording.text, given_of(form)) for wording in form.wordings)
        assert not any(name in asked for name in form.inferred_meals)


def test_no_two_tasks_share_a_wording() -> None:
    for one, other in combinations((*TASKS.values(), *BY_TIME), 2):
        assert not {w.text for w in one.wordings} & {w.text for w in other.wordings}


def test_candidates_cover_the_whole_draw_once() -> None:
    known = TASKS["pm_14"]
    drawn = [tuple(sorted(given.items())) for given in candidates(known, Stream(1, "x"))]
    assert len(drawn) == len(set(drawn)) == 4 * 7 * 23


def test_unknown_task_is_refused_with_the_nearest() -> None:
    with pytest.raises(TaskError, match="pm_14"):
        task("pm_144")


@pytest.mark.parametrize(
    ("value", "decimals", "rounded"),
    [(0.05, 1, 0.1), (2.675, 2, 2.68), (-0.25, 1, -0.3), (110.04999, 1, 110.0), (2.5, 0, 3.0)],
)
def test_half_up(value: float, decimals: int, rounded: float) -> None:
    assert half_up(value, decimals) == rounded


def test_missing_parameter_is_an_error() -> None:
    with pytest.raises(TaskError, match="week"):
        fill("in week {week}", {})
