"""What can go wrong in evaluation that is not the model's fault."""


class EvaluationError(Exception):
    """Base class of every error that this package raises on purpose."""


class ReleaseError(EvaluationError):
    """No release, or not a whole one, lies where one was looked for."""


class GoldError(EvaluationError):
    """A row of the release cannot be scored: its own answer or columns are broken."""


class UnknownNameError(EvaluationError):
    """A model, config or split was asked for that does not exist."""


class AnswersError(EvaluationError):
    """A file of answers is none, or does not fit the release it is to be scored on."""
