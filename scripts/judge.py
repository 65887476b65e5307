"""Let a model judge answers: advice by five requirements, other answers by their reasoning."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from builder.console import one_line_errors, progress_bar
from builder.json_output import finite, json_text
from endpoints.cache import ReplyCache
from endpoints.chat import KEY_VARIABLE, URL_VARIABLE, Client, Endpoint
from eval_tasks.forms import TEST_SPLIT
from eval_tasks.privacy import refuse_private
from eval_tasks.question import LONGEVITY, Row
from eval_tasks.release import Release, find_release
from judges.agreement import Agreement
from judges.asking import Judge
from judges.canaries import Trust, chosen_cases, run_canaries, trusted
from judges.errors import JudgeError
from judges.human_sheet import agreement_with_people, read_sheet, write_sheet
from judges.longevity import Plan, counts, judge_longevity, read_verdicts
from judges.material import Answer, read_answers, rows_by_id
from judges.reasoning import (
    failure_counts,
    judge_reasoning,
    outcome_counts,
    signal_agreement,
)
from judges.reasoning_canaries import chosen_rows, run_reasoning_canaries, trusted_reasoning
from judges.requirements import Case

VERDICTS = "verdicts.jsonl"
JUDGE_RUN = "judge_run.json"
REASONING = "reasoning.jsonl"
REASONING_RUN = "reasoning_judge_run.json"

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=__doc__)
Answers = Annotated[
    Path, typer.Argument(help="JSONL of traces or of id and text, or lighteval's details.")
]
Model = Annotated[str, typer.Option(help="The judge's name at the endpoint.")]
BaseUrl = Annotated[
    str, typer.Option(envvar=URL_VARIABLE, help=f"Address up to /v1; the key: {KEY_VARIABLE}.")
]
ReleaseAt = Annotated[
    str | None, typer.Option(help="Folder of a release. Default: what `make release` built.")
]
Split = Annotated[str, typer.Option(help="Split that was answered.")]
Output = Annotated[
    Path, typer.Option(help="Folder for verdicts and the judge's replies.", file_okay=False)
]
Workers = Annotated[int, typer.Option(min=1, help="Calls at a time.")]
Replicates = Annotated[int, typer.Option(min=1, help="How often all is judged.")]
External = Annotated[
    bool, typer.Option("--allow-external", help="Send rows of a private release away.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]


@app.command()
def longevity(
    answers: Answers,
    model: Model,
    base_url: BaseUrl,
    release: ReleaseAt = None,
    split: Split = TEST_SPLIT,
    output: Output = Path("results/judge"),
    hide_truth: Annotated[
        bool, typer.Option("--hide-truth", help="Do not show the judge the right yes or no.")
    ] = False,
    replicates: Replicates = 1,
    canary_items: Annotated[
        int, typer.Option(min=2, help="Items whose canaries the judge must get right.")
    ] = 4,
    workers: Workers = 4,
    allow_external: External = False,
    as_json: AsJson = False,
) -> None:
    """Judge advice by the five requirements, each in two runs that must agree.

    First come canaries, answers whose verdicts are known. Scores of a judge that gets them wrong
    are not printed. Killed and started again, it asks nothing twice.
    """
    plan = Plan(truth_shown=not hide_truth, replicates=replicates)
    with one_line_errors():
        rows = _rows(release, LONGEVITY, split, base_url, allow_external=allow_external)
        cases = {name: Case.from_row(row) for name, row in rows.items()}
        paired = [(cases[a.id], a.completion) for a in _known(answers, cases)]
        with _judge(model, base_url, output, workers) as judge, progress_bar(quiet=as_json) as bar:
            planted = chosen_cases(list(cases.values()), canary_items)
            run = run_canaries(judge, planted, plan, _named(bar, "canaries"))
            _write(output / JUDGE_RUN, [run])
            verdicts = judge_longevity(judge, paired, plan, _named(bar, "verdicts"))
        _write(output / VERDICTS, verdicts)
        trust = trusted(run)
    told = {"trusted": trust.trusted, "reasons": trust.reasons, "answers": len(paired)}
    if trust.trusted:
        told["requirements"] = counts(verdicts)
    _conclude(told, trust, as_json=as_json)


@app.command()
def reasoning(
    answers: Answers,
    model: Model,
    base_url: BaseUrl,
    config: Annotated[str, typer.Option(help="Config that was answered.")] = "simulated",
    release: ReleaseAt = None,
    split: Split = TEST_SPLIT,
    output: Output = Path("results/judge"),
    canary_rows: Annotated[
        int, typer.Option(min=2, help="Tasks on whose canaries the judge is tested.")
    ] = 10,
    workers: Workers = 4,
    allow_external: External = False,
    as_json: AsJson = False,
) -> None:
    """Judge how answers were reached, and tell correct ones from lucky ones.

    First come canaries, reasonings whose verdict is known. What a judge finds that gets them wrong
    is not printed. Beside it stand signs that need no judge, and how far they agree with it.
    """
    with one_line_errors():
        rows = _rows(release, config, split, base_url, allow_external=allow_external)
        paired = [(rows[a.id], a) for a in _known(answers, rows)]
        with _judge(model, base_url, output, workers) as judge, progress_bar(quiet=as_json) as bar:
            planted = chosen_rows(rows, canary_rows)
            run = run_reasoning_canaries(judge, planted, _named(bar, "canaries"))
            _write(output / REASONING_RUN, [run])
            verdicts = judge_reasoning(judge, paired, _named(bar, "verdicts"))
        _write(output / REASONING, verdicts)
        trust = trusted_reasoning(run)
    told = {"trusted": trust.trusted, "reasons": trust.reasons, "answers": len(paired)}
    told["answers that cannot be read"] = len(paired) - len(verdicts)
    if trust.trusted:
        told["outcomes"] = outcome_counts(verdicts)
        told["failures"] = failure_counts(verdicts)
        told["signals"] = {name: _shown(one) for name, one in signal_agreement(verdicts).items()}
    _conclude(told, trust, as_json=as_json)


@app.command()
def sheet(
    answers: Answers,
    file: Annotated[Path, typer.Option(help="CSV to write.")],
    release: ReleaseAt = None,
    split: Split = TEST_SPLIT,
    most: Annotated[int, typer.Option(min=1, help="Most rows.")] = 100,
    as_json: AsJson = False,
) -> None:
    """Write a sheet on which people label advice: pass or fail for each requirement."""
    with one_line_errors():
        rows = rows_by_id(find_release(release), LONGEVITY, split)
        paired = [(Case.from_row(rows[a.id]), a.completion) for a in _known(answers, rows)]
        written = write_sheet(file, paired, most)
    _tell({"file": str(file), "rows": written}, as_json=as_json)


@app.command()
def agreement(
    labels: Annotated[Path, typer.Argument(help="Sheet with people's labels.")],
    verdicts: Annotated[Path, typer.Option(help="Verdicts of a judge.")] = Path("results/judge")
    / VERDICTS,
    as_json: AsJson = False,
) -> None:
    """Print how far a judge agrees with people: raw, Cohen's kappa, Gwet's AC1, 95 % intervals."""
    with one_line_errors():
        found = agreement_with_people(read_verdicts(verdicts), read_sheet(labels))
    shown = {name or "all": _shown(one) for name, one in found.items()}
    _tell({"agreement": shown}, as_json=as_json)


def _rows(
    release: str | None, config: str, split: str, base_url: str, *, allow_external: bool
) -> dict[str, Row]:
    """Return the rows that the judge is shown; the one place where they could leave the machine."""
    found: Release = find_release(release)
    refuse_private(found, base_url, allow_external=allow_external)
    (config,) = found.chosen((config,), split)
    return rows_by_id(found, config, split)


def _known(source: Path, rows: Mapping[str, object]) -> Iterator[Answer]:
    """Yield the answers to known rows.

    Raises:
        JudgeError: None of them is to a known row, or two are to the same.
    """
    answers = list(read_answers(source))
    known = [answer for answer in answers if answer.id in rows]
    if not known:
        raise JudgeError(
            f"{source}: none of {len(answers)} answers is to a row of this release, config and split"
        )
    twice = next((name for name, times in Counter(a.id for a in known).items() if times > 1), None)
    if twice:
        raise JudgeError(
            f"{source}: row {twice} is answered more than once; name the folder or file of one run"
        )
    yield from known


@contextmanager
def _judge(model: str, base_url: str, output: Path, workers: int) -> Iterator[Judge]:
    endpoint = Endpoint(base_url=base_url, model=model, api_key=os.environ.get(KEY_VARIABLE, ""))
    with Client(endpoint) as client, ReplyCache(output / "replies.sqlite") as cache:
        yield Judge(client, cache, workers)


def _named(progress: Callable[[str, int, int], None], name: str) -> Callable[[int, int], None]:
    return lambda done, total: progress(name, done, total)


def _write(file: Path, records: Sequence[BaseModel]) -> None:
    """Write records as lines of JSON; the file is whole or not there."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".part")
    fresh.write_text("".join(one.model_dump_json() + "\n" for one in records), encoding="utf-8")
    fresh.replace(file)


def _shown(found: Agreement) -> dict[str, Any]:
    return dict(finite(asdict(found)))


def _tell(told: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json_text(told))
        return
    console = Console(width=None if sys.stdout.isatty() else 110)
    for name, value in told.items():
        if isinstance(value, Mapping) and any(isinstance(v, Mapping) for v in value.values()):
            console.print(_table(name, value))
        else:
            console.print(f"{name}: {_text(value)}")


def _conclude(told: Mapping[str, Any], trust: Trust, *, as_json: bool) -> None:
    """Tell what a judge found, and exit with 1 if it is not to be believed."""
    _tell(told, as_json=as_json)
    if not trust.trusted:
        sys.stderr.write("error: this judge gets canaries wrong; its scores are not printed\n")
        raise SystemExit(1)


def _table(title: str, rows: Mapping[str, Mapping[str, Any]]) -> Table:
    table = Table(title=title)
    table.add_column()
    for name in next(iter(rows.values())):
        table.add_column(name, justify="right")
    for name, row in rows.items():
        table.add_row(name, *map(_text, row.values()))
    return table


def _text(value: object) -> str:
    if isinstance(value, Mapping) and set(value) == {"value", "low", "high"}:
        value, low, high = (_text(value[name]) for name in ("value", "low", "high"))
        return f"{value} [{low}, {high}]"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(entry)}" for name, entry in value.items())
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "; ".join(map(_text, value)) or "-"
    return "-" if value is None else str(value)


if __name__ == "__main__":
    app()
