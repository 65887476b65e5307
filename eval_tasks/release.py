"""Where the release lies, and what its manifest says of it."""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
from huggingface_hub import HfApi, constants, hf_hub_download, snapshot_download
from huggingface_hub.errors import HFValidationError

from eval_tasks.baselines import FILE_NAME, Baseline, read_baselines
from eval_tasks.errors import ReleaseError, UnknownNameError
from eval_tasks.integrity import Part, check_rows, read_rows
from eval_tasks.question import LONGEVITY, Row
from eval_tasks.version import RELEASE_VERSION

LOCATION_VARIABLE = "HEALTHLOOPQA_RELEASE"
"""Environment variable that names a release's folder or Hub repository."""
HUB_REPOSITORY = "healthloopqa/healthloopqa"
EVALUATED_CONFIGS = ("simulated", "fault_injected", "real_world", LONGEVITY)
"""Configs that have questions, in the order of reports."""
MANIFEST = "manifest.json"
_HOME = Path(__file__).resolve().parent.parent
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release that is there.

    Attributes:
        repo: Its folder, or its Hub repository.
        revision: Git commit on the Hub; for a folder its content hash, which keeps caches apart.
        version: Release version.
        content_sha256: Hash of all rows.
        parts: What the manifest says of each split, by config; the configs with questions only.
        baselines_text: What its `baselines.json` holds.
    """

    repo: str
    revision: str
    version: str
    content_sha256: str
    parts: Mapping[str, Mapping[str, Part]]
    baselines_text: str

    @property
    def is_folder(self) -> bool:
        """Whether it lies on this machine."""
        return Path(self.repo).is_dir()

    @property
    def rows(self) -> dict[str, dict[str, int]]:
        """Number of rows by config and split."""
        return {
            config: {split: part.rows for split, part in splits.items()}
            for config, splits in self.parts.items()
        }

    def check(self, config: str, split: str) -> None:
        """Check that a config's split, if on this machine, holds the rows that the manifest lists.

        What lies on the Hub is pinned by its commit and checked once it is downloaded.

        Raises:
            ReleaseError: It does not.
        """
        if self.is_folder:
            check_rows(Path(self.repo), config, split, self.parts[config][split])

    def chosen(self, configs: tuple[str, ...], split: str) -> tuple[str, ...]:
        """Return the configs asked for, or all that have the split if none are.

        Raises:
            UnknownNameError: The release lacks one of them, or its split.
        """
        if not configs:
            configs = tuple(config for config, splits in self.rows.items() if split in splits)
        for config in configs:
            if config not in self.rows:
                raise UnknownNameError(
                    f"no config {config!r} in {self.repo}; there are {', '.join(self.rows)}"
                )
            if split not in self.rows[config]:
                raise UnknownNameError(
                    f"no split {split!r} of {config}; there are {', '.join(self.rows[config])}"
                )
        if not configs:
            raise UnknownNameError(f"no config of {self.repo} has a split {split!r}")
        return configs

    def read(self, config: str, split: str) -> Iterator[Row]:
        """Yield the rows of a config's split, which must be on this machine.

        Raises:
            ReleaseError: A file is missing or broken.
        """
        return read_rows(Path(self.repo), f"{config}/{split}", self.parts[config][split].files)

    def baselines(self, config: str, split: str) -> dict[str, Baseline]:
        """Return the baselines of a config's split by task id.

        Raises:
            ReleaseError: The release has none.
        """
        return read_baselines(self.baselines_text, config, split)


def folder_revision(version: str, content_sha256: str) -> str:
    """Return what stands for a Git commit where a release lies in a folder."""
    return f"{version}-{content_sha256[:16]}"


def find_release(location: str | None = None, version: str = RELEASE_VERSION) -> Release:
    """Return the release to evaluate on.

    Args:
        location: A folder or a Hub repository. If None: what HEALTHLOOPQA_RELEASE names, else the
            folder that this package lies in if it is a release, else the one that
            `make release` has built beside it, else the Hub repository.
        version: Release version on the Hub; another one than this code's is looked for only there
            unless a folder is named.

    Raises:
        ReleaseError: There is none, or it is not whole.
    """
    location = location or os.environ.get(LOCATION_VARIABLE)
    if location:
        folder = Path(location).expanduser()
        if folder.exists() or not _REPOSITORY.fullmatch(location):
            return read_folder(folder)
        return read_hub(location, version)
    for folder in (_HOME, _HOME / "dist" / f"healthloopqa-{RELEASE_VERSION}"):
        if version == RELEASE_VERSION and (folder / MANIFEST).is_file():
            return read_folder(folder)
    return read_hub(HUB_REPOSITORY, version)


def read_folder(folder: Path, configs: Sequence[str] = EVALUATED_CONFIGS) -> Release:
    """Return the release in a folder.

    Args:
        folder: The folder.
        configs: Configs whose data must be there if the manifest lists them.

    Raises:
        ReleaseError: The folder is missing or holds no whole release.
    """
    if not folder.is_dir():
        raise ReleaseError(f"no folder {folder}; build a release with `make release`")
    texts = []
    for name in (MANIFEST, FILE_NAME):
        try:
            texts.append((folder / name).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "no text"
            raise ReleaseError(
                f"{folder} is no release: cannot read {name} ({reason}); "
                "build one with `make release` or download one"
            ) from error
    release = _read_manifest(str(folder.resolve()), texts[0], texts[1], revision=None)
    for config in set(configs) & set(release.rows):
        if not (folder / "data" / config).is_dir():
            raise ReleaseError(f"{folder}: the manifest lists {config}, but data/{config} is gone")
    return release


def read_hub(repository: str, version: str = RELEASE_VERSION) -> Release:
    """Return the release of a version in a repository of the Hub, where its tag is the version.

    Raises:
        ReleaseError: The repository or its tag cannot be reached, or it is not whole.
    """
    advice = f"set {LOCATION_VARIABLE} to the folder of a release, or build one: `make release`"
    if constants.is_offline_mode():
        raise ReleaseError(f"offline, and no release on this machine was named or found; {advice}")
    try:
        commit = HfApi().dataset_info(repository, revision=version).sha
        texts = [
            Path(hf_hub_download(repository, name, repo_type="dataset", revision=commit)).read_text(
                encoding="utf-8"
            )
            for name in (MANIFEST, FILE_NAME)
        ]
    except (httpx.HTTPError, OSError, HFValidationError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ReleaseError(
            f"no folder {repository}, and no release {version} in a Hub repository of that name "
            f"({reason}); {advice}"
        ) from error
    return _read_manifest(repository, texts[0], texts[1], revision=commit)


def downloaded(release: Release, configs: Sequence[str]) -> Release:
    """Return a release as a folder on this machine: itself, or its copy from the Hub.

    Raises:
        ReleaseError: The Hub cannot be reached.
    """
    if release.is_folder:
        return release
    patterns = [MANIFEST, FILE_NAME, "README.md", *(f"data/{config}/*" for config in configs)]
    try:
        folder = snapshot_download(
            release.repo, repo_type="dataset", revision=release.revision, allow_patterns=patterns
        )
    except (httpx.HTTPError, OSError) as error:
        raise ReleaseError(f"cannot download {release.repo}: {error}") from error
    return replace(read_folder(Path(folder), configs), revision=release.revision)


def _read_manifest(
    repo: str, manifest_text: str, baselines_text: str, *, revision: str | None
) -> Release:
    try:
        manifest = json.loads(manifest_text)
        configs: Mapping[str, Any] = manifest["configs"]
        content = manifest["content_sha256"]
        return Release(
            repo=repo,
            revision=revision or folder_revision(manifest["version"], content),
            version=manifest["version"],
            content_sha256=content,
            parts={
                config: {split: _part(about) for split, about in configs[config]["splits"].items()}
                for config in EVALUATED_CONFIGS
                if config in configs
            },
            baselines_text=baselines_text,
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ReleaseError(f"{repo}: {MANIFEST} is not a release's ({error!r})") from error


def _part(about: Mapping[str, Any]) -> Part:
    return Part(
        rows=int(about["rows"]),
        sha256=str(about["sha256"]),
        row_digests=str(about["row_digests"]),
        files=tuple(about["files"]),
    )
