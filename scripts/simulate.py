"""Simulate people with type 1 diabetes and write their days, one row per 5-minute sample.

With --cut, one person's life goes on from that minute with only what --add names, or with --nothing.
"""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, cast, get_args

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import typer
from rich.console import Console
from rich.table import Table

from builder.console import one_line_errors
from builder.json_output import json_text
from generators.errors import GeneratorError
from generators.simulated.cohort import PATIENT_IDS, simulate
from generators.simulated.meals import VariationKind
from generators.simulated.patients import COHORTS
from generators.simulated.pictures import check_format, draw_days
from generators.simulated.plausibility import glycaemia
from generators.simulated.samples import sample_table
from generators.simulated.scenario import REGULAR, USUAL, Scenario, Variation
from generators.simulated.therapy import REGIMENS, Regimen
from generators.trace import (
    Added,
    CarbEvent,
    ExerciseEvent,
    ExerciseType,
    InsulinEvent,
    InsulinType,
    MealType,
    Trace,
)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

_SUFFIXES = (".parquet", ".csv")
_BY_HAND: tuple[InsulinType, ...] = ("meal_bolus", "correction_bolus")
_ADDITION = re.compile(
    r"(?P<kind>[a-z_]+):(?P<amount>\d+(?:\.\d+)?)(?::(?P<duration>\d+))?@(?P<minute>\d+)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    patients: tuple[str, ...]
    days: int
    seed: int
    regimen: Regimen | None
    scenario: Scenario
    cut: int | None
    added: Added | None


@app.command(help=__doc__)
def main(
    patient: Annotated[
        list[str] | None,
        typer.Option(
            help="Patient such as adult_003, or a sibling such as adult_003.sib2; repeatable. "
            "Default: all 30."
        ),
    ] = None,
    cohort: Annotated[
        str | None, typer.Option(help=f"All patients of a split: {', '.join(COHORTS)}.")
    ] = None,
    days: Annotated[int, typer.Option(help="Days to simulate, 1 to 400.")] = 38,
    therapy: Annotated[
        str | None,
        typer.Option(help=f"{', '.join(REGIMENS)}. Default: each patient's own."),
    ] = None,
    scenario: Annotated[
        str, typer.Option(help="usual (meals vary now and then) or regular (they do not).")
    ] = "usual",
    vary: Annotated[
        list[str] | None,
        typer.Option(
            help="Variation of main meals and its chance instead of the scenario's, for example "
            f"heavy=0.3; repeatable: {', '.join(get_args(VariationKind))}."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed.")] = 1,
    cut: Annotated[
        int | None, typer.Option(help="Minute from which on to simulate a hypothetical.")
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(
            help="What is added after the cut, repeatable: lunch:60@9000 (g at a minute), "
            "meal_bolus:4.5@9000 (U), run:6.5:30@9000 (mph, or W for cycle, and minutes)."
        ),
    ] = None,
    nothing: Annotated[
        bool, typer.Option("--nothing", help="After the cut nothing happens.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option(help="File to write, .parquet or .csv. Default: none.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Picture of the days of the first patient, for example .png."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Threads.")] = 1,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Read the options, simulate, write, print."""
    with one_line_errors():
        request = _Request(
            patients=_patients(patient, cohort),
            days=days,
            seed=seed,
            regimen=_regimen(therapy),
            scenario=_scenario(scenario, vary or []),
            cut=cut,
            added=_added(add or []) if add or nothing else None,
        )
        _check(request, output, picture)
        with ThreadPoolExecutor(workers) as pool:
            traces = list(pool.map(lambda who: _live(request, who), request.patients))
        if output is not None:
            _write(traces, output)
        if picture is not None:
            draw_days(traces[0], picture)
    _report(traces, output, picture, as_json=as_json)


def _patients(patient: list[str] | None, cohort: str | None) -> tuple[str, ...]:
    if cohort is None:
        return tuple(patient or PATIENT_IDS)
    if patient or cohort not in COHORTS:
        raise GeneratorError(
            f"--cohort {cohort} goes without --patient and is one of {', '.join(COHORTS)}"
        )
    return COHORTS[cohort]


def _regimen(therapy: str | None) -> Regimen | None:
    if therapy is not None and therapy not in REGIMENS:
        raise GeneratorError(f"there is no therapy {therapy!r}, only {', '.join(REGIMENS)}")
    return therapy


def _scenario(name: str, vary: Sequence[str]) -> Scenario:
    known = {scenario.name: scenario for scenario in (USUAL, REGULAR)}
    if name not in known:
        raise GeneratorError(f"there is no scenario {name!r}, only {', '.join(known)}")
    if not vary:
        return known[name]
    variations = []
    for text in vary:
        kind, _, share = text.partition("=")
        if not re.fullmatch(r"\d+(\.\d+)?", share):
            raise GeneratorError(f"--vary {text!r} is not written like heavy=0.3")
        variations.append(Variation(kind=cast("VariationKind", kind), share=float(share)))
    return Scenario(name="varied", variations=tuple(variations))


def _added(texts: Sequence[str]) -> Added:
    events = sorted((_event(text) for text in texts), key=lambda event: event.minute)
    return Added(
        carbs=tuple(event for event in events if isinstance(event, CarbEvent)),
        boluses=tuple(event for event in events if isinstance(event, InsulinEvent)),
        exercise=tuple(event for event in events if isinstance(event, ExerciseEvent)),
    )


def _event(text: str) -> CarbEvent | InsulinEvent | ExerciseEvent:
    found = _ADDITION.fullmatch(text)
    if found is None:
        raise GeneratorError(f"--add {text!r} is not written like lunch:60@9000")
    kind, amount, minute = found["kind"], float(found["amount"]), int(found["minute"])
    if kind in get_args(ExerciseType) and found["duration"]:
        return ExerciseEvent(
            minute=minute,
            duration=int(found["duration"]),
            kind=cast("ExerciseType", kind),
            magnitude=amount,
        )
    if kind in get_args(MealType) and not found["duration"]:
        return CarbEvent(minute=minute, grams=amount, meal=cast("MealType", kind))
    if kind in _BY_HAND and not found["duration"]:
        return InsulinEvent(minute=minute, units=amount, kind=cast("InsulinType", kind))
    raise GeneratorError(
        f"--add {text!r}: {kind} is no meal, bolus or kind of exercise, or its minutes are "
        "missing or too many"
    )


def _check(request: _Request, output: Path | None, picture: Path | None) -> None:
    if request.cut is None and request.added is not None:
        raise GeneratorError("--add and --nothing need --cut, the minute from which on they hold")
    if request.cut is not None and len(request.patients) != 1:
        raise GeneratorError("--cut needs exactly one --patient")
    if output is not None and output.suffix not in _SUFFIXES:
        raise GeneratorError(f"{output}: tables are written as {' or '.join(_SUFFIXES)}")
    if picture is not None:
        check_format(picture)


def _live(request: _Request, patient_id: str) -> Trace:
    simulation = simulate(
        patient_id,
        seed=request.seed,
        days=request.days,
        regimen=request.regimen,
        scenario=request.scenario,
    )
    if request.cut is None:
        return simulation.trace
    end = simulation.trace.minutes
    return simulation.resume(request.cut, until=end, added=request.added)


def _write(traces: Sequence[Trace], path: Path) -> None:
    tables = [sample_table(trace) for trace in traces]
    table = pa.concat_tables(tables).unify_dictionaries()
    if path.suffix == ".csv":
        pc.write_csv(table, path)
    else:
        pq.write_table(table, path, compression="zstd")


def _report(
    traces: Sequence[Trace], output: Path | None, picture: Path | None, *, as_json: bool
) -> None:
    written = [str(path) for path in (output, picture) if path is not None]
    if as_json:
        rows = [
            {
                "trace_id": trace.trace_id,
                "therapy": trace.profile.therapy,
                **asdict(glycaemia(trace)),
            }
            for trace in traces
        ]
        print(json_text({"traces": rows, "written": written}))
        return
    table = Table()
    for head in ("trace", "therapy", "mean", "CV %", "TIR %", "<70 %", ">250 %"):
        table.add_column(head, justify="left" if head in ("trace", "therapy") else "right")
    for trace in traces:
        person = glycaemia(trace)
        table.add_row(
            trace.trace_id,
            str(trace.profile.therapy).replace("_", " "),
            f"{person.mean:.0f}",
            f"{person.cv:.1f}",
            f"{person.in_range:.1f}",
            f"{person.below_70:.2f}",
            f"{person.above_250:.1f}",
        )
    console = Console()
    console.print(table)
    for path in written:
        console.print(f"wrote {path}", soft_wrap=True)


if __name__ == "__main__":
    app()
