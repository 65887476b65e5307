"""Where Ray is: here, or at the cluster that RAY_ADDRESS names, which must answer within seconds.

Left to itself Ray asks an address where nobody answers for minutes, and says nothing meanwhile.
"""

import os
import re
import socket

from builder.errors import BuildError

RAY_ADDRESS = "RAY_ADDRESS"
"""Variable that names a Ray cluster; without it Ray is started on this machine."""
SECONDS = 5.0
"""How long an address may take to connect, and to greet."""
_HERE = ("", "local")
_FOUND_BY_RAY = "auto"
_SHAPE = re.compile(r"(?:ray://)?(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):([1-9][0-9]{0,4})")
_HTTP2_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
"""Connection preface and an empty SETTINGS frame (RFC 9113, sections 3.4 and 6.5)."""
_FRAME_HEADER = 9
_SETTINGS = 4


def cluster_address() -> str | None:
    """Return the cluster's address; None where Ray is to be started on this machine."""
    address = os.environ.get(RAY_ADDRESS, "")
    return None if address in _HERE else address


def check_answers(address: str, seconds: float = SECONDS) -> None:
    """Check that something at a cluster's address speaks as Ray does, HTTP/2.

    Args:
        address: `HOST:PORT`, `ray://HOST:PORT`, or `auto`, of which Ray itself knows where that is.
        seconds: How long it may take to connect, and to greet.

    Raises:
        BuildError: It is no address, nobody is there, or somebody else is.
    """
    if address == _FOUND_BY_RAY:
        return
    found = _SHAPE.fullmatch(address)
    if found is None or int(found[2]) > 65_535:
        raise BuildError(
            f"{RAY_ADDRESS} is {address!r}, which names no Ray cluster; write HOST:PORT "
            "(`ray start --head` tells it), ray://HOST:PORT, auto or local"
        )
    try:
        greeted = _greeted(found[1].strip("[]"), int(found[2]), seconds)
    except OSError as error:
        raise unreachable(address, str(error)) from error
    if not greeted:
        raise unreachable(address, "what answers there is no Ray")


def unreachable(address: str, reason: str) -> BuildError:
    """Return what to say where no cluster can be joined."""
    return BuildError(
        f"no Ray cluster answers at {address}, which {RAY_ADDRESS} names ({reason}); start one there "
        f"(docs/scale.md), name another, or unset {RAY_ADDRESS} to build on this machine"
    )


def _greeted(host: str, port: int, seconds: float) -> bool:
    """Whether a server answers HTTP/2's greeting in kind; with TLS it is enough to be there.

    Raises:
        OSError: Nobody is there, or nothing is said in time.
    """
    with socket.create_connection((host, port), timeout=seconds) as connection:
        if os.environ.get("RAY_USE_TLS", "0") != "0":
            return True
        connection.sendall(_HTTP2_GREETING)
        answer = connection.recv(_FRAME_HEADER)
        return len(answer) > 3 and answer[3] == _SETTINGS
