"""Time, memory and bytes of scaled cohorts: what `scripts/benchmark.py scale` tells."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_BUILD = """
import json, resource, sys, time
from pathlib import Path
from builder.release import Request
from builder.release_config import load_release_config
from builder.scaled import build_scaled
from eval_tasks.version import RELEASE_VERSION

if __name__ == "__main__":
    output, patients, workers, *tasks = sys.argv[1:]
    declared = load_release_config(RELEASE_VERSION)
    request = Request(
        declared=declared,
        seed=declared.seed,
        output=Path(output),
        task_ids=tuple(tasks),
        patients=int(patients),
        workers=int(workers),
    )
    start = time.perf_counter()
    report = build_scaled(request, lambda *_: None)
    wall = time.perf_counter() - start
    parent = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({
        "patients": int(patients),
        "rows": sum(split.rows for split in report.splits if split.config != "traces"),
        "files": sum(
            len(part.files)
            for entry in report.manifest.configs.values()
            for part in entry.splits.values()
        ),
        "bytes": sum(split.bytes for split in report.splits),
        "wall_s": wall,
        "parent_cpu_s": parent.ru_utime + parent.ru_stime,
        "workers_cpu_s": children.ru_utime + children.ru_stime,
        "parent_peak_bytes": parent.ru_maxrss * 1024,
        "worker_peak_bytes": children.ru_maxrss * 1024,
        "content_sha256": report.manifest.content_sha256,
    }))
"""
"""Builds a cohort and tells what it took; run in a process of its own, since peaks never fall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """What a cohort took.

    Attributes:
        patients: Its size.
        rows: Questions.
        files: Parquet files.
        bytes: Their size, traces included.
        wall_s: Time by the clock, checks included.
        parent_cpu_s: Processor time of the process that writes.
        workers_cpu_s: Processor time of the workers together.
        parent_peak_bytes: Most memory that the process held which writes.
        worker_peak_bytes: Most memory that a worker held.
        content_sha256: Digest of all rows.
    """

    patients: int
    rows: int
    files: int
    bytes: int
    wall_s: float
    parent_cpu_s: float
    workers_cpu_s: float
    parent_peak_bytes: int
    worker_peak_bytes: int
    content_sha256: str


def timed(patients: int, workers: int, task_ids: Sequence[str]) -> Scale:
    """Build a cohort in a new process and return what it took.

    Args:
        patients: Its size.
        workers: Processes.
        task_ids: Tasks to ask; all if empty.
    """
    root = Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory(prefix="healthloopqa-") as scratch:
        program = Path(scratch) / "build.py"
        program.write_text(_BUILD, encoding="utf-8")
        output = str(Path(scratch) / "cohort")
        done = subprocess.run(
            [sys.executable, str(program), output, str(patients), str(workers), *task_ids],
            check=True,
            env={**os.environ, "PYTHONPATH": str(root)},
            stdout=subprocess.PIPE,
            text=True,
        )
    return Scale(**json.loads(done.stdout))
