"""Keeps the rows of a private release on this machine."""

import ipaddress
from pathlib import Path
from urllib.parse import urlsplit

from eval_tasks.errors import EvaluationError
from eval_tasks.release import Release

MARKER = "PRIVATE"
"""Name of the file that marks a private folder."""


def refuse_private(release: Release, endpoint: str, *, allow_external: bool = False) -> None:
    """Refuse to send rows of a private release to another machine.

    Args:
        release: Whose rows would be sent.
        endpoint: URL that they would be sent to.
        allow_external: Whether the owner gave leave.

    Raises:
        EvaluationError: The release is private, the endpoint elsewhere, and nobody gave leave.
    """
    if allow_external or _is_here(endpoint) or not (Path(release.repo) / MARKER).exists():
        return
    raise EvaluationError(
        f"{release.repo} is private, and its rows would go to {endpoint}; use an endpoint on this "
        "machine, or give leave with --allow-external"
    )


def _is_here(endpoint: str) -> bool:
    host = urlsplit(endpoint).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
