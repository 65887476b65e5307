"""What can go wrong in judging that is neither the model's nor the judge's fault."""

from eval_tasks.errors import EvaluationError


class JudgeError(EvaluationError):
    """A file of answers, labels or verdicts is not what it should be."""
