"""Cases of anomaly-detection tasks about episodes of low and high glucose."""

from generators.questions.task import Answer
from generators.trace import Trace
from tests.generators.questions.hand_made import Case, at, flat, meal, reading

LOW = (69, 69, 69)
VERY_LOW = (53, 53, 53)
HIGH = (181, 181, 181)
END = 30 * 1440
IN_2 = {"week": 2}
ON_5 = {"day": 5}
NOON, DAY_24 = at(3, "12:00"), at(24, "00:00")
LUNCH = meal(flat(), NOON, "lunch")
ABOVE_200 = {"value": 200}


def between(start: int, end: int) -> Answer:
    return [{"start": start, "end": end}]


def lows(*minutes: int) -> Trace:
    """Lows of three readings."""
    trace = flat()
    for minute in minutes:
        trace = reading(trace, minute, *LOW)
    return trace


def course(*parts: tuple[int, int], start: int = 0) -> Trace:
    """Readings one after the other: (value, how many)."""
    return reading(flat(), start, *(value for value, count in parts for _ in range(count)))


def out_on(**counts: int) -> Trace:
    """So many readings above 180 on days d1, d2 and so on."""
    trace = flat()
    for day, count in counts.items():
        trace = reading(trace, at(int(day[1:]), "00:00"), *(181,) * count)
    return trace


def weeks(one: int, other: int) -> dict[str, int]:
    return {"week": one, "other_week": other}


def many(kind: tuple[int, ...], day: int, count: int, trace: Trace | None = None) -> Trace:
    """Episodes an hour apart."""
    trace = trace or flat()
    for n in range(count):
        trace = reading(trace, at(day, "00:00") + 60 * n, *kind)
    return trace


LAST = lows(600, END - 300)
SINKING = course((69, 1), (60, 1), (55, 2), (65, 1), (75, 1), (69, 1), (90, 5), start=600)
REBOUND = course((60, 3), (100, 21), (200, 3))
"""The high starts 110 min after the low ends."""
WAVES = course((200, 3), (100, 3), (60, 3), (100, 3), (200, 3))

CASES = (
    Case("none", "ad_17", flat(), []),
    Case("the later one", "ad_17", LAST, between(END - 300, END - 290)),
    Case("one at the very end", "ad_17", lows(600, END - 15), between(END - 15, END - 5)),
    Case("two readings are none", "ad_17", reading(lows(600), 900, 69, 69), between(600, 610)),
    Case("none", "ad_22", flat(), None),
    Case("three samples are 15 min", "ad_22", LAST, 15),
    Case("of the last one", "ad_22", reading(LAST, 600, *LOW, *LOW), 15),
    Case(
        "skipped samples count",
        "ad_22",
        reading(flat(), 600, *LOW, None, None, None, *LOW),
        45,
    ),
    Case("20 min missing part it", "ad_22", reading(flat(), 600, *LOW, *(None,) * 4, *LOW), 15),
    Case("none", "ad_25", flat(), 0),
    Case("two", "ad_25", LAST, 2),
    Case("too few readings", "ad_25", reading(LAST, 1000, *(None,) * 2593), None),
    Case("70 % of them", "ad_25", reading(lows(600), 1000, *(None,) * 2592), 1),
    Case("none", "ad_30", flat(), None),
    Case("to the first of 70 or more", "ad_30", SINKING, 15),
    Case("from the first lowest", "ad_30", course((69, 3), (60, 4), (70, 9), start=600), 20),
    Case("missing readings are passed over", "ad_30", reading(lows(600), 615, None, 0), 25),
    Case("a low zero is none", "ad_30", reading(lows(600), 605, 0, 69, 69), 20),
    Case("not back before the end", "ad_30", lows(END - 15), None),
    Case("of the last one", "ad_30", reading(SINKING, END - 300, 69, 69, 50), 5),
    Case(
        "of the last one, though another went lower",
        "ad_30",
        reading(SINKING, END - 300, 69, 60, 69, 69, 69),
        20,
    ),
    Case(
        "a later dip is no episode",
        "ad_30",
        reading(SINKING, END - 300, 69, 60, 69, 69, 80, 80, 80, 50),
        15,
    ),
    Case("no low at night", "ad_18", lows(at(2, "06:00")), []),
    Case("at night", "ad_18", lows(at(2, "03:00")), between(at(2, "03:00"), at(2, "03:10"))),
    Case(
        "cut at midnight",
        "ad_18",
        reading(flat(), at(2, "23:50"), *LOW, *LOW),
        between(at(3, "00:00"), at(3, "00:15")),
    ),
    Case("cut at six", "ad_18", lows(at(2, "05:50")), between(at(2, "05:50"), at(2, "05:55"))),
    Case(
        "one sample of it", "ad_18", lows(at(2, "05:55")), between(at(2, "05:55"), at(2, "05:56"))
    ),
    Case(
        "over a whole day it gives two nights",
        "ad_18",
        reading(flat(), at(2, "05:00"), *(60,) * (20 * 12)),
        [
            {"start": at(2, "05:00"), "end": at(2, "05:55")},
            {"start": at(3, "00:00"), "end": at(3, "00:55")},
        ],
    ),
    Case(
        "a skipped sample belongs to it",
        "ad_18",
        reading(flat(), at(2, "02:00"), *LOW, None, *LOW),
        between(at(2, "02:00"), at(2, "02:30")),
    ),
    Case("15 min are too short", "ad_19", lows(at(2, "03:00")), []),
    Case("25 min are too short", "ad_19", course((69, 5), start=at(2, "03:00")), []),
    Case(
        "30 min",
        "ad_19",
        course((69, 6), start=at(2, "00:00")),
        between(at(2, "00:00"), at(2, "00:25")),
    ),
    Case("starts before midnight", "ad_19", course((69, 30), start=at(2, "23:55")), []),
    Case(
        "ends after six, whole",
        "ad_19",
        course((69, 12), start=at(2, "05:55")),
        between(at(2, "05:55"), at(2, "06:50")),
    ),
    Case(
        "on the first and the last day",
        "ad_19",
        reading(course((69, 6), start=60), at(30, "01:00"), *LOW, *LOW),
        [{"start": 60, "end": 85}, {"start": at(30, "01:00"), "end": at(30, "01:25")}],
    ),
    Case("starts at six", "ad_19", course((69, 12), start=at(2, "06:00")), []),
    Case("54 is not below 54", "ad_20", course((54, 9), start=at(9, "00:00")), [], IN_2),
    Case(
        "53",
        "ad_20",
        reading(flat(), at(9, "00:00"), *VERY_LOW),
        between(at(9, "00:00"), at(9, "00:10")),
        IN_2,
    ),
    Case(
        "54 mg/dL three times ends it",
        "ad_20",
        reading(flat(), at(9, "00:00"), *VERY_LOW, 54, 54, 54, 53),
        between(at(9, "00:00"), at(9, "00:10")),
        IN_2,
    ),
    Case(
        "starts on the last sample of the week, whole",
        "ad_20",
        reading(flat(), at(14, "23:55"), *VERY_LOW),
        between(at(14, "23:55"), at(15, "00:05")),
        IN_2,
    ),
    Case("started the week before", "ad_20", course((53, 9), start=at(7, "23:55")), [], IN_2),
    Case("a week later", "ad_20", course((53, 9), start=at(15, "00:00")), [], IN_2),
    Case(
        "cut to the day on both sides",
        "ad_23",
        reading(flat(), at(4, "23:00"), *(200,) * (26 * 12)),
        between(at(5, "00:00"), at(5, "23:55")),
        ON_5,
    ),
    Case("180 is not above", "ad_23", flat(180), [], ON_5),
    Case("on another day", "ad_23", course((181, 9), start=at(6, "00:00")), [], ON_5),
    Case(
        "one sample of it",
        "ad_23",
        course((181, 3), start=at(4, "23:50")),
        between(at(5, "00:00"), at(5, "00:01")),
        ON_5,
    ),
    Case("starts on day 24", "ad_26", lows(DAY_24), 1),
    Case("started on day 23", "ad_26", lows(DAY_24 - 5), 0),
    Case("two", "ad_26", lows(600, DAY_24 + 600, END - 15), 2),
    Case("too few readings", "ad_26", reading(flat(), DAY_24, *(None,) * 605), None),
    Case("enough of them", "ad_26", reading(flat(), DAY_24, *(None,) * 604), 0),
    Case("highs do not count", "ad_26", course((200, 9), start=DAY_24), 0),
    Case("starts on day 24", "ad_27", course((181, 3), start=DAY_24), 1),
    Case("started on day 23", "ad_27", course((181, 9), start=DAY_24 - 5), 0),
    Case("lows do not count", "ad_27", lows(DAY_24), 0),
    Case("235 min", "ad_28", course((200, 47), start=DAY_24), []),
    Case("240 min", "ad_28", course((200, 48), start=DAY_24), between(DAY_24, DAY_24 + 235)),
    Case(
        "started at 23:55",
        "ad_28",
        course((200, 48), start=at(24, "23:55")),
        between(at(24, "23:55"), at(25, "03:50")),
    ),
    Case("started on day 23", "ad_28", course((200, 60), start=DAY_24 - 5), []),
    Case("none of an hour", "ad_29", course((200, 11)), None),
    Case("one of an hour", "ad_29", course((200, 12)), 60),
    Case("shorter ones are left out", "ad_29", course((200, 12), (100, 3), (200, 9)), 60),
    Case("62.5 rounds up", "ad_29", course((200, 12), (100, 3), (200, 13)), 63),
    Case("the clear one", "ad_31", out_on(d3=10, d9=7), 3),
    Case("two more are too few", "ad_31", out_on(d3=10, d9=8), None),
    Case(
        "readings at the bounds are in range",
        "ad_31",
        reading(out_on(d3=3), at(9, "00:00"), 70, 180, 0, 0),
        3,
    ),
    Case("lows count", "ad_31", reading(out_on(d3=3), at(9, "00:00"), *(69,) * 6), 9),
    Case(
        "a day with many missing is left out",
        "ad_31",
        reading(out_on(d3=50, d9=7), at(3, "10:00"), *(None,) * 87),
        9,
    ),
    Case("the first day", "ad_31", out_on(d1=10, d9=7), 1),
    Case("the last day", "ad_31", out_on(d30=10, d9=7), 30),
    Case("one day with readings", "ad_31", reading(out_on(d1=10), 1440, *(None,) * 8352), None),
    Case("two days with readings", "ad_31", reading(out_on(d1=10), 2880, *(None,) * 8064), 1),
    Case("no readings", "ad_31", reading(flat(), 0, *(None,) * 8640), None),
    Case("none", "ad_32", flat(), None),
    Case("the longest", "ad_32", course((200, 12), (100, 3), (200, 13), (100, 3), (200, 5)), 65),
    Case("to the end of the record", "ad_32", course((200, 5), start=END - 25), 25),
    Case("two more", "ad_34", many(LOW, 9, 2), "yes", weeks(2, 3)),
    Case("two fewer", "ad_34", many(LOW, 9, 2), "no", weeks(3, 2)),
    Case("one more", "ad_34", many(LOW, 9, 1), None, weeks(2, 3)),
    Case("both kinds count", "ad_34", many(HIGH, 10, 1, many(LOW, 9, 1)), "yes", weeks(2, 1)),
    Case("three each", "ad_34", many(LOW, 16, 3, many(LOW, 9, 3)), None, weeks(2, 3)),
    Case("the same week", "ad_34", many(LOW, 9, 4), None, weeks(2, 2)),
    Case(
        "it starts before the week",
        "ad_34",
        course((69, 3), start=at(7, "23:55")),
        None,
        weeks(1, 2),
    ),
    Case(
        "too few readings",
        "ad_34",
        reading(many(LOW, 9, 3), at(15, "00:00"), *(None,) * 605),
        None,
        weeks(2, 3),
    ),
    Case("no low at all", "ad_35", flat(), []),
    Case("a new hour", "ad_35", lows(DAY_24 + 180), [3]),
    Case("on the last day", "ad_35", lows(END - 60), [23]),
    Case("known before", "ad_35", lows(180, DAY_24 + 180), []),
    Case("one episode over two hours", "ad_35", lows(DAY_24 + 235), [3, 4]),
    Case("its start on day 23 is before", "ad_35", course((69, 24), start=DAY_24 - 60), [0]),
    Case(
        "skipped samples belong to an episode",
        "ad_35",
        reading(flat(), DAY_24 + 225, *LOW, None, None, None, 69, 69, 69),
        [3, 4],
    ),
    Case("every hour", "ad_35", course((69, 288), start=DAY_24), None),
    Case("the clear one", "ad_41", out_on(d24=9, d25=9, d26=9, d27=6, d28=9, d29=9, d30=9), 27),
    Case("two fewer", "ad_41", out_on(d24=9, d25=9, d26=9, d27=7, d28=9, d29=9, d30=9), None),
    Case("the last day", "ad_41", out_on(d24=9, d25=9, d26=9, d27=9, d28=9, d29=9, d30=6), 30),
    Case(
        "a day with many missing is left out",
        "ad_41",
        reading(
            out_on(d24=9, d25=9, d26=9, d27=6, d28=9, d29=9, d30=9),
            at(25, "00:00"),
            *(None,) * 87,
        ),
        27,
    ),
    Case("110 min later", "ad_21", REBOUND, between(0, 130)),
    Case("120 min later", "ad_21", course((60, 3), (100, 23), (200, 3)), between(0, 140)),
    Case("125 min later", "ad_21", course((60, 3), (100, 24), (200, 3)), []),
    Case("the other way round", "ad_21", course((200, 3), (100, 3), (60, 3)), []),
    Case(
        "another low comes between",
        "ad_21",
        course((60, 3), (100, 3), (60, 3), (100, 3), (200, 3)),
        between(30, 70),
    ),
    Case("at once", "ad_21", course((60, 3), (200, 3)), between(0, 25)),
    Case("240 does not count alone", "ad_37", REBOUND, []),
    Case("high, low, high", "ad_37", WAVES, between(0, 70)),
    Case(
        "120 min each",
        "ad_37",
        course((200, 3), (100, 23), (60, 3), (100, 23), (200, 3)),
        between(0, 270),
    ),
    Case(
        "125 min before the low",
        "ad_37",
        course((200, 3), (100, 24), (60, 3), (100, 3), (200, 3)),
        [],
    ),
    Case(
        "125 min after the low",
        "ad_37",
        course((200, 3), (100, 3), (60, 3), (100, 24), (200, 3)),
        [],
    ),
    Case(
        "two that share an episode",
        "ad_37",
        course(
            (200, 3), (100, 3), (60, 3), (100, 3), (200, 3), (100, 3), (60, 3), (100, 3), (200, 3)
        ),
        between(0, 130),
    ),
    Case(
        "two lows in between",
        "ad_37",
        course((200, 3), (100, 3), (60, 3), (100, 3), (60, 3), (100, 3), (200, 3)),
        [],
    ),
    Case("no lunch", "ad_36", reading(flat(), NOON, *(300,) * 9), None, ABOVE_200),
    Case("at lunch is before", "ad_36", reading(LUNCH, NOON, 300), [], ABOVE_200),
    Case(
        "from the first to the last sample",
        "ad_36",
        reading(LUNCH, NOON, *(300,) * 40),
        between(NOON + 5, NOON + 120),
        ABOVE_200,
    ),
    Case("200 is not above", "ad_36", reading(LUNCH, NOON + 5, *(200,) * 24), [], ABOVE_200),
    Case(
        "201 is", "ad_36", reading(LUNCH, NOON + 10, 201), between(NOON + 10, NOON + 11), ABOVE_200
    ),
    Case(
        "a missing reading parts it",
        "ad_36",
        reading(LUNCH, NOON + 5, 201, None, 201),
        [{"start": NOON + 5, "end": NOON + 6}, {"start": NOON + 15, "end": NOON + 16}],
        ABOVE_200,
    ),
    Case(
        "another meal",
        "ad_36",
        reading(meal(LUNCH, at(3, "18:00"), "dinner"), at(3, "18:30"), 300),
        [],
        ABOVE_200,
    ),
    Case(
        "lunch just before a sample",
        "ad_36",
        reading(meal(flat(), NOON + 4, "lunch"), NOON, *(300,) * 40),
        between(NOON + 5, NOON + 120),
        ABOVE_200,
    ),
    Case(
        "lunch between samples",
        "ad_36",
        reading(meal(flat(), NOON + 2, "lunch"), NOON, *(300,) * 40),
        between(NOON + 5, NOON + 120),
        ABOVE_200,
    ),
)
