"""Cases of process-mining tasks about exercise."""

from generators.trace import Trace
from tests.generators.questions.hand_made import Case, at, bout, flat, mixed, reading

DAY_3 = {"day": 3}
START = at(3, "17:00")
END = START + 40
RUN = bout(flat(), START, 40)
OFF_GRID = bout(flat(), START + 2, 40)
"""From 17:02 to 17:42."""
ODD = bout(flat(), START + 1, 43)
"""From 17:01 to 17:44."""
TWO_RUNS = bout(RUN, at(3, "08:00"), 30)
LATE = bout(flat(), at(30, "23:00"), 30)
DIPPED = reading(RUN, END + 5, *(80,) * 48)
"""80 from 5 min to 240 min after the end, then 100."""


def runs(*days: int) -> Trace:
    """Runs from 17:00 to 17:40."""
    trace = flat()
    for day in days:
        trace = bout(trace, at(day, "17:00"), 40)
    return trace


def swing(trace: Trace, day: int, high: int = 120, count: int = 12) -> Trace:
    """Make `count` of the 24 readings after the run read `high`, the others 80."""
    return mixed(trace, at(day, "17:45"), 24, high, count)


THREE_RUNS = swing(runs(3, 5, 9), 5)
"""CVs after the runs: 0, 20.43 and 0 %."""
TWENTY = {"bound": 20}

CASES = (
    Case("within", "pm_28", reading(RUN, START + 20, 150), 150, DAY_3),
    Case("at the start", "pm_28", reading(RUN, START, 150), 150, DAY_3),
    Case("at the end", "pm_28", reading(RUN, END, 150), 150, DAY_3),
    Case("just before", "pm_28", reading(RUN, START - 5, 150), 100, DAY_3),
    Case("just after", "pm_28", reading(RUN, END + 5, 150), 100, DAY_3),
    Case("before it, off the grid", "pm_28", reading(OFF_GRID, START, 150), 100, DAY_3),
    Case("after it, off the grid", "pm_28", reading(OFF_GRID, START + 45, 150), 100, DAY_3),
    Case("no exercise", "pm_28", flat(), None, DAY_3),
    Case("on another day", "pm_28", RUN, None, {"day": 4}),
    Case("two bouts", "pm_28", TWO_RUNS, None, DAY_3),
    Case("at midnight of the day", "pm_28", bout(flat(), at(3, "00:00"), 30), 100, DAY_3),
    Case("at midnight after it", "pm_28", bout(flat(), at(4, "00:00"), 30), None, DAY_3),
    Case("6 of 9 are under 70 %", "pm_28", reading(RUN, START, None, 0, None), None, DAY_3),
    Case("7 are enough", "pm_28", reading(RUN, START, None, 0), 100, DAY_3),
    Case("ends with the record", "pm_28", bout(flat(), at(30, "23:20"), 40), None, {"day": 30}),
    Case("ends just before", "pm_28", bout(flat(), at(30, "23:19"), 40), 100, {"day": 30}),
    Case("within", "pm_29", reading(RUN, START + 20, 70), 70, DAY_3),
    Case("at the start and a zero", "pm_29", reading(RUN, START, 70, 0), 70, DAY_3),
    Case("at the end", "pm_29", reading(RUN, END, 70), 70, DAY_3),
    Case("outside", "pm_29", reading(reading(RUN, START - 5, 70), END + 5, 70), 100, DAY_3),
    Case("within 3 h", "pm_30", reading(RUN, END + 60, 70), 70, DAY_3),
    Case("at the end itself", "pm_30", reading(RUN, END, 70), 100, DAY_3),
    Case("5 min after", "pm_30", reading(RUN, END + 5, 70), 70, DAY_3),
    Case("at 3 h", "pm_30", reading(RUN, END + 180, 70), 70, DAY_3),
    Case("after 3 h", "pm_30", reading(RUN, END + 185, 70), 100, DAY_3),
    Case("off the grid, first", "pm_30", reading(OFF_GRID, START + 45, 70), 70, DAY_3),
    Case("off the grid, past", "pm_30", reading(OFF_GRID, START + 225, 70), 100, DAY_3),
    Case("window beyond the record", "pm_30", LATE, None, {"day": 30}),
    Case("25 of 36 are under 70 %", "pm_30", reading(RUN, END + 5, *(None,) * 11), None, DAY_3),
    Case("26 are enough", "pm_30", reading(RUN, END + 5, *(0,) * 10), 100, DAY_3),
    Case("a fall of 40 in 40 min", "pm_31", reading(RUN, END, 60), -1.0, DAY_3),
    Case("a rise", "pm_31", reading(RUN, END, 130), 0.75, DAY_3),
    Case("half away from zero", "pm_31", reading(RUN, END, 97), -0.08, DAY_3),
    Case(
        "off the grid from 17:00 to 17:45", "pm_31", reading(OFF_GRID, START + 45, 145), 1.0, DAY_3
    ),
    Case(
        "an old baseline and a late end",
        "pm_31",
        reading(reading(RUN, START - 10, *(None,) * 3), END, 0, None, None, 170),
        1.0,
        DAY_3,
    ),
    Case("no baseline", "pm_31", reading(RUN, START - 15, *(None,) * 4), None, DAY_3),
    Case("no end", "pm_31", reading(RUN, END, *(None,) * 4), None, DAY_3),
    Case(
        "no sample after the end",
        "pm_31",
        bout(flat(), at(30, "23:16"), 41),
        None,
        {"day": 30},
    ),
    Case("two bouts", "pm_31", TWO_RUNS, None, DAY_3),
    Case("back at 90", "pm_32", reading(DIPPED, END + 60, 70, 89, 90), 70, DAY_3),
    Case("89 is not below 90 % enough to matter", "pm_32", reading(RUN, END + 60, 90), None, DAY_3),
    Case("89 is", "pm_32", reading(RUN, END + 60, 89), 65, DAY_3),
    Case(
        "a rise before the lowest is no recovery",
        "pm_32",
        reading(DIPPED, END + 30, 100, 70, 80, 100),
        45,
        DAY_3,
    ),
    Case("from the first of two lowest", "pm_32", reading(DIPPED, END + 30, 70, 95, 70), 35, DAY_3),
    Case("at 4 h", "pm_32", reading(DIPPED, END + 235, 70, 90), 240, DAY_3),
    Case("after 4 h", "pm_32", DIPPED, None, DAY_3),
    Case("a low after 4 h", "pm_32", reading(RUN, END + 245, 50), None, DAY_3),
    Case("a low at the end itself", "pm_32", reading(RUN, END, 50), None, DAY_3),
    Case(
        "of the value before the bout",
        "pm_32",
        reading(reading(DIPPED, START, 150), END + 60, 70, 134, 135),
        70,
        DAY_3,
    ),
    Case("no baseline", "pm_32", reading(DIPPED, START - 15, *(None,) * 4), None, DAY_3),
    Case("no exercise", "pm_32", flat(), None, DAY_3),
    Case(
        "33 of 48 are under 70 %",
        "pm_32",
        reading(DIPPED, END + 5, *(None,) * 15, 100),
        None,
        DAY_3,
    ),
    Case("34 are enough", "pm_32", reading(DIPPED, END + 5, *(0,) * 14, 70, 100), 80, DAY_3),
    Case("window beyond the record", "pm_32", LATE, None, {"day": 30}),
    Case("5 min after", "pm_33", reading(RUN, END + 5, 160), 105.0, DAY_3),
    Case("at the end itself", "pm_33", reading(RUN, END, 160), 100.0, DAY_3),
    Case("at 60 min", "pm_33", reading(RUN, END + 60, 160), 105.0, DAY_3),
    Case("after 60 min", "pm_33", reading(RUN, END + 65, 160), 100.0, DAY_3),
    Case("of those that exist", "pm_33", reading(RUN, END + 5, 190, None, 0), 109.0, DAY_3),
    Case("8 of 12 are under 70 %", "pm_33", reading(RUN, END + 5, *(None,) * 4), None, DAY_3),
    Case("at the start", "pm_34", reading(RUN, START, 145), 105.0, DAY_3),
    Case("at the end", "pm_34", reading(RUN, END, 145), 105.0, DAY_3),
    Case("outside", "pm_34", reading(reading(RUN, START - 5, 145), END + 5, 145), 100.0, DAY_3),
    Case("of those that exist", "pm_34", reading(RUN, START, 180, None), 110.0, DAY_3),
    Case("fall", "pm_35", reading(RUN, END + 100, 60), 40, DAY_3),
    Case("at 4 h", "pm_35", reading(RUN, END + 240, 60), 40, DAY_3),
    Case("after 4 h", "pm_35", reading(RUN, END + 245, 60), 0, DAY_3),
    Case("at the end itself", "pm_35", reading(RUN, END, 60), 0, DAY_3),
    Case("no fall at all", "pm_35", reading(RUN, END + 5, *(120,) * 48), -20, DAY_3),
    Case("from before the bout", "pm_35", reading(RUN, START - 5, 130, 125, 150), 25, DAY_3),
    Case("no baseline", "pm_35", reading(RUN, START - 15, *(None,) * 4), None, DAY_3),
    Case("too few readings", "pm_35", reading(RUN, END + 5, *(None,) * 15), None, DAY_3),
    Case("window beyond the record", "pm_35", LATE, None, {"day": 30}),
    Case("window just inside", "pm_35", bout(flat(), at(30, "19:29"), 30), 0, {"day": 30}),
    Case("window just outside", "pm_35", bout(flat(), at(30, "19:30"), 30), None, {"day": 30}),
    Case("lowest", "pm_36", reading(RUN, END + 100, 60), 100, DAY_3),
    Case("first of several", "pm_36", reading(RUN, END + 100, 60, 80, 60), 100, DAY_3),
    Case("all equal", "pm_36", RUN, 5, DAY_3),
    Case("at 4 h", "pm_36", reading(RUN, END + 240, 60), 240, DAY_3),
    Case("after 4 h", "pm_36", reading(RUN, END + 245, 60), 5, DAY_3),
    Case("off the grid", "pm_36", reading(OFF_GRID, START + 45, 60), 3, DAY_3),
    Case("a zero is no low", "pm_36", reading(RUN, END + 5, 0, 99), 10, DAY_3),
    Case("too few readings", "pm_36", reading(RUN, END + 5, *(None,) * 15), None, DAY_3),
    Case("window beyond the record", "pm_36", LATE, None, {"day": 30}),
    Case("all but one", "pm_37", THREE_RUNS, [3, 9], TWENTY),
    Case("every one", "pm_37", THREE_RUNS, None, {"bound": 22}),
    Case("none", "pm_37", swing(runs(5), 5), None, TWENTY),
    Case("no exercise", "pm_37", flat(), None, TWENTY),
    Case("n - 1", "pm_37", swing(swing(runs(5, 9), 5), 9, 160), [5], {"bound": 21}),
    Case("a CV of 20.43, not 20.00", "pm_37", THREE_RUNS, None, {"bound": 21}),
    Case(
        "days with two bouts are left out",
        "pm_37",
        bout(THREE_RUNS, at(3, "08:00"), 30),
        [9],
        TWENTY,
    ),
    Case(
        "too few readings are left out",
        "pm_37",
        reading(THREE_RUNS, at(3, "17:45"), *(None,) * 8),
        [9],
        TWENTY,
    ),
    Case(
        "17 of 24 are enough",
        "pm_37",
        reading(THREE_RUNS, at(3, "17:45"), *(None,) * 7),
        [3, 9],
        TWENTY,
    ),
    Case("5 min after counts", "pm_37", reading(runs(3, 9), at(9, "17:45"), 250), [3], TWENTY),
    Case("2 h after counts", "pm_37", reading(runs(3, 9), at(9, "19:40"), 250), [3], TWENTY),
    Case("later does not", "pm_37", reading(runs(3, 9), at(9, "19:45"), 250), None, TWENTY),
    Case(
        "the end itself does not", "pm_37", reading(runs(3, 9), at(9, "17:40"), 250), None, TWENTY
    ),
    Case("a CV close to the bound", "pm_37", swing(runs(3, 5, 9), 5, 118, 10), None, TWENTY),
    Case(
        "a window beyond the record", "pm_37", bout(THREE_RUNS, at(30, "21:30"), 30), [3, 9], TWENTY
    ),
    Case(
        "the last window within it",
        "pm_37",
        bout(THREE_RUNS, at(30, "21:29"), 30),
        [3, 9, 30],
        TWENTY,
    ),
    Case("just past an odd end", "pm_28", reading(ODD, at(3, "17:45"), 150), 100, DAY_3),
    Case("3 h after an odd end", "pm_30", reading(ODD, at(3, "20:45"), 70), 100, DAY_3),
    Case("1 h after an odd end", "pm_33", reading(ODD, at(3, "18:45"), 220), 100.0, DAY_3),
    Case("4 h after an odd end", "pm_35", reading(ODD, at(3, "21:45"), 60), 0, DAY_3),
    Case("an end 16 min late", "pm_31", reading(ODD, at(3, "17:45"), *(None,) * 3), None, DAY_3),
    Case("a baseline 16 min old", "pm_31", reading(ODD, at(3, "16:50"), *(None,) * 3), None, DAY_3),
    Case("the last sample", "pm_31", bout(flat(), at(30, "23:15"), 40), 0.0, {"day": 30}),
    Case("the first sample", "pm_31", bout(flat(), 0, 40), 0.0, {"day": 1}),
    Case(
        "nothing before the record",
        "pm_31",
        reading(bout(flat(), 0, 40), 0, None),
        None,
        {"day": 1},
    ),
)
