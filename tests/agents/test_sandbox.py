"""Forty attacks on the sandbox: each is stopped and recorded, and the run goes on."""

import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from agents.confinement import LAYERS, Layer, enough
from agents.errors import SandboxError
from agents.frames import frame
from agents.interpreter import LONGEST_ATTEMPT, LONGEST_ERROR, MOST_ATTEMPTS
from agents.sandbox import Limits, Sandbox, Snippet, confined_layers
from agents.tables import record_tables
from tests.eval_tasks.tiny_release import record, write_release

SECRET = "gold-answer-4711"
LIMITS = Limits(seconds=3.0, memory_bytes=1 << 28, output_characters=2000)
CTYPES = "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
CLIMB = "[k for k in ().__class__.__base__.__subclasses__() if k.__name__ == "

ATTACKS: dict[str, str] = {
    # files
    "read a system file": "print(open('/etc/passwd').read())",
    "read the gold answers as text": "print(open(RELEASE + '/gold.txt').read())",
    "read the release through pandas": "print(pd.read_csv(RELEASE + '/gold.txt'))",
    "read the release through numpy": "print(np.fromfile(RELEASE + '/gold.txt', dtype='u1'))",
    "map the release": "print(bytes(np.memmap(RELEASE + '/gold.txt')))",
    "list the release": "import os; print(os.listdir(RELEASE))",
    "look whether the release is there": "import os; os.stat(RELEASE + '/gold.txt')",
    "climb up from the folder": "print(open('../' * 20 + RELEASE + '/gold.txt').read())",
    "read through a link": "import os; os.symlink(RELEASE, 'x'); print(open('x/gold.txt').read())",
    "write a file": "open(MARKER, 'w').write('x')",
    "write through pandas": "glucose.to_csv(MARKER)",
    "write into its own folder": "open('x', 'w').write('x' * 100)",
    "delete a file": "import os; os.remove(RELEASE + '/gold.txt')",
    "make a file anyone's": "import os; os.chmod(RELEASE + '/gold.txt', 0o777)",
    "open through C": CTYPES + "c.fopen.restype = ctypes.c_void_p\n"
    "f = c.fopen((RELEASE + '/gold.txt').encode(), b'r')\n"
    "assert f, 'fopen ' + str(ctypes.get_errno())",
    "open a descriptor through C": CTYPES + "fd = c.openat(-100, b'/etc/passwd', 0)\n"
    "assert fd >= 0, 'openat ' + str(ctypes.get_errno())",
    # the process and its surroundings
    "environment variables": "import os; assert os.environ, 'no variables'; print(os.environ)",
    "environment through /proc": "print(open('/proc/self/environ').read())",
    "the parent's environment": "import os; print(open(f'/proc/{os.getppid()}/environ').read())",
    "the parent's memory": CTYPES + "c.process_vm_readv(PARENT, 0, 0, 0, 0, 0)",
    "its own memory file": "open('/proc/self/mem', 'r+b')",
    "trace the parent": CTYPES + "c.ptrace(16, PARENT, 0, 0)",
    "kill the parent": "import os; os.kill(PARENT, 9)",
    "kill every process": "import os; os.kill(-1, 9)",
    # other processes
    "a shell": "import os; os.system('touch ' + MARKER)",
    "a subprocess": "import subprocess; subprocess.run(['touch', MARKER])",
    "become another program": "import os; os.execv('/bin/touch', ['touch', MARKER])",
    "a fork bomb": "import os\nwhile True: os.fork()",
    "a thread bomb": "import threading\nfor _ in range(9999): threading.Thread(target=print).start()",
    "climb to a hidden class": CLIMB + "'Popen'][0](['touch', MARKER])",
    "climb to the importer": CLIMB + "'BuiltinImporter'][0].load_module('posix').open(MARKER, 65)",
    # network
    "connect by TCP": "import socket; socket.create_connection(('127.0.0.1', PORT))",
    "a raw socket call": CTYPES + "c.socket(2, 1, 0)",
    "fetch a page": "pd.read_json('http://127.0.0.1:' + str(PORT))",
    # what is not there, and limits
    "import what is not there": "import requests",
    "an endless loop": "while True: pass",
    "sleep for ever": "import time; time.sleep(10**6)",
    "a memory bomb": "x = []\nwhile True: x.append(bytearray(10**7))",
    "huge output": "while True: print('x' * 10**6)",
    "forged messages": "import os\nfor fd in range(3, 20):\n  try: os.write(fd, b'\\0\\0\\0\\2{}' * 2)\n"
    "  except OSError: pass",
}
FILE_ATTACKS = tuple(ATTACKS)[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the attacks aim at."""

    release: Path
    marker: Path
    listener: socket.socket

    def names(self) -> str:
        port = self.listener.getsockname()[1]
        return f"RELEASE, MARKER, PORT = {str(self.release)!r}, {str(self.marker)!r}, {port}\n" + (
            "import os; PARENT = os.getppid()\n"
        )

    def untouched(self) -> bool:
        self.listener.settimeout(0)
        with pytest.raises(BlockingIOError):
            self.listener.accept()
        gold = self.release / "gold.txt"
        return (
            not self.marker.exists()
            and gold.read_text(encoding="utf-8") == SECRET
            and gold.stat().st_mode & 0o777 == 0o600
        )


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surroundings]:
    base = tmp_path_factory.mktemp("around")
    release = write_release(base / "release")
    (release / "gold.txt").write_text(SECRET, encoding="utf-8")
    (release / "gold.txt").chmod(0o600)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield Surroundings(release=release, marker=base / "marker", listener=listener)


def sandbox_of(layers: tuple[Layer, ...] = LAYERS) -> Sandbox:
    if not confined_layers():
        pytest.skip("this kernel offers nothing that confines the sandbox")
    return Sandbox(record_tables(record()), LIMITS, layers=layers)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with sandbox_of() as started:
        yield started


def attack(sandbox: Sandbox, around: Surroundings, code: str) -> None:
    first = sandbox.run(around.names())
    assert first.status == "ok"
    done = sandbox.run(code)
    after = sandbox.run("int(glucose.minute.max())")
    assert recorded(done) or recorded(after)
    assert SECRET not in done.logs + done.output + done.error
    assert "root:" not in done.logs
    again = sandbox.run("int(glucose.minute.max())")
    assert (again.status, again.output) == ("ok", "4315")
    assert around.untouched()


def recorded(done: Snippet) -> bool:
    return done.status != "ok" and bool(done.error)


def test_there_are_forty_attacks() -> None:
    assert len(ATTACKS) == 40


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_stopped_and_recorded_and_the_run_goes_on(
    sandbox: Sandbox, around: Surroundings, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEALTHLOOPQA_SECRET", SECRET)
    attack(sandbox, around, ATTACKS[name])


def test_files_stay_closed_where_there_are_no_namespaces(around: Surroundings) -> None:
    with sandbox_of(("landlock", "seccomp")) as started:
        if started.layers != ("landlock", "seccomp"):
            pytest.skip("this kernel has no Landlock")
        for name in FILE_ATTACKS:
            attack(started, around, ATTACKS[name])
        assert started.starts == 1


def test_files_stay_closed_where_there_is_no_landlock(around: Surroundings) -> None:
    with sandbox_of() as probe:
        if "namespaces" not in probe.layers:
            pytest.skip("this kernel lets no ordinary process make namespaces")
    with sandbox_of(("namespaces", "seccomp")) as started:
        for name in FILE_ATTACKS:
            attack(started, around, ATTACKS[name])


@pytest.mark.parametrize("layers", [(), ("landlock", "namespaces"), ("seccomp",)])
def test_it_refuses_to_run_unconfined_unless_told(layers: tuple[Layer, ...]) -> None:
    assert not enough(layers)
    with pytest.raises(SandboxError, match=r"this kernel cannot confine the code.*--unsafe"):
        Sandbox({}, LIMITS, layers=layers)


def test_unsafe_runs_unconfined() -> None:
    with Sandbox({}, LIMITS, unsafe=True, layers=()) as sandbox:
        assert sandbox.layers == ()
        assert sandbox.run("1 + 1").output == "2"


def test_names_live_on_and_answers_come_back_as_json(sandbox: Sandbox) -> None:
    sandbox.run("x = glucose.glucose_mgdl.max()")
    assert sandbox.run("print(x)").logs == "213.0\n"
    done = sandbox.run("final_answer({'a': np.float64(1.5), 'b': [np.int64(2), {3}], 'c': pd.NA})")
    assert (done.answered, done.final) == (True, {"a": 1.5, "b": [2, [3]], "c": "<NA>"})


def test_an_error_names_the_line_of_the_snippet(sandbox: Sandbox) -> None:
    assert sandbox.run("x = 1\ny = x / 0").error == "ZeroDivisionError: division by zero (line 2)"
    assert sandbox.run("def f(:").error.startswith("SyntaxError: ")


def test_values_whose_own_code_fails_do_no_harm(sandbox: Sandbox) -> None:
    code = "class Bad:\n  def __repr__(self): raise SystemExit\n  __str__ = __repr__\n"
    done = sandbox.run(code + "Bad()")
    assert (done.status, done.output) == ("ok", "<cannot be shown: SystemExit:  (line 2)>")
    assert sandbox.run(code + "raise ValueError(Bad())").status == "error"


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("1 +", "error"),
        (r"print('\ud800')", "ok"),
        (r"'\ud800'", "ok"),
        ("raise ValueError('\\ud800')", "error"),
        ("final_answer('x' * 10**7)", "output"),
        ("final_answer([1] * 10**6)", "output"),
    ],
)
def test_slips_of_honest_code_are_no_attempts_and_break_nothing(
    sandbox: Sandbox, code: str, status: str
) -> None:
    sandbox.run("kept = 1")
    done = sandbox.run(code)
    assert (done.status, done.attempts, done.answered) == (status, (), False)
    assert sandbox.run("kept").output == "1"


@pytest.mark.parametrize("length", [1998, 1999, 10**6])
def test_a_shown_value_that_is_cut_says_so_and_keeps_to_the_limit(
    sandbox: Sandbox, length: int
) -> None:
    done = sandbox.run(f"'x' * {length}")
    whole = repr("x" * length)
    limit = LIMITS.output_characters
    assert (done.status, len(done.output)) == ("ok", min(len(whole), limit))
    if len(whole) <= limit:
        assert done.output == whole
    else:
        assert done.output.endswith(
            f"[cut: {len(whole)} characters, more than the limit of 2000; show less]"
        )


def forged(fields: Mapping[str, object]) -> str:
    """Code that sends a reply of its own through every descriptor."""
    reply = {"status": "ok", "error": "", "logs": "", "output": "", "final": [], "attempts": []}
    message = frame({**reply, **fields})
    return (
        f"import os\nfor fd in range(3, 20):\n  try: os.write(fd, {message!r})\n"
        "  except OSError: pass"
    )


AT_THE_LIMITS = {
    "attempts": ["a" * LONGEST_ATTEMPT] * MOST_ATTEMPTS,
    "error": "e" * LONGEST_ERROR,
    "logs": "\U0001f600" * 2000,
    "output": "\U0001f600" * 2000,
    "final": ["f" * 1998],
}
BEYOND: dict[str, dict[str, object]] = {
    "too many attempts": {"attempts": ["a"] * (MOST_ATTEMPTS + 1)},
    "a long attempt": {"attempts": ["a" * (LONGEST_ATTEMPT + 1)]},
    "a long error": {"error": "e" * (LONGEST_ERROR + 1)},
    "no error": {"error": None},
    "long logs": {"logs": "x" * 2001},
    "long output": {"output": "x" * 2001},
    "a long answer": {"final": ["f" * 1999]},
    "many answers in one": {"final": [[0] * 1000]},
    "two answers": {"final": [1, 2]},
}


def test_a_reply_at_every_limit_is_taken() -> None:
    with sandbox_of() as started:
        done = started.run(forged(AT_THE_LIMITS))
    assert (done.status, len(done.attempts), done.answered) == ("ok", MOST_ATTEMPTS, True)


@pytest.mark.parametrize("name", BEYOND)
def test_a_forged_reply_is_held_to_every_limit(sandbox: Sandbox, name: str) -> None:
    assert sandbox.run(forged(BEYOND[name])).status == "protocol"
    assert sandbox.run("1 + 1").output == "2"


@pytest.mark.parametrize(
    "code",
    [
        "import sys\nfor _ in range(99): sys.audit('open' + 'o' * 999, 'x' * 999)",
        "raise type('N' * 9999, (Exception,), {})('m' * 9999)",
        "try: open('/\\udc80')\nexcept OSError: pass",
    ],
)
def test_the_interpreter_keeps_to_the_limits_itself(sandbox: Sandbox, code: str) -> None:
    starts = sandbox.starts
    done = sandbox.run(code)
    assert done.status in {"ok", "error"}
    assert len(done.attempts) <= MOST_ATTEMPTS
    assert all(len(attempt) <= LONGEST_ATTEMPT for attempt in done.attempts)
    assert len(done.error) <= LONGEST_ERROR
    assert done.attempts or done.error.endswith(" (line 1)")
    assert sandbox.run("1 + 1").output == "2"
    assert sandbox.starts == starts


def test_attempts_are_noted(sandbox: Sandbox) -> None:
    code = "try: open('/etc/passwd')\nexcept OSError: pass"
    done = sandbox.run(code)
    assert (done.status, done.attempts) == ("ok", ("open /etc/passwd",))
