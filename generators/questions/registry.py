"""All tasks in declared order."""

import difflib
from collections.abc import Mapping
from types import MappingProxyType

from generators.questions.anomaly_detection import descriptive as ad_descriptive
from generators.questions.anomaly_detection import memory as ad_memory
from generators.questions.anomaly_detection import pattern as ad_pattern
from generators.questions.prediction import pattern as pd_pattern
from generators.questions.process_mining import descriptive as pm_descriptive
from generators.questions.process_mining import memory as pm_memory
from generators.questions.task import Task, TaskError

_MODULES = (pm_descriptive, pm_memory, ad_descriptive, ad_memory, ad_pattern, pd_pattern)


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
