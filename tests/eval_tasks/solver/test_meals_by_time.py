"""Meals told by their time: whatever was eaten, both computations find the same entries."""

import json
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.rows import context_of
from eval_tasks.solver import solve
from generators.questions.instances import Instance, first_instance
from generators.questions.registry import TASKS
from generators.questions.task import Recorded
from generators.real_world.meals import with_inferred_meals
from generators.trace import CarbEvent, MealType
from tests.generators.questions.hand_made import flat

BY_TIME = ("pm_21", "pm_22", "pm_23", "pm_25", "pm_26")
WAVE = (140 + 60 * np.sin(np.arange(30 * 288) / 9.7)).astype(np.int16)
GRAMS = st.sampled_from([5.0, 19.9, 20.0, 30.0, 40.0, 45.0, 60.0, 61.5, 90.0])
Kind = st.SearchStrategy[MealType]
Entry = st.SearchStrategy[CarbEvent]
UNNAMED: Kind = st.just("unspecified")
OTHERS: Kind = st.sampled_from(["unspecified", "rescue", "late_snack"])


def eaten(day: int, first: int, last: int, kind: Kind) -> Entry:
    """Carbohydrate at any time between two hours of a day."""
    minutes = st.integers(12 * first, 12 * last - 1).map(lambda at: 1440 * (day - 1) + 5 * at)
    return st.builds(CarbEvent, minute=minutes, grams=GRAMS, meal=kind)


def day_of_meals(
    day: int,
) -> st.SearchStrategy[tuple[CarbEvent, CarbEvent, CarbEvent, list[CarbEvent]]]:
    """Three meals, and sometimes something else."""
    return st.tuples(
        eaten(day, 6, 9, UNNAMED),
        eaten(day, 11, 14, UNNAMED),
        eaten(day, 17, 22, UNNAMED),
        st.lists(eaten(day, 0, 24, OTHERS), max_size=1),
    )


ENTRIES = st.tuples(*(day_of_meals(day) for day in range(1, 7))).map(
    lambda days: [one for *meals, others in days for one in (*meals, *others)]
)


@settings(max_examples=40, deadline=None)
@given(entries=ENTRIES, seed=st.integers(0, 99))
def test_both_computations_agree(entries: list[CarbEvent], seed: int) -> None:
    in_order = tuple(sorted(entries, key=lambda one: one.minute))
    trace = with_inferred_meals(replace(flat(), cgm=WAVE, carbs=in_order))
    context = context_of(trace)[0].as_py()
    for task_id in BY_TIME:
        instance = first_instance(TASKS[task_id], Recorded(trace=trace), seed)
        if isinstance(instance, Instance):
            parameters = json.dumps(instance.parameters)
            row = {"task_id": task_id, "parameters": parameters, "input_context": context}
            assert "inferred_meals" in parameters
            assert solve(row) == instance.answer
