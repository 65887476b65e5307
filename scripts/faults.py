"""Show what the injected faults lead to and how well plain rules find them; write schedules."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from builder import parquet
from builder.answer_pictures import draw_answer
from builder.console import BUILT_RELEASE, RELEASE_HELP, one_line_errors
from builder.errors import BuildError
from builder.json_output import json_text
from builder.manifest import read_manifest
from builder.release_config import load_release_config
from eval_tasks.version import RELEASE_VERSION
from generators.fault_injected.causes import cause_table
from generators.fault_injected.detector import Recall, recall_table
from generators.fault_injected.inject import FAULT_PATIENT_IDS, simulate_with_faults
from generators.fault_injected.outcomes import Harm, Outcome, harm_table, outcomes
from generators.fault_injected.pictures import draw_fault
from generators.fault_injected.schedule_files import read_schedule, write_schedule
from generators.fault_injected.schedules import random_schedule
from generators.fault_injected.slots import RELEASE_DAYS
from generators.fault_injected.twins import lives
from generators.trace import FAULT_LABELS, SAMPLES_PER_DAY, FaultEvent

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=__doc__)

Seed = Annotated[int | None, typer.Option(min=0, help="Seed. Default: that of the release.")]
Patients = Annotated[
    list[str] | None, typer.Option("--patient", help="Only this patient; repeatable. Default: all.")
]


@app.command()
def tables(
    seed: Seed = None,
    patient: Patients = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of tables.")
    ] = False,
) -> None:
    """Print which faults led to hazards, and which of them plain rules find."""
    with one_line_errors():
        chosen, key = _patients(patient), _seed(seed)
        runs = {name: simulate_with_faults(name, seed=key, days=RELEASE_DAYS) for name in chosen}
        found = [
            outcome
            for name, run in runs.items()
            for outcome in outcomes(name, run.trace.faults, seed=key, days=RELEASE_DAYS)
        ]
        recalls = recall_table([run.trace for run in runs.values()])
    if as_json:
        print(json_text(_as_dict(found, recalls)))
        return
    _print_harms(harm_table(found))
    _print_recalls(recalls)
    print(f"glucose moved as meant in {100 * _as_meant(found):.1f} % of the faults that should")


@app.command()
def figures(
    folder: Annotated[Path, typer.Argument(help="Folder to write one picture per label to.")],
    seed: Seed = None,
    patient: Annotated[str, typer.Option(help="Patient.")] = FAULT_PATIENT_IDS[0],
) -> None:
    """Draw the first fault of every label: before, during and after."""
    with one_line_errors():
        key = _seed(seed)
        faults = simulate_with_faults(patient, seed=key, days=RELEASE_DAYS).trace.faults
        folder.mkdir(parents=True, exist_ok=True)
        for label in FAULT_LABELS:
            event = next(fault for fault in faults if fault.label == label)
            both = lives(patient, event, faults, seed=key, days=RELEASE_DAYS)
            draw_fault(event, both, folder / f"{label}.png")
    print(f"wrote {len(FAULT_LABELS)} pictures to {folder}")


@app.command()
def questions(
    folder: Annotated[Path, typer.Argument(help="Folder to write one picture per task to.")],
    release: Annotated[Path, typer.Option(help=RELEASE_HELP, show_default=False)] = BUILT_RELEASE,
    task: Annotated[
        list[str] | None, typer.Option(help="Only this task, for example ad_9; repeatable.")
    ] = None,
) -> None:
    """Draw one question of every anomaly task as its reader sees it, the gold answer shaded."""
    with one_line_errors():
        rows = _one_per_task(release)
        folder.mkdir(parents=True, exist_ok=True)
        drawn = [name for name in rows if not task or name in task]
        for name in drawn:
            draw_answer(rows[name], folder / f"{name}.png")
    print(f"wrote {len(drawn)} pictures to {folder}")


@app.command()
def schedule(
    file: Annotated[Path, typer.Argument(help="CSV file to write.")],
    patient: Annotated[str, typer.Option(help="Patient.")] = FAULT_PATIENT_IDS[0],
    seed: Seed = None,
    days: Annotated[int, typer.Option(min=1, help="Days of a random schedule.")] = RELEASE_DAYS,
    intensity: Annotated[
        float | None,
        typer.Option(help="Faults a day of a random schedule. Default: the release's schedule."),
    ] = None,
) -> None:
    """Write a patient's schedule of faults as CSV: the release's, or a random one."""
    with one_line_errors():
        key = _seed(seed)
        faults: Sequence[FaultEvent]
        if intensity is None:
            faults = simulate_with_faults(patient, seed=key, days=RELEASE_DAYS).trace.faults
        else:
            faults = random_schedule(patient, seed=key, days=days, intensity=intensity)
        write_schedule(faults, file)
    print(f"wrote {len(faults)} faults to {file}")


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="CSV file to read.")],
    days: Annotated[int, typer.Option(min=1, help="Days of the run it is for.")] = RELEASE_DAYS,
) -> None:
    """Check a schedule that was written by hand."""
    with one_line_errors():
        faults = read_schedule(file, samples=days * SAMPLES_PER_DAY)
    print(f"{file} holds {len(faults)} faults that can be injected")


@app.command()
def causes() -> None:
    """Print the table of causes, labels and tasks that docs/faults.md holds."""
    print(cause_table())


def _one_per_task(release: Path) -> dict[str, dict[str, Any]]:
    """Return the first row of `test` by task, one with something to find where there is one."""
    configs = read_manifest(release).configs
    if "fault_injected" not in configs:
        raise BuildError(f"{release} holds no config fault_injected; build it first")
    rows: dict[str, dict[str, Any]] = {}
    for name in configs["fault_injected"].splits["test"].files:
        for batch in parquet.read(release / name).to_batches(max_chunksize=8):
            for row in batch.to_pylist():
                if rows.get(row["task_id"], {"answer": "[]"})["answer"] == "[]":
                    rows[row["task_id"]] = row
    return rows


def _seed(seed: int | None) -> int:
    return load_release_config(RELEASE_VERSION).seed if seed is None else seed


def _patients(named: Sequence[str] | None) -> Sequence[str]:
    return named or FAULT_PATIENT_IDS


def _as_meant(found: Sequence[Outcome]) -> float:
    judged = [outcome.as_meant for outcome in found if outcome.as_meant is not None]
    return sum(judged) / len(judged)


def _as_dict(found: Sequence[Outcome], recalls: Sequence[Recall]) -> dict[str, object]:
    return {
        "hazards": [asdict(harm) for harm in harm_table(found)],
        "as_meant": _as_meant(found),
        "detector": [
            {**asdict(recall), "recall": recall.recall, "precision": recall.precision}
            for recall in recalls
        ],
    }


def _print_harms(harms: Sequence[Harm]) -> None:
    table = Table(title="Hazards of true glucose within 4 h that the twin is spared")
    for name in ("cause", "label"):
        table.add_column(name)
    for name in ("events", "hypo", "hyper", "after min", "change"):
        table.add_column(name, justify="right")
    for harm in harms:
        delay = "" if harm.delay is None else f"{harm.delay:.0f}"
        counts = (harm.events, harm.hypoglycaemia, harm.hyperglycaemia)
        table.add_row(harm.cause, harm.label, *map(str, counts), delay, f"{harm.change:+.1f}")
    Console().print(table)


def _print_recalls(recalls: Sequence[Recall]) -> None:
    table = Table(title="Rules on the reported record")
    table.add_column("label")
    for name in ("events", "found", "recall", "detections", "precision"):
        table.add_column(name, justify="right")
    for row in recalls:
        shares = ["" if share is None else f"{share:.2f}" for share in (row.recall, row.precision)]
        table.add_row(
            row.label, str(row.events), str(row.found), shares[0], str(row.detections), shares[1]
        )
    Console().print(table)


if __name__ == "__main__":
    app()
