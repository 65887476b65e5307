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

POST_MEAL_WINDOW = (
    "The window after a meal that starts at minute t holds the readings later than t and up to "
    "and including t + 180 min."
)

BASELINE = (
    "The baseline of a meal is the last reading at or before its start that is at most 15 min old."
)


def number_answer(what: str, unit: str, decimals: int) -> str:
    """Return the sentence that says what number to give, in which unit, and how to round it."""
    digits = ("a whole number", "one decimal", "two decimals")[decimals]
    return f"Answer with {what} in {unit}, rounded half up to {digits}."
