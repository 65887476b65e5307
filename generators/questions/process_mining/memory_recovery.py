"""Process mining, memory: the fall after exercise, the way back, and calm hours after it."""

from generators.questions.definitions import (
    NO_READING,
    VARIATION,
    baseline_before,
    window_after_exercise,
)
from generators.questions.exercise import (
    FALL_MINUTES,
    STEADY_MINUTES,
    exercise_fall,
    minutes_to_lowest,
    minutes_to_recovery,
    steady_exercise_days,
)
from generators.questions.task import Task, voiced
from generators.questions.windows import DAYS

BOUNDS = tuple(range(2, 41))
"""Bounds on the CV after exercise that are asked about, %."""

TASKS = (
    Task(
        id="pm_32",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC", "TR"),
        prototype="recovery after exercise",
        answer_type="minute",
        unit="min",
        streams=("glucose", "exercise"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "After exercising on day {day}, how long did it take until my glucose had come "
                "back up?",
                "How many minutes after my workout on day {day} had I recovered from the drop?",
            ),
            parent=(
                "How long after the exercise of day {day} did my child's glucose take to come back "
                "up from its drop?",
            ),
            clinician=(
                "Give the time from the end of exercise on day {day} to recovery of glucose to "
                "90 % of baseline.",
                "Day {day}: how long after the bout until glucose has recovered from its nadir to "
                "0.9 times baseline?",
            ),
        ),
        instruction="Find the exercise that starts on day {day}. "
        f"{window_after_exercise(FALL_MINUTES)} {baseline_before('exercise')} The lowest value is "
        "the lowest reading in the window, the first of them if several are equally low. Glucose "
        "has recovered at the first reading after the lowest value that is at least 0.9 x the "
        f"baseline. {NO_READING} "
        "Answer with the minutes from the end of the exercise to that reading, a whole number.",
        rationale="Find the last reading before the bout and the lowest of the 4 hours after it, "
        "go on from there to the first reading of at least 0.9 x baseline, and subtract the time "
        "at which the bout ended.",
        example=110,
        answer=minutes_to_recovery,
    ),
    Task(
        id="pm_35",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC"),
        prototype="fall after exercise",
        answer_type="signed",
        unit="mg/dL",
        streams=("glucose", "exercise"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "How far did I drop after exercising on day {day}, from where I was before it?",
                "From before my workout on day {day} to the lowest point in the 4 h after it, how "
                "much did I fall?",
            ),
            parent=(
                "How far did my child's glucose fall after the exercise of day {day}, counted from "
                "before it?",
            ),
            clinician=(
                "Give the glucose decrease from the pre-exercise baseline to the 4-h nadir after "
                "exercise on day {day}.",
                "Day {day}: by how much does the lowest reading of the 4 h after the bout lie "
                "below the value before it?",
            ),
        ),
        instruction="Find the exercise that starts on day {day}. "
        f"{window_after_exercise(FALL_MINUTES)} {baseline_before('exercise')} {NO_READING} "
        "Answer with the baseline minus the lowest reading in that window in mg/dL, a whole "
        "number: positive where glucose fell below the baseline, negative where even the lowest "
        "reading lies above it.",
        rationale="Find the last reading before the bout and the lowest of the 4 hours after its "
        "end, and subtract.",
        example=45,
        answer=exercise_fall,
    ),
    Task(
        id="pm_36",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC", "TR"),
        prototype="time of the lowest after exercise",
        answer_type="minute",
        unit="min",
        streams=("glucose", "exercise"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "How long after exercising on day {day} did I reach my lowest point?",
                "On day {day}, how many minutes after the end of my workout was I at my lowest?",
            ),
            parent=(
                "How long after the exercise of day {day} was my child's glucose at its lowest?",
            ),
            clinician=(
                "Give the time from the end of exercise on day {day} to the nadir of the following "
                "4 h.",
                "Day {day}: when, in minutes after the end of the bout, was glucose lowest?",
            ),
        ),
        instruction="Find the exercise that starts on day {day}. "
        f"{window_after_exercise(FALL_MINUTES)} {NO_READING} "
        "Take the lowest reading in that window, the first of them if several are equally low. "
        "Answer with the minutes from the end of the exercise to that reading, a whole number.",
        rationale="Find the end of the bout, the lowest reading of the 4 hours after it, and the "
        "time between them.",
        example=95,
        answer=minutes_to_lowest,
    ),
    Task(
        id="pm_37",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC", "CA"),
        prototype="calm hours after exercise",
        answer_type="day_list",
        streams=("glucose", "exercise"),
        draw={"bound": BOUNDS},
        wordings=voiced(
            patient=(
                "On which days was my glucose calm after exercise, with a CV below {bound} % in "
                "the two hours after it?",
                "After which days' workouts did my CV stay under {bound} % for 2 h?",
            ),
            parent=(
                "On which days did my child's glucose stay steady (CV below {bound} %) in the two "
                "hours after exercise?",
            ),
            clinician=(
                "List the days whose 2-h post-exercise glucose CV is below {bound} %.",
                "After which bouts, by day, is the CV of the following 2 h under {bound} %?",
            ),
        ),
        instruction="Look at the days on which exactly one bout of exercise starts. "
        f"{window_after_exercise(STEADY_MINUTES)} "
        "Leave out a day if fewer than 70 % of the 24 samples in its window have a reading or if "
        "minute e + 120 is not before the end of the record (24:00 on day 30). "
        f"{VARIATION} {NO_READING} "
        "Answer with the list of the days on which the CV of the readings in the window is below "
        "{bound} %, as day numbers (1 to 30) in ascending order.",
        rationale="For every day with one bout compute SD, mean and CV of the 2 hours after its "
        "end; keep the days below the bound.",
        example=[3, 10, 21],
        answer=steady_exercise_days,
    ),
)
