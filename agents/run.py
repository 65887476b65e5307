"""One row through the agent: steps over the tables, then one JSON answer."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from smolagents.memory import ActionStep
from smolagents.utils import AgentError as SmolagentsError
from smolagents.utils import AgentMaxStepsError

from agents.budget import Budget, BudgetError
from agents.code_agent import EndpointModel, SandboxExecutor, code_agent
from agents.sandbox import Sandbox, Snippet, Table
from agents.settings import AgentSettings
from agents.trace import RowTrace, RunStatus, Step
from endpoints.chat import Client, conversation
from endpoints.errors import EndpointError

_LONGEST_NOTE = 4000
_SECOND_STAGE = (
    "You turn the notes of an analysis into its answer. You add no reasoning of your own. Write "
    "nothing but one JSON object of the form that is asked for."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """What an agent is asked.

    Attributes:
        id: The row's id.
        question: Patient, question, instruction and form of the answer, without the record.
        tables: The record.
    """

    id: str
    question: str
    tables: Mapping[str, Table]

    def key(self, fingerprint: str) -> str:
        """Return the key under which a trace may be reused."""
        tables = json.dumps(dict(self.tables), sort_keys=True, default=list)
        text = "\n".join((fingerprint, self.id, self.question, tables))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    status: RunStatus
    reason: str = ""
    final: Any = None


def run_row(client: Client, settings: AgentSettings, asked: Assignment) -> RowTrace:
    """Return what an agent does with a row; a failure is part of it, never raised.

    Raises:
        SandboxError: The sandbox cannot be had.
    """
    budget = Budget(settings.row_seconds, settings.row_tokens)
    model = EndpointModel(
        client, budget, max_tokens=settings.reply_tokens, temperature=settings.temperature
    )
    with Sandbox(asked.tables, settings.limits(), unsafe=settings.unsafe) as sandbox:
        executor = SandboxExecutor(sandbox)
        agent = code_agent(model, executor, settings.max_steps)
        end = _stepped(agent, asked.question)
        layers = sandbox.layers
    steps = _steps(agent.memory.steps, executor.snippets)
    end, completion = _answered(model, asked, steps, end)
    return RowTrace(
        key=asked.key(settings.fingerprint(client.endpoint.model)),
        id=asked.id,
        model=client.endpoint.model,
        status=end.status,
        reason=end.reason,
        steps=steps,
        final=end.final,
        completion=completion,
        calls=budget.calls,
        input_tokens=budget.input_tokens,
        output_tokens=budget.output_tokens,
        estimated=budget.estimated,
        cost=settings.price().of(budget.input_tokens, budget.output_tokens),
        seconds=round(budget.seconds, 3),
        layers=layers,
    )


def _stepped(agent: Any, question: str) -> _End:
    try:
        final = agent.run(question)
    except SmolagentsError as error:
        return _end_of(error)
    last = agent.memory.steps[-1]
    if isinstance(getattr(last, "error", None), AgentMaxStepsError):
        return _End(status="steps", reason="no answer within the steps", final=final)
    return _End(status="answered", final=final)


def _end_of(error: BaseException) -> _End:
    """Return how a run ended that an error has ended."""
    cause = error.__cause__
    if isinstance(cause, BudgetError):
        return _End(status=cause.status, reason=str(cause))
    return _End(status="error", reason=str(cause or error)[:500])


def _answered(
    model: EndpointModel, asked: Assignment, steps: tuple[Step, ...], end: _End
) -> tuple[_End, str]:
    """Return the one JSON answer that the notes of a run amount to; budgets do not stop it."""
    if not steps or end.status == "error":
        return end, ""
    notes = "\n\n".join(
        f"Step {step.number}\n{step.written[-_LONGEST_NOTE:]}\n"
        f"Result: {(step.observed or step.error)[-_LONGEST_NOTE:]}"
        for step in steps
    )
    ask = (
        f"# Task\n{asked.question}\n\n# Notes\n{notes}\n\n# Result\n{_shown(end.final)}\n\n"
        'Write the answer as one JSON object {"answer": ...} of the form above.'
    )
    try:
        return end, model.ask(conversation(_SECOND_STAGE, ask), beyond_budget=True).text
    except EndpointError as error:
        return _End(status="error", reason=str(error)[:500], final=end.final), ""


def _shown(final: object) -> str:
    if final is None:
        return "none"
    return final if isinstance(final, str) else json.dumps(final, default=str)


def _steps(memory: list[Any], snippets: list[tuple[str, Snippet]]) -> tuple[Step, ...]:
    """Return smolagents' steps with what the sandbox noted of their code."""
    waiting = list(snippets)
    return tuple(_step(step, waiting) for step in memory if isinstance(step, ActionStep))


def _step(step: ActionStep, waiting: list[tuple[str, Snippet]]) -> Step:
    code = step.code_action or ""
    ran = waiting.pop(0)[1] if code and waiting and waiting[0][0] == code else None
    usage = step.token_usage
    return Step(
        number=step.step_number,
        written=str(step.model_output or ""),
        code=code,
        observed=step.observations or "",
        error=str(step.error) if step.error else "",
        snippet=ran.status if ran else "",
        attempts=ran.attempts if ran else (),
        input_tokens=usage.input_tokens if usage else 0,
        output_tokens=usage.output_tokens if usage else 0,
        seconds=round(step.timing.duration or 0.0, 3),
    )
