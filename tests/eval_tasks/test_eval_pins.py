"""What the release's copy of eval_tasks imports comes with the extra `eval` alone; all is pinned."""

import ast
import sys
import tomllib
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]


def installed_with(requirements: list[str]) -> set[str]:
    """Distributions that pip installs for some requirements, by their canonical names."""
    found: set[tuple[str, str]] = set()
    waiting = [(Requirement(text), "") for text in requirements]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        for wanted in ("", *requirement.extras):
            if (name, wanted) in found:
                continue
            found.add((name, wanted))
            try:
                further = metadata.requires(name) or []
            except metadata.PackageNotFoundError:
                continue
            waiting += [(Requirement(text), wanted) for text in further]
    return {name for name, _ in found}


def project() -> dict[str, Any]:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text)["project"]
    return found


def pinned() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.partition("==") for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): version for name, _, version in pins}


def imported_modules() -> set[str]:
    names: set[str] = set()
    for path in sorted((ROOT / "eval_tasks").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.partition(".")[0])
    return names - set(sys.stdlib_module_names) - {"eval_tasks"}


def test_the_eval_pins_are_enough() -> None:
    enough = installed_with(project()["optional-dependencies"]["eval"])
    by_module = metadata.packages_distributions()
    for module in imported_modules():
        distributions = {canonicalize_name(name) for name in by_module[module]}
        assert distributions & enough, f"{module} does not come with the extra eval"


def test_all_that_is_installed_is_pinned() -> None:
    extras = project()["optional-dependencies"].values()
    needed = installed_with([*project()["dependencies"], *chain.from_iterable(extras)])
    there = {canonicalize_name(one.name) for one in metadata.distributions()}
    assert needed & there - pinned().keys() == set()


def test_pins_are_versions_that_the_project_takes() -> None:
    extras = project()["optional-dependencies"].values()
    for text in [*project()["dependencies"], *chain.from_iterable(extras)]:
        requirement = Requirement(text)
        assert pinned()[canonicalize_name(requirement.name)] in requirement.specifier, text


def test_what_a_page_tells_people_to_run_is_named_by_an_extra() -> None:
    named = {
        canonicalize_name(Requirement(text).name)
        for text in project()["optional-dependencies"]["eval"]
    }
    assert {"lighteval", "inspect-ai", "litellm"} <= named
