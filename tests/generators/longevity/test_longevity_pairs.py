"""Measurements that belong together stay a plausible pair, in every item and every re-draw."""

from dataclasses import replace

import pytest

from generators.longevity.cases import ITEMS
from generators.longevity.errors import LongevityError
from generators.longevity.items import Item, ground_truth
from generators.longevity.pairs import PAIRS, unlikely_pairs
from generators.longevity.profile import measured
from generators.longevity.validation import check_profile
from generators.longevity.variants import redrawn

BY_ID = {item.id: item for item in ITEMS}
TIGHTEST = ("lv_01", "lv_10")
"""Where values drawn apart left the bounds most often."""


def values(item: Item) -> dict[str, float]:
    return {m.field: m.value for m in item.profile.measurements}


@pytest.mark.parametrize(
    ("stated", "named"),
    [
        ({"sbp": 112, "dbp": 82}, []),
        ({"sbp": 112, "dbp": 83}, ["pulse pressure in mmHg"]),
        ({"sbp": 150, "dbp": 80}, []),
        ({"sbp": 151, "dbp": 80}, ["pulse pressure in mmHg"]),
        ({"sbp": 160, "dbp": 120}, []),
        ({"sbp": 160, "dbp": 121}, ["share of the systolic"]),
        ({"sbp": 110, "dbp": 43}, ["share of the systolic"]),
        ({"sbp": 121, "dbp": 103}, ["pulse pressure in mmHg", "share of the systolic"]),
        ({"sbp": 121}, []),
        ({"glu": 154, "a1c": 7.0}, []),
        ({"glu": 110, "a1c": 7.0}, ["HbA1c stands for"]),
        ({"glu": 175, "a1c": 7.0}, ["HbA1c stands for"]),
    ],
)
def test_pairs_at_their_bounds(stated: dict[str, float], named: list[str]) -> None:
    said = list(unlikely_pairs(stated))
    assert len(said) == len(named)
    assert all(name in problem for name, problem in zip(named, said, strict=True))


def test_an_unlikely_pair_is_refused_with_its_numbers_and_source() -> None:
    profile = BY_ID["lv_01"].profile
    stated = values(BY_ID["lv_01"]) | {"sbp": 121, "dbp": 103}
    meant = {m.field: m.meant for m in profile.measurements if m.meant}
    narrow = replace(profile, measurements=measured(stated, meant=meant))
    with pytest.raises(
        LongevityError,
        match=r"^here: .*sbp 121 and dbp 103: the pulse pressure .* 18, .*StatPearls",
    ):
        check_profile(narrow, "here")


@pytest.mark.parametrize("name", TIGHTEST)
def test_two_hundred_redraws_keep_every_pair_and_the_verdict(name: str) -> None:
    item = BY_ID[name]
    decision = ground_truth(item)
    drawn = [redrawn(item, seed) for seed in range(200)]
    assert [problem for variant in drawn for problem in unlikely_pairs(values(variant))] == []
    assert all(ground_truth(variant).deciding == decision.deciding for variant in drawn[::20])
    assert len({tuple(values(variant).items()) for variant in drawn}) == 200


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_what_goes_together_moves_together(item: Item) -> None:
    for seed in range(8):
        drawn, old = values(redrawn(item, seed)), values(item)
        assert list(unlikely_pairs(drawn)) == []
        for field in {"waist", "na", "ca"} & set(old):
            assert drawn[field] == pytest.approx(old[field], rel=0.035)


def test_every_pair_is_stated_by_some_item() -> None:
    for pair in PAIRS:
        assert any(set(pair.fields) <= set(values(item)) for item in ITEMS), pair.name
