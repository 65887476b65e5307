import json
from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from builder.selection import cut_to_total, stratified
from generators.streams import Stream


def chosen(answers: Sequence[object], quota: int, kind: str) -> list[object]:
    texts = {f"row_{place}": json.dumps(answer) for place, answer in enumerate(answers)}
    picked = stratified(texts, quota, Stream(1, "t"), kind=kind)
    assert len(picked) == len(set(picked)) == min(quota, len(answers))
    return [json.loads(texts[name]) for name in picked]


def test_two_way_answers_are_as_even_as_they_can_be() -> None:
    assert Counter(chosen(["yes"] * 20 + ["no"] * 6, 10, "category")) == {"yes": 5, "no": 5}
    assert Counter(chosen(["yes"] * 20 + ["no"] * 3, 10, "category")) == {"yes": 7, "no": 3}


def test_no_category_dominates() -> None:
    counts = Counter(chosen(["a"] * 16 + ["b"] * 8 + ["c"] * 6, 9, "category"))
    assert counts == {"a": 3, "b": 3, "c": 3}


def test_lists_have_few_empty_answers() -> None:
    filled: list[object] = [[{"start": 5, "end": 10}]] * 12
    assert sum(not a for a in chosen([[]] * 10 + filled, 10, "intervals")) == 1
    assert sum(not a for a in chosen([[]] * 10 + filled, 5, "intervals")) == 0
    assert sum(not a for a in chosen([[]] * 10 + filled[:3], 5, "intervals")) == 2


def test_numbers_come_from_all_parts() -> None:
    numbers = sorted(float(n) for n in chosen(list(range(100)), 10, "number"))  # type: ignore[arg-type]
    assert [int(n // 10) for n in numbers] == list(range(10))


def test_numbers_differ_where_they_can() -> None:
    assert len(set(chosen([40] * 17 + list(range(41, 54)), 8, "number"))) == 8
    assert Counter(chosen([40] * 17 + [41, 42], 5, "number")) == {40: 3, 41: 1, 42: 1}


def test_surplus_is_cut_by_key_one_from_a_task() -> None:
    quotas = dict.fromkeys("abcde", 8)
    cut = cut_to_total(quotas, 37, Stream(1, "s"))
    assert sorted(cut.values()) == [7, 7, 7, 8, 8]
    assert cut == cut_to_total(dict(reversed(quotas.items())), 37, Stream(1, "s"))
    assert cut_to_total(quotas, 40, Stream(1, "s")) == quotas
    assert cut_to_total(quotas, 99, Stream(1, "s")) == quotas
    assert sum(cut_to_total(quotas, 33, Stream(1, "s")).values()) == 33


@given(st.lists(st.sampled_from(["a", "b", "c"])), st.integers(1, 12))
def test_any_quota_is_met_from_what_exists(answers: list[object], quota: int) -> None:
    chosen(answers, quota, "category")


def test_choice_does_not_depend_on_the_order_of_rows() -> None:
    answers = {f"row_{place}": json.dumps(place % 7) for place in range(30)}
    backwards = dict(reversed(answers.items()))
    one = stratified(answers, 8, Stream(5, "t"), kind="number")
    other = stratified(backwards, 8, Stream(5, "t"), kind="number")
    assert one == other


def test_the_options_on_offer_do_not_tell_the_answer_where_they_need_not() -> None:
    """Of a pair that is decided either way, both answers are chosen equally often."""
    pairs = {"ab": ["a"] * 8 + ["b"] * 3, "cd": ["c"] * 2 + ["d"] * 9, "ef": ["e"] * 5}
    texts = {
        f"{p}{n}": json.dumps(a) for p, answers in pairs.items() for n, a in enumerate(answers)
    }
    offered = {name: name[:2] for name in texts}
    picked = stratified(texts, 10, Stream(1, "t"), kind="category", offered=offered)
    assert Counter(json.loads(texts[name]) for name in picked) == {"a": 3, "b": 3, "c": 2, "d": 2}
    more = stratified(texts, 13, Stream(1, "t"), kind="category", offered=offered)
    assert Counter(json.loads(texts[name]) for name in more)["e"] == 3
    assert len(set(more)) == 13
