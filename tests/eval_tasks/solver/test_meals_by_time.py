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
from generators.trace import CarbEvent
from tests.generators.questions.hand_made import flat

BY_TIME = ("pm_21", "pm_22", "pm_23", "pm_25", "pm_26")
WAVE = (140 + 60 * np.sin(np.arange(30 * 288) / 9.7)).astype(np.int16)
ENTRIES = st.lists(
    st.builds(
        CarbEvent,
        minute=st.integers(0, 4 * 288 - 1).map(lambda sample: 5 * sample),
        grams=st.sampled_from([5, 19.9, 20, 30, 40, 45, 60, 61.5, 90]),
        meal=st.sampled_from(["unspecified", "unspecified", "unspecified", "rescue", "late_snack"]),
    ),
    min_size=3,
    max_size=30,
)


@settings(max_examples=40, deadline=None)
@given(entries=ENTRIES, seed=st.integers(0, 99))
def test_both_computations_agree(entries: list[CarbEvent], seed: int) -> None:
    eaten = tuple(sorted(entries, key=lambda one: one.minute))
    trace = with_inferred_meals(replace(flat(), cgm=WAVE, carbs=eaten))
    context = context_of(trace)[0].as_py()
    for task_id in BY_TIME:
        instance = first_instance(TASKS[task_id], Recorded(trace=trace), seed)
        if isinstance(instance, Instance):
            parameters = json.dumps(instance.parameters)
            row = {"task_id": task_id, "parameters": parameters, "input_context": context}
            assert "inferred_meals" in parameters
            assert solve(row) == instance.answer
