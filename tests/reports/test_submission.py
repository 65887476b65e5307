"""Only whole, unmixed runs whose details give what they claim become a submission."""

import json
import math
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from huggingface_hub import parse_eval_result_entries
from hypothesis import given
from hypothesis import strategies as st

from builder.schema import Config
from eval_tasks.baselines import Baseline
from eval_tasks.question import Question
from eval_tasks.reference_answers import completion
from eval_tasks.release import HUB_REPOSITORY, Release, find_release
from eval_tasks.scoring import STATUSES, score
from eval_tasks.summary import ScoredRow, flat, summarise
from eval_tasks.version import PROMPT_VERSION, RELEASE_VERSION
from reports.entries import read_entries
from reports.measures import OVERALL, measures
from reports.notes import ROUNDING, Measured, Notes
from reports.submission import SubmissionError, Task, evaluated, parse_task, submission
from tests.eval_tasks.tiny_release import rows, write_release

MODEL = "me/model"
WHEN = "2026-05-04T03-02-01.5"
CONFIGS: tuple[Config, ...] = ("simulated", "longevity")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return find_release(str(write_release(tmp_path_factory.mktemp("tiny") / "release")))


class Output:
    """What lighteval would have written of the trivial model `abstain`, open to changes."""

    def __init__(self, folder: Path, release: Release) -> None:
        self.folder = folder
        self.when = WHEN
        self.configs: list[Config] = list(CONFIGS)
        self.prefix = "healthloopqa"
        self.general: dict[str, Any] = {"model_name": "a-model", "max_samples": None, "more": 1}
        self.about: dict[str, Any] = {
            "hf_revision": release.revision,
            "version": PROMPT_VERSION,
        }
        self.details: dict[str, list[dict[str, Any]]] = {}
        self.claims: dict[str, dict[str, float]] = {}
        for config in CONFIGS:
            questions = [Question.from_row(row) for row in rows()[config]]
            floors = release.baselines(config, "test")
            self.details[config] = [_detail(question, floors) for question in questions]
            self.claims[config] = flat(
                summarise([_row(question, floors) for question in questions])
            )

    def write(self) -> Path:
        names = {config: f"{self.prefix}:{config}|0" for config in self.configs}
        results = {name: self.claims[config] for config, name in names.items()}
        content = {
            "config_general": self.general,
            "config_tasks": dict.fromkeys(names.values(), self.about),
            "results": {**results, "healthloopqa:_average|0": {"score": 0.5}, "all": {"score": 1}},
        }
        folder = self.folder / "results" / "a-model"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"results_{self.when}.json").write_text(json.dumps(content), encoding="utf-8")
        details = self.folder / "details" / "a-model" / self.when
        details.mkdir(parents=True, exist_ok=True)
        for config, name in names.items():
            table = pa.Table.from_pylist(self.details[config])
            pq.write_table(table, details / f"details_{name}_{self.when}.parquet")
        return self.folder


def _written(question: Question, floors: dict[str, Baseline]) -> str:
    return completion("abstain", question, floors[question.task_id].constant)


def _detail(question: Question, floors: dict[str, Baseline]) -> dict[str, Any]:
    return {
        "doc": {
            "query": "a prompt",
            "specific": {"id": question.id, "question": question.to_json(), "level": "x"},
        },
        "metric": {"healthloopqa": {"value": 0.25, "finish_reason": "", "failure": ""}},
        "model_response": {
            "input": "a prompt",
            "text": ["<think>2 + 2</think>" + _written(question, floors)],
            "text_post_processed": [_written(question, floors)],
        },
    }


def _row(question: Question, floors: dict[str, Baseline]) -> ScoredRow:
    result = score(question, _written(question, floors))
    return ScoredRow.of(question, floors[question.task_id].floor, result)


@pytest.fixture
def output(tmp_path: Path, release: Release) -> Output:
    return Output(tmp_path / "results", release)


def test_evaluated_rows_give_what_the_results_claim(output: Output, release: Release) -> None:
    found = evaluated(output.write(), release)
    assert (found.model, found.setting.name) == ("a-model", "structured_30d")
    for config in CONFIGS:
        assert flat(summarise(found.rows[config])) == pytest.approx(
            output.claims[config], nan_ok=True
        )
    output.general["max_samples"] = 5
    with pytest.raises(SubmissionError, match="limited"):
        evaluated(output.write(), release)


@pytest.mark.parametrize("url", ["javascript:x", "logs", "https://a.org@b.org/", "https://a b"])
def test_an_address_is_one_of_the_web(output: Output, release: Release, url: str) -> None:
    with pytest.raises(SubmissionError, match="no address"):
        submission(output.write(), release, MODEL, source_url=url)


def test_a_submission_says_how_and_on_what(output: Output, release: Release) -> None:
    made = submission(output.write(), release, MODEL, source_url="https://example.org/logs")
    assert made.path == f".eval_results/healthloopqa_{RELEASE_VERSION}_structured_30d.yaml"
    assert made.title == f"Add HealthLoopQA {RELEASE_VERSION} results, structured_30d"
    entries = parse_eval_result_entries(yaml.safe_load(made.as_yaml()))
    assert [entry.task_id for entry in entries] == ["simulated", "longevity"]
    first = entries[0]
    assert first.value == output.claims["simulated"]["skill"] == made.reports["simulated"]["skill"]
    assert (first.dataset_id, first.dataset_revision) == (HUB_REPOSITORY, RELEASE_VERSION)
    assert (first.date, first.source_url) == ("2026-05-04", "https://example.org/logs")
    notes = Notes.parse(first.notes or "")
    assert (notes.model, notes.version, notes.content) == (
        MODEL,
        RELEASE_VERSION,
        release.content_sha256[:16],
    )
    assert (notes.prompt, notes.horizon, notes.tools) == ("structured", "30d", "none")
    assert (notes.prompts, notes.reference) == (PROMPT_VERSION, "no")
    assert notes.n == len(rows()["simulated"]) == sum(notes.statuses.values())
    assert set(notes.statuses) == set(STATUSES)
    assert abs(notes.skill.value - first.value) <= ROUNDING
    assert abs(notes.score.value - output.claims["simulated"]["score"]) <= ROUNDING
    assert set(notes.parts) == {"process_mining", "prediction"}
    longevity = Notes.parse(entries[1].notes or "")
    assert (longevity.prompt, longevity.horizon, longevity.parts) == (None, None, {})


def test_intervals_are_the_reports_own(output: Output, release: Release) -> None:
    notes = Notes.parse(submission(output.write(), release, MODEL).entries[0].notes or "")
    questions = [Question.from_row(row) for row in rows()["simulated"]]
    floors = release.baselines("simulated", "test")
    lines = [asdict(_row(question, floors)) for question in questions]
    whole = next(one for one in measures(pd.DataFrame(lines)) if one.group == OVERALL)
    assert notes.clusters == whole.clusters == len({line["cluster"] for line in lines})
    assert (notes.skill, notes.score) == (Measured.of(whole.skill), Measured.of(whole.score))


def test_a_run_on_the_hubs_copy_names_its_commit(output: Output, release: Release) -> None:
    commit = "c0ffee" * 6 + "abcd"
    output.about["hf_revision"] = commit
    published = Release(
        repo=release.repo,
        revision=commit,
        version=release.version,
        content_sha256=release.content_sha256,
        parts=release.parts,
        baselines_text=release.baselines_text,
    )
    assert submission(output.write(), published, MODEL).entries


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("healthloopqa:simulated|0", Task(config="simulated", split="test", style="structured", days=30)),
        ("healthloopqa_full:real_world|0", Task(config="real_world", split="full", style="structured", days=30)),
        (
            "healthloopqa_timelined_7d:fault_injected|0",
            Task(config="fault_injected", split="test", style="timelined", days=7),
        ),
        ("healthloopqa_timelined_30d:simulated", Task(config="simulated", split="test", style="timelined", days=30)),
        ("healthloopqa:_average|0", None),
        ("longevity:minimal|0", None),
        ("all", None),
        ("gsm8k|0", None),
    ],
)  # fmt: skip
def test_names_of_tasks(name: str, task: Task | None) -> None:
    assert parse_task(name) == task


def test_other_settings_have_files_of_their_own(output: Output, release: Release) -> None:
    output.prefix = "healthloopqa_timelined_30d"
    output.configs = ["simulated"]
    made = submission(output.write(), release, MODEL, tools="web search")
    assert made.path == f".eval_results/healthloopqa_{RELEASE_VERSION}_timelined_30d_tools.yaml"
    assert Notes.parse(made.entries[0].notes or "").tools == "web search"


def defined_by(output: Output, path: str) -> None:
    output.general["model_config"] = {"model_name": "a-model", "model_definition_file_path": path}


def test_an_agents_run_is_told_by_what_ran_it(output: Output, release: Release) -> None:
    defined_by(output, "/somewhere/agents/lighteval_model.py")
    made = submission(output.write(), release, MODEL)
    assert made.path == f".eval_results/healthloopqa_{RELEASE_VERSION}_agent_30d_tools.yaml"
    first, longevity = (Notes.parse(entry.notes or "") for entry in made.entries)
    assert (first.prompt, first.horizon, first.tools) == ("agent", "30d", "python")
    assert (longevity.prompt, longevity.tools) == (None, "python")
    with pytest.raises(SubmissionError, match="an agent's, which uses Python"):
        submission(output.folder, release, MODEL, tools="none")


def of_reference(output: Output, name: str) -> Path:
    defined_by(output, "/somewhere/eval_tasks/reference_models.py")
    output.general["model_name"] = name
    return output.write()


def test_a_reference_model_is_marked(output: Output, release: Release) -> None:
    made = submission(of_reference(output, "abstain"), release, "healthloopqa/abstain")
    assert {Notes.parse(entry.notes or "").reference for entry in made.entries} == {"yes"}


@pytest.mark.parametrize(
    ("run", "model", "message"),
    [
        ("abstain", MODEL, "the reference model abstain, not of me/model"),
        ("abstain", "healthloopqa/rules", "stand as healthloopqa/abstain"),
        ("abstain", "me/abstain", "leave out me/abstain on simulated: .* healthloopqa's own: gold"),
        ("mine", "healthloopqa/mine", "healthloopqa/mine is none of the reference models"),
        ("gold", "healthloopqa/gold", "gold scores below 1"),
    ],
)
def test_what_the_leaderboard_leaves_out_is_not_submitted(
    run: str, model: str, message: str, output: Output, release: Release
) -> None:
    with pytest.raises(SubmissionError, match=message):
        submission(of_reference(output, run), release, model)


@pytest.mark.parametrize("when", ["yesterday", "2026-02-30T00-00-00", "9999-01-01T00-00-00"])
def test_a_run_of_no_possible_day_is_refused(when: str, output: Output, release: Release) -> None:
    output.when = when
    with pytest.raises(SubmissionError, match="leave out me/model on simulated: date"):
        submission(output.write(), release, MODEL)


@given(
    st.builds(
        "".join, st.lists(st.sampled_from("abZ09-_.~:/?#[]@!$&'()*+,;=% <>\"\\\n\t"), max_size=20)
    )
)
def test_every_submitted_address_is_one_the_leaderboard_takes(
    release: Release, tmp_path_factory: pytest.TempPathFactory, rest: str
) -> None:
    output = Output(tmp_path_factory.mktemp("address"), release)
    output.configs = ["longevity"]
    url = f"https://example.org{rest}"
    try:
        made = submission(output.write(), release, MODEL, source_url=url)
    except SubmissionError:
        return
    home = output.folder / "me" / "model" / made.path
    home.parent.mkdir(parents=True)
    home.write_text(made.as_yaml(), encoding="utf-8")
    entries, left_out = read_entries(output.folder, HUB_REPOSITORY)
    assert ([entry.url for entry in entries], left_out) == ([url], [])


@pytest.mark.parametrize("tools", ["a; n=3", "a=b", "", " ", "x" * 61, "a\nb"])
def test_tools_are_named_in_plain_words(tools: str, output: Output, release: Release) -> None:
    if tools:
        with pytest.raises(SubmissionError, match="in a few plain words"):
            submission(output.write(), release, MODEL, tools=tools)
    else:
        made = submission(output.write(), release, MODEL, tools=tools)
        assert made.setting.tools == "none"


@pytest.mark.parametrize("model", ["gold", "a/b/c", "a/b; n=1", "/b", "a b/c"])
def test_the_model_is_a_repository(model: str, output: Output, release: Release) -> None:
    with pytest.raises(SubmissionError, match="write owner/name"):
        submission(output.write(), release, model)


def test_results_on_private_rows_are_not_published(output: Output, tmp_path: Path) -> None:
    folder = write_release(tmp_path / "private")
    (folder / "PRIVATE").touch()
    with pytest.raises(SubmissionError, match="is private"):
        submission(output.write(), find_release(str(folder)), MODEL)


def claims(output: Output, **numbers: float) -> None:
    output.claims["simulated"] |= numbers


def two_styles(output: Output) -> None:
    output.configs = ["simulated"]
    output.write()
    output.prefix = "healthloopqa_timelined_30d"
    output.when = "2026-05-05T00-00-00"


def two(field: str, value: object) -> Callable[[Output], None]:
    """A second results file that differs in a field."""

    def change(output: Output) -> None:
        output.configs = ["simulated"]
        output.write()
        held = output.general if field in output.general else output.about
        held[field] = value
        output.configs = ["longevity"]
        output.when = "2026-05-05T00-00-00"

    return change


def warm(output: Output, temperature: float, seed: int) -> None:
    parameters = {"temperature": temperature, "seed": seed, "top_p": None}
    output.general["model_config"] = {"generation_parameters": parameters, "system_prompt": "hi"}


def test_how_a_model_wrote_is_told_but_for_the_seed(output: Output, release: Release) -> None:
    warm(output, 0.7, 5)
    output.about["generation_size"] = 8192
    found = evaluated(output.write(), release)
    told = {"system_prompt": '"hi"', "temperature": "0.7", "generation_size": "8192"}
    assert found.generation == {"simulated": told, "longevity": told}


def warm_and_cold(output: Output) -> None:
    output.configs = ["simulated"]
    output.write()
    warm(output, 0.7, 5)
    output.configs = ["longevity"]
    output.when = "2026-05-05T00-00-00"


def agent_and_none(output: Output) -> None:
    output.configs = ["simulated"]
    output.write()
    defined_by(output, "agents/lighteval_model.py")
    output.configs = ["longevity"]
    output.when = "2026-05-05T00-00-00"


def same_twice(output: Output) -> None:
    output.write()
    output.when = "2026-05-05T00-00-00"


def response(output: Output) -> dict[str, Any]:
    answered: dict[str, Any] = output.details["simulated"][0]["model_response"]
    return answered


def asked_otherwise(output: Output) -> None:
    specific = output.details["simulated"][0]["doc"]["specific"]
    specific["question"] = json.dumps(json.loads(specific["question"]) | {"answer": "99"})


REFUSED: dict[str, tuple[Callable[[Output], object], str]] = {
    "limited": (lambda o: o.general.update(max_samples=10), "is limited"),
    "other release": (lambda o: o.about.update(hf_revision="0.0.9-aa"), "runs are on 0.0.9-aa"),
    "mixed releases": (two("hf_revision", "0.0.9-aa"), "mixed between releases"),
    "mixed models": (two("model_name", "b-model"), "different models: a-model, b-model"),
    "mixed styles": (two_styles, "different prompt styles or horizons"),
    "an agent's and another's": (agent_and_none, "different kinds: an agent, no agent"),
    "warm and cold": (
        warm_and_cold,
        'different generation settings: none recorded, system_prompt="hi" temperature=0.7',
    ),
    "same config twice": (same_twice, "several runs of simulated"),
    "other prompts": (lambda o: o.about.update(version=99), "prompts of version 99"),
    "other split": (lambda o: setattr(o, "prefix", "healthloopqa_full"), "not the split test"),
    "higher score": (lambda o: claims(o, score=0.9), r"claims score = 0\.9, but its details give"),
    "score that is no number": (lambda o: claims(o, score=math.nan), "claims score = nan"),
    "fewer failures": (lambda o: claims(o, n_ok=99.0), "claims n_ok"),
    "missing number": (lambda o: o.claims["simulated"].pop("n"), "claims n = inf"),
    "changed completion": (
        lambda o: response(o).update(text_post_processed=['{"answer": 140.5}']),
        "claims .* but its details give",
    ),
    "missing row": (lambda o: o.details["simulated"].pop(), "missing, foreign or there twice"),
    "row twice": (
        lambda o: o.details["simulated"].append(o.details["simulated"][0]),
        "missing, foreign or there twice",
    ),
    "asked otherwise": (asked_otherwise, "not asked as in the release"),
    "foreign details": (lambda o: o.details["simulated"][0].pop("doc"), "cannot be read"),
    "no task of ours": (lambda o: setattr(o, "prefix", "gsm8k"), "holds no results of"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, output: Output, release: Release) -> None:
    change, message = REFUSED[name]
    change(output)
    with pytest.raises(SubmissionError, match=message) as refused:
        submission(output.write(), release, MODEL)
    assert "\n" not in str(refused.value)


def test_a_completion_that_was_cut_off_counts_as_such(output: Output, release: Release) -> None:
    output.configs = ["longevity"]
    first = output.details["longevity"][0]
    first["model_response"]["text_post_processed"] = ["Let me think"]
    first["metric"]["healthloopqa"]["finish_reason"] = "length"
    claimed = output.claims["longevity"]
    with pytest.raises(SubmissionError, match=r"details give \S+$") as refused:
        submission(output.write(), release, MODEL)
    assert "n_" in str(refused.value)
    questions = [Question.from_row(row) for row in rows()["longevity"]]
    floors = release.baselines("longevity", "test")
    scored = [_row(question, floors) for question in questions]
    claimed |= flat(
        summarise([replace(scored[0], value=0.0, strict=False, status="truncated"), *scored[1:]])
    )
    made = submission(output.write(), release, MODEL)
    assert made.reports["longevity"]["statuses"]["truncated"] == 1


def test_details_and_results_must_be_there(output: Output, release: Release) -> None:
    folder = output.write()
    (path, *_) = sorted(folder.rglob("details_*.parquet"))
    path.write_bytes(b"not Parquet")
    with pytest.raises(SubmissionError, match="cannot be read"):
        submission(folder, release, MODEL)
    path.unlink()
    with pytest.raises(SubmissionError, match="run again with --save-details"):
        submission(folder, release, MODEL)
    (path,) = folder.rglob("results_*.json")
    told = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(told | {"config_tasks": {}}), encoding="utf-8")
    with pytest.raises(SubmissionError, match="but not how it was asked"):
        submission(folder, release, MODEL)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(SubmissionError, match="no results file of lighteval"):
        submission(folder, release, MODEL)


def test_a_config_without_skill_has_nothing_to_submit(output: Output, release: Release) -> None:
    baselines = json.loads(release.baselines_text)
    for task in baselines["longevity"]["test"].values():
        task["floor"] = 1.0
    perfect = Release(
        repo=release.repo,
        revision=release.revision,
        version=release.version,
        content_sha256=release.content_sha256,
        parts=release.parts,
        baselines_text=json.dumps(baselines),
    )
    floors = perfect.baselines("longevity", "test")
    questions = [Question.from_row(row) for row in rows()["longevity"]]
    output.claims["longevity"] = flat(summarise([_row(question, floors) for question in questions]))
    with pytest.raises(SubmissionError, match="nothing to submit"):
        submission(output.write(), perfect, MODEL)
