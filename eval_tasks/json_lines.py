"""JSON that models' words stand in: lines of a file, halves of characters."""

import re
from pathlib import Path

_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def json_lines(path: Path) -> list[str]:
    """Return the lines of a JSONL file, each with its line feed; the last may lack it.

    Only line feeds part them: the texts that models write hold other separators (U+2028, U+0085),
    which JSON need not escape.
    """
    with path.open(encoding="utf-8", newline="\n") as file:
        return list(file)


def without_halves(json: str) -> str:
    r"""Return JSON with escaped halves of characters replaced, which strict readers refuse.

    Texts that were cut inside a character outside of the basic plane end in one.

    >>> without_halves(r'"\ud83d\ude00 \ud83d"') == r'"\ud83d\ude00 \ufffd"'
    True
    """
    return _ESCAPE.sub(lambda escape: r"\ufffd" if escape["half"] else escape[0], json)
