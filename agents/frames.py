"""How the sandbox and its interpreter talk: a length in 4 bytes, then JSON in UTF-8."""

import json
import struct
from typing import Any, BinaryIO

from agents.errors import SandboxError

HEADER = struct.Struct("!I")


def frame(message: object) -> bytes:
    """Return a message as it goes through the pipe."""
    body = json.dumps(message, allow_nan=True).encode("utf-8", "backslashreplace")
    return HEADER.pack(len(body)) + body


def read_frame(stream: BinaryIO) -> Any:
    """Return the next message, None where the stream has ended.

    Raises:
        SandboxError: The stream ends inside a message.
    """
    head = stream.read(HEADER.size)
    if not head:
        return None
    (length,) = HEADER.unpack(head)
    body = stream.read(length)
    if len(body) < length:
        raise SandboxError("the message is cut off")
    return json.loads(body)
