"""Cases of process-mining tasks about windows and days."""

from tests.generators.questions.hand_made import Case, all_days, at, flat, mixed, reading

WINDOW = {"week": 2, "weekday": 3, "start": 480}
WEDNESDAY = at(10, "08:00")
DAY_5, DAY_9 = at(5, "00:00"), at(9, "00:00")
ALL = list(range(1, 31))

SWINGING = all_days(120, 144)
"""A CV of 20.035 % on every day."""
CALMER_5 = mixed(SWINGING, DAY_5, 288, 120, 20)
WILDER_5 = mixed(SWINGING, DAY_5, 288, 160, 144)


def without(*days: int) -> list[int]:
    return [day for day in ALL if day not in days]


CASES = (
    Case(
        "the window's 24 samples", "pm_14", reading(flat(), WEDNESDAY, *(200,) * 24), 200.0, WINDOW
    ),
    Case("before it does not count", "pm_14", reading(flat(), WEDNESDAY - 5, 400), 100.0, WINDOW),
    Case("its end does not count", "pm_14", reading(flat(), WEDNESDAY + 120, 400), 100.0, WINDOW),
    Case("its start counts", "pm_14", reading(flat(), WEDNESDAY, 340), 110.0, WINDOW),
    Case(
        "16 of 24 are under 70 %", "pm_14", reading(flat(), WEDNESDAY, *(None,) * 8), None, WINDOW
    ),
    Case("17 of 24 are enough", "pm_14", reading(flat(), WEDNESDAY, *(0,) * 7), 100.0, WINDOW),
    Case(
        "the last day of week 4",
        "pm_14",
        reading(flat(), at(28, "22:00"), *(150,) * 24),
        150.0,
        {"week": 4, "weekday": 7, "start": 1320},
    ),
    Case(
        "the first day of week 1",
        "pm_14",
        reading(flat(), 0, *(150,) * 24),
        150.0,
        {"week": 1, "weekday": 1, "start": 0},
    ),
    Case(
        "all days but one", "pm_15", mixed(flat(), DAY_5, 288, 130, 144), without(5), {"bound": 20}
    ),
    Case("one day", "pm_15", reading(SWINGING, DAY_5, *(100,) * 288), [5], {"bound": 15}),
    Case("no day", "pm_15", SWINGING, None, {"bound": 15}),
    Case("every day", "pm_15", SWINGING, None, {"bound": 25}),
    Case("no readings", "pm_15", reading(flat(), 0, *(None,) * 8640), None, {"bound": 25}),
    Case("a CV of 20.035", "pm_15", mixed(flat(), DAY_5, 288, 120, 144), None, {"bound": 20}),
    Case("a CV of 20.062", "pm_15", mixed(flat(), DAY_5, 288, 120, 143), without(5), {"bound": 20}),
    Case(
        "a CV of 19.958",
        "pm_15",
        mixed(mixed(flat(), DAY_5, 288, 119, 105), DAY_9, 288, 160, 144),
        None,
        {"bound": 20},
    ),
    Case(
        "a CV of 19.932",
        "pm_15",
        mixed(mixed(flat(), DAY_5, 288, 119, 103), DAY_9, 288, 160, 144),
        without(9),
        {"bound": 20},
    ),
    Case(
        "a day with 201 readings is left out",
        "pm_15",
        reading(mixed(flat(), DAY_9, 288, 160, 144), DAY_5, *(None,) * 87),
        without(5, 9),
        {"bound": 20},
    ),
    Case(
        "a day with 202 readings is not",
        "pm_15",
        reading(mixed(flat(), DAY_9, 288, 160, 144), DAY_5, *(0,) * 86),
        without(9),
        {"bound": 20},
    ),
    Case(
        "the first and the last day",
        "pm_15",
        reading(reading(SWINGING, 0, *(100,) * 288), at(30, "00:00"), *(100,) * 288),
        [1, 30],
        {"bound": 15},
    ),
    Case("highest", "pm_16", WILDER_5, 5),
    Case("all equal", "pm_16", SWINGING, None),
    Case("0.12 points apart", "pm_16", mixed(all_days(120, 88), DAY_5, 288, 120, 92), 5),
    Case("0.06 points apart", "pm_16", mixed(all_days(120, 90), DAY_5, 288, 120, 92), None),
    Case(
        "the highest of a day with too few readings",
        "pm_16",
        reading(mixed(WILDER_5, DAY_9, 288, 200, 144), DAY_9, *(None,) * 87),
        5,
    ),
    Case(
        "midnight belongs to the day that begins",
        "pm_16",
        reading(flat(), at(9, "00:00"), 400),
        9,
    ),
    Case("23:55 to the day that ends", "pm_16", reading(flat(), at(9, "23:55"), 400), 9),
    Case(
        "one day alone",
        "pm_16",
        flat(days=1),
        None,
    ),
    Case("lowest", "pm_17", CALMER_5, 5),
    Case("all equal", "pm_17", SWINGING, None),
    Case(
        "two days alone",
        "pm_17",
        mixed(mixed(flat(days=2), 0, 288, 120, 144), 1440, 288, 120, 9),
        2,
    ),
)
