"""Runs lighteval in a process of its own, without network and without stale caches."""

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
from eval_tasks.offline import ENVIRONMENT
from eval_tasks.reference_answers import reference_model
from eval_tasks.release import LOCATION_VARIABLE, Release, downloaded, task_name
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomModel:
    """A custom model of lighteval.

    Attributes:
        name: Its name.
        definition: File with its class.
        most_rows: Rows of each config that it is asked, None for all.
        details: Whether prompt and completion of each row are kept beside the results.
    """

    name: str
    definition: Path
    most_rows: int | None = None
    details: bool = False


def run_reference_model(
    release: Release, model: str, configs: Sequence[str], split: str, output: Path
) -> Run:
    """Evaluate a reference model with lighteval's command line; see `run_custom_model`."""
    definition = _PACKAGE / "reference_models.py"
    custom = CustomModel(name=reference_model(model), definition=definition)
    return run_custom_model(release, custom, configs, split, output)


def run_custom_model(
    release: Release, model: CustomModel, configs: Sequence[str], split: str, output: Path
) -> Run:
    """Evaluate a custom model with lighteval's command line.

    The datasets are prepared and everything else is cached in a temporary folder, so that a release
    that was rebuilt in place is read anew.

    Args:
        release: What to evaluate on.
        model: The model.
        configs: Configs that have the split.
        split: Name of the split.
        output: Folder that lighteval writes its results below.

    Raises:
        EvaluationError: lighteval fails, or scores another number of rows than the manifest says.
    """
    release = downloaded(release, configs)
    names = {config: task_name(config, split) for config in configs}
    arguments = [
        *("custom", model.name, str(model.definition)),
        ",".join(f"{name}|0" for name in names.values()),
        *("--custom-tasks", str(_PACKAGE / "tasks.py"), "--output-dir", str(output.resolve())),
        *([] if model.most_rows is None else ["--max-samples", str(model.most_rows)]),
        *(["--save-details"] if model.details else []),
    ]
    before = set(output.rglob("results_*.json"))
    log = _run(arguments, release)
    written = sorted(set(output.rglob("results_*.json")) - before)
    if not written:
        raise EvaluationError(f"lighteval has written no results to {output}:\n{log[-2000:]}")
    values = json.loads(written[-1].read_text(encoding="utf-8"))["results"]
    reports = {config: nested(values[f"{name}|0"]) for config, name in names.items()}
    for config, report in reports.items():
        listed = release.rows[config][split]
        _check_rows(config, report["n"], min(listed, model.most_rows or listed))
    return Run(reports=reports, results_file=written[-1])


def _check_rows(config: str, scored: int, listed: int) -> None:
    if scored != listed:
        raise EvaluationError(
            f"{config}: {scored} rows were scored, but the manifest lists {listed}; "
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
