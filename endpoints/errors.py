"""What can go wrong with an endpoint."""

from typing import Literal

from eval_tasks.errors import EvaluationError

CallStatus = Literal["timeout", "unreachable", "rate_limited", "rejected", "malformed"]
"""Why a call gave nothing: no reply in time, no connection, too many calls, an HTTP error that
asking again would not mend, or a reply that is none."""


class EndpointError(EvaluationError):
    """A call gave no reply.

    Attributes:
        status: Why.
    """

    def __init__(self, status: CallStatus, reason: str) -> None:
        super().__init__(reason)
        self.status: CallStatus = status
