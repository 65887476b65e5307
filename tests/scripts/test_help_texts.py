"""What `--help` of every script prints: all that was written, and nothing of the machine it runs on."""

import importlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

ROOT = Path(__file__).resolve().parents[2]
WIDE = {"COLUMNS": "2000", "TERM": "dumb", "NO_COLOR": "1"}
SCRIPTS = [
    path.stem
    for path in sorted(ROOT.glob("scripts/*.py"))
    if "app = typer.Typer(" in path.read_text()
]


def commands(app: typer.Typer) -> Iterator[tuple[list[str], list[str]]]:
    """Yield each command's words and the help texts of its parameters."""
    found = get_command(app)
    for name, command in getattr(found, "commands", {"": found}).items():
        texts = [getattr(one, "help", None) or "" for one in command.params]
        yield ([name] if name else []), texts


def shown(app: typer.Typer, words: list[str]) -> str:
    done = CliRunner(env=WIDE).invoke(app, [*words, "--help"])
    assert done.exit_code == 0, done.output
    return " ".join(done.output.replace("│", " ").split())


@pytest.fixture(params=SCRIPTS)
def app(request: pytest.FixtureRequest) -> typer.Typer:
    found: typer.Typer = importlib.import_module(f"scripts.{request.param}").app
    return found


def test_no_word_of_a_help_text_is_lost(app: typer.Typer) -> None:
    """In brackets it would be: they are markup."""
    for words, texts in commands(app):
        page = shown(app, words)
        for text in texts:
            assert " ".join(text.split()) in page


def test_no_default_is_of_this_machine_or_no_words(
    app: typer.Typer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for words, _ in commands(app):
        page = shown(app, words)
        for odd in (str(ROOT), str(Path.home()), "(dynamic)", "default: None", "default: .]"):
            assert odd not in page


def test_workers_that_are_as_many_as_cores_are_told_in_words(app: typer.Typer) -> None:
    cores = os.cpu_count() or 1
    for words, texts in commands(app):
        if any("one for each core" in text for text in texts):
            assert f"one for each core. [default: {cores}]" not in shown(app, words)
