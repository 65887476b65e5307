"""Cases of prediction tasks."""

from generators.questions.task import Given
from generators.trace import Trace
from tests.generators.questions.hand_made import Case, at, bolus, flat, insulin, reading

DAY_30: Given = {"cut": at(30, "00:00")}
NOW = at(30, "12:00")
NOON: Given = {"cut": NOW}
MIDNIGHT: Given = {"cut": at(31, "00:00")}
EVENING: Given = {"cut": at(30, "22:00")}
WEEKS: Given = {"cut": at(29, "00:00"), "week": 2}


def month(value: int = 100, days: int = 31) -> Trace:
    """A flat record and the day, or days, after it."""
    return flat(value, days=days)


def stretch(trace: Trace, minute: int, samples: int, value: int | None) -> Trace:
    """Make some samples read the same."""
    return reading(trace, minute, *(value,) * samples)


def quarters(one: int, other: int) -> Trace:
    """100 mg/dL but from 04:00 to 10:00 and from 10:00 to 16:00 of day 31."""
    return stretch(stretch(month(), at(31, "04:00"), 72, one), at(31, "10:00"), 72, other)


def steps(one: int, other: int) -> Trace:
    """A step up by so much at 05:00 and another one at 09:00 of day 31."""
    return stretch(
        stretch(month(), at(31, "05:00"), 36, 100 + one), at(31, "09:00"), 36, 100 + other
    )


def weekly(mu_min: int, samples: int = 2016) -> Trace:
    """A week of insulin after day 28, at 10 mU/min before it."""
    return insulin(month(days=36), at(29, "00:00"), *(mu_min,) * samples)


def two_weeks(before: int, coming: int) -> Trace:
    """Insulin of days 8 to 14 and of the week after day 28, mU/min."""
    trace = insulin(month(days=36), at(8, "00:00"), *(before,) * 2016)
    return insulin(trace, at(29, "00:00"), *(coming,) * 2016)


def unknown(trace: Trace, days: tuple[int, ...]) -> Trace:
    """Make 15 samples of some days' insulin unknown, one more than a day may have."""
    for day in days:
        trace = insulin(trace, at(day, "00:00"), *(None,) * 15)
    return trace


QUARTERS: Given = {**MIDNIGHT, "part": "04-10", "other_part": "10-16"}
WINDOWS: Given = {**MIDNIGHT, "window": "04-08", "other_window": "08-12"}
BOTH: Given = {**NOON, "run_minutes": 30, "ride_minutes": 60}
RUN_LEAVES = NOW + 90
RIDE_LEAVES = NOW + 120
LOW_NIGHT = reading(month(), at(31, "03:00"), 69)

CASES = (
    Case("half an hour on", "pd_1", reading(month(), at(30, "00:30"), 222), 222, DAY_30),
    Case("no reading then", "pd_1", reading(month(), at(30, "00:30"), None), None, DAY_30),
    Case("no last reading", "pd_1", reading(month(), at(29, "23:55"), 0), None, DAY_30),
    Case(
        "both bounds are in range",
        "pd_10",
        reading(month(70), at(30, "23:55"), 180),
        "yes",
        EVENING,
    ),
    Case("above at the end", "pd_10", reading(month(70), at(30, "23:55"), 181), "no", EVENING),
    Case("below at the cut", "pd_10", reading(month(70), at(30, "22:00"), 69), "no", EVENING),
    Case("after midnight", "pd_10", reading(month(70), at(31, "00:00"), 181), "yes", EVENING),
    Case("above already", "pd_10", reading(month(70), at(30, "21:55"), 181), None, EVENING),
    Case("at the bound", "pd_10", reading(month(70), at(30, "21:55"), 180), "yes", EVENING),
    Case("below already", "pd_10", reading(month(70), at(30, "21:55"), 69), None, EVENING),
    Case("before the last", "pd_10", reading(month(70), at(30, "21:50"), 181), "yes", EVENING),
    Case("too few", "pd_10", stretch(month(), at(30, "22:00"), 8, None), None, EVENING),
    Case("enough", "pd_10", stretch(month(), at(30, "22:00"), 7, None), "yes", EVENING),
    Case("60 up is no large move", "pd_14", reading(month(), NOW + 240, 160), "no", NOON),
    Case("61 up at the end", "pd_14", reading(month(), NOW + 240, 161), "yes", NOON),
    Case("61 down at the cut", "pd_14", reading(month(), NOW, 39), "yes", NOON),
    Case("too late", "pd_14", reading(month(), NOW + 245, 200), "no", NOON),
    Case("a fault is no move", "pd_14", reading(month(), NOW + 60, 0), "no", NOON),
    Case("no present level", "pd_14", reading(month(), NOW - 5, None), None, NOON),
    Case("all six hours", "pd_20", month(), 6, EVENING),
    Case(
        "an end counts to the next hour", "pd_20", reading(month(), at(31, "01:00"), 69), 5, EVENING
    ),
    Case("two hours", "pd_20", reading(month(), at(31, "00:55"), 181, 181), 4, EVENING),
    Case("before the night", "pd_20", reading(month(), at(30, "23:55"), 60), 6, EVENING),
    Case("after the night", "pd_20", reading(month(), at(31, "06:00"), 60), 6, EVENING),
    Case("the last of an hour", "pd_20", reading(month(), at(31, "04:55"), 60), 5, EVENING),
    Case("the last of the night", "pd_20", reading(month(), at(31, "05:55"), 60), 5, EVENING),
    Case("cut at midnight", "pd_20", reading(month(), at(31, "00:00"), 60), 5, MIDNIGHT),
    Case(
        "an hour without readings",
        "pd_20",
        stretch(month(), at(31, "02:00"), 4, None),
        None,
        EVENING,
    ),
    Case("the earlier by 5", "pd_0", quarters(125, 120), "04-10", QUARTERS),
    Case("the later", "pd_0", quarters(120, 130), "10-16", QUARTERS),
    Case("by less than 5", "pd_0", quarters(124, 120), None, QUARTERS),
    Case("equal", "pd_0", month(), None, QUARTERS),
    Case(
        "too few",
        "pd_0",
        stretch(quarters(150, 120), at(31, "04:00"), 22, None),
        None,
        QUARTERS,
    ),
    Case(
        "a quarter of the day", "pd_4", stretch(month(), at(31, "00:00"), 72, 181), 75.0, MIDNIGHT
    ),
    Case(
        "today does not count", "pd_4", stretch(month(), at(30, "00:00"), 288, 181), 100.0, MIDNIGHT
    ),
    Case(
        "present readings only",
        "pd_4",
        stretch(stretch(month(), at(31, "00:00"), 86, None), at(31, "12:00"), 101, 60),
        50.0,
        MIDNIGHT,
    ),
    Case("under 70 % present", "pd_4", stretch(month(), at(31, "00:00"), 87, None), None, MIDNIGHT),
    Case("today by 5", "pd_12", stretch(month(), at(30, "00:00"), 288, 105), "yes", MIDNIGHT),
    Case("tomorrow", "pd_12", stretch(month(), at(31, "00:00"), 288, 120), "no", MIDNIGHT),
    Case("by 4", "pd_12", stretch(month(), at(30, "00:00"), 288, 104), None, MIDNIGHT),
    Case("no tomorrow", "pd_12", stretch(month(), at(31, "00:00"), 288, None), None, MIDNIGHT),
    Case("no today", "pd_12", stretch(month(), at(30, "00:00"), 288, None), None, MIDNIGHT),
    Case("faster by 20 %", "pd_17", steps(60, 50), "04-08", WINDOWS),
    Case("the later faster", "pd_17", steps(40, 80), "08-12", WINDOWS),
    Case("by less than 20 %", "pd_17", steps(59, 50), None, WINDOWS),
    Case("by 19 %", "pd_17", steps(119, 100), None, WINDOWS),
    Case(
        "up to the end of the window",
        "pd_17",
        reading(steps(0, 50), at(31, "07:55"), 160),
        "04-08",
        WINDOWS,
    ),
    Case("no rise at all", "pd_17", month(), None, WINDOWS),
    Case(
        "only inside the window",
        "pd_17",
        stretch(steps(0, 30), at(31, "04:00"), 48, 200),
        "08-12",
        WINDOWS,
    ),
    Case("too few", "pd_17", stretch(steps(60, 50), at(31, "04:00"), 15, None), None, WINDOWS),
    Case(
        "the day after",
        "pd_2",
        insulin(month(), at(29, "00:00"), *(20,) * 288),
        28.8,
        {"cut": at(29, "00:00")},
    ),
    Case("half up", "pd_2", insulin(month(), at(29, "00:00"), 20), 14.5, {"cut": at(29, "00:00")}),
    Case(
        "95 % known",
        "pd_2",
        insulin(month(), at(29, "00:00"), *(None,) * 14),
        13.7,
        {"cut": at(29, "00:00")},
    ),
    Case(
        "too little known",
        "pd_2",
        insulin(month(), at(29, "00:00"), *(None,) * 15),
        None,
        {"cut": at(29, "00:00")},
    ),
    Case("by hand at the cut", "pd_13", bolus(month(), NOW, 1, "correction_bolus"), "yes", NOON),
    Case("automatic", "pd_13", bolus(month(), NOW + 119, 1, "automatic_correction"), "yes", NOON),
    Case("at the end", "pd_13", bolus(month(), NOW + 120, 1, "correction_bolus"), "no", NOON),
    Case("unknown", "pd_13", insulin(month(), NOW + 115, None), None, NOON),
    Case("unknown now", "pd_13", insulin(month(), NOW, None), None, NOON),
    Case("unknown later", "pd_13", insulin(month(), NOW + 120, None), "no", NOON),
    Case("unknown until now", "pd_13", insulin(month(), NOW - 5, None), "no", NOON),
    Case("before", "pd_13", bolus(month(), NOW - 1, 1, "correction_bolus"), "no", NOON),
    Case("a meal's bolus", "pd_13", bolus(month(), NOW + 5, 1), "no", NOON),
    Case("more", "pd_18", weekly(11), "more", WEEKS),
    Case("less", "pd_18", weekly(9), "less", WEEKS),
    Case("equal", "pd_18", weekly(10), None, WEEKS),
    Case("by 2 %", "pd_18", weekly(12, 202), "more", WEEKS),
    Case("by just 2 %", "pd_18", two_weeks(1250, 1275), None, WEEKS),
    Case("by under 2 %", "pd_18", weekly(12, 201), None, WEEKS),
    Case("two days left out", "pd_18", unknown(weekly(12), (8, 14)), "more", WEEKS),
    Case("three days left out", "pd_18", unknown(weekly(12), (8, 11, 14)), None, WEEKS),
    Case("two days to come left out", "pd_18", unknown(weekly(12), (29, 35)), "more", WEEKS),
    Case("three days to come left out", "pd_18", unknown(weekly(12), (29, 32, 35)), None, WEEKS),
    Case(
        "more only with a day left out",
        "pd_18",
        unknown(insulin(weekly(12), at(8, "12:00"), *(2016,) * 10), (8,)),
        "more",
        WEEKS,
    ),
    Case(
        "unknown may be twice the usual",
        "pd_18",
        insulin(insulin(weekly(11), at(8, "00:00"), *(None,) * 14), at(9, "00:00"), *(20,) * 150),
        None,
        WEEKS,
    ),
    Case("a drop", "pd_19", reading(month(200), NOW + 120, 150), 50, NOON),
    Case("a rise", "pd_19", reading(month(200), NOW + 120, 215), -15, NOON),
    Case("no reading then", "pd_19", reading(month(200), NOW + 120, None), None, NOON),
    Case("no last reading", "pd_19", reading(month(200), NOW - 5, None), None, NOON),
    Case("above at the end", "pd_3", reading(month(), at(31, "03:00"), 181), "yes", EVENING),
    Case("180 is not above", "pd_3", reading(month(), at(31, "03:00"), 180), "no", EVENING),
    Case("too late", "pd_3", reading(month(), at(31, "03:05"), 200), "no", EVENING),
    Case("at the cut", "pd_3", reading(month(), at(30, "22:00"), 200), "no", EVENING),
    Case("above already", "pd_3", reading(month(), at(30, "21:55"), 181), None, EVENING),
    Case("180 is not above already", "pd_3", reading(month(), at(30, "21:55"), 180), "no", EVENING),
    Case("low already", "pd_3", reading(month(), at(30, "21:55"), 69), None, EVENING),
    Case("70 is not low already", "pd_3", reading(month(), at(30, "21:55"), 70), "no", EVENING),
    Case("no last reading", "pd_3", reading(month(), at(30, "21:55"), None), None, EVENING),
    Case("too few", "pd_3", stretch(month(), at(30, "22:05"), 20, None), None, EVENING),
    Case("an hour on", "pd_6", reading(month(), NOW + 60, 222), 222, NOON),
    Case("no reading then", "pd_6", reading(month(), NOW + 60, None), None, NOON),
    Case("no last reading", "pd_6", reading(month(), NOW - 5, None), None, NOON),
    Case(
        "the step's half hour before",
        "pd_11",
        stretch(month(), at(31, "13:00"), 132, 200),
        750,
        MIDNIGHT,
    ),
    Case(
        "the larger one",
        "pd_11",
        stretch(stretch(month(), at(31, "06:00"), 6, 150), at(31, "20:00"), 6, 151),
        1170,
        MIDNIGHT,
    ),
    Case(
        "the first of equals", "pd_11", reading(month(), at(31, "10:00"), 150, 150), 570, MIDNIGHT
    ),
    Case("too few", "pd_11", stretch(month(), at(31, "00:00"), 87, None), None, MIDNIGHT),
    Case("needed", "pd_15", LOW_NIGHT, "yes", EVENING, (month(),)),
    Case(
        "no low anyway", "pd_15", reading(month(), at(31, "03:00"), 70), "no", EVENING, (month(),)
    ),
    Case("of no use", "pd_15", LOW_NIGHT, "no", EVENING, (LOW_NIGHT,)),
    Case(
        "low before midnight",
        "pd_15",
        reading(month(), at(30, "23:55"), 60),
        "no",
        EVENING,
        (month(),),
    ),
    Case("low now", "pd_15", reading(LOW_NIGHT, at(30, "21:55"), 69), None, EVENING, (month(),)),
    Case("high now", "pd_15", reading(LOW_NIGHT, at(30, "21:55"), 181), None, EVENING, (month(),)),
    Case("low at 06:00", "pd_15", reading(month(), at(31, "06:00"), 60), "no", EVENING, (month(),)),
    Case(
        "low at 05:55", "pd_15", reading(month(), at(31, "05:55"), 60), "yes", EVENING, (month(),)
    ),
    Case(
        "low at midnight",
        "pd_15",
        reading(month(), at(31, "00:00"), 60),
        "yes",
        MIDNIGHT,
        (month(),),
    ),
    Case(
        "too few", "pd_15", stretch(month(), at(31, "00:00"), 22, None), None, EVENING, (month(),)
    ),
    Case(
        "too few with it",
        "pd_15",
        LOW_NIGHT,
        None,
        EVENING,
        (stretch(month(), at(31, "00:00"), 22, None),),
    ),
    Case("low at the end", "pd_5", reading(month(), NOW + 90, 69), "yes", NOON),
    Case("70 is not low", "pd_5", reading(month(), NOW + 90, 70), "no", NOON),
    Case("too late", "pd_5", reading(month(), NOW + 95, 60), "no", NOON),
    Case("at the start", "pd_5", reading(month(), NOW, 60), "no", NOON),
    Case("low already", "pd_5", reading(month(), NOW - 5, 69), None, NOON),
    Case("70 is not low already", "pd_5", reading(month(), NOW - 5, 70), "no", NOON),
    Case("no last reading", "pd_5", reading(month(), NOW - 5, None), None, NOON),
    Case("too few", "pd_5", stretch(month(), NOW + 5, 6, None), None, NOON),
    Case("a fall", "pd_7", reading(reading(month(), NOW + 30, 120), NOW + 90, 85), -35, NOON),
    Case("a rise", "pd_7", reading(month(), NOW + 90, 111), 11, NOON),
    Case("no reading at the end", "pd_7", reading(month(), NOW + 30, None), None, NOON),
    Case("a fall", "pd_8", reading(reading(month(), NOW + 20, 120), NOW + 80, 85), -35, NOON),
    Case("no reading later", "pd_8", reading(month(), NOW + 80, None), None, NOON),
    Case("run lower by 10", "pd_9", reading(month(), RUN_LEAVES, 90), "run", BOTH, (month(),)),
    Case("ride lower", "pd_9", month(), "ride", BOTH, (reading(month(), RIDE_LEAVES, 80),)),
    Case("by 9", "pd_9", reading(month(), RUN_LEAVES, 91), None, BOTH, (month(),)),
    Case("at the other's time", "pd_9", reading(month(), RIDE_LEAVES, 50), None, BOTH, (month(),)),
    Case(
        "no reading after the run",
        "pd_9",
        reading(month(), RUN_LEAVES, None),
        None,
        BOTH,
        (month(),),
    ),
    Case(
        "no reading after the ride",
        "pd_9",
        month(),
        None,
        BOTH,
        (reading(month(), RIDE_LEAVES, None),),
    ),
)
