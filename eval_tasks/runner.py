"""Runs lighteval in a process of its own, without stale caches."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval_tasks.endpoint import Endpoint
from eval_tasks.errors import EvaluationError
from eval_tasks.forms import DEFAULT_FORM, Form, task_name
from eval_tasks.horizons import shown_part
from eval_tasks.offline import ENVIRONMENT, NO_LIGHTEVAL
from eval_tasks.parent import PARENT_VARIABLE
from eval_tasks.privacy import ALLOW_VARIABLE
from eval_tasks.question import LONGEVITY
from eval_tasks.reference_answers import reference_model
from eval_tasks.release import LOCATION_VARIABLE, Release, downloaded
from eval_tasks.summary import nested

ENDPOINT_VARIABLE = "HEALTHLOOPQA_ENDPOINT"
"""Environment variable that describes the endpoint to `endpoint_model.py`."""
STORE_VARIABLE = "HEALTHLOOPQA_STORE"
"""Environment variable that names the folder of its answers."""
PROGRESS_VARIABLE = "HEALTHLOOPQA_PROGRESS"
"""Environment variable that makes `endpoint_model.py` tell on standard error how far it is."""
PROGRESS_LINE = "healthloopqa-progress {task} {done} {total}"
"""How it does."""
_PROGRESS = re.compile(r"healthloopqa-progress (\S+) (\d+) (\d+)$")
Told = Callable[[str, int, int], None]
"""Called with a task's name, how many of its rows are answered, and how many there are."""
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
class Definition:
    """A lighteval custom model.

    Attributes:
        name: Name of the model.
        path: File that defines it.
        limit: Rows of each task; all if None.
        details: Whether prompt and completion of each row are kept beside the results.
        environment: Environment variables that it reads.
    """

    name: str
    path: Path
    limit: int | None = None
    details: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked: split, and form of the questions about records."""

    split: str
    form: Form = DEFAULT_FORM


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
    release = downloaded(release, configs)
    names = {config: task_name(config, split, form) for config in configs}
    return run_tasks(
        release, reference_definition(model), names, Asked(split=split, form=form), output
    )


def reference_definition(model: str, limit: int | None = None) -> Definition:
    """Return a reference model for `run_tasks`.

    Raises:
        UnknownNameError: There is none of that name.
    """
    return Definition(
        name=reference_model(model), path=_PACKAGE / "reference_models.py", limit=limit
    )


def endpoint_definition(endpoint: Endpoint, output: Path, limit: int | None = None) -> Definition:
    """Return the model behind an endpoint for `run_tasks`.

    Its answers are kept below `answers/<model>-<hash>` in the output folder, the hash telling URL and
    settings apart, and a rerun goes on from them. Whether private rows may be sent to it is for the
    caller to ask first (`privacy.refuse_private`).
    """
    store = output.resolve() / "answers" / endpoint.label
    return Definition(
        name=endpoint.model,
        path=_PACKAGE / "endpoint_model.py",
        limit=limit,
        environment={
            ENDPOINT_VARIABLE: endpoint.model_dump_json(),
            STORE_VARIABLE: str(store),
            PROGRESS_VARIABLE: "1",
            ALLOW_VARIABLE: "1",
        },
    )


def run_tasks(
    release: Release,
    definition: Definition,
    names: Mapping[str, str],
    asked: Asked,
    output: Path,
    told: Told = lambda _task, _done, _total: None,
) -> Run:
    """Evaluate a lighteval custom model, every cache but the model's own in a temporary folder.

    Args:
        release: What to evaluate on; a folder.
        definition: The model.
        names: lighteval tasks by the name under which to report them. Where that is a config, the
            rows are checked against the manifest, and their number against the results.
        asked: What these configs are asked.
        output: Folder that lighteval writes its results below.
        told: Told how far a model behind an endpoint is.

    Raises:
        EvaluationError: lighteval is not installed or fails, a row is not the one that the manifest
            lists, no question of a config can be asked over so few days, the output folder cannot
            be made, or another number of rows is scored than there are to ask.
    """
    if importlib.util.find_spec("lighteval") is None:
        raise EvaluationError(NO_LIGHTEVAL)
    counts = {
        config: _asked(release, config, asked.split, asked.form)
        for config in names
        if config in release.rows
    }
    arguments = [
        *("custom", definition.name, str(definition.path)),
        ",".join(f"{name}|0" for name in names.values()),
        *("--custom-tasks", str(_PACKAGE / "tasks.py"), "--output-dir", str(output.resolve())),
        *(() if definition.limit is None else ("--max-samples", str(definition.limit))),
        *(("--save-details",) if definition.details else ()),
    ]
    _make(output)
    before = set(output.rglob("results_*.json"))
    log = _run(arguments, release, definition.environment, told)
    written = sorted(set(output.rglob("results_*.json")) - before)
    if not written:
        raise EvaluationError(f"lighteval has written no results to {output}:\n{log[-2000:]}")
    values = json.loads(written[-1].read_text(encoding="utf-8"))["results"]
    reports = {label: nested(values[f"{name}|0"]) for label, name in names.items()}
    for config, count in counts.items():
        _check_rows(config, reports[config]["n"], min(count, definition.limit or count))
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


def _make(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EvaluationError(
            f"cannot make the folder {output} ({error.strerror}); give another output folder"
        ) from error


def _run(arguments: Sequence[str], release: Release, extra: Mapping[str, str], told: Told) -> str:
    """Return what lighteval logs. It ends with this process, however this one ends."""
    with (
        tempfile.TemporaryDirectory(prefix="healthloopqa-") as scratch,
        subprocess.Popen(
            [sys.executable, "-m", "eval_tasks.offline", *arguments],
            env={**_environment(release, scratch), **extra},
            cwd=scratch,
            text=True,
            errors="backslashreplace",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            log = "".join(_without_progress(process.stdout or (), told))
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise EvaluationError(f"lighteval stopped: {_last_line(log)}")
    return log


def _without_progress(lines: Iterable[str], told: Told) -> Iterator[str]:
    for line in lines:
        if found := _PROGRESS.search(line):
            told(found[1], int(found[2]), int(found[3]))
        else:
            yield line


def _environment(release: Release, scratch: str) -> dict[str, str]:
    paths = [str(_PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        **ENVIRONMENT,
        LOCATION_VARIABLE: release.repo,
        PARENT_VARIABLE: str(os.getpid()),
        "PYTHONPATH": os.pathsep.join(paths),
        "COLUMNS": "1000",
        "HOME": scratch,
        "HF_HOME": scratch,
        "HF_DATASETS_CACHE": str(Path(scratch) / "datasets"),
    }


def _last_line(log: str) -> str:
    lines = [line.strip(" │╭╰─╮╯") for line in log.splitlines()]
    return next((line for line in reversed(lines) if line), "no message")
