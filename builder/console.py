"""What the scripts share: one-line errors, progress, tables."""

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from builder.errors import BuildError, InvalidReleaseError, NothingToBuildError
from builder.interrupts import INTERRUPTED, SignalledError, ending_raises
from builder.workers import Progress as Report
from eval_tasks.errors import EvaluationError
from eval_tasks.version import RELEASE_VERSION
from generators.errors import GeneratorError

RAW_DIR_VARIABLE = "HEALTHLOOPQA_RAW_DIR"
_REPOSITORY = Path(__file__).resolve().parent.parent
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn errors that a user can mend into one line on standard error and an exit status.

    The status is 1, 2 where nothing is to be built, and 128 + n where signal n ended the block. A
    reader of the output that went away ("| head") is left to typer, which ends without a word.
    """
    try:
        with ending_raises():
            yield
    except InvalidReleaseError as error:
        _fail(str(error), *error.problems)
    except NothingToBuildError as error:
        _fail(str(error), status=2)
    except (BuildError, GeneratorError, EvaluationError) as error:
        _fail(str(error))
    except BrokenPipeError:
        raise
    except OSError as error:
        _fail(_os_error(error))
    except SignalledError as ended:
        _fail(f"ended by {ended}", status=128 + ended.number)
    except KeyboardInterrupt:
        _fail("interrupted", status=INTERRUPTED)


def _os_error(error: OSError) -> str:
    if error.errno in _FULL:
        where = error.filename or "the output folder"
        return f"there is no space left to write {where}; free some or give another --output"
    return f"{error.strerror or error}: {error.filename or 'no file named'}"


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Report]:
    """Show on standard error how far the work is, where that is a terminal.

    Args:
        quiet: Show nothing.
    """
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda _what, _done, _total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console) as bars:
        known = {"": bars.add_task("starting", visible=False)}

        def report(what: str, done: int, total: int) -> None:
            if what not in known:
                known[what] = bars.add_task(what, total=total)
            bars.update(known[what], completed=done, total=total)

        yield report


def fresh_release() -> Path:
    """Return where a fresh test is built, in the repository."""
    return built_release().parent / "private" / f"fresh-{RELEASE_VERSION}"


def built_release() -> Path:
    """Return where `make release` puts the release: in the repository, whatever the folder one is in."""
    return _REPOSITORY / "dist" / f"healthloopqa-{RELEASE_VERSION}"


BUILT_RELEASE = built_release()
RELEASE_HELP = "Folder of a release. Default: the one that `make release` builds."


def named_path(text: str | Path) -> Path:
    """Return the path that an option, or its default, names.

    Raises:
        typer.BadParameter: It is empty, which would name the folder one is in.
    """
    if not str(text).strip():
        raise typer.BadParameter("it is empty; name a folder")
    return Path(text)


def size_of(count: int) -> str:
    """Return a number of bytes for people.

    >>> size_of(512), size_of(1536), size_of(3 << 20)
    ('512 B', '1.5 KiB', '3.0 MiB')
    """
    size = float(count)
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"


def _fail(*lines: str, status: int = 1) -> None:
    for line in lines:
        sys.stderr.write(f"error: {line}\n")
    raise SystemExit(status)
