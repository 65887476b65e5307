"""What meals are called: names that a record states, and names that are only guessed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from generators.trace import MINUTES_PER_DAY, CarbEvent, MealType, Trace

MEAL_HOURS: Mapping[MealType, tuple[int, int]] = MappingProxyType(
    {"breakfast": (5, 11), "lunch": (11, 15), "dinner": (17, 22)}
)
"""Clock hours, from and before, in which a meal is taken for one of the three."""
MIN_MEAL_GRAMS = 20
"""Less carbohydrate is taken for no meal."""
CLEARLY_LARGER = 1.5
"""A guess needs a meal this many times as large as anything else in its hours."""

_STATED: Mapping[str, MealType] = MappingProxyType(
    {
        "breakfast": "breakfast",
        "lunch": "lunch",
        "dinner": "dinner",
        "supper": "dinner",
        "hypocorrection": "rescue",
        "hypo correction": "rescue",
        "rescue": "rescue",
    }
)
_SNACKS: tuple[tuple[int, MealType], ...] = (
    (12, "morning_snack"),
    (18, "afternoon_snack"),
    (24, "late_snack"),
)


def stated_meal(label: str, second: int) -> MealType:
    """Return the kind of meal that a label names; any other text is dropped.

    >>> stated_meal("Lunch", 0), stated_meal("Snack", 16 * 3600), stated_meal("at Joe's", 0)
    ('lunch', 'afternoon_snack', 'unspecified')
    """
    word = label.strip().lower()
    if word == "snack":
        hour = second // 3600 % 24
        return next(kind for before, kind in _SNACKS if hour < before)
    return _STATED.get(word, "unspecified")


def with_inferred_meals(trace: Trace) -> Trace:
    """Name the unnamed meals of a trace whose time of day and size leave little doubt.

    On each day the largest unnamed carbohydrate between 5 and 11, 11 and 15, and 17 and 22 o'clock
    is taken for breakfast, lunch and dinner, if it is at least 20 g, at least one and a half times
    as large as any other in those hours, and the record names no such meal on that day. What is
    named so is marked as inferred; everything else stays as recorded.
    """
    days: dict[int, list[int]] = defaultdict(list)
    for place, event in enumerate(trace.carbs):
        days[event.minute // MINUTES_PER_DAY].append(place)
    carbs = list(trace.carbs)
    for places in days.values():
        stated = {trace.carbs[place].meal for place in places}
        for meal, hours in MEAL_HOURS.items():
            if meal not in stated:
                _name(carbs, places, meal, hours)
    return replace(trace, carbs=tuple(carbs))


def _name(
    carbs: list[CarbEvent], places: Sequence[int], meal: MealType, hours: tuple[int, int]
) -> None:
    inside = [
        place
        for place in places
        if 60 * hours[0] <= carbs[place].minute % MINUTES_PER_DAY < 60 * hours[1]
    ]
    by_size = sorted(inside, key=lambda place: carbs[place].grams, reverse=True)
    if not by_size:
        return
    largest = carbs[by_size[0]]
    other = carbs[by_size[1]].grams if len(by_size) > 1 else 0.0
    clear = largest.grams >= max(MIN_MEAL_GRAMS, CLEARLY_LARGER * other)
    if clear and largest.meal == "unspecified":
        carbs[by_size[0]] = replace(largest, meal=meal, inferred=True)
