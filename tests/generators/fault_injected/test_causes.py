from collections import Counter

from generators.fault_injected.causes import CAUSES, cause_table, causes_of
from generators.fault_injected.slots import RELEASE_SLOTS
from generators.questions.registry import TASKS
from generators.trace import FAULT_LABELS


def test_there_are_six_malfunctions_and_six_attacks() -> None:
    assert Counter(cause.kind for cause in CAUSES.values()) == {
        "malfunction": 6,
        "attack": 6,
        "pump failure": 3,
    }


def test_every_label_has_a_cause_and_every_cause_a_slot_of_the_release() -> None:
    assert all(causes_of(label) for label in FAULT_LABELS)
    slots = {(slot.label, cause) for slot in RELEASE_SLOTS for cause in slot.causes}
    assert slots == {(label, cause.name) for cause in CAUSES.values() for label in cause.labels}


def test_the_tasks_that_ask_for_a_cause_exist() -> None:
    assert {task for cause in CAUSES.values() for task in cause.tasks} <= set(TASKS)


def test_the_table_has_a_row_for_each_cause() -> None:
    rows = cause_table().splitlines()
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows[2:]] == list(CAUSES)
    assert len({row.count("|") for row in rows}) == 1
