"""Private rows stay on this machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from builder.manifest import PRIVATE_MARKER
from eval_tasks.privacy import (
    ALLOW_VARIABLE,
    MARKER,
    PrivacyError,
    is_private,
    refuse_private,
    refuse_private_command,
)
from eval_tasks.release import LOCATION_VARIABLE, MANIFEST, Release, read_folder
from tests.eval_tasks.tiny_release import write_release

PACKAGE = Path("eval_tasks").resolve()
REFERENCE = str(PACKAGE / "reference_models.py")


@pytest.fixture
def private(tmp_path: Path) -> Release:
    folder = write_release(tmp_path / "mine")
    (folder / MARKER).write_text("private")
    return read_folder(folder)


def test_marker_or_manifest_is_enough(private: Release) -> None:
    assert MARKER == PRIVATE_MARKER
    assert is_private(private)
    (Path(private.repo) / MARKER).unlink()
    assert not is_private(private)
    path = Path(private.repo) / MANIFEST
    path.write_text(json.dumps({**json.loads(path.read_text()), "private": True}))
    assert is_private(private)


@pytest.mark.parametrize(
    ("endpoint", "here"),
    [
        ("http://localhost:8000/v1", True),
        ("http://127.0.0.1/v1", True),
        ("http://[::1]:8000", True),
        ("https://api.openai.com/v1", False),
        ("http://localhost.example.org/v1", False),
        ("http://127.0.0.1@example.org/v1", False),
        ("http://192.168.1.7:8000", False),
        ("localhost:8000", False),
        ("http://[", False),
        (None, False),
    ],
)
def test_only_an_endpoint_on_this_machine_may_see_a_prompt(
    private: Release, monkeypatch: pytest.MonkeyPatch, endpoint: str | None, here: bool
) -> None:
    if here:
        refuse_private(private, endpoint)
    else:
        with pytest.raises(PrivacyError, match="give leave"):
            refuse_private(private, endpoint)
    refuse_private(private, endpoint, allow_external=True)
    monkeypatch.setenv(ALLOW_VARIABLE, "1")
    refuse_private(private, endpoint)


def test_a_release_that_is_not_private_goes_anywhere(tmp_path: Path) -> None:
    release = read_folder(write_release(tmp_path / "open"))
    refuse_private(release, "https://api.openai.com/v1")
    refuse_private_command(release, ["endpoint", "litellm", "model_name=x", "--push-to-hub"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["custom", "gold", REFERENCE, "healthloopqa|0"],
        ["accelerate", "model_name=some/model", "healthloopqa|0"],
        ["vllm", "model_name=some/model", "healthloopqa|0", "--no-push-to-hub"],
        ["tasks", "list"],
        ["endpoint", "litellm", "model_name=x,base_url=http://localhost:8000/v1", "t|0"],
        ["endpoint", "litellm", "{folder}/here.yaml", "t|0"],
    ],
)
def test_what_runs_here_is_let_through(private: Release, arguments: list[str]) -> None:
    file = Path(private.repo) / "here.yaml"
    file.write_text("model_parameters:\n  base_url: 'http://127.0.0.1:8000/v1'\n")
    refuse_private_command(private, [one.replace("{folder}", private.repo) for one in arguments])


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["custom", "mine", "my_model.py", "t|0"],
        ["eval", "openai/x", "t|0"],
        ["endpoint", "litellm", "model_name=openai/x", "t|0"],
        ["endpoint", "litellm", "model_name=x,base_url=https://example.org/v1", "t|0"],
        ["endpoint", "litellm", "base_url=http://localhost/,base_url=http://example.org/", "t|0"],
        ["endpoint", "litellm", "no/such.yaml", "t|0"],
    ],
)
def test_what_sends_prompts_away_is_refused(private: Release, arguments: list[str]) -> None:
    with pytest.raises(PrivacyError, match="is private"):
        refuse_private_command(private, arguments)


PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.mark.parametrize(
    ("variables", "refused"),
    [
        ({"HTTP_PROXY": "http://proxy.example.org:8080"}, True),
        ({"all_proxy": "http://proxy.example.org:8080"}, True),
        ({"HTTPS_PROXY": "http://proxy.example.org:8080"}, False),
        ({"HTTP_PROXY": "http://proxy.example.org", "NO_PROXY": "localhost,127.0.0.1"}, False),
        ({"HTTP_PROXY": "http://proxy.example.org", "NO_PROXY": "example.org"}, True),
        ({"HTTP_PROXY": "http://proxy.example.org", ALLOW_VARIABLE: "1"}, False),
    ],
)
def test_a_client_that_would_ask_a_proxy_is_refused(
    private: Release, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], refused: bool
) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    arguments = ["endpoint", "litellm", "model_name=x,base_url=http://localhost:8000/v1", "t|0"]
    if refused:
        with pytest.raises(PrivacyError, match="NO_PROXY=localhost"):
            refuse_private_command(private, arguments)
    else:
        refuse_private_command(private, arguments)


@pytest.mark.parametrize("option", ["--push-to-hub", "--public-run", "--wandb=true"])
def test_answers_are_never_published(
    private: Release, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.setenv(ALLOW_VARIABLE, "1")
    with pytest.raises(PrivacyError, match="not published"):
        refuse_private_command(private, ["custom", "gold", REFERENCE, "t|0", option])


INSPECTED = """
import sys
import inspect_ai
from inspect_ai.model import ModelAPI, modelapi

@modelapi(name="far")
class Far(ModelAPI):
    async def generate(self, *asked):
        raise RuntimeError("asked")

inspect_ai.eval(
    "eval_tasks/inspect_tasks.py", model="far/m", display="none", model_base_url=sys.argv[1],
    log_dir=sys.argv[2],
)
"""


@pytest.mark.slow
def test_inspect_is_refused_alike(private: Release) -> None:
    for url, refusal in (
        ("http://example.org/v1", "give leave"),
        ("http://localhost:9/v1", "NO_PROXY=localhost"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", INSPECTED, url, str(Path(private.repo) / "logs")],
            env={
                **{
                    name: value for name, value in os.environ.items() if "proxy" not in name.lower()
                },
                LOCATION_VARIABLE: private.repo,
                "HTTP_PROXY": "http://proxy.example.org:8080",
            },
            text=True,
            capture_output=True,
            check=False,
        )
        assert done.returncode, done.stdout
        assert "PrivacyError" in done.stderr
        assert refusal in done.stderr


@pytest.mark.slow
def test_the_tasks_are_not_even_declared_to_such_a_command(private: Release) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import eval_tasks.tasks", "endpoint", "litellm", "model_name=x"],
        env={**os.environ, LOCATION_VARIABLE: private.repo},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode
    assert "PrivacyError" in done.stderr
