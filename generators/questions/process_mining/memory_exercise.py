"""Process mining, memory: find a bout of exercise, then glucose during and after it."""

from functools import partial

from generators.questions.definitions import (
    DURING_EXERCISE,
    NO_READING,
    baseline_before,
    number_answer,
    signed_answer,
    window_after_exercise,
)
from generators.questions.exercise import after_exercise, during_exercise, exercise_rate
from generators.questions.glucose import highest, lowest, mean
from generators.questions.task import Task, voiced
from generators.questions.windows import DAYS

LOW_MINUTES = 180
MEAN_MINUTES = 60

TASKS = (
    Task(
        id="pm_28",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC"),
        prototype="highest during exercise",
        answer_type="number",
        unit="mg/dL",
        streams=("glucose", "exercise"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "What was my highest value while I exercised on day {day}?",
                "How high did I get during my workout on day {day}?",
            ),
            parent=("How high was my child at most while exercising on day {day}?",),
            clinician=(
                "State the maximum glucose during exercise on day {day}.",
                "What was the highest reading within the exercise bout of day {day}?",
            ),
        ),
        instruction="Find the exercise that starts on day {day}. "
        f"{DURING_EXERCISE} {NO_READING} "
        "Answer with the highest reading during it in mg/dL, a whole number.",
        rationale="Find start and duration of the day's bout, take the readings from start to end, "
        "and pick the highest.",
        example=160,
        answer=partial(during_exercise, of=highest),
    ),
    Task(
        id="pm_29",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC"),
        prototype="lowest during exercise",
        answer_type="number",
        unit="mg/dL",
        streams=("glucose", "exercise"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "What was my lowest value while I exercised on day {day}?",
                "How low did I get during my workout on day {day}?",
            ),
            parent=("How low did my child go while exercising on day {day}?",),
            clinician=(
                "State the minimum glucose during exercise on day {day}.",
                "What was the lowest reading within the exercise bout of day {day}?",
            ),
        ),
        instruction="Find the exercise that starts on day {day}. "
        f"{DURING_EXERCISE} {NO_READING} "
        "Answer with the lowest reading during it in mg/dL, a whole number.",
        rationale="Find start and duration of the day's bout, take the readings from start to end, "
        "and pick the lowest.",
        example=95,
        answer=partial(during_exercise, of=lowest),
    ),
    Task(
        id="pm_30",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC"),
        prototype="lowest after exercise",
        answer_type="number",
        unit="mg/dL",
        streams=("glucose", "exercise"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "How low did I go in the three hours after exercising on day {day}?",
                "What was my lowest value within 3 h after my workout on day {day}?",
            ),
            parent=("How low did my child go within three hours after the exercise of day {day}?",),
            clinician=(
                "State the nadir in the 3 h following exercise on day {day}.",
                "What was the lowest post-exercise reading (3 h) on day {day}?",
            ),
        ),
        instruction="Find the exercise that starts on day {day}. "
        f"{window_after_exercise(LOW_MINUTES)} {NO_READING} "
        "Answer with the lowest reading in that window in mg/dL, a whole number.",
        rationale="Add the duration to the start to find the end, take the readings of the 3 hours "
        "after it, and pick the lowest.",
        example=85,
        answer=partial(after_exercise, window=LOW_MINUTES, of=lowest),
    ),
    Task(
        id="pm_31",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC"),
        prototype="rate during exercise",
        answer_type="signed",
        unit="mg/dL/min",
        decimals=2,
        streams=("glucose", "exercise"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "How fast did my glucose change over my exercise on day {day}?",
                "At what average rate did I rise or fall during the workout on day {day}?",
            ),
            parent=(
                "How fast did my child's glucose move from the start to the end of exercise on day "
                "{day}?",
            ),
            clinician=(
                "Give the mean rate of glucose change over the exercise of day {day}.",
                "Day {day}: at what mean rate did glucose change from before the bout to its end?",
            ),
        ),
        instruction="Find the exercise that starts on day {day}; it ends at its start plus its "
        f"duration. {baseline_before('exercise')} The end value is the first reading at or after "
        f"the end of the exercise. {NO_READING} "
        + signed_answer(
            "the end value minus the baseline, divided by the minutes between these two readings",
            "mg/dL/min",
            2,
        ),
        rationale="Find the last reading before the bout and the first one from its end on; divide "
        "their difference by the minutes between them.",
        example=-0.75,
        answer=exercise_rate,
    ),
    Task(
        id="pm_33",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC"),
        prototype="mean after exercise",
        answer_type="number",
        unit="mg/dL",
        decimals=1,
        streams=("glucose", "exercise"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "What was my average glucose in the hour after exercise on day {day}?",
                "On day {day}, how high was I on average during the first hour after my workout?",
            ),
            parent=("What did my child average in the hour after exercising on day {day}?",),
            clinician=(
                "Give the mean glucose of the first hour after exercise on day {day}.",
                "Day {day}: mean of the readings in the 60 min following the bout?",
            ),
        ),
        instruction="Find the exercise that starts on day {day}. "
        f"{window_after_exercise(MEAN_MINUTES)} {NO_READING} "
        + number_answer("the arithmetic mean of the readings in that window", "mg/dL", 1),
        rationale="Add the duration to the start to find the end, take the 12 samples of the hour "
        "after it, and average those that exist.",
        example=120.5,
        answer=partial(after_exercise, window=MEAN_MINUTES, of=mean),
    ),
    Task(
        id="pm_34",
        revision=1,
        type="process_mining",
        level="memory",
        path=("ER", "TR", "QC"),
        prototype="mean during exercise",
        answer_type="number",
        unit="mg/dL",
        decimals=1,
        streams=("glucose", "exercise"),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "What was my average glucose while I exercised on day {day}?",
                "How high was I on average during the workout of day {day}?",
            ),
            parent=("What did my child's glucose average during exercise on day {day}?",),
            clinician=(
                "Give the mean glucose during exercise on day {day}.",
                "Day {day}: what is the mean of the readings within the exercise bout?",
            ),
        ),
        instruction="Find the exercise that starts on day {day}. "
        f"{DURING_EXERCISE} {NO_READING} "
        + number_answer("the arithmetic mean of the readings during it", "mg/dL", 1),
        rationale="Find start and duration of the day's bout, take the readings from start to end, "
        "and average those that exist.",
        example=130.5,
        answer=partial(during_exercise, of=mean),
    ),
)
