"""Sentences that several instructions share, so that a definition is worded once.

They are parts of templates: a literal brace is doubled.
"""

NO_READING = "A missing reading and a reading of 0 (a sensor fault) count as no reading."

DAYS_AND_WEEKS = (
    "Day 1 is a Monday; week 1 is days 1 to 7, week 2 days 8 to 14, week 3 days 15 to 21, "
    "week 4 days 22 to 28."
)

HYPOGLYCAEMIA_EPISODE = (
    "An episode of hypoglycaemia starts with at least 3 readings in a row below 70 mg/dL (70 is "
    "not below) and ends before the first 3 readings in a row of 70 mg/dL or more. It lasts from "
    "its first to its last reading below 70 mg/dL. Missing stretches of up to 15 min (3 samples) "
    "are skipped as if they were not there; a longer one ends an episode, and a row of readings "
    "does not reach across it. " + NO_READING
)

INTERVAL_ANSWER = (
    'Answer with a list of intervals {{"start": s, "end": e}} in time order, in whole minutes from '
    "the start of the record (00:00 on day 1 is minute 0): s is the minute of the first sample "
    "and e the minute of the last sample of the stretch; a single sample at minute m is "
    '{{"start": m, "end": m + 1}}. Stretches that follow each other without a sample between them '
    "are one interval. If there is none, answer []."
)

HYPERGLYCAEMIA_EPISODE = (
    "An episode of hyperglycaemia starts with at least 3 readings in a row above 180 mg/dL (180 is "
    "not above) and ends before the first 3 readings in a row of 180 mg/dL or less. It lasts from "
    "its first to its last reading above 180 mg/dL. Missing stretches of up to 15 min (3 samples) "
    "are skipped as if they were not there; a longer one ends an episode, and a row of readings "
    "does not reach across it. " + NO_READING
)

EVERY_READING = "Use every reading of the record. " + NO_READING

HOURS_OF_READINGS = (
    "Each reading counts for 5 min, so hours are the number of readings x 5 / 60; time without a "
    "reading counts nothing."
)

SHARE_OF_READINGS = "The share in percent is 100 x these readings / all readings of the record."

STANDARD_DEVIATION = "The standard deviation (SD) is that of a sample (divisor n - 1)."

VARIATION = (
    "The coefficient of variation (CV) in percent is 100 x SD / mean, with the standard deviation "
    "(SD) of a sample (divisor n - 1)."
)

WHOLE_DAYS = (
    "Look at each day from 00:00 to 24:00 by itself, and leave out days on which fewer than 70 % "
    "of the 288 samples have a reading."
)

MINUTE_OF_RECORD = "in whole minutes from the start of the record (00:00 on day 1 is minute 0)"

TOTAL_INSULIN = (
    "The insulin series holds all insulin that was reported, basal, boluses and injections "
    "together, as the mean rate in mU/min over each 5-minute sample: a sample adds 5 x its value / "
    "1000 U. Do not add the list of boluses and injections to it. A sample whose insulin is "
    "unknown adds nothing."
)

INSULIN_A_DAY = (
    "Leave out days on which insulin is known for fewer than 95 % of the 288 samples. The insulin "
    "a day is the total of the days that remain, divided by their number."
)

LARGEST_BOLUS = (
    "Add up the entries of type meal_bolus, correction_bolus, automatic_correction and "
    "unspecified_bolus at one and the same minute: their sum is one bolus. Entries of type basal "
    "and long_acting are no bolus. "
    "If several boluses are equally large, take the earliest."
)

DURING_EXERCISE = (
    "The exercise ends at its start plus its duration. During it means from its start up to its "
    "end, both included."
)


def window_after(event: str, minutes: int) -> str:
    """Return the sentence that says which readings lie in the window after the start of an event."""
    return (
        f"The window after a {event} that starts at minute t holds the readings later than t and "
        f"up to and including t + {minutes} min."
    )


def window_after_exercise(minutes: int) -> str:
    """Return the sentences that say which readings lie in the window after exercise."""
    return (
        "The exercise ends at its start plus its duration, minute e. The window after it holds the "
        f"readings later than e and up to and including e + {minutes} min."
    )


def baseline_before(event: str) -> str:
    """Return the sentence that defines the baseline of an event."""
    return (
        f"The baseline of the {event} is the last reading at or before its start that is at most "
        "15 min old."
    )


def number_answer(what: str, unit: str, decimals: int) -> str:
    """Return the sentence that says what number to give, in which unit, and how to round it."""
    digits = ("a whole number", "one decimal", "two decimals")[decimals]
    return f"Answer with {what} in {unit}, rounded half up to {digits}."


def signed_answer(what: str, unit: str, decimals: int) -> str:
    """Return the same for a number that may be negative."""
    digits = ("a whole number", "one decimal", "two decimals")[decimals]
    return (
        f"Answer with {what} in {unit}, with its sign (negative for a fall), rounded half away from "
        f"zero to {digits}."
    )


SEVERE_HYPOGLYCAEMIA_EPISODE = HYPOGLYCAEMIA_EPISODE.replace("70", "54")

EPISODE_LENGTH = (
    "An episode of n samples from its first to its last, skipped ones included, lasts 5 x n min."
)
