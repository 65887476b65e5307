"""Questions that the record answers: which rule, and its parameters, from the instruction's text.

The rules are those of `eval_tasks.solver`, which the build compares with every gold answer. What is
new is that nothing but the text says which one applies: a pattern for each task, whose named groups
are the parameters.
"""

import re
from collections.abc import Mapping
from typing import Any

from eval_tasks.solver import SOLVERS
from eval_tasks.solver.record import Record

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CLOCK = re.compile(r"(\d\d):(\d\d)")
_DAY, _WEEK, _OTHER = r"day (?P<day>\d+)", r"week (?P<week>\d+)", r"week (?P<other_week>\d+)"
_BOUT = rf"Find the exercise that starts on {_DAY}.*"
_HYPO, _HYPER = "episode of hypoglycaemia starts.*", "episode of hyperglycaemia starts.*"

PATTERNS: Mapping[str, str] = {
    "pm_0": r"Use every reading of the record.*Answer with the arithmetic mean of the readings",
    "pm_1": r"Use every reading of the record.*Answer with the highest reading in mg/dL",
    "pm_2": r"Use every reading of the record.*Answer with the lowest reading in mg/dL",
    "pm_3": r"Answer with the time of the highest reading",
    "pm_4": r"Answer with the time in range in hours",
    "pm_5": r"Answer with the time above range in hours",
    "pm_6": r"Answer with the time below range in hours",
    "pm_7": rf"{_HYPO}Answer with the number of episodes in the whole record",
    "pm_8": rf"{_HYPER}Answer with the number of episodes in the whole record",
    "pm_9": r"Answer with the SD of the readings",
    "pm_10": r"Answer with the share of readings in range in %",
    "pm_11": r"Answer with the share of readings above range in %",
    "pm_12": r"Answer with the share of readings below range in %",
    "pm_13": rf"Compare each reading of {_DAY} .*faster than (?P<rate>\d+) mg/dL/min",
    "pm_14": rf"Use the readings of (?P<weekday>\w+) of {_WEEK} from (?P<start>[\d:]+) "
    r"\(included\) to (?P<end>[\d:]+) \(not included\)",
    "pm_15": r"list of the days whose CV is below (?P<bound>[\d.]+) %",
    "pm_16": r"of the day whose CV is highest",
    "pm_17": r"of the day whose CV is lowest",
    "pm_18": rf"Compare two parts of the day in {_WEEK}: (?P<part>\w+) \([^)]*\) "
    r"and (?P<other_part>\w+) \(",
    "pm_19": rf"In {_WEEK}, put all readings of Monday to Friday together",
    "pm_21": rf"Find the lunch of {_DAY} .*Answer with the highest reading in that window",
    "pm_22": rf"Find the dinner of {_DAY} ",
    "pm_23": rf"Compare breakfast, lunch and dinner of {_DAY}\.",
    "pm_24": rf"Find the morning snack of {_DAY} ",
    "pm_25": r"Of these dinners keep those of at least (?P<grams>[\d.]+) g",
    "pm_26": rf"Find the breakfast of {_DAY} ",
    "pm_28": rf"{_BOUT}Answer with the highest reading during it",
    "pm_29": rf"{_BOUT}Answer with the lowest reading during it",
    "pm_30": rf"{_BOUT}Answer with the lowest reading in that window",
    "pm_31": rf"{_BOUT}The end value is the first reading at or after the end",
    "pm_32": rf"{_BOUT}Glucose has recovered at the first reading",
    "pm_33": rf"{_BOUT}Answer with the arithmetic mean of the readings in that window",
    "pm_34": rf"{_BOUT}Answer with the arithmetic mean of the readings during it",
    "pm_35": rf"{_BOUT}Answer with the baseline minus the lowest reading",
    "pm_36": rf"{_BOUT}Take the lowest reading in that window",
    "pm_37": r"days on which the CV of the readings in the window is below (?P<bound>[\d.]+) %",
    "pm_38": rf"Count the readings below 70 mg/dL \(70 is not below\) in {_WEEK} and in {_OTHER},",
    "pm_39": rf'Put all readings of a week together.*lower CV: "{_WEEK}" or "{_OTHER}"',
    "pm_40": rf"Subtract that of {_WEEK} from that of {_OTHER}\.",
    "pm_41": rf"days from {_DAY} to day (?P<last_day>\d+), both included",
    "pm_42": r"Answer with the time of the largest bolus of the whole record",
    "pm_43": rf"Use (?P<weekday>\w+) of {_WEEK} from 00:00 to 24:00\.",
    "pm_44": rf"Answer with the time of the largest bolus of {_DAY} ",
    "pm_45": rf"For {_WEEK}, compare the insulin a day of Saturday and Sunday",
    "ad_1": r"The percentage is 100 x the missing samples / all samples of the record",
    "ad_2": r"Report the days on which more than 30 % of them are missing",
    "ad_3": r"Report every stretch of missing readings|While the connection is lost, readings are",
    "ad_7": r"Report the frozen stretches that hold at least 36 repeated samples",
    "ad_17": r"starts latest\. Report that one episode",
    "ad_18": r"report the part that lies between 00:00 \(included\) and 06:00 \(not included\)",
    "ad_19": r"start at or after 00:00 and before 06:00 and last at least 30 min",
    "ad_20": rf"below 54 mg/dL.*Report the episodes that start in {_WEEK}, each whole",
    "ad_21": r"Report every episode of hypoglycaemia that an episode of hyperglycaemia follows",
    "ad_22": r"Answer with how long the last episode lasted",
    "ad_23": rf"report the part that lies on {_DAY},",
    "ad_25": r"how many episodes of hypoglycaemia the whole record holds",
    "ad_26": r"how many episodes of hypoglycaemia belong to the last 7 days",
    "ad_27": r"how many episodes of hyperglycaemia belong to the last 7 days",
    "ad_28": r"episodes that belong to the last 7 days and last at least 240 min",
    "ad_29": r"Answer with the arithmetic mean of their lengths",
    "ad_30": r"Take the lowest reading of that episode .* and the first reading after it",
    "ad_31": r"number of the day \(1 to 30\) that has most of them",
    "ad_32": r"Answer with how long the longest episode lasted",
    "ad_34": rf"Add up the episodes of both kinds of {_WEEK}, and those of {_OTHER}\.",
    "ad_35": r"have hypoglycaemia on days 24 to 30 and have none on days 1 to 23",
    "ad_36": r"Within these windows look for readings above (?P<value>\d+) mg/dL",
    "ad_37": r"Report every three episodes of which the first is hyperglycaemia",
    "ad_41": r"number of the day \(24 to 30\) that has fewest of them",
}
"""By task whose rule applies; tasks with one rule and two wordings stand under the first."""
_NEAR = (
    rf"The meal is the one carbohydrate entry of {_DAY} that starts at most 60 min before or after "
    r"(?P<around>[\d:]+)\..*"
)
UNNAMED: Mapping[str, str] = {
    "pm_21": rf"{_NEAR}Answer with the highest reading in that window",
    "pm_22": rf"{_NEAR}Glucose is back at the first reading",
    "pm_23": rf"Compare three carbohydrate entries of {_DAY}: the one that starts at most 60 min "
    r"before or after (?P<breakfast>[\d:]+), the one at most 60 min from (?P<lunch>[\d:]+), and the "
    r"one at most 60 min from (?P<dinner>[\d:]+)\.",
    "pm_25": r"The record names no dinner.*keep those of at least (?P<grams>[\d.]+) g",
}
"""The same where the record does not name the meals; `pm_26` then asks what `pm_21` does."""
_COMPILED = {task: re.compile(pattern) for task, pattern in PATTERNS.items()}
_COMPILED_UNNAMED = {task: re.compile(pattern) for task, pattern in UNNAMED.items()}


def rule_of(instruction: str) -> tuple[str, dict[str, Any]] | None:
    """Return the task whose rule an instruction describes, and the rule's parameters; or None.

    >>> rule_of("Find the dinner of day 10 among the carbohydrate entries. ...")
    ('pm_22', {'day': 10})
    """
    for task, pattern in _COMPILED_UNNAMED.items():
        if found := pattern.search(instruction):
            return task, {**_values(found), "inferred_meals": None}
    for task, pattern in _COMPILED.items():
        if found := pattern.search(instruction):
            return task, _values(found)
    return None


def exact_answer(task: str, asked: Mapping[str, Any], record: Record) -> object:
    """Return what a task's rule makes of a record."""
    return SOLVERS[task](record, asked)


def _values(found: re.Match[str]) -> dict[str, Any]:
    return {name: _value(text) for name, text in found.groupdict().items()}


def _value(text: str) -> float | str:
    """Return a parameter as a rule wants it: weekdays from 1, clock times in minutes."""
    if text in _WEEKDAYS:
        return _WEEKDAYS.index(text) + 1
    if clock := _CLOCK.fullmatch(text):
        return 60 * int(clock[1]) + int(clock[2])
    if text.isdecimal():
        return int(text)
    return float(text) if text.replace(".", "", 1).isdecimal() else text
