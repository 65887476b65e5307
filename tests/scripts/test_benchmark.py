import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from builder.release import Report
from scripts import benchmark
from scripts.plausibility import app as plausibility_app
from tests.eval_tasks.tiny_release import write_release


@pytest.mark.slow
def test_benchmark_measures_everything_and_the_simulator_is_fast(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starts = iter((4.0, 0.9, 0.7, 0.8))
    monkeypatch.setattr(benchmark, "_start_up", lambda _cache: next(starts))
    monkeypatch.setattr(benchmark, "_rate_of_cores", lambda count, _days: 1000.0 * count)
    options = ["simulate", "--days", "4", "--reference-minutes", "15", "--json"]
    done = CliRunner().invoke(benchmark.app, options)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)

    assert set(found) >= {
        "patient_days_per_s",
        "ratio_simglucose",
        "ratio_scipy",
        "cold_s",
        "warm_s",
    }
    assert found["ratio_simglucose"] > 500
    assert found["ratio_scipy"] > 50
    assert (found["cold_s"], found["warm_s"]) == (4.0, 0.7)
    assert found["patient_days_per_s"] == pytest.approx(120 / found["run_s"])


@pytest.mark.slow
def test_predictions_are_timed_and_compared_with_another_checkout() -> None:
    options = ["predictions", "--patients", "1", "--workers", "1"]
    done = CliRunner().invoke(benchmark.app, [*options, "--against", str(benchmark.ROOT)])
    assert done.exit_code == 0, done.output
    *lines, last = done.stdout.splitlines()

    this, other = (int(line.split(" rows")[0].rpartition(" ")[2]) for line in lines)
    assert this == other > 10
    assert last.endswith("times less processor time, the same rows")


@pytest.mark.slow
def test_cohorts_are_timed_and_weighed() -> None:
    options = ["scale", "--patients", "1", "--task-type", "process_mining", "--workers", "1"]
    done = CliRunner().invoke(benchmark.app, [*options, "--json"])
    assert done.exit_code == 0, done.output
    (found,) = json.loads(done.stdout)

    assert found["patients"] == 1
    assert 30 < found["rows"] <= 44
    assert found["files"] == 2
    assert found["parent_peak_bytes"] > 50e6
    assert min(found["bytes"], found["wall_s"], found["parent_cpu_s"]) > 0


def test_a_task_type_that_does_not_exist_is_refused() -> None:
    done = CliRunner().invoke(benchmark.app, ["scale", "--patients", "1", "--task-type", "x"])
    assert done.exit_code == 2
    assert "no tasks" in done.stderr


def test_loading_is_timed_and_sizes_are_told(small_release: Report) -> None:
    options = ["load", str(small_release.folder), "--json"]
    done = CliRunner().invoke(benchmark.app, options)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)

    sizes = found["bytes"]
    assert set(sizes) == set(small_release.manifest.configs)
    for config, entry in small_release.manifest.configs.items():
        (name,) = entry.splits["test"].files
        assert sizes[config][0] == (small_release.folder / name).stat().st_size
    assert sum(every for _, every in sizes.values()) < found["release_bytes"] < 80e6
    assert sum(test for test, _ in sizes.values()) < 8e6
    assert 0 < found["again_s"] < found["first_s"]


def test_the_plausibility_table_names_every_group() -> None:
    done = CliRunner(env={"HEALTHLOOPQA_RAW_DIR": None}).invoke(
        plausibility_app, ["--days", "3", "--seed", "5"]
    )

    assert done.exit_code == 0, done.output
    for name in ("hybrid closed loop, child", "sensor augmented pump", "multiple daily injections"):
        assert name in done.stdout
    assert "hybrid closed loop: mean" in done.stdout


def test_the_plausibility_table_is_also_json() -> None:
    done = CliRunner(env={"HEALTHLOOPQA_RAW_DIR": None}).invoke(
        plausibility_app, ["--days", "1", "--seed", "5", "--json"]
    )
    groups = json.loads(done.stdout)["groups"]

    assert groups["hybrid closed loop"]["people"] == 20
    assert "AZT1D (real)" not in groups


def test_scoring_is_fast_and_affiliation_that_of_the_definition(tmp_path: Path) -> None:
    release = write_release(tmp_path / "release")
    done = CliRunner().invoke(benchmark.app, ["score", "--release", str(release), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)

    assert found["answers"] == 1516
    assert found["score_s"] < 2
    assert found["ratio_plain"] > 2  # records of 3 days; those of 30 give far more
    assert found["largest_difference"] < 1e-9
