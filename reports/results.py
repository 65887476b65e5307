"""What lighteval's own results say of runs whose single answers were not saved."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from eval_tasks.forms import DEFAULT_FORM
from eval_tasks.release import Release, folder_revision
from eval_tasks.summary import LEVELS, TASK_TYPES
from reports.answers import Answers, system_name
from reports.errors import ReportError
from reports.measures import OVERALL
from reports.submission import Run, runs_below
from reports.traces import AGENT

_NUMBERS = ("score", "score_stderr", "skill", "skill_stderr", "parse_failures")
_KEYS = ["model", "config", "split", "style", "days"]


def read_results(sources: Sequence[Path], answers: Answers) -> pd.DataFrame:
    """Return scores as lighteval's results below folders state them.

    Runs whose answers are at hand are left out: their scores are computed from these. Of several
    runs of one model in one form the last counts.

    Args:
        sources: Folders with `results_*.json` somewhere below.
        answers: What is known row by row.

    Returns:
        A line a system, portion (config), form and group (overall, task type or level) that has
        rows: n, score and skill with the standard errors that the run states, the share that could
        not be read, and whether the run was limited. Empty if there are none.

    Raises:
        ReportError: A results file is broken, or a run is on another release.
    """
    known = set(answers.rows[_KEYS].itertuples(index=False, name=None)) if len(answers.rows) else ()
    runs = [run for source in sources if source.is_dir() for run in runs_below(source)]
    last = {_key(run): run for run in sorted(runs, key=lambda run: (run.time, str(run.file)))}
    lines = [
        line
        for key, run in sorted(last.items())
        if key not in known
        for line in _lines(run, answers.release)
    ]
    return pd.DataFrame(lines)


def default_form(stated: pd.DataFrame) -> pd.DataFrame:
    """Return the overall lines of runs in the form whose answers are the main ones."""
    plain = (stated["style"] == DEFAULT_FORM.style) & (stated["days"] == DEFAULT_FORM.days)
    return stated[(plain | (stated["style"] == AGENT)) & (stated["group"] == OVERALL)]


def _key(run: Run) -> tuple[str, str, str, str, int]:
    task = run.task
    return run.model.strip("/"), task.config, task.split, run.style, task.days


def _lines(run: Run, release: Release) -> Iterator[dict[str, Any]]:
    _check_release(run, release)
    model, config, split, style, days = _key(run)
    about: dict[str, Any] = {
        "portion": config,
        "split": split,
        "system": system_name(model, agent=run.agent),
    }
    about |= {"style": style, "days": days, "limited": run.limited}
    for group in (OVERALL, *TASK_TYPES, *LEVELS):
        suffix = "" if group == OVERALL else f"_{group}"
        count = run.claimed.get(f"n{suffix}", 0.0)
        if count:
            numbers = {name: run.claimed.get(_named(name, suffix)) for name in _NUMBERS}
            yield about | {"group": group, "n": int(count)} | numbers


def _named(name: str, suffix: str) -> str:
    """Return the name of a number of a group: `score_stderr` is `score_memory_stderr` there."""
    measured, error = name.removesuffix("_stderr"), name.endswith("_stderr")
    return f"{measured}{suffix}{'_stderr' if error else ''}"


def _check_release(run: Run, release: Release) -> None:
    known = {release.revision, folder_revision(release.version, release.content_sha256)}
    if run.about.hf_revision not in known:
        raise ReportError(
            f"{run.file}: the run is on {run.about.hf_revision}, not on release {release.version} "
            f"of {release.repo}; name the release that was evaluated with --release"
        )
