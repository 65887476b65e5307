"""The card counts people, not cases, and says how far the intervention alone goes."""

import pyarrow as pa

from dataset_card.longevity import longevity_facts


def cases(*items: tuple[str, str, str], variant: str = "original", each: int = 2) -> pa.Table:
    """Cases of items, each (intervention, age group, answer)."""
    return pa.Table.from_pylist(
        [
            {
                "item_id": f"lv_{number}",
                "item_variant": variant,
                "intervention": intervention,
                "age_group": age_group,
                "answer": f'"{answer}"',
                "physician_reviewed": number == 0,
            }
            for number, (intervention, age_group, answer) in enumerate(items)
            for _ in range(each)
        ]
    )


def test_items_are_counted_once() -> None:
    facts = longevity_facts(
        cases(
            ("exercise", "20-39", "yes"),
            ("exercise", "40-60", "yes"),
            ("exercise", "40-60", "no"),
            ("fisetin", "20-39", "no"),
            ("rapamycin", "20-39", "no"),
        )
    )
    assert (facts.items, facts.reviewed, facts.redrawn) == (5, 1, False)
    assert facts.answers == {"yes": 2, "no": 3}
    assert facts.by_intervention["exercise"] == {"yes": 2, "no": 1}
    assert facts.by_age_group == {"20-39": {"yes": 1, "no": 2}, "40-60": {"yes": 1, "no": 1}}
    assert list(facts.one_sided) == ["fisetin", "rapamycin"]
    assert (facts.decided_alone, facts.decided_by_intervention) == (3, 4)


def test_redrawn_items_are_told() -> None:
    assert longevity_facts(cases(("exercise", "20-39", "yes"), variant="redrawn")).redrawn
