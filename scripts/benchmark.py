"""Measure how fast the parts of HealthLoopQA are."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import csv
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from types import SimpleNamespace
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from builder.console import built_release, one_line_errors
from builder.json_output import json_text
from builder.workers import end_with_parent
from eval_tasks.release import find_release
from generators.questions.registry import TASKS
from generators.simulated.cohort import PATIENT_IDS
from generators.simulated.cohort import simulate as simulate_patient
from scripts import (
    load_speed,
    prediction_speed,
    prompt_sizes,
    report_speed,
    scale_speed,
    score_speed,
)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON object instead of text and tables.")
]

ROOT = Path(__file__).resolve().parent.parent
SEED = 1
REPEATS = 3
MINUTES_PER_DAY = 1440
_STARTER = "from generators.simulated.cohort import simulate; simulate('adult_001', seed=1, days=1)"


class Action(NamedTuple):
    """What simglucose's patient takes in a minute: g eaten, U/min."""

    CHO: float
    insulin: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """Result of the benchmark.

    What runs on one core is timed by the processor time it takes, the best of three runs, so that
    other work on the machine does not count; starts and several processes by the clock.

    Attributes:
        patient_days_per_s: Whole closed loop, one core, all patients, warm.
        run_s: Time of that run.
        ratio_simglucose: Times faster than simglucose's environment as shipped.
        ratio_scipy: Times faster than its patient with the same integrator, fed plain floats.
        cold_s: A new process up to the end of its first simulated day, with compilation.
        warm_s: The same with the compiled code on disk.
        by_patients: Patient-days per second by number of patients, one core.
        by_cores: Patient-days per second by number of processes.
    """

    patient_days_per_s: float
    run_s: float
    ratio_simglucose: float
    ratio_scipy: float
    cold_s: float
    warm_s: float
    by_patients: dict[int, float]
    by_cores: dict[int, float]


@app.callback()
def main() -> None:
    """Measure how fast the parts of HealthLoopQA are."""


@app.command()
def simulate(
    days: Annotated[int, typer.Option(min=1, help="Days of each patient.")] = 38,
    reference_minutes: Annotated[
        int, typer.Option(min=10, help="Minutes of a run of the slow references.")
    ] = 120,
    as_json: AsJson = False,
) -> None:
    """Compare the simulator with simglucose as shipped and with SciPy on plain floats."""
    with one_line_errors():
        speed = measure(days, reference_minutes)
    if as_json:
        print(json_text(asdict(speed)))
        return
    _print(f"{len(PATIENT_IDS)} patients, {days} days each, one core unless said", _lines(speed))


@app.command()
def predictions(
    patients: Annotated[
        int, typer.Option(min=1, max=len(PATIENT_IDS), help="How many of the patients.")
    ] = len(PATIENT_IDS),
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 2,
    seed: Annotated[int, typer.Option(help="Release seed.")] = SEED,
    against: Annotated[
        Path | None, typer.Option(help="Another checkout, timed in turn with this one.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Time the predictions with their ensembles, perhaps against another checkout's."""
    with one_line_errors():
        roots = [ROOT] if against is None else [ROOT, against.resolve()]
        stages = [prediction_speed.timed(root, patients, workers, seed) for root in roots]
    if as_json:
        print(json_text({"this": stages[0], "other": stages[1] if stages[1:] else None}))
        return
    for name, stage in zip(("this checkout", "the other"), stages, strict=False):
        print(
            f"{name}: {stage['rows']} rows, {stage['wall_s']:.1f} s by the clock on {workers} "
            f"processes, {stage['cpu_s']:.1f} s of processor time"
        )
    if against is not None:
        same = "the same" if stages[0]["sha256"] == stages[1]["sha256"] else "other"
        times = stages[1]["cpu_s"] / stages[0]["cpu_s"]
        print(f"{times:.1f} times less processor time, {same} rows")


@app.command()
def scale(
    patients: Annotated[
        list[int], typer.Option(min=1, help="Size of a scaled cohort; repeatable.")
    ],
    task_type: Annotated[
        str | None, typer.Option(help="Ask only tasks of this type, for example process_mining.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 2,
    as_json: AsJson = False,
) -> None:
    """Time builds of scaled cohorts, and tell their memory and bytes."""
    asked = [task.id for task in TASKS.values() if task_type in (None, task.type)]
    if not asked:
        raise typer.BadParameter(f"there are no tasks of the type {task_type!r}")
    tasks = asked if task_type else []
    with one_line_errors():
        found = [scale_speed.timed(count, workers, tasks) for count in patients]
    if as_json:
        print(json_text([asdict(one) for one in found]))
        return
    table = Table(title=f"scaled cohorts, {task_type or 'all'} tasks, {workers} workers")
    for name in ("patients", "rows", "files", "MB", "wall s", "CPU s", "of it parent"):
        table.add_column(name, justify="right")
    for name in ("parent's peak MiB", "a worker's"):
        table.add_column(name, justify="right")
    for one in found:
        times = (one.wall_s, one.parent_cpu_s + one.workers_cpu_s, one.parent_cpu_s)
        table.add_row(
            *(f"{one.patients:,}", f"{one.rows:,}", str(one.files), f"{one.bytes / 1e6:,.1f}"),
            *(f"{seconds:,.0f}" for seconds in times),
            *(f"{peak / 2**20:,.0f}" for peak in (one.parent_peak_bytes, one.worker_peak_bytes)),
        )
    Console().print(table)


@app.command()
def prompts(
    release: Annotated[
        str | None, typer.Option(help="Folder of a release. Default: as found.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the size of 30-day records in the source's layout with that in both styles."""
    with one_line_errors():
        found = prompt_sizes.economies(find_release(release), prompt_sizes.tokenizer())
    if as_json:
        print(json_text([asdict(economy) for economy in found]))
        return
    table = Table(
        title=f"Records of 30 days as text; tokens of {prompt_sizes.ENCODING}, as litellm ships it"
    )
    for name in ("config", "style", "records", "characters", "of source", "at most"):
        table.add_column(name, justify="left" if name in {"config", "style"} else "right")
    for name in ("tokens", "of source", "at most", "with boluses", "longest prompt"):
        table.add_column(name, justify="right")
    for (config, style), group in prompt_sizes.grouped(found).items():
        characters = [e.characters / e.source_characters for e in group]
        tokens = [e.tokens / e.source_tokens for e in group]
        table.add_row(
            *(config, style, str(len(group)), f"{fmean(e.characters for e in group):,.0f}"),
            *(f"{fmean(characters):.1%}", f"{max(characters):.1%}"),
            f"{fmean(e.tokens for e in group):,.0f}",
            *(f"{fmean(tokens):.1%}", f"{max(tokens):.1%}"),
            f"{fmean(e.whole_tokens for e in group):,.0f}",
            f"{max(e.prompt_tokens for e in group):,}",
        )
    Console().print(table)


@app.command()
def score(
    release: Annotated[
        str | None,
        typer.Option(help="Folder of a release. Default: as for scripts/evaluate.py."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Time scoring, and compare affiliation with the paper's definition in plain Python."""
    with one_line_errors():
        speed = score_speed.measure(find_release(release))
    if as_json:
        print(json_text(asdict(speed)))
        return
    _print("one core", _score_lines(speed))


def _score_lines(speed: score_speed.ScoreSpeed) -> list[tuple[str, str]]:
    return [
        (f"{speed.answers:,} answers, text to score", f"{speed.score_s:.3f} s"),
        (f"affiliation of {speed.interval_pairs} pairs", f"{speed.affiliation_s:.4f} s"),
        ("the same by the definition, plain Python", f"{speed.plain_s:.2f} s"),
        ("times faster", f"{speed.ratio_plain:.0f}"),
        ("largest difference of the two", f"{speed.largest_difference:.1e}"),
    ]


@app.command()
def report(
    release: Annotated[
        str | None, typer.Option(help="Folder of a release. Default: what `make release` built.")
    ] = None,
    models: Annotated[int, typer.Option(min=1, help="Made-up models.")] = 10,
    verdicts: Annotated[
        int, typer.Option(min=0, help="Least number of made-up verdicts on advice.")
    ] = 240_000,
    as_json: AsJson = False,
) -> None:
    """Time a report on made-up models over all configs of a release, with verdicts on advice."""
    with one_line_errors(), tempfile.TemporaryDirectory() as scratch:
        found = report_speed.time_report(find_release(release), models, verdicts, Path(scratch))
    if as_json:
        print(json_text(asdict(found)))
        return
    shown = {
        name: f"{value:.1f}" if isinstance(value, float) else str(value)
        for name, value in asdict(found).items()
    }
    _print(
        f"A report on {models} models",
        [(name.replace("_", " "), value) for name, value in shown.items()],
    )


@app.command()
def load(
    release: Annotated[
        Path | None, typer.Argument(help="Folder of a release; the built one if left out.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Time `load_dataset` of every config's test split, first and again; tell the files' sizes."""
    with one_line_errors():
        loading = load_speed.measure_loading(release or built_release())
    if as_json:
        print(json_text(asdict(loading)))
        return
    table = Table("config", "MB of test", "MB of all splits", title="files of a release")
    for config, (test, every) in loading.bytes.items():
        table.add_row(config, f"{test / 1e6:.2f}", f"{every / 1e6:.2f}")
    test, every = (sum(sizes) for sizes in zip(*loading.bytes.values(), strict=True))
    table.add_row("data together", f"{test / 1e6:.2f}", f"{every / 1e6:.2f}")
    table.add_row("whole release", "", f"{loading.release_bytes / 1e6:.2f}")
    console = Console()
    console.print(table)
    console.print(f"all test splits: {loading.first_s:.2f} s, again {loading.again_s:.2f} s")


def _print(title: str, lines: Sequence[tuple[str, str]]) -> None:
    table = Table(title=title)
    table.add_column("measure")
    table.add_column("value", justify="right")
    for name, value in lines:
        table.add_row(name, value)
    Console().print(table)


def measure(days: int, reference_minutes: int) -> Speed:
    """Measure everything in one run."""
    simulate_patient(PATIENT_IDS[0], seed=SEED, days=1)
    run = _best(lambda: _simulate_all(PATIENT_IDS, days))
    per_day = run / (days * len(PATIENT_IDS))
    share = reference_minutes / MINUTES_PER_DAY
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = _start_up(cache), min(_start_up(cache) for _ in range(REPEATS))
    return Speed(
        patient_days_per_s=1.0 / per_day,
        run_s=run,
        ratio_simglucose=_shipped_seconds(reference_minutes) / share / per_day,
        ratio_scipy=_plain_float_seconds(reference_minutes) / share / per_day,
        cold_s=cold,
        warm_s=warm,
        by_patients={n: _rate_of_patients(n, days) for n in (1, 10, len(PATIENT_IDS))},
        by_cores={n: _rate_of_cores(n, days) for n in range(1, (os.cpu_count() or 1) + 1)},
    )


def plain_float_patient(patient_id: str) -> Any:
    """Return simglucose's own patient, fed plain floats: pandas look-ups take most of its time."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from simglucose.patient.t1dpatient import T1DPatient  # noqa: PLC0415 - slow to import
    spec = importlib.util.find_spec("simglucose")
    folder = Path(str(spec.origin)).parent if spec else Path()
    with (folder / "params" / "vpatient_params.csv").open(encoding="utf-8") as lines:
        rows = {row["Name"].replace("#", "_"): row for row in csv.DictReader(lines)}
    row = rows[patient_id]
    numbers = {key: float(value) for key, value in row.items() if key != "Name"}
    params = SimpleNamespace(Name=row["Name"], **numbers)
    return T1DPatient(params, init_state=np.array([numbers[f"x0_{n:2d}"] for n in range(1, 14)]))


def _plain_float_seconds(minutes: int) -> float:
    patient = plain_float_patient(PATIENT_IDS[0])

    def live() -> None:
        for minute in range(minutes):
            patient.step(Action(CHO=60.0 if minute == 30 else 0.0, insulin=0.02))

    return _best(live)


def _shipped_seconds(minutes: int) -> float:
    """Return the time of simglucose's environment with its own controller, sensor and pump."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from simglucose.actuator.pump import InsulinPump  # noqa: PLC0415
        from simglucose.controller.basal_bolus_ctrller import BBController  # noqa: PLC0415
        from simglucose.patient.t1dpatient import T1DPatient  # noqa: PLC0415
        from simglucose.sensor.cgm import CGMSensor  # noqa: PLC0415
        from simglucose.simulation.env import T1DSimEnv  # noqa: PLC0415
        from simglucose.simulation.scenario import CustomScenario  # noqa: PLC0415

        monday = datetime(2024, 1, 1)  # noqa: DTZ001 - simglucose wants a time without zone
        env = T1DSimEnv(
            T1DPatient.withName("adolescent#001"),
            CGMSensor.withName("GuardianRT", seed=SEED),
            InsulinPump.withName("Insulet"),
            CustomScenario(start_time=monday, scenario=[(0.5, 60)]),
        )
        controller = BBController()
        observation, reward, done, info = env.reset()

        def live() -> None:
            nonlocal observation, reward, done, info
            for _ in range(minutes // int(env.sample_time)):
                action = controller.policy(observation, reward, done, **info)
                observation, reward, done, info = env.step(action)

        return _best(live)


def _simulate_all(patients: Sequence[str], days: int) -> None:
    for patient_id in patients:
        simulate_patient(patient_id, seed=SEED, days=days)


def _rate_of_patients(count: int, days: int) -> float:
    return count * days / _best(lambda: _simulate_all(PATIENT_IDS[:count], days))


def _rate_of_cores(count: int, days: int) -> float:
    """Return patient-days per second of so many processes, each with every patient once."""
    with ProcessPoolExecutor(
        count,
        mp_context=get_context("spawn"),
        initializer=end_with_parent,
        initargs=(os.getpid(),),
    ) as pool:
        list(pool.map(_simulate_all, [PATIENT_IDS] * count, [1] * count))
        run = _seconds(lambda: list(pool.map(_simulate_all, [PATIENT_IDS] * count, [days] * count)))
    return count * days * len(PATIENT_IDS) / run


def _start_up(cache: str) -> float:
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", _STARTER]
    return _seconds(lambda: subprocess.run(command, check=True, env=environment, cwd=ROOT))


def _best(work: Callable[[], object]) -> float:
    """Return the least processor time of some runs, s."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _lines(speed: Speed) -> list[tuple[str, str]]:
    return [
        ("patient-days per second", f"{speed.patient_days_per_s:.0f}"),
        ("time of the run", f"{speed.run_s:.2f} s"),
        ("times simglucose as shipped", f"{speed.ratio_simglucose:.0f}"),
        ("times SciPy on plain floats", f"{speed.ratio_scipy:.0f}"),
        ("start of a process, cold", f"{speed.cold_s:.2f} s"),
        ("start of a process, warm", f"{speed.warm_s:.2f} s"),
        *(
            (f"patient-days per second, {n} patients", f"{rate:.0f}")
            for n, rate in speed.by_patients.items()
        ),
        *(
            (f"patient-days per second, {n} processes", f"{rate:.0f}")
            for n, rate in speed.by_cores.items()
        ),
    ]


if __name__ == "__main__":
    app()
