"""Process mining, memory: weeks, and parts of days and weeks, compared."""

from generators.questions.comparisons import (
    fewer_lows,
    more_variable_part,
    range_change,
    steadier_part_of_week,
    steadier_week,
)
from generators.questions.definitions import (
    DAYS_AND_WEEKS,
    NO_READING,
    STANDARD_DEVIATION,
    VARIATION,
)
from generators.questions.task import Task, voiced
from generators.questions.windows import DAY_PARTS, WEEKS

TASKS = (
    Task(
        id="pm_18",
        revision=1,
        type="process_mining",
        level="memory",
        path=("TR", "QC", "CA"),
        prototype="more variable part of the day",
        answer_type="category",
        options=tuple(DAY_PARTS),
        streams=("glucose",),
        draw={"week": WEEKS, "part": tuple(DAY_PARTS), "other_part": tuple(DAY_PARTS)},
        wordings=voiced(
            patient=(
                "In week {week}, did my glucose vary more in the {part} or in the {other_part}?",
                "Was I less stable in the {part} or in the {other_part} during week {week}?",
            ),
            parent=(
                "In week {week}, was my child's glucose more up and down in the {part} or in the "
                "{other_part}?",
            ),
            clinician=(
                "Week {week}: which shows the greater glucose variability, {part} or {other_part}?",
                "Compare the daily glucose SD of {part} and {other_part} in week {week}: which is "
                "larger on average?",
            ),
        ),
        instruction=DAYS_AND_WEEKS
        + " Compare two parts of the day in week {week}: {part:day_part} and "
        "{other_part:day_part}, each from its start (included) to its end (not included). "
        "For each of the 7 days take the standard deviation of the readings in that part, then "
        "take the mean of the 7 values. "
        f"{STANDARD_DEVIATION} {NO_READING} "
        'Answer with the part that has the larger mean: "{part}" or "{other_part}".',
        rationale="For both parts compute the SD on each of the week's 7 days, average the 7 SDs, "
        "and compare the two averages.",
        example="<night|morning|afternoon|evening>",
        answer=more_variable_part,
    ),
    Task(
        id="pm_19",
        revision=1,
        type="process_mining",
        level="memory",
        path=("TR", "QC", "CA"),
        prototype="weekdays against weekend",
        answer_type="category",
        options=("weekdays", "weekend"),
        streams=("glucose",),
        draw={"week": WEEKS},
        wordings=voiced(
            patient=(
                "In week {week}, was my glucose steadier on the weekdays or at the weekend, by CV?",
                "When was my CV lower in week {week}: Monday to Friday, or Saturday and Sunday?",
            ),
            parent=(
                "Was my child's glucose in week {week} steadier on school days (Monday to Friday) "
                "or at the weekend, going by the CV?",
            ),
            clinician=(
                "Week {week}: is the glucose CV lower on weekdays or at the weekend?",
                "Compare glucose CV on weekdays and at the weekend of week {week}: which is lower?",
            ),
        ),
        instruction=DAYS_AND_WEEKS
        + " In week {week}, put all readings of Monday to Friday together, and all readings of "
        "Saturday and Sunday, and compute one CV for each of the two. "
        f"{VARIATION} {NO_READING} "
        'Answer with the part of the week that has the lower CV: "weekdays" or "weekend".',
        rationale="Pool the readings of the five weekdays and those of the two weekend days, "
        "compute the CV of each pool, and compare.",
        example="<weekdays|weekend>",
        answer=steadier_part_of_week,
    ),
    Task(
        id="pm_38",
        revision=1,
        type="process_mining",
        level="memory",
        path=("TR", "QC", "CA"),
        prototype="low readings by week",
        answer_type="category",
        options=("yes", "no"),
        streams=("glucose",),
        draw={"week": WEEKS, "other_week": WEEKS},
        wordings=voiced(
            patient=(
                "Did I have fewer readings below 70 in week {week} than in week {other_week}?",
                "Was I low less often in week {week} than in week {other_week}, by the number of "
                "readings under 70?",
            ),
            parent=(
                "Did my child have fewer readings under 70 in week {week} than in week "
                "{other_week}?",
            ),
            clinician=(
                "Is the number of readings below 70 mg/dL smaller in week {week} than in week "
                "{other_week}?",
                "Weeks {week} and {other_week}: does week {week} hold fewer readings < 70 mg/dL?",
            ),
        ),
        instruction=DAYS_AND_WEEKS
        + " Count the readings below 70 mg/dL (70 is not below) in week {week} and in week "
        "{other_week}, every sample by itself, not episodes. "
        f"{NO_READING} "
        'Answer "yes" if week {week} has fewer of them than week {other_week}, else "no".',
        rationale="Count the readings below 70 mg/dL in each of the two weeks and compare.",
        example="<yes|no>",
        answer=fewer_lows,
    ),
    Task(
        id="pm_39",
        revision=1,
        type="process_mining",
        level="memory",
        path=("TR", "QC", "CA"),
        prototype="steadier week",
        answer_type="category",
        options=tuple(f"week {week}" for week in WEEKS),
        streams=("glucose",),
        draw={"week": WEEKS, "other_week": WEEKS},
        wordings=voiced(
            patient=(
                "Was my glucose steadier in week {week} or in week {other_week}, by its CV?",
                "Which of weeks {week} and {other_week} had my lower coefficient of variation?",
            ),
            parent=(
                "In which week did my child's glucose vary less, week {week} or week "
                "{other_week}, going by the CV?",
            ),
            clinician=(
                "Which of weeks {week} and {other_week} has the lower glucose CV?",
                "Compare week {week} with week {other_week}: which shows less variability (CV)?",
            ),
        ),
        instruction=DAYS_AND_WEEKS
        + f" Put all readings of a week together and compute its CV. {VARIATION} {NO_READING} "
        'Answer with the week that has the lower CV: "week {week}" or "week {other_week}".',
        rationale="Compute SD, mean and CV of all readings of each of the two weeks and take the "
        "week with the lower CV.",
        example="<week 1|week 2|week 3|week 4>",
        answer=steadier_week,
    ),
    Task(
        id="pm_40",
        revision=1,
        type="process_mining",
        level="memory",
        path=("TR", "QC", "CA"),
        prototype="change of time in range",
        answer_type="category",
        options=("increased", "decreased", "no change"),
        streams=("glucose",),
        draw={"week": WEEKS, "other_week": WEEKS},
        wordings=voiced(
            patient=(
                "How did my time in range change from week {week} to week {other_week}?",
                "Comparing week {other_week} with week {week} before it, did my time in range go "
                "up, go down or stay about the same?",
            ),
            parent=(
                "From week {week} to week {other_week}, did my child's time in range get better, "
                "worse or neither?",
            ),
            clinician=(
                "How did TIR (70 to 180 mg/dL) develop from week {week} to week {other_week}?",
                "Classify the change in time in range from week {week} to week {other_week}.",
            ),
        ),
        instruction=DAYS_AND_WEEKS
        + " Time in range of a week is the percentage of its readings that lie in 70 to 180 mg/dL, "
        f"both included. {NO_READING} "
        "Subtract that of week {week} from that of week {other_week}. If the difference is "
        'smaller than 5 percentage points, up or down, answer "no change"; otherwise answer '
        '"increased" if it is positive and "decreased" if it is negative.',
        rationale="Compute time in range of both weeks, subtract the earlier from the later, and "
        "compare the difference with 5 points.",
        example="<increased|decreased|no change>",
        answer=range_change,
    ),
)
