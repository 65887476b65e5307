"""Refuse files that must not be committed: too large, a private key, broken YAML or TOML."""

import sys
import tomllib
from pathlib import Path

import yaml

LARGEST_KIB = 600
KEY_MARK = b"PRIVATE" + b" KEY-----"


def problem_of(path: Path) -> str | None:
    """Return what is wrong with a file, or None."""
    content = path.read_bytes()
    if len(content) > LARGEST_KIB * 1024:
        return f"is larger than {LARGEST_KIB} KiB; raw and built data are not committed"
    if KEY_MARK in content:
        return "holds a private key"
    try:
        if path.suffix in (".yaml", ".yml"):
            list(yaml.safe_load_all(content))
        elif path.suffix == ".toml":
            tomllib.loads(content.decode())
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return f"cannot be read: {error}"
    return None


def main(names: list[str]) -> int:
    """Check the named files; return 1 where one is refused."""
    refused = 0
    for name in names:
        problem = problem_of(Path(name)) if Path(name).is_file() else None
        if problem:
            refused = 1
            print(f"{name} {problem}", file=sys.stderr)
    return refused


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
