"""Measure how fast the parts of HealthLoopQA are."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import csv
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from types import SimpleNamespace
from typing import Annotated, Any, NamedTuple, TypedDict

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from builder.console import one_line_errors
from builder.workers import end_with_parent
from eval_tasks.errors import EvaluationError
from eval_tasks.forms import TEST_SPLIT
from eval_tasks.prompts import qa_prompt
from eval_tasks.question import LONGEVITY, SAMPLE_MINUTES
from eval_tasks.record import STYLES, Style, record_text
from eval_tasks.record.shown import Context, Event, Shown, part, whole
from eval_tasks.release import Release, find_release
from generators.simulated.cohort import PATIENT_IDS
from generators.simulated.cohort import simulate as simulate_patient
from scripts import report_speed, score_speed

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

ROOT = Path(__file__).resolve().parent.parent
SEED = 1
REPEATS = 3
MINUTES_PER_DAY = 1440
_PREDICTIONS = """
import hashlib, json, resource, sys, time
from builder.generate import Plan, simulated
from generators.questions.registry import TASKS
from generators.simulated.cohort import PATIENT_IDS, simulate
simulate(PATIENT_IDS[0], seed=1, days=1)
patients, workers, seed = map(int, sys.argv[1:])
plan = Plan(
    config="simulated",
    release="0.0.0",
    seed=seed,
    task_ids=tuple(task.id for task in TASKS.values() if task.prediction),
    patient_ids=PATIENT_IDS[:patients],
)
start = time.perf_counter()
rows = simulated(plan, workers=workers, progress=lambda *_: None).full
wall = time.perf_counter() - start
who = resource.RUSAGE_CHILDREN if workers > 1 else resource.RUSAGE_SELF
used = resource.getrusage(who)
text = json.dumps(rows.drop_columns(["input_context"]).to_pylist(), sort_keys=True)
print(json.dumps({
    "rows": len(rows),
    "wall_s": wall,
    "cpu_s": used.ru_utime + used.ru_stime,
    "sha256": hashlib.sha256(text.encode()).hexdigest(),
}))
"""
"""Asks the predictions of so many patients; run in a process of its own, in any checkout."""
ENCODING = "o200k_base"
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


class Stage(TypedDict):
    """The predictions of some patients: how many rows, how long it took, what came out.

    The wall time covers the simulation of the patients, the questions and the start of the
    processes; the processor time is that of all of them.
    """

    rows: int
    wall_s: float
    cpu_s: float
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Economy:
    """Size of one whole record as text, in the source's layout and in a style of this benchmark.

    Attributes:
        config: Config that the record is from.
        trace_id: Trace.
        style: Style of this benchmark.
        source_characters: Characters in the source's layout.
        characters: Characters in the style without the list of boluses, which the source's lacks.
        source_tokens: Tokens in the source's layout.
        tokens: Tokens in the style without the list of boluses.
        whole_characters: Characters in the style with everything.
        whole_tokens: Tokens in the style with everything.
        prompt_tokens: Tokens of the longest whole prompt over that record; a little too many, since
            the text around is counted with one sample of the record in it.
    """

    config: str
    trace_id: str
    style: str
    source_characters: int
    characters: int
    source_tokens: int
    tokens: int
    whole_characters: int
    whole_tokens: int
    prompt_tokens: int


@app.callback()
def main() -> None:
    """Measure how fast the parts of HealthLoopQA are."""


@app.command()
def simulate(
    days: Annotated[int, typer.Option(min=1, help="Days of each patient.")] = 38,
    reference_minutes: Annotated[
        int, typer.Option(min=10, help="Minutes of a run of the slow references.")
    ] = 120,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Compare the simulator with simglucose as shipped and with SciPy on plain floats."""
    with one_line_errors():
        speed = measure(days, reference_minutes)
    if as_json:
        print(json.dumps(asdict(speed)))
        return
    table = Table(title=f"{len(PATIENT_IDS)} patients, {days} days each, one core unless said")
    table.add_column("measure")
    table.add_column("value", justify="right")
    for name, value in _lines(speed):
        table.add_row(name, value)
    Console().print(table)


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
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text.")
    ] = False,
) -> None:
    """Time the predictions with their ensembles, perhaps against another checkout's."""
    with one_line_errors():
        roots = [ROOT] if against is None else [ROOT, against.resolve()]
        stages = [_stage(root, patients, workers, seed) for root in roots]
    if as_json:
        print(json.dumps({"this": stages[0], "other": stages[1] if stages[1:] else None}))
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


def _stage(root: Path, patients: int, workers: int, seed: int) -> Stage:
    """Run the predictions in a new process of a checkout."""
    command = [sys.executable, "-c", _PREDICTIONS, *map(str, (patients, workers, seed))]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        command, check=True, env=environment, cwd=root, capture_output=True, text=True
    )
    found: Stage = json.loads(done.stdout)
    return found


@app.command()
def prompts(
    release: Annotated[
        str | None, typer.Option(help="Folder of a release. Default: as found.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Compare the size of 30-day records in the source's layout with that in both styles."""
    with one_line_errors():
        found = economies(find_release(release), tokenizer())
    if as_json:
        print(json.dumps([asdict(economy) for economy in found]))
        return
    table = Table(title=f"Records of 30 days as text; tokens of {ENCODING}, as litellm ships it")
    for name in ("config", "style", "records", "characters", "of source", "at most"):
        table.add_column(name, justify="left" if name in {"config", "style"} else "right")
    for name in ("tokens", "of source", "at most", "with boluses", "longest prompt"):
        table.add_column(name, justify="right")
    for (config, style), group in _grouped(found).items():
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


def economies(release: Release, count: Callable[[str], int]) -> list[Economy]:
    """Return the size of every whole record of a release's split `test`.

    Args:
        release: A release on this machine.
        count: Counts the tokens of a text.
    """
    found: dict[tuple[str, str, Style], Economy] = {}
    for config in release.chosen((), TEST_SPLIT):
        for row in release.read(config, TEST_SPLIT) if config != LONGEVITY else ():
            shown = whole(row["input_context"])
            if row["task_type"] == "prediction":
                continue
            for style in STYLES:
                key = config, row["trace_id"], style
                economy = found.get(key) or _economy(*key, shown, count)
                around = count(qa_prompt(row, part(shown.context, 0, SAMPLE_MINUTES), style))
                longest = max(economy.prompt_tokens, economy.whole_tokens + around)
                found[key] = replace(economy, prompt_tokens=longest)
    return list(found.values())


def tokenizer() -> Callable[[str], int]:
    """Return what counts tokens with the vocabulary that litellm ships, without network.

    Raises:
        EvaluationError: litellm is not installed.
    """
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        raise EvaluationError("litellm is not installed; install the extra eval")
    folder = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    encoding = importlib.import_module("tiktoken").get_encoding(ENCODING)
    return lambda text: len(encoding.encode(text))


def source_layout(context: Context) -> str:
    """Return a record as the source's structured prompt lays it out.

    All readings with one decimal, all insulin in scientific notation, comma and blank between, and
    a line for each meal and bout; boluses have no lines there.
    """
    series = [
        ", ".join("nan" if value is None else format(value, form) for value in context[name])
        for name, form in (("bg_mgdl", ".1f"), ("insulin_mu_min", ".1E"))
    ]
    meals = [
        f"{_source_time(event)}: {event['carbs']:.1f} g, {event['meal_type']}"
        for event in context["carb_events"]
    ]
    bouts = [
        f"{_source_time(event)}: {event['exercise_type']}, average power {event['magnitude']}, "
        f"{event['duration']} min"
        for event in context["exercise_events"]
    ]
    readings = len(context["bg_mgdl"])
    return "\n".join(["# Data", f"{readings} readings", *series, *meals, *bouts])


def _source_time(event: Event) -> str:
    week, day = divmod(event["day"] - 1, 7)
    return f"Week {week + 1}, Day {day + 1}, {event['time_str']}"


def _economy(
    config: str, trace_id: str, style: Style, shown: Shown, count: Callable[[str], int]
) -> Economy:
    source, text = source_layout(shown.context), record_text(shown, style)
    same_facts = replace(shown, context={**shown.context, "insulin_events": []})
    same = record_text(same_facts, style)
    return Economy(
        config=config,
        trace_id=trace_id,
        style=style,
        source_characters=len(source),
        characters=len(same),
        source_tokens=count(source),
        tokens=count(same),
        whole_characters=len(text),
        whole_tokens=count(text),
        prompt_tokens=0,
    )


def _grouped(found: Sequence[Economy]) -> dict[tuple[str, str], list[Economy]]:
    groups: dict[tuple[str, str], list[Economy]] = {}
    for economy in found:
        groups.setdefault((economy.config, economy.style), []).append(economy)
    return dict(sorted(groups.items()))


@app.command()
def score(
    release: Annotated[
        str | None,
        typer.Option(help="Folder of a release. Default: as for scripts/evaluate.py."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Time scoring, and compare affiliation with the paper's definition in plain Python."""
    with one_line_errors():
        speed = score_speed.measure(find_release(release))
    if as_json:
        print(json.dumps(asdict(speed)))
        return
    table = Table(title="one core")
    table.add_column("measure")
    table.add_column("value", justify="right")
    for name, value in _score_lines(speed):
        table.add_row(name, value)
    Console().print(table)


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
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Time a report on made-up models over all configs of a release, with verdicts on advice."""
    with one_line_errors(), tempfile.TemporaryDirectory() as scratch:
        found = report_speed.time_report(find_release(release), models, verdicts, Path(scratch))
    if as_json:
        print(json.dumps(asdict(found)))
        return
    table = Table(title=f"A report on {models} models")
    table.add_column("measure")
    table.add_column("value", justify="right")
    for name, value in asdict(found).items():
        shown = f"{value:.1f}" if isinstance(value, float) else str(value)
        table.add_row(name.replace("_", " "), shown)
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
