"""Puts a release on the Hub: one commit, checked file by file, then the version as its tag.

The tag comes last, so that whoever asks for a version gets the whole release or nothing. A push that
failed is simply run again: files that arrived are not sent twice, and a commit that was made is
found and tagged.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.hf_api import RepoFile

from builder import parquet
from builder.errors import BuildError, InvalidReleaseError
from builder.floors import Splits
from builder.fresh import SALT_NAME
from builder.generate import TASK_TYPES
from builder.manifest import MANIFEST_NAME, PRIVATE_MARKER, Manifest, read_manifest
from builder.release_config import load_release_config
from builder.validate import problems_of
from builder.workers import Progress
from eval_tasks.hub import HubError, hub_errors, patiently, require_token
from eval_tasks.version import RELEASE_VERSION
from generators.real_world.recordings import LICENCE, PRIVATE

_OF_THE_HUB = (".gitattributes",)
"""Files that the Hub keeps in every repository."""
_REPO_TYPE = "dataset"
_SOURCES = frozenset({"simulated", "fault_injected", "longevity", *(LICENCE.keys() - PRIVATE)})
_ROW_LICENCE = "CC-BY-4.0"
_PAGES = ("LICENSE", "LICENSE-DATA", "README.md", "baselines.json", "croissant.json", "eval.yaml")
_CODE = ("load_healthloopqa.py", "eval_tasks/*.py", "eval_tasks/py.typed", "eval_tasks/*/*.py")
_OF_A_RELEASE = (*_PAGES, *_CODE, "figures/*.png")
"""Files that a release holds beside those of its splits."""
Kind = Literal["add", "change", "delete"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What happens to a file of the repository; bytes are those that it has afterwards."""

    path: str
    kind: Kind
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a push does.

    Attributes:
        repository: Where to.
        version: Release version, which becomes the tag.
        head: Commit that `main` is at; None where the repository does not exist.
        changes: Files that differ, by path.
        unchanged: Number of files that do not.
    """

    repository: str
    version: str
    head: str | None
    changes: tuple[Change, ...]
    unchanged: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A release that may be published: its folder, its manifest, its files by path."""

    folder: Path
    manifest: Manifest
    files: Mapping[str, Path]


def checked(folder: Path, progress: Progress, *, workers: int = 1) -> Checked:
    """Return a release of which everything has been checked that can be without the Hub.

    Args:
        folder: Folder of the release.
        progress: Told how far the checks are.
        workers: Processes.

    Raises:
        InvalidReleaseError: It is not valid.
        BuildError: It may not be published as it is.
    """
    manifest = read_manifest(folder)
    _check_public(folder, manifest)
    _check_declared(folder, manifest)
    _check_files(folder, manifest)
    problems = problems_of(folder, progress, workers=workers)
    if problems:
        raise InvalidReleaseError(str(folder), problems)
    tables: Splits = {
        config: {
            split: pa.concat_tables([parquet.read(folder / name) for name in part.files])
            for split, part in entry.splits.items()
        }
        for config, entry in manifest.configs.items()
    }
    _check_sources(folder, tables)
    files = {name: folder / name for name in (*manifest.files, MANIFEST_NAME)}
    return Checked(folder=folder, manifest=manifest, files=files)


def check_whole(release: Checked) -> None:
    """Refuse a part of a release, such as one of a few tasks or patients, where it stands for all.

    Recordings may be absent: whoever has none builds the version without them.

    Raises:
        BuildError: Questions or configs are missing.
    """
    declared = load_release_config(RELEASE_VERSION)
    absent = [name for name in release.manifest.absent if name != "real_world"]
    if absent:
        raise BuildError(f"{release.folder} has no {', '.join(absent)}; build the whole release")
    for config, types in TASK_TYPES.items():
        entry = release.manifest.configs.get(config)
        due = declared.test_total if config != "real_world" else declared.real_world_test_total
        count = sum(due[kind] for kind in types)
        if entry is None:
            continue
        test = entry.splits.get("test")
        rows = 0 if test is None else test.rows
        if rows != count:
            raise BuildError(
                f"{release.folder} has {rows} questions in {config}/test, not "
                f"{count}; build the whole release, or push this part to a repository of your own"
            )


def plan(api: HfApi, release: Checked, repository: str, *, create: bool = False) -> Plan:
    """Return what a push would do.

    Args:
        api: Client of the Hub.
        release: What to push.
        repository: Where to.
        create: Whether a repository that does not exist will be made.

    Raises:
        HubError: The version is published already, or the Hub refuses.
    """
    try:
        with hub_errors(repository):
            return _plan(api, release, repository)
    except HubError as error:
        if error.status != 404:
            raise
        if not create:
            raise HubError(f"{error}; --create makes the repository", status=404) from error
    added = tuple(
        Change(path=name, kind="add", bytes=path.stat().st_size)
        for name, path in release.files.items()
    )
    version = release.manifest.version
    return Plan(repository=repository, version=version, head=None, changes=added, unchanged=0)


def push(api: HfApi, release: Checked, planned: Plan) -> str:
    """Push a release, tag it and return its commit.

    Args:
        api: Client of the Hub.
        release: What to push.
        planned: What `plan` said of it.

    Raises:
        HubError: The Hub refuses or cannot be reached. The tag does not exist then, and `main` holds
            either what it held before or the whole release.
    """
    require_token()
    repository = planned.repository
    if planned.head is None:
        patiently(
            repository, lambda: api.create_repo(repository, repo_type=_REPO_TYPE, exist_ok=True)
        )
    commit = patiently(repository, lambda: _commit(api, release, repository))
    patiently(repository, lambda: _tag(api, repository, release.manifest.version, commit))
    return commit


def is_same_repository(one: str, other: str) -> bool:
    """Return whether two names are one repository to the Hub, which takes capitals for small ones."""
    return one.casefold() == other.casefold()


def _check_public(folder: Path, manifest: Manifest) -> None:
    marks = [name for name in (PRIVATE_MARKER, SALT_NAME) if os.path.lexists(folder / name)]
    if manifest.private or marks:
        raise BuildError(f"{folder} is private: its rows may not be passed on, so it is not pushed")


def _check_files(folder: Path, manifest: Manifest) -> None:
    """Refuse files that are none of a release's, though the manifest lists them."""
    entries = manifest.configs.values()
    used = {name for entry in entries for part in entry.splits.values() for name in part.files}
    for name in sorted(manifest.files.keys() - used):
        if not any(_fits(name, pattern) for pattern in _OF_A_RELEASE):
            raise BuildError(
                f"{folder}: {name} belongs to no split and is no page, figure or code of a release; "
                "build it anew"
            )


def _fits(name: str, pattern: str) -> bool:
    """Whether a path matches a pattern from its beginning to its end; * stands for one part."""
    parts, wanted = name.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))


def _check_declared(folder: Path, manifest: Manifest) -> None:
    """Refuse what is not the release of this version, such as a fresh test from another seed."""
    if manifest.version != RELEASE_VERSION:
        raise BuildError(
            f"{folder} is version {manifest.version}, this code {RELEASE_VERSION}; push it with its "
            "own code"
        )
    if manifest.patients is not None:
        raise BuildError(
            f"{folder} is a scaled cohort, no release; upload it to a repository of its own with "
            "`hf upload-large-folder`"
        )
    declared = load_release_config(RELEASE_VERSION)
    if (manifest.seed, manifest.release_config_sha256) != (declared.seed, declared.sha256):
        raise BuildError(
            f"{folder} was built from seed {manifest.seed} or quotas that are not those of "
            f"builder/releases/{RELEASE_VERSION}.yaml (seed {declared.seed}); build it anew"
        )


def _check_sources(folder: Path, tables: Splits) -> None:
    """Refuse rows that are not known to be free to pass on, whatever the manifest says of them."""
    for config, splits in tables.items():
        for split, table in splits.items():
            origin = table.column("provenance")
            for name, free in (("source", _SOURCES), ("licence", {_ROW_LICENCE})):
                found = pc.unique(pc.struct_field(origin, name)).to_pylist()
                kept = sorted(str(value) for value in found if value not in free)
                if kept:
                    raise BuildError(
                        f"{folder}: {config}/{split} holds rows of the {name} {', '.join(kept)}, "
                        "which may not be passed on; leave them out"
                    )


def _plan(api: HfApi, release: Checked, repository: str) -> Plan:
    """Compare a release with the branch `main` of a repository.

    Raises:
        HubError: The version is published already.
    """
    version = release.manifest.version
    refs = api.list_repo_refs(repository, repo_type=_REPO_TYPE)
    if any(tag.name == version for tag in refs.tags):
        raise HubError(
            f"{repository} has the tag {version} already, and a published version never changes; "
            "raise RELEASE_VERSION in eval_tasks/version.py and build anew"
        )
    head = api.dataset_info(repository).sha or ""
    held = _tree(api, repository, head)
    changes = tuple(_changes(release, held))
    kept = len(release.files) - sum(change.kind != "delete" for change in changes)
    return Plan(repository=repository, version=version, head=head, changes=changes, unchanged=kept)


def _tree(api: HfApi, repository: str, commit: str) -> dict[str, RepoFile]:
    entries = api.list_repo_tree(repository, revision=commit, recursive=True, repo_type=_REPO_TYPE)
    return {entry.path: entry for entry in entries if isinstance(entry, RepoFile)}


def _changes(release: Checked, held: Mapping[str, RepoFile]) -> Iterator[Change]:
    for name, path in release.files.items():
        if name not in held or not _same(path, held[name]):
            kind: Kind = "change" if name in held else "add"
            yield Change(path=name, kind=kind, bytes=path.stat().st_size)
    for name in held:
        if name not in release.files and name not in _OF_THE_HUB:
            yield Change(path=name, kind="delete", bytes=0)


def _same(path: Path, held: RepoFile) -> bool:
    """Return whether a file is what the Hub holds: by SHA-256 if large, else by git's name of it."""
    data = path.read_bytes()
    if held.lfs is not None:
        return hashlib.sha256(data).hexdigest() == held.lfs.sha256
    named = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False)
    return named.hexdigest() == held.blob_id


def _commit(api: HfApi, release: Checked, repository: str) -> str:
    """Make `main` the release, unless it is, and return the commit.

    Raises:
        HubError: What the Hub holds afterwards is not the release.
    """
    planned = _plan(api, release, repository)
    if not planned.changes:
        return planned.head or ""
    made = api.create_commit(
        repository,
        operations=[_operation(release, change) for change in planned.changes],
        commit_message=f"HealthLoopQA {planned.version}",
        commit_description=f"Content {release.manifest.content_sha256}",
        repo_type=_REPO_TYPE,
        parent_commit=planned.head,
    )
    wrong = [change.path for change in _changes(release, _tree(api, repository, made.oid))]
    if wrong:
        raise HubError(
            f"{repository}: commit {made.oid} does not hold the release ({', '.join(wrong[:3])} "
            "differ); it was not tagged"
        )
    return made.oid


def _operation(release: Checked, change: Change) -> CommitOperationAdd | CommitOperationDelete:
    if change.kind == "delete":
        return CommitOperationDelete(path_in_repo=change.path, is_folder=False)
    return CommitOperationAdd(path_in_repo=change.path, path_or_fileobj=release.files[change.path])


def _tag(api: HfApi, repository: str, version: str, commit: str) -> None:
    """Tag a commit, unless it is tagged.

    Raises:
        HubError: The tag is at another commit.
    """
    refs = api.list_repo_refs(repository, repo_type=_REPO_TYPE)
    target = next((tag.target_commit for tag in refs.tags if tag.name == version), None)
    if target is None:
        api.create_tag(repository, tag=version, revision=commit, repo_type=_REPO_TYPE)
    elif target != commit:
        raise HubError(f"{repository}: somebody else has tagged {target} as {version} meanwhile")
