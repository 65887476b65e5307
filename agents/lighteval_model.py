"""The agent as a lighteval custom model: `lighteval custom NAME agents/lighteval_model.py TASKS`.

NAME is the model's name at the endpoint. The endpoint and the budgets come from the YAML file that
HEALTHLOOPQA_AGENT names, or the endpoint alone from OPENAI_BASE_URL. Every row's trace is a line of
a JSONL file; a row whose trace is there already is not run again.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from lighteval.models.custom.custom_model import CustomModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from agents.errors import AgentError
from agents.run import Assignment, run_row
from agents.settings import AgentSettings, load_settings
from agents.tables import TABLES_TEXT, record_tables
from agents.trace import RowTrace, TraceFile
from endpoints.chat import Client
from eval_tasks import custom_model
from eval_tasks.lighteval_adapter import noted_of
from eval_tasks.record import read_record

_RECORD = "\n\n# Record\n"
_QUESTION = "\n\n# Question\n"


class AgentModel(custom_model.WritingModel):
    """An agent over the model that the config names."""

    def __init__(self, config: CustomModelConfig) -> None:
        super().__init__(config)
        self._settings = load_settings()
        self.note(temperature=self._settings.temperature, max_tokens=self._settings.reply_tokens)

    def greedy_until(self, docs: list[Doc]) -> list[ModelResponse]:
        """Return the agent's answer to each document."""
        asked = [assignment(doc) for doc in docs]
        traces = TraceFile(self._settings.traces)
        with (
            Client(self._settings.endpoint(self.config.model_name)) as client,
            ThreadPoolExecutor(self._settings.workers) as workers,
        ):
            run = partial(_run_once, client, self._settings, traces)
            return [
                ModelResponse(input=question.question, text=[trace.completion])
                for question, trace in zip(asked, workers.map(run, asked), strict=True)
            ]


def assignment(doc: Doc) -> Assignment:
    """Return what the agent is asked: the prompt with the record taken out of it, as tables.

    Raises:
        AgentError: The prompt shows no record, or a part of it only.
        EvaluationError: Its record cannot be read.
    """
    name = noted_of(doc)["id"]
    head, found, rest = doc.query.partition(_RECORD)
    if not found:
        raise AgentError(f"{name}: there is no record to compute with; ask it without the agent")
    record, _, task = rest.partition(_QUESTION)
    shown = read_record(record)
    if shown.start:
        raise AgentError(f"{name}: the agent needs prompts that show the whole record")
    return Assignment(
        id=name,
        question=f"{head}{_RECORD}{TABLES_TEXT}{_QUESTION}{task}",
        tables=record_tables(shown.context),
    )


def _run_once(
    client: Client, settings: AgentSettings, traces: TraceFile, asked: Assignment
) -> RowTrace:
    kept = traces.get(asked.key(settings.fingerprint(client.endpoint.model)))
    if kept is not None:
        return kept
    trace = run_row(client, settings, asked)
    traces.add(trace)
    return trace
