"""Lines of a JSONL file."""

from pathlib import Path


def json_lines(path: Path) -> list[str]:
    """Return the lines of a JSONL file, each with its line feed; the last may lack it.

    Only line feeds part them: the texts that models write hold other separators (U+2028, U+0085),
    which JSON need not escape.
    """
    with path.open(encoding="utf-8", newline="\n") as file:
        return list(file)
