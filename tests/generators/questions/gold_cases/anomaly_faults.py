"""Cases of anomaly-detection tasks about injected faults: lengths, windows, what is merged.

Which labels a task asks for is tested for all labels in test_anomaly_labels.
"""

from generators.questions.task import Answer
from generators.trace import FaultLabel, Trace
from tests.generators.questions.hand_made import Case, at, bout, fault, flat, meal, reading

NOON = at(25, "12:00")
RUN = bout(flat(), NOON, 32)
"""From 12:00 to 12:32 on day 25."""
LUNCH = meal(flat(), NOON, "lunch")
ON_25 = {"day": 25}


def between(start: int, end: int) -> Answer:
    return [{"start": start, "end": end}]


def marked(trace: Trace, label: FaultLabel, start: int, samples: int) -> Trace:
    """A fault that starts at a minute and lasts so many samples."""
    return fault(trace, label, start // 5, start // 5 + samples - 1)


def spike(trace: Trace, *minutes: int) -> Trace:
    for minute in minutes:
        trace = marked(trace, "negative_spike", minute, 1)
    return trace


def jump(trace: Trace, *minutes: int) -> Trace:
    for minute in minutes:
        trace = marked(trace, "positive_spike", minute, 1)
    return trace


def lone(minute: int) -> Answer:
    return [{"start": minute, "end": minute + 1}]


def false_low(label: FaultLabel, *values: int | None) -> Trace:
    """Readings on day 2 from 00:00 on, all marked."""
    day_2 = at(2, "00:00")
    return marked(reading(flat(), day_2, *values), label, day_2, len(values))


DAY_2, DAY_24, DAY_27, DAY_29 = (at(day, "00:00") for day in (2, 24, 27, 29))
TOUCHING = marked(marked(flat(), "repeated_reading", 300, 6), "zero_reading", 330, 6)

CASES = (
    Case("one sample", "ad_4", spike(flat(), 100), lone(100)),
    Case("none in the record", "ad_4", jump(flat(), 100), None),
    Case("touching ones are one", "ad_4", spike(flat(), 100, 105), between(100, 105)),
    Case(
        "of several kinds",
        "ad_5",
        spike(marked(flat(), "missing_signal", 300, 6), 500),
        [
            {"start": 300, "end": 325},
            {"start": 500, "end": 501},
        ],
    ),
    Case("frozen", "ad_6", marked(flat(), "repeated_reading", 300, 6), between(300, 325)),
    Case(
        "36 samples are 3 h", "ad_7", marked(flat(), "repeated_reading", 60, 36), between(60, 235)
    ),
    Case("35 are not", "ad_7", marked(flat(), "repeated_reading", 60, 35), []),
    Case("touching kinds are one", "ad_8", TOUCHING, between(300, 355)),
    Case("shifted", "ad_9", marked(flat(), "negative_bias", 300, 6), between(300, 325)),
    Case(
        "both directions",
        "ad_10",
        jump(spike(flat(), 100), 200),
        [
            {"start": 100, "end": 101},
            {"start": 200, "end": 201},
        ],
    ),
    Case("day 23 ends before", "ad_11", spike(flat(), DAY_24 - 5), []),
    Case("day 24 starts it", "ad_11", spike(flat(), DAY_24), lone(DAY_24)),
    Case(
        "whole, from day 23 on",
        "ad_11",
        marked(flat(), "repeated_reading", DAY_24 - 30, 7),
        between(DAY_24 - 30, DAY_24),
    ),
    Case("before the weekend", "ad_12", marked(flat(), "missing_signal", DAY_27 - 30, 6), []),
    Case(
        "reaches into it, whole",
        "ad_12",
        marked(flat(), "missing_signal", DAY_27 - 30, 7),
        between(DAY_27 - 30, DAY_27),
    ),
    Case(
        "reaches out of it, whole",
        "ad_12",
        marked(flat(), "missing_signal", DAY_29 - 5, 7),
        between(DAY_29 - 5, DAY_29 + 25),
    ),
    Case("after the weekend", "ad_12", marked(flat(), "missing_signal", DAY_29, 6), []),
    Case("last sample of day 23", "ad_13", jump(flat(), DAY_24 - 5), []),
    Case("first sample of day 24", "ad_13", jump(flat(), DAY_24), lone(DAY_24)),
    Case("on the last day", "ad_13", jump(flat(), at(30, "23:55")), lone(at(30, "23:55"))),
    Case("first sample", "ad_14", spike(flat(), at(25, "00:00")), lone(at(25, "00:00")), ON_25),
    Case("last sample", "ad_14", spike(flat(), at(25, "23:55")), lone(at(25, "23:55")), ON_25),
    Case("the day before", "ad_14", spike(flat(), at(24, "23:55")), [], ON_25),
    Case("the day after", "ad_14", spike(flat(), at(26, "00:00")), [], ON_25),
    Case("first sample", "ad_15", spike(flat(), at(8, "00:00")), lone(at(8, "00:00")), {"week": 2}),
    Case(
        "last sample", "ad_15", spike(flat(), at(14, "23:55")), lone(at(14, "23:55")), {"week": 2}
    ),
    Case("the week before", "ad_15", spike(flat(), at(7, "23:55")), [], {"week": 2}),
    Case("the week after", "ad_15", spike(flat(), at(15, "00:00")), [], {"week": 2}),
    Case("at 06:00", "ad_16", jump(flat(), at(25, "06:00")), lone(at(25, "06:00")), ON_25),
    Case("at 11:55", "ad_16", jump(flat(), at(25, "11:55")), lone(at(25, "11:55")), ON_25),
    Case("at 05:55", "ad_16", jump(flat(), at(25, "05:55")), [], ON_25),
    Case("at 12:00", "ad_16", jump(flat(), at(25, "12:00")), [], ON_25),
    Case("no lunch", "ad_24", jump(flat(), NOON + 60), None, ON_25),
    Case("at lunch", "ad_24", jump(LUNCH, NOON), [], ON_25),
    Case("5 min after", "ad_24", jump(LUNCH, NOON + 5), lone(NOON + 5), ON_25),
    Case("at 17:55", "ad_24", jump(LUNCH, at(25, "17:55")), lone(at(25, "17:55")), ON_25),
    Case("at 18:00", "ad_24", jump(LUNCH, at(25, "18:00")), [], ON_25),
    Case("two lunches", "ad_24", jump(meal(LUNCH, NOON + 90, "lunch"), NOON + 60), None, ON_25),
    Case("late lunch", "ad_24", jump(meal(flat(), at(25, "18:00"), "lunch"), NOON), None, ON_25),
    Case(
        "lunch just before a sample",
        "ad_24",
        jump(meal(flat(), NOON + 4, "lunch"), NOON + 5),
        lone(NOON + 5),
        ON_25,
    ),
    Case(
        "lunch at 17:59", "ad_24", jump(meal(flat(), at(25, "17:59"), "lunch"), NOON), None, ON_25
    ),
    Case(
        "lunch between samples",
        "ad_24",
        jump(meal(flat(), NOON + 2, "lunch"), NOON + 5),
        lone(NOON + 5),
        ON_25,
    ),
    Case("at lunch", "ad_33", spike(LUNCH, NOON), []),
    Case("5 min after", "ad_33", spike(LUNCH, NOON + 5), lone(NOON + 5)),
    Case("120 min after", "ad_33", spike(LUNCH, NOON + 120), lone(NOON + 120)),
    Case("125 min after", "ad_33", spike(LUNCH, NOON + 125), []),
    Case("1 min after", "ad_33", spike(meal(flat(), NOON + 4, "lunch"), NOON + 5), lone(NOON + 5)),
    Case("121 min after", "ad_33", spike(meal(flat(), NOON + 4, "lunch"), NOON + 125), []),
    Case("121 min after", "ad_39", spike(meal(flat(), NOON + 4, "lunch"), NOON + 125), []),
    Case("after another meal", "ad_33", spike(meal(flat(), NOON, "dinner"), NOON + 5), []),
    Case("01:00 and 02:55", "ad_38", jump(flat(), at(3, "01:00"), at(5, "02:55")), [3, 5]),
    Case("00:55 and 03:00", "ad_38", jump(flat(), at(3, "00:55"), at(5, "03:00")), []),
    Case("twice on a day", "ad_38", jump(flat(), at(3, "01:00"), at(3, "02:00")), [3]),
    Case("none in the record", "ad_38", spike(flat(), at(3, "01:00")), None),
    Case(
        "whole, from before lunch on",
        "ad_39",
        marked(LUNCH, "zero_reading", NOON - 30, 8),
        between(NOON - 30, NOON + 5),
    ),
    Case("ends at lunch", "ad_39", marked(LUNCH, "zero_reading", NOON - 30, 7), []),
    Case("at 120 min", "ad_39", spike(LUNCH, NOON + 120), lone(NOON + 120)),
    Case("at 125 min", "ad_39", spike(LUNCH, NOON + 125), []),
    Case(
        "after a lunch before the last 7 days",
        "ad_39",
        spike(meal(flat(), at(23, "12:00"), "lunch"), at(23, "12:30")),
        [],
    ),
    Case(
        "ends at midnight, whole",
        "ad_40",
        marked(flat(), "repeated_reading", DAY_2 - 60, 13),
        between(DAY_2 - 60, DAY_2),
    ),
    Case("ends before midnight", "ad_40", marked(flat(), "repeated_reading", DAY_2 - 60, 12), []),
    Case(
        "starts at 05:55, whole",
        "ad_40",
        marked(flat(), "repeated_reading", at(2, "05:55"), 12),
        between(at(2, "05:55"), at(2, "06:50")),
    ),
    Case("starts at 06:00", "ad_40", marked(flat(), "repeated_reading", at(2, "06:00"), 12), []),
    Case(
        "79 and 0", "ad_42", false_low("negative_bias", 80, 79, 0), between(DAY_2 + 5, DAY_2 + 10)
    ),
    Case("80 is not below", "ad_42", false_low("negative_bias", 80, 80), []),
    Case("zeros", "ad_42", false_low("zero_reading", 0, 0), between(DAY_2, DAY_2 + 5)),
    Case("missing is not low", "ad_42", false_low("min_reading", 40, None), lone(DAY_2)),
    Case(
        "in two parts",
        "ad_42",
        false_low("repeated_reading", 70, 90, 70),
        [{"start": DAY_2, "end": DAY_2 + 1}, {"start": DAY_2 + 10, "end": DAY_2 + 11}],
    ),
    Case("a true low", "ad_42", spike(reading(flat(), 600, *(60,) * 9), 100), []),
    Case("a lone entry", "ad_44", marked(flat(), "false_meal", 300, 1), lone(300)),
    Case(
        "doses and readings",
        "ad_45",
        marked(TOUCHING, "false_bolus", 900, 1),
        [
            {"start": 300, "end": 325},
            {"start": 900, "end": 901},
        ],
    ),
    Case("at the start of exercise", "ad_46", marked(RUN, "false_bolus", NOON, 1), lone(NOON)),
    Case("just before it", "ad_46", marked(RUN, "false_bolus", NOON - 5, 1), []),
    Case("58 min after it", "ad_46", marked(RUN, "false_bolus", NOON + 90, 1), lone(NOON + 90)),
    Case("63 min after it", "ad_46", marked(RUN, "false_bolus", NOON + 95, 1), []),
    Case(
        "61 min after it",
        "ad_46",
        marked(bout(flat(), NOON, 34), "false_bolus", NOON + 95, 1),
        [],
    ),
    Case(
        "60 min after it",
        "ad_46",
        marked(bout(flat(), NOON, 30), "false_bolus", NOON + 90, 1),
        lone(NOON + 90),
    ),
    Case(
        "whole, from before it on",
        "ad_46",
        marked(RUN, "max_basal", NOON - 60, 13),
        between(NOON - 60, NOON),
    ),
    Case("shifted", "ad_47", marked(flat(), "positive_bias", 300, 6), between(300, 325)),
    Case("a dose", "ad_48", marked(flat(), "false_bolus", 300, 1), lone(300)),
    Case("at the top", "ad_50", marked(flat(), "max_reading", 300, 6), between(300, 325)),
    Case("no gap", "ad_51", spike(marked(flat(), "missing_signal", 300, 6), 500), lone(500)),
    Case("raised", "ad_52", marked(flat(), "positive_basal", 300, 12), between(300, 355)),
    Case("11 samples are too few", "ad_53", marked(flat(), "positive_bias", 300, 11), []),
    Case("12 are an hour", "ad_53", marked(flat(), "positive_bias", 300, 12), between(300, 355)),
    Case("at 00:00", "ad_54", spike(flat(), at(9, "00:00")), lone(at(9, "00:00"))),
    Case("at 05:55", "ad_54", spike(flat(), at(9, "05:55")), lone(at(9, "05:55"))),
    Case("at 06:00", "ad_54", spike(flat(), at(9, "06:00")), []),
    Case("at the start of exercise", "ad_55", jump(RUN, NOON), lone(NOON)),
    Case("2 min before its end", "ad_55", spike(RUN, NOON + 30), lone(NOON + 30)),
    Case("at its end", "ad_55", spike(bout(flat(), NOON, 30), NOON + 30), lone(NOON + 30)),
    Case("3 min after its end", "ad_55", spike(RUN, NOON + 35), []),
    Case("1 min after its end", "ad_55", spike(bout(flat(), NOON, 34), NOON + 35), []),
    Case("just before it", "ad_55", jump(RUN, NOON - 5), []),
    Case("touching kinds are one", "ad_56", TOUCHING, between(300, 355)),
    Case("71 samples are too few", "ad_57", marked(flat(), "negative_bias", 300, 71), []),
    Case("72 are 6 h", "ad_57", marked(flat(), "negative_bias", 300, 72), between(300, 655)),
    Case("shut down", "ad_58", marked(flat(), "min_basal", 300, 12), between(300, 355)),
    Case("stopped", "ad_59", marked(flat(), "unknown_stop", 60, 29), between(60, 200)),
    Case("less is another label", "ad_59", marked(flat(), "unknown_under", 60, 29), None),
    Case("less", "ad_60", marked(flat(), "negative_basal", 300, 12), between(300, 355)),
    Case("in part", "ad_61", marked(flat(), "unknown_under", 300, 12), between(300, 355)),
    Case("stopped", "ad_62", marked(flat(), "unknown_stop", 60, 29), between(60, 200)),
    Case("stopped", "ad_63", marked(flat(), "unknown_stop", 60, 29), between(60, 200)),
    Case("in part", "ad_64", marked(flat(), "unknown_under", 300, 12), between(300, 355)),
)
