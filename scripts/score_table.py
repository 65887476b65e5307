"""The table of scores that `scripts/evaluate.py` and `scripts/score.py` print."""

from collections.abc import Mapping
from typing import Any

from rich.table import Table

TABLE_WIDTH = 120
"""Characters of the table where standard output is no terminal."""


def score_table(title: str, reports: Mapping[str, Any]) -> Table:
    """Return a table with a column for each config.

    Args:
        title: What stands above it.
        reports: By config, the object that `eval_tasks.summary.nested` returns.
    """
    table = Table(title=title)
    table.add_column(no_wrap=True)
    for config in reports:
        table.add_column(config, justify="right")
    for section in _sections(reports):
        for name, cells in section:
            table.add_row(name, *cells)
        table.add_section()
    return table


def _sections(reports: Mapping[str, Any]) -> list[list[tuple[str, list[str]]]]:
    parts = list(reports.values())
    first = parts[0]
    return [
        [
            ("score", [_measured(part["score"], part["score_stderr"]) for part in parts]),
            ("skill", [_measured(part["skill"], part["skill_stderr"]) for part in parts]),
            ("strict", [_measured(part["strict"], part["strict_stderr"]) for part in parts]),
            ("parse failures", [_shown(part["parse_failures"]) for part in parts]),
        ],
        *(
            [
                (
                    f"{kind}, {name.replace('_', ' ')}",
                    [_shown(part[group][name][kind]) for part in parts],
                )
                for kind in ("score", "skill", "strict")
                for name in first[group]
                if any(part[group][name]["n"] for part in parts)
            ]
            for group in ("by_type", "by_level")
        ),
        [
            (status, [str(part["statuses"][status]) for part in parts])
            for status in first["statuses"]
        ],
        [
            ("rows", [str(part["n"]) for part in parts]),
            ("tasks without skill", [str(part["n_tasks_without_skill"]) for part in parts]),
        ],
    ]


def _measured(value: float | None, error: float | None) -> str:
    return _shown(value) if error is None else f"{_shown(value)} ± {error:.4f}"


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
