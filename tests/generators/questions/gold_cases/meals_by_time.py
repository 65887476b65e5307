"""Cases of tasks about meals that the record does not name, told by their time of day."""

from dataclasses import replace
from functools import partial

from generators.real_world.meals import with_inferred_meals
from generators.trace import MealType, Trace
from tests.generators.questions.gold_cases.meals import three_meals
from tests.generators.questions.hand_made import Case, at, flat, meal, reading

DAY_3 = {"day": 3}
ByTime = partial(Case, by_time=True)
"""A case whose meals only a guess names."""


def unnamed(*carbs: tuple[int, str, int], trace: Trace | None = None) -> Trace:
    """Return a record with carbohydrate (day, clock, grams), named by a guess where there is one."""
    record = trace or flat(100)
    for day, clock, grams in carbs:
        record = meal(record, at(day, clock), "unspecified", grams)
    return with_inferred_meals(record)


def guessed(trace: Trace) -> Trace:
    """Return the record with all its names forgotten, then guessed anew."""
    forgotten = tuple(replace(event, meal="unspecified") for event in trace.carbs)
    return with_inferred_meals(replace(trace, carbs=forgotten))


def peak_at(trace: Trace, clock: str, value: int = 212, day: int = 3) -> Trace:
    """Return the record with one high reading."""
    return reading(trace, at(day, clock), value)


def mixed_names(kind: MealType) -> Trace:
    """Return a record with unnamed dinners and one other that the record names."""
    return meal(EVENINGS, at(9, "18:00"), kind, 40)


NOON = unnamed((3, "12:10", 50))
LATE_LUNCH = unnamed((3, "12:15", 50))
MORNING = unnamed((3, "07:40", 50))
DINNER = unnamed((3, "19:00", 60))
EVENINGS = peak_at(
    peak_at(unnamed((2, "17:00", 60), (5, "21:55", 90), (7, "18:00", 30)), "18:00", 140, day=2),
    "23:00",
    175,
    day=5,
)
SIXTY = {"grams": 60}
SEVENTY = {"grams": 70}
THIRTY = {"grams": 30}

CASES = (
    ByTime("peak", "pm_21", peak_at(NOON, "13:00"), 212, DAY_3),
    ByTime("the window starts at the entry", "pm_21", peak_at(NOON, "15:10"), 212, DAY_3),
    ByTime("and ends 3 h later", "pm_21", peak_at(NOON, "15:15"), 100, DAY_3),
    Case("a guessed lunch is none of that name", "pm_21", NOON, None, DAY_3),
    ByTime(
        "a named lunch is no guess", "pm_21", meal(flat(), at(3, "12:10"), "lunch"), None, DAY_3
    ),
    ByTime("no entry on the day", "pm_21", NOON, None, {"day": 4}),
    ByTime("another 60 min from 12:00", "pm_21", unnamed((3, "11:00", 9), trace=NOON), None, DAY_3),
    ByTime("another 61 min from it", "pm_21", unnamed((3, "10:59", 9), trace=NOON), 100, DAY_3),
    ByTime("another 65 min before", "pm_21", unnamed((3, "10:55", 9), trace=NOON), 100, DAY_3),
    ByTime(
        "12:15 is around 12:30", "pm_21", meal(LATE_LUNCH, at(3, "11:25"), "rescue", 9), 100, DAY_3
    ),
    ByTime(
        "an hour before 12:30", "pm_21", meal(LATE_LUNCH, at(3, "11:30"), "rescue", 9), None, DAY_3
    ),
    ByTime("another 3 h after", "pm_21", unnamed((3, "15:10", 9), trace=NOON), None, DAY_3),
    ByTime(
        "two alike are no guess", "pm_21", unnamed((3, "12:00", 9), (3, "14:00", 9)), None, DAY_3
    ),
    ByTime("peak", "pm_26", peak_at(MORNING, "08:40"), 212, DAY_3),
    ByTime("lunch is no breakfast", "pm_26", NOON, None, DAY_3),
    ByTime(
        "back after 65 min",
        "pm_22",
        reading(DINNER, at(3, "19:05"), *(150,) * 12),
        65,
        DAY_3,
    ),
    ByTime("never back", "pm_22", reading(DINNER, at(3, "19:05"), *(150,) * 60), None, DAY_3),
    ByTime(
        "more within 5 h",
        "pm_22",
        meal(reading(DINNER, at(3, "19:05"), *(150,) * 12), at(4, "00:00"), "unspecified"),
        None,
        DAY_3,
    ),
    ByTime("largest rise", "pm_23", guessed(three_meals((40, 90, 60))), "lunch", DAY_3),
    ByTime("the first", "pm_23", guessed(three_meals((95, 90, 60))), "breakfast", DAY_3),
    ByTime("the last", "pm_23", guessed(three_meals((5, 0, 60))), "dinner", DAY_3),
    ByTime("margin of 4", "pm_23", guessed(three_meals((86, 90, 60))), None, DAY_3),
    ByTime("one has no guess", "pm_23", unnamed((3, "12:10", 50), trace=MORNING), None, DAY_3),
    Case("guessed names", "pm_23", guessed(three_meals((40, 90, 60))), None, DAY_3),
    ByTime("large ones", "pm_25", EVENINGS, [[2, 40], [5, 75]], SIXTY),
    ByTime("the largest", "pm_25", EVENINGS, [[5, 75]], SEVENTY),
    ByTime("every one is large", "pm_25", EVENINGS, None, THIRTY),
    Case("guessed dinners are none of that name", "pm_25", EVENINGS, None, SIXTY),
    ByTime("the record names one", "pm_25", mixed_names("dinner"), None, SIXTY),
    ByTime("the record names a snack", "pm_25", mixed_names("late_snack"), [[5, 75]], SEVENTY),
    ByTime("22:00 is late", "pm_25", unnamed((9, "22:00", 80), trace=EVENINGS), [[5, 75]], SEVENTY),
    ByTime(
        "16:55 is early", "pm_25", unnamed((9, "16:55", 80), trace=EVENINGS), [[5, 75]], SEVENTY
    ),
    ByTime(
        "another is nearly as large",
        "pm_25",
        unnamed((9, "17:30", 54), (9, "21:00", 80), trace=EVENINGS),
        [[5, 75]],
        SEVENTY,
    ),
    ByTime(
        "one and a half times as large as another before it",
        "pm_25",
        unnamed((9, "17:30", 54), (9, "21:00", 81), trace=EVENINGS),
        [[5, 75], [9, 0]],
        SEVENTY,
    ),
    ByTime(
        "the largest of the evening is a snack",
        "pm_25",
        unnamed((9, "18:00", 70), trace=meal(EVENINGS, at(9, "21:30"), "late_snack", 75)),
        [[5, 75]],
        SEVENTY,
    ),
    ByTime("19 g are none", "pm_25", unnamed((9, "18:00", 19), trace=EVENINGS), [[5, 75]], SEVENTY),
)
