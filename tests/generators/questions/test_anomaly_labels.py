"""Which injected faults each anomaly task asks for, label by label, and which tasks agree."""

from functools import partial
from itertools import combinations

import pytest

from generators.questions.anomaly_detection.same_answer import SAME_ANSWER
from generators.questions.registry import TASKS
from generators.questions.task import Given, NotApplicable, Task
from generators.trace import FAULT_LABELS, FaultLabel, Trace
from tests.generators.questions.hand_made import at, bout, fault, flat, meal

SPIKES = "positive_spike negative_spike"
BIASES = "positive_bias negative_bias"
WORN = f"repeated_reading zero_reading {SPIKES}"
VALUES = f"{WORN} {BIASES} min_reading max_reading repeated_episode"
BASAL = "positive_basal negative_basal max_basal min_basal"

ASKED: dict[str, str] = {
    "ad_4": "negative_spike",
    "ad_5": f"missing_signal {VALUES}",
    "ad_6": "repeated_reading",
    "ad_7": "repeated_reading",
    "ad_8": WORN,
    "ad_9": BIASES,
    "ad_10": SPIKES,
    "ad_11": WORN,
    "ad_12": "missing_signal",
    "ad_13": SPIKES,
    "ad_14": "negative_spike",
    "ad_15": "negative_spike",
    "ad_16": "positive_spike",
    "ad_24": "positive_spike",
    "ad_33": "negative_spike",
    "ad_38": "positive_spike",
    "ad_39": f"missing_signal {VALUES}",
    "ad_40": "repeated_reading",
    "ad_42": "zero_reading negative_bias min_reading repeated_reading negative_spike",
    "ad_44": "false_meal",
    "ad_45": "repeated_episode repeated_reading false_bolus",
    "ad_46": "positive_basal max_basal false_bolus",
    "ad_47": BIASES,
    "ad_48": f"false_bolus {BASAL}",
    "ad_50": "max_reading",
    "ad_51": VALUES,
    "ad_52": f"{BASAL} unknown_stop unknown_under",
    "ad_53": BIASES,
    "ad_54": "negative_spike",
    "ad_55": SPIKES,
    "ad_56": "repeated_reading zero_reading",
    "ad_57": "negative_bias",
    "ad_58": "min_basal unknown_stop",
    "ad_59": "unknown_stop",
    "ad_60": "min_basal negative_basal unknown_under",
    "ad_61": "unknown_under",
    "ad_62": "unknown_stop",
    "ad_63": "unknown_stop",
    "ad_64": "unknown_under",
}
"""The contract, task by task."""


def faulty(label: FaultLabel) -> Trace:
    """A fault from 00:00 to 13:00 of day 27 (a weekend), after lunch, during exercise, all low."""
    trace = meal(bout(flat(60), at(27, "12:30"), 30), at(27, "12:00"), "lunch")
    return fault(trace, label, at(27, "00:00") // 5, at(27, "13:00") // 5)


def given_of(task: Task) -> Given:
    return {name: {"day": 27, "week": 4}[name] for name in task.draw}


@pytest.mark.parametrize("label", FAULT_LABELS)
@pytest.mark.parametrize("task_id", ASKED)
def test_task_asks_for_its_labels_and_no_others(task_id: str, label: FaultLabel) -> None:
    task = TASKS[task_id]
    answer = task.answered(faulty(label), given_of(task))
    if label in ASKED[task_id].split():
        assert answer == ([27] if task_id == "ad_38" else answer)
        assert not isinstance(answer, NotApplicable)
        assert answer
    else:
        assert isinstance(answer, NotApplicable)


def rule_of(task: Task) -> tuple[object, ...]:
    """What computes a task's answer."""
    answer = task.answer
    if isinstance(answer, partial):
        return answer.func, tuple(sorted(answer.keywords.items()))
    return (answer,)


def test_tasks_that_share_a_rule_are_named_and_no_others() -> None:
    anomalies = [task for task in TASKS.values() if task.type == "anomaly_detection"]
    shared = {
        frozenset((one.id, other.id))
        for one, other in combinations(anomalies, 2)
        if rule_of(one) == rule_of(other)
    }
    named = {frozenset(pair) for group in SAME_ANSWER for pair in combinations(group, 2)}
    assert shared == named
