"""Cases of process-mining tasks that compare weeks, or parts of days and weeks."""

from generators.questions.task import Given
from generators.trace import Trace
from tests.generators.questions.hand_made import Case, at, flat, reading


def every_day(trace: Trace, clock: str, *values: int | None, week: int = 2) -> Trace:
    """Replace readings at a clock time on the 7 days of a week."""
    for day in range(7 * week - 6, 7 * week + 1):
        trace = reading(trace, at(day, clock), *values)
    return trace


def parts(part: str, other_part: str, week: int = 2) -> Given:
    return {"week": week, "part": part, "other_part": other_part}


def weeks(week: int, other_week: int) -> Given:
    return {"week": week, "other_week": other_week}


NIGHT_SWING = every_day(flat(), "01:00", *(80, 120) * 6)
WEEK_2, WEEK_3 = at(8, "00:00"), at(15, "00:00")
LOWS = (69,) * 2016
IN_2 = {"week": 2}

CASES = (
    Case("night", "pm_18", NIGHT_SWING, "night", parts("night", "evening")),
    Case("named second", "pm_18", NIGHT_SWING, "night", parts("evening", "night")),
    Case("another week", "pm_18", NIGHT_SWING, None, parts("night", "evening", week=3)),
    Case("the same part", "pm_18", NIGHT_SWING, None, parts("night", "night")),
    Case("both the same", "pm_18", flat(), None, parts("night", "evening")),
    Case(
        "00:00 is night",
        "pm_18",
        every_day(flat(), "00:00", 160),
        "night",
        parts("night", "evening"),
    ),
    Case(
        "05:55 is night",
        "pm_18",
        every_day(flat(), "05:55", 160),
        "night",
        parts("night", "morning"),
    ),
    Case(
        "06:00 is morning",
        "pm_18",
        every_day(flat(), "06:00", 160),
        "morning",
        parts("night", "morning"),
    ),
    Case(
        "11:55 is morning",
        "pm_18",
        every_day(flat(), "11:55", 160),
        "morning",
        parts("morning", "afternoon"),
    ),
    Case(
        "12:00 is afternoon",
        "pm_18",
        every_day(flat(), "12:00", 160),
        "afternoon",
        parts("morning", "afternoon"),
    ),
    Case(
        "17:55 is afternoon",
        "pm_18",
        every_day(flat(), "17:55", 160),
        "afternoon",
        parts("afternoon", "evening"),
    ),
    Case(
        "18:00 is evening",
        "pm_18",
        every_day(flat(), "18:00", 160),
        "evening",
        parts("afternoon", "evening"),
    ),
    Case(
        "23:55 is evening",
        "pm_18",
        every_day(flat(), "23:55", 160),
        "evening",
        parts("evening", "night"),
    ),
    Case(
        "4.5 % apart",
        "pm_18",
        every_day(every_day(flat(), "01:00", 144), "13:00", 146),
        None,
        parts("night", "afternoon"),
    ),
    Case(
        "5.1 % apart",
        "pm_18",
        every_day(every_day(flat(), "01:00", 139), "13:00", 141),
        "afternoon",
        parts("night", "afternoon"),
    ),
    Case(
        "5.3 % of the smaller, 5.0 % of the larger",
        "pm_18",
        every_day(every_day(flat(), "01:00", 119), "13:00", 120),
        "afternoon",
        parts("afternoon", "night"),
    ),
    Case(
        "the SDs of the days, not of all readings",
        "pm_18",
        every_day(reading(flat(), at(9, "12:00"), *(200,) * 72), "01:00", 110, 90, 110, 90, 110),
        "night",
        parts("night", "afternoon"),
    ),
    Case(
        "every day counts alike, the first",
        "pm_18",
        reading(every_day(flat(), "01:00", 130), at(8, "12:00"), *(100, 180) * 36),
        "afternoon",
        parts("night", "afternoon"),
    ),
    Case(
        "every day counts alike, the last",
        "pm_18",
        reading(every_day(flat(), "01:00", 130), at(14, "12:00"), *(100, 180) * 36),
        "afternoon",
        parts("night", "afternoon"),
    ),
    Case(
        "50 of 72 are under 70 %",
        "pm_18",
        reading(NIGHT_SWING, at(14, "03:00"), *(None,) * 22),
        None,
        parts("night", "evening"),
    ),
    Case(
        "51 are enough, in the other part too",
        "pm_18",
        reading(NIGHT_SWING, at(14, "18:00"), *(None,) * 21),
        "night",
        parts("night", "evening"),
    ),
    Case(
        "too few in the other part",
        "pm_18",
        reading(NIGHT_SWING, at(14, "18:00"), *(None,) * 22),
        None,
        parts("night", "evening"),
    ),
    Case("Monday 00:00", "pm_19", reading(flat(), at(8, "00:00"), 400), "weekend", IN_2),
    Case("Friday 23:55", "pm_19", reading(flat(), at(12, "23:55"), 400), "weekend", IN_2),
    Case("Saturday 00:00", "pm_19", reading(flat(), at(13, "00:00"), 400), "weekdays", IN_2),
    Case("Sunday 23:55", "pm_19", reading(flat(), at(14, "23:55"), 400), "weekdays", IN_2),
    Case("the Sunday before", "pm_19", reading(flat(), at(7, "23:55"), 400), None, IN_2),
    Case("the Monday after", "pm_19", reading(flat(), at(15, "00:00"), 400), None, IN_2),
    Case("a CV of 0.9", "pm_19", reading(flat(), at(13, "00:00"), 121, 98), None, IN_2),
    Case("a CV of 1.1", "pm_19", reading(flat(), at(13, "00:00"), 125, 91), "weekdays", IN_2),
    Case(
        "too few readings at the weekend",
        "pm_19",
        reading(flat(), at(13, "00:00"), *(None,) * 173),
        None,
        IN_2,
    ),
    Case(
        "too few readings on weekdays",
        "pm_19",
        reading(reading(flat(), at(13, "00:00"), 400), at(8, "00:00"), *(None,) * 433),
        None,
        IN_2,
    ),
    Case("fewer by 3", "pm_38", reading(flat(), WEEK_3, *LOWS[:3]), "yes", weeks(2, 3)),
    Case("fewer by 2", "pm_38", reading(flat(), WEEK_3, *LOWS[:2]), None, weeks(2, 3)),
    Case("more", "pm_38", reading(flat(), WEEK_2, *LOWS[:3]), "no", weeks(2, 3)),
    Case(
        "the earlier week named second", "pm_38", reading(flat(), 0, *LOWS[:3]), "yes", weeks(3, 1)
    ),
    Case("70 is not below", "pm_38", reading(flat(), WEEK_3, 70, 70, 70), None, weeks(2, 3)),
    Case("zeros are not low", "pm_38", reading(flat(), WEEK_3, 0, 0, 0), None, weeks(2, 3)),
    Case(
        "the end of a week",
        "pm_38",
        reading(flat(), at(21, "23:45"), *LOWS[:3]),
        "yes",
        weeks(2, 3),
    ),
    Case("after its end", "pm_38", reading(flat(), at(22, "00:00"), *LOWS[:3]), None, weeks(2, 3)),
    Case(
        "readings before its start belong to the week before",
        "pm_38",
        reading(flat(), at(14, "23:45"), *LOWS[:3]),
        "no",
        weeks(2, 3),
    ),
    Case("the same week", "pm_38", flat(), None, weeks(2, 2)),
    Case(
        "too few readings",
        "pm_38",
        reading(reading(flat(), WEEK_3, *LOWS[:3]), WEEK_2, *(None,) * 605),
        None,
        weeks(2, 3),
    ),
    Case(
        "too few in the other week",
        "pm_38",
        reading(reading(flat(), WEEK_2, *LOWS[:3]), WEEK_3, *(None,) * 605),
        None,
        weeks(2, 3),
    ),
    Case("steadier", "pm_39", reading(flat(), WEEK_3, 400), "week 2", weeks(2, 3)),
    Case("named second", "pm_39", reading(flat(), WEEK_3, 400), "week 2", weeks(3, 2)),
    Case("both the same", "pm_39", flat(), None, weeks(2, 3)),
    Case("the same week", "pm_39", reading(flat(), WEEK_3, 400), None, weeks(3, 3)),
    Case("a CV of 0.98", "pm_39", reading(flat(), WEEK_3, 144), None, weeks(2, 3)),
    Case("a CV of 1.02", "pm_39", reading(flat(), WEEK_3, 146), "week 2", weeks(2, 3)),
    Case(
        "too few readings",
        "pm_39",
        reading(reading(flat(), WEEK_3, 400), WEEK_2, *(None,) * 605),
        None,
        weeks(2, 3),
    ),
    Case(
        "1411 of 2016 just too few in the other week",
        "pm_39",
        reading(flat(), WEEK_3, *(None,) * 605, 400),
        None,
        weeks(2, 3),
    ),
    Case(
        "1412 are enough",
        "pm_39",
        reading(flat(), WEEK_3, *(None,) * 604, 400),
        "week 2",
        weeks(2, 3),
    ),
    Case("down by 5.11", "pm_40", reading(flat(), WEEK_3, *LOWS[:103]), "decreased", weeks(2, 3)),
    Case("up by 5.11", "pm_40", reading(flat(), WEEK_2, *LOWS[:103]), "increased", weeks(2, 3)),
    Case("by 5.06", "pm_40", reading(flat(), WEEK_3, *LOWS[:102]), None, weeks(2, 3)),
    Case("by 4.91", "pm_40", reading(flat(), WEEK_3, *LOWS[:99]), None, weeks(2, 3)),
    Case("by 4.86", "pm_40", reading(flat(), WEEK_3, *LOWS[:98]), "no change", weeks(2, 3)),
    Case("not at all", "pm_40", flat(), "no change", weeks(1, 4)),
    Case(
        "70 and 180 are in range",
        "pm_40",
        reading(flat(), WEEK_3, *(70, 180) * 900),
        "no change",
        weeks(2, 3),
    ),
    Case("weeks later", "pm_40", reading(flat(), at(22, "00:00"), *LOWS), "decreased", weeks(1, 4)),
    Case("the later week first", "pm_40", reading(flat(), WEEK_3, *LOWS), None, weeks(3, 2)),
    Case("the same week", "pm_40", flat(), None, weeks(2, 2)),
    Case(
        "of the readings that exist",
        "pm_40",
        reading(flat(), WEEK_3, *(None,) * 604, *LOWS[:73]),
        "decreased",
        weeks(2, 3),
    ),
    Case("too few readings", "pm_40", reading(flat(), WEEK_2, *(None,) * 605), None, weeks(2, 3)),
    Case(
        "too few in the later week",
        "pm_40",
        reading(flat(), WEEK_3, *(None,) * 605),
        None,
        weeks(2, 3),
    ),
    Case(
        "the Monday after does not count",
        "pm_18",
        reading(every_day(flat(), "01:00", 130), at(15, "12:00"), *(100, 400) * 36),
        "night",
        parts("night", "afternoon"),
    ),
    Case(
        "4.97 % apart",
        "pm_18",
        every_day(every_day(flat(), "01:00", 261), "13:00", 269),
        None,
        parts("night", "afternoon"),
    ),
    Case(
        "5.03 % apart",
        "pm_18",
        every_day(every_day(flat(), "01:00", 259), "13:00", 267),
        "afternoon",
        parts("night", "afternoon"),
    ),
    Case(
        "24:00 is no evening",
        "pm_18",
        every_day(flat(), "00:00", 160),
        None,
        parts("evening", "morning"),
    ),
    Case(
        "10 and 12 lows",
        "pm_38",
        reading(reading(flat(), WEEK_2, *LOWS[:10]), WEEK_3, *LOWS[:12]),
        None,
        weeks(2, 3),
    ),
    Case(
        "CVs of 6.7 and 6.4",
        "pm_39",
        reading(reading(flat(), WEEK_2, 400), WEEK_3, 390),
        None,
        weeks(2, 3),
    ),
)
