from collections import Counter, defaultdict
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


def test_what_allows_no_choice_is_refused_with_the_reason(
    asked: list[tuple[Instance, Choices | NotApplicable]],
) -> None:
    reasons = {i.task.id: c.reason for i, c in asked if isinstance(c, NotApplicable)}
    assert reasons["pm_13"] == "the answer is no number"
    assert reasons["pm_16"] == "the answer is no number"
    assert reasons["pm_7"] == "too few numbers are possible on one side of the answer"
    assert "no nine distinct options were found" not in reasons.values()


def test_a_forecast_allows_no_choice(chosen: list[tuple[Instance, Choices]]) -> None:
    forecast = replace(chosen[0][0], task=TASKS["pd_1"])
    refused = choices(forecast, SEED)
    assert isinstance(refused, NotApplicable)
    assert "forecast" in refused.reason


@pytest.mark.slow
def test_neither_letter_nor_size_nor_form_tells_the_right_option() -> None:
    """Each rule of thumb is right in a tenth of the questions, within four standard errors."""
    found = [
        one
        for seed in range(3)
        for instance in _instances(seed, (*PATIENTS, "adult_009", "child_007", "adolescent_010"))
        if isinstance(one := choices(instance, seed), Choices)
    ]
    count = len(found)
    slack = 4 * (0.1 * 0.9 / count) ** 0.5
    assert count > 400
    for name, share in _shares(found).items():
        assert abs(share - 0.1) < slack, (name, share, count)


def _shares(found: list[Choices]) -> dict[str, float]:
    """Return how often each rule of thumb picks the right option, ties shared evenly."""
    shares: defaultdict[str, float] = defaultdict(float)
    for one in found:
        values = [float(option) for option in one.options]
        shares[f"letter {one.right}"] += 1
        shares[f"rank {sorted(values).index(values[one.right])}"] += 1
        for name, merits in {
            "longest": [len(option) for option in one.options],
            "shortest": [-len(option) for option in one.options],
            "roundest": [_zeros(option) for option in one.options],
        }.items():
            best = [place for place, merit in enumerate(merits) if merit == max(merits)]
            shares[name] += (one.right in best) / len(best)
    return {name: hits / len(found) for name, hits in shares.items()}


def _zeros(option: str) -> int:
    digits = option.replace(".", "")
    return len(digits) - len(digits.rstrip("0"))
