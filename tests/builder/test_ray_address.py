"""A Ray cluster that cannot be joined is told of in one line, within seconds."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from builder.errors import BuildError
from builder.ray_address import RAY_ADDRESS, check_answers, cluster_address

ROOT = Path(__file__).resolve().parent.parent.parent
SETTINGS = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
JOINING = """
from builder.console import one_line_errors
from builder.workers import each

if __name__ == "__main__":
    with one_line_errors():
        list(each(abs, [-1], 1, "x", lambda *_: None, "ray"))
"""


@contextmanager
def listening(says: bytes | None) -> Iterator[str]:
    """Listen on loopback; says None: never accept, as behind a wall that lets nothing back."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(1)
        if says is not None:
            threading.Thread(target=_greet, args=(server, says), daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"


def _greet(server: socket.socket, says: bytes) -> None:
    """Greet whoever comes; who has gone by then is no failure."""
    with suppress(OSError):
        connection, _ = server.accept()
        with connection:
            connection.recv(64)
            connection.sendall(says)


def closed() -> str:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize(
    ("address", "found"),
    [(None, None), ("", None), ("local", None), ("auto", "auto"), ("head:6379", "head:6379")],
)
def test_where_ray_is(
    address: str | None, found: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(RAY_ADDRESS, raising=False)
    if address is not None:
        monkeypatch.setenv(RAY_ADDRESS, address)
    assert cluster_address() == found


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_a_server_that_speaks_as_ray_does_is_one(scheme: str) -> None:
    with listening(SETTINGS) as address:
        check_answers(scheme + address)


def test_ray_itself_finds_a_cluster_of_this_machine() -> None:
    check_answers("auto")


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_a_closed_port_is_told_at_once(scheme: str) -> None:
    address = scheme + closed()
    start = time.monotonic()
    with pytest.raises(BuildError, match=rf"at {address}, .*refused.*; start one there .* unset"):
        check_answers(address)
    assert time.monotonic() - start < 2


def test_who_never_answers_is_not_waited_for() -> None:
    start = time.monotonic()
    with listening(None) as address, pytest.raises(BuildError, match=rf"at {address}, .*timed out"):
        check_answers(address, seconds=0.2)
    assert time.monotonic() - start < 2


def test_an_unknown_host_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "create_connection", unknown)
    with pytest.raises(BuildError, match=r"at head\.invalid:6379, .*not known"):
        check_answers("head.invalid:6379")


@pytest.mark.parametrize("says", [b"HTTP/1.1 400 Bad Request\r\n", b"SSH", b""])
def test_another_server_is_no_cluster(says: bytes) -> None:
    with listening(says) as address, pytest.raises(BuildError, match="there is no Ray"):
        check_answers(address)


def test_with_tls_it_is_enough_that_somebody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_USE_TLS", "1")
    with listening(b"") as address:
        check_answers(address)


@pytest.mark.parametrize(
    "address",
    [
        "head",
        "head:",
        ":6379",
        "head:0",
        "head:65536",
        "head:x",
        "http://head:8265",
        "a b:1",
        "::1",
    ],
)
def test_what_is_no_address_is_refused_with_the_forms_there_are(address: str) -> None:
    with pytest.raises(BuildError, match=r"HOST:PORT .*ray://HOST:PORT, auto or local") as refused:
        check_answers(address)
    assert repr(address) in str(refused.value)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("ray") is None, reason="the extra scale (Ray) is not installed")
@pytest.mark.parametrize("says", [None, SETTINGS], ids=["says nothing", "greets and falls silent"])
def test_a_build_ends_in_one_line_within_twenty_seconds(says: bytes | None, tmp_path: Path) -> None:
    program = tmp_path / "joining.py"
    program.write_text(JOINING)
    start = time.monotonic()
    with listening(says) as address:
        done = subprocess.run(
            [sys.executable, str(program)],
            env={**os.environ, "PYTHONPATH": str(ROOT), RAY_ADDRESS: address},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    told = [line for line in done.stderr.splitlines() if not line.startswith("[")]
    assert done.returncode == 1
    assert len(told) == 1
    assert told[0].startswith(
        f"error: no Ray cluster answers at {address}, which RAY_ADDRESS names"
    )
    assert time.monotonic() - start < 25
