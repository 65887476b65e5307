"""How long a report on many models takes; a part of `scripts/benchmark.py`."""

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from eval_tasks.question import LONGEVITY
from eval_tasks.release import Release
from reports.rehearsal import REQUIREMENTS, MadeUp, questions, write_details, write_verdicts
from reports.report import EXPLORER

_REPORTER = """
import json, resource, sys
from pathlib import Path
from eval_tasks.release import read_folder
from reports.report import Request, write_report
from reports.trust import JudgeTrust
source, release, output = map(Path, sys.argv[1:])
written = write_report(Request(sources=[source], release=read_folder(release), output=output,
    trusting=lambda record: JudgeTrust(judge="made-up judge")))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
told = {"answers": written.answers, "verdicts": written.verdicts, "peak_mib": peak}
(output.parent / "told.json").write_text(json.dumps(told))
"""
"""Reports in a process of its own; made-up judges are believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTime:
    """How long a report takes.

    Attributes:
        answers: Answers that it is on.
        verdicts: Verdicts on advice that it is on.
        seconds: By the clock, from a process's start to its end.
        peak_mib: Most memory that the process took.
        explorer_mib: Size of the explorer page.
    """

    answers: int
    verdicts: int
    seconds: float
    peak_mib: float
    explorer_mib: float


def time_report(release: Release, models: int, verdicts: int, folder: Path) -> ReportTime:
    """Write made-up results and time a report on them in a process of its own."""
    made_up = [
        MadeUp(name=f"model-{place}", chance=(place + 1) / (models + 1), text="word " * 300)
        for place in range(models)
    ]
    asked = {
        name: questions(release, name) for name, parts in release.rows.items() if "test" in parts
    }
    cases = asked.get(LONGEVITY, [])
    each = max(models * len(cases) * len(REQUIREMENTS), 1)
    for model in made_up:
        home = folder / "results" / model.name
        for config, rows in asked.items():
            write_details(home, model, config, rows)
        if cases and verdicts:
            write_verdicts(home, model, cases, replicates=-(-verdicts // each))
    output = folder / "report"
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", _REPORTER, str(folder / "results"), release.repo, str(output)],
        check=True,
        cwd=Path(__file__).resolve().parent.parent,
    )
    seconds = time.perf_counter() - start
    told = json.loads((folder / "told.json").read_text(encoding="utf-8"))
    size = (output / EXPLORER).stat().st_size
    return ReportTime(**told, seconds=seconds, explorer_mib=size / 2**20)
