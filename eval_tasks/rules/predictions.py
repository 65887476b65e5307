"""Predictions by persistence and habit; what is added, by what the same did before.

Each rule belongs to a sentence of the instruction. None knows physiology: glucose goes on from the
last reading towards what is usual at that time of day, meals, bouts and corrections act as they did
on other days of the record.
"""

import re
from collections.abc import Callable, Mapping

import numpy as np

from eval_tasks.question import MINUTES_PER_DAY
from eval_tasks.rules.habits import Habits, Series, habits_of, steepest
from eval_tasks.rules.prompt import Prompt

Answer = float | int | str
Rule = Callable[[Habits, Prompt], Answer]
_CORRECTIONS = ("correction_bolus", "automatic_correction")
_LOW, _HIGH = 70, 180
_RISE_PER_GRAM = 1.2
"""mg/dL in the first hour or two after a gram without bolus, where the record tells nothing."""
_FALL_OF_EXERCISE = -30.0
_QUOTED = re.compile(r'Answer "([^"]+)" or "([^"]+)"')
_GRAMS = re.compile(r"of ([\d.]+) g of carbohydrate")
_UNITS = re.compile(r"correction bolus of ([\d.]+) U")
_CLOCK = re.compile(r"At (\d\d):(\d\d) tomorrow")
_WEEK = re.compile(r"more insulin a day than week (\d)")


def predict(prompt: Prompt) -> Answer | None:
    """Return what habit predicts, None where no rule knows the question."""
    for sentence, rule in RULES.items():
        if sentence in prompt.instruction:
            return rule(habits_of(prompt.shown), prompt)
    return None


def _yes(answer: object) -> str:
    return "yes" if answer else "no"


def _mostly(found: list[bool]) -> str:
    """Return yes if it was so on at least half of the days."""
    return _yes(found and 2 * sum(found) >= len(found))


def _number(pattern: re.Pattern[str], text: str) -> float:
    found = pattern.search(text)
    return float(found[1]) if found else 0.0


def _two(prompt: Prompt) -> tuple[str, str]:
    found = _QUOTED.search(prompt.instruction)
    return (found[1], found[2]) if found else (prompt.options[0], prompt.options[-1])


def _highest_part(habits: Habits, prompt: Prompt) -> Answer:
    def mean(part: str) -> float:
        first, end = (60 * int(hour) for hour in part.split("-"))
        means = [float(np.nanmean(window)) for window in habits.days(first, end - first)]
        return float(np.mean(means)) if means else 0.0

    return max(_two(prompt), key=mean)


def _in_half_an_hour(habits: Habits, _: Prompt) -> Answer:
    slope = np.nan_to_num(habits.last - habits.glucose[-4]) if len(habits.glucose) > 4 else 0.0
    return round(float(np.clip(habits.last + slope, 40, 400)))


def _insulin_tomorrow(habits: Habits, _: Prompt) -> Answer:
    totals = list(habits.insulin_by_day().values())
    return round(float(np.mean(totals)), 1) if totals else 40.0


def _above_after_snack(habits: Habits, prompt: Prompt) -> Answer:
    return _yes(habits.last + _RISE_PER_GRAM * _number(_GRAMS, prompt.added) > _HIGH)


def _share_in_range(habits: Habits, _: Prompt) -> Answer:
    known = habits.glucose[~np.isnan(habits.glucose)]
    return round(float(100 * np.mean((known >= _LOW) & (known <= _HIGH))), 1)


def _low_after_exercise(habits: Habits, _: Prompt) -> Answer:
    change = habits.change((start, start + 60) for start, _ in habits.bouts(cycling=False))
    return _yes(habits.last + (_FALL_OF_EXERCISE if change is None else change) < _LOW)


def _after_breakfast(habits: Habits, _: Prompt) -> Answer:
    times = [event["time"] for event in habits.carbs if event["meal_type"] == "breakfast"]
    change = habits.change((time, time + 60) for time in times)
    return round(habits.last + (40 if change is None else change))


def _after_bout(habits: Habits, prompt: Prompt) -> Answer:
    cycling = "ride a bicycle" in prompt.added
    change = habits.change((end, end + 60) for _, end in habits.bouts(cycling=cycling))
    return round(-10 if change is None else change)


def _run_or_ride(habits: Habits, _: Prompt) -> Answer:
    def change(*, cycling: bool) -> float:
        bouts = habits.bouts(cycling=cycling)
        found = habits.change((start, end + 60) for start, end in bouts)
        return _FALL_OF_EXERCISE if found is None else found

    return "ride" if change(cycling=True) < change(cycling=False) else "run"


def _in_range_until_midnight(habits: Habits, _: Prompt) -> Answer:
    course = habits.expected_course(0, MINUTES_PER_DAY - habits.now % MINUTES_PER_DAY)
    return _yes(((course >= _LOW + 10) & (course <= _HIGH - 10)).all())


def _steepest_rise(_: Habits, prompt: Prompt) -> Answer:
    found = _CLOCK.search(prompt.added)
    return 60 * int(found[1]) + int(found[2]) + 10 if found else 780


def _today_above_tomorrow(habits: Habits, _: Prompt) -> Answer:
    return _yes(np.nanmean(habits.glucose[-288:]) > np.nanmean(habits.glucose))


def _correction(habits: Habits, _: Prompt) -> Answer:
    times = [event["time"] for event in habits.doses if event["insulin_type"] in _CORRECTIONS]
    days = range(1, habits.now // MINUTES_PER_DAY + 1)
    windows = [habits.now - day * MINUTES_PER_DAY for day in days]
    seen = [any(t <= time < t + 120 for time in times) for t in windows if t >= habits.start]
    return "yes" if habits.last > _HIGH and times else _mostly(seen)


def _large_move(habits: Habits, _: Prompt) -> Answer:
    windows = habits.days(habits.now % MINUTES_PER_DAY, 240)
    return _mostly([bool(np.nanmax(np.abs(window - window[0])) > 60) for window in _begun(windows)])


def _begun(windows: list[Series]) -> list[Series]:
    return [window for window in windows if not np.isnan(window[0])]


def _snack_needed(habits: Habits, _: Prompt) -> Answer:
    to_midnight = -habits.now % MINUTES_PER_DAY
    return _yes(habits.expected_course(to_midnight, to_midnight + 360).min() < _LOW + 10)


def _steeper_window(habits: Habits, prompt: Prompt) -> Answer:
    def rise(window: str) -> float:
        first, end = (60 * int(hour) for hour in window.split("-"))
        rises = [steepest(found)[0] for found in habits.days(first, end - first)]
        return float(np.mean(rises)) if rises else 0.0

    return max(_two(prompt), key=rise)


def _more_insulin(habits: Habits, prompt: Prompt) -> Answer:
    week, totals = int(_number(_WEEK, prompt.instruction)), habits.insulin_by_day()
    named = [total for day, total in totals.items() if (day + 6) // 7 == week]
    usual = list(totals.values())
    return "more" if named and np.mean(usual) > np.mean(named) else "less"


def _drop(habits: Habits, prompt: Prompt) -> Answer:
    expected = habits.last - habits.expected(120)
    effect = prompt.profile.get("Correction factor", 0.0) * _number(_UNITS, prompt.added)
    return round(expected + 0.6 * effect)


def _hours_in_range(habits: Habits, _: Prompt) -> Answer:
    counts = [
        sum(
            bool(((hour >= _LOW) & (hour <= _HIGH) | np.isnan(hour)).all())
            for hour in np.split(night, 6)
        )
        for night in habits.days(0, 360)
    ]
    return round(float(np.median(counts))) if counts else 3


RULES: Mapping[str, Rule] = {
    "Compare two quarters of tomorrow": _highest_part,
    "exactly 30 min from now": _in_half_an_hour,
    "Predict the total insulin of the Monday": _insulin_tomorrow,
    "300 min from now": _above_after_snack,
    "The share in percent": _share_in_range,
    "up to and including 90 min from now": _low_after_exercise,
    "exactly 60 min from now": _after_breakfast,
    "The run ends": _after_bout,
    "The ride ends": _after_bout,
    "Compare the reading exactly 60 min after the end of the run": _run_or_ride,
    "not including the coming midnight": _in_range_until_midnight,
    "tomorrow's steepest 30-min rise starts": _steepest_rise,
    "Compare the mean of today's readings": _today_above_tomorrow,
    "A correction is an entry of type": _correction,
    "The present level is the last reading shown": _large_move,
    "if without the snack": _snack_needed,
    "Compare the largest 30-min rise": _steeper_window,
    'Answer "more" if the coming week has more insulin': _more_insulin,
    "The drop is the last reading shown": _drop,
    "An hour counts if every reading": _hours_in_range,
}
"""Rules by a sentence that only their question's instruction has."""
