"""A release appears whole or not at all: written beside its place and moved there at the end."""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from builder.errors import BuildError
from builder.manifest import MANIFEST_NAME


@contextmanager
def staged(output: Path, *, overwrite: bool) -> Iterator[Path]:
    """Yield an empty folder beside `output` that takes its place when the block ends well.

    A block that raises leaves nothing behind. A killed one leaves a hidden folder without card
    and manifest, which the next build of the same output removes.

    Args:
        output: Where the folder shall stand.
        overwrite: Whether a release that stands there may be replaced.

    Raises:
        BuildError: The place is taken, or another build is writing there.
    """
    check_place(output, overwrite=overwrite)
    output.parent.mkdir(parents=True, exist_ok=True)
    with _locked(output):
        staging = output.parent / f".{output.name}.building"
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir()
        try:
            yield staging
            _replace(staging, output)
        finally:
            shutil.rmtree(staging, ignore_errors=True)


def check_place(output: Path, *, overwrite: bool) -> None:
    """Refuse an output that exists, unless it is a release that may be replaced.

    Raises:
        BuildError: The place is taken.
    """
    if not output.exists():
        return
    if not overwrite:
        raise BuildError(f"{output} exists; give another --output, or --overwrite to replace it")
    if not (output / MANIFEST_NAME).is_file():
        raise BuildError(f"{output} exists and is no release; it is not overwritten")


def _replace(staging: Path, output: Path) -> None:
    former = output.parent / f".{output.name}.former"
    shutil.rmtree(former, ignore_errors=True)
    if output.exists():
        output.rename(former)
    staging.rename(output)
    shutil.rmtree(former, ignore_errors=True)


@contextmanager
def _locked(output: Path) -> Iterator[None]:
    """Hold the right to write an output; a killed process loses it by itself."""
    path = output.parent / f".{output.name}.lock"
    with path.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BuildError(f"another build is writing {output}; wait for it to end") from error
        yield
        path.unlink(missing_ok=True)
