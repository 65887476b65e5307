"""The glue between lighteval 0.13 and this package: documents, the metric, task configs.

lighteval wants one value per row and metric from every task of a table, in the same keys, or it
fills in zeros. So there is one metric, whose value for a row is a small flat dict and whose
aggregate is another, always with the same keys (NaN for groups without rows).
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache, partial
from typing import Any

from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import SampleLevelMetric
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc, SamplingMethod

from eval_tasks.answers import GENERATION_SIZE, NO_ROOM, Reply, score_reply
from eval_tasks.baselines import Baseline
from eval_tasks.errors import EvaluationError, GoldError
from eval_tasks.extraction import extract
from eval_tasks.forms import DEFAULT_FORM, FORMS, SUITE, Form, task_name, task_prefix
from eval_tasks.horizons import shown_part
from eval_tasks.prompts import longevity_prompt, qa_prompt
from eval_tasks.question import LONGEVITY, SYSTEM_PROMPT_LEVELS, Question, Row
from eval_tasks.release import Release
from eval_tasks.summary import ScoredRow, flat, summarise
from eval_tasks.version import PROMPT_VERSION


def task_table(release: Release) -> list[LightevalTaskConfig]:
    """Return a task config for every config, split and form that a release has questions in.

    Of longevity there is one form. Its cases of each system prompt are a task of their own beside: `longevity:minimal`.
    """
    table = [
        _task_config(release, config, split, form)
        for config, splits in release.rows.items()
        for split in splits
        for form in ((DEFAULT_FORM,) if config == LONGEVITY else FORMS)
    ]
    return table + [
        replace(
            _task_config(release, LONGEVITY, split, DEFAULT_FORM),
            name=f"{task_prefix(LONGEVITY, split)}:{level}",
            hf_filter=partial(_has_system_prompt, level),
        )
        for split in release.rows.get(LONGEVITY, ())
        for level in SYSTEM_PROMPT_LEVELS
    ]


def _has_system_prompt(level: str, row: Row) -> bool:
    return bool(row["system_prompt_level"] == level)


def question_of(doc: Doc) -> Question:
    """Return the question that a document asks."""
    return Question.from_json(noted_of(doc)["question"])


def noted_of(doc: Doc) -> dict[str, Any]:
    """Return what `qa_doc` and `longevity_doc` noted of the row.

    Raises:
        EvaluationError: The document is none of theirs.
    """
    if doc.specific is None:
        raise EvaluationError(f"{doc.task_name} is no task of {SUITE}")
    return doc.specific


class RowScore(SampleLevelComputation):
    """Scores a row: raw score and status, and what they are grouped by."""

    def compute(self, doc: Doc, model_response: ModelResponse, **_: object) -> dict[str, object]:
        """Return the fields of a `ScoredRow`; for the details answer, reason, how it came about."""
        question = question_of(doc)
        reply = reply_of(question, doc.query, model_response)
        result = score_reply(question, reply)
        row = ScoredRow.of(question, noted_of(doc)["floor"], result)
        return {
            **asdict(row),
            "answer": json.dumps(result.answer),
            "reason": result.reason,
            "finish_reason": reply.finish_reason or "",
            "failure": reply.status or "",
        }


@dataclass
class ReplyResponse(ModelResponse):
    """A response that says how it came about, as a `Reply` does; empty where there is nothing."""

    finish_reason: str = ""
    failure: str = ""
    reason: str = ""


def response_of(doc: Doc, reply: Reply) -> ReplyResponse:
    """Return a reply in lighteval's form."""
    return ReplyResponse(
        input=doc.query,
        text=[] if reply.completion is None else [reply.completion],
        finish_reason=reply.finish_reason or "",
        failure=reply.status or "",
        reason=reply.reason,
    )


def reply_of(question: Question, prompt: str, response: ModelResponse) -> Reply:
    """Return what came back for a question.

    A backend that gives tokens instead of reasons is held to have been cut off at the task's
    generation size; to have cut the prompt where it read fewer tokens than there are words; and to
    have had no room where it wrote a single token that is a text but no answer (lighteval's
    transformers backend cuts a prompt to the model's length and then lets it write one token).
    """
    texts = response.final_text
    completion = texts[0] if texts else None
    if isinstance(response, ReplyResponse):
        return Reply.model_validate(
            {
                "instance_id": question.id,
                "completion": completion,
                "finish_reason": response.finish_reason or None,
                "status": response.failure or None,
                "reason": response.reason,
            }
        )
    read, words = len(response.input_tokens or ()), len(prompt.split())
    if 0 < read < words:
        reason = f"the backend read {read} tokens of a prompt of {words} words: it has cut it"
        return Reply(instance_id=question.id, status="too_long", reason=reason)
    written = len(response.output_tokens[0]) if response.output_tokens else 0
    end = "length" if written >= GENERATION_SIZE else None
    if written == 1 and extract(completion or "", question.shape).status == "unparseable":
        end = NO_ROOM
    return Reply(instance_id=question.id, completion=completion, finish_reason=end)


def summarise_rows(rows: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return the aggregate of what `RowScore` returned for each row."""
    names = [field.name for field in fields(ScoredRow)]
    return flat(summarise([ScoredRow(**{name: row[name] for name in names}) for row in rows]))


def qa_doc(
    row: Row, name: str, *, baselines: Mapping[str, Baseline], check: Callable[[], None], form: Form
) -> Doc | None:
    """Return the document of a QA row; None if it cannot be answered from so few days."""
    check()
    shown = shown_part(row, form.days)
    if shown is None:
        return None
    return _doc(row, name, qa_prompt(row, shown, form.style), baselines)


def longevity_doc(
    row: Row, name: str, *, baselines: Mapping[str, Baseline], check: Callable[[], None]
) -> Doc:
    """Return the document of a longevity case."""
    check()
    return _doc(row, name, longevity_prompt(row), baselines)


def _doc(row: Row, name: str, prompt: str, baselines: Mapping[str, Baseline]) -> Doc:
    if row.get("__few_shots"):
        raise EvaluationError(f"{name}: examples in the prompt are not supported; use {name}|0")
    question = Question.from_row(row)
    baseline = baselines.get(question.task_id)
    if baseline is None:
        raise GoldError(f"{question.id}: no baseline of {question.task_id}; build the release anew")
    return Doc(
        query=prompt,
        choices=[question.answer],
        gold_index=0,
        task_name=name,
        specific={
            "id": question.id,
            "task_id": question.task_id,
            "task_type": question.task_type,
            "level": question.level,
            "floor": baseline.floor,
            "constant": json.dumps(baseline.constant_for(question.shape.options)),
            "question": question.to_json(),
        },
    )


def _task_config(release: Release, config: str, split: str, form: Form) -> LightevalTaskConfig:
    prompt: Callable[..., Any] = (
        longevity_doc if config == LONGEVITY else partial(qa_doc, form=form)
    )
    return LightevalTaskConfig(
        name=task_name(config, split, form),
        prompt_function=partial(
            prompt,
            baselines=release.baselines(config, split),
            check=cache(partial(release.check, config, split)),
        ),
        hf_repo=release.repo,
        hf_subset=config,
        hf_revision=release.revision,
        hf_avail_splits=[split],
        evaluation_splits=[split],
        few_shots_split=split,
        metrics=[
            SampleLevelMetric(
                metric_name=SUITE,
                higher_is_better=True,
                category=SamplingMethod.GENERATIVE,
                sample_level_fn=RowScore(),
                corpus_level_fn=summarise_rows,
            )
        ],
        generation_size=GENERATION_SIZE,
        stop_sequence=[],
        version=PROMPT_VERSION,
    )
