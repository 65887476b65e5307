"""The JSON that the scripts print: always JSON, whatever the figures."""

import json
import math
from collections.abc import Mapping
from typing import Any


def json_text(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON; a number that is none, or without bounds, becomes null.

    >>> json_text({"mean": float("nan"), "range": (0.5, float("inf"))})
    '{"mean": null, "range": [0.5, null]}'
    """
    return json.dumps(finite(value), indent=indent, allow_nan=False)


def finite(value: Any) -> Any:
    """Return a value with None in place of every number that is not finite."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [finite(part) for part in value]
    return value
