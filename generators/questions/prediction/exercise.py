"""Prediction: what a stated bout of exercise would do."""

import math

from generators.questions.definitions import NO_READING
from generators.questions.episodes import HYPOGLYCAEMIA
from generators.questions.events import after
from generators.questions.glucose import lowest
from generators.questions.prediction.cuts import (
    FIRST_DAYS,
    IF_ADDED,
    NOTHING_ELSE,
    clock_cuts,
    last_reading,
    reading_ahead,
    unsettled,
)
from generators.questions.task import Given, NearTie, NotApplicable, Prediction, Task, voiced
from generators.simulated.exercise import RANGES, feasible_range
from generators.trace import Added, ExerciseEvent, ExerciseType, Trace

DAYTIME = clock_cuts(8 * 60, 20 * 60)
EFFORTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Places between the easiest and the hardest effort that the person can keep up."""
RUN_MINUTES, RIDE_MINUTES = 30, 20
LOW_MINUTES = 90
AFTER_MINUTES = 60
MINUTES = (20, 30, 40)
"""Lengths of a run that is compared with a ride."""
RIDE_LENGTHS = (40, 50, 60)
"""Lengths of the ride: as long as the run or longer, since at equal length the run leaves glucose
lower in nearly every person, and a longer run in all."""
LOWER_MARGIN = 10
"""mg/dL between what a run and a ride leave."""
UNANNOUNCED = (
    "A pump with automated dosing is told of the exercise when it starts, not before. Apart from "
    "that, "
)


def low_in_exercise(trace: Trace, *, cut: int, **_: object) -> str | NotApplicable:
    """Return whether glucose, not yet low, falls below 70 mg/dL within 90 min."""
    before = last_reading(trace, cut)
    if isinstance(before, NotApplicable):
        return before
    if before < HYPOGLYCAEMIA:
        return NotApplicable("glucose is below 70 mg/dL already")
    least = after(trace, cut, LOW_MINUTES, lowest)
    if isinstance(least, NotApplicable):
        return least
    return "yes" if least < HYPOGLYCAEMIA else "no"


def change_from(trace: Trace, end: int) -> int | NotApplicable:
    """Return the reading an hour after the end of a bout minus the one at its end, mg/dL."""
    before, then = reading_ahead(trace, end), reading_ahead(trace, end + AFTER_MINUTES)
    if isinstance(before, NotApplicable):
        return before
    return then if isinstance(then, NotApplicable) else then - before


def run_or_ride(
    run: Trace, ride: Trace, *, cut: int, run_minutes: int, ride_minutes: int, **_: object
) -> str | NotApplicable:
    """Return which of two bouts leaves glucose lower an hour after its end."""
    one = reading_ahead(run, cut + run_minutes + AFTER_MINUTES)
    other = reading_ahead(ride, cut + ride_minutes + AFTER_MINUTES)
    if isinstance(one, NotApplicable):
        return one
    if isinstance(other, NotApplicable):
        return other
    if one == other:
        return NotApplicable("run and ride leave equal glucose")
    answer = "run" if one < other else "ride"
    if abs(one - other) < LOWER_MARGIN:
        return NearTie("run and ride leave nearly equal glucose", answer)
    return answer


def bout(kind: ExerciseType, minute: int, duration: int, magnitude: float) -> Added:
    """Return a bout and nothing else."""
    event = ExerciseEvent(minute=minute, duration=duration, kind=kind, magnitude=magnitude)
    return Added(exercise=(event,))


def one_run(given: Given, cut: int) -> tuple[Added]:
    """Return half an hour of running or jogging at the cut (a minute of the whole trace)."""
    kind: ExerciseType = "jog" if given.get("kind") == "jog" else "run"
    return (bout(kind, cut, RUN_MINUTES, float(given["speed"])),)


def one_ride(given: Given, cut: int) -> tuple[Added]:
    """Return a ride of 20 minutes at the cut (a minute of the whole trace)."""
    return (bout("cycle", cut, RIDE_MINUTES, float(given["power"])),)


def run_and_ride(given: Given, cut: int) -> tuple[Added, Added]:
    """Return a run, and a ride, each at the cut (a minute of the whole trace)."""
    return (
        bout("run", cut, int(given["run_minutes"]), float(given["speed"])),
        bout("cycle", cut, int(given["ride_minutes"]), float(given["power"])),
    )


def _magnitude(patient_id: str, kind: ExerciseType, effort: float) -> float | NotApplicable:
    """Return the speed (mph) or power (W) at a place in the range that a person can keep up."""
    allowed = feasible_range(patient_id, kind)
    if allowed is None:
        return NotApplicable("the person cannot keep such exercise up")
    low, high = allowed
    step = RANGES[kind][2]
    return round(low + step * math.floor(effort * (high - low) / step + 0.5), 1)


def _with_magnitudes(
    shown: Trace, given: Given, wanted: dict[str, tuple[ExerciseType, str]]
) -> Given | NotApplicable:
    """Add speeds and powers to the parameters, by the drawn efforts."""
    if (refusal := unsettled(shown)) is not None:
        return refusal
    found: dict[str, float] = {}
    for name, (kind, effort) in wanted.items():
        magnitude = _magnitude(shown.patient_id, kind, float(given[effort]))
        if isinstance(magnitude, NotApplicable):
            return magnitude
        found[name] = magnitude
    return {**given, **found}


def _run_speed(shown: Trace, given: Given) -> Given | NotApplicable:
    kind: ExerciseType = "jog" if given.get("kind") == "jog" else "run"
    return _with_magnitudes(shown, given, {"speed": (kind, "effort")})


def _ride_power(shown: Trace, given: Given) -> Given | NotApplicable:
    return _with_magnitudes(shown, given, {"power": ("cycle", "effort")})


def _both(shown: Trace, given: Given) -> Given | NotApplicable:
    return _with_magnitudes(
        shown, given, {"speed": ("run", "effort"), "power": ("cycle", "ride_effort")}
    )


TASKS = (
    Task(
        id="pd_5",
        revision=1,
        type="prediction",
        level="pattern",
        path=("QC", "PR"),
        prototype="low after a run",
        answer_type="category",
        options=("yes", "no"),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={
            "first_day": FIRST_DAYS,
            "cut": DAYTIME,
            "kind": ("run", "jog"),
            "effort": EFFORTS,
        },
        derive=_run_speed,
        wordings=voiced(
            patient=(
                "If I {kind} for 30 min at {speed} mph now, will I go below 70 within 90 min?",
                "I am off for a half-hour {kind} at {speed} mph. Will I go low within an hour and "
                "a half of setting off?",
            ),
            parent=(
                "My child is about to {kind} for 30 min at {speed} mph. Will glucose fall below 70 "
                "in the 90 min from the start?",
            ),
            clinician=(
                "Will glucose fall below 70 mg/dL within 90 min of starting a 30-min {kind} at "
                "{speed} mph?",
                "Start now: {kind}, 30 min, {speed} mph. Is hypoglycaemia to be expected within 90 "
                "min?",
            ),
        ),
        instruction=IF_ADDED + "Look at the readings later than now and up to and including "
        f"{LOW_MINUTES} min from now. {NO_READING} "
        'Answer "yes" if any of them is below 70 mg/dL (70 is not below), else "no".',
        rationale="Start from the present reading and its trend, take how far earlier bouts of "
        "such effort lowered glucose, add the insulin still acting and food being absorbed, and "
        "compare the lowest value with 70.",
        example="<yes|no>",
        answer=low_in_exercise,
        prediction=Prediction(
            horizon=LOW_MINUTES,
            added=one_run,
            hypothetical="At {cut:day_and_clock} the person starts to {kind} for "
            f"{RUN_MINUTES} min at {{speed}} mph. {UNANNOUNCED}for the next {LOW_MINUTES} min "
            + NOTHING_ELSE,
        ),
    ),
    Task(
        id="pd_7",
        revision=1,
        type="prediction",
        level="pattern",
        path=("QC", "PR"),
        prototype="change after a run",
        answer_type="signed",
        unit="mg/dL",
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": DAYTIME, "effort": EFFORTS},
        derive=_run_speed,
        wordings=voiced(
            patient=(
                "If I run for 30 min at {speed} mph now, how will my glucose change in the hour "
                "after I stop?",
                "I am starting a half-hour run at {speed} mph. From its end to 60 min later, what "
                "change will I see?",
            ),
            parent=(
                "My child starts a 30-min run at {speed} mph. How will glucose change in the hour "
                "after it?",
            ),
            clinician=(
                "Predict the glucose change from the end of a 30-min run at {speed} mph to 60 min "
                "later.",
                "Run now, 30 min at {speed} mph: what is the change over the first hour of "
                "recovery?",
            ),
        ),
        instruction=IF_ADDED + f"The run ends {RUN_MINUTES} min from now. The change is the "
        f"reading {RUN_MINUTES + AFTER_MINUTES} min from now minus the reading {RUN_MINUTES} min "
        f"from now. {NO_READING} Answer with the change in mg/dL, a whole number with its sign "
        "(negative for a fall).",
        rationale="See how glucose went in the hour after earlier bouts of such effort, and what "
        "insulin and food are still acting by then.",
        example=-10,
        answer=lambda trace, *, cut, **_: change_from(trace, cut + RUN_MINUTES),
        prediction=Prediction(
            horizon=RUN_MINUTES + AFTER_MINUTES,
            added=one_run,
            hypothetical="At {cut:day_and_clock} the person starts to run for "
            f"{RUN_MINUTES} min at {{speed}} mph. {UNANNOUNCED}for the next "
            f"{RUN_MINUTES + AFTER_MINUTES} min " + NOTHING_ELSE,
        ),
    ),
    Task(
        id="pd_8",
        revision=1,
        type="prediction",
        level="pattern",
        path=("QC", "PR"),
        prototype="change after a ride",
        answer_type="signed",
        unit="mg/dL",
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={"first_day": FIRST_DAYS, "cut": DAYTIME, "effort": EFFORTS},
        derive=_ride_power,
        wordings=voiced(
            patient=(
                "If I cycle for 20 min at {power} W now, how will my glucose change in the hour "
                "after I get off?",
                "I am starting a 20-min ride at {power} W. From its end to 60 min later, what "
                "change will I see?",
            ),
            parent=(
                "My child starts a 20-min bike ride at {power} W. How will glucose change in the "
                "hour after it?",
            ),
            clinician=(
                "Predict the glucose change from the end of a 20-min ride at {power} W to 60 min "
                "later.",
                "Cycling now, 20 min at {power} W: what is the change over the first hour of "
                "recovery?",
            ),
        ),
        instruction=IF_ADDED + f"The ride ends {RIDE_MINUTES} min from now. The change is the "
        f"reading {RIDE_MINUTES + AFTER_MINUTES} min from now minus the reading {RIDE_MINUTES} min "
        f"from now. {NO_READING} Answer with the change in mg/dL, a whole number with its sign "
        "(negative for a fall).",
        rationale="See how glucose went in the hour after earlier rides of such effort, and what "
        "insulin and food are still acting by then.",
        example=-10,
        answer=lambda trace, *, cut, **_: change_from(trace, cut + RIDE_MINUTES),
        prediction=Prediction(
            horizon=RIDE_MINUTES + AFTER_MINUTES,
            added=one_ride,
            hypothetical="At {cut:day_and_clock} the person starts to ride a bicycle for "
            f"{RIDE_MINUTES} min at {{power}} W. {UNANNOUNCED}for the next "
            f"{RIDE_MINUTES + AFTER_MINUTES} min " + NOTHING_ELSE,
        ),
    ),
    Task(
        id="pd_9",
        revision=1,
        type="prediction",
        level="pattern",
        path=("CA", "QC", "PR"),
        prototype="run or ride",
        answer_type="category",
        options=("run", "ride"),
        fixed=("run_minutes",),
        streams=("glucose", "insulin", "carbohydrate", "exercise"),
        draw={
            "first_day": FIRST_DAYS,
            "cut": DAYTIME,
            "run_minutes": MINUTES,
            "ride_minutes": RIDE_LENGTHS,
            "effort": EFFORTS,
            "ride_effort": EFFORTS,
        },
        derive=_both,
        wordings=voiced(
            patient=(
                "Which would leave me lower an hour after I stop: a run of {run_minutes} min at "
                "{speed} mph or a ride of {ride_minutes} min at {power} W?",
                "I can run ({run_minutes} min, {speed} mph) or cycle ({ride_minutes} min, {power} "
                "W) now. After which is my glucose lower an hour later?",
            ),
            parent=(
                "Would my child be lower an hour after a run of {run_minutes} min at {speed} mph or "
                "after a ride of {ride_minutes} min at {power} W?",
            ),
            clinician=(
                "Run ({run_minutes} min, {speed} mph) or ride ({ride_minutes} min, {power} W): "
                "which leaves glucose lower 1 h after its end?",
                "Compare glucose one hour after a {run_minutes}-min run at {speed} mph with that "
                "after a {ride_minutes}-min ride at {power} W: which is lower?",
            ),
        ),
        instruction=IF_ADDED + "Compare the reading exactly "
        f"{AFTER_MINUTES} min after the end of the run, if the person runs, with the reading "
        f"exactly {AFTER_MINUTES} min after the end of the ride, if the person rides. {NO_READING} "
        'Answer "run" or "ride", whichever leaves the lower reading. It is only asked where the '
        f"two differ by at least {LOWER_MARGIN} mg/dL.",
        rationale="Weigh length and effort of both against each other and against earlier bouts, "
        "and take into account that the two readings lie at different times.",
        example="<run|ride>",
        answer=run_or_ride,
        prediction=Prediction(
            horizon=max(RIDE_LENGTHS) + AFTER_MINUTES,
            added=run_and_ride,
            hypothetical="Compare two courses. In one, the person starts at {cut:day_and_clock} to "
            "run for {run_minutes} min at {speed} mph; in the other, the person starts at the same "
            f"time to ride a bicycle for {{ride_minutes}} min at {{power}} W. {UNANNOUNCED}in both, "
            f"until {AFTER_MINUTES} min after the end of the exercise, " + NOTHING_ELSE,
        ),
    ),
)
