"""What can go wrong in an agent run that is not the model's fault."""

from eval_tasks.errors import EvaluationError


class AgentError(EvaluationError):
    """Base class of every error that this package raises on purpose."""


class SandboxError(AgentError):
    """The sandbox cannot be had on this machine, or has been used wrongly."""


class SettingsError(AgentError):
    """The settings of an agent run are missing or contradict each other."""
