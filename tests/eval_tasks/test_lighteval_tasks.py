"""lighteval from an unpacked release alone: one process, several models, a rebuild in between."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import eval_tasks
from builder.schema import Config
from eval_tasks import rules
from eval_tasks.baselines import Baseline, baselines
from eval_tasks.forms import task_name
from eval_tasks.prompts import qa_prompt
from eval_tasks.question import Question
from eval_tasks.record.shown import whole
from eval_tasks.reference_answers import ReferenceModel, completion
from eval_tasks.scoring import score
from eval_tasks.summary import ScoredRow, flat, summarise
from eval_tasks.version import PROMPT_VERSION
from tests.eval_tasks.tiny_release import rows, write_release

CONFIGS: tuple[Config, ...] = ("simulated", "fault_injected", "longevity")
GARBAGE = ("", "lorem ipsum", '{"answer": "lorem"}', "<think>hm")

GARBAGE_MODEL = f"""
from eval_tasks.reference_models import ReferenceModel
from lighteval.models.model_output import ModelResponse

class GarbageModel(ReferenceModel):
    def greedy_until(self, docs):
        garbage = {GARBAGE!r}
        return [ModelResponse(text=[garbage[int(doc.id) % len(garbage)]]) for doc in docs]

del ReferenceModel
"""

DRIVER = """
import shutil, sys
from pathlib import Path
unpacked, rebuilt, work = map(Path, sys.argv[1:])
sys.meta_path = [finder for finder in sys.meta_path if "__editable__" not in str(finder)]
sys.path.insert(0, str(unpacked))

from eval_tasks.offline import keep_offline
keep_offline()
from lighteval.main_custom import custom

def run(label, model, tasks, definition=unpacked / "eval_tasks" / "reference_models.py"):
    custom(model, str(definition), tasks, custom_tasks=str(unpacked / "eval_tasks" / "tasks.py"),
           output_dir=str(work / label))

run("abstain", "abstain", "healthloopqa")
run("cover-all", "cover-all", "healthloopqa|0")
run("garbage", "gold", "healthloopqa", work / "garbage_model.py")
run("full", "gold", "healthloopqa_full:simulated")
run("short", "gold", "healthloopqa_structured_1d:simulated")
run("rules", "rules", "healthloopqa_timelined_30d")
run("prompts", "gold", "longevity:minimal|0,longevity:specific|0")
shutil.rmtree(unpacked / "data")
shutil.copytree(rebuilt, unpacked, dirs_exist_ok=True)
run("rebuilt", "constant", "healthloopqa")

import eval_tasks
assert Path(eval_tasks.__file__).is_relative_to(unpacked), eval_tasks.__file__
foreign = {"builder", "generators", "dataset_card"} & set(sys.modules)
assert not foreign, foreign
"""

Results = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    base = tmp_path_factory.mktemp("lighteval")
    unpacked, rebuilt, work = base / "unpacked", base / "rebuilt", base / "work"
    work.mkdir()
    write_release(unpacked)
    write_release(rebuilt, shift=40)
    shutil.copytree(
        Path(eval_tasks.__file__).parent,
        unpacked / "eval_tasks",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (work / "garbage_model.py").write_text(GARBAGE_MODEL, encoding="utf-8")
    (work / "driver.py").write_text(DRIVER, encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-I", str(work / "driver.py")),
            *(str(folder) for folder in (unpacked, rebuilt, work)),
        ],
        cwd=work,
        env={"PATH": os.environ["PATH"], "HOME": str(work / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]

    def read(label: str) -> dict[str, Any]:
        (path,) = (work / label).rglob("results_*.json")
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return content

    return read


def expected(
    config: Config, shift: int, written: Callable[[Question, Any, int], str]
) -> Mapping[str, float]:
    """What the pure functions make of what a model writes."""
    questions = [Question.from_row(row) for row in rows(shift)[config]]
    floors = baselines({"test": questions})["test"]
    scored = []
    for index, question in enumerate(questions):
        baseline = Baseline(**floors[question.task_id])
        result = score(question, written(question, baseline.constant, index))
        scored.append(ScoredRow.of(question, baseline.floor, result))
    return flat(summarise(scored))


def reference(model: ReferenceModel) -> Callable[[Question, Any, int], str]:
    return lambda question, constant, _: completion(model, question, constant)


def check(found: dict[str, Any], shift: int, written: Callable[[Question, Any, int], str]) -> None:
    for config in CONFIGS:
        values = found["results"][f"{task_name(config, 'test')}|0"]
        assert values == pytest.approx(expected(config, shift, written), nan_ok=True)


@pytest.mark.slow
def test_lighteval_from_an_unpacked_release(results: Results) -> None:
    """One test, so that parallel workers do not start lighteval twice."""
    numbers_are_those_of_the_pure_functions(results)
    garbage_scores_0_and_its_statuses_are_counted(results)
    another_split_has_its_own_task_name(results)
    only_what_a_day_answers_is_asked_over_a_day(results)
    rules_reads_the_prompt_that_lighteval_gives(results)
    cases_of_each_system_prompt_are_a_task(results)
    a_release_rebuilt_in_place_is_read_anew(results)
    revision_and_version_keep_lightevals_caches_apart(results)


def numbers_are_those_of_the_pure_functions(results: Results) -> None:
    check(results("abstain"), 0, reference("abstain"))
    check(results("cover-all"), 0, reference("cover-all"))


def garbage_scores_0_and_its_statuses_are_counted(results: Results) -> None:
    found = results("garbage")
    check(found, 0, lambda _question, _constant, index: GARBAGE[index % len(GARBAGE)])
    values = found["results"]["healthloopqa:simulated|0"]
    assert values["score"] == 0
    assert (values["n_empty"], values["n_truncated"], values["n_unparseable"]) == (7, 6, 14)


def another_split_has_its_own_task_name(results: Results) -> None:
    found = results("full")["results"]
    assert found["healthloopqa_full:simulated|0"]["score"] == 1
    assert "healthloopqa:simulated|0" not in found


def only_what_a_day_answers_is_asked_over_a_day(results: Results) -> None:
    values = results("short")["results"]["healthloopqa_structured_1d:simulated|0"]
    predictions = [row for row in rows()["simulated"] if row["task_type"] == "prediction"]
    assert (values["n"], values["score"]) == (len(predictions), 1)


def rules_reads_the_prompt_that_lighteval_gives(results: Results) -> None:
    found = results("rules")["results"]
    written = [
        rules.completion(qa_prompt(row, whole(row["input_context"]), "timelined"))
        for row in rows()["fault_injected"]
    ]
    values = found["healthloopqa_timelined_30d:fault_injected|0"]
    expect = expected("fault_injected", 0, lambda _question, _constant, index: written[index])
    assert values == pytest.approx(expect, nan_ok=True)
    assert found["healthloopqa_timelined_30d:simulated|0"]["n"] == len(rows()["simulated"])


def cases_of_each_system_prompt_are_a_task(results: Results) -> None:
    found = results("prompts")["results"]
    assert [found[f"longevity:{level}|0"]["n"] for level in ("minimal", "specific")] == [1, 2]


def a_release_rebuilt_in_place_is_read_anew(results: Results) -> None:
    check(results("rebuilt"), 40, reference("constant"))


def revision_and_version_keep_lightevals_caches_apart(results: Results) -> None:
    before, after = (
        results(label)["config_tasks"]["healthloopqa:simulated|0"]
        for label in ("abstain", "rebuilt")
    )
    assert before["hf_revision"] != after["hf_revision"]
    assert before["version"] == after["version"] == PROMPT_VERSION
    assert before["generation_size"] > 0
