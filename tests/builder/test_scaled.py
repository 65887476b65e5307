"""Cohorts of any size: the same rows and files however they are computed, checked group by group."""

import json
import multiprocessing
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from datasets import load_dataset
from typer.testing import CliRunner

import load_healthloopqa
from builder import generate, parquet, scaled
from builder.errors import BuildError, NothingToBuildError
from builder.manifest import MANIFEST_NAME, read_manifest
from builder.publication import checked
from builder.release import Report, Request
from builder.release_config import load_release_config
from builder.scaled import build_scaled
from builder.scaled_check import problems_of_scaled
from eval_tasks.version import RELEASE_VERSION
from generators.errors import GeneratorError, NoScheduleError
from generators.fault_injected.inject import simulate_with_faults
from generators.questions.task import Course
from generators.simulated.patients import scaled_cohort
from scripts.build_release import app as build_app
from scripts.validate_release import app as validate_app

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENTS = 5
TASKS = ("pm_1", "pm_14", "pd_1", "ad_4")


def quiet(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""


def request(output: Path, **changes: object) -> Request:
    asked = Request(
        declared=load_release_config(RELEASE_VERSION),
        seed=3,
        output=output,
        task_ids=TASKS,
        patients=PATIENTS,
    )
    return replace(asked, **changes)  # type: ignore[arg-type]


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def cohort(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A cohort that tests must not change, built in this process."""
    return build_scaled(request(tmp_path_factory.mktemp("scaled") / "cohort"), quiet)


@pytest.fixture
def copy(cohort: Report, tmp_path: Path) -> Path:
    """A copy of the cohort that a test may break."""
    return Path(shutil.copytree(cohort.folder, tmp_path / "copy"))


@pytest.fixture
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of few rows."""
    monkeypatch.setattr(scaled, "MOST_ROWS", {"simulated": 7, "fault_injected": 1, "traces": 3})
    monkeypatch.setattr(scaled, "GROUP_ROWS", {"simulated": 2, "traces": 1})


def test_a_cohort_is_valid_and_holds_one_question_per_task_and_patient(cohort: Report) -> None:
    assert problems_of_scaled(cohort.folder, quiet) == []
    manifest = read_manifest(cohort.folder)
    assert manifest.patients == PATIENTS
    assert list(manifest.configs) == ["simulated", "fault_injected", "traces"]
    assert set(manifest.absent) == {"real_world", "longevity", "multiple_choice"}
    rows = parquet.read(cohort.folder / manifest.configs["simulated"].splits["full"].files[0])
    asked = [(row["patient_id"], row["task_id"]) for row in rows.to_pylist()]
    assert [patient for patient, _ in groupby(asked, lambda pair: pair[0])] == list(
        scaled_cohort(PATIENTS)
    )
    assert len(asked) == len(set(asked))


def test_loads_as_a_stream_and_by_the_loader(cohort: Report, tmp_path: Path) -> None:
    stream = load_dataset(
        str(cohort.folder), "simulated", split="full", streaming=True, cache_dir=str(tmp_path)
    )
    rows = cohort.manifest.configs["simulated"].splits["full"].rows
    assert sum(1 for _ in stream) == rows
    loaded = load_healthloopqa.load("traces", split="full", source=str(cohort.folder))
    assert len(loaded) == cohort.manifest.configs["traces"].splits["full"].rows


def test_a_larger_cohort_begins_with_the_smaller(cohort: Report, tmp_path: Path) -> None:
    fewer = build_scaled(request(tmp_path / "fewer", patients=2, configs=("simulated",)), quiet)
    digests = fewer.manifest.configs["simulated"].splits["full"].row_digests
    assert cohort.manifest.configs["simulated"].splits["full"].row_digests.startswith(digests)


@pytest.mark.usefixtures("small_files")
def test_files_end_between_patients(cohort: Report, tmp_path: Path) -> None:
    built = build_scaled(request(tmp_path / "cohort"), quiet)
    assert built.manifest.content_sha256 == cohort.manifest.content_sha256
    part = built.manifest.configs["simulated"].splits["full"]
    tables = [parquet.read(built.folder / name) for name in part.files]
    assert [
        name.endswith(f"-{place:05d}-of-{len(part.files):05d}.parquet")
        for place, name in enumerate(part.files)
    ] == [True] * len(tables)
    assert len(tables) > 1
    assert all(table.num_rows <= 7 for table in tables)
    holders = [set(table.column("patient_id").to_pylist()) for table in tables]
    assert sum(map(len, holders)) == PATIENTS
    assert problems_of_scaled(built.folder, quiet, workers=2) == []


@pytest.mark.slow
def test_files_do_not_depend_on_the_number_of_workers(cohort: Report, tmp_path: Path) -> None:
    built = build_scaled(request(tmp_path / "cohort", workers=2), quiet)
    assert files_of(built.folder) == files_of(cohort.folder)


def kill_one() -> Callable[[str, int, int], None]:
    """Return a progress that kills a worker process halfway through the patients."""
    killed: list[int] = []

    def progress(doing: str, done: int, total: int) -> None:
        if doing == "patients" and done == total // 2 and not killed:
            victim = multiprocessing.active_children()[0]
            victim.kill()
            killed.append(victim.pid or 0)
        if doing == "patients" and done == total:
            assert killed

    return progress


@pytest.mark.slow
def test_a_worker_killed_halfway_changes_nothing(cohort: Report, tmp_path: Path) -> None:
    before = set(multiprocessing.active_children())
    built = build_scaled(request(tmp_path / "cohort", workers=2), kill_one())
    assert files_of(built.folder) == files_of(cohort.folder)
    assert set(multiprocessing.active_children()) == before


ON_RAY = """
import os, signal, sys, time
from dataclasses import replace
from pathlib import Path
from builder.release import build
from builder.scaled import build_scaled
from tests.builder.test_scaled import quiet, request
from tests.conftest import small_request

def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

def workers():
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and parent(parent(folder.name)) == os.getpid():
                if b"ray::_computed" in (folder / "cmdline").read_bytes():
                    yield int(folder.name)
        except (OSError, IndexError):
            continue

killed = []

def kill_one(what, done, _total):
    while what == "patients" and done == 3 and not killed:
        for pid in workers():
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
            break

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    whole = build_scaled(request(folder / "whole", workers=2, engine="ray"), quiet)
    lossy = build_scaled(request(folder / "lossy", workers=2, engine="ray"), kill_one)
    small = replace(small_request(folder / "small"), task_ids=("pm_1", "ad_4"))
    contents = [
        build(replace(small, output=folder / engine, engine=engine), quiet).manifest.content_sha256
        for engine in ("local", "ray")
    ]
    print(len(killed), contents[0] == contents[1])
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("ray") is None, reason="the extra scale (Ray) is not installed")
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds workers as Linux does")
def test_ray_gives_the_same_files_with_a_worker_killed_halfway_too(
    cohort: Report, tmp_path: Path
) -> None:
    program = tmp_path / "on_ray.py"
    program.write_text(ON_RAY)
    done = subprocess.run(
        [sys.executable, str(program), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "1 True"
    for name in ("whole", "lossy"):
        assert files_of(tmp_path / name) == files_of(cohort.folder)


def test_a_changed_row_is_found(copy: Path) -> None:
    manifest = read_manifest(copy)
    name = manifest.configs["simulated"].splits["full"].files[0]
    table = parquet.read(copy / name)
    answers = table.column("answer").to_pylist()
    place = table.schema.get_field_index("answer")
    changed = table.set_column(place, "answer", pa.array(["-1", *answers[1:]], pa.string()))
    pq.write_table(changed.cast(table.schema), copy / name)

    found = problems_of_scaled(copy, quiet)

    assert any(name in problem and "hash" in problem for problem in found)
    assert any("second computation" in problem for problem in found)
    assert "simulated/full: the rows are not those whose hash the manifest holds" in found
    done = CliRunner().invoke(validate_app, [str(copy), "--workers", "1"])
    assert done.exit_code == 1


def test_rows_that_come_twice_missing_files_and_another_card_are_found(copy: Path) -> None:
    manifest = read_manifest(copy)
    simulated = manifest.configs["simulated"].splits["full"].files[0]
    table = parquet.read(copy / simulated)
    parquet.write(pa.concat_tables([table, table.slice(0, 1)]), copy / simulated)
    faulty = manifest.configs["fault_injected"].splits["full"].files[0]
    (copy / faulty).unlink()
    (copy / "README.md").write_text("nothing")

    found = "\n".join(problems_of_scaled(copy, quiet))

    assert "occurs more than once" in found
    assert f"{table.num_rows + 1} rows, the manifest says {table.num_rows}" in found
    assert "fault_injected/full cannot be read" in found
    assert "README.md is not what this code writes" in found


def test_other_columns_are_found(copy: Path) -> None:
    traces = read_manifest(copy).configs["traces"].splits["full"].files[0]
    pq.write_table(parquet.read(copy / traces).drop_columns(["hazard"]), copy / traces)
    assert "traces/full cannot be read" in "\n".join(problems_of_scaled(copy, quiet))


def test_a_release_does_not_name_patients_and_is_no_cohort(small_release: Report) -> None:
    assert "patients" not in json.loads((small_release.folder / MANIFEST_NAME).read_text())
    with pytest.raises(BuildError, match="is a release, no scaled cohort"):
        problems_of_scaled(small_release.folder, quiet)


def test_a_cohort_is_not_published_as_the_release(cohort: Report) -> None:
    with pytest.raises(BuildError, match="is a scaled cohort, no release"):
        checked(cohort.folder, quiet)


def test_a_patient_without_place_for_faults_is_left_out_and_named(
    cohort: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_manifest(cohort.folder)
    faulty = pq.read_table(cohort.folder / read.configs["fault_injected"].splits["full"].files[0])
    lost = faulty["patient_id"][0].as_py()
    draw = simulate_with_faults

    def sometimes(patient: str, *, seed: int) -> Course:
        if patient == lost:
            raise NoScheduleError(f"{patient}: no fault schedule found")
        return draw(patient, seed=seed)

    monkeypatch.setattr(generate, "simulate_with_faults", sometimes)
    made = build_scaled(request(tmp_path / "c", workers=1), quiet)
    manifest = read_manifest(made.folder)
    assert ("fault_injected", lost, None) in {
        (left.config, left.subject, left.task_id) for left in manifest.left_out
    }
    assert problems_of_scaled(made.folder, quiet) == []
    file = made.folder / manifest.configs["fault_injected"].splits["full"].files[0]
    rest = faulty.filter(pc.not_equal(faulty["patient_id"], lost))
    assert pq.read_table(file).equals(rest)


def test_rows_that_the_second_computation_refuses_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scaled, "disagreements", lambda *_: iter(["pm_1: wrong"]))
    with pytest.raises(BuildError, match="no valid release"):
        build_scaled(request(tmp_path / "cohort", patients=1), quiet)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"patient_ids": ("adult_001",)}, BuildError, "leave out --patient"),
        ({"patients": 10**9}, GeneratorError, "allowed are 1 to"),
        ({"configs": ("longevity",)}, NothingToBuildError, "simulated patients only"),
        ({"configs": ("traces",)}, NothingToBuildError, "come with the patients"),
        ({"seed": -1}, BuildError, "seed"),
    ],
)
def test_what_cannot_be_built_is_refused_and_leaves_nothing(
    tmp_path: Path, changes: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        build_scaled(request(tmp_path / "cohort", **changes), quiet)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--patients", "3"], "give --output"),
        (["--patients", "3", "--output", "x", "--cohort", "train"], "leave out --patient"),
        (["--engine", "spark"], "there is no engine 'spark', only local, ray"),
    ],
)
def test_options_that_do_not_go_together(options: list[str], message: str) -> None:
    done = CliRunner().invoke(build_app, options)
    assert done.exit_code == 1
    assert message in done.stderr


def test_the_command_builds_a_cohort(cohort: Report, tmp_path: Path) -> None:
    tasks = [word for task in TASKS for word in ("--task", task)]
    done = CliRunner().invoke(
        build_app,
        [
            *("--patients", str(PATIENTS), "--seed", "3", "--workers", "1", "--json"),
            *("--output", str(tmp_path / "cohort"), *tasks),
        ],
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["release_sha256"] == cohort.manifest.release_sha256
