"""Pages that are one file: a template with its data, style and script, without server or network."""

import json
from collections.abc import Mapping
from importlib.resources import files

_SHARED = ("page.css", "page.js")
"""What the pages have in common; a template names it in a comment of that language."""
_DATA = "<!-- DATA -->"


def page(template: str, data: Mapping[str, object]) -> str:
    """Return a page.

    Args:
        template: File in this package.
        data: What the page reads as JSON, by the id of its block. No text in it can end the block
            or become a part of the page: the script shows it as text.

    Raises:
        ValueError: A number in the data is not finite.
    """
    folder = files("reports")
    text = folder.joinpath(template).read_text(encoding="utf-8")
    for name in _SHARED:
        text = text.replace(f"/* {name} */", folder.joinpath(name).read_text(encoding="utf-8"))
    blocks = (_block(name, value) for name, value in data.items())
    return text.replace(_DATA, "\n".join(blocks))


def _block(name: str, value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    escaped = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{escaped}</script>'
