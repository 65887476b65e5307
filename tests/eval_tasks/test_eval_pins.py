"""What the release's copy of eval_tasks imports comes with the extra `eval` alone."""

import ast
import sys
import tomllib
from importlib import metadata
from pathlib import Path

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
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    enough = installed_with(project["optional-dependencies"]["eval"])
    by_module = metadata.packages_distributions()
    for module in imported_modules():
        distributions = {canonicalize_name(name) for name in by_module[module]}
        assert distributions & enough, f"{module} does not come with the extra eval"
