"""The benchmark as an inspect task: `inspect eval eval_tasks/inspect_tasks.py -T config=simulated`.

Rows, prompts and scores are those of the lighteval tasks. The rows are read from the release's
files, since inspect's own reader keeps a copy that a rebuilt release does not renew. One metric gives
all numbers, under the names that lighteval's results have; groups without rows are left out.
HEALTHLOOPQA_RELEASE names the release where it is not the one around or beside this file. inspect
ends a run at the first request that fails; where `--fail-on-error` lets some pass, it leaves their
rows out, and `n` is smaller than the number of rows.
"""

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, ModelOutput, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState, generate

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from eval_tasks.answers import GENERATION_SIZE, Reply, score_reply
from eval_tasks.baselines import Baseline
from eval_tasks.forms import DEFAULT_FORM, SUITE, TEST_SPLIT, Form, form_of, task_prefix
from eval_tasks.horizons import shown_part
from eval_tasks.privacy import is_private, refuse_private_client
from eval_tasks.prompts import longevity_prompt, qa_prompt
from eval_tasks.question import LONGEVITY, Question, Row
from eval_tasks.release import Release, find_release
from eval_tasks.rows import read_rows
from eval_tasks.summary import ScoredRow, flat, summarise
from eval_tasks.version import PROMPT_VERSION

_RUN_HERE = ("mockllm", "none", "hf")
"""inspect's providers that send no prompt anywhere."""


@task
def healthloopqa(
    config: str = "simulated",
    split: str = TEST_SPLIT,
    style: str = DEFAULT_FORM.style,
    days: int = DEFAULT_FORM.days,
) -> Task:
    """Return the questions of a config and split as a task.

    Args:
        config: simulated, fault_injected, real_world or longevity.
        split: Name of the split.
        style: How records are written: structured or timelined.
        days: Days of a record that are shown; only what can be answered from them is asked.

    Raises:
        UnknownNameError: The release lacks the config or its split, or there is no such form.
        ReleaseError: There is no release.
        PrivacyError: The release is private, and the model does not run on this machine.
    """
    release, form = find_release(), form_of(style, days)
    _refuse_private(release)
    release.chosen((config,), split)
    baselines = release.baselines(config, split)
    return Task(
        name=f"{task_prefix(SUITE, split, form)}_{config}",
        dataset=MemoryDataset(
            [
                _sample(row, prompt, baselines)
                for row in read_rows(release, config, split)
                if (prompt := _prompt(config, row, form))
            ],
            name=f"{SUITE}/{config}/{split}",
        ),
        solver=generate(),
        scorer=row_score(),
        config=GenerateConfig(max_tokens=GENERATION_SIZE),
        version=PROMPT_VERSION,
        metadata={"release": release.version, "content_sha256": release.content_sha256},
    )


def _refuse_private(release: Release) -> None:
    if is_private(release):
        model = get_model()
        if str(model).partition("/")[0] not in _RUN_HERE:
            refuse_private_client(release, model.api.base_url)


@metric
def report() -> Metric:
    """Return the numbers of lighteval's results, by their names."""

    def compute(scores: list[SampleScore]) -> Mapping[str, float]:
        rows = [ScoredRow(**(sample.score.metadata or {})) for sample in scores]
        return {
            name: value for name, value in flat(summarise(rows)).items() if not math.isnan(value)
        }

    return compute


@scorer(metrics=[report()])
def row_score() -> Scorer:
    """Score a row: raw score, answer, and reason where there is none."""

    async def score(state: TaskState, target: Target) -> Score:
        del target
        question = Question.from_json(state.metadata["question"])
        result = score_reply(question, reply_of(question.id, state.output))
        row = ScoredRow.of(question, state.metadata["floor"], result)
        return Score(
            value=result.value,
            answer=json.dumps(result.answer),
            explanation=result.reason or None,
            metadata=asdict(row),
        )

    return score


def reply_of(name: str, output: ModelOutput) -> Reply:
    """Return what inspect got from a model as a reply."""
    if output.error:
        return Reply(instance_id=name, status="error", reason=output.error)
    return Reply(instance_id=name, completion=output.completion, finish_reason=output.stop_reason)


def _prompt(config: str, row: Row, form: Form) -> str | None:
    """Return what a row asks; None if it cannot be answered from so few days."""
    if config == LONGEVITY:
        return longevity_prompt(row)
    shown = shown_part(row, form.days)
    return None if shown is None else qa_prompt(row, shown, form.style)


def _sample(row: Row, prompt: str, baselines: Mapping[str, Baseline]) -> Sample:
    question = Question.from_row(row)
    metadata: dict[str, Any] = {
        "question": question.to_json(),
        "floor": baselines[question.task_id].floor,
    }
    return Sample(id=question.id, input=prompt, target=question.answer, metadata=metadata)
