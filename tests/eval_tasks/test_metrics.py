import math
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_tasks.errors import GoldError
from eval_tasks.metrics import (
    METRIC_NAMES,
    minute_tolerance,
    pair_f1,
    raw_score,
    scaled_error,
    set_f1,
    smape_similarity,
    strictly_right,
)
from eval_tasks.question import Answer, AnswerShape, AnswerType, Question

FINITE = st.floats(allow_nan=False, allow_infinity=False)
DAYS = st.lists(st.integers(1, 30), unique=True)
PAIRS = st.lists(st.tuples(st.integers(1, 5), st.floats(-50, 50)).map(list), max_size=8)


def question(answer_type: AnswerType, unit: str | None = None) -> Question:
    return Question(
        id="q",
        task_id="pm_0",
        task_type="process_mining",
        level="descriptive",
        shape=AnswerShape(answer_type=answer_type, unit=unit),
        answer="0",
        example="0",
        offers_none=True,
        minutes=1000,
    )


def test_every_answer_type_has_a_metric() -> None:
    assert set(METRIC_NAMES) == set(get_args(AnswerType))


@pytest.mark.parametrize(
    ("value", "gold", "expected"),
    [
        (0, 0, 1),
        (0, 5, 0),
        (5, 0, 0),
        (-5, 5, 0),
        (5, 5, 1),
        (150, 100, 0.8),  # 1 - 50 / 250
        (3, 1, 0.5),  # 1 - 2 / 4
        (1e308, 1.7e308, pytest.approx(2 / 2.7)),
        (1e308, 1, pytest.approx(0)),
        (5e-324, 1, pytest.approx(0)),
    ],
)
def test_smape_similarity(value: float, gold: float, expected: float) -> None:
    assert smape_similarity(value, gold) == expected


@given(FINITE, FINITE)
def test_smape_similarity_is_symmetric_and_in_range(value: float, gold: float) -> None:
    score = smape_similarity(value, gold)
    assert 0 <= score <= 1
    assert score == smape_similarity(gold, value)
    if 1e-300 < abs(value) < 1e300 and 1e-300 < abs(gold) < 1e300:
        smape = abs(value - gold) / ((abs(value) + abs(gold)) / 2)
        assert score == pytest.approx(1 - smape / 2, abs=1e-9)


@pytest.mark.parametrize(
    ("value", "gold", "scale", "expected"),
    [(-10, 5, 30, 0.5), (5, 5, 30, 1), (40, 5, 30, 0), (1.0, 0.0, 2, 0.5)],
)
def test_scaled_error(value: float, gold: float, scale: float, expected: float) -> None:
    assert scaled_error(value, gold, scale) == expected


@pytest.mark.parametrize(
    ("late", "expected"), [(0, 1), (5, 1), (32.5, 0.5), (59, 1 / 55), (60, 0), (600, 0)]
)
def test_minute_tolerance_counts_both_ways(late: float, expected: float) -> None:
    assert minute_tolerance(100 + late, 100) == pytest.approx(expected)
    assert minute_tolerance(100 - late, 100) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("value", "gold", "expected"),
    [([], [], 1), ([1], [], 0), ([], [1], 0), ([1, 2], [2, 3], 0.5), ([2, 2, 3], [3, 2], 1)],
)
def test_set_f1(value: list[int], gold: list[int], expected: float) -> None:
    assert set_f1(value, gold) == expected


@given(DAYS, DAYS)
def test_set_f1_is_symmetric_and_one_correction_never_lowers_it(
    value: list[int], gold: list[int]
) -> None:
    score = set_f1(value, gold)
    assert score == set_f1(gold, value)
    for wrong in set(value) - set(gold):
        assert set_f1([day for day in value if day != wrong], gold) >= score
    for missing in set(gold) - set(value):
        assert set_f1([*value, missing], gold) >= score


@pytest.mark.parametrize(
    ("value", "gold", "expected"),
    [
        ([], [], 1),
        ([[1, 5]], [], 0),
        ([[1, 7.0]], [[1, 5.0]], 1),
        ([[1, 7.1]], [[1, 5.0]], 0),
        ([[2, 5.0]], [[1, 5.0]], 0),
        ([[1, 45.1]], [[1, 43.1]], 1),  # 2.0000000000000142 apart in floats
        ([[1, 5], [1, 5]], [[1, 5]], 2 / 3),  # a repeated pair matches once
        ([[1, 3], [1, 5]], [[1, 5], [1, 7]], 1),  # 3-5 and 5-7, not 5-5 alone
    ],
)
def test_pair_f1(value: list[list[float]], gold: list[list[float]], expected: float) -> None:
    assert pair_f1(value, gold) == pytest.approx(expected)


@given(PAIRS, PAIRS)
def test_pair_f1_matches_as_many_pairs_as_can_be(
    value: list[list[float]], gold: list[list[float]]
) -> None:
    total = len(value) + len(gold)
    best = largest_matching(value, gold)
    assert pair_f1(value, gold) == pytest.approx(2 * best / total if total else 1)


def largest_matching(value: list[list[float]], gold: list[list[float]]) -> int:
    """Augmenting paths (Kuhn)."""
    owner: dict[int, int] = {}

    def place(i: int, seen: set[int]) -> bool:
        for j, (day, number) in enumerate(gold):
            near = day == value[i][0] and abs(number - value[i][1]) <= 2 + 1e-9
            if near and j not in seen:
                seen.add(j)
                if j not in owner or place(owner[j], seen):
                    owner[j] = i
                    return True
        return False

    return sum(place(i, set()) for i in range(len(value)))


def test_signed_answers_are_scaled_by_their_unit() -> None:
    assert raw_score(20.0, 5.0, question("signed", "mg/dL")) == 0.5
    assert raw_score(1.5, 0.5, question("signed", "mg/dL/min")) == 0.5
    with pytest.raises(GoldError, match="no error scale"):
        raw_score(1.0, 1.0, question("signed", "U"))


@pytest.mark.parametrize(
    ("value", "gold", "expected"), [("none", "none", 1), ("none", 5, 0), (5, "none", 0)]
)
def test_none_matches_none_alone(value: Answer, gold: Answer, expected: float) -> None:
    assert raw_score(value, gold, question("number")) == expected


def test_an_interval_far_outside_the_record_is_wrong_where_there_is_nothing() -> None:
    outside: list[dict[str, float]] = [{"start": 9e9, "end": 9e9 + 5}]
    assert raw_score(outside, [], question("intervals")) == 0
    inside: list[dict[str, float]] = [{"start": 100, "end": 150}]
    assert 0 < raw_score(outside, inside, question("intervals")) < 0.5


def test_days_and_categories_are_exact() -> None:
    assert raw_score(3, 3, question("day")) == 1
    assert raw_score(3, 4, question("day")) == 0
    assert raw_score("lunch", "dinner", question("category")) == 0
    assert math.isclose(raw_score("lunch", "lunch", question("category")), 1)


@pytest.mark.parametrize(
    ("answer_type", "value", "gold", "expected"),
    [
        ("number", 105.0, 100.0, True),
        ("number", 105.1, 100.0, False),
        ("number", 0.0, 0.0, True),
        ("number", 0.01, 0.0, False),
        ("number", "none", 100.0, False),
        ("number", "none", "none", True),
        ("integer", 20, 21, True),
        ("integer", 7, 8, False),
        ("signed", -1.05, -1.0, True),
        ("signed", 1.0, -1.0, False),
        ("minute", 105, 100, True),
        ("minute", 106, 100, False),
        ("category", "lunch", "lunch", True),
        ("day", 3, 4, False),
        ("day_list", [1, 2], [2, 1], True),
        ("day_list", [1], [2, 1], False),
        ("pair_list", [[1, 5.0]], [[1, 6.0]], True),
        ("intervals", [], [], True),
        ("intervals", [{"start": 105, "end": 155}], [{"start": 100, "end": 150}], True),
        ("intervals", [{"start": 110, "end": 150}], [{"start": 100, "end": 150}], False),
        ("intervals", [{"start": 100, "end": 150}], [], False),
        (
            "intervals",
            [{"start": 100, "end": 120}, {"start": 125, "end": 150}],
            [{"start": 100, "end": 150}],
            True,
        ),
    ],
)
def test_strictly_right(
    answer_type: AnswerType, value: Answer, gold: Answer, expected: bool
) -> None:
    assert strictly_right(value, gold, question(answer_type, "mg/dL")) is expected


@given(st.lists(st.integers(0, 199), max_size=8, unique=True).map(sorted))
def test_one_corrected_interval_never_scores_less(bounds: list[int]) -> None:
    """Gold intervals with one of them missing score no more than with it."""
    gold: list[dict[str, float]] = [
        {"start": 5 * a, "end": 5 * b} for a, b in zip(bounds[::2], bounds[1::2], strict=False)
    ]
    asked = question("intervals")
    assert raw_score(gold, gold, asked) == 1
    for index in range(len(gold)):
        assert raw_score(gold[:index] + gold[index + 1 :], gold, asked) < 1


NUMERIC: list[tuple[AnswerType, str | None]] = [
    ("number", "mg/dL"),
    ("integer", None),
    ("signed", "mg/dL"),
    ("signed", "mg/dL/min"),
    ("minute", "min"),
]


@given(st.sampled_from(NUMERIC), st.integers(-500, 500), st.integers(-500, 500))
def test_a_step_towards_the_gold_answer_never_scores_less(
    shape: tuple[AnswerType, str | None], value: int, gold: int
) -> None:
    asked = question(*shape)
    step = (gold > value) - (gold < value)
    before, after = raw_score(value, gold, asked), raw_score(value + step, gold, asked)
    assert 0 <= before <= after <= 1
    assert raw_score(gold, gold, asked) == 1


@given(PAIRS, PAIRS)
def test_pair_f1_is_symmetric_and_one_added_gold_pair_never_lowers_it(
    value: list[list[float]], gold: list[list[float]]
) -> None:
    assert pair_f1(value, gold) == pytest.approx(pair_f1(gold, value))
    assert pair_f1(gold, gold) == 1
    for pair in gold:
        if not any(other[0] == pair[0] for other in value):
            assert pair_f1([*value, pair], gold) >= pair_f1(value, gold)
