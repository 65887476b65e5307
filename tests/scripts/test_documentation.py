"""Links, paths, commands and options that the documentation names are there."""

import importlib
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from eval_tasks.version import RELEASE_VERSION

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
TEMPLATE = ROOT / "dataset_card" / "card.md.jinja"
FOLDERS = ("builder", "dataset_card", "docs", "eval_tasks", "generators", "scripts", "tests")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SCRIPT = re.compile(r"(?:\S*python )?scripts/(\w+)\.py")

by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def snippets(page: Path) -> Iterator[str]:
    """Yield every line of shell blocks and every inline snippet."""
    text = page.read_text(encoding="utf-8")
    for language, block in BLOCK.findall(text):
        if language == "bash":
            yield from block.replace("\\\n", " ").splitlines()
    yield from (found.replace("\n", " ") for found in INLINE.findall(BLOCK.sub("", text)))


@by_page
def test_links_within_the_repository_lead_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    for target in targets:
        if not re.match(r"\w+:|#", target):
            assert (page.parent / target.split("#", maxsplit=1)[0]).exists(), target


@pytest.mark.parametrize("page", [*PAGES, TEMPLATE], ids=lambda page: page.name)
def test_paths_exist(page: Path) -> None:
    for snippet in snippets(page):
        for word in snippet.split():
            path = word.strip(".,;:()\"'")
            if path.startswith(tuple(f"{name}/" for name in FOLDERS)) and not set(path) & set(
                "<*NN"
            ):
                assert (ROOT / path).exists(), snippet


def command_of(script: str, words: list[str]) -> tuple[Any, list[str]]:
    """Return the command that runs, and the words that remain for it."""
    command: Any = get_command(importlib.import_module(f"scripts.{script}").app)
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        assert words[0] in command.commands, f"scripts/{script}.py has no command {words[0]}"
        command, words = command.commands[words[0]], words[1:]
    return command, words


@by_page
def test_scripts_take_the_options_that_are_named(page: Path) -> None:
    for snippet in snippets(page):
        found = SCRIPT.match(snippet.split("#", maxsplit=1)[0].strip())
        if found is None:
            continue
        words = shlex.split(snippet.strip()[found.end() :], comments=True)
        options = [word for word in words if word.startswith("--")]
        if not words:
            assert (ROOT / "scripts" / f"{found[1]}.py").is_file()
            continue
        command, rest = command_of(found[1], words)
        known = {name for option in command.params for name in option.opts + option.secondary_opts}
        for option in options:
            assert option.split("=")[0] in known | {"--help"}, snippet
        assert rest or not hasattr(command, "commands"), f"{snippet}: no command is named"


def test_every_script_stands_in_the_table_with_its_options() -> None:
    lines = re.findall(
        r"^\| `scripts/(\w+)\.py` \| (.*) \|$", (ROOT / "README.md").read_text(), re.MULTILINE
    )
    table = dict(lines)
    commands = {path.stem for path in ROOT.glob("scripts/*.py") if "app()" in path.read_text()}
    assert set(table) == commands
    for script, about in table.items():
        command = get_command(importlib.import_module(f"scripts.{script}").app)
        known = {name for option in command.params for name in option.opts}
        assert set(re.findall(r"`(--[\w-]+)`", about)) <= known


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [p for p in sorted(ROOT.glob("scripts/*.py")) if "app()" in p.read_text()],
    ids=lambda path: path.stem,
)
def test_every_script_starts_from_any_folder(script: Path, tmp_path: Path) -> None:
    """As a user starts it: by its path, with nothing in the environment that leads to modules."""
    done = subprocess.run(
        [sys.executable, str(script), "--help"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@by_page
def test_make_knows_the_targets_that_are_named(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for snippet in snippets(page):
        for target in re.findall(r"(?:^|\s)make ([a-z-]+)", snippet.split("#", maxsplit=1)[0]):
            assert target in targets, snippet


@by_page
def test_python_examples_compile(page: Path) -> None:
    for language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            compile(block, page.name, "exec")


def test_hosted_checks_run_what_the_readme_says() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert commands == ["make test"]
    assert "make test" in (ROOT / "README.md").read_text()


def test_the_citation_names_the_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == RELEASE_VERSION
    assert {"cff-version", "message", "title", "authors", "type"} <= citation.keys()


def test_the_template_for_wrong_answers_asks_for_what_is_needed() -> None:
    form = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/wrong_gold_answer.yml").read_text())
    needed = {part["id"] for part in form["body"] if part["validations"]["required"]}
    assert needed == {"instance", "version", "expected", "why"}
