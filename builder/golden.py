"""Hashes of every task's rows in a small build: a change that moves rows cannot pass unseen."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from builder.generate import Plan, simulated, tasks_of
from builder.schema import Config
from eval_tasks.canonical import canonical_rows
from generators.questions.registry import TASKS

GOLDEN_SEED = 1
GOLDEN_PATIENTS = ("adolescent_001", "adult_001", "child_008")
_CONFIGS: tuple[Config, ...] = ("simulated", "fault_injected")


class Golden(BaseModel):
    """A task's revision and the SHA-256 of its canonical rows in the small build."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    revision: int
    sha256: str


_FILE = TypeAdapter(dict[str, Golden])


def computed() -> dict[str, Golden]:
    """Return the hashes as the code makes them now."""
    digests: dict[str, hashlib._Hash] = defaultdict(hashlib.sha256)
    for config in _CONFIGS:
        plan = Plan(
            config=config,
            release="golden",
            seed=GOLDEN_SEED,
            task_ids=tasks_of(config, ()),
            patient_ids=GOLDEN_PATIENTS,
        )
        table = simulated(plan, workers=1, progress=lambda _what, _done, _total: None).full
        for task_id, row in zip(
            table.column("task_id").to_pylist(), canonical_rows(table), strict=True
        ):
            digests[task_id].update(row + b"\n")
    return {
        task.id: Golden(revision=task.revision, sha256=digests[task.id].hexdigest())
        for task in TASKS.values()
    }


def read_golden(path: Path) -> dict[str, Golden]:
    """Read the committed hashes."""
    return _FILE.validate_json(path.read_text(encoding="utf-8"))


def write_golden(path: Path, golden: Mapping[str, Golden]) -> None:
    """Write hashes to be committed."""
    text = _FILE.dump_json(dict(golden), indent=2).decode()
    path.write_text(text + "\n", encoding="utf-8")


def moved(former: Mapping[str, Golden], now: Mapping[str, Golden]) -> dict[str, str]:
    """Return what differs, in words, by task."""
    differences = {}
    for task_id in sorted(former.keys() | now.keys()):
        old, new = former.get(task_id), now.get(task_id)
        if old is None or new is None:
            differences[task_id] = "is new" if old is None else "is gone"
        elif old.sha256 != new.sha256 and old.revision == new.revision:
            differences[task_id] = f"has other rows under the same revision {new.revision}"
        elif old != new:
            differences[task_id] = f"went from revision {old.revision} to {new.revision}"
    return differences
