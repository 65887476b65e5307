"""A small release from end to end."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow.compute as pc
import pytest
from datasets import load_dataset

from builder import parquet
from builder.errors import BuildError
from builder.manifest import read_manifest
from builder.release import Report, build
from builder.schema import QA_CONFIGS, arrow_schema
from builder.validate import problems_of
from generators.questions.registry import TASKS
from tests.conftest import small_request

ROOT = Path(__file__).resolve().parent.parent.parent


def quiet(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""


def test_release_is_valid_and_says_what_is_absent(small_release: Report) -> None:
    assert problems_of(small_release.folder, quiet) == []
    manifest = read_manifest(small_release.folder)
    assert list(manifest.configs) == [
        *("simulated", "fault_injected", "longevity", "multiple_choice", "traces")
    ]
    assert "HEALTHLOOPQA_RAW_DIR" in manifest.absent["real_world"]
    card = (small_release.folder / "README.md").read_text()
    assert "`real_world` is **absent**" in card
    assert manifest.canary in card


def test_every_task_is_asked_of_every_patient_or_left_out_with_a_reason(
    small_release: Report,
) -> None:
    manifest = read_manifest(small_release.folder)
    left_out = {(left.subject, left.task_id) for left in manifest.left_out}
    for config in ("simulated", "fault_injected"):
        files = manifest.configs[config].splits["full"].files
        table = parquet.read(small_release.folder / files[0])
        asked = set(
            zip(*(table.column(n).to_pylist() for n in ("trace_id", "task_id")), strict=True)
        )
        kinds = {"simulated": ("process_mining", "prediction")}.get(config, ("anomaly_detection",))
        tasks = {task.id for task in TASKS.values() if task.type in kinds}
        for trace in {trace for trace, _ in asked}:
            for task_id in tasks:
                assert ((trace, task_id) in asked) != ((trace, task_id) in left_out)


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    "config", ["simulated", "fault_injected", "longevity", "multiple_choice", "traces"]
)
def test_load_dataset(small_release: Report, config: str, streaming: bool, tmp_path: Path) -> None:
    rows = load_dataset(
        str(small_release.folder),
        config,
        split="test",
        streaming=streaming,
        cache_dir=str(tmp_path),
    )
    manifest = read_manifest(small_release.folder)
    assert len(list(rows)) == manifest.configs[config].splits["test"].rows  # type: ignore[index]
    assert rows.features.arrow_schema.names == arrow_schema(config).names  # type: ignore[arg-type]


def test_another_seed_shares_no_question_with_its_record(
    small_release: Report, tmp_path: Path
) -> None:
    other = build(small_request(tmp_path / "other", seed=12), quiet)

    def keys(report: Report) -> set[tuple[str, ...]]:
        found: set[tuple[str, ...]] = set()
        for config in QA_CONFIGS:
            entry = report.manifest.configs.get(config)
            if entry is None:
                continue
            table = parquet.read(report.folder / entry.splits["full"].files[0])
            readings = pc.struct_field(table.column("input_context"), "bg_mgdl")
            for place, question in enumerate(table.column("question").to_pylist()):
                found.add((question, json.dumps(readings[place].as_py()[:288])))
        return found

    assert len(keys(small_release)) > 20
    assert not keys(small_release) & keys(other)


def test_rebuilt_folder_serves_the_new_rows(tmp_path: Path) -> None:
    """`datasets` caches local folders by the card's patterns; a rebuild must not hit old rows."""
    folder, cache = tmp_path / "release", str(tmp_path / "cache")

    def loaded(seed: int) -> list[str]:
        build(small_request(folder, seed=seed), quiet)
        rows = load_dataset(str(folder), "simulated", split="test", cache_dir=cache)
        return [row["trace_id"] for row in rows]

    assert all(trace.endswith(".s21") for trace in loaded(21))
    assert all(trace.endswith(".s22") for trace in loaded(22))


def build_by_command(output: Path, *, workers: int, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [
            sys.executable,
            str(ROOT / "scripts" / "build_release.py"),
            *("--output", str(output), "--seed", "11", "--workers", str(workers), "--json"),
            *(
                "--cohort",
                "test",
                "--patient",
                "adolescent_001",
                "--patient",
                "adult_001",
                "--patient",
                "child_008",
            ),
        ],
        cwd=output.parent,
        env={"PATH": "/usr/bin:/bin", "HOME": str(output.parent), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout)["content_sha256"])


@pytest.mark.slow
def test_hashes_depend_on_nothing_but_version_and_seed(
    small_release: Report, tmp_path: Path
) -> None:
    environment = {"PYTHONHASHSEED": "77", "TZ": "Asia/Kathmandu", "LC_ALL": "C"}
    content = build_by_command(tmp_path / "other", workers=2, environment=environment)
    assert content == small_release.manifest.content_sha256


def test_unknown_patient_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    request = small_request(tmp_path / "release")

    with pytest.raises(BuildError, match="adult_099"):
        build(replace(request, patient_ids=("adult_099",)), quiet)
    assert list(tmp_path.iterdir()) == []
