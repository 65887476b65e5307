"""What can go wrong when a report is made."""

from eval_tasks.errors import EvaluationError


class ReportError(EvaluationError):
    """What was to be reported on is missing, broken, or does not belong together."""
