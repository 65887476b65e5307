"""Reads recordings of any known kind, recognised by their content, not by their names.

A file that occurs twice, such as an archive beside what was unpacked from it, is read once; two
people's Nightscout exports may hold equal files.

To add a source: write a reader that yields `selection.Subject`s from its files, and declare it in
`_FORMATS` here, in `trace.Source`, and with its licence in `recordings`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path

from generators.real_world.azt1d import azt1d_subjects, is_azt1d
from generators.real_world.files import RawFile, raw_files
from generators.real_world.hupa_ucm import hupa_ucm_subjects, is_hupa_ucm
from generators.real_world.metabonet import metabonet_subjects, open_metabonet
from generators.real_world.nightscout import is_nightscout, nightscout_subjects
from generators.real_world.ohiot1dm import is_ohiot1dm, ohiot1dm_subjects
from generators.real_world.recordings import LeftOut, RawDataError, Recordings
from generators.real_world.selection import Subject, selected
from generators.trace import Source

HEAD_BYTES = 65_536
"""How much of a file is looked at to tell what it is."""
PARQUET_MAGIC = b"PAR1"
_PARQUET_SUFFIX = ".parquet"
_MOST_NAMES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to read.

    Attributes:
        path: A file, a zip archive or a folder.
        timezone: IANA name of where the person lives, for exports that do not tell it.
        most: How many subjects of a MetaboNet file.
        days: Longest trace, at least 30.
    """

    path: Path
    timezone: str | None = None
    most: int = 30
    days: int = 38


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What was found: the recordings, the number of files by source, and files of no known kind."""

    recordings: Recordings
    files: Mapping[Source, int]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Format:
    """A kind of text file: how it begins, and how its files are read."""

    begins_like: Callable[[str], bool]
    subjects: Callable[[Sequence[RawFile], Wanted], Iterator[Subject | LeftOut]]


_FORMATS: Mapping[Source, _Format] = {
    "azt1d": _Format(begins_like=is_azt1d, subjects=lambda files, _: azt1d_subjects(files)),
    "hupa_ucm": _Format(
        begins_like=is_hupa_ucm, subjects=lambda files, _: hupa_ucm_subjects(files)
    ),
    "ohiot1dm": _Format(
        begins_like=is_ohiot1dm, subjects=lambda files, _: ohiot1dm_subjects(files)
    ),
    "nightscout": _Format(
        begins_like=is_nightscout,
        subjects=lambda files, wanted: nightscout_subjects(files, timezone=wanted.timezone),
    ),
}


def import_recordings(wanted: Wanted) -> Imported:
    """Read everything of a known kind below a path.

    Args:
        wanted: What to read.

    Raises:
        RawDataError: There is no such path, nothing of a known kind, a damaged file, or no subject
            with a usable window.
    """
    if not wanted.path.exists():
        raise RawDataError(f"{wanted.path}: no such file or folder; name the recordings")
    by_source, unknown = _recognised(wanted.path)
    parts: list[Recordings] = []
    for source, form in _FORMATS.items():
        if by_source.get(source):
            subjects = form.subjects(by_source[source], wanted)
            parts.append(selected(source, subjects, place=str(wanted.path), days=wanted.days))
    parts.extend(
        _of_table(file.content, file.place, wanted) for file in by_source.get("metabonet", ())
    )
    loose = _parquet_files(wanted.path)
    parts.extend(_of_table(path, str(path), wanted) for path in loose)
    if not parts:
        kinds = ", ".join((*_FORMATS, "metabonet"))
        raise RawDataError(
            f"{wanted.path}: nothing of a known kind ({kinds}); looked at {named_files(unknown)}"
        )
    files = {source: len(found) for source, found in by_source.items()}
    if loose:
        files["metabonet"] = files.get("metabonet", 0) + len(loose)
    return Imported(recordings=_together(parts), files=files, unknown=tuple(unknown))


def named_files(places: Sequence[str]) -> str:
    """Return how many files there are and what the first of them are called.

    >>> named_files(["/a/one.pdf", "/a/two.pdf"]), named_files([])
    ('2 files (one.pdf, two.pdf)', '0 files')
    """
    names = [Path(place).name for place in places[:_MOST_NAMES]]
    more = ["..."] if len(places) > _MOST_NAMES else []
    listed = f" ({', '.join((*names, *more))})" if names else ""
    return f"{len(places)} file{'' if len(places) == 1 else 's'}{listed}"


def _recognised(path: Path) -> tuple[dict[Source, list[RawFile]], list[str]]:
    found: dict[Source, list[RawFile]] = {}
    unknown: list[str] = []
    seen: set[tuple[str, bytes]] = set()
    for file in raw_files(
        path, lambda _: True, skip_loose=(_PARQUET_SUFFIX,), unread=unknown.append
    ):
        source = _source_of(file.content[:HEAD_BYTES])
        person = file.folder if source == "nightscout" else ""
        known = (person, sha256(file.content).digest())
        if source is None:
            unknown.append(file.place)
        elif known not in seen:
            seen.add(known)
            found.setdefault(source, []).append(file)
    return found, unknown


def _source_of(head: bytes) -> Source | None:
    if head.startswith(PARQUET_MAGIC):
        return "metabonet"
    encoding = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    text = head.decode(encoding, errors="replace")
    return next((source for source, form in _FORMATS.items() if form.begins_like(text)), None)


def _parquet_files(path: Path) -> list[Path]:
    """Return the Parquet files, which are read in parts because they may be large."""
    if path.is_file():
        return [path] if path.name.endswith(_PARQUET_SUFFIX) else []
    return sorted(one for one in path.rglob(f"*{_PARQUET_SUFFIX}") if one.is_file())


def _of_table(content: Path | bytes, place: str, wanted: Wanted) -> Recordings:
    subjects, left_out = metabonet_subjects(open_metabonet(content, place), most=wanted.most)
    read = selected("metabonet", subjects, place=place, days=wanted.days)
    return _together([read, Recordings(traces=(), left_out=left_out, counts={})])


def _together(parts: Sequence[Recordings]) -> Recordings:
    ids = [trace.trace_id for part in parts for trace in part.traces]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice:
        raise RawDataError(
            f"two files hold subjects of the same source ({twice}); import one of them"
        )
    left_out: tuple[LeftOut, ...] = tuple(chain.from_iterable(part.left_out for part in parts))
    return Recordings(
        traces=tuple(chain.from_iterable(part.traces for part in parts)),
        left_out=left_out,
        counts={subject: steps for part in parts for subject, steps in part.counts.items()},
        days_left_out=tuple(chain.from_iterable(part.days_left_out for part in parts)),
    )
