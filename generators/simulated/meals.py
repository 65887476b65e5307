"""The meal of a diary, and the ways in which it may differ from habit."""

from dataclasses import dataclass
from typing import Literal, get_args

from generators.trace import MealType

VariationKind = Literal["heavy", "light", "early", "delayed", "skipped"]
VARIATION_KINDS: tuple[VariationKind, ...] = get_args(VariationKind)

NEVER = -1
"""Minute of a dose that is forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meal:
    """A meal or snack of the diary.

    Attributes:
        minute: When eating starts, minute of the trace.
        kind: Which meal.
        eaten: Carbohydrate eaten, g.
        announced: Carbohydrate as the person counts it, g.
        dosed: Minute at which the person doses for it, NEVER when forgotten.
        variation: How it differs from habit, None where it does not.
    """

    minute: int
    kind: MealType
    eaten: int
    announced: int
    dosed: int
    variation: VariationKind | None = None

    def earlier(self, minutes: int) -> "Meal":
        """Return the meal so many minutes earlier."""
        return Meal(
            minute=self.minute - minutes,
            kind=self.kind,
            eaten=self.eaten,
            announced=self.announced,
            dosed=NEVER if self.dosed == NEVER else self.dosed - minutes,
            variation=self.variation,
        )
