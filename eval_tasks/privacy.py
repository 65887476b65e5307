"""Keeps the rows of a private folder on this machine.

Recordings that someone imported for themselves, and fresh tests, lie in a folder that holds the file
`PRIVATE`. Their prompts are shown to models that run here and to endpoints on this machine, to others
only with leave; what a model wrote about them is not published at all.
"""

import ipaddress
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from eval_tasks.errors import EvaluationError
from eval_tasks.release import MANIFEST, Release

MARKER = "PRIVATE"
"""Name of the file that marks a private folder."""
ALLOW_VARIABLE = "HEALTHLOOPQA_ALLOW_EXTERNAL"
"""Environment variable that gives leave where a command line is not ours; set to 1."""
_RUNS_HERE = frozenset({"accelerate", "vllm", "sglang", "nanotron", "baseline", "tasks"})
"""lighteval's commands that send no prompt anywhere."""
_PUBLISHING = ("--push-to-hub", "--push-to-tensorboard", "--public-run", "--wandb")
_ADDRESS = re.compile(
    r"""(?:base_url|inference_server_address)["']?\s*[:=]\s*["']?([^\s,"']+)""", re.IGNORECASE
)


class PrivacyError(EvaluationError):
    """Private rows would leave this machine."""


def is_private(release: Release) -> bool:
    """Return whether a release may not leave this machine: its marker or its manifest says so."""
    if not release.is_folder:
        return False
    folder = Path(release.repo)
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return (folder / MARKER).exists() or manifest.get("private", False) is not False


def refuse_private(release: Release, endpoint: str | None, *, allow_external: bool = False) -> None:
    """Refuse to send the prompts of a private folder to another machine.

    Args:
        release: What is evaluated, judged or reported.
        endpoint: URL that the prompts would be sent to; None where it is not known.
        allow_external: Whether the owner gave leave; HEALTHLOOPQA_ALLOW_EXTERNAL=1 does so too.

    Raises:
        PrivacyError: The folder is private, the endpoint is not on this machine, nobody gave leave.
    """
    allowed = allow_external or os.environ.get(ALLOW_VARIABLE) == "1"
    if allowed or is_here(endpoint) or not is_private(release):
        return
    raise PrivacyError(
        f"{release.repo} is private, and its prompts would go to {endpoint or 'another machine'}; "
        f"use a model on this machine, or give leave with {ALLOW_VARIABLE}=1"
    )


def refuse_private_command(release: Release, arguments: Sequence[str]) -> None:
    """Refuse a command line of lighteval that sends private prompts away or publishes answers.

    Models that lighteval loads itself and the reference models run here. An endpoint must be named
    by an address of this machine, in the arguments or in the YAML file that they name.

    Args:
        release: What is evaluated.
        arguments: What follows the program's name.

    Raises:
        PrivacyError: The folder is private, and its rows would leave this machine.
    """
    if not is_private(release):
        return
    publishing = next((one for one in arguments if one.startswith(_PUBLISHING)), None)
    if publishing:
        raise PrivacyError(
            f"{release.repo} is private: its details are not published ({publishing})"
        )
    if not _runs_here(arguments):
        refuse_private_client(release, _address(arguments))


def refuse_private_client(release: Release, address: str | None) -> None:
    """Refuse to let a client that is not ours send the prompts of a private folder.

    Such a client may send requests to this machine by way of a proxy that the environment names.

    Args:
        release: What is evaluated.
        address: URL that the client sends prompts to; None where it is not known.

    Raises:
        PrivacyError: The folder is private, and its prompts would leave this machine.
    """
    refuse_private(release, address)
    if not is_private(release):
        return
    parts, proxies = urlsplit(address or ""), getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    is_used = proxy and not proxy_bypass(parts.hostname or "")
    if is_used and os.environ.get(ALLOW_VARIABLE) != "1":
        raise PrivacyError(
            f"{release.repo} is private, and the environment names the proxy {proxy} for requests "
            f"to {address}; set NO_PROXY={parts.hostname}"
        )


def _runs_here(arguments: Sequence[str]) -> bool:
    command, file = (*arguments, "", "", "")[0:3:2]
    reference_models = Path(__file__).with_name("reference_models.py")
    return command in _RUNS_HERE or (
        command == "custom" and Path(file).resolve() == reference_models.resolve()
    )


def _address(arguments: Sequence[str]) -> str | None:
    """Return the address that the arguments name, None if they name none or several."""
    files = [Path(one) for one in arguments if one.endswith((".yaml", ".yml"))]
    texts = [*arguments, *(file.read_text(encoding="utf-8") for file in files if file.is_file())]
    found = {address for text in texts for address in _ADDRESS.findall(text)}
    return found.pop() if len(found) == 1 else None


def is_here(endpoint: str | None) -> bool:
    """Return whether a URL names this machine itself.

    Clients send requests to such an address without the proxies that the environment names: a proxy
    may be any machine.
    """
    try:
        host = urlsplit(endpoint or "").hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
