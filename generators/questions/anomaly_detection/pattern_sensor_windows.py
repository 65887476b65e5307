"""Anomaly detection, pattern: faults of the sensor on certain days and at certain hours."""

from functools import partial

from generators.questions.anomaly_detection.faults import (
    SPIKES,
    fault_days,
    fault_intervals,
    fault_intervals_in_week,
    fault_intervals_on_day,
)
from generators.questions.anomaly_detection.places import (
    AT_NIGHT,
    IN_LAST_WEEK,
    ON_LAST_WEEKEND,
)
from generators.questions.anomaly_detection.signs import (
    BOTH_SPIKES,
    DOWNWARD_SPIKE,
    FROZEN,
    GAP,
    LAST_7_DAYS,
    NIGHT,
    UNRESPONSIVE,
    UPWARD_SPIKE,
    whole_if_inside,
)
from generators.questions.definitions import DAYS_AND_WEEKS, INTERVAL_ANSWER
from generators.questions.task import Task, voiced
from generators.questions.windows import DAYS, WEEKS

TASKS = (
    Task(
        id="ad_11",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("TR", "PC"),
        prototype="recent loss of sensitivity",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "In the last 7 days, when did my sensor freeze, drop to zero or throw single wild "
                "values?",
                "When did my sensor stop reacting properly during the last 7 days?",
            ),
            parent=("In the last 7 days, when did my child's sensor freeze, drop out or jump?",),
            clinician=(
                "List the signs of lost sensor sensitivity in the last 7 days.",
                "During which periods of the most recent 7 days had the sensor lost its "
                "sensitivity?",
            ),
        ),
        instruction="A sensor that has lost its sensitivity freezes, drops out or spikes. "
        f"{UNRESPONSIVE} {LAST_7_DAYS} {whole_if_inside('on one of these days')} {INTERVAL_ANSWER}",
        rationale="Go through days 24 to 30 and look for runs of one value, for zeros and for lone "
        "outliers.",
        example=[{"start": 34100, "end": 34150}, {"start": 40415, "end": 40416}],
        answer=partial(
            fault_intervals,
            labels=("repeated_reading", "zero_reading", *SPIKES),
            places=(IN_LAST_WEEK,),
        ),
    ),
    Task(
        id="ad_12",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("TR", "PC"),
        prototype="gaps of the last weekend",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When did my sensor lose its connection last weekend?",
                "Over the last weekend, at what times did no sensor values arrive?",
            ),
            parent=("When was my child's sensor offline last weekend?",),
            clinician=(
                "List the communication losses of the last weekend.",
                "Which gaps does the sensor record of the last Saturday and Sunday have?",
            ),
        ),
        instruction=f"{GAP} The last weekend is days 27 (Saturday) and 28 (Sunday). "
        f"{whole_if_inside('on one of these two days')} {INTERVAL_ANSWER}",
        rationale="Go through days 27 and 28 and note each unbroken stretch without a value.",
        example=[{"start": 38100, "end": 38160}],
        answer=partial(fault_intervals, labels=("missing_signal",), places=(ON_LAST_WEEKEND,)),
    ),
    Task(
        id="ad_13",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("TR", "PC"),
        prototype="recent outliers",
        answer_type="intervals",
        streams=("glucose", "insulin", "carbohydrate"),
        wordings=voiced(
            patient=(
                "Which single values of the last 7 days jumped away and were back at once?",
                "When in the last 7 days did my sensor leap up or down for just one value?",
            ),
            parent=("When in the last 7 days did my child's sensor jump for just one value?",),
            clinician=(
                "List the isolated sensor outliers of the last 7 days.",
                "Where in the most recent 7 days does a lone reading leave the trace?",
            ),
        ),
        instruction=f"{BOTH_SPIKES} {LAST_7_DAYS} Report each such sample on these days. "
        f"{INTERVAL_ANSWER}",
        rationale="On days 24 to 30 compare each reading with its two neighbours.",
        example=[{"start": 34100, "end": 34101}, {"start": 40415, "end": 40416}],
        answer=partial(fault_intervals, labels=SPIKES, places=(IN_LAST_WEEK,)),
    ),
    Task(
        id="ad_14",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("TR", "PC"),
        prototype="drops on a day",
        answer_type="intervals",
        streams=("glucose",),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "On day {day}, when did my sensor drop for a single value and recover at once?",
                "Which lone values of day {day}, a {day:weekday_of_day}, plunged for no reason?",
            ),
            parent=("When on day {day} did my child's sensor plunge for one value?",),
            clinician=(
                "List the isolated downward spikes of day {day}.",
                "Where on day {day} does a lone reading fall far below its neighbours?",
            ),
        ),
        instruction=f"{DOWNWARD_SPIKE} "
        "Report each such sample on day {day}, from 00:00 (included) to 24:00 (not included). "
        f"{INTERVAL_ANSWER}",
        rationale="On the stated day compare each reading with its two neighbours and keep lone "
        "ones that lie at least 40 mg/dL below both.",
        example=[{"start": 10100, "end": 10101}, {"start": 10415, "end": 10416}],
        answer=partial(fault_intervals_on_day, labels=("negative_spike",)),
    ),
    Task(
        id="ad_15",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("TR", "PC"),
        prototype="drops in a week",
        answer_type="intervals",
        streams=("glucose",),
        draw={"week": WEEKS},
        wordings=voiced(
            patient=(
                "In week {week}, when did my sensor drop for a single value and recover at once?",
                "Which lone values of week {week} plunged for no reason?",
            ),
            parent=("When in week {week} did my child's sensor plunge for one value?",),
            clinician=(
                "List the isolated downward spikes of week {week}.",
                "Where in week {week} does a lone reading fall far below its neighbours?",
            ),
        ),
        instruction=f"{DAYS_AND_WEEKS} {DOWNWARD_SPIKE} "
        "Report each such sample in week {week}. "
        f"{INTERVAL_ANSWER}",
        rationale="In the stated week compare each reading with its two neighbours and keep lone "
        "ones that lie at least 40 mg/dL below both.",
        example=[{"start": 12100, "end": 12101}, {"start": 16415, "end": 16416}],
        answer=partial(fault_intervals_in_week, labels=("negative_spike",)),
    ),
    Task(
        id="ad_16",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("TR", "PC"),
        prototype="jumps on a morning",
        answer_type="intervals",
        streams=("glucose",),
        draw={"day": DAYS},
        wordings=voiced(
            patient=(
                "On the morning of day {day}, when did my sensor jump up for a single value?",
                "Which lone values between 6 and 12 on day {day} shot up for no reason?",
            ),
            parent=("When on the morning of day {day} did my child's sensor shoot up?",),
            clinician=(
                "List the isolated upward spikes between 06:00 and 12:00 of day {day}.",
                "Where on the morning of day {day} does a lone reading rise far above its "
                "neighbours?",
            ),
        ),
        instruction=f"{UPWARD_SPIKE} "
        "Report each such sample on the morning of day {day}, from 06:00 (included) to 12:00 (not "
        f"included). {INTERVAL_ANSWER}",
        rationale="On the stated morning compare each reading with its two neighbours and keep "
        "lone ones that lie at least 40 mg/dL above both.",
        example=[{"start": 10500, "end": 10501}, {"start": 10615, "end": 10616}],
        answer=partial(fault_intervals_on_day, labels=("positive_spike",), hours=(6, 12)),
    ),
    Task(
        id="ad_38",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PR",),
        prototype="days with jumps at night",
        answer_type="day_list",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "On which days did my sensor shoot up for one value between 1 and 3 at night?",
                "Which days show a single wild high between 01:00 and 03:00?",
            ),
            parent=(
                "On which days did my child's sensor shoot up for one value between 1 and 3 at "
                "night?",
            ),
            clinician=(
                "List the days with an isolated upward spike between 01:00 and 03:00.",
                "On which days does a lone reading rise far above its neighbours between 01:00 "
                "and 03:00?",
            ),
        ),
        instruction=f"{UPWARD_SPIKE} Report the days on which at least one such sample lies "
        "between 01:00 (included) and 03:00 (not included). Answer with the list of these day "
        "numbers (1 to 30) in ascending order. If there is none, answer [].",
        rationale="Look at the two hours from 01:00 on each day for a lone reading that lies at "
        "least 40 mg/dL above both of its neighbours.",
        example=[8, 21],
        answer=partial(fault_days, labels=("positive_spike",), hours=(1, 3)),
    ),
    Task(
        id="ad_40",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("TR", "PC"),
        prototype="flat stretches at night",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When was my sensor stuck on one value during the night?",
                "In which nights did my sensor just keep showing its last number, and when?",
            ),
            parent=("When was my child's sensor stuck on one value at night?",),
            clinician=(
                "List the periods of a frozen sensor that reach into the night (00:00 to 06:00).",
                "Where does the sensor trace flat-line between 00:00 and 06:00?",
            ),
        ),
        instruction=f"{FROZEN} {NIGHT} {whole_if_inside('in a night')} {INTERVAL_ANSWER}",
        rationale="Look for runs of one value with at least 12 repetitions and keep those that "
        "share a sample with the hours from 00:00 to 06:00.",
        example=[{"start": 10100, "end": 10150}, {"start": 23050, "end": 23300}],
        answer=partial(fault_intervals, labels=("repeated_reading",), places=(AT_NIGHT,)),
    ),
    Task(
        id="ad_54",
        revision=1,
        type="anomaly_detection",
        level="pattern",
        path=("PC",),
        prototype="pressure on the sensor",
        answer_type="intervals",
        streams=("glucose",),
        wordings=voiced(
            patient=(
                "When did I seem to lie on my sensor at night, so that it dropped for one value?",
                "Which single drops between midnight and six came from pressure on my sensor?",
            ),
            parent=("When at night did my child's sensor drop for one value, as if lain upon?",),
            clinician=(
                "List the nocturnal pressure artefacts (lone drops between 00:00 and 06:00).",
                "Where does a lone reading fall far below its neighbours while the patient sleeps "
                "(00:00 to 06:00)?",
            ),
        ),
        instruction="Pressure on the sensor shows as a downward spike at night. "
        f"{DOWNWARD_SPIKE} {NIGHT} Report each such sample at night. {INTERVAL_ANSWER}",
        rationale="Between 00:00 and 06:00 compare each reading with its two neighbours and keep "
        "lone ones that lie at least 40 mg/dL below both.",
        example=[{"start": 10100, "end": 10101}, {"start": 23105, "end": 23106}],
        answer=partial(fault_intervals, labels=("negative_spike",), places=(AT_NIGHT,)),
    ),
)
