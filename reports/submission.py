"""From lighteval's results to an entry of a leaderboard: `.eval_results/*.yaml` of a model repository.

Nothing is taken on trust: every completion in the details is scored anew against the release, and a
run that is limited, mixed, or says other numbers than its details is refused.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from huggingface_hub import CommitOperationAdd, EvalResultEntry, HfApi, eval_result_entries_to_yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval_tasks.answers import Reply, score_reply
from eval_tasks.baselines import Baseline
from eval_tasks.forms import DEFAULT_FORM, SUITE, TEST_SPLIT, form_of
from eval_tasks.horizons import shown_part
from eval_tasks.hub import HubError, hub_errors, patiently, require_token
from eval_tasks.privacy import is_private
from eval_tasks.question import LONGEVITY, Question
from eval_tasks.release import (
    EVALUATED_CONFIGS,
    HUB_REPOSITORY,
    Release,
    downloaded,
    folder_revision,
)
from eval_tasks.rows import read_questions, read_rows
from eval_tasks.scoring import STATUSES
from eval_tasks.summary import TASK_TYPES, ScoredRow, flat, nested, summarise
from eval_tasks.version import PROMPT_VERSION
from reports.entries import RESULTS_FOLDER, entry_of, listed
from reports.errors import ReportError
from reports.measures import OVERALL, Measure, measures
from reports.notes import MODEL_NAME, NO_TOOLS, TOOLS, WEB_ADDRESS, Measured, Notes, Part
from reports.traces import AGENT

AGENT_FILE = ("agents", "lighteval_model.py")
REFERENCE_FILE = ("eval_tasks", "reference_models.py")
"""Files that define lighteval's custom models, by their last two parts."""
TOLERANCE = 1e-9
"""Difference up to which a claimed number is the one that the details give."""
_SEED = "seed"
_TASK = re.compile(
    rf"{SUITE}(?:_(?P<split>(?!(?:structured|timelined)_)[a-z]+))?"
    r"(?:_(?P<style>structured|timelined)_(?P<days>\d+)d)?:(?P<config>\w+)(?:\|0)?"
)
_DETAILS = (
    "doc.specific.id",
    "doc.specific.question",
    "model_response.text",
    "model_response.text_post_processed",
    f"metric.{SUITE}.finish_reason",
    f"metric.{SUITE}.failure",
)


class SubmissionError(ReportError):
    """Results that cannot be submitted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a model was asked.

    Attributes:
        style: Prompt style; `agent` where the model computes on the record instead of reading it.
        days: Days of record that a prompt shows.
        tools: What the model may use, `none` where nothing.
    """

    style: str
    days: int
    tools: str

    @property
    def name(self) -> str:
        """Return a name for files and titles."""
        parts = [self.style, f"{self.days}d", *([] if self.tools == NO_TOOLS else ["tools"])]
        return "_".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the name of a lighteval task says."""

    config: str
    split: str
    style: str
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who was asked what, and where logs or a report can be seen."""

    model: str
    release: Release
    source_url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What is submitted.

    Attributes:
        model: Repository of the model.
        version: Release version.
        setting: How the model was asked.
        reports: By config, the object that `summary.nested` documents, computed anew.
        entries: One for each config.
    """

    model: str
    version: str
    setting: Setting
    reports: Mapping[str, Mapping[str, Any]]
    entries: tuple[EvalResultEntry, ...]

    @property
    def path(self) -> str:
        """Return the path in the model's repository: a file for each version and setting."""
        return f"{RESULTS_FOLDER}/{SUITE}_{self.version}_{self.setting.name}.yaml"

    @property
    def title(self) -> str:
        """Return the title of the pull request."""
        return f"Add HealthLoopQA {self.version} results, {self.setting.name}"

    def as_yaml(self) -> str:
        """Return the text of the file."""
        listed = eval_result_entries_to_yaml(list(self.entries))
        return yaml.safe_dump(listed, sort_keys=False, allow_unicode=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """What whole, unmixed runs of one model give.

    Attributes:
        model: Its name in lighteval's results.
        setting: How it was asked.
        rows: By config, the scores of all rows, computed anew.
        generation: By config, the settings under which it wrote, where lighteval records them: name
            and value as JSON.
    """

    model: str
    setting: Setting
    rows: Mapping[str, Sequence[ScoredRow]]
    generation: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


class _Part(BaseModel):
    """A part of lighteval's results that is read here; it holds more."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Definition(_Part):
    model_definition_file_path: str = ""
    generation_parameters: dict[str, Any] = Field(default_factory=dict)
    system_prompt: str | None = None

    @property
    def generation(self) -> dict[str, str]:
        """Return what is set that changes what a model writes; a seed only draws anew."""
        held = {**self.generation_parameters, "system_prompt": self.system_prompt}
        return {
            name: json.dumps(value)
            for name, value in sorted(held.items())
            if value is not None and name != _SEED
        }


class _General(_Part):
    model_name: str
    max_samples: int | None
    definition: _Definition = Field(default_factory=_Definition, alias="model_config")


class _TaskConfig(_Part):
    hf_revision: str
    version: int
    generation_size: int | None = None


class _Results(_Part):
    config_general: _General
    config_tasks: dict[str, _TaskConfig]
    results: dict[str, dict[str, float]]


class _Specific(_Part):
    id: str
    question: str


class _Doc(_Part):
    specific: _Specific


class _Response(_Part):
    text: list[str | None]
    text_post_processed: list[str | None] | None


class _Metric(_Part):
    finish_reason: str
    failure: str


class _Metrics(_Part):
    healthloopqa: _Metric


class _Detail(_Part):
    doc: _Doc
    model_response: _Response
    metric: _Metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One task of one results file.

    Attributes:
        name: Name of the task.
        task: What it says.
        file: The results file.
        model: Name of the model.
        limited: Whether not all rows were asked.
        defined_by: Last two parts of the file that defines a custom model.
        about: Release and version of the prompts.
        claimed: What it states, as `summary.flat` names it.
    """

    name: str
    task: Task
    file: Path
    model: str
    limited: bool
    defined_by: tuple[str, ...]
    generation: Mapping[str, str]
    about: _TaskConfig
    claimed: Mapping[str, float]

    @property
    def time(self) -> str:
        """Return when it ended, as lighteval writes it."""
        return self.file.stem.removeprefix("results_")

    @property
    def agent(self) -> bool:
        """Whether the model computed on the records."""
        return self.defined_by == AGENT_FILE

    @property
    def style(self) -> str:
        """Return the prompt style."""
        return AGENT if self.agent else self.task.style


def parse_task(name: str) -> Task | None:
    """Return what a lighteval task's name says; None where it is no task of this benchmark.

    >>> parse_task("healthloopqa_timelined_7d:simulated|0")
    Task(config='simulated', split='test', style='timelined', days=7)
    """
    found = _TASK.fullmatch(name)
    if found is None or found["config"] not in EVALUATED_CONFIGS:
        return None
    return Task(
        config=found["config"],
        split=found["split"] or TEST_SPLIT,
        style=found["style"] or DEFAULT_FORM.style,
        days=int(found["days"] or DEFAULT_FORM.days),
    )


def submission(
    results: Path,
    release: Release,
    model: str,
    *,
    tools: str | None = None,
    source_url: str | None = None,
) -> Submission:
    """Return what to submit of lighteval's output.

    Args:
        results: Folder that was lighteval's `--output-dir`, of runs with `--save-details`.
        release: The release that was evaluated on.
        model: Repository of the model.
        tools: What the model could use; if None, Python for agents and nothing otherwise.
        source_url: Where logs or a report can be seen.

    Raises:
        SubmissionError: The runs are limited, mixed, incomplete, or do not give what they claim; or
            the leaderboard would leave them out.
        ReleaseError: The release is not whole or cannot be reached.
    """
    asked = Asked(model=_named(model), release=_public(release), source_url=_address(source_url))
    runs, setting, rows = _checked(results, release, tools)
    made = Submission(
        model=model,
        version=release.version,
        setting=setting,
        reports={config: nested(flat(summarise(scored))) for config, scored in rows.items()},
        entries=tuple(_entry(run, asked, setting, rows[run.task.config]) for run in runs),
    )
    _check_reference(runs, made)
    _check_taken(made)
    return made


def _named(model: str) -> str:
    if re.fullmatch(MODEL_NAME, model) is None:
        raise SubmissionError(f"{model!r} is no name of a repository; write owner/name")
    return model


def _address(url: str | None) -> str | None:
    if url is not None and re.fullmatch(WEB_ADDRESS, url) is None:
        raise SubmissionError(f"--source-url {url!r} is no address as in https://example.org/logs")
    return url


def _check_reference(runs: Sequence[Run], made: Submission) -> None:
    """Check that a reference model's results are not submitted as another one's.

    Raises:
        SubmissionError: They are.
    """
    names = {run.model for run in runs if run.defined_by == REFERENCE_FILE}
    different = sorted(names - {made.model.rpartition("/")[2]})
    if different:
        owner = made.entries[0].dataset_id.partition("/")[0]
        raise SubmissionError(
            f"the runs are of the reference model {different[0]}, not of {made.model}; reference "
            f"models stand as {owner}/{different[0]}"
        )


def _check_taken(made: Submission) -> None:
    """Check that the leaderboard would take every entry.

    Raises:
        SubmissionError: It would leave one out.
    """
    for item, entry in zip(listed(made.as_yaml()), made.entries, strict=True):
        try:
            entry_of(item, made.path, entry.dataset_id, made.model)
        except ReportError as error:
            raise SubmissionError(
                f"the leaderboard would leave out {made.model} on {entry.task_id}: {error}"
            ) from error


def _public(release: Release) -> Release:
    if is_private(release):
        raise SubmissionError(f"{release.repo} is private: results on it are not published")
    return release


def evaluated(results: Path, release: Release) -> Evaluated:
    """Return what lighteval's output gives, held to what `submission` asks of it.

    Args:
        results: Folder that was lighteval's `--output-dir`, of runs with `--save-details`.
        release: The release that was evaluated on.

    Raises:
        SubmissionError: The runs are limited, mixed, incomplete, or do not give what they claim.
        ReleaseError: The release is not whole or cannot be reached.
    """
    runs, setting, rows = _checked(results, release, None)
    return Evaluated(
        model=runs[0].model,
        setting=setting,
        rows=rows,
        generation={run.task.config: _generation(run) for run in runs},
    )


def _generation(run: Run) -> Mapping[str, str]:
    size = run.about.generation_size
    return {**run.generation, **({} if size is None else {"generation_size": str(size)})}


def _checked(
    results: Path, release: Release, tools: str | None
) -> tuple[list[Run], Setting, dict[str, list[ScoredRow]]]:
    """Return runs that are whole and belong together, how they were asked, and their scores."""
    runs = list(runs_below(results))
    if not runs:
        raise SubmissionError(
            f"{results} holds no results of {SUITE}; name lighteval's --output-dir"
        )
    setting = _setting(runs, tools)
    _check_unmixed(runs, release)
    local = downloaded(release, [run.task.config for run in runs])
    return runs, setting, {run.task.config: _rows(run, results, local) for run in runs}


def propose(api: HfApi, made: Submission) -> str:
    """Open a pull request with the results in the model's repository and return its address.

    Args:
        api: Client of the Hub.
        made: What to submit.

    Raises:
        HubError: The Hub refuses or cannot be reached, or the results are there or proposed already.
    """
    require_token()
    with hub_errors(made.model):
        known = _proposal(api, made)
    if known:
        raise HubError(f"{known} proposes these results already; close it to submit others")
    return patiently(made.model, lambda: _proposal(api, made) or _open(api, made))


def _proposal(api: HfApi, made: Submission) -> str | None:
    """Return the address of the open pull request of the same title."""
    requests = api.get_repo_discussions(
        made.model, discussion_type="pull_request", discussion_status="open"
    )
    return next((request.url for request in requests if request.title == made.title), None)


def _open(api: HfApi, made: Submission) -> str:
    done = api.create_commit(
        made.model,
        operations=[
            CommitOperationAdd(path_in_repo=made.path, path_or_fileobj=made.as_yaml().encode())
        ],
        commit_message=made.title,
        create_pr=True,
    )
    if done.pr_url is None:
        raise HubError(f"{made.model} holds these results already")
    return done.pr_url


def runs_below(folder: Path) -> Iterator[Run]:
    """Yield the tasks of this benchmark in all results files below a folder.

    Raises:
        SubmissionError: A file is no results file of lighteval.
    """
    for file in sorted(folder.rglob("results_*.json")):
        try:
            read = _Results.model_validate(json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError) as error:
            reason = str(error).splitlines()[0]
            raise SubmissionError(f"{file} is no results file of lighteval: {reason}") from error
        for name, claimed in read.results.items():
            task = parse_task(name)
            if task is not None and name not in read.config_tasks:
                raise SubmissionError(f"{file} tells results of {name}, but not how it was asked")
            if task is not None:
                yield Run(
                    name=name,
                    task=task,
                    file=file,
                    model=read.config_general.model_name,
                    limited=read.config_general.max_samples is not None,
                    defined_by=_last_two(read.config_general.definition),
                    generation=read.config_general.definition.generation,
                    about=read.config_tasks[name],
                    claimed=claimed,
                )


def _last_two(definition: _Definition) -> tuple[str, ...]:
    return Path(definition.model_definition_file_path).parts[-2:]


def _check_unmixed(runs: Sequence[Run], release: Release) -> None:
    """Check that the runs are whole and belong together and to the release.

    Raises:
        SubmissionError: They do not.
    """
    known = {release.revision, folder_revision(release.version, release.content_sha256)}
    for run in runs:
        if run.limited:
            raise SubmissionError(f"{run.file}: the run is limited (--max-samples); run all rows")
        if run.task.split != TEST_SPLIT:
            raise SubmissionError(f"{run.file}: {run.name} is not the split {TEST_SPLIT}")
        if run.about.version != PROMPT_VERSION:
            raise SubmissionError(
                f"{run.file}: {run.name} has prompts of version {run.about.version}, this code of "
                f"{PROMPT_VERSION}; run it again, or submit with the code that ran it"
            )
    revisions = {run.about.hf_revision for run in runs}
    if len(revisions - known) and len(revisions) > 1:
        raise SubmissionError(
            f"the runs are mixed between releases: {', '.join(sorted(revisions))}; submit those of "
            "one release"
        )
    if revisions - known:
        raise SubmissionError(
            f"the runs are on {revisions.pop()}, not on release {release.version} of {release.repo} "
            f"({release.revision}); name the right one with --release"
        )
    _check_single([run.model for run in runs], "models")
    _check_single([told_settings(run.generation) for run in runs], "generation settings")
    twice = [task for task, n in Counter(run.task.config for run in runs).items() if n > 1]
    if twice:
        raise SubmissionError(
            f"there are several runs of {twice[0]}; leave one for each config in the folder"
        )


def told_settings(generation: Mapping[str, str]) -> str:
    """Return generation settings as a message names them."""
    return " ".join(f"{name}={value}" for name, value in generation.items()) or "none recorded"


def _check_single(values: Iterable[str], what: str) -> None:
    different = sorted(set(values))
    if len(different) > 1:
        raise SubmissionError(
            f"the runs are of different {what}: {', '.join(different)}; submit one at a time"
        )


def _setting(runs: Sequence[Run], tools: str | None) -> Setting:
    """Return how the model was asked; longevity cases have one prompt only and fit any setting."""
    _check_single(["an agent" if run.agent else "no agent" for run in runs], "kinds")
    asked = [run for run in runs if run.task.config != LONGEVITY] or runs[:1]
    _check_single([f"{run.style} {run.task.days} d" for run in asked], "prompt styles or horizons")
    first = asked[0]
    used = (tools or ("python" if first.agent else NO_TOOLS)).lower()
    if re.fullmatch(TOOLS, used) is None:
        raise SubmissionError(f"--tools {used!r}: name them in a few plain words")
    if first.agent and used == NO_TOOLS:
        raise SubmissionError("the runs are an agent's, which uses Python; leave --tools out")
    return Setting(style=first.style, days=first.task.days, tools=used)


def _rows(run: Run, results: Path, release: Release) -> list[ScoredRow]:
    """Return the scores of a run's rows, from its details.

    Raises:
        SubmissionError: They are missing or not whole, or the run claims something else.
    """
    config = run.task.config
    rows = _rescored(
        _details(run, results),
        {question.id: question for question in _questions(release, run.task)},
        release.baselines(config, TEST_SPLIT),
        run,
    )
    found = flat(summarise(rows))
    for name in sorted(found.keys() | run.claimed.keys()):
        claimed, computed = run.claimed.get(name, math.inf), found.get(name, math.inf)
        if not _equal(claimed, computed):
            raise SubmissionError(
                f"{run.file}: {run.name} claims {name} = {claimed}, but its details give {computed}"
            )
    return rows


def _equal(claimed: float, computed: float) -> bool:
    if math.isnan(claimed) or math.isnan(computed):
        return math.isnan(claimed) and math.isnan(computed)
    return abs(claimed - computed) <= TOLERANCE


def _details(run: Run, results: Path) -> list[_Detail]:
    """Return the details of a run, without prompts."""
    name = f"details_{run.name}_{run.time}.parquet"
    found = [path for path in results.rglob("details_*.parquet") if path.name == name]
    if not found:
        raise SubmissionError(f"{run.file}: there is no {name}; run again with --save-details")
    try:
        rows = pq.ParquetFile(found[0]).read(columns=list(_DETAILS)).to_pylist()
        return [_Detail.model_validate(row) for row in rows]
    except (OSError, pa.ArrowException, ValidationError) as error:
        reason = str(error).splitlines()[0]
        raise SubmissionError(f"{found[0]} cannot be read: {reason}") from error


def _questions(release: Release, task: Task) -> list[Question]:
    """Return the questions that a task asks of the release, checked against its manifest."""
    if task.config == LONGEVITY or task.days == DEFAULT_FORM.days:
        return read_questions(release, task.config, task.split)
    form = form_of(DEFAULT_FORM.style, task.days)
    return [
        Question.from_row(row)
        for row in read_rows(release, task.config, task.split)
        if shown_part(row, form.days) is not None
    ]


def _rescored(
    details: Sequence[_Detail],
    questions: Mapping[str, Question],
    baselines: Mapping[str, Baseline],
    run: Run,
) -> list[ScoredRow]:
    """Return the scores of the completions in the details, one for each row of the release."""
    ids = Counter(detail.doc.specific.id for detail in details)
    wrong = [name for name, n in ids.items() if n > 1 or name not in questions]
    wrong += [name for name in questions if name not in ids]
    if wrong:
        raise SubmissionError(
            f"{run.file}: the details of {run.name} hold {len(details)} rows, the release "
            f"{len(questions)}; {wrong[0]} is missing, foreign or there twice"
        )
    return [
        _scored(detail, questions[detail.doc.specific.id], baselines, run) for detail in details
    ]


def _scored(
    detail: _Detail, question: Question, baselines: Mapping[str, Baseline], run: Run
) -> ScoredRow:
    if Question.from_json(detail.doc.specific.question) != question:
        raise SubmissionError(f"{run.file}: {question.id} is not asked as in the release")
    response = detail.model_response
    texts = response.text if response.text_post_processed is None else response.text_post_processed
    try:
        reply = Reply.model_validate(
            {
                "instance_id": question.id,
                "completion": texts[0] if texts else None,
                "finish_reason": detail.metric.healthloopqa.finish_reason or None,
                "status": detail.metric.healthloopqa.failure or None,
            }
        )
    except ValidationError as error:
        raise SubmissionError(f"{run.file}: {question.id} came about in no known way") from error
    return ScoredRow.of(question, baselines[question.task_id].floor, score_reply(question, reply))


def _entry(run: Run, asked: Asked, setting: Setting, rows: Sequence[ScoredRow]) -> EvalResultEntry:
    """Return an entry whose value is the skill; everything else stands in its notes.

    Raises:
        SubmissionError: No task of the config has a skill.
    """
    skill = summarise(rows).overall.skill
    if math.isnan(skill):
        raise SubmissionError(f"{run.name}: no task tells models apart; there is nothing to submit")
    release = asked.release
    return EvalResultEntry(
        dataset_id=HUB_REPOSITORY if release.is_folder else release.repo,
        task_id=run.task.config,
        value=skill,
        dataset_revision=release.version if release.is_folder else release.revision,
        date=run.time[:10],
        source_url=asked.source_url,
        notes=_notes(run, asked, setting, rows).as_text(),
    )


def _notes(run: Run, asked: Asked, setting: Setting, rows: Sequence[ScoredRow]) -> Notes:
    found = {one.group: one for one in measures(pd.DataFrame(map(asdict, rows)))}
    statuses = Counter(row.status for row in rows)
    types = [name for name in TASK_TYPES if name in found]
    recorded = run.task.config != LONGEVITY
    whole = found[OVERALL]
    return Notes(
        model=asked.model,
        version=asked.release.version,
        prompt=setting.style if recorded else None,
        horizon=f"{setting.days}d" if recorded else None,
        tools=setting.tools,
        prompts=run.about.version,
        reference="yes" if run.defined_by == REFERENCE_FILE else "no",
        n=whole.n,
        clusters=whole.clusters,
        skill=Measured.of(whole.skill),
        score=Measured.of(whole.score),
        statuses={status: statuses[status] for status in STATUSES},
        parts={name: _part(found[name]) for name in types} if len(types) > 1 else {},
        content=asked.release.content_sha256[:16],
    )


def _part(measured: Measure) -> Part:
    skill = None if math.isnan(measured.skill.value) else Measured.of(measured.skill)
    return Part(n=measured.n, skill=skill, score=Measured.of(measured.score))
