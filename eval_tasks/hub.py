"""Talking to the Hub: errors in one line, and another try where one helps."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import httpx
from huggingface_hub import HfApi, constants, get_token
from huggingface_hub.errors import (
    HfHubHTTPError,
    HFValidationError,
    OfflineModeIsEnabled,
    RevisionNotFoundError,
)

from eval_tasks.errors import EvaluationError
from eval_tasks.version import RELEASE_VERSION

TRIES = 4
LONGEST_WAIT = 300.0
"""Seconds that are waited before another try; a Hub that asks for more is left alone."""
CONFLICTS = (409, 412)
_PASSING = (408, 429, 500, 502, 503, 504)
_FAILURES = (httpx.HTTPError, OSError, RuntimeError, ValueError)
"""What huggingface_hub raises; uploads wrap it into RuntimeError."""
_ADVICE = {
    401: "the token is not accepted; log in with `hf auth login` or set HF_TOKEN",
    403: "the token may not do this; use one with write access to the repository",
    404: "there is no such repository, or the token may not see it",
    409: "it was changed by somebody else at the same time; run the command again",
    412: "it was changed by somebody else at the same time; run the command again",
    429: "the Hub limits requests; wait a few minutes and run the command again",
}
Result = TypeVar("Result")


class HubError(EvaluationError):
    """The Hub refused or could not be reached.

    Attributes:
        status: HTTP status; None where no answer came.
        wait: Seconds after which another try may help; None where none will.
    """

    def __init__(
        self, message: str, *, status: int | None = None, wait: float | None = None
    ) -> None:
        self.status = status
        self.wait = wait
        super().__init__(message)


def hub_api() -> HfApi:
    """Return a client of the Hub at HF_ENDPOINT with the token of the usual places."""
    return HfApi(library_name="healthloopqa", library_version=RELEASE_VERSION)


def require_token() -> None:
    """Check that there is a token to write with.

    Raises:
        HubError: There is none.
    """
    if get_token() is None:
        raise HubError("there is no token for the Hub; log in with `hf auth login` or set HF_TOKEN")


def patiently(where: str, action: Callable[[], Result]) -> Result:
    """Return what an action on the Hub gives, tried again after passing failures.

    Args:
        where: Repository, for messages.
        action: What to do; may be done more than once.

    Raises:
        HubError: It failed for good, or too often.
    """
    for attempt in range(1, TRIES):
        try:
            with hub_errors(where):
                return action()
        except HubError as error:
            if error.wait is None or error.wait > LONGEST_WAIT:
                raise
            time.sleep(max(error.wait, 2.0 ** (attempt - 1)))
    with hub_errors(where):
        return action()


@contextmanager
def hub_errors(where: str) -> Iterator[None]:
    """Turn what huggingface_hub raises into a `HubError` of one line.

    Args:
        where: Repository, for messages.
    """
    try:
        yield
    except _FAILURES as error:
        raise _hub_error(where, _root(error)) from error


def _root(error: BaseException) -> BaseException:
    """Return the failure of the network or the Hub that an upload's error wraps."""
    while not isinstance(error, httpx.HTTPError | OSError) and error.__cause__ is not None:
        error = error.__cause__
    return error


def _hub_error(where: str, error: BaseException) -> HubError:
    if isinstance(error, HfHubHTTPError) and error.response is not None:
        return _refused(where, error, error.response)
    if isinstance(error, OfflineModeIsEnabled):
        return HubError(f"{where}: HF_HUB_OFFLINE keeps this machine from the Hub; unset it")
    if isinstance(error, HFValidationError):
        return HubError(f"{where} is no name of a repository; write owner/name")
    if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL):
        return HubError(f"HF_ENDPOINT is no address of a Hub: {constants.ENDPOINT}")
    if isinstance(error, httpx.HTTPError | ConnectionError | RuntimeError):
        reason = _first_line(error)
        return HubError(
            f"{where}: no answer from the Hub at {constants.ENDPOINT} ({reason}); check the "
            "network and run the command again",
            wait=0.0,
        )
    return HubError(f"{where}: {_first_line(error)}")


def _refused(where: str, error: HfHubHTTPError, response: httpx.Response) -> HubError:
    status = response.status_code
    if isinstance(error, RevisionNotFoundError):
        return HubError(f"{where}: there is no such revision ({response.url})", status=status)
    advice = _ADVICE.get(status)
    if advice is None and status >= 500:
        advice = "the Hub has a failure of its own; run the command again later"
    if advice is None:
        advice = _first_line(error)
    wait = _wait(response) if status in (*_PASSING, *CONFLICTS) else None
    return HubError(f"{where}: {advice} (HTTP {status})", status=status, wait=wait)


def _wait(response: httpx.Response) -> float:
    asked = response.headers.get("Retry-After", "")
    return float(asked) if asked.isdigit() else 0.0


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
