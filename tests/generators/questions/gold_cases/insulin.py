"""Cases of process-mining tasks about insulin.

10 mU/min all the time are 0.05 U a sample and 14.4 U a day.
"""

from tests.generators.questions.hand_made import Case, at, bolus, flat, insulin

DAY_2 = at(2, "00:00")
DAYS_2_3 = {"day": 2, "days": 2}
WEDNESDAY = {"week": 2, "weekday": 3}
IN_2 = {"week": 2}
BOLUS = bolus(flat(), at(4, "12:00"), 5.0)

CASES = (
    Case("two days", "pm_41", flat(), 28.8, DAYS_2_3),
    Case("beyond the record", "pm_41", flat(), None, {"day": 30, "days": 2}),
    Case(
        "the whole record",
        "pm_41",
        flat(),
        432.0,
        {"day": 1, "days": 30},
    ),
    Case("its first sample", "pm_41", insulin(flat(), DAY_2, 1010), 33.8, DAYS_2_3),
    Case("its last sample", "pm_41", insulin(flat(), at(3, "23:55"), 1010), 33.8, DAYS_2_3),
    Case("the one before", "pm_41", insulin(flat(), DAY_2 - 5, 1010), 28.8, DAYS_2_3),
    Case("the one after", "pm_41", insulin(flat(), at(4, "00:00"), 1010), 28.8, DAYS_2_3),
    Case("half up", "pm_41", insulin(flat(), DAY_2, 20), 28.9, DAYS_2_3),
    Case("below half", "pm_41", insulin(flat(), DAY_2, 19), 28.8, DAYS_2_3),
    Case("the list of boluses adds nothing", "pm_41", bolus(flat(), DAY_2, 9.0), 28.8, DAYS_2_3),
    Case("unknown adds nothing", "pm_41", insulin(flat(), DAY_2, *(None,) * 20), 27.8, DAYS_2_3),
    Case("548 of 576 known", "pm_41", insulin(flat(), DAY_2, *(None,) * 28), 27.4, DAYS_2_3),
    Case("547 of 576 known", "pm_41", insulin(flat(), DAY_2, *(None,) * 29), None, DAYS_2_3),
    Case("the only one", "pm_42", BOLUS, at(4, "12:00")),
    Case("the larger one", "pm_42", bolus(BOLUS, at(9, "07:31"), 5.05), at(9, "07:31")),
    Case("the first of two", "pm_42", bolus(BOLUS, at(9, "07:31"), 5.0), at(4, "12:00")),
    Case(
        "the first of two, entered last", "pm_42", bolus(BOLUS, at(2, "07:31"), 5.0), at(2, "07:31")
    ),
    Case(
        "two parts at one minute",
        "pm_42",
        bolus(bolus(BOLUS, at(9, "07:31"), 3.0), at(9, "07:31"), 2.1, "correction_bolus"),
        at(9, "07:31"),
    ),
    Case(
        "an automatic part too",
        "pm_42",
        bolus(bolus(BOLUS, at(9, "07:31"), 4.9), at(9, "07:31"), 0.15, "automatic_correction"),
        at(9, "07:31"),
    ),
    Case(
        "two parts a minute apart are two",
        "pm_42",
        bolus(bolus(BOLUS, at(9, "07:31"), 3.0), at(9, "07:32"), 2.1, "correction_bolus"),
        at(4, "12:00"),
    ),
    Case(
        "sums that differ by binary noise are equal",
        "pm_42",
        bolus(bolus(bolus(flat(), 600, 0.3), 900, 0.1), 900, 0.2, "correction_bolus"),
        600,
    ),
    Case(
        "long-acting is none",
        "pm_42",
        bolus(BOLUS, at(9, "22:00"), 20, "long_acting"),
        at(4, "12:00"),
    ),
    Case("basal is none", "pm_42", bolus(BOLUS, at(9, "22:00"), 20, "basal"), at(4, "12:00")),
    Case("none at all", "pm_42", bolus(flat(), 600, 20, "long_acting"), None),
    Case("a day", "pm_43", flat(), 14.4, WEDNESDAY),
    Case("its first sample", "pm_43", insulin(flat(), at(10, "00:00"), 1010), 19.4, WEDNESDAY),
    Case("its last sample", "pm_43", insulin(flat(), at(10, "23:55"), 1010), 19.4, WEDNESDAY),
    Case("the one before", "pm_43", insulin(flat(), at(9, "23:55"), 1010), 14.4, WEDNESDAY),
    Case("the one after", "pm_43", insulin(flat(), at(11, "00:00"), 1010), 14.4, WEDNESDAY),
    Case(
        "274 of 288 known",
        "pm_43",
        insulin(flat(), at(10, "09:00"), *(None,) * 14),
        13.7,
        WEDNESDAY,
    ),
    Case(
        "273 of 288 known",
        "pm_43",
        insulin(flat(), at(10, "09:00"), *(None,) * 15),
        None,
        WEDNESDAY,
    ),
    Case("zero is known", "pm_43", insulin(flat(), at(10, "09:00"), *(0,) * 100), 9.4, WEDNESDAY),
    Case("minute of the day", "pm_44", BOLUS, 720, {"day": 4}),
    Case("none on the day", "pm_44", BOLUS, None, {"day": 3}),
    Case("at midnight", "pm_44", bolus(flat(), at(4, "00:00"), 1), 0, {"day": 4}),
    Case("at the last minute", "pm_44", bolus(BOLUS, at(4, "23:59"), 6), 1439, {"day": 4}),
    Case("on the next day", "pm_44", bolus(BOLUS, at(5, "00:00"), 6), 720, {"day": 4}),
    Case("on the day before", "pm_44", bolus(BOLUS, at(3, "23:59"), 6), 720, {"day": 4}),
    Case(
        "two parts at one minute",
        "pm_44",
        bolus(bolus(BOLUS, at(4, "07:31"), 3), at(4, "07:31"), 2.1, "correction_bolus"),
        451,
        {"day": 4},
    ),
    Case("the same", "pm_45", flat(), None, IN_2),
    Case("more on Saturday", "pm_45", insulin(flat(), at(13, "00:00"), 1000), "yes", IN_2),
    Case("more on Sunday night", "pm_45", insulin(flat(), at(14, "23:55"), 1000), "yes", IN_2),
    Case("more on Friday night", "pm_45", insulin(flat(), at(12, "23:55"), 1000), "no", IN_2),
    Case("more on Monday", "pm_45", insulin(flat(), at(8, "00:00"), 1000), "no", IN_2),
    Case("on the Sunday before", "pm_45", insulin(flat(), at(7, "23:55"), 1000), None, IN_2),
    Case("on the Monday after", "pm_45", insulin(flat(), at(15, "00:00"), 1000), None, IN_2),
    Case("3.1 % more", "pm_45", insulin(flat(), at(13, "00:00"), 190), "yes", IN_2),
    Case("2.9 % more", "pm_45", insulin(flat(), at(13, "00:00"), 177), None, IN_2),
    Case(
        "3.0 % of the weekdays, 2.9 % of the weekend",
        "pm_45",
        insulin(flat(), at(13, "00:00"), 183),
        "yes",
        IN_2,
    ),
    Case("3.1 % less", "pm_45", insulin(flat(), at(13, "00:00"), *(0,) * 18), "no", IN_2),
    Case("2.95 % less", "pm_45", insulin(flat(), at(13, "00:00"), *(0,) * 17), None, IN_2),
    Case(
        "a day, not in all",
        "pm_45",
        insulin(flat(), at(13, "00:00"), *(20,) * 30),
        "yes",
        IN_2,
    ),
    Case(
        "too little known at the weekend",
        "pm_45",
        insulin(flat(), at(13, "00:00"), 1000, *(None,) * 29),
        None,
        IN_2,
    ),
    Case(
        "too little known on weekdays",
        "pm_45",
        insulin(flat(), at(8, "00:00"), 5000, *(None,) * 73),
        None,
        IN_2,
    ),
    Case(
        "100 mU/min for 30 days",
        "pm_41",
        insulin(flat(), 0, *(100,) * 8640),
        4320.0,
        {"day": 1, "days": 30},
    ),
    Case("the last span", "pm_41", flat(), 28.8, {"day": 29, "days": 2}),
    Case(
        "exactly 95 % known",
        "pm_41",
        insulin(flat(), DAY_2, *(None,) * 72),
        68.4,
        {"day": 2, "days": 5},
    ),
    Case("at the very start", "pm_42", bolus(BOLUS, 0, 6), 0),
    Case(
        "two halves before a whole",
        "pm_42",
        bolus(bolus(bolus(flat(), 900, 1.0), 600, 0.5), 600, 0.5, "correction_bolus"),
        600,
    ),
    Case(
        "two halves after a whole",
        "pm_42",
        bolus(bolus(bolus(flat(), 600, 1.0), 900, 0.5), 900, 0.5, "correction_bolus"),
        600,
    ),
    Case("2.99 % more", "pm_45", insulin(flat(), at(13, "00:00"), 182), None, IN_2),
)
