"""A copy of the checkout in which the commands of a page run as they are printed.

What lies outside is played on 127.0.0.1: the Hub by `tests/hub`, models by the rehearsal's script.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from eval_tasks.version import RELEASE_VERSION
from tests.conftest import TOKENIZERS
from tests.hub.stand_in import WRITER

ROOT = Path(__file__).resolve().parent.parent.parent
RELEASE = Path("dist") / f"healthloopqa-{RELEASE_VERSION}"
NOT_COPIED = (".*", "__pycache__", "*.egg-info", "dist", "results", "report")
SERVER = "scripts/rehearsal.py"
"""A command that runs until it is ended."""
INTERRUPTED = "Task interrupted"
"""What inspect prints of a run that failed; its exit status is 0 all the same."""
NOT_RUN: Mapping[str, str] = {
    "make test": "these tests are a part of it",
    "HEALTHLOOPQA_RAW_DIR=/path/to/recordings make release": "the same as `make release`, slower",
    "pip install": "`make test` has installed the same extras",
    "export OPENAI_API_KEY=...": "a key is whatever the reader has",
    "vllm serve": "vLLM needs a GPU; the page says that it is not tried",
    "lighteval vllm": "vLLM needs a GPU; the page says that it is not tried",
    "RAY_ADDRESS=HEAD:6379": "there is no cluster; tests/builder starts Ray on this machine",
}
_BLOCK = re.compile(r"^( *)```(bash|python)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A block of a page: its language and its text, without the lines that are not run."""

    language: str
    text: str


def snippets(page: Path) -> list[Snippet]:
    """Return what a page says to run, in order."""
    blocks = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [
        Snippet(language=language, text=_run(text) if language == "bash" else text)
        for _, language, text in blocks
    ]


def skipped(page: Path) -> set[str]:
    """Return which of NOT_RUN a page has."""
    text = "\n".join(text for _, _, text in _BLOCK.findall(page.read_text(encoding="utf-8")))
    return {start for start in NOT_RUN if re.search(rf"^\s*{re.escape(start)}", text, re.MULTILINE)}


def _run(text: str) -> str:
    lines = text.replace("\\\n", " ").splitlines()
    return "\n".join(line for line in lines if not line.strip().startswith(tuple(NOT_RUN)))


class Checkout:
    """A copy of this checkout with this environment as its `.venv`."""

    def __init__(self, folder: Path, hub_url: str, words: Mapping[str, str]) -> None:
        """Copy.

        Args:
            folder: A new folder.
            hub_url: Address of the Hub's stand-in.
            words: What stands for the words that a reader replaces, by word.
        """
        self.folder = Path(
            shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*NOT_COPIED))
        )
        self._words = words
        self._environment(folder / ".venv")
        self._servers: list[subprocess.Popen[str]] = []
        self.variables = {
            "PATH": f"{folder / '.venv/bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(folder),
            "HOME": str(folder / "home"),
            "HF_HOME": str(folder / "home"),
            "HF_ENDPOINT": hub_url,
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_TOKEN": WRITER,
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "TIKTOKEN_CACHE_DIR": str(TOKENIZERS),
        }

    def _environment(self, folder: Path) -> None:
        """Link this environment, as new as `make` wants it, with lighteval kept from downloading."""
        (folder / "bin").mkdir(parents=True)
        for path in Path(sys.prefix).iterdir():
            if path.name not in {"bin", ".base", ".all"}:
                (folder / path.name).symlink_to(path)
        for path in Path(sys.executable).parent.iterdir():
            if path.name != "lighteval":
                (folder / "bin" / path.name).symlink_to(path)
        lighteval = folder / "bin" / "lighteval"
        lighteval.write_text(f"#!{folder}/bin/python\n{_LIGHTEVAL}", encoding="utf-8")
        lighteval.chmod(0o755)
        for stamp in (".base", ".all"):
            (folder / stamp).touch()

    def run(self, snippet: Snippet, variables: Mapping[str, str] | None = None) -> str:
        """Run a snippet and return what it printed.

        Raises:
            AssertionError: It fails.
        """
        words = re.compile("|".join(sorted(map(re.escape, self._words), key=len, reverse=True)))
        text = words.sub(lambda found: self._words[found[0]], snippet.text)
        if SERVER in text:
            return self._serve(text)
        shell = ["bash", "-euo", "pipefail", "-c"]
        command = shell if snippet.language == "bash" else ["python", "-c"]
        done = subprocess.run(
            [*command, text],
            cwd=self.folder,
            env={**self.variables, **(variables or {})},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{text}\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}"
        assert "Traceback" not in done.stderr, done.stderr[-3000:]
        assert INTERRUPTED not in done.stdout, done.stdout[-3000:]
        return done.stdout

    def _serve(self, text: str) -> str:
        """Start a server and return the first line that it prints."""
        server = subprocess.Popen(
            ["bash", "-c", f"exec {text.strip()}"],
            cwd=self.folder,
            env=self.variables,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._servers.append(server)
        return server.stdout.readline() if server.stdout else ""

    def close(self) -> None:
        """End the servers."""
        for server in self._servers:
            server.terminate()
            server.communicate(timeout=10)


_LIGHTEVAL = """
# lighteval's own command, without the two downloads at start-up that eval_tasks.offline names
import os, sys
sys.path.insert(0, os.getcwd())
from eval_tasks.offline import keep_offline
keep_offline()
os.environ.update(HF_HUB_OFFLINE="0", HF_DATASETS_OFFLINE="0")
from lighteval.__main__ import app
app()
"""
