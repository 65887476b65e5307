"""Finds the files of a source's subjects, unpacked or inside zip archives."""

import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from generators.real_world.recordings import RawDataError

MAX_FILE_BYTES = 100_000_000
"""Over 200 times the largest AZT1D file; more is no recording of a few weeks."""

_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectFile:
    """A subject's file: its number, where it was found, and its bytes."""

    subject: int
    place: str
    content: bytes


def subject_files(folder: Path, pattern: re.Pattern[str]) -> tuple[SubjectFile, ...]:
    """Return one file per subject, ordered by subject number.

    Looks at all files below the folder and inside the zip archives directly in it. Names in an
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
    found: dict[int, SubjectFile] = {}
    for file in (*_unpacked(folder, pattern), *_archived(folder, pattern)):
        known = found.setdefault(file.subject, file)
        if known.content != file.content:
            raise RawDataError(
                f"subject {file.subject} occurs twice with different content, in {known.place} "
                f"and in {file.place}; remove one of them"
            )
    return tuple(found[subject] for subject in sorted(found))


def _unpacked(folder: Path, pattern: re.Pattern[str]) -> Iterator[SubjectFile]:
    for path in sorted(folder.rglob("*")):
        match = pattern.fullmatch(path.name)
        if match and path.is_file():
            _check_size(str(path), path.stat().st_size)
            yield SubjectFile(subject=int(match[1]), place=str(path), content=_bytes(path))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RawDataError(f"{path}: cannot be read ({error.strerror})") from error


def _archived(folder: Path, pattern: re.Pattern[str]) -> Iterator[SubjectFile]:
    for path in sorted(folder.glob("*.zip")):
        try:
            with zipfile.ZipFile(path) as archive:
                yield from _members(path, archive, pattern)
        except _UNREADABLE as error:
            raise RawDataError(
                f"{path}: truncated or damaged zip archive ({error}); fetch it again"
            ) from error
        except OSError as error:
            raise RawDataError(f"{path}: cannot be read ({error.strerror})") from error


def _members(
    path: Path, archive: zipfile.ZipFile, pattern: re.Pattern[str]
) -> Iterator[SubjectFile]:
    for member in sorted(archive.infolist(), key=lambda info: info.filename):
        name = PurePosixPath(member.filename)
        match = pattern.fullmatch(name.name)
        if match and not member.is_dir() and _stays_inside(name):
            place = f"{path}: {member.filename}"
            _check_size(place, member.file_size)
            yield SubjectFile(subject=int(match[1]), place=place, content=archive.read(member))


def _stays_inside(name: PurePosixPath) -> bool:
    return not (name.is_absolute() or ".." in name.parts or "\\" in str(name) or ":" in str(name))


def _check_size(place: str, size: int) -> None:
    if size > MAX_FILE_BYTES:
        raise RawDataError(
            f"{place}: {size} bytes, more than {MAX_FILE_BYTES}; that is no recording of a few "
            "weeks, remove it"
        )
