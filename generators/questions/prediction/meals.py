"""Prediction: what stated meals and snacks would do."""

import statistics

from generators.questions.definitions import NO_READING
from generators.questions.episodes import HYPERGLYCAEMIA, HYPOGLYCAEMIA
from generators.questions.events import after
from generators.questions.glucose import highest, in_span, lowest
from generators.questions.prediction.cuts import (
    DAY_AHEAD,
    END_OF_DAY,
    FIRST_DAYS,
    IF_ADDED,
    MIDNIGHTS,
    NOTHING_ELSE,
    TONIGHT,
    clock_cuts,
    last_reading,
    meal_dose,
    next_midnight,
    reading_ahead,
    settled,
    unsettled,
)
from generators.questions.prediction.day_ahead import steepest_rise
from generators.questions.prediction.glucose_ahead import NIGHT_HOURS, TEN_HOURS, in_range_now
from generators.questions.task import Given, NotApplicable, Prediction, Task, voiced
from generators.questions.windows import readings
from generators.trace import (
    MINUTES_PER_DAY,
    SAMPLE_MINUTES,
    Added,
    CarbEvent,
    InsulinEvent,
    MealType,
    Trace,
)

QUIET_BEFORE_BREAKFAST = 240
"""Minutes before a hypothetical breakfast in which nothing was eaten."""
BREAKFAST_MINUTES = 60
SNACK_MINUTES = 300
SNACK_GRAMS = (20, 25, 30, 35, 40)
"""Of an undosed late snack: less seldom takes anybody above 180 mg/dL, more nearly everybody."""
DOSE_SHARES = (0.5, 0.75, 1.0, 1.25)
LUNCH_DOSE_SHARES = (0.5, 0.75)
"""Less than usual, so that the lunch raises glucose."""
HEAVY = (1.4, 1.6, 1.8, 2.0)
"""Size of a heavy lunch as a share of the usual one."""
LUNCH_SPREAD = 30.0
"""Most minutes (SD) by which other days of the same person may differ: an answer that is an hour off
scores nothing. Without a limit other days would differ by 62 min and more for a third of the
release's patients, since another rise of that day may be the steepest one."""
GRAM_STEP = 5
MOST_GRAMS = 250


def after_breakfast(trace: Trace, *, cut: int, **_: object) -> int | NotApplicable:
    """Return the reading an hour after the cut, mg/dL."""
    before = last_reading(trace, cut)
    if isinstance(before, NotApplicable):
        return before
    return reading_ahead(trace, cut + BREAKFAST_MINUTES)


def high_after_snack(trace: Trace, *, cut: int, **_: object) -> str | NotApplicable:
    """Return whether glucose, in range at the cut, exceeds 180 mg/dL within 5 h."""
    before = in_range_now(trace, cut)
    if isinstance(before, NotApplicable):
        return before
    peak = after(trace, cut, SNACK_MINUTES, highest)
    if isinstance(peak, NotApplicable):
        return peak
    return "yes" if peak > HYPERGLYCAEMIA else "no"


def steepest_rise_minute(trace: Trace, *, cut: int, **_: object) -> int | NotApplicable:
    """Return the minute of the day after the cut at which its steepest 30-min rise starts."""
    rise = steepest_rise(readings(trace, cut, cut + MINUTES_PER_DAY))
    return rise if isinstance(rise, NotApplicable) else rise.place * SAMPLE_MINUTES


def snack_needed(
    without: Trace, with_snack: Trace, *, cut: int, **_: object
) -> str | NotApplicable:
    """Return whether glucose, in range at the cut, falls below 70 mg/dL at night without a snack.

    Only where it does not with the snack: otherwise it is not needed, or of no use.
    """
    before = in_range_now(without, cut)
    if isinstance(before, NotApplicable):
        return before
    night = next_midnight(cut)
    lows: list[bool] = []
    for trace in (without, with_snack):
        least = in_span(trace, night, night + 60 * NIGHT_HOURS, lowest)
        if isinstance(least, NotApplicable):
            return least
        lows.append(least < HYPOGLYCAEMIA)
    return "yes" if lows == [True, False] else "no"


def eaten(given: Given, minute: int, meal: MealType) -> CarbEvent:
    """Return carbohydrate that is eaten as it is counted."""
    grams = int(given["grams"])
    return CarbEvent(minute=minute, grams=grams, meal=meal, eaten=grams)


def _with_bolus(given: Given, minute: int, meal: MealType) -> tuple[Added]:
    bolus = InsulinEvent(minute=minute, units=float(given["bolus"]), kind="meal_bolus")
    return (Added(carbs=(eaten(given, minute, meal),), boluses=(bolus,)),)


def breakfast(given: Given, cut: int) -> tuple[Added]:
    """Return a breakfast with its bolus, both at the cut (a minute of the whole trace)."""
    return _with_bolus(given, cut, "breakfast")


def heavy_lunch(given: Given, cut: int) -> tuple[Added]:
    """Return a lunch with its bolus on the day after the cut (a minute of the whole trace)."""
    return _with_bolus(given, cut + int(given["lunch"]), "lunch")


def late_snack(given: Given, cut: int) -> tuple[Added]:
    """Return a snack at the cut (a minute of the whole trace)."""
    return (Added(carbs=(eaten(given, cut, "late_snack"),)),)


def without_and_with_snack(given: Given, cut: int) -> tuple[Added, Added]:
    """Return nothing, and a snack at the cut (a minute of the whole trace)."""
    return (Added(), *late_snack(given, cut))


def _breakfast_bolus(shown: Trace, given: Given) -> Given | NotApplicable:
    """Turn a share of the usual dose into units."""
    if any(event.minute >= shown.minutes - QUIET_BEFORE_BREAKFAST for event in shown.carbs):
        return NotApplicable("something was eaten in the 4 h before")
    return _dosed(shown, given)


def _dosed(shown: Trace, given: Given) -> Given | NotApplicable:
    if (refusal := unsettled(shown)) is not None:
        return refusal
    bolus = meal_dose(shown, float(given["dose_share"]), int(given["grams"]))
    return bolus if isinstance(bolus, NotApplicable) else {**given, "bolus": bolus}


def _lunch_size(shown: Trace, given: Given) -> Given | NotApplicable:
    """Turn a share of the usual lunch into grams, and a share of the usual dose into units."""
    usual = [event.grams for event in shown.carbs if event.meal == "lunch"]
    if not usual:
        return NotApplicable("no lunch in the record")
    grams = statistics.median(usual) * float(given["lunch_share"])
    steps = round(min(grams, MOST_GRAMS) / GRAM_STEP)
    return _dosed(shown, {**given, "grams": steps * GRAM_STEP})


TASKS = (
    Task(
        id="pd_3",
        revision=1,
        type="prediction",
        level="pattern",
        path=("PR", "ER", "QC"),
        prototype="high after a late snack",
        answer_type="category",
        options=("yes", "no"),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={
            "first_day": FIRST_DAYS,
            "cut": clock_cuts(20 * 60, 23 * 60),
            "grams": SNACK_GRAMS,
        },
        fixed=("grams",),
        derive=settled,
        wordings=voiced(
            patient=(
                "If I have a snack of {grams} g now without a bolus, will I go above 180 in the "
                "next 5 hours?",
                "I would like a late snack, {grams} g, no insulin for it. Will it take me over "
                "180?",
            ),
            parent=(
                "My child wants a late snack of {grams} g without a bolus. Will glucose exceed 180 "
                "within 5 hours?",
            ),
            clinician=(
                "Late snack of {grams} g without bolus: will glucose exceed 180 mg/dL within 5 h?",
                "Does an undosed late snack of {grams} g carbohydrate lead to a reading above 180 "
                "in 300 min?",
            ),
        ),
        instruction=IF_ADDED + f"Look at the readings later than now and up to and including "
        f"{SNACK_MINUTES} min from now. {NO_READING} "
        'Answer "yes" if any of them is above 180 mg/dL (180 is not above), else "no".',
        rationale="Start from the present reading and its trend, see how far so many grams used to "
        "raise this person's glucose, take off what insulin on board and an automated pump remove, "
        "and compare the peak with 180.",
        example="<yes|no>",
        answer=high_after_snack,
        prediction=Prediction(
            horizon=SNACK_MINUTES,
            added=late_snack,
            hypothetical="At {cut:day_and_clock} the person starts to eat a late snack of {grams} "
            "g of carbohydrate, counted exactly, and takes no bolus for it. For the next "
            f"{SNACK_MINUTES} min " + NOTHING_ELSE,
        ),
    ),
    Task(
        id="pd_6",
        revision=1,
        type="prediction",
        level="pattern",
        path=("QC", "PR"),
        prototype="glucose after a breakfast",
        answer_type="number",
        unit="mg/dL",
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={
            "first_day": FIRST_DAYS,
            "cut": clock_cuts(6 * 60, 9 * 60),
            "grams": tuple(range(20, 81, 5)),
            "dose_share": DOSE_SHARES,
        },
        derive=_breakfast_bolus,
        wordings=voiced(
            patient=(
                "If I have a breakfast of {grams} g now and bolus {bolus} U for it, where will I "
                "be an hour later?",
                "I am about to eat {grams} g of carbohydrate for breakfast with {bolus} U. What "
                "will my sensor show in 60 min?",
            ),
            parent=(
                "My child is going to eat a breakfast of {grams} g and gets {bolus} U for it. What "
                "glucose should we expect after an hour?",
            ),
            clinician=(
                "Predict the sensor glucose one hour after a breakfast of {grams} g taken now with "
                "a bolus of {bolus} U.",
                "Suppose breakfast now: {grams} g carbohydrate, bolus {bolus} U. What is the "
                "reading 60 min later?",
            ),
        ),
        instruction=IF_ADDED + "Predict what the sensor will report exactly "
        f"{BREAKFAST_MINUTES} min from now. {NO_READING} "
        "Answer with the reading in mg/dL, a whole number.",
        rationale="Start from the present reading and its trend, compare carbohydrate and bolus "
        "with the carbohydrate ratio, look at what earlier breakfasts did within an hour, and add "
        "the insulin still acting.",
        example=165,
        answer=after_breakfast,
        prediction=Prediction(
            horizon=BREAKFAST_MINUTES,
            added=breakfast,
            hypothetical="At {cut:day_and_clock} the person starts to eat a breakfast of {grams} g "
            "of carbohydrate, counted exactly, and at the same moment takes a bolus of {bolus} U "
            f"for it. For the next {BREAKFAST_MINUTES} min " + NOTHING_ELSE,
        ),
    ),
    Task(
        id="pd_11",
        revision=1,
        type="prediction",
        level="pattern",
        path=("ER", "QC", "PR"),
        prototype="steepest rise tomorrow",
        answer_type="minute",
        unit="min",
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={
            "first_day": FIRST_DAYS,
            "cut": MIDNIGHTS,
            "lunch": tuple(range(11 * 60, 14 * 60 + 1, 15)),
            "lunch_share": HEAVY,
            "dose_share": LUNCH_DOSE_SHARES,
        },
        derive=_lunch_size,
        wordings=voiced(
            patient=(
                "If all I eat tomorrow is a heavy lunch of {grams} g at {lunch:clock}, when does "
                "my steepest rise begin?",
                "Tomorrow I will only have a big lunch, {grams} g at {lunch:clock}. When will my "
                "glucose start to climb fastest?",
            ),
            parent=(
                "My child will have one heavy lunch of {grams} g at {lunch:clock} tomorrow. When "
                "does the steepest climb start?",
            ),
            clinician=(
                "At what minute of tomorrow does the steepest 30-min rise start, given a heavy "
                "lunch of {grams} g at {lunch:clock}?",
                "Heavy lunch tomorrow at {lunch:clock}, {grams} g: time the onset of the day's "
                "steepest 30-min rise.",
            ),
        ),
        instruction=END_OF_DAY + "Predict what happens tomorrow if what is stated is done and "
        "nothing else. A 30-min rise is a reading minus the one exactly 30 min before it, both of "
        "tomorrow; it starts at the earlier one. The steepest is the largest, the first of them if "
        f"several are equally large. {NO_READING} Answer with the minute of the day at "
        "which tomorrow's steepest 30-min rise starts, in whole minutes from 00:00 (13:00 is minute "
        "780).",
        rationale="Nothing but the lunch raises glucose that day: take its time, and add how long "
        "after the start of earlier large meals glucose began to rise fastest.",
        example=780,
        answer=steepest_rise_minute,
        prediction=Prediction(
            horizon=DAY_AHEAD,
            most_spread=LUNCH_SPREAD,
            added=heavy_lunch,
            hypothetical="At {lunch:clock} tomorrow the person starts to eat a heavy lunch of "
            "{grams} g of carbohydrate, counted exactly, and at the same moment takes a bolus of "
            "{bolus} U for it. Apart from that, until the end of tomorrow " + NOTHING_ELSE,
        ),
    ),
    Task(
        id="pd_15",
        revision=1,
        type="prediction",
        level="pattern",
        path=("QC", "ER", "PR"),
        prototype="snack needed tonight",
        answer_type="category",
        options=("yes", "no"),
        rare=("yes",),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={
            "first_day": FIRST_DAYS,
            "cut": clock_cuts(20 * 60, 24 * 60),
            "grams": tuple(range(15, 61, 5)),
        },
        derive=settled,
        wordings=voiced(
            patient=(
                "Do I need a snack of {grams} g now to get through the night without going low?",
                "Will eating {grams} g now keep me from a low tonight that I would have without "
                "it?",
            ),
            parent=("Does my child need a snack of {grams} g now to avoid a low tonight?",),
            clinician=(
                "Is a bedtime snack of {grams} g both necessary and sufficient to avoid nocturnal "
                "hypoglycaemia?",
                "Would a snack of {grams} g now prevent a low tonight that would come without it?",
            ),
        ),
        instruction=IF_ADDED + TONIGHT + 'Answer "yes" if without the snack at least one reading '
        f'of tonight is below 70 mg/dL (70 is not below) and with it none is, else "no". '
        f"{NO_READING}",
        rationale="Follow the night from the present reading, its trend, the insulin on board and "
        "how earlier nights went, once without and once with the rise that so many grams bring, "
        "and compare the lowest values with 70.",
        example="<yes|no>",
        answer=snack_needed,
        prediction=Prediction(
            horizon=TEN_HOURS,
            added=without_and_with_snack,
            hypothetical="Compare two courses. In one, nothing is eaten. In the other, the person "
            "starts at {cut:day_and_clock} to eat a late snack of {grams} g of carbohydrate, "
            "counted exactly, and takes no bolus for it. In both, from now until 06:00 "
            + NOTHING_ELSE,
        ),
    ),
)
