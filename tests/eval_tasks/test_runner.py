import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import eval_tasks.runner
from eval_tasks.errors import EvaluationError, ReleaseError, UnknownNameError
from eval_tasks.release import Release, find_release
from eval_tasks.runner import run_reference_model
from eval_tasks.summary import ScoredRow, flat, summarise
from tests.eval_tasks.tiny_release import write_release


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return find_release(str(write_release(tmp_path / "release")))


def pretend(monkeypatch: pytest.MonkeyPatch, output: Path, scored: int | None) -> list[str]:
    """Let lighteval have written the results of that many longevity rows, or none at all."""
    given: list[str] = []

    def run(arguments: Sequence[str], release: Release, extra: Mapping[str, str]) -> str:
        del release, extra
        given.extend(arguments)
        row = ScoredRow(
            task_id="longevity",
            task_type="longevity",
            level="",
            cluster="item",
            floor=0.5,
            value=1,
            strict=True,
            status="ok",
        )
        if scored is not None:
            output.mkdir(exist_ok=True)
            values = {"healthloopqa:longevity|0": flat(summarise([row] * scored))}
            (output / "results_1.json").write_text(
                json.dumps({"results": values}), encoding="utf-8"
            )
        return "the log's last line"

    monkeypatch.setattr(eval_tasks.runner, "_run", run)
    return given


def test_reports_are_read_from_lightevals_results(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = pretend(monkeypatch, tmp_path / "out", 3)
    run = run_reference_model(release, "every-6-hours", ["longevity"], "test", tmp_path / "out")
    assert run.reports["longevity"]["score"] == 1
    assert run.results_file == tmp_path / "out" / "results_1.json"
    assert arguments[:2] == ["custom", "every-6-hours"]
    assert arguments[3] == "healthloopqa:longevity|0"


def test_another_number_of_rows_than_listed_is_refused(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, tmp_path / "out", 4)
    with pytest.raises(EvaluationError, match="4 rows were scored, but there are 3 to ask"):
        run_reference_model(release, "gold", ["longevity"], "test", tmp_path / "out")


def test_missing_results_are_refused_with_the_log(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, tmp_path / "out", None)
    with pytest.raises(EvaluationError, match="the log's last line"):
        run_reference_model(release, "gold", ["longevity"], "test", tmp_path / "out")


def test_changed_rows_and_a_missing_extra_are_refused_before_anything_runs(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run() -> None:
        run_reference_model(release, "gold", ["longevity"], "test", tmp_path / "out")

    (Path(release.repo) / release.parts["longevity"]["test"].files[0]).unlink()
    with pytest.raises(ReleaseError, match=r"longevity/test: .*\.parquet is missing; download"):
        run()
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(EvaluationError, match="lighteval is not installed; install the extra eval"):
        run()


def test_an_unknown_model_is_refused_before_anything_runs(release: Release, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError):
        run_reference_model(release, "gpt", ["longevity"], "test", tmp_path / "out")
