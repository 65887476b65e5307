"""How long the predictions take with their ensembles: what `scripts/benchmark.py predictions` tells."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

_PREDICTIONS = """
import hashlib, json, resource, sys, time
from builder.generate import Plan, simulated
from generators.questions.registry import TASKS
from generators.simulated.cohort import PATIENT_IDS, simulate
simulate(PATIENT_IDS[0], seed=1, days=1)
patients, workers, seed = map(int, sys.argv[1:])
plan = Plan(
    config="simulated",
    release="0.0.0",
    seed=seed,
    task_ids=tuple(task.id for task in TASKS.values() if task.prediction),
    patient_ids=PATIENT_IDS[:patients],
)
start = time.perf_counter()
rows = simulated(plan, workers=workers, progress=lambda *_: None).full
wall = time.perf_counter() - start
who = resource.RUSAGE_CHILDREN if workers > 1 else resource.RUSAGE_SELF
used = resource.getrusage(who)
text = json.dumps(rows.drop_columns(["input_context"]).to_pylist(), sort_keys=True)
print(json.dumps({
    "rows": len(rows),
    "wall_s": wall,
    "cpu_s": used.ru_utime + used.ru_stime,
    "sha256": hashlib.sha256(text.encode()).hexdigest(),
}))
"""
"""Asks the predictions of so many patients; run in a process of its own, in any checkout."""


class Stage(TypedDict):
    """The predictions of some patients: how many rows, how long it took, what came out.

    The wall time covers the simulation of the patients, the questions and the start of the
    processes; the processor time is that of all of them.
    """

    rows: int
    wall_s: float
    cpu_s: float
    sha256: str


def timed(root: Path, patients: int, workers: int, seed: int) -> Stage:
    """Run the predictions in a new process of a checkout."""
    command = [sys.executable, "-c", _PREDICTIONS, *map(str, (patients, workers, seed))]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        command, check=True, env=environment, cwd=root, capture_output=True, text=True
    )
    found: Stage = json.loads(done.stdout)
    return found
