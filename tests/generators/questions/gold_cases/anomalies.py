"""Cases of anomaly-detection tasks."""

from tests.generators.questions.hand_made import Case, at, fault, flat, reading

LOW = (69, 69, 69)

CASES = (
    Case("no gap", "ad_3", flat(), []),
    Case("zero is no gap", "ad_3", reading(flat(), 0, 0, 0), []),
    Case(
        "one sample lasts one minute", "ad_3", reading(flat(), 50, None), [{"start": 50, "end": 51}]
    ),
    Case(
        "first and last sample",
        "ad_3",
        reading(reading(flat(), 0, None, None), 30 * 1440 - 10, None, None),
        [{"start": 0, "end": 5}, {"start": 43190, "end": 43195}],
    ),
    Case("a spike", "ad_4", fault(flat(), "negative_spike", 20, 20), [{"start": 100, "end": 101}]),
    Case(
        "the other direction is another label", "ad_4", fault(flat(), "positive_spike", 20, 20), []
    ),
    Case(
        "touching ones are one",
        "ad_4",
        fault(fault(flat(), "negative_spike", 20, 20), "negative_spike", 21, 21),
        [{"start": 100, "end": 105}],
    ),
    Case(
        "36 samples are 3 h",
        "ad_7",
        fault(flat(), "repeated_reading", 12, 47),
        [{"start": 60, "end": 235}],
    ),
    Case("35 are not", "ad_7", fault(flat(), "repeated_reading", 12, 46), []),
    Case("no low at night", "ad_18", reading(flat(), at(2, "06:00"), *LOW), []),
    Case(
        "a low at night",
        "ad_18",
        reading(flat(), at(2, "03:00"), *LOW),
        [{"start": at(2, "03:00"), "end": at(2, "03:10")}],
    ),
    Case(
        "cut at midnight",
        "ad_18",
        reading(flat(), at(2, "23:50"), *LOW, *LOW),
        [{"start": at(3, "00:00"), "end": at(3, "00:15")}],
    ),
    Case(
        "cut at six",
        "ad_18",
        reading(flat(), at(2, "05:50"), *LOW),
        [{"start": at(2, "05:50"), "end": at(2, "05:55")}],
    ),
    Case(
        "one sample left of it",
        "ad_18",
        reading(flat(), at(2, "05:55"), *LOW),
        [{"start": at(2, "05:55"), "end": at(2, "05:56")}],
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
        "delivery stopped",
        "ad_59",
        fault(flat(), "unknown_stop", 12, 40),
        [{"start": 60, "end": 200}],
    ),
    Case("less delivery is another label", "ad_59", fault(flat(), "unknown_under", 12, 40), []),
)
