"""Variations of eating: meals heavier, lighter, earlier or later than usual, or skipped.

A scenario is applied to the drawn diary by draws of its own, so that what it does not touch stays
as it was, bit for bit. How often and how strongly is ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor

from generators.errors import GeneratorError
from generators.simulated.meals import VARIATION_KINDS, Meal, VariationKind
from generators.trace import MINUTES_PER_DAY, MealType

MAIN_MEALS: tuple[MealType, ...] = ("breakfast", "lunch", "dinner")
LEAST_SHIFT = 30
"""A meal that has no room to move at least so many minutes stays where it is."""

_MORE, _LESS = 0.6, 0.5
_EARLIER, _LATER = 60.0, 75.0
_LEAST_GAP = 45
_MOST_STRENGTH = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """One way of eating differently.

    Attributes:
        kind: Heavy: 60 % more grams; light: half of them; early: 60 min before; delayed: 75 min
            after the usual time; skipped: not eaten. Each times the strength.
        share: Chance that it hits a meal, 0 to 1.
        meals: Meals and snacks that it may hit.
        days: Days on which it may, 0 is the first; None for all.
        strength: Factor on what it does, above 0 and at most 1.5; skipping knows no strength.
    """

    kind: VariationKind
    share: float
    meals: tuple[MealType, ...] = MAIN_MEALS
    days: tuple[int, ...] | None = None
    strength: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in VARIATION_KINDS:
            raise GeneratorError(
                f"there is no variation {self.kind!r}, only {', '.join(VARIATION_KINDS)}"
            )
        if not 0.0 <= self.share <= 1.0 or not 0.0 < self.strength <= _MOST_STRENGTH:
            raise GeneratorError(
                f"{self.kind}: share {self.share:g} and strength {self.strength:g}; allowed are "
                f"0 to 1 and above 0 to {_MOST_STRENGTH:g}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """How people eat beside their habits.

    Attributes:
        name: Part of the trace's id unless it is the release's scenario.
        variations: The first that hits a meal is applied.
    """

    name: str
    variations: tuple[Variation, ...] = ()


USUAL = Scenario(
    name="usual",
    variations=(
        Variation(kind="skipped", share=0.02),
        Variation(kind="heavy", share=0.04),
        Variation(kind="light", share=0.04),
        Variation(kind="early", share=0.03),
        Variation(kind="delayed", share=0.04),
    ),
)
"""Scenario of the release: every main meal varies now and then."""

REGULAR = Scenario(name="regular")
"""Nothing but habits."""


def varied(
    meals: Sequence[Meal], scenario: Scenario, draws: dict[MealType, list[float]]
) -> list[Meal]:
    """Return a day's meals as a scenario varies them, in time order.

    Args:
        meals: Meals of one day, in time order.
        scenario: The scenario.
        draws: Uniform numbers for each meal, one per kind of variation.
    """
    found: list[Meal] = []
    for n, meal in enumerate(meals):
        hit = _hit(meal, scenario, draws[meal.kind])
        if hit is None:
            found.append(meal)
        elif hit.kind in ("heavy", "light"):
            found.append(_resized(meal, hit))
        elif hit.kind in ("early", "delayed"):
            before = found[-1].minute if found else meal.minute // MINUTES_PER_DAY * MINUTES_PER_DAY
            after = meals[n + 1].minute if n + 1 < len(meals) else _midnight_after(meal)
            found.append(_shifted(meal, hit, before, after))
    return found


def _hit(meal: Meal, scenario: Scenario, draws: list[float]) -> Variation | None:
    for variation in scenario.variations:
        here = meal.kind in variation.meals and (
            variation.days is None or meal.minute // MINUTES_PER_DAY in variation.days
        )
        if here and draws[VARIATION_KINDS.index(variation.kind)] < variation.share:
            return variation
    return None


def _midnight_after(meal: Meal) -> int:
    return (meal.minute // MINUTES_PER_DAY + 1) * MINUTES_PER_DAY


def _resized(meal: Meal, variation: Variation) -> Meal:
    heavy = variation.kind == "heavy"
    factor = 1.0 + (_MORE if heavy else -_LESS) * variation.strength
    return replace(
        meal,
        eaten=max(1, floor(meal.eaten * factor + 0.5)),
        announced=max(1, floor(meal.announced * factor + 0.5)),
        variation=variation.kind,
    )


def _shifted(meal: Meal, variation: Variation, before: int, after: int) -> Meal:
    if variation.kind == "early":
        wanted = -_EARLIER * variation.strength
        shift = min(0, max(floor(wanted + 0.5), before + _LEAST_GAP - meal.minute))
    else:
        wanted = _LATER * variation.strength
        shift = max(0, min(floor(wanted + 0.5), after - _LEAST_GAP - meal.minute))
    if abs(shift) < LEAST_SHIFT:
        return meal
    return replace(
        meal,
        minute=meal.minute + shift,
        dosed=meal.dosed if meal.dosed < 0 else max(0, meal.dosed + shift),
        variation=variation.kind,
    )
