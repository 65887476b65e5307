"""The manifest of a release: what it holds, with hashes, and what it leaves out, with reasons.

What the hashes can show: `files` that every file is the one that was written with the manifest;
`release_sha256`, which stands in the card and is told by the builder and the validator, that the
manifest itself is. Whoever rewrites files, manifest and card together makes another valid folder
with another `release_sha256`: that the folder is the published release only a comparison with the
published digest can tell, and that its rows follow from its seed only building it again.
"""

import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from builder.errors import BuildError
from builder.schema import Config, Split
from eval_tasks.canonical import canonical_json

MANIFEST_NAME = "manifest.json"
PRIVATE_MARKER = "PRIVATE"
"""File that marks a folder whose content may not be passed on."""
CARD_NAME = "README.md"
_OF_OTHERS = (".git", ".gitattributes", ".cache")
"""What git and the Hub add to a folder."""
_OF_EVALUATION = (".litellm_cache", "answers", "logs", "results")
"""Folders that lighteval, inspect and the endpoint model write where they are started."""
_BYTECODE = "__pycache__"
_LIBRARIES = ("datasets", "numba", "numpy", "pandas", "pyarrow", "simglucose")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SplitEntry(_Frozen):
    """A split.

    Attributes:
        rows: Number of rows.
        sha256: SHA-256 of its canonical rows.
        row_digests: The rows' digests one after the other, so that a changed row can be named.
        files: Relative to the release.
    """

    rows: int
    sha256: str
    row_digests: str
    files: tuple[str, ...]


class ConfigEntry(_Frozen):
    """A config that is present."""

    splits: Mapping[Split, SplitEntry]


class LeftOutEntry(_Frozen):
    """A subject, or a task of a subject, that is not in a config, and why."""

    config: Config
    subject: str
    task_id: str | None
    reason: str


class Manifest(_Frozen):
    """The manifest.

    Attributes:
        name: Name of the benchmark.
        version: Release version.
        seed: Release seed.
        release_config_sha256: Digest of the declared content.
        code_commit: Commit of the code, with "+changes" where the tree differed; None outside git.
        libraries: Versions of what the rows may depend on.
        content_sha256: Digest over the splits' hashes: equal content, equal digest.
        configs: What is present.
        absent: Configs that are not, and why.
        left_out: What is missing inside the present ones, and why.
        unbalanced: Rules of balance that `test` breaks because too few people can be asked.
        cleaning: What cleaning did to each recording, by subject and step.
        canary: String that tells training corpora which hold the data.
        private: Whether the content may not be passed on; the folder then holds `PRIVATE_MARKER`.
        patients: Patients of a scaled cohort; None in a release.
        files: SHA-256 of every file's bytes but the manifest's, by path. The bytes of Parquet files
            change with the library that wrote them; the splits' hashes, over rows, do not.
    """

    name: str
    version: str
    seed: int
    release_config_sha256: str
    code_commit: str | None
    libraries: Mapping[str, str]
    content_sha256: str
    configs: Mapping[Config, ConfigEntry]
    absent: Mapping[Config, str]
    left_out: tuple[LeftOutEntry, ...]
    cleaning: Mapping[str, Mapping[str, int]]
    canary: str
    private: bool = False
    patients: int | None = None
    unbalanced: tuple[str, ...] = ()
    files: Mapping[str, str] = {}

    @property
    def release_sha256(self) -> str:
        """Digest of the release: of this manifest, but for the card, in which the digest stands."""
        content = self._content()
        content["files"] = {name: sha for name, sha in self.files.items() if name != CARD_NAME}
        return hashlib.sha256(canonical_json(content)).hexdigest()

    def as_text(self) -> str:
        """Return the manifest as it stands in the release."""
        return json.dumps(self._content(), indent=2) + "\n"

    def _content(self) -> dict[str, Any]:
        content = self.model_dump(mode="json")
        if self.patients is None:
            del content["patients"]
        return content


def content_sha256(configs: Mapping[Config, ConfigEntry]) -> str:
    """Return the digest over all splits' hashes, in the order of their names."""
    digest = hashlib.sha256()
    for config, entry in sorted(configs.items()):
        for split, part in sorted(entry.splits.items()):
            digest.update(f"{config} {split} {part.rows} {part.sha256}\n".encode())
    return digest.hexdigest()


def file_hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file of a release but its manifest, by path, in order.

    What git, the Hub, Python's bytecode cache and an evaluation add to a folder is no part of the
    release.
    """
    paths = (path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())
    own = sorted(path.as_posix() for path in paths if _is_own(path))
    return {name: _file_sha256(folder / name) for name in own}


def _is_own(path: Path) -> bool:
    """Return whether a file of a release, relative to it, is one that the manifest should list."""
    first, *others = path.parts
    foreign = first in _OF_OTHERS or (first in _OF_EVALUATION and others)
    return not foreign and _BYTECODE not in path.parts and path.as_posix() != MANIFEST_NAME


def _file_sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"unreadable: {error.strerror}"


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a release folder.

    Raises:
        BuildError: There is none, or it is not valid.
    """
    path = folder / MANIFEST_NAME
    try:
        return Manifest.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BuildError(f"{folder} is no release: it holds no {MANIFEST_NAME}") from error
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise BuildError(f"{path} cannot be read: {str(error).splitlines()[0]}") from error


def library_versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that rows may depend on."""
    return {"python": platform.python_version(), **{name: version(name) for name in _LIBRARIES}}


def code_commit() -> str | None:
    """Return the commit of this code, or None where it is no git checkout."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return None
    try:
        commit = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{commit}+changes" if changed else commit


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *words], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()
