"""Let a model answer with Python over the record as tables, and score it with lighteval."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import agents
from agents.errors import AgentError
from agents.sandbox import confined_layers
from agents.settings import SETTINGS_VARIABLE, AgentSettings
from agents.trace import RowTrace, read_traces
from builder.console import one_line_errors, progress_bar
from builder.json_output import json_text
from endpoints.chat import KEY_VARIABLE, URL_VARIABLE
from eval_tasks.forms import TEST_SPLIT, task_name
from eval_tasks.privacy import ALLOW_VARIABLE, refuse_private
from eval_tasks.question import LONGEVITY
from eval_tasks.release import Release, downloaded, find_release
from eval_tasks.runner import Asked, Definition, Run, run_tasks

_MODEL_FILE = Path(agents.__file__).parent / "lighteval_model.py"

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    model: Annotated[str, typer.Option(help="The model's name at the endpoint.")],
    base_url: Annotated[
        str, typer.Option(envvar=URL_VARIABLE, help=f"Address up to /v1; the key: {KEY_VARIABLE}.")
    ],
    config: Annotated[
        list[str] | None,
        typer.Option(help="Config to evaluate; repeatable. Default: all that have records."),
    ] = None,
    release: Annotated[
        str | None, typer.Option(help="Folder of a release. Default: what `make release` built.")
    ] = None,
    split: Annotated[str, typer.Option(help="Split to evaluate.")] = TEST_SPLIT,
    output: Annotated[
        Path, typer.Option(help="Folder for results and traces.", file_okay=False)
    ] = Path("results/agent"),
    rows: Annotated[
        int | None, typer.Option(min=1, help="Rows of each config, drawn by lighteval.")
    ] = None,
    max_steps: Annotated[int, typer.Option(min=1, help="Steps of a row.")] = 8,
    row_seconds: Annotated[float, typer.Option(min=1, help="Seconds of a row.")] = 600.0,
    row_tokens: Annotated[int, typer.Option(min=1, help="Tokens of a row's steps.")] = 100_000,
    reply_tokens: Annotated[int, typer.Option(min=1, help="Tokens of one reply.")] = 4096,
    workers: Annotated[int, typer.Option(min=1, help="Rows at a time.")] = 4,
    price_input: Annotated[float | None, typer.Option(help="Of a million tokens read.")] = None,
    price_output: Annotated[float | None, typer.Option(help="Of a million written.")] = None,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Run code even where the kernel cannot confine it.")
    ] = False,
    allow_external: Annotated[
        bool, typer.Option("--allow-external", help="Send rows of a private release away.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of the table.")
    ] = False,
) -> None:
    """Let a model answer with Python over the record as tables, and score it with lighteval.

    The model's code runs in a process that sees no file, network, environment variable or other
    process. Every row's trace (words, code, results, tokens, cost) is a line of traces.jsonl;
    a second call of the command runs the rows that are not there yet. The config longevity has no
    record to compute with and is left out.
    """
    with one_line_errors():
        found = find_release(release)
        refuse_private(found, base_url, allow_external=allow_external)
        configs = _with_records(found, tuple(config or ()), split)
        settings = _settings(
            base_url=base_url,
            traces=output.resolve() / "traces.jsonl",
            max_steps=max_steps,
            row_seconds=row_seconds,
            row_tokens=row_tokens,
            reply_tokens=reply_tokens,
            workers=workers,
            price_input=price_input,
            price_output=price_output,
            unsafe=unsafe,
        )
        custom = Definition(name=model, path=_MODEL_FILE, limit=rows, details=True)
        total = sum(min(found.rows[c][split], rows or sys.maxsize) for c in configs)
        with _counted(settings.traces, total, quiet=as_json):
            run = _run(settings, found, custom, configs, split, output)
        traces = list(read_traces(settings.traces))
    _tell(run, traces, settings.traces, as_json=as_json)


def _with_records(release: Release, configs: tuple[str, ...], split: str) -> tuple[str, ...]:
    if LONGEVITY in configs:
        raise AgentError(f"{LONGEVITY} has no record to compute with; ask it with evaluate.py")
    return tuple(one for one in release.chosen(configs, split) if one != LONGEVITY)


def _settings(**chosen: object) -> AgentSettings:
    try:
        settings = AgentSettings.model_validate(chosen)
    except ValidationError as error:
        raise AgentError(f"settings of the agent: {str(error).splitlines()[1:3]}") from error
    if not settings.unsafe and not confined_layers():
        raise AgentError(
            "this kernel cannot confine the agent's code; run in a container or virtual machine "
            "that may be lost, and pass --unsafe"
        )
    return settings


def _run(
    settings: AgentSettings,
    release: Release,
    custom: Definition,
    configs: tuple[str, ...],
    split: str,
    output: Path,
) -> Run:
    """Run lighteval, which reads the settings from a file that the environment names."""
    output.mkdir(parents=True, exist_ok=True)
    file = output.resolve() / "settings.yaml"
    file.write_text(settings.model_dump_json(indent=2), encoding="utf-8")
    custom = replace(custom, environment={SETTINGS_VARIABLE: str(file), ALLOW_VARIABLE: "1"})
    names = {config: task_name(config, split) for config in configs}
    return run_tasks(downloaded(release, configs), custom, names, Asked(split=split), output)


@contextmanager
def _counted(traces: Path, total: int, *, quiet: bool) -> Iterator[None]:
    """Show how many rows have been answered while lighteval runs."""
    before = _lines(traces)
    done = Event()
    with progress_bar(quiet=quiet) as progress:

        def watch() -> None:
            while not done.wait(0.5):
                progress("rows", min(total, _lines(traces) - before), total)

        watcher = Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def _tell(run: Run, traces: list[RowTrace], file: Path, *, as_json: bool) -> None:
    costs = [trace.cost for trace in traces if trace.cost is not None]
    told = {
        "traces": len(traces),
        "statuses": dict(sorted(Counter(trace.status for trace in traces).items())),
        "input_tokens": sum(trace.input_tokens for trace in traces),
        "output_tokens": sum(trace.output_tokens for trace in traces),
        "cost": sum(costs) if costs else None,
        "layers": sorted({layer for trace in traces for layer in trace.layers}),
    }
    if as_json:
        print(json_text({"configs": run.reports, **told, "file": str(file)}))
        return
    table = Table(title="agent")
    for name in ("config", "rows", "score", "skill"):
        table.add_column(name, justify="left" if name == "config" else "right")
    for config, report in run.reports.items():
        table.add_row(config, str(report["n"]), *(_shown(report[k]) for k in ("score", "skill")))
    console = Console(width=None if sys.stdout.isatty() else 100)
    console.print(table)
    for name, value in told.items():
        console.print(f"{name.replace('_', ' ')}: {value}")
    sys.stderr.write(f"traces: {file}\nlighteval's results: {run.results_file}\n")


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


if __name__ == "__main__":
    app()
