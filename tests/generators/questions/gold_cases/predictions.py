"""Cases of prediction tasks."""

from tests.generators.questions.hand_made import Case, at, flat, reading

CASES = (
    Case(
        "half an hour on",
        "pd_1",
        reading(flat(days=31), at(30, "00:30"), 222),
        222,
        {"cut": at(30, "00:00"), "ahead": 30},
    ),
    Case(
        "no reading then",
        "pd_1",
        reading(flat(days=31), at(30, "00:30"), None),
        None,
        {"cut": at(30, "00:00"), "ahead": 30},
    ),
    Case(
        "no last reading",
        "pd_1",
        reading(flat(days=31), at(29, "23:55"), 0),
        None,
        {"cut": at(30, "00:00"), "ahead": 30},
    ),
    Case(
        "an hour on",
        "pd_6",
        reading(flat(days=31), at(29, "08:00"), 222),
        222,
        {"cut": at(29, "07:00"), "ahead": 60},
    ),
)
