"""Cases of process-mining tasks about meals."""

from generators.trace import MealType, Trace
from tests.generators.questions.hand_made import Case, at, flat, meal, reading

DAY_3 = {"day": 3}
MEALS: tuple[tuple[MealType, str], ...] = (
    ("breakfast", "07:00"),
    ("lunch", "12:00"),
    ("dinner", "18:00"),
)


def three_meals(rises: tuple[int, int, int], day: int = 3) -> Trace:
    """Three meals with these rises, each an hour after the meal."""
    trace = flat(100)
    for (kind, clock), rise in zip(MEALS, rises, strict=True):
        trace = meal(trace, at(day, clock), kind)
        trace = reading(trace, at(day, clock) + 60, 100 + rise)
    return trace


def dinners(**grams: int) -> Trace:
    """Dinners at 18:00 of days d1, d2 and so on."""
    trace = flat()
    for day, size in grams.items():
        trace = meal(trace, at(int(day[1:]), "18:00"), "dinner", size)
    return trace


LUNCH = meal(flat(100), at(3, "12:00"), "lunch")
BREAKFAST = meal(flat(100), at(3, "07:00"), "breakfast")
DINNER_AT = at(3, "18:00")
DINNER = meal(flat(100), DINNER_AT, "dinner")
HIGH_DINNER = reading(DINNER, DINNER_AT + 5, *(150,) * 60)
"""150 from 5 min after dinner to 300 min after it, then 100."""
SNACK_AT = at(3, "10:00")
SNACK = meal(flat(100), SNACK_AT, "morning_snack", 20)
TWO_DINNERS = reading(reading(dinners(d2=60, d5=90), at(2, "19:00"), 140), at(5, "19:00"), 175)
SIXTY = {"grams": 60}
SEVENTY = {"grams": 70}

CASES = (
    Case("no lunch", "pm_21", flat(), None, DAY_3),
    Case("lunch on another day", "pm_21", LUNCH, None, {"day": 4}),
    Case("peak", "pm_21", reading(LUNCH, at(3, "13:00"), 212), 212, DAY_3),
    Case(
        "the reading at the start is before",
        "pm_21",
        reading(LUNCH, at(3, "12:00"), 212),
        100,
        DAY_3,
    ),
    Case("3 h after still counts", "pm_21", reading(LUNCH, at(3, "15:00"), 212), 212, DAY_3),
    Case("3 h 5 min does not", "pm_21", reading(LUNCH, at(3, "15:05"), 212), 100, DAY_3),
    Case(
        "a snack within 3 h",
        "pm_21",
        meal(LUNCH, at(3, "15:00"), "afternoon_snack"),
        None,
        DAY_3,
    ),
    Case(
        "a snack just after",
        "pm_21",
        meal(LUNCH, at(3, "15:05"), "afternoon_snack"),
        100,
        DAY_3,
    ),
    Case(
        "rescue carbohydrate counts as other",
        "pm_21",
        meal(LUNCH, at(3, "13:00"), "rescue"),
        None,
        DAY_3,
    ),
    Case("two lunches", "pm_21", meal(LUNCH, at(3, "16:00"), "lunch"), None, DAY_3),
    Case(
        "a meal between samples",
        "pm_21",
        reading(meal(flat(), at(3, "12:02"), "lunch"), at(3, "12:05"), 180),
        180,
        DAY_3,
    ),
    Case(
        "window runs out of the record",
        "pm_21",
        meal(flat(), at(30, "21:30"), "lunch"),
        None,
        {"day": 30},
    ),
    Case("largest rise", "pm_23", three_meals((40, 90, 60)), "lunch", DAY_3),
    Case("margin of 5 is enough", "pm_23", three_meals((85, 90, 60)), "lunch", DAY_3),
    Case("margin of 4 is not", "pm_23", three_meals((86, 90, 60)), None, DAY_3),
    Case(
        "no baseline",
        "pm_23",
        reading(three_meals((40, 90, 60)), at(3, "11:45"), *(None,) * 4),
        None,
        DAY_3,
    ),
    Case(
        "baseline 15 min old",
        "pm_23",
        reading(three_meals((40, 90, 60)), at(3, "11:50"), *(None,) * 3),
        "lunch",
        DAY_3,
    ),
    Case("back after 65 min", "pm_22", reading(DINNER, DINNER_AT + 5, *(150,) * 12), 65, DAY_3),
    Case(
        "111 is not back, 110 is",
        "pm_22",
        reading(HIGH_DINNER, DINNER_AT + 60, 111, 110),
        65,
        DAY_3,
    ),
    Case("the peak must exceed 110", "pm_22", reading(DINNER, DINNER_AT + 30, 110), None, DAY_3),
    Case("111 exceeds it", "pm_22", reading(DINNER, DINNER_AT + 30, 111), 35, DAY_3),
    Case(
        "a dip before the peak is no return",
        "pm_22",
        reading(HIGH_DINNER, DINNER_AT + 30, 100, 100, 200, 150, 150, 105),
        55,
        DAY_3,
    ),
    Case(
        "from the first of two peaks",
        "pm_22",
        reading(HIGH_DINNER, DINNER_AT + 30, 200, 100, 200, 100),
        35,
        DAY_3,
    ),
    Case("back at 300 min", "pm_22", reading(HIGH_DINNER, DINNER_AT + 300, 110), 300, DAY_3),
    Case("not within 300 min", "pm_22", HIGH_DINNER, None, DAY_3),
    Case(
        "a peak after 300 min is none",
        "pm_22",
        reading(DINNER, DINNER_AT + 305, 300),
        None,
        DAY_3,
    ),
    Case(
        "a peak at the meal itself is none", "pm_22", reading(DINNER, DINNER_AT, 150), None, DAY_3
    ),
    Case(
        "of the baseline, not of 100",
        "pm_22",
        reading(DINNER, DINNER_AT, 120, 140, 133, 132),
        15,
        DAY_3,
    ),
    Case(
        "missing readings and zeros are no return",
        "pm_22",
        reading(HIGH_DINNER, DINNER_AT + 30, 200, None, 0, 100),
        45,
        DAY_3,
    ),
    Case(
        "no baseline",
        "pm_22",
        reading(reading(HIGH_DINNER, DINNER_AT + 60, 100), DINNER_AT - 15, *(None,) * 4),
        None,
        DAY_3,
    ),
    Case(
        "41 of 60 are under 70 %",
        "pm_22",
        reading(HIGH_DINNER, DINNER_AT + 10, *(None,) * 19, 100),
        None,
        DAY_3,
    ),
    Case(
        "42 are enough",
        "pm_22",
        reading(HIGH_DINNER, DINNER_AT + 10, *(None,) * 18, 100),
        100,
        DAY_3,
    ),
    Case(
        "a snack within 5 h",
        "pm_22",
        meal(reading(HIGH_DINNER, DINNER_AT + 60, 100), DINNER_AT + 300, "late_snack"),
        None,
        DAY_3,
    ),
    Case(
        "a snack after 5 h",
        "pm_22",
        meal(reading(HIGH_DINNER, DINNER_AT + 60, 100), DINNER_AT + 301, "late_snack"),
        60,
        DAY_3,
    ),
    Case(
        "a dinner between samples",
        "pm_22",
        reading(meal(flat(), at(3, "18:02"), "dinner"), at(3, "18:05"), 150, 150, 100),
        13,
        DAY_3,
    ),
    Case(
        "window just inside the record",
        "pm_22",
        reading(meal(flat(), at(30, "18:59"), "dinner"), at(30, "20:00"), 150),
        66,
        {"day": 30},
    ),
    Case(
        "window just outside",
        "pm_22",
        reading(meal(flat(), at(30, "19:00"), "dinner"), at(30, "20:00"), 150),
        None,
        {"day": 30},
    ),
    Case("a rise of 30 in 30 min", "pm_24", reading(SNACK, SNACK_AT + 30, 130), 1.0, DAY_3),
    Case("a fall", "pm_24", reading(SNACK, SNACK_AT + 30, 76), -0.8, DAY_3),
    Case(
        "half away from zero", "pm_24", reading(SNACK, SNACK_AT + 30, None, None, 95), -0.13, DAY_3
    ),
    Case("no change", "pm_24", SNACK, 0.0, DAY_3),
    Case(
        "end and baseline at most 15 min away",
        "pm_24",
        reading(reading(SNACK, SNACK_AT - 10, *(None,) * 3), SNACK_AT + 30, *(None,) * 3, 130),
        0.5,
        DAY_3,
    ),
    Case(
        "the baseline is 20 min old",
        "pm_24",
        reading(SNACK, SNACK_AT - 15, *(None,) * 4),
        None,
        DAY_3,
    ),
    Case(
        "the end is 20 min late", "pm_24", reading(SNACK, SNACK_AT + 30, *(None,) * 4), None, DAY_3
    ),
    Case("zeros are none", "pm_24", reading(SNACK, SNACK_AT + 30, 0, 135), 1.0, DAY_3),
    Case(
        "a snack between samples",
        "pm_24",
        reading(meal(flat(), SNACK_AT + 2, "morning_snack"), SNACK_AT + 35, 135),
        1.0,
        DAY_3,
    ),
    Case("another snack", "pm_24", meal(flat(), SNACK_AT, "afternoon_snack"), None, DAY_3),
    Case(
        "other carbohydrate 45 min after",
        "pm_24",
        meal(SNACK, SNACK_AT + 45, "lunch"),
        None,
        DAY_3,
    ),
    Case("and 46 min after", "pm_24", meal(SNACK, SNACK_AT + 46, "lunch"), 0.0, DAY_3),
    Case("one of two", "pm_25", TWO_DINNERS, [[5, 75]], SEVENTY),
    Case("exactly the stated size counts", "pm_25", TWO_DINNERS, [[5, 75]], {"grams": 90}),
    Case("every one", "pm_25", TWO_DINNERS, None, SIXTY),
    Case("none", "pm_25", TWO_DINNERS, None, {"grams": 100}),
    Case("no dinner", "pm_25", flat(), None, SIXTY),
    Case("other meals do not count", "pm_25", three_meals((9, 9, 9)), None, {"grams": 40}),
    Case(
        "in order of the days, falls too",
        "pm_25",
        reading(dinners(d1=50, d4=80, d30=70), at(4, "17:55"), 120, 120, *(90,) * 36),
        [[4, -30], [30, 0]],
        SIXTY,
    ),
    Case(
        "one with a late snack is left out",
        "pm_25",
        meal(dinners(d1=50, d4=80, d6=70), at(4, "21:00"), "late_snack"),
        [[6, 0]],
        SIXTY,
    ),
    Case(
        "a late snack after 3 h does not matter",
        "pm_25",
        meal(dinners(d1=50, d4=80), at(4, "21:01"), "late_snack"),
        [[4, 0]],
        SIXTY,
    ),
    Case(
        "two dinners on a day",
        "pm_25",
        meal(dinners(d1=50, d4=80, d6=70), at(4, "22:00"), "dinner"),
        [[6, 0]],
        SIXTY,
    ),
    Case(
        "a window beyond the record",
        "pm_25",
        meal(dinners(d1=50, d6=70), at(30, "21:00"), "dinner", 90),
        [[6, 0]],
        SIXTY,
    ),
    Case(
        "no baseline",
        "pm_25",
        reading(TWO_DINNERS, at(5, "17:45"), *(None,) * 4),
        None,
        SEVENTY,
    ),
    Case("peak", "pm_26", reading(BREAKFAST, at(3, "08:00"), 212), 212, DAY_3),
    Case("3 h after still counts", "pm_26", reading(BREAKFAST, at(3, "10:00"), 212), 212, DAY_3),
    Case("3 h 5 min does not", "pm_26", reading(BREAKFAST, at(3, "10:05"), 212), 100, DAY_3),
    Case("lunch is no breakfast", "pm_26", LUNCH, None, DAY_3),
    Case(
        "25 of 36 are under 70 %",
        "pm_26",
        reading(BREAKFAST, at(3, "08:00"), *(None,) * 11),
        None,
        DAY_3,
    ),
    Case("26 are enough", "pm_26", reading(BREAKFAST, at(3, "08:00"), *(0,) * 10), 100, DAY_3),
    Case(
        "lunch at midnight",
        "pm_21",
        meal(flat(), at(3, "00:00"), "lunch"),
        100,
        DAY_3,
    ),
    Case(
        "lunch at the midnight after",
        "pm_21",
        meal(flat(), at(4, "00:00"), "lunch"),
        None,
        DAY_3,
    ),
)
