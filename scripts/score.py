"""Score a file of answers without lighteval."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from builder.json_output import json_text
from eval_tasks import source_evaluator
from eval_tasks.answers import Scored, read_replies, score_replies
from eval_tasks.errors import AnswersError, EvaluationError
from eval_tasks.forms import TEST_SPLIT
from eval_tasks.release import Release, find_release
from eval_tasks.summary import flat, nested, summarise
from scripts.score_table import TABLE_WIDTH, score_table

Evaluator = Literal["healthloopqa", "source"]
SOURCE_FILE = "source file"
"""What stands for the configs where a file of the source is read."""
PAPER_CONFIGS = ("simulated", "fault_injected")
"""Configs whose 127 tasks together are the simulated part of the published tables."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    answers: Annotated[
        Path,
        typer.Argument(
            help="JSONL: instance_id (or case_id) and completion; optional finish_reason, status "
            "(error or too_long) and reason. With --evaluator source also a file of the source."
        ),
    ],
    release: Annotated[
        str | None,
        typer.Option(
            help="Folder of a release, or its Hub repository. Default: what HEALTHLOOPQA_RELEASE "
            "names, else what `make release` built, else the Hub."
        ),
    ] = None,
    config: Annotated[
        list[str] | None,
        typer.Option(help="Config to score; repeat for several. Default: those answered."),
    ] = None,
    split: Annotated[str, typer.Option(help="Split that was asked.")] = TEST_SPLIT,
    partial: Annotated[
        bool, typer.Option("--partial", help="Leave out rows without an answer instead of 0.")
    ] = False,
    evaluator: Annotated[
        Evaluator,
        typer.Option(help="Whose formulas: this benchmark's, or those of the published system."),
    ] = "healthloopqa",
    rows: Annotated[
        Path | None, typer.Option(help="JSONL file to write every row's score to.", dir_okay=False)
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of the table.")
    ] = False,
) -> None:
    """Score a file of answers on a release: the numbers that lighteval gives for the same answers.

    Rows without an answer score 0 and are counted as missing; with --partial they are left out, and
    the output says so. Answers to unknown rows and two answers to a row are refused. With
    --evaluator source the published system's own formulas are used, on answers to this benchmark or
    on one of its output files.
    """
    try:
        if source_evaluator.is_source_file(answers):
            _need_source(answers, evaluator)
            records = source_evaluator.read_source_file(answers)
            _show_source({SOURCE_FILE: source_evaluator.report(records)}, {}, as_json=as_json)
            return
        found = find_release(release)
        replies = read_replies(answers)
        scored = score_replies(found, replies, split, configs=config or (), partial=partial)
        if rows:
            _write_rows(rows, scored)
    except EvaluationError as error:
        sys.stderr.write(f"error: {error}\n")
        raise SystemExit(1) from error
    about = _about(found, split, scored, partial=partial)
    if evaluator == "source":
        _show_source(_source_parts(scored), about, as_json=as_json)
        return
    reports = {name: nested(flat(summarise([s.row for s in p]))) for name, p in scored.items()}
    _show(answers.name, reports, about, as_json=as_json)


def _need_source(path: Path, evaluator: Evaluator) -> None:
    if evaluator != "source":
        raise AnswersError(
            f"{path} is an output file of the published system, whose rows are not this release's; "
            "score it by its own formulas with --evaluator source"
        )


def _about(
    release: Release, split: str, scored: Mapping[str, Sequence[Scored]], *, partial: bool
) -> dict[str, Any]:
    return {
        "split": split,
        "release": {"version": release.version, "content_sha256": release.content_sha256},
        "partial": partial,
        "rows_listed": {name: release.rows[name][split] for name in scored},
    }


def _show(
    title: str, reports: Mapping[str, Any], about: Mapping[str, Any], *, as_json: bool
) -> None:
    if as_json:
        print(json_text({**about, "evaluator": "healthloopqa", "configs": reports}))
        return
    release = about["release"]["version"]
    _console().print(
        score_table(f"{title} on the split {about['split']} of HealthLoopQA {release}", reports)
    )
    for name, part in reports.items():
        _note_missing(name, part["n"], part["statuses"]["missing"], about)


def _note_missing(name: str, scored: int, missing: int, about: Mapping[str, Any]) -> None:
    listed = about["rows_listed"][name]
    if about["partial"] and scored < listed:
        print(f"partial: {scored} of {listed} rows of {name}; not comparable with whole scores")
    elif missing:
        print(f"{missing} of {listed} rows of {name} have no answer and score 0")


def _show_source(parts: Mapping[str, Any], about: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json_text({**about, "evaluator": "source", "configs": parts}))
        return
    table = Table(title="The published system's own evaluator, 0 to 100, means over tasks")
    table.add_column(no_wrap=True)
    for name in parts:
        table.add_column(name, justify="right")
    for name, cells in _source_lines(list(parts.values())):
        table.add_row(name, *cells)
    _console().print(table)


def _source_parts(scored: Mapping[str, Sequence[Scored]]) -> dict[str, Any]:
    records = {name: source_evaluator.evaluate_scored(part) for name, part in scored.items()}
    if set(PAPER_CONFIGS) <= set(records):
        records[" + ".join(PAPER_CONFIGS)] = [r for name in PAPER_CONFIGS for r in records[name]]
    return {name: source_evaluator.report(part) for name, part in records.items()}


def _source_lines(parts: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    groups = [
        (group, name)
        for group in ("by_type", "by_level")
        for name in sorted({name for part in parts for name in part[group]})
    ]
    return [
        ("overall", [_shown(part["overall"]) for part in parts]),
        *(
            (name.replace("_", " ") or "no level", [_shown(p[group].get(name)) for p in parts])
            for group, name in groups
        ),
        ("overall, mean over records", [_shown(part["overall_records"]) for part in parts]),
        ("records", [str(part["n"]) for part in parts]),
        ("left out", [str(part["left_out"]) for part in parts]),
        ("tasks without a score", [str(len(part["tasks_without_score"])) for part in parts]),
    ]


def _write_rows(path: Path, scored: Mapping[str, Sequence[Scored]]) -> None:
    lines = [_row_line(name, part) for name, parts in scored.items() for part in parts]
    try:
        path.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise EvaluationError(
            f"cannot write {path} ({error.strerror}); give another --rows"
        ) from error


def _row_line(config: str, part: Scored) -> str:
    fields = {
        "instance_id": part.question.id,
        "config": config,
        "task_id": part.question.task_id,
        "score": part.result.value,
        "strict": part.result.strict,
        "status": part.result.status,
        "reason": part.result.reason,
        "answer": part.result.answer,
        "gold": json.loads(part.question.answer),
    }
    return json_text(fields) + "\n"


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else TABLE_WIDTH)


if __name__ == "__main__":
    app()
