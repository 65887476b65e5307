"""The command as its users meet it: bad input gets one clear line, status 1, and leaves nothing."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
import zipfile
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from datasets import load_dataset
from typer.testing import CliRunner

from builder.staging import UNFINISHED
from eval_tasks.version import RELEASE_VERSION
from scripts.build_release import app
from scripts.validate_release import app as validate_app

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts" / "build_release.py"
HEADER = (
    "EventDateTime,DeviceMode,BolusType,Basal,CorrectionDelivered,TotalBolusInsulinDelivered,"
    "FoodDelivered,CarbSize,CGM"
)


def recording(days: float, glucose: str = "120", header: str = HEADER, step: int = 5) -> str:
    start = datetime(2024, 1, 1)  # noqa: DTZ001 - the recordings have local times
    lines = [header]
    for sample in range(int(days * 288)):
        when = start + timedelta(minutes=step * sample)
        lines.append(f"{when:%Y-%m-%d %H:%M:%S},,,1.0,,,,,{glucose}")
    return "\n".join(lines) + "\n"


def raw_dir(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "raw" / "CGM Records" / "Subject 1"
    folder.mkdir(parents=True)
    (folder / "Subject 1.csv").write_text(text)
    return tmp_path / "raw"


def refused(tmp_path: Path, *options: str) -> str:
    """Run the command, expect a refusal, return its one line."""
    output = tmp_path / "out" / "release"
    done = CliRunner(env={"HEALTHLOOPQA_RAW_DIR": None}).invoke(
        app, ["--output", str(output), "--workers", "1", *options]
    )
    assert done.exit_code == 1, done.output
    assert done.stdout == ""
    assert not output.parent.exists() or list(output.parent.iterdir()) == []
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    return lines[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--config", "simulatd"], "did you mean simulated"),
        (["--task", "pm_144"], "pm_14"),
        (["--patient", "adult_099", "--config", "simulated"], "adult_099"),
        (["--raw-dir", "no/such/folder", "--config", "real_world"], "no/such/folder"),
        (["--private", "--seed", "7"], "can be guessed"),
        (["--private", "--cohort", "train"], "has the cohort test only"),
    ],
)
def test_unknown_names(tmp_path: Path, options: list[str], message: str) -> None:
    assert message in refused(tmp_path, *options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (recording(31, header=HEADER.replace("CGM", "Sugar")), "CGM"),
        (recording(31, glucose="high-ish"), "high-ish"),
        (recording(31, step=-5), "row 3: EventDateTime lies before"),
        (recording(2), "30 recorded days"),
        ("", "Subject 1.csv"),
    ],
    ids=["missing column", "text for glucose", "out of order", "two days", "empty file"],
)
def test_bad_recordings(tmp_path: Path, text: str, message: str) -> None:
    folder = raw_dir(tmp_path, text)
    assert message in refused(tmp_path, "--config", "real_world", "--raw-dir", str(folder))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--config", "traces"], "add --config simulated or --config fault_injected"),
        (["--config", "real_world"], "no recordings: neither --raw-dir nor HEALTHLOOPQA_RAW_DIR"),
        (["--config", "real_world", "--task", "pd_6"], "real_world is absent: no recordings"),
        (["--config", "simulated", "--task", "ad_3"], "none of which is ad_3"),
        (
            ["--config", "fault_injected", "--patient", "child_010"],
            "closed loop have faults, not child_010",
        ),
        (["--config", "real_world", "--task", "ad_3", "--raw-dir", "."], "none of which is ad_3"),
    ],
)
def test_a_build_of_nothing_says_why(tmp_path: Path, options: list[str], reason: str) -> None:
    output = tmp_path / "out" / "release"
    done = CliRunner(env={"HEALTHLOOPQA_RAW_DIR": None}).invoke(
        app, ["--output", str(output), "--workers", "1", *options]
    )
    assert done.exit_code == 2
    assert done.stderr.startswith("error: nothing to build, because ")
    assert done.stderr.count("\n") == 1
    assert reason in done.stderr
    assert list(output.parent.iterdir()) == []


@pytest.mark.parametrize("known", [[], ["--patient", "adult_001"], ["--patient", "azt1d_01"]])
def test_a_patient_that_no_config_knows_is_refused(tmp_path: Path, known: list[str]) -> None:
    raw = raw_dir(tmp_path, recording(40))
    options = ("--raw-dir", str(raw), *known, "--patient", "azt1d_07")
    message = refused(tmp_path, *options)
    assert "the patient 'azt1d_07'; simulated and fault_injected: " in message
    assert message.endswith("; real_world: azt1d_01")


def test_patients_of_no_chosen_config_are_refused(tmp_path: Path) -> None:
    message = refused(tmp_path, "--config", "longevity", "--patient", "adult_001")
    assert "'adult_001'; none of them asks about patients" in message


def test_each_config_asks_of_its_own_patients_and_names_the_others(tmp_path: Path) -> None:
    raw = raw_dir(tmp_path, recording(40))
    output = tmp_path / "release"
    chosen = ("--config", "simulated", "--config", "real_world", "--config", "fault_injected")
    patients = ("--patient", "child_010", "--patient", "azt1d_01")
    options = (*chosen, *patients, "--task", "pm_0", "--task", "ad_3", "--raw-dir", str(raw))
    done = CliRunner().invoke(app, ["--output", str(output), "--workers", "1", "--json", *options])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert {part["config"] for part in told["splits"]} == {"simulated", "real_world"}
    assert "have faults, not child_010, azt1d_01" in told["absent"]["fault_injected"]
    left = {(one["config"], one["subject"], one["reason"]) for one in told["left_out"]}
    assert ("simulated", "azt1d_01", "is no simulated patient") in left
    assert ("real_world", "child_010", "is no recorded subject") in left


def test_a_question_that_no_recording_answers_is_named(tmp_path: Path) -> None:
    raw = raw_dir(tmp_path, recording(40))
    output = tmp_path / "out" / "release"
    options = ["--config", "real_world", "--task", "pd_6", "--raw-dir", str(raw)]
    done = CliRunner().invoke(app, ["--output", str(output), "--workers", "1", *options])
    assert done.exit_code == 2, done.output
    assert "no question could be asked; most often: nothing hypothetical" in done.stderr


def test_what_is_absent_stands_in_the_table_with_its_reason(tmp_path: Path) -> None:
    options = ["--output", str(tmp_path / "release"), "--config", "longevity", "--config", "traces"]
    done = CliRunner(env={"COLUMNS": "300"}).invoke(app, options)
    assert done.exit_code == 0, done.output
    (line,) = [line for line in done.stdout.splitlines() if "traces" in line]
    assert "absent" in line
    assert "add --config simulated or --config fault_injected" in line


@pytest.mark.parametrize("seed", [-1, 2**53, 10**29])
def test_a_seed_out_of_range_is_refused_with_the_range(tmp_path: Path, seed: int) -> None:
    message = refused(tmp_path, f"--seed={seed}")
    assert f"the seed {seed} lies outside 0 to {2**53 - 1}" in message


@pytest.mark.parametrize("option", ["--raw-dir", "--output"])
def test_an_empty_path_is_refused(option: str) -> None:
    done = CliRunner(env={"COLUMNS": "200"}).invoke(app, ["--config", "longevity", option, ""])
    assert done.exit_code == 2
    assert "it is empty; name a folder" in done.stderr


def test_by_default_every_command_means_the_folder_in_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `scripts/evaluate.py` does, whatever folder one is in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builder.console._REPOSITORY", tmp_path / "home")
    monkeypatch.delenv("HEALTHLOOPQA_RELEASE", raising=False)
    home = tmp_path / "home" / "dist" / f"healthloopqa-{RELEASE_VERSION}"
    assert CliRunner().invoke(app, ["--config", "longevity"]).exit_code == 0
    assert (home / "manifest.json").is_file()
    checked = CliRunner().invoke(validate_app, ["--json"])
    assert json.loads(checked.stdout)["folder"] == str(home)
    monkeypatch.setenv("HEALTHLOOPQA_RELEASE", str(tmp_path / "other"))
    assert f"{tmp_path / 'other'} is no release" in CliRunner().invoke(validate_app).stderr


def test_empty_raw_folder(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    message = refused(tmp_path, "--config", "real_world", "--raw-dir", str(tmp_path / "raw"))
    assert "raw" in message


def test_truncated_zip(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    path = tmp_path / "raw" / "azt1d.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("CGM Records/Subject 1/Subject 1.csv", recording(31))
    path.write_bytes(path.read_bytes()[:-40])
    message = refused(tmp_path, "--config", "real_world", "--raw-dir", str(tmp_path / "raw"))
    assert "azt1d.zip" in message


def test_existing_output(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    done = CliRunner().invoke(app, ["--output", str(tmp_path / "there")])
    assert done.exit_code == 1
    assert "exists; give another --output" in done.stderr
    assert list((tmp_path / "there").iterdir()) == []


def test_json_is_one_object_and_the_release_validates(tmp_path: Path) -> None:
    output = tmp_path / "release"
    options = ["--output", str(output), "--config", "longevity", "--json"]
    done = CliRunner(env={"HEALTHLOOPQA_RAW_DIR": None}).invoke(app, options)
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["splits"][0]["rows"] == 1000
    assert set(report["absent"]) == {
        *("simulated", "fault_injected", "real_world", "multiple_choice", "traces"),
    }
    checked = CliRunner().invoke(validate_app, [str(output), "--json"])
    assert checked.exit_code == 0
    assert json.loads(checked.stdout)["valid"]


def test_validation_of_what_is_no_release(tmp_path: Path) -> None:
    done = CliRunner().invoke(validate_app, [str(tmp_path)])
    assert done.exit_code == 1
    assert "manifest.json" in done.stderr


def command(output: Path, *options: str) -> list[str]:
    return [sys.executable, str(SCRIPT), "--output", str(output), "--workers", "1", *options]


@pytest.mark.slow
def test_full_disk(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    done = subprocess.run(
        command(tmp_path / "out" / "release", "--config", "longevity"),
        preexec_fn=limit,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "numba")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert "space" in done.stderr
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.slow
def test_killed_build_leaves_no_release_and_the_next_succeeds(tmp_path: Path) -> None:
    output = tmp_path / "release"
    options = ("--patient", "adult_001", "--config", "simulated", "--config", "traces")
    running = subprocess.Popen(command(output, *options), stderr=subprocess.DEVNULL)
    staging = tmp_path / ".release.building"
    while not (staging / UNFINISHED / "data").exists() and running.poll() is None:
        time.sleep(0.005)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert not output.exists()
    for folder in tmp_path.iterdir():
        checked = CliRunner().invoke(validate_app, [str(folder)])
        assert checked.exit_code == 1
        with pytest.raises(Exception, match=r"config|Config|data"):
            load_dataset(str(folder), "simulated", cache_dir=str(tmp_path / "cache"))
    done = subprocess.run(command(output, *options), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert CliRunner().invoke(validate_app, [str(output)]).exit_code == 0
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".release")]
