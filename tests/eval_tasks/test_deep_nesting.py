"""JSON and YAML from outside that is nested too deeply is refused in words, wherever it is read."""

from pathlib import Path

import pytest

from agents.errors import SettingsError
from agents.settings import SETTINGS_VARIABLE, load_settings
from builder.errors import BuildError
from builder.manifest import read_manifest
from eval_tasks.baselines import read_baselines
from eval_tasks.errors import AnswersError, GoldError, ReleaseError
from eval_tasks.question import Question
from eval_tasks.release import find_release
from eval_tasks.scoring import gold_answer
from eval_tasks.source_evaluator import is_source_file, read_source_file, source_value
from generators.longevity.biochatter import import_biochatter
from generators.longevity.errors import LongevityError
from generators.longevity.review import read_review
from judges.errors import JudgeError
from judges.material import read_answers
from reports.entries import read_entries
from reports.submission import SubmissionError, evaluated
from scripts.check_files import problem_of
from tests.eval_tasks.tiny_release import qa_row, write_release


@pytest.fixture(params=["[" * 50_000, '{"a":' * 50_000], ids=["lists", "objects"])
def deep(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def file(tmp_path: Path, deep: str) -> Path:
    path = tmp_path / "deep.jsonl"
    path.write_text(deep, encoding="utf-8")
    return path


def test_files_of_answers(file: Path, deep: str) -> None:
    assert not is_source_file(file)
    with pytest.raises(AnswersError, match=r"deep\.jsonl:1: no record"):
        read_source_file(file)
    with pytest.raises(JudgeError, match="line 1 is neither"):
        list(read_answers(file))
    assert source_value(deep) == deep


def test_a_release(tmp_path: Path, deep: str) -> None:
    folder = write_release(tmp_path / "release")
    release = find_release(str(folder))
    with pytest.raises(ReleaseError, match=r"baselines\.json has no baselines"):
        read_baselines(deep, "simulated", "test")
    with pytest.raises(GoldError, match="pm_0/0: broken gold answer"):
        gold_answer(Question.from_row({**qa_row("pm_0", "number", 1, 1), "answer": deep}))
    (tmp_path / "results_1.json").write_text(deep, encoding="utf-8")
    with pytest.raises(SubmissionError, match="is no results file"):
        evaluated(tmp_path, release)
    (folder / "manifest.json").write_text(deep, encoding="utf-8")
    with pytest.raises(ReleaseError, match="is not a release's"):
        find_release(str(folder))
    with pytest.raises(BuildError, match="cannot be read"):
        read_manifest(folder)


def test_yaml(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTINGS_VARIABLE, str(file))
    with pytest.raises(SettingsError, match="not the settings of an agent"):
        load_settings()
    with pytest.raises(LongevityError, match="cannot read the review file"):
        read_review(file)
    with pytest.raises(LongevityError, match=r"deep\.jsonl: "):
        import_biochatter(file)
    renamed = file.rename(file.with_suffix(".yaml"))
    assert "cannot be read" in str(problem_of(renamed))
    entries = file.parent / "entries" / ".eval_results"
    entries.mkdir(parents=True)
    renamed.rename(entries / "x.yaml")
    found, left_out = read_entries(file.parent, "owner/name")
    assert not found
    assert len(left_out) == 1
