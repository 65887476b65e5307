"""Prediction: what follows the end of the record."""

import math

from generators.questions.definitions import NO_READING
from generators.questions.task import Given, NotApplicable, Prediction, Task, Wording
from generators.questions.windows import reading_at
from generators.trace import MINUTES_PER_DAY, Added, CarbEvent, InsulinEvent, Trace

FIRST_DAYS = (1, 8)
"""A shown record starts on one of these days of the trace, both Mondays."""
SHORTEST, LONGEST = 28 * MINUTES_PER_DAY, 30 * MINUTES_PER_DAY
"""Length of a shown record, minutes."""
BOLUS_STEP = 0.05
QUIET_BEFORE_BREAKFAST = 240
"""Minutes before a hypothetical breakfast in which nothing was eaten."""
DOSED_AHEAD = 60
"""Minutes within which a dose may belong to a meal that is still to come."""


def reading_after_cut(trace: Trace, *, cut: int, ahead: int) -> int | NotApplicable:
    """Return the reading so many minutes after the end of the record, mg/dL."""
    if reading_at(trace, cut - 5) is None:
        return NotApplicable("the last reading before the cut is missing")
    value = reading_at(trace, cut + ahead)
    return NotApplicable("there is no reading at the asked time") if value is None else value


def breakfast(given: Given, cut: int) -> Added:
    """Return a breakfast with its bolus, both at the cut (a minute of the whole trace)."""
    grams, units = int(given["grams"]), float(given["bolus"])
    return Added(
        carbs=(CarbEvent(minute=cut, grams=grams, meal="breakfast", eaten=grams),),
        boluses=(InsulinEvent(minute=cut, units=units, kind="meal_bolus"),),
    )


def _breakfast_bolus(shown: Trace, given: Given) -> Given | NotApplicable:
    """Turn a share of the usual dose into units, in steps of the pump."""
    ratio = shown.profile.carbohydrate_ratio
    if ratio is None:
        return NotApplicable("the carbohydrate ratio is unknown")
    if any(event.minute >= shown.minutes - QUIET_BEFORE_BREAKFAST for event in shown.carbs):
        return NotApplicable("something was eaten in the 4 h before")
    if any(
        event.kind == "meal_bolus" and event.minute >= shown.minutes - DOSED_AHEAD
        for event in shown.boluses
    ):
        return NotApplicable("the person has already dosed for a meal")
    units = float(given["dose_share"]) * int(given["grams"]) / ratio
    steps = max(1, math.floor(units / BOLUS_STEP + 0.5))
    return {**given, "bolus": round(steps * BOLUS_STEP, 2)}


TASKS = (
    Task(
        id="pd_1",
        revision=1,
        type="prediction",
        level="pattern",
        path=("PR", "QC", "PC"),
        prototype="glucose in 30 min",
        answer_type="number",
        unit="mg/dL",
        decimals=0,
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={
            "first_day": FIRST_DAYS,
            "cut": tuple(range(SHORTEST, LONGEST + 1, 5)),
            "ahead": (30,),
        },
        wordings=(
            Wording(voice="patient", text="Where will my glucose be in half an hour?"),
            Wording(
                voice="patient", text="It is {cut:day_and_clock} now. What will I read in 30 min?"
            ),
            Wording(voice="parent", text="What will my child's sensor show half an hour from now?"),
            Wording(voice="clinician", text="Forecast the sensor glucose 30 min ahead."),
            Wording(
                voice="clinician",
                text="The record stops at {cut:day_and_clock}. Predict the reading 30 min later.",
            ),
        ),
        instruction="The record ends just before {cut:day_and_clock}, which is now; the last "
        "sample shown is the one 5 min before now. Life goes on as it did. Predict what the "
        "sensor will report exactly {ahead} min from now. "
        + NO_READING
        + " Answer with the reading in mg/dL, a whole number.",
        rationale="Take the last readings and their trend, the insulin still acting, the "
        "carbohydrate and exercise of the last hours and the usual course at this time of day, "
        "and carry them on for 30 minutes.",
        example=130,
        answer=lambda trace, *, cut, ahead, **_: reading_after_cut(trace, cut=cut, ahead=ahead),
        prediction=Prediction(horizon=30),
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
        decimals=0,
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={
            "first_day": FIRST_DAYS,
            "cut": tuple(
                day * MINUTES_PER_DAY + minute
                for day in (28, 29)
                for minute in range(6 * 60, 9 * 60 + 1, 15)
            ),
            "grams": tuple(range(20, 81, 5)),
            "dose_share": (0.5, 0.75, 1.0, 1.25),
            "ahead": (60,),
        },
        derive=_breakfast_bolus,
        wordings=(
            Wording(
                voice="patient",
                text="If I have a breakfast of {grams} g now and bolus {bolus} U for it, where "
                "will I be an hour later?",
            ),
            Wording(
                voice="patient",
                text="I am about to eat {grams} g of carbohydrate for breakfast with {bolus} U. "
                "What will my sensor show in 60 min?",
            ),
            Wording(
                voice="parent",
                text="My child is going to eat a breakfast of {grams} g and gets {bolus} U for it. "
                "What glucose should we expect after an hour?",
            ),
            Wording(
                voice="clinician",
                text="Predict the sensor glucose one hour after a breakfast of {grams} g taken "
                "now with a bolus of {bolus} U.",
            ),
            Wording(
                voice="clinician",
                text="Suppose breakfast now: {grams} g carbohydrate, bolus {bolus} U. What is the "
                "reading 60 min later?",
            ),
        ),
        instruction="The record ends just before {cut:day_and_clock}, which is now; the last "
        "sample shown is the one 5 min before now. Predict what the sensor will report exactly "
        "{ahead} min from now if the stated breakfast is eaten. "
        + NO_READING
        + " Answer with the reading in mg/dL, a whole number.",
        rationale="Start from the present reading and its trend, compare carbohydrate and bolus "
        "with the carbohydrate ratio, look at what earlier breakfasts did within an hour, and add "
        "the insulin still acting.",
        example=165,
        answer=lambda trace, *, cut, ahead, **_: reading_after_cut(trace, cut=cut, ahead=ahead),
        prediction=Prediction(
            horizon=60,
            added=breakfast,
            hypothetical="At {cut:day_and_clock} the person starts to eat a breakfast of {grams} g "
            "of carbohydrate, counted exactly, and at the same moment takes a bolus of {bolus} U "
            "for it. For the next {ahead} min nothing else is eaten, no other bolus is given by "
            "hand and there is no exercise; a pump with automated dosing goes on adjusting by "
            "itself.",
        ),
    ),
)
