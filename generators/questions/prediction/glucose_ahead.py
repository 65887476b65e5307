"""Prediction: glucose in the next hours, as life goes on."""

import numpy as np

from generators.questions.definitions import NO_READING
from generators.questions.episodes import HYPERGLYCAEMIA, HYPOGLYCAEMIA
from generators.questions.glucose import count_in_range
from generators.questions.prediction.cuts import (
    ANY_TIME,
    FIRST_DAYS,
    NOW,
    TONIGHT,
    clock_cuts,
    last_reading,
    next_midnight,
    reading_ahead,
)
from generators.questions.task import NotApplicable, Prediction, Task, voiced
from generators.questions.windows import Readings, present, readings
from generators.trace import Trace

AHEAD = 30
MOVE_MINUTES, MOVE = 240, 60
"""Window of a large move, and how far it goes, mg/dL."""
NIGHT_HOURS = 6
NIGHT_SPREAD = 1.5
"""Most hours (SD) by which other nights of the same person may differ. Without a limit the median of
the other nights has a skill of 0.50 over the release's patients, with it 0.62."""
TEN_HOURS = 600
"""From 20:00 to the end of the night."""
TOO_FEW = NotApplicable("fewer than 70 % of the readings exist")


def in_range_throughout(found: Readings) -> bool:
    """Return whether every reading lies in 70 to 180 mg/dL, both included."""
    return count_in_range(found) == found.size


def reading_after_cut(trace: Trace, *, cut: int, **_: object) -> int | NotApplicable:
    """Return the reading half an hour after the end of the record, mg/dL."""
    before = last_reading(trace, cut)
    return before if isinstance(before, NotApplicable) else reading_ahead(trace, cut + AHEAD)


def in_range_now(trace: Trace, cut: int) -> int | NotApplicable:
    """Return the last reading that is shown, where it lies in 70 to 180 mg/dL, both included."""
    before = last_reading(trace, cut)
    if isinstance(before, NotApplicable) or HYPOGLYCAEMIA <= before <= HYPERGLYCAEMIA:
        return before
    return NotApplicable("glucose is out of range already")


def in_range_until_midnight(trace: Trace, *, cut: int, **_: object) -> str | NotApplicable:
    """Return whether all readings from the cut to midnight lie in range, as the last one does."""
    before = in_range_now(trace, cut)
    if isinstance(before, NotApplicable):
        return before
    found = present(readings(trace, cut, next_midnight(cut)))
    if found is None:
        return TOO_FEW
    return "yes" if in_range_throughout(found) else "no"


def large_move(trace: Trace, *, cut: int, **_: object) -> str | NotApplicable:
    """Return whether glucose gets more than 60 mg/dL away from the last reading within 4 h."""
    before = last_reading(trace, cut)
    if isinstance(before, NotApplicable):
        return before
    found = present(readings(trace, cut, cut + MOVE_MINUTES + 1))
    if found is None:
        return TOO_FEW
    return "yes" if np.any(np.abs(found - before) > MOVE) else "no"


def hours_in_range(trace: Trace, *, cut: int, **_: object) -> int | NotApplicable:
    """Return how many clock hours of the coming night lie wholly in range."""
    night = next_midnight(cut)
    hours = [
        present(readings(trace, night + 60 * hour, night + 60 * (hour + 1)))
        for hour in range(NIGHT_HOURS)
    ]
    whole = [in_range_throughout(hour) for hour in hours if hour is not None]
    return sum(whole) if len(whole) == NIGHT_HOURS else TOO_FEW


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
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": ANY_TIME},
        wordings=voiced(
            patient=(
                "Where will my glucose be in half an hour?",
                "It is {cut:day_and_clock} now. What will I read in 30 min?",
            ),
            parent=("What will my child's sensor show half an hour from now?",),
            clinician=(
                "Forecast the sensor glucose 30 min ahead.",
                "The record stops at {cut:day_and_clock}. Predict the reading 30 min later.",
            ),
        ),
        instruction=NOW
        + f"Predict what the sensor will report exactly {AHEAD} min from now. {NO_READING} "
        "Answer with the reading in mg/dL, a whole number.",
        rationale="Take the last readings and their trend, the insulin still acting, the "
        "carbohydrate and exercise of the last hours and the usual course at this time of day, "
        "and carry them on for 30 minutes.",
        example=130,
        answer=reading_after_cut,
        prediction=Prediction(horizon=AHEAD),
    ),
    Task(
        id="pd_10",
        revision=1,
        type="prediction",
        level="pattern",
        path=("PC", "QC"),
        prototype="in range until midnight",
        answer_type="category",
        options=("yes", "no"),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": clock_cuts(21 * 60 + 30, 22 * 60 + 30)},
        wordings=voiced(
            patient=(
                "Will I stay in range until midnight?",
                "It is {cut:clock}. Can I expect to be in my target range for the rest of the day?",
            ),
            parent=("Will my child's glucose stay in range for the rest of the evening?",),
            clinician=(
                "Does glucose remain in range from {cut:clock} to midnight?",
                "State whether all sensor readings up to midnight will lie in range.",
            ),
        ),
        instruction=NOW + "In range means 70 to 180 mg/dL, both included. Look at the readings "
        f"from now on up to but not including the coming midnight. {NO_READING} "
        'Answer "yes" if every one of them lies in range, else "no".',
        rationale="See where glucose stands and goes, what was eaten and dosed in the last hours "
        "and how such evenings used to end, and judge whether a reading will leave the range.",
        example="<yes|no>",
        answer=in_range_until_midnight,
        prediction=Prediction(horizon=150),
    ),
    Task(
        id="pd_14",
        revision=1,
        type="prediction",
        level="pattern",
        path=("ER", "QC", "PR"),
        prototype="large move within 4 h",
        answer_type="category",
        options=("yes", "no"),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": ANY_TIME},
        wordings=voiced(
            patient=(
                "Will my glucose go up or down by more than 60 mg/dL in the next 4 hours?",
                "It is {cut:day_and_clock}. Am I in for a swing of over 60 mg/dL within 4 h?",
            ),
            parent=(
                "Will my child's glucose move by more than 60 mg/dL from where it is within 4 "
                "hours?",
            ),
            clinician=(
                "Will glucose depart from its present level by over 60 mg/dL within 4 h?",
                "From {cut:day_and_clock}: is a change of more than 60 mg/dL to be expected in the "
                "next 240 min?",
            ),
        ),
        instruction=NOW + "The present level is the last reading shown. Look at the readings from "
        f"now on up to and including {MOVE_MINUTES} min from now. {NO_READING} "
        f'Answer "yes" if any of them differs from the present level by more than {MOVE} mg/dL, up '
        'or down (exactly 60 is not more), else "no".',
        rationale="See which meals, doses and exercise used to follow at this hour and how far "
        "glucose then moved, and add what is still acting now.",
        example="<yes|no>",
        answer=large_move,
        prediction=Prediction(horizon=MOVE_MINUTES),
    ),
    Task(
        id="pd_20",
        revision=1,
        type="prediction",
        level="pattern",
        path=("QC", "ER", "PR"),
        prototype="night hours in range",
        answer_type="integer",
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": clock_cuts(20 * 60, 24 * 60)},
        wordings=voiced(
            patient=(
                "How many hours of the coming night will I spend wholly in range?",
                "Of the six hours from midnight on, in how many will I never leave my range?",
            ),
            parent=("For how many hours tonight will my child's glucose stay in range?",),
            clinician=(
                "Predict the number of clock hours from 00:00 to 06:00 wholly in range.",
                "How many of the next night's six clock hours will lie entirely in range?",
            ),
        ),
        instruction=NOW + TONIGHT + "It has six clock hours: 00:00 to 01:00 and so on, "
        "each without its end. In range means 70 to 180 mg/dL, both included. An hour counts if "
        f"every reading in it lies in range. {NO_READING} Answer with how many of the six hours "
        "count, a whole number from 0 to 6.",
        rationale="Take the present level, what is still acting from dinner and doses, and how "
        "earlier nights went after such evenings; follow the night hour by hour.",
        example=3,
        answer=hours_in_range,
        prediction=Prediction(horizon=TEN_HOURS, most_spread=NIGHT_SPREAD),
    ),
)
