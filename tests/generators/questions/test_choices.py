from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from generators.questions.choices import CHOICES, Choices, choices
from generators.questions.instances import Instance, first_instance
from generators.questions.registry import TASKS
from generators.questions.task import NotApplicable
from generators.simulated.cohort import simulate

SEED = 7
PATIENTS = ("adult_001", "adolescent_002", "child_003", "adult_006")


def _instances(seed: int, patients: tuple[str, ...] = PATIENTS) -> Iterator[Instance]:
    for patient in patients:
        course = simulate(patient, seed=seed)
        for task in TASKS.values():
            if task.type == "process_mining":
                instance = first_instance(task, course, seed)
                if not isinstance(instance, NotApplicable):
                    yield instance


@pytest.fixture(scope="module")
def asked() -> list[tuple[Instance, Choices | NotApplicable]]:
    return [(instance, choices(instance, SEED)) for instance in _instances(SEED)]


@pytest.fixture(scope="module")
def chosen(
    asked: list[tuple[Instance, Choices | NotApplicable]],
) -> list[tuple[Instance, Choices]]:
    return [(instance, found) for instance, found in asked if isinstance(found, Choices)]


def test_the_right_option_is_the_answer_and_no_other_comes_near_it(
    chosen: list[tuple[Instance, Choices]],
) -> None:
    assert len(chosen) > 60
    for instance, found in chosen:
        values = [float(option) for option in found.options]
        assert len(values) == len(found.kinds) == CHOICES
        answer = values.pop(found.right)
        assert answer == instance.answer
        assert found.kinds[found.right] == "right"
        relative = max(2 * 10**-instance.task.decimals, 0.01 * abs(answer))
        least = 6 if instance.task.answer_type == "minute" else relative
        assert min(abs(value - answer) for value in values) >= least - 1e-9


def test_options_are_written_alike(chosen: list[tuple[Instance, Choices]]) -> None:
    for instance, found in chosen:
        digits = {len(option.partition(".")[2]) for option in found.options}
        assert digits == {instance.task.decimals}


def test_the_same_key_gives_the_same_options(chosen: list[tuple[Instance, Choices]]) -> None:
    for instance, found in chosen[::10]:
        assert choices(instance, SEED) == found
        assert choices(instance, SEED + 1) != found


def test_typical_mistakes_are_among_the_options(chosen: list[tuple[Instance, Choices]]) -> None:
    kinds = Counter(kind for _, found in chosen for kind in found.kinds)
    mistakes = sum(kinds.values()) - kinds["near"] - kinds["right"]
    assert mistakes > kinds["near"]
    assert set(kinds) == {
        "right",
        "near",
        "wrong day or window",
        "wrong part of the record",
        "wrong definition",
        "wrong threshold",
        "unit slip",
        "off by one",
    }


def test_where_one_day_of_many_is_asked_for_the_others_are_other_days(
    chosen: list[tuple[Instance, Choices]],
) -> None:
    of_one_kind = [
        instance.task.draw
        for instance, found in chosen
        if found.kinds.count("wrong day or window") == CHOICES - 1
    ]
    assert len(of_one_kind) > 20
    assert all(of_one_kind)


def test_no_time_is_whole_days_from_the_right_one_unless_a_slip_or_another_day_leads_there(
    chosen: list[tuple[Instance, Choices]],
) -> None:
    for instance, found in chosen:
        if instance.task.id in ("pm_3", "pm_42"):
            right = int(found.options[found.right])
            for option, kind in zip(found.options, found.kinds, strict=True):
                if kind not in ("right", "off by one", "near"):
                    assert (int(option) - right) % 1440


def test_what_allows_no_choice_is_refused_with_the_reason(
    asked: list[tuple[Instance, Choices | NotApplicable]],
) -> None:
    reasons = {i.task.id: c.reason for i, c in asked if isinstance(c, NotApplicable)}
    assert reasons["pm_13"] == "the answer is no number"
    assert reasons["pm_16"] == "the answer is no number"
    assert reasons["pm_7"] == "ten options around the answer are not possible"


def test_a_forecast_allows_no_choice(chosen: list[tuple[Instance, Choices]]) -> None:
    forecast = replace(chosen[0][0], task=TASKS["pd_1"])
    refused = choices(forecast, SEED)
    assert isinstance(refused, NotApplicable)
    assert "forecast" in refused.reason
