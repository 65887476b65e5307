"""Repositories as the Hub stand-in keeps them: commits with whole trees, branches, tags, requests."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

MAIN = "main"
INITIAL = {".gitattributes": b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"}
DATE = "2026-01-01T00:00:00.000Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """A file; large ones are known by a pointer."""

    data: bytes
    large: bool

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def pointer(self) -> bytes:
        return (
            "version https://git-lfs.github.com/spec/v1\n"
            f"oid sha256:{self.sha256}\nsize {len(self.data)}\n"
        ).encode()

    @property
    def oid(self) -> str:
        """Return git's name of the file."""
        held = self.pointer if self.large else self.data
        return hashlib.sha1(b"blob %d\0" % len(held) + held).hexdigest()

    def entry(self, path: str) -> dict[str, object]:
        """Return what the Hub's tree says of the file."""
        known = {"type": "file", "path": path, "size": len(self.data), "oid": self.oid}
        if not self.large:
            return known
        pointer = {"oid": self.sha256, "size": len(self.data), "pointerSize": len(self.pointer)}
        return {**known, "lfs": pointer}


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit with all its files."""

    parent: str | None
    title: str
    files: Mapping[str, Blob]

    @property
    def oid(self) -> str:
        names = sorted(f"{path} {blob.oid}" for path, blob in self.files.items())
        told = "\n".join([self.parent or "", self.title, *names])
        return hashlib.sha1(told.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request; its branch is refs/pr/<number>."""

    number: int
    title: str

    @property
    def branch(self) -> str:
        return f"refs/pr/{self.number}"


@dataclass(slots=True, kw_only=True)
class Repository:
    """A repository: every commit ever made, and what points to them."""

    kind: str
    name: str
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    pull_requests: list[PullRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        files = {path: Blob(data=data, large=False) for path, data in INITIAL.items()}
        self.add(Commit(parent=None, title="initial commit", files=files), MAIN)

    @property
    def head(self) -> str:
        return self.branches[MAIN]

    def add(self, commit: Commit, branch: str) -> str:
        """Add a commit, let a branch point to it and return its name."""
        self.commits[commit.oid] = commit
        self.branches[branch] = commit.oid
        return commit.oid

    def find(self, revision: str) -> str | None:
        """Return the commit that a branch, tag or commit names."""
        named = self.branches.get(revision) or self.tags.get(revision)
        return named or (revision if revision in self.commits else None)

    def files(self, revision: str = MAIN) -> Mapping[str, Blob]:
        """Return the files of a revision that exists."""
        return self.commits[self.find(revision) or ""].files

    def history(self, revision: str) -> Iterator[tuple[str, Commit]]:
        """Yield a commit and those before it."""
        oid = self.find(revision)
        while oid is not None:
            commit = self.commits[oid]
            yield oid, commit
            oid = commit.parent

    def propose(self, commit: Commit, title: str) -> PullRequest:
        """Open a pull request that holds one commit."""
        request = PullRequest(number=len(self.pull_requests) + 1, title=title)
        self.pull_requests.append(request)
        self.add(replace(commit, parent=self.head), request.branch)
        return request
