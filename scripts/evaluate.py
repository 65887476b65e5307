"""Evaluate a model on a release with lighteval."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.console import Console

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from builder.console import one_line_errors, progress_bar
from builder.json_output import json_text
from eval_tasks.endpoint import KEY_VARIABLE, Endpoint
from eval_tasks.errors import EvaluationError, UnknownNameError
from eval_tasks.forms import DEFAULT_FORM, TEST_SPLIT, form_of, task_name
from eval_tasks.privacy import refuse_private
from eval_tasks.question import LONGEVITY
from eval_tasks.reference_answers import MODEL_NAMES
from eval_tasks.release import Release, downloaded, find_release
from eval_tasks.runner import (
    Asked,
    Definition,
    Told,
    endpoint_definition,
    reference_definition,
    run_tasks,
)
from scripts.score_table import TABLE_WIDTH, score_table

PRESETS: Mapping[str, tuple[tuple[str, ...], int | None]] = {
    "quick": ((), 20),
    "paper": (("simulated", "fault_injected", "real_world"), None),
    "diabetes": (("simulated", "fault_injected"), None),
    "longevity": (("longevity",), None),
}
"""Configs, all if none, and rows of each, all if None."""

_LONG = 100
"""Rows from which on progress is told where standard error is no terminal."""
_OWN_OPTIONS = ("url", "model")
"""Fields of an endpoint that are no settings: `--endpoint` and `--model`."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is evaluated on what.

    Attributes:
        release: The release, on this machine.
        asked: Split, and form of the questions about records.
        names: lighteval's task names by column of the table.
        limit: Rows of each task; all if None.
        by_task: Whether `--tasks` named the tasks, so that split and form stand in their names.
    """

    release: Release
    asked: Asked
    names: Mapping[str, str]
    limit: int | None
    by_task: bool = False


@app.command()
def main(
    model: Annotated[
        str,
        typer.Option(
            help=f"Reference model: {', '.join(MODEL_NAMES)}. With --endpoint: its model."
        ),
    ] = "gold",
    config: Annotated[
        list[str] | None, typer.Option(help="Config to evaluate; repeat for several. Default: all.")
    ] = None,
    release: Annotated[
        str | None,
        typer.Option(
            help="Folder of a release, or its Hub repository. Default: what HEALTHLOOPQA_RELEASE "
            "names, else what `make release` built, else the Hub."
        ),
    ] = None,
    split: Annotated[str, typer.Option(help="Split to evaluate.")] = TEST_SPLIT,
    style: Annotated[
        str, typer.Option(help="How records are written: structured or timelined.")
    ] = DEFAULT_FORM.style,
    days: Annotated[
        int,
        typer.Option(
            help="Days of a record that are shown: 30 (all), 7 or 1; only what can be "
            "answered from them is asked."
        ),
    ] = DEFAULT_FORM.days,
    output: Annotated[
        Path,
        typer.Option(help="Folder for lighteval's results and for answers.", file_okay=False),
    ] = Path("results"),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of the table.")
    ] = False,
    tasks: Annotated[
        str | None,
        typer.Option(help="lighteval tasks, separated by commas, instead of configs."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Rows of each task. Default: all.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help=f"Configs and limit by name: {', '.join(PRESETS)}.")
    ] = None,
    endpoint: Annotated[
        str | None,
        typer.Option(
            help="Base URL of an OpenAI-compatible endpoint, as in http://127.0.0.1:8000/v1. Its key, "
            f"if it wants one, is read from {KEY_VARIABLE}."
        ),
    ] = None,
    save_details: Annotated[
        bool,
        typer.Option(
            "--save-details", help="Keep prompts and completions, which submitting results needs."
        ),
    ] = False,
    allow_external: Annotated[
        bool,
        typer.Option(
            "--allow-external", help="Send private rows to an endpoint that is not on this machine."
        ),
    ] = False,
    settings: Annotated[
        str,
        typer.Option(
            help="Settings of --endpoint as JSON: max_tokens, temperature, timeout_s, concurrency, "
            "tries, wait_s, max_errors, extra (docs/evaluating.md)."
        ),
    ] = "",
) -> None:
    """Evaluate a model on the questions of a release with lighteval.

    The model is a reference model, or with --endpoint any model behind an OpenAI-compatible
    endpoint. Its answers are kept below --output: a second run asks only what failed or was not
    asked. Prints raw scores (mean over all rows, in [0, 1]), skill (0 is the best trivial model, 1
    is perfect), both by task type and cognitive level, and how many completions had which status.
    """
    with one_line_errors():
        asked = Asked(split=split, form=form_of(style, days))
        plan = _plan(find_release(release), config or [], asked, tasks, _preset(preset, limit))
        if endpoint:
            refuse_private(plan.release, endpoint, allow_external=allow_external)
        definition = _definition(plan, model, settings, output, endpoint)
        with _progress(f"{model} on {', '.join(plan.names)}", counted=bool(endpoint)) as told:
            run = run_tasks(
                plan.release,
                replace(definition, details=save_details),
                plan.names,
                plan.asked,
                output,
                told,
            )
    if as_json:
        print(json_text(_report(plan, definition.name, run.reports)))
        return
    console = Console(width=None if sys.stdout.isatty() else TABLE_WIDTH)
    title = f"{definition.name} on the split {split} of HealthLoopQA {plan.release.version}"
    console.print(score_table(title, run.reports))
    if plan.limit:
        print(f"limit: at most {plan.limit} rows of each task; not comparable with whole scores")
    sys.stderr.write(f"lighteval's results: {run.results_file}\n")


def _definition(
    plan: Plan, model: str, settings: str, output: Path, endpoint: str | None
) -> Definition:
    if endpoint:
        return endpoint_definition(described(endpoint, model, settings), output, plan.limit)
    if settings:
        raise EvaluationError("--settings are those of an endpoint; give its URL with --endpoint")
    return reference_definition(model, plan.limit)


@contextmanager
def _progress(title: str, *, counted: bool) -> Iterator[Told]:
    """Show on standard error how far the work is: a bar, a spinner, or now and then a line."""
    console = Console(stderr=True)
    if not counted:
        with console.status(title):
            yield lambda _task, _done, _total: None
    elif console.is_terminal:
        with progress_bar(quiet=False) as report:
            yield report
    else:
        yield _tell_tenths


def _tell_tenths(task: str, done: int, total: int) -> None:
    if total >= _LONG and 10 * done // total > 10 * (done - 1) // total:
        sys.stderr.write(f"{task}: {done} of {total} answered\n")


def described(url: str, model: str, settings: str) -> Endpoint:
    """Return the endpoint that the options describe.

    Raises:
        EvaluationError: The settings are no JSON object, or one of them is unknown or impossible.
    """
    try:
        given = json.loads(settings or "{}")
        if named := [name for name in _OWN_OPTIONS if name in given]:
            raise ValueError(f"{named[0]} is an option of its own")
        return Endpoint.model_validate({**given, "url": url, "model": model})
    except (ValueError, TypeError, RecursionError) as error:
        reason = str(error)
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            reason = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise EvaluationError(
            f"no settings of an endpoint ({reason}); --settings is a JSON object of "
            f"{', '.join(name for name in Endpoint.model_fields if name not in _OWN_OPTIONS)}"
        ) from error


def _preset(name: str | None, limit: int | None) -> tuple[tuple[str, ...], int | None]:
    if name is None:
        return (), limit
    if name not in PRESETS:
        raise UnknownNameError(f"unknown preset {name!r}; there are {', '.join(PRESETS)}")
    configs, rows = PRESETS[name]
    return configs, limit or rows


def _plan(
    release: Release,
    configs: Sequence[str],
    asked: Asked,
    tasks: str | None,
    preset: tuple[tuple[str, ...], int | None],
) -> Plan:
    present = tuple(name for name in preset[0] if name in release.rows)
    chosen = release.chosen(tuple(configs) or present, asked.split)
    if not configs and asked.form != DEFAULT_FORM:
        chosen = tuple(config for config in chosen if config != LONGEVITY)
    names = {config: task_name(config, asked.split, asked.form) for config in chosen}
    if tasks:
        names = {name.strip(): name.strip() for name in tasks.split(",")}
    return Plan(
        release=downloaded(release, tuple(release.rows)),
        asked=asked,
        names=names,
        limit=preset[1],
        by_task=bool(tasks),
    )


def _report(plan: Plan, model: str, reports: Mapping[str, Any]) -> dict[str, Any]:
    release, form = plan.release, plan.asked.form
    asked = {"split": plan.asked.split, "style": form.style, "days": form.days}
    return {
        "model": model,
        **({} if plan.by_task else asked),
        "limit": plan.limit,
        "release": {"version": release.version, "content_sha256": release.content_sha256},
        "configs": reports,
    }


if __name__ == "__main__":
    app()
