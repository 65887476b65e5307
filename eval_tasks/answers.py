"""Files of answers: one JSON object a line, and their scores without lighteval.

A line holds `instance_id` (or `case_id`) and `completion`, what the model wrote; beside them may
stand `finish_reason` as OpenAI's protocol names it (`length` marks a completion that was cut off),
`status` (`error` or `too_long`, where there is no completion) with a `reason`, and `request`, a hash
of what was asked. Other fields are refused, so that a misspelt one is not taken for absent.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from eval_tasks.errors import AnswersError
from eval_tasks.json_lines import without_halves
from eval_tasks.question import Question
from eval_tasks.release import Release
from eval_tasks.rows import read_questions
from eval_tasks.scoring import Score, score, unanswered
from eval_tasks.summary import ScoredRow

GENERATION_SIZE = 8192
"""Tokens that a model may write, reasoning included."""
CUT_OFF = ("length", "max_tokens")
"""Finish reasons of a completion that ends at a token limit."""
NO_ROOM = "model_length"
"""Finish reason, in inspect's words, where the prompt and its answer exceed the model's context."""
FILTERED = ("content_filter", "refusal")
"""Finish reasons of a completion that was withheld."""
_SHOWN = 5


class Reply(BaseModel):
    """What a model, or the machinery around it, gave for a row.

    Attributes:
        instance_id: The row's id.
        completion: What the model wrote; null where nothing came.
        finish_reason: Why it stopped.
        status: Why there is no completion: the backend failed, or the prompt was too long for it.
        reason: The same in words.
        request: Hash of what was asked, where it is known.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    instance_id: str = Field(min_length=1, validation_alias=AliasChoices("instance_id", "case_id"))
    completion: str | None = None
    finish_reason: str | None = None
    status: Literal["error", "too_long"] | None = None
    reason: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A question, the score of its answer, and the row for the summary."""

    question: Question
    result: Score
    row: ScoredRow


def read_replies(path: Path) -> list[Reply]:
    """Return the answers in a file.

    Raises:
        AnswersError: The file is missing, empty, no JSONL of answers, or names a row twice.
    """
    replies: list[Reply] = []
    lines: dict[str, int] = {}
    for number, line in read_lines(path):
        reply = parsed(line, f"{path}:{number}")
        first = lines.setdefault(reply.instance_id, number)
        if first != number:
            raise AnswersError(
                f"{path}:{number}: {reply.instance_id} was answered in line {first} already; "
                "leave one answer for each row"
            )
        replies.append(reply)
    return replies


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file that are not blank, with their numbers from 1.

    A byte order mark, which editors on Windows put before the text, is no part of it.

    Raises:
        AnswersError: The file cannot be read or holds nothing.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise AnswersError(f"{path} is no UTF-8 text; give a JSONL file of answers") from error
    except OSError as error:
        raise AnswersError(
            f"cannot read {path} ({error.strerror}); give a file of answers"
        ) from error
    if not text.strip():
        raise AnswersError(f"{path} is empty; give a file with one answer a line")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def parsed(line: str, where: str) -> Reply:
    """Return the answer that a line holds.

    Raises:
        AnswersError: It holds none.
    """
    try:
        return Reply.model_validate_json(without_halves(line))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise AnswersError(
            f"{where}: no answer ({field + ': ' if field else ''}{first['msg']}); a line is one JSON "
            f"object with instance_id and completion, and perhaps {', '.join(_OPTIONAL)}"
        ) from error


def score_reply(question: Question, reply: Reply | None) -> Score:
    """Return the score of what was given for a row; None where nothing was.

    Raises:
        GoldError: The row's own answer is broken.
    """
    if reply is None:
        return unanswered("missing", "the file of answers lacks the row")
    if reply.status:
        return unanswered(reply.status, reply.reason or reply.status)
    if reply.finish_reason == NO_ROOM:
        return unanswered("too_long", f"finish reason {NO_ROOM}")
    result = score(question, reply.completion, cut_off=reply.finish_reason in CUT_OFF)
    if reply.finish_reason in FILTERED and result.status in ("empty", "unparseable", "error"):
        return replace(result, status="refused", reason=f"finish reason {reply.finish_reason}")
    return result


def score_replies(
    release: Release,
    replies: Sequence[Reply],
    split: str,
    *,
    configs: Sequence[str] = (),
    partial: bool = False,
) -> dict[str, list[Scored]]:
    """Return the scored rows of every config, in the order of the release.

    Args:
        release: What was asked.
        replies: What was answered, each row once.
        split: Name of the split.
        configs: Configs to score; if none, those that an answer belongs to.
        partial: Leave out rows without an answer, which score 0 otherwise.

    Raises:
        AnswersError: There is no answer, or one to a row that is not in the configs' split.
        UnknownNameError: The release lacks a config or its split.
        GoldError: A row's own answer is broken.
    """
    names = release.chosen(tuple(configs), split)
    asked = {name: read_questions(release, name, split) for name in names}
    given = {reply.instance_id: reply for reply in replies}
    _check_known(given, asked, f"the split {split} of {', '.join(names)} in {release.repo}")
    scored = {}
    for name, questions in asked.items():
        answered = [question for question in questions if question.id in given]
        if configs or answered:
            floors = release.baselines(name, split)
            chosen = answered if partial else questions
            scored[name] = [
                _scored(question, given.get(question.id), floors[question.task_id].floor)
                for question in chosen
            ]
    return scored


def _scored(question: Question, reply: Reply | None, floor: float) -> Scored:
    result = score_reply(question, reply)
    return Scored(question=question, result=result, row=ScoredRow.of(question, floor, result))


def _check_known(
    given: Mapping[str, Reply], asked: Mapping[str, Iterable[Question]], where: str
) -> None:
    known = {question.id for questions in asked.values() for question in questions}
    unknown = [name for name in given if name not in known]
    if unknown:
        shown = ", ".join(unknown[:_SHOWN]) + (", ..." if len(unknown) > _SHOWN else "")
        raise AnswersError(
            f"{len(unknown)} of {len(given)} answers are to no row of {where}: {shown}; score them "
            "on the release, configs and split that were asked"
        )
    if not given:
        raise AnswersError(f"there is no answer to a row of {where}")


_OPTIONAL = tuple(name for name in Reply.model_fields if name not in ("instance_id", "completion"))
