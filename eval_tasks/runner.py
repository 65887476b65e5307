"""Runs lighteval in a process of its own, without network and without stale caches."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval_tasks.errors import EvaluationError
from eval_tasks.forms import DEFAULT_FORM, Form, task_name
from eval_tasks.horizons import shown_part
from eval_tasks.offline import ENVIRONMENT, NO_LIGHTEVAL
from eval_tasks.question import LONGEVITY
from eval_tasks.reference_answers import reference_model
from eval_tasks.release import LOCATION_VARIABLE, Release, downloaded
from eval_tasks.summary import nested

_PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one run of a model gave.

    Attributes:
        reports: By config, the object that `summary.nested` documents.
        results_file: lighteval's own results.
    """

    reports: dict[str, Any]
    results_file: Path


def run_reference_model(
    release: Release,
    model: str,
    configs: Sequence[str],
    split: str,
    output: Path,
    form: Form = DEFAULT_FORM,
) -> Run:
    """Evaluate a reference model with lighteval's command line.

    The datasets are prepared and everything else is cached in a temporary folder, so that a release
    that was rebuilt in place is read anew.

    Args:
        release: What to evaluate on.
        model: Name of a reference model.
        configs: Configs that have the split.
        split: Name of the split.
        output: Folder that lighteval writes its results below.
        form: How questions about records are asked.

    Raises:
        EvaluationError: lighteval is not installed or fails, a row is not the one that the manifest
            lists, no question of a config can be asked over so few days, or another number of rows
            is scored than there are to ask.
    """
    if importlib.util.find_spec("lighteval") is None:
        raise EvaluationError(NO_LIGHTEVAL)
    release = downloaded(release, configs)
    asked = {config: _asked(release, config, split, form) for config in configs}
    names = {config: task_name(config, split, form) for config in configs}
    arguments = [
        *("custom", reference_model(model), str(_PACKAGE / "reference_models.py")),
        ",".join(f"{name}|0" for name in names.values()),
        *("--custom-tasks", str(_PACKAGE / "tasks.py"), "--output-dir", str(output.resolve())),
    ]
    before = set(output.rglob("results_*.json"))
    log = _run(arguments, release)
    written = sorted(set(output.rglob("results_*.json")) - before)
    if not written:
        raise EvaluationError(f"lighteval has written no results to {output}:\n{log[-2000:]}")
    values = json.loads(written[-1].read_text(encoding="utf-8"))["results"]
    reports = {config: nested(values[f"{name}|0"]) for config, name in names.items()}
    for config, report in reports.items():
        _check_rows(config, report["n"], asked[config])
    return Run(reports=reports, results_file=written[-1])


def _asked(release: Release, config: str, split: str, form: Form) -> int:
    """Return how many rows of a split are asked, after checking them against the manifest."""
    if config == LONGEVITY and form != DEFAULT_FORM:
        raise EvaluationError(f"{LONGEVITY} has no records, so that its prompts have one form only")
    release.check(config, split)
    if form.days == 30:
        return release.rows[config][split]
    asked = sum(shown_part(row, form.days) is not None for row in release.read(config, split))
    if not asked:
        raise EvaluationError(
            f"{config}/{split}: no question can be answered from {form.days} days; "
            "leave the config out or ask over more days"
        )
    return asked


def _check_rows(config: str, scored: int, asked: int) -> None:
    if scored != asked:
        raise EvaluationError(
            f"{config}: {scored} rows were scored, but there are {asked} to ask; "
            "validate the release"
        )


def _run(arguments: Sequence[str], release: Release) -> str:
    """Return what lighteval logs."""
    with tempfile.TemporaryDirectory(prefix="healthloopqa-") as scratch:
        done = subprocess.run(
            [sys.executable, "-m", "eval_tasks.offline", *arguments],
            env=_environment(release, scratch),
            cwd=scratch,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        raise EvaluationError(f"lighteval stopped: {_last_line(done.stdout)}")
    return done.stdout


def _environment(release: Release, scratch: str) -> dict[str, str]:
    paths = [str(_PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        **ENVIRONMENT,
        LOCATION_VARIABLE: release.repo,
        "PYTHONPATH": os.pathsep.join(paths),
        "COLUMNS": "1000",
        "HOME": scratch,
        "HF_HOME": scratch,
        "HF_DATASETS_CACHE": str(Path(scratch) / "datasets"),
    }


def _last_line(log: str) -> str:
    lines = [line.strip(" │╭╰─╮╯") for line in log.splitlines()]
    return next((line for line in reversed(lines) if line), "no message")
