"""An OpenAI-compatible endpoint as a lighteval custom model: `lighteval custom NAME <this file> ...`.

HEALTHLOOPQA_ENDPOINT holds, as JSON, the fields of `eval_tasks.endpoint.Endpoint`;
HEALTHLOOPQA_STORE the folder of the answers, one file for each task, and below it of all that was
ever answered; HEALTHLOOPQA_PROGRESS, if set, asks for a line on standard error after each reply. It
is used in place of `lighteval endpoint litellm` because that takes errors, timeouts and empty
replies for the same and keeps them in its cache. Prompts, metrics and results are lighteval's as
ever; its cache is not used, since the store is keyed by the whole request.
"""

import os
import sys
from collections import defaultdict
from functools import partial
from pathlib import Path

from lighteval.models.custom.custom_model import CustomModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc
from pydantic import ValidationError

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from eval_tasks import custom_model
from eval_tasks.endpoint import Endpoint, Prompt, ask_all
from eval_tasks.errors import EvaluationError
from eval_tasks.lighteval_adapter import noted_of, response_of
from eval_tasks.runner import (
    ENDPOINT_VARIABLE,
    PROGRESS_LINE,
    PROGRESS_VARIABLE,
    STORE_VARIABLE,
)


class EndpointModel(custom_model.WritingModel):
    """A model behind an endpoint."""

    def __init__(self, config: CustomModelConfig) -> None:
        super().__init__(config)
        self._endpoint = _endpoint()
        self.note(temperature=self._endpoint.temperature, max_tokens=self._endpoint.max_tokens)
        self._store = Path(os.environ.get(STORE_VARIABLE, "answers"))

    @property
    def max_length(self) -> int:
        """Return the most tokens a completion may have."""
        return self._endpoint.max_tokens

    def greedy_until(self, docs: list[Doc]) -> list[ModelResponse]:
        """Return what the endpoint replies to each document.

        Raises:
            EvaluationError: More documents of a task failed than may, or the endpoint refuses all.
        """
        by_task: defaultdict[str, list[Doc]] = defaultdict(list)
        for doc in docs:
            by_task[doc.task_name].append(doc)
        replies = {
            (task, reply.instance_id): reply
            for task, asked in by_task.items()
            for reply in ask_all(
                self._endpoint,
                [Prompt(id=noted_of(doc)["id"], text=doc.query) for doc in asked],
                self._store / f"{_name(task).replace(':', '-')}.jsonl",
                partial(_tell, _name(task)),
            )
        }
        return [response_of(doc, replies[doc.task_name, noted_of(doc)["id"]]) for doc in docs]


def _name(task: str) -> str:
    return task.partition("|")[0]


def _tell(task: str, done: int, total: int) -> None:
    if os.environ.get(PROGRESS_VARIABLE):
        sys.stderr.write(f"\n{PROGRESS_LINE.format(task=task, done=done, total=total)}\n")
        sys.stderr.flush()


def _endpoint() -> Endpoint:
    try:
        return Endpoint.model_validate_json(os.environ.get(ENDPOINT_VARIABLE, ""))
    except ValidationError as error:
        first = error.errors()[0]
        raise EvaluationError(
            f"{ENDPOINT_VARIABLE} describes no endpoint ({'.'.join(map(str, first['loc']))}: "
            f'{first["msg"]}); set it to JSON such as {{"url": "http://HOST/v1", "model": "NAME"}}'
        ) from error
