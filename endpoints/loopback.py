"""An OpenAI-compatible endpoint on this machine that a function answers: for tests and rehearsals."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Scripted:
    """A reply.

    Attributes:
        text: What the model writes; with another status the body of the error.
        status: HTTP status.
    """

    text: str
    status: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What was asked.

    Attributes:
        model: Name of the model.
        system: Text of the system messages.
        user: Text of the last message.
        messages: All messages, `role` and `content`.
    """

    model: str
    system: str
    user: str
    messages: tuple[Mapping[str, str], ...]

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> "Request":
        """Return the request that a body of JSON makes."""
        messages = tuple(body["messages"])
        system = [m["content"] for m in messages if m["role"] == "system"]
        return cls(
            model=body["model"],
            system="\n".join(system),
            user=messages[-1]["content"],
            messages=messages,
        )


Script = Callable[[Request], Scripted]


class LoopbackEndpoint:
    """Serves a script on 127.0.0.1 while it is open."""

    def __init__(self, script: Script, port: int = 0) -> None:
        self._lock = Lock()
        self._script = script
        self.requests: list[Request] = []
        """What was asked so far, in order of arrival."""
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """The address up to and with /v1."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> "LoopbackEndpoint":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, body: Mapping[str, Any]) -> tuple[int, bytes]:
        """Return the HTTP status and body for a request's JSON."""
        request = Request.of(body)
        with self._lock:
            self.requests.append(request)
        reply = self._script(request)
        if reply.status != 200:
            return reply.status, json.dumps({"error": {"message": reply.text}}).encode()
        read = sum(len(m["content"]) for m in request.messages) // _CHARACTERS_PER_TOKEN
        return 200, json.dumps(_completion(request.model, reply.text, read)).encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answer = self.answer

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                status, body = answer(json.loads(self.rfile.read(length)))
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        return Handler


def _completion(model: str, text: str, read: int) -> dict[str, Any]:
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
            }
        ],
        "usage": {
            "prompt_tokens": read,
            "completion_tokens": max(1, len(text) // _CHARACTERS_PER_TOKEN),
            "total_tokens": read + max(1, len(text) // _CHARACTERS_PER_TOKEN),
        },
    }
