"""Print how the simulated groups live, beside real people where their recordings are present."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from builder.console import RAW_DIR_VARIABLE, one_line_errors
from builder.json_output import json_text
from builder.release_config import load_release_config
from eval_tasks.version import RELEASE_VERSION
from generators.real_world.azt1d import read_azt1d
from generators.simulated.cohort import PATIENT_IDS, simulate
from generators.simulated.pictures import check_format, draw_profiles
from generators.simulated.plausibility import Group, group_of
from generators.simulated.therapy import REGIMENS, regimen_of
from generators.trace import Trace

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

_CLOSED = "hybrid closed loop"
_AGES = ("child", "adolescent", "adult")
_FIGURE = (_CLOSED, "sensor augmented pump", "multiple daily injections", "AZT1D (real)")
_TARGETS = (
    ("mean", 140, 165),
    ("cv", 28, 40),
    ("in_range", 62, 85),
    ("below_70", 0.5, 4),
    ("below_54", 0, 1),
)
"""Range of each mean over the people on hybrid closed loop (Must show 2 of issue 3)."""


@app.command(help=__doc__)
def main(
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed. Default: that of the release.")
    ] = None,
    days: Annotated[int, typer.Option(help="Days to simulate.")] = 38,
    raw_dir: Annotated[
        Path | None,
        typer.Option(help="Folder with real recordings (AZT1D).", envvar=RAW_DIR_VARIABLE),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Write the day of each group (median and bands) to this file."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Simulate, summarise, print, draw."""
    with one_line_errors():
        if picture is not None:
            check_format(picture)
        release = load_release_config(RELEASE_VERSION)
        people = _simulated(release.seed if seed is None else seed, days)
        if raw_dir is not None:
            people["AZT1D (real)"] = read_azt1d(raw_dir).traces
        groups = {name: group_of(traces) for name, traces in people.items()}
        if picture is not None:
            draw_profiles({name: people[name] for name in _FIGURE if name in people}, picture)
    if as_json:
        print(json_text({"groups": {name: asdict(group) for name, group in groups.items()}}))
        return
    _print(groups)


def _simulated(seed: int, days: int) -> dict[str, Sequence[Trace]]:
    traces = [simulate(patient_id, seed=seed, days=days).trace for patient_id in PATIENT_IDS]
    people: dict[str, Sequence[Trace]] = {}
    for therapy in dict.fromkeys(therapy for _, therapy in REGIMENS.values()):
        name = therapy.replace("_", " ")
        people[name] = [trace for trace in traces if trace.profile.therapy == therapy]
    closed = people[_CLOSED]
    for age in _AGES:
        people[f"{_CLOSED}, {age}"] = [t for t in closed if t.profile.age_group == age]
    for regimen in ("pid", "temporary_basals"):
        people[f"{_CLOSED}, {regimen.replace('_', ' ')}"] = [
            trace for trace in closed if regimen_of(trace.patient_id) == regimen
        ]
    return people


def _print(groups: dict[str, Group]) -> None:
    table = Table(title="Readings, mean over people")
    table.add_column("group")
    heads = ("n", "mean", "CV %", "TIR %", "<70 %", "<54 %", ">250 %", "means", "TIRs")
    for head in (*heads, "meal +", "exercise"):
        table.add_column(head, justify="right")
    for name, group in groups.items():
        table.add_row(name, *_cells(group))
    console = Console()
    if not console.is_terminal:
        console = Console(width=140)
    console.print(table)
    closed = groups[_CLOSED].average
    for field, low, high in _TARGETS:
        value = getattr(closed, field)
        verdict = "within" if low <= value <= high else "OUTSIDE"
        console.print(f"{_CLOSED}: {field} {value:.2f} is {verdict} {low:g} to {high:g}")


def _cells(group: Group) -> list[str]:
    a = group.average
    return [
        str(group.people),
        f"{a.mean:.0f}",
        f"{a.cv:.1f}",
        f"{a.in_range:.1f}",
        f"{a.below_70:.2f}",
        f"{a.below_54:.2f}",
        f"{a.above_250:.1f}",
        f"{group.means[0]:.0f}-{group.means[1]:.0f}",
        f"{group.ranges[0]:.0f}-{group.ranges[1]:.0f}",
        _shown(group.meal_rise),
        f"{_shown(group.exercise_change)} ± {_shown(group.exercise_spread)}",
    ]


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


if __name__ == "__main__":
    app()
