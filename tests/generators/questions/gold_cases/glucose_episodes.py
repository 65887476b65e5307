"""Cases of process-mining tasks about episodes."""

from tests.generators.questions.hand_made import Case, at, flat, reading

LOW = (69, 69, 69)
HIGH = (181, 181, 181)
END = 30 * 1440

CASES = (
    Case("70 is not below 70", "pm_7", flat(70), 0),
    Case("all below", "pm_7", flat(69), 1),
    Case("two readings are none", "pm_7", reading(flat(), 600, 69, 69), 0),
    Case("three readings are one", "pm_7", reading(flat(), 600, *LOW), 1),
    Case("at the very start", "pm_7", reading(flat(), 0, *LOW), 1),
    Case("at the very end", "pm_7", reading(flat(), 30 * 1440 - 15, *LOW), 1),
    Case(
        "two readings back inside do not end it", "pm_7", reading(flat(), 0, *LOW, 90, 90, *LOW), 1
    ),
    Case("three readings back inside do", "pm_7", reading(flat(), 0, *LOW, 90, 90, 90, *LOW), 2),
    Case("15 min missing are skipped", "pm_7", reading(flat(), 0, *LOW, None, None, None, *LOW), 1),
    Case("20 min missing end it", "pm_7", reading(flat(), 0, *LOW, *(None,) * 4, *LOW), 2),
    Case("a zero is missing, not low", "pm_7", reading(flat(), 0, 0, 0, 0, 0), 0),
    Case("short gap inside the first three", "pm_7", reading(flat(), 0, 69, None, 69, 69), 1),
    Case(
        "long gap inside the first three", "pm_7", reading(flat(), 0, 69, *(None,) * 4, 69, 69), 0
    ),
    Case(
        "one below after two inside keeps it open",
        "pm_7",
        reading(flat(), 0, *LOW, 90, 90, 69, 90, 90, 69),
        1,
    ),
    Case("180 is not above 180", "pm_8", flat(180), 0),
    Case("all above", "pm_8", flat(181), 1),
    Case("two readings are none", "pm_8", reading(flat(), 600, 181, 181), 0),
    Case("three readings are one", "pm_8", reading(flat(), 600, *HIGH), 1),
    Case("over midnight", "pm_8", reading(flat(), at(2, "23:50"), *HIGH, *HIGH), 1),
    Case("to the very end", "pm_8", reading(flat(), END - 15, *HIGH), 1),
    Case("two readings back inside", "pm_8", reading(flat(), 0, *HIGH, 180, 180, *HIGH), 1),
    Case("three readings back inside", "pm_8", reading(flat(), 0, *HIGH, 180, 180, 180, *HIGH), 2),
    Case("15 min missing", "pm_8", reading(flat(), 0, *HIGH, *(None,) * 3, *HIGH), 1),
    Case("20 min missing", "pm_8", reading(flat(), 0, *HIGH, *(None,) * 4, *HIGH), 2),
    Case("zeros are missing", "pm_8", reading(flat(), 0, *HIGH, 0, 0, 0, *HIGH), 1),
    Case("nothing at all", "pm_8", reading(flat(), 0, *(None,) * 8640), 0),
)
