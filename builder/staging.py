"""A release appears whole or not at all: written beside its place and moved there at the end."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from builder.errors import BuildError
from builder.manifest import MANIFEST_NAME

UNFINISHED = ".unfinished"
"""Where a release is put together; `datasets` loads nothing from hidden folders."""


@contextmanager
def staged(output: Path, *, overwrite: bool) -> Iterator[Path]:
    """Yield an empty folder beside `output` that takes its place when the block ends well.

    A block that raises leaves nothing behind. A killed one leaves a hidden folder that holds a
    hidden folder; neither `load_dataset` nor validation takes it for a release, and the next build
    of the same output removes it. Where `output` is a link to a folder, that folder is replaced.

    Args:
        output: Where the folder shall stand.
        overwrite: Whether a release that stands there may be replaced.

    Raises:
        BuildError: The place is taken or cannot be written, or another build is writing there.
    """
    check_place(output, overwrite=overwrite)
    place = output.resolve()
    staging = place.parent / f".{place.name}.building"
    try:
        staging.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuildError(
            f"{output} cannot be written: {_obstacle(place.parent, error)}; give another --output"
        ) from error
    with _claimed(staging, output):
        try:
            (staging / UNFINISHED).mkdir()
            yield staging / UNFINISHED
            _replace(staging / UNFINISHED, place)
        finally:
            shutil.rmtree(staging, ignore_errors=True)


def check_place(output: Path, *, overwrite: bool) -> None:
    """Refuse an output that exists, unless it is a release that may be replaced.

    Raises:
        BuildError: The place is taken.
    """
    if output.is_symlink() and not output.exists():
        raise BuildError(f"{output} is a link to nothing; remove it or give another --output")
    if not output.exists():
        return
    if not overwrite:
        raise BuildError(f"{output} exists; give another --output, or --overwrite to replace it")
    if not (output / MANIFEST_NAME).is_file():
        raise BuildError(f"{output} exists and is no release; it is not overwritten")


def _obstacle(folder: Path, error: OSError) -> str:
    """Return what keeps a folder from being made, in words."""
    above = next(path for path in (folder, *folder.parents) if path.exists())
    if not above.is_dir():
        return f"{above} is a file, not a folder"
    return f"{above} takes no new folder ({error.strerror})"


def _replace(finished: Path, place: Path) -> None:
    former = place.parent / f".{place.name}.former"
    _remove(former)
    if place.exists():
        place.rename(former)
    finished.rename(place)
    shutil.rmtree(former, ignore_errors=True)


@contextmanager
def _claimed(staging: Path, output: Path) -> Iterator[None]:
    """Hold a lock on the staging folder, emptied; a killed process loses the lock by itself."""
    handle = os.open(staging, os.O_RDONLY)
    try:
        if not _locked(handle, staging):
            raise BuildError(f"another build is writing {output}; wait for it to end")
        for left_behind in staging.iterdir():
            _remove(left_behind)
        yield
    finally:
        os.close(handle)


def _locked(handle: int, staging: Path) -> bool:
    """Lock the folder if it is free and still the one that stands there."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(handle), staging.stat())
    except (BlockingIOError, FileNotFoundError):
        return False


def _remove(path: Path) -> None:
    """Remove a file, link or folder, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
