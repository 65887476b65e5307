from pathlib import Path

from generators.questions.reference import declaration, in_order
from generators.questions.registry import TASKS

REFERENCE = Path(__file__).resolve().parents[3] / "docs" / "tasks.md"
MEND = "docs/tasks.md is stale: build a release and run scripts/task_reference.py on it"


def test_reference_holds_every_declaration_as_it_is() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    for task in TASKS.values():
        assert declaration(task) in text, f"{task.id}: {MEND}"


def test_reference_holds_nothing_else_and_is_in_order() -> None:
    lines = REFERENCE.read_text(encoding="utf-8").splitlines()
    named = [line[4:].partition(":")[0] for line in lines if line.startswith("### ")]
    assert named == [task.id for task in sorted(TASKS.values(), key=in_order)], MEND
