"""All tasks in declared order."""

import difflib
from collections.abc import Mapping
from types import MappingProxyType

from generators.questions.anomaly_detection import descriptive as ad_descriptive
from generators.questions.anomaly_detection import memory_comparison as ad_memory_comparison
from generators.questions.anomaly_detection import memory_glucose as ad_memory_glucose
from generators.questions.anomaly_detection import pattern_attacks as ad_pattern_attacks
from generators.questions.anomaly_detection import pattern_bias as ad_pattern_bias
from generators.questions.anomaly_detection import pattern_glucose as ad_pattern_glucose
from generators.questions.anomaly_detection import pattern_insulin as ad_pattern_insulin
from generators.questions.anomaly_detection import pattern_sensor as ad_pattern_sensor
from generators.questions.anomaly_detection import pattern_sensor_events as ad_pattern_sensor_events
from generators.questions.anomaly_detection import (
    pattern_sensor_windows as ad_pattern_sensor_windows,
)
from generators.questions.prediction import day_ahead as pd_day_ahead
from generators.questions.prediction import exercise as pd_exercise
from generators.questions.prediction import glucose_ahead as pd_glucose_ahead
from generators.questions.prediction import insulin as pd_insulin
from generators.questions.prediction import meals as pd_meals
from generators.questions.process_mining import descriptive as pm_descriptive
from generators.questions.process_mining import descriptive_events as pm_descriptive_events
from generators.questions.process_mining import memory_exercise as pm_memory_exercise
from generators.questions.process_mining import memory_insulin as pm_memory_insulin
from generators.questions.process_mining import memory_meals as pm_memory_meals
from generators.questions.process_mining import memory_recovery as pm_memory_recovery
from generators.questions.process_mining import memory_weeks as pm_memory_weeks
from generators.questions.process_mining import memory_windows as pm_memory_windows
from generators.questions.task import Task, TaskError

_MODULES = (
    pm_descriptive,
    pm_descriptive_events,
    pm_memory_windows,
    pm_memory_weeks,
    pm_memory_meals,
    pm_memory_exercise,
    pm_memory_recovery,
    pm_memory_insulin,
    ad_descriptive,
    ad_memory_glucose,
    ad_memory_comparison,
    ad_pattern_glucose,
    ad_pattern_sensor,
    ad_pattern_bias,
    ad_pattern_sensor_windows,
    ad_pattern_sensor_events,
    ad_pattern_insulin,
    ad_pattern_attacks,
    pd_glucose_ahead,
    pd_day_ahead,
    pd_insulin,
    pd_meals,
    pd_exercise,
)


def _registered() -> Mapping[str, Task]:
    tasks: dict[str, Task] = {}
    for module in _MODULES:
        for declared in module.TASKS:
            if declared.id in tasks:
                raise TaskError(f"the task {declared.id} is declared twice")
            tasks[declared.id] = declared
    return MappingProxyType(tasks)


TASKS: Mapping[str, Task] = _registered()
"""The tasks by id."""


def task(task_id: str) -> Task:
    """Return a task.

    Raises:
        TaskError: There is no task of that id.
    """
    if task_id not in TASKS:
        near = difflib.get_close_matches(task_id, TASKS, n=3, cutoff=0.4)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        raise TaskError(f"there is no task {task_id!r}{hint}")
    return TASKS[task_id]
