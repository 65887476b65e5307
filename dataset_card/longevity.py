"""What the card says of the longevity items, counted on the built rows."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class LongevityFacts:
    """Counts over items; an item stands for all its cases.

    Attributes:
        items: How many there are.
        reviewed: How many of them a physician has signed.
        redrawn: Whether their measurements are drawn from the seed.
        answers: Items by answer.
        by_intervention: Items by answer, for each intervention.
        by_age_group: Items by answer, for each age group.
    """

    items: int
    reviewed: int
    redrawn: bool
    answers: Mapping[str, int]
    by_intervention: Mapping[str, Mapping[str, int]]
    by_age_group: Mapping[str, Mapping[str, int]]

    @property
    def one_sided(self) -> Mapping[str, Mapping[str, int]]:
        """Interventions all of whose items have the same answer."""
        return {name: found for name, found in self.by_intervention.items() if len(found) == 1}

    @property
    def decided_by_intervention(self) -> int:
        """Items that are right where each intervention gets its commonest answer."""
        return sum(max(found.values()) for found in self.by_intervention.values())

    @property
    def decided_alone(self) -> int:
        """Items that are right where all get the commonest answer."""
        return max(self.answers.values())


def longevity_facts(cases: pa.Table) -> LongevityFacts:
    """Count the items of the config `longevity`.

    Args:
        cases: Its rows.
    """
    columns = ["item_id", "item_variant", "intervention", "age_group", "answer"]
    rows = cases.select([*columns, "physician_reviewed"]).to_pylist()
    items = {row["item_id"]: row for row in rows}.values()
    counts: dict[str, defaultdict[str, Counter[str]]] = {
        name: defaultdict(Counter) for name in ("intervention", "age_group")
    }
    for item in items:
        for name, found in counts.items():
            found[item[name]][item["answer"].strip('"')] += 1
    return LongevityFacts(
        items=len(items),
        reviewed=sum(item["physician_reviewed"] for item in items),
        redrawn=any(item["item_variant"] == "redrawn" for item in items),
        answers=Counter(item["answer"].strip('"') for item in items),
        by_intervention=dict(sorted(counts["intervention"].items())),
        by_age_group=dict(sorted(counts["age_group"].items())),
    )
