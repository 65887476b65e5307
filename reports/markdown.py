"""Data frames as Markdown, and names that somebody gave to a model as text in it."""

import math
import re
from dataclasses import dataclass

import pandas as pd

_MARKUP = re.compile(
    r"[\\|&<`*~$]|\](?=[(\[:])|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=\bwww)\.", re.IGNORECASE
)
"""What GitHub's Markdown takes for more than itself within a line, bare addresses included."""


def literal(text: str) -> str:
    """Return a text as Markdown that shows it letter by letter, in one line and in any cell.

    Marks become character references, which no backslash before them undoes; what cannot be printed
    becomes a blank.

    >>> literal("lab/my_model | <b>")
    'lab/my_model &#124; &#60;b>'
    """
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", printable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a report: heading, text, and a table that is also a CSV of its own.

    Attributes:
        title: Heading.
        text: What is shown and how to read it.
        name: Name of the CSV without ending.
        table: All of it.
        shown: The lines of it that stand in the report; None: all.
        figure: File name of its figure, empty without one.
    """

    title: str
    text: str
    name: str
    table: pd.DataFrame
    shown: pd.DataFrame | None = None
    figure: str = ""

    def markdown(self) -> str:
        """Return the section."""
        shown = self.table if self.shown is None else self.shown
        parts = [f"## {self.title}", self.text]
        if self.figure:
            parts.append(f"![{self.title}]({self.figure})")
        if len(shown):
            parts.append(rendered(shown))
        elif self.table.empty:
            parts.append("There are none.")
        more = "" if len(shown) == len(self.table) else f", {len(self.table)} lines"
        parts.append(f"All numbers: [{self.name}.csv]({self.name}.csv){more}.")
        return "\n\n".join(part for part in parts if part)


def rendered(table: pd.DataFrame) -> str:
    """Return a table as Markdown, a value and its `_low` and `_high` in one cell."""
    joined = joined_intervals(table)
    numeric = {name: pd.api.types.is_numeric_dtype(joined[name]) for name in joined.columns}
    lines = [list(joined.columns), ["---:" if numeric[name] else "---" for name in joined.columns]]
    lines += [[_text(value) for value in row] for row in joined.itertuples(index=False)]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def joined_intervals(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with one column in place of each value and its two bounds."""
    columns = {str(name): table[name] for name in table.columns}
    made: dict[str, pd.Series | list[str]] = {}
    for name, column in columns.items():
        if name.removesuffix("_low") != name or name.removesuffix("_high") != name:
            continue
        low, high = columns.get(f"{name}_low"), columns.get(f"{name}_high")
        if low is None or high is None:
            made[name.replace("_", " ")] = column
        else:
            made[name.replace("_", " ")] = _with_bounds(column, low, high)
    return pd.DataFrame(made)


def _with_bounds(values: pd.Series, lows: pd.Series, highs: pd.Series) -> list[str]:
    return [interval_text(*bounds) for bounds in zip(values, lows, highs, strict=True)]


def interval_text(value: float, low: float, high: float) -> str:
    """Return a value with its interval, or `-` where there is none.

    >>> interval_text(0.5, 0.25, 0.75)
    '0.500 [0.250, 0.750]'
    """
    if math.isnan(value):
        return "-"
    return f"{value:.3f}" if math.isnan(low) else f"{value:.3f} [{low:.3f}, {high:.3f}]"


def _text(value: object) -> str:
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() and abs(value) > 1 else f"{value:.3g}"
    return literal(str(value))
