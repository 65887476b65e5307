"""Agents' traces: they belong to details that hold the same answers, or are answers of their own."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from eval_tasks.question import Question
from eval_tasks.release import Release
from eval_tasks.scoring import score
from reports.judgements import TRACES, TraceLine, files_below, read_lines

AGENT = "agent"
"""Style of an answer that was computed with code."""


def with_traces(answers: pd.DataFrame, sources: Sequence[Path], release: Release) -> pd.DataFrame:
    """Return answers with the columns cost and seconds, and with what agents did.

    Answers of a details file that are all the completions of a trace file in the same folder are
    an agent's: their style becomes `agent`, their text the trace. Traces without such details are
    scored here and added.

    Args:
        answers: What `details.read_details` returned; may be empty.
        sources: Folders that may hold `traces.jsonl`.
        release: What was asked.
    """
    answers = answers.assign(cost=float("nan"), seconds=float("nan"))
    for file in files_below(sources, TRACES):
        by_model: dict[str, dict[str, TraceLine]] = {}
        for trace in read_lines(file, TraceLine):
            by_model.setdefault(trace.model, {})[trace.id] = trace
        for model, traces in by_model.items():
            answers = _joined(answers, file, model, traces, release)
    return answers


def _joined(
    answers: pd.DataFrame,
    file: Path,
    model: str,
    traces: Mapping[str, TraceLine],
    release: Release,
) -> pd.DataFrame:
    near = answers[(answers["model"] == model) & (answers["home"] == str(file.parent))]
    matching = [
        part.index
        for _, part in near.groupby("file", sort=True)
        if all(
            name in traces and traces[name].completion == text
            for name, text in zip(part["id"], part["text"], strict=True)
        )
    ]
    if not matching:
        added = pd.DataFrame(_scored(file, model, traces, release))
        if not len(answers):
            return added
        return pd.concat([answers, added], ignore_index=True) if len(added) else answers
    for places in matching:
        answers.loc[places, "style"] = AGENT
        ran = [_ran(traces[name]) for name in answers.loc[places, "id"]]
        for column, value in pd.DataFrame(ran, index=places).items():
            answers.loc[places, str(column)] = value
    return answers


def _ran(trace: TraceLine) -> dict[str, Any]:
    return {
        "text": trace.text(),
        "input_tokens": float(trace.input_tokens),
        "output_tokens": float(trace.output_tokens),
        "cost": float("nan") if trace.cost is None else trace.cost,
        "seconds": trace.seconds,
    }


def _scored(
    file: Path, model: str, traces: Mapping[str, TraceLine], release: Release
) -> Iterator[dict[str, Any]]:
    for config, splits in release.rows.items():
        split = next(iter(splits))
        floors = release.baselines(config, split)
        for row in release.read(config, split):
            name = row.get("instance_id") or row.get("case_id")
            trace = traces.get(str(name))
            if trace is None:
                continue
            question = Question.from_row(row)
            result = score(question, trace.completion)
            yield {
                "model": model,
                "file": str(file),
                "home": str(file.parent),
                "config": config,
                "split": split,
                "style": AGENT,
                "days": 30,
                "retrieved": False,
                "id": question.id,
                "question": question.to_json(),
                "task_id": question.task_id,
                "task_type": question.task_type,
                "level": question.level,
                "floor": floors[question.task_id].floor,
                "value": result.value,
                "strict": result.strict,
                "status": result.status,
                "answer": json.dumps(result.answer),
                "reason": result.reason,
                **_ran(trace),
            }
