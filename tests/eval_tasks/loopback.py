"""A server on this machine that speaks OpenAI's chat protocol and misbehaves on request."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOO_LONG = "This model's maximum context length is 4096 tokens, however you requested 9000."


@dataclass(frozen=True, kw_only=True)
class Behaviour:
    """What the server does with a prompt.

    Attributes:
        content: The message; None for JSON's null.
        status: HTTP status.
        finish_reason: Why the model stopped.
        failures: Requests for the prompt that get HTTP 500 first.
        delay_s: Seconds before the reply.
        prompt_tokens: What it says that the prompt has; None for an honest guess.
        raw: Body instead of a completion.
    """

    content: str | None = ""
    status: int = 200
    finish_reason: str = "stop"
    failures: int = 0
    delay_s: float = 0.0
    prompt_tokens: int | None = None
    raw: str | None = None


@dataclass(kw_only=True)
class Loopback:
    """A running server.

    Attributes:
        url: Its base URL.
        requests: Bodies it was sent.
        by_prompt: Number of requests by prompt.
    """

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    by_prompt: Counter[str] = field(default_factory=Counter)


@contextmanager
def serving(behaviour: Callable[[str], Behaviour]) -> Iterator[Loopback]:
    """Serve on a free port of this machine what a function says for each prompt."""
    state = Loopback(url="")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = text_of(body["messages"][-1]["content"])
            state.requests.append(body)
            state.by_prompt[prompt] += 1
            how = behaviour(prompt)
            time.sleep(how.delay_s)
            if state.by_prompt[prompt] <= how.failures:
                self.reply(500, '{"error": {"message": "busy"}}')
            elif how.status != 200:
                message = how.raw or "no"
                self.reply(how.status, json.dumps({"error": {"message": message, "code": "x"}}))
            else:
                self.reply(200, how.raw or json.dumps(completion(how, prompt, body["model"])))

        def reply(self, status: int, text: str) -> None:
            content = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            try:
                self.wfile.write(content)
            except OSError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def text_of(content: Any) -> str:
    """Return the text of a message, which may come in parts."""
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def completion(how: Behaviour, prompt: str, model: str) -> Mapping[str, Any]:
    tokens = 3 * len(prompt.split()) if how.prompt_tokens is None else how.prompt_tokens
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": how.content},
                "finish_reason": how.finish_reason,
            }
        ],
        "usage": {"prompt_tokens": tokens, "completion_tokens": 1, "total_tokens": tokens + 1},
    }
