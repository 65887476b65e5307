"""smolagents' CodeAgent with the endpoint client as its model and the sandbox as its executor."""

from collections.abc import Sequence
from typing import Any

from smolagents import CodeAgent, LogLevel
from smolagents.local_python_executor import CodeOutput, PythonExecutor
from smolagents.models import ChatMessage, MessageRole, Model
from smolagents.monitoring import TokenUsage

from agents.budget import Budget
from agents.interpreter import IMPORTABLE
from agents.sandbox import Sandbox, Snippet
from agents.tables import TABLES_TEXT
from endpoints.chat import Call, Client, Message, Reply

_ROLES = {MessageRole.SYSTEM: "system", MessageRole.ASSISTANT: "assistant"}


class SnippetError(Exception):
    """A snippet failed; the agent reads why and goes on."""


class SandboxExecutor(PythonExecutor):  # type: ignore[misc]
    """Runs the agent's code in a sandbox and keeps what came of it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.snippets: list[tuple[str, Snippet]] = []
        """Code and what it did, in order."""
        self.state: dict[str, str] = {"_print_outputs": ""}
        """What the last snippet printed; smolagents shows it when the snippet fails."""

    def send_tools(self, tools: dict[str, Any]) -> None:
        """The sandbox has its own `final_answer`."""

    def send_variables(self, variables: dict[str, Any]) -> None:
        """The sandbox has its tables already."""

    def __call__(self, code_action: str) -> CodeOutput:
        """Run a snippet.

        Raises:
            SnippetError: It failed.
        """
        done = self._sandbox.run(code_action)
        self.snippets.append((code_action, done))
        self.state["_print_outputs"] = done.logs
        if done.status != "ok":
            raise SnippetError(f"{done.status}: {done.error}")
        output = done.final if done.answered else done.output or None
        return CodeOutput(output=output, logs=done.logs, is_final_answer=done.answered)


class EndpointModel(Model):  # type: ignore[misc]
    """An endpoint as smolagents' model, held to a row's budget."""

    def __init__(
        self, client: Client, budget: Budget, *, max_tokens: int, temperature: float
    ) -> None:
        super().__init__(model_id=client.endpoint.model)
        self._client = client
        self._budget = budget
        self._max_tokens = max_tokens
        self._temperature = temperature

    def generate(
        self,
        messages: list[ChatMessage],
        stop_sequences: list[str] | None = None,
        **_: object,
    ) -> ChatMessage:
        """Return the model's next message.

        Raises:
            BudgetError: The row has used up its time or tokens.
            EndpointError: The endpoint does not reply.
        """
        asked = tuple(
            Message(role=_ROLES.get(message.role, "user"), content=_text(message.content))  # type: ignore[arg-type]
            for message in messages
        )
        reply = self.ask(asked, tuple(stop_sequences or ()))
        return ChatMessage(
            role=MessageRole.ASSISTANT,
            content=_before(reply.text, stop_sequences or ()),
            token_usage=TokenUsage(*self.last_tokens),
        )

    last_tokens: tuple[int, int] = (0, 0)
    """Tokens read and written for the last reply."""

    def ask(
        self,
        messages: tuple[Message, ...],
        stop: tuple[str, ...] = (),
        *,
        beyond_budget: bool = False,
    ) -> Reply:
        """Return the reply to messages, and count it.

        Raises:
            BudgetError: The row has used up its time or tokens, and that matters.
            EndpointError: The endpoint does not reply.
        """
        timeout = self._client.endpoint.timeout_s
        if not beyond_budget:
            self._budget.check()
            timeout = min(timeout, max(1.0, self._budget.seconds_left))
        call = Call(
            messages=messages,
            max_tokens=self._max_tokens,
            temperature=self._temperature,
            stop=stop,
        )
        reply = self._client.complete(call, timeout_s=timeout)
        self.last_tokens = self._budget.count(messages, reply)
        return reply


def code_agent(model: EndpointModel, executor: SandboxExecutor, max_steps: int) -> CodeAgent:
    """Return the agent."""
    return CodeAgent(
        tools=[],
        model=model,
        executor=executor,
        additional_authorized_imports=list(IMPORTABLE),
        instructions=f"{TABLES_TEXT}\nNo file and no network can be reached; pd and np are there.",
        max_steps=max_steps,
        verbosity_level=LogLevel.OFF,
    )


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return str(content or "")


def _before(text: str, stops: Sequence[str]) -> str:
    """Return a text up to the first stop sequence, for endpoints that ignore them."""
    for stop in stops:
        text = text.partition(stop)[0]
    return text
