"""Process mining, descriptive: statistics of all readings of the record."""

from functools import partial

from generators.questions.definitions import (
    EVERY_READING,
    HOURS_OF_READINGS,
    SHARE_OF_READINGS,
    STANDARD_DEVIATION,
    number_answer,
)
from generators.questions.glucose import (
    count_above,
    count_below,
    count_in_range,
    highest,
    hours,
    in_record,
    lowest,
    mean,
    percentage,
    standard_deviation,
)
from generators.questions.task import Task, voiced

TASKS = (
    Task(
        id="pm_0",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="mean glucose",
        answer_type="number",
        unit="mg/dL",
        decimals=1,
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How high was my glucose on average over this month?",
                "My meter app wants my average sugar for these 30 days. What is it?",
            ),
            parent=("What did my child's glucose average over the whole record?",),
            clinician=(
                "Report this patient's mean sensor glucose.",
                "For the monthly summary I need the arithmetic mean of all sensor readings.",
            ),
        ),
        instruction=f"{EVERY_READING} "
        + number_answer("the arithmetic mean of the readings", "mg/dL", 1),
        rationale="Add up all readings that exist and divide by how many there are.",
        example=140.5,
        answer=partial(in_record, of=mean),
    ),
    Task(
        id="pm_1",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="highest glucose",
        answer_type="number",
        unit="mg/dL",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "What was the highest value my sensor showed in these 30 days?",
                "How high did I get at my very worst this month?",
            ),
            parent=("What is the highest glucose my child reached in this record?",),
            clinician=(
                "State the maximum sensor glucose of the recording.",
                "What is the peak reading over the 30 days?",
            ),
        ),
        instruction=f"{EVERY_READING} Answer with the highest reading in mg/dL, a whole number.",
        rationale="Go through all readings that exist and keep the largest.",
        example=310,
        answer=partial(in_record, of=highest),
    ),
    Task(
        id="pm_2",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="lowest glucose",
        answer_type="number",
        unit="mg/dL",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "What was the lowest value my sensor showed in these 30 days?",
                "How far down did I go at my lowest point this month?",
            ),
            parent=("What is the lowest glucose my child had in this record?",),
            clinician=(
                "State the minimum sensor glucose of the recording.",
                "What is the nadir over the 30 days?",
            ),
        ),
        instruction=f"{EVERY_READING} Answer with the lowest reading in mg/dL, a whole number.",
        rationale="Go through all readings that exist, zeros left out, and keep the smallest.",
        example=55,
        answer=partial(in_record, of=lowest),
    ),
    Task(
        id="pm_9",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="glucose variability",
        answer_type="number",
        unit="mg/dL",
        decimals=1,
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How much did my glucose swing this month, as a standard deviation?",
                "What is the standard deviation of my readings over the 30 days?",
            ),
            parent=("What is the standard deviation of my child's glucose over the month?",),
            clinician=(
                "Report the standard deviation of sensor glucose.",
                "Give the SD of all sensor readings of this patient.",
            ),
        ),
        instruction=f"{EVERY_READING} {STANDARD_DEVIATION} "
        + number_answer("the SD of the readings", "mg/dL", 1),
        rationale="Take the mean, sum the squared distances of all readings from it, divide by "
        "their number less one, and take the square root.",
        example=42.5,
        answer=partial(in_record, of=standard_deviation),
    ),
    Task(
        id="pm_4",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="hours in range",
        answer_type="number",
        unit="h",
        decimals=1,
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How many hours was I in range over this month?",
                "Added up over the 30 days, for how many hours was my sugar where it should be?",
            ),
            parent=("For how many hours was my child's glucose in range in this record?",),
            clinician=(
                "How many hours of the record did the patient spend in the target range?",
                "Give the time in range, 70 to 180 mg/dL, in hours.",
            ),
        ),
        instruction=f"{EVERY_READING} In range is 70 to 180 mg/dL, both included. "
        f"{HOURS_OF_READINGS} " + number_answer("the time in range", "hours", 1),
        rationale="Count the readings from 70 to 180 mg/dL and divide by 12 readings an hour.",
        example=500.5,
        answer=partial(in_record, of=partial(hours, count=count_in_range)),
    ),
    Task(
        id="pm_5",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="hours above range",
        answer_type="number",
        unit="h",
        decimals=1,
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How many hours did I spend above 180 this month?",
                "For how many hours in all was I too high over these 30 days?",
            ),
            parent=("How many hours was my child above 180 mg/dL in this record?",),
            clinician=(
                "Give the time above range (> 180 mg/dL) in hours.",
                "How many hours of hyperglycaemia, counted reading by reading, does the record "
                "hold?",
            ),
        ),
        instruction=f"{EVERY_READING} Above range is higher than 180 mg/dL (180 itself is not). "
        f"{HOURS_OF_READINGS} " + number_answer("the time above range", "hours", 1),
        rationale="Count the readings above 180 mg/dL and divide by 12 readings an hour.",
        example=150.5,
        answer=partial(in_record, of=partial(hours, count=count_above)),
    ),
    Task(
        id="pm_6",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="hours below range",
        answer_type="number",
        unit="h",
        decimals=1,
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "How many hours did I spend below 70 this month?",
                "If you add up all the time I was too low, how many hours is that?",
            ),
            parent=("How many hours was my child below 70 mg/dL in this record?",),
            clinician=(
                "Give the time below range (< 70 mg/dL) in hours.",
                "How many hours of low readings did the patient accumulate?",
            ),
        ),
        instruction=f"{EVERY_READING} Below range is lower than 70 mg/dL (70 itself is not). "
        f"{HOURS_OF_READINGS} " + number_answer("the time below range", "hours", 1),
        rationale="Count the readings below 70 mg/dL and divide by 12 readings an hour.",
        example=10.5,
        answer=partial(in_record, of=partial(hours, count=count_below)),
    ),
    Task(
        id="pm_10",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="time in range",
        answer_type="number",
        unit="%",
        decimals=1,
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "What percentage of the time was I in range this month?",
                "What is my TIR for these 30 days?",
            ),
            parent=("What share of the time was my child in range, in percent?",),
            clinician=(
                "Report time in range (70 to 180 mg/dL) as a percentage.",
                "What proportion of readings lies within the target range?",
            ),
        ),
        instruction=f"{EVERY_READING} In range is 70 to 180 mg/dL, both included. "
        f"{SHARE_OF_READINGS} " + number_answer("the share of readings in range", "%", 1),
        rationale="Count the readings from 70 to 180 mg/dL and divide by all readings that exist.",
        example=70.5,
        answer=partial(in_record, of=partial(percentage, count=count_in_range)),
    ),
    Task(
        id="pm_11",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="time above range",
        answer_type="number",
        unit="%",
        decimals=1,
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "What percentage of my readings was above 180?",
                "How much of this month was I high, in percent?",
            ),
            parent=("What percentage of the time was my child too high?",),
            clinician=(
                "Report time above range (> 180 mg/dL) as a percentage.",
                "What proportion of readings exceeds 180 mg/dL?",
            ),
        ),
        instruction=f"{EVERY_READING} Above range is higher than 180 mg/dL (180 itself is not). "
        f"{SHARE_OF_READINGS} " + number_answer("the share of readings above range", "%", 1),
        rationale="Count the readings above 180 mg/dL and divide by all readings that exist.",
        example=25.5,
        answer=partial(in_record, of=partial(percentage, count=count_above)),
    ),
    Task(
        id="pm_12",
        revision=1,
        type="process_mining",
        level="descriptive",
        path=("QC",),
        prototype="time below range",
        answer_type="number",
        unit="%",
        decimals=1,
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "What percentage of my readings was below 70?",
                "How much of this month was I low, in percent?",
            ),
            parent=("What percentage of the time was my child too low?",),
            clinician=(
                "Report time below range (< 70 mg/dL) as a percentage.",
                "What proportion of readings lies under 70 mg/dL?",
            ),
        ),
        instruction=f"{EVERY_READING} Below range is lower than 70 mg/dL (70 itself is not). "
        f"{SHARE_OF_READINGS} " + number_answer("the share of readings below range", "%", 1),
        rationale="Count the readings below 70 mg/dL and divide by all readings that exist.",
        example=3.5,
        answer=partial(in_record, of=partial(percentage, count=count_below)),
    ),
)
