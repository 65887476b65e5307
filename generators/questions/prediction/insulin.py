"""Prediction: insulin to come, and what a correction does."""

from generators.questions.definitions import (
    INSULIN_A_DAY,
    NO_READING,
    TOTAL_INSULIN,
    number_answer,
)
from generators.questions.insulin import daily_insulin, more_or_less, total_insulin
from generators.questions.prediction.cuts import (
    ANY_TIME,
    DAY_AHEAD,
    FIRST_DAYS,
    IF_ADDED,
    NOTHING_ELSE,
    NOW,
    SUNDAY_NIGHT,
    dose,
    last_reading,
    reading_ahead,
    unsettled,
)
from generators.questions.task import Given, NotApplicable, Prediction, Task, voiced
from generators.questions.windows import WEEKS, week_span
from generators.trace import (
    MINUTES_PER_DAY,
    MISSING,
    SAMPLE_MINUTES,
    Added,
    InsulinEvent,
    InsulinType,
    Trace,
)

CORRECTIONS: tuple[InsulinType, ...] = ("correction_bolus", "automatic_correction")
CORRECTION_MINUTES = 120
"""Window in which a correction is awaited, and in which one acts."""
WEEK_MINUTES = 7 * MINUTES_PER_DAY
WEEK_MARGIN_PERCENT = 2
LEAST_DAYS = 5
"""Days of known insulin that a week needs to be compared."""
LEAST_EXCESS = 30
"""mg/dL above target from which on a correction is asked about."""


def insulin_on_monday(trace: Trace, *, cut: int, **_: object) -> float | NotApplicable:
    """Return the insulin of the day after the cut, U."""
    return total_insulin(trace, cut, cut + MINUTES_PER_DAY)


def correction_follows(trace: Trace, *, cut: int, **_: object) -> str | NotApplicable:
    """Return whether a correction is given within 2 h from the cut on.

    It is asked only where the insulin of these 2 h is known throughout.
    """
    first, end = cut // SAMPLE_MINUTES, (cut + CORRECTION_MINUTES) // SAMPLE_MINUTES
    if (trace.insulin[first:end] == MISSING).any():
        return NotApplicable("not all insulin of the next 2 h is known")
    given = any(
        event.kind in CORRECTIONS and cut <= event.minute < cut + CORRECTION_MINUTES
        for event in trace.boluses
    )
    return "yes" if given else "no"


def week_against(trace: Trace, *, cut: int, week: int, **_: object) -> str | NotApplicable:
    """Return whether the week after the cut has more or less insulin than an earlier one.

    It is compared with a single week because against the mean of all four the answer is a toss-up:
    other weeks agree on it for 3 of the release's 30 patients.
    """
    coming = daily_insulin(trace, cut, cut + WEEK_MINUTES, least_days=LEAST_DAYS)
    before = daily_insulin(trace, *week_span(week), least_days=LEAST_DAYS)
    if isinstance(coming, NotApplicable):
        return coming
    if isinstance(before, NotApplicable):
        return before
    return more_or_less(coming, before, margin_percent=WEEK_MARGIN_PERCENT)


def drop_after_correction(trace: Trace, *, cut: int, **_: object) -> int | NotApplicable:
    """Return the last reading minus the one 2 h after the cut, mg/dL."""
    before, then = last_reading(trace, cut), reading_ahead(trace, cut + CORRECTION_MINUTES)
    if isinstance(before, NotApplicable):
        return before
    return then if isinstance(then, NotApplicable) else before - then


def correction(given: Given, cut: int) -> tuple[Added]:
    """Return a correction by hand at the cut (a minute of the whole trace)."""
    units = float(given["units"])
    return (Added(boluses=(InsulinEvent(minute=cut, units=units, kind="correction_bolus"),)),)


def _correction_units(shown: Trace, given: Given) -> Given | NotApplicable:
    """Turn a share of the usual correction into units, where glucose lies above target."""
    if (refusal := unsettled(shown)) is not None:
        return refusal
    target, factor = shown.profile.target_mgdl, shown.profile.correction_factor
    reading = last_reading(shown, shown.minutes)
    if isinstance(reading, NotApplicable):
        return reading
    if target is None or factor is None:
        return NotApplicable("the target or the correction factor is unknown")
    if reading < target + LEAST_EXCESS:
        return NotApplicable("glucose does not lie far enough above target")
    units = dose(shown, float(given["dose_share"]) * (reading - target) / factor)
    return units if isinstance(units, NotApplicable) else {**given, "units": units}


TASKS = (
    Task(
        id="pd_2",
        revision=1,
        type="prediction",
        level="pattern",
        path=("PC", "QC"),
        prototype="insulin on Monday",
        answer_type="number",
        unit="U",
        decimals=1,
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": SUNDAY_NIGHT},
        wordings=voiced(
            patient=(
                "How much insulin will I use in total tomorrow, on Monday?",
                "It is Sunday midnight. What will my total insulin be on Monday?",
            ),
            parent=("How much insulin will my child get in total on Monday?",),
            clinician=(
                "Predict the total insulin delivered on the coming Monday.",
                "Forecast the total daily dose of the Monday that starts now.",
            ),
        ),
        instruction=NOW + "This is the end of a Sunday. Predict the total insulin of the Monday "
        f"that starts now, from 00:00 up to but not including 24:00. {TOTAL_INSULIN} "
        + number_answer("the total", "U", 1),
        rationale="Sum the insulin of each earlier day, look at the Mondays and at the trend of "
        "the last days, and expect a total like theirs.",
        example=40.0,
        answer=insulin_on_monday,
        prediction=Prediction(horizon=DAY_AHEAD),
    ),
    Task(
        id="pd_13",
        revision=1,
        type="prediction",
        level="pattern",
        path=("ER", "QC", "PR"),
        prototype="correction within 2 h",
        answer_type="category",
        options=("yes", "no"),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": ANY_TIME},
        wordings=voiced(
            patient=(
                "Will there be a correction dose in the next two hours?",
                "It is {cut:day_and_clock}. Will I get a correction within 2 h, whether I give it "
                "myself or not?",
            ),
            parent=("Will my child get a correction within the next two hours?",),
            clinician=(
                "Will a correction of any kind be given within 2 h?",
                "From {cut:day_and_clock}: is a correction bolus of any kind to be expected in "
                "120 min?",
            ),
        ),
        instruction=NOW + "A correction is an entry of type correction_bolus (by hand) or "
        "automatic_correction (by a pump on its own) in the list of boluses and injections. Answer "
        f'"yes" if at least one is given from now on and less than {CORRECTION_MINUTES} min from '
        'now, else "no".',
        rationale="See at which hours and glucose levels corrections were given so far, where "
        "glucose stands and goes, and how much insulin is still acting.",
        example="<yes|no>",
        answer=correction_follows,
        prediction=Prediction(horizon=CORRECTION_MINUTES),
    ),
    Task(
        id="pd_18",
        revision=1,
        type="prediction",
        level="pattern",
        path=("QC", "CA", "PR"),
        prototype="insulin of the coming week",
        answer_type="category",
        options=("more", "less"),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS[:1], "cut": SUNDAY_NIGHT, "week": WEEKS},
        wordings=voiced(
            patient=(
                "Will I use more or less insulin a day next week than in week {week}?",
                "Compared with week {week}, is my daily insulin going to be more or less in the "
                "coming week?",
            ),
            parent=(
                "Will my child need more or less insulin a day in the coming week than in week "
                "{week}?",
            ),
            clinician=(
                "Mean daily insulin of the coming week against week {week}: more or less?",
                "Predict whether the coming 7 days bring more or less insulin a day than week "
                "{week}.",
            ),
        ),
        instruction=NOW + "This is the end of a Sunday; the coming week is the 7 days that start "
        "now, Monday to Sunday. Week 1 is days 1 to 7 of the record, week 2 days 8 to 14, week 3 "
        f"days 15 to 21, week 4 days 22 to 28. {TOTAL_INSULIN} {INSULIN_A_DAY} "
        'Answer "more" if the coming week has more insulin a day than week {week}, else "less". '
        "It is only asked where the two differ by at least "
        f"{WEEK_MARGIN_PERCENT} % of week {{week}}.",
        rationale="Take the insulin a day of every week shown, see whether the stated week lies above or "
        "below the usual and whether there is a trend, and expect a usual week to follow.",
        example="<more|less>",
        answer=week_against,
        prediction=Prediction(horizon=WEEK_MINUTES - 5),
    ),
    Task(
        id="pd_19",
        revision=1,
        type="prediction",
        level="pattern",
        path=("QC", "ER", "PR"),
        prototype="drop after a correction",
        answer_type="signed",
        unit="mg/dL",
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={
            "first_day": FIRST_DAYS,
            "cut": ANY_TIME,
            "dose_share": (0.5, 0.75, 1.0, 1.25),
        },
        derive=_correction_units,
        wordings=voiced(
            patient=(
                "If I correct with {units} U now, how far will I have dropped in two hours?",
                "I am about to take a correction of {units} U. What drop will I see after 2 h?",
            ),
            parent=(
                "My child gets a correction of {units} U now. What drop can we expect in 2 h?",
            ),
            clinician=(
                "Predict the fall in glucose 2 h after a correction of {units} U given now.",
                "Correction now, {units} U: by how much will glucose have fallen in 120 min?",
            ),
        ),
        instruction=IF_ADDED + "The drop is the last reading shown minus the reading exactly "
        f"{CORRECTION_MINUTES} min from now. {NO_READING} Answer with the drop in mg/dL, a whole "
        "number with its sign: positive if glucose falls, negative if it rises.",
        rationale="Multiply the units by the correction factor for the whole effect, take the part "
        "of it that acts within 2 h, and add what earlier insulin and food still do and what an "
        "automated pump holds back.",
        example=50,
        answer=drop_after_correction,
        prediction=Prediction(
            horizon=CORRECTION_MINUTES,
            added=correction,
            hypothetical="At {cut:day_and_clock} the person gives a correction bolus of {units} U "
            f"by hand. For the next {CORRECTION_MINUTES} min " + NOTHING_ELSE,
        ),
    ),
)
