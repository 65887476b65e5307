"""Finds the files of a source's subjects: one file, a folder of them, or inside zip archives."""

import lzma
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from generators.real_world.recordings import RawDataError

MAX_FILE_BYTES = 100_000_000
"""Over 200 times the largest AZT1D file; more is no recording of a few weeks."""
MAX_TOTAL_BYTES = 1_000_000_000
"""Of all files together, unpacked."""
MAX_MEMBERS = 100_000

_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
)
_ARCHIVE_SUFFIX = ".zip"


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFile:
    """A file.

    Attributes:
        name: Its name.
        folder: The folder that it lies in, as seen from where reading began.
        place: Where it was found, for messages.
        content: Its bytes.
    """

    name: str
    folder: str
    place: str
    content: bytes

    @property
    def key(self) -> str:
        """Folder and name: differs between files, but not between machines."""
        return f"{self.folder}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectFile:
    """A subject's file: its number, where it was found, and its bytes."""

    subject: int
    place: str
    content: bytes


def subject_files(folder: Path, pattern: re.Pattern[str]) -> tuple[SubjectFile, ...]:
    """Return one file per subject, ordered by subject number.

    Looks at all files below the folder and inside the zip archives among them. Names in an
    archive that would lead out of it are ignored; nothing is extracted.

    Args:
        folder: Where the source's recordings lie.
        pattern: Matches the whole name of a subject's file; its group is the subject's number.

    Raises:
        RawDataError: The folder is missing, an archive or file cannot be read or is too large,
            or a subject occurs twice with different content.
    """
    if not folder.is_dir():
        raise RawDataError(
            f"{folder}: no such folder; name the folder that holds the recordings "
            "(--raw-dir or HEALTHLOOPQA_RAW_DIR)"
        )
    return numbered(raw_files(folder, lambda name: bool(pattern.fullmatch(name))), pattern)


def numbered(files: Iterator[RawFile], pattern: re.Pattern[str]) -> tuple[SubjectFile, ...]:
    """Return files by the number in their name, each number once.

    Raises:
        RawDataError: A number occurs twice with different content.
    """
    found: dict[int, SubjectFile] = {}
    for file in files:
        match = pattern.fullmatch(file.name)
        if match is None:
            continue
        subject = int(match[1])
        new = SubjectFile(subject=subject, place=file.place, content=file.content)
        known = found.setdefault(subject, new)
        if known.content != new.content:
            raise RawDataError(
                f"subject {subject} occurs twice with different content, in {known.place} "
                f"and in {new.place}; remove one of them"
            )
    return tuple(found[subject] for subject in sorted(found))


def raw_files(
    path: Path,
    wanted: Callable[[str], bool],
    *,
    skip_loose: tuple[str, ...] = (),
    unread: Callable[[str], None] = lambda _: None,
) -> Iterator[RawFile]:
    """Yield the files whose name is wanted, in an order that does not depend on the file system.

    Args:
        path: A file, a zip archive, or a folder: all files below it and inside the zip archives
            among them. An archive in an archive is a file like any other.
        wanted: Tells a wanted file by its name.
        skip_loose: Endings of names that are not wanted outside archives.
        unread: Told the place of each wanted file whose name would lead out of its archive.

    Raises:
        RawDataError: An archive or file cannot be read, or they are too large or too many.
    """
    total = 0
    for file in _all_files(path, wanted, skip_loose, unread):
        total += len(file.content)
        if total > MAX_TOTAL_BYTES:
            raise RawDataError(
                f"{path}: more than {MAX_TOTAL_BYTES} bytes in all; import it in parts"
            )
        yield file


def _all_files(
    path: Path,
    wanted: Callable[[str], bool],
    skip_loose: tuple[str, ...],
    unread: Callable[[str], None],
) -> Iterator[RawFile]:
    if path.is_file():
        archives, loose = ([path], []) if zipfile.is_zipfile(path) else ([], [path])
    else:
        found = sorted(_below(path))
        archives = [one for one in found if one.suffix.lower() == _ARCHIVE_SUFFIX]
        loose = [one for one in found if one.suffix.lower() != _ARCHIVE_SUFFIX]
    for one in loose:
        if wanted(one.name) and not one.name.endswith(skip_loose):
            _check_size(str(one), one.stat().st_size)
            folder = "." if one == path else one.parent.relative_to(path).as_posix()
            yield RawFile(name=one.name, folder=folder, place=str(one), content=_bytes(one))
    for archive in archives:
        label = archive.name if archive == path else archive.relative_to(path).as_posix()
        for file in _archived(archive, wanted, unread):
            yield replace(file, folder=f"{label}: {file.folder}")


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, refusing folders that may not be looked into."""
    for place, _, names in os.walk(folder, onerror=_refuse):
        yield from (one for one in map(Path(place).joinpath, names) if one.is_file())


def _refuse(error: OSError) -> None:
    raise RawDataError(f"{error.filename}: cannot be read ({error.strerror})") from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RawDataError(f"{path}: cannot be read ({error.strerror})") from error


def _archived(
    path: Path, wanted: Callable[[str], bool], unread: Callable[[str], None]
) -> Iterator[RawFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield from _members(path, archive, wanted, unread)
    except _UNREADABLE as error:
        raise RawDataError(
            f"{path}: truncated or damaged zip archive ({error}); fetch it again"
        ) from error
    except OSError as error:
        raise RawDataError(f"{path}: cannot be read ({error.strerror or error})") from error


def _members(
    path: Path,
    archive: zipfile.ZipFile,
    wanted: Callable[[str], bool],
    unread: Callable[[str], None],
) -> Iterator[RawFile]:
    members = sorted(archive.infolist(), key=lambda info: info.filename)
    if len(members) > MAX_MEMBERS:
        raise RawDataError(f"{path}: {len(members)} files in one archive; unpack what is needed")
    for member in members:
        name = PurePosixPath(member.filename)
        if member.is_dir() or not wanted(name.name):
            continue
        place = f"{path}: {member.filename}"
        if not _stays_inside(name):
            unread(place)
        else:
            _check_size(place, member.file_size)
            yield RawFile(
                name=name.name,
                folder=str(name.parent),
                place=place,
                content=archive.read(member),
            )


def _stays_inside(name: PurePosixPath) -> bool:
    return not (name.is_absolute() or ".." in name.parts or "\\" in str(name) or ":" in str(name))


def _check_size(place: str, size: int) -> None:
    if size > MAX_FILE_BYTES:
        raise RawDataError(
            f"{place}: {size} bytes, more than {MAX_FILE_BYTES}; that is no recording of a few "
            "weeks, remove it"
        )
