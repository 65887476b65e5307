"""Equal scores for equal completions by every way in, also after a rebuild in place.

One process runs lighteval's custom, accelerate and litellm command lines, the endpoint model, inspect
and load_dataset from an unpacked release; what they wrote is scored here as a file of answers.
"""

import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import eval_tasks
from builder.schema import Config
from eval_tasks.answers import GENERATION_SIZE, Reply, read_replies, score_replies
from eval_tasks.prompts import longevity_prompt, qa_prompt
from eval_tasks.question import Question
from eval_tasks.record.shown import whole
from eval_tasks.release import find_release
from eval_tasks.summary import flat, summarise
from tests.eval_tasks.loopback import TOO_LONG, Behaviour, serving
from tests.eval_tasks.tiny_release import rows, write_release

CONFIGS: tuple[Config, ...] = ("fault_injected", "longevity")
SHIFTED = 40
TINY_MODEL = Path(__file__).parent / "tiny_model.py"

SCRIPTED_MODEL = """
import json, os
from eval_tasks.reference_models import ReferenceModel
from lighteval.models.model_output import ModelResponse

class ScriptedModel(ReferenceModel):
    def greedy_until(self, docs):
        written = json.loads(open(os.environ["SCRIPT"], encoding="utf-8").read())
        return [ModelResponse(input=doc.query, text=[written[doc.query]["content"] or ""])
                for doc in docs]

del ReferenceModel
"""

DRIVER = """
import json, os, runpy, shutil, sys
from pathlib import Path
unpacked, regolded, rebuilt, work = map(Path, sys.argv[1:5])
url = sys.argv[5]
sys.meta_path = [finder for finder in sys.meta_path if "__editable__" not in str(finder)]
sys.path.insert(0, str(unpacked))
from eval_tasks.offline import keep_offline
keep_offline()
from datasets import load_dataset
from lighteval.main_accelerate import accelerate
from lighteval.main_custom import custom
from lighteval.main_endpoint import litellm
import inspect_ai
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from eval_tasks.summary import nested

tasks = str(unpacked / "eval_tasks" / "tasks.py")
both = "healthloopqa:fault_injected|0,healthloopqa:longevity|0"
script = json.loads(open(os.environ["SCRIPT"], encoding="utf-8").read())

def inspected(label):
    os.chdir(unpacked)
    found = {}
    def output(messages, *_):
        how = script[messages[-1].text]
        reason = {"length": "max_tokens"}.get(how["finish_reason"], how["finish_reason"])
        made = ModelOutput.from_content("mockllm", how["content"] or "", stop_reason=reason)
        made.usage = ModelUsage(input_tokens=1, output_tokens=1)
        return made
    for config in ("fault_injected", "longevity"):
        model = get_model("mockllm/model", memoize=False, custom_outputs=output)
        (log,) = inspect_ai.eval("eval_tasks/inspect_tasks.py", task_args={"config": config},
                                 model=model, log_dir=str(work / "logs"), display="none")
        assert log.status == "success", log.error
        found[config] = {k: m.value for k, m in log.results.scores[0].metrics.items()}
    (work / f"{label}.json").write_text(json.dumps(found))
    os.chdir(work)

def all_ways(label):
    out = lambda way: str(work / label / way)
    custom("gold", str(work / "scripted.py"), both, custom_tasks=tasks,
           output_dir=out("custom"))
    custom("endpoint", str(unpacked / "eval_tasks" / "endpoint_model.py"), both,
           custom_tasks=tasks, output_dir=out("endpoint"))
    litellm(f"model_name=openai/m,base_url={url},api_key=none,concurrent_requests=4,timeout=0.5,"
            "api_max_retry=1,api_retry_sleep=0,max_model_length=60000",
            both, custom_tasks=tasks, output_dir=out("litellm"), save_details=True)
    inspected(label + "/inspect")
    loaded = load_dataset(str(unpacked), "longevity", split="test")
    kept = [[row[name] for name in ("case_id", "user_prompt", "answer")] for row in loaded]
    (work / label / "loaded.json").write_text(json.dumps(kept))

def rebuild(source):
    shutil.rmtree(unpacked / "data")
    shutil.copytree(source, unpacked, dirs_exist_ok=True)

for label in ("before", "regolded", "after"):
    (work / label).mkdir()
runpy.run_path(sys.argv[6])["write_tiny_model"](str(work / "tiny"))
accelerate(f"model_name={work / 'tiny'},max_length=64,batch_size=1,dtype=float32",
           both, custom_tasks=tasks, output_dir=str(work / "before" / "accelerate"), save_details=True)
all_ways("before")
rebuild(regolded)
all_ways("regolded")
rebuild(rebuilt)
all_ways("after")
assert Path(sys.modules["eval_tasks"].__file__).is_relative_to(unpacked)
foreign = {"builder", "generators", "dataset_card"} & set(sys.modules)
assert not foreign, foreign
"""


def behaviours(shift: int, *, reverse: bool) -> dict[str, Behaviour]:
    """What the scripted model and the server do with each prompt of a release."""
    found: dict[str, Behaviour] = {}
    for config in CONFIGS:
        for number, row in enumerate(rows(shift)[config]):
            question = Question.from_row(row)
            if config == "longevity":
                prompt = longevity_prompt(row)
            else:
                prompt = qa_prompt(row, whole(row["input_context"]), "structured")
            gold = json.loads(question.answer)
            content = f"{gold}." if config == "longevity" else json.dumps({"answer": gold})
            found[prompt] = _behaviour(number + reverse, content)
    return found


def _behaviour(number: int, content: str) -> Behaviour:
    odd = {
        1: Behaviour(content="Let me see", finish_reason="length"),
        3: Behaviour(content=""),
        4: Behaviour(content='{"answer": [{"start": 90, "end": 120}]}'),
        5: Behaviour(content="I'm sorry, I can't help.", finish_reason="stop"),
        6: Behaviour(content=None, finish_reason="content_filter"),
    }
    return odd.get(number, Behaviour(content=content))


def failing(script: Mapping[str, Behaviour]) -> dict[str, Behaviour]:
    """The same with an error, a timeout and a refused length in place of some empty answers."""
    bad = iter((Behaviour(status=400, raw=TOO_LONG), Behaviour(status=500), Behaviour(delay_s=2.0)))
    return {prompt: next(bad, how) if not how.content else how for prompt, how in script.items()}


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("same")
    unpacked, regolded, rebuilt, work = (
        base / name for name in ("unpacked", "regolded", "rebuilt", "work")
    )
    work.mkdir()
    write_release(unpacked)
    write_release(regolded, shift=SHIFTED, reworded=False)
    write_release(rebuilt, shift=SHIFTED)
    shutil.copytree(
        Path(eval_tasks.__file__).parent,
        unpacked / "eval_tasks",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    shutil.copytree(unpacked, base / "kept")
    script = behaviours(0, reverse=False) | behaviours(SHIFTED, reverse=True)
    (work / "script.json").write_text(
        json.dumps({prompt: asdict(how) for prompt, how in script.items()}), encoding="utf-8"
    )
    (work / "scripted.py").write_text(SCRIPTED_MODEL, encoding="utf-8")
    (work / "driver.py").write_text(DRIVER, encoding="utf-8")
    served = failing(script)
    with serving(served.__getitem__) as server:
        run_driver(work, (unpacked, regolded, rebuilt, work, server.url, TINY_MODEL), server.url)
    return work


def run_driver(work: Path, arguments: Sequence[object], url: str) -> None:
    litellm = importlib.util.find_spec("litellm")
    assert litellm is not None
    tokenizers = Path(str(litellm.origin)).parent / "litellm_core_utils" / "tokenizers"
    settings = {"url": url, "model": "m", "tries": 2, "wait_s": 0, "timeout_s": 0.5}
    done = subprocess.run(
        [sys.executable, "-I", str(work / "driver.py"), *map(str, arguments)],
        cwd=work,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(work / "home"),
            "SCRIPT": str(work / "script.json"),
            "HEALTHLOOPQA_ENDPOINT": json.dumps(
                {**settings, "temperature": 0.25, "max_errors": 1.0}
            ),
            "HEALTHLOOPQA_STORE": str(work / "answers"),
            "TIKTOKEN_CACHE_DIR": str(tokenizers),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def results(folder: Path) -> dict[str, dict[str, float]]:
    (path,) = folder.rglob("results_*.json")
    found = json.loads(path.read_text(encoding="utf-8"))["results"]
    return {config: found[f"healthloopqa:{config}|0"] for config in CONFIGS}


def written(folder: Path) -> list[Reply]:
    """What a model wrote by lighteval's details."""
    replies = []
    for path in sorted(folder.rglob("details_*.parquet")):
        for row in pq.read_table(path).to_pylist():
            texts = row["model_response"]["text"]
            name = row["doc"]["specific"]["id"]
            replies.append(Reply(instance_id=name, completion=texts[0]))
    return replies


def by_score_py(release: Path, replies: Sequence[Reply]) -> dict[str, dict[str, float]]:
    scored = score_replies(find_release(str(release)), replies, "test")
    return {name: flat(summarise([part.row for part in parts])) for name, parts in scored.items()}


def scripted(shift: int, *, reverse: bool) -> list[Reply]:
    script = behaviours(shift, reverse=reverse)
    names = [Question.from_row(row).id for config in CONFIGS for row in rows(shift)[config]]
    return [
        Reply(instance_id=name, completion=how.content or "", finish_reason=how.finish_reason)
        for name, how in zip(names, script.values(), strict=True)
    ]


def without_statuses(values: Mapping[str, float]) -> dict[str, float]:
    return {
        name: value
        for name, value in values.items()
        if not name.startswith("n_") and not math.isnan(value)
    }


def check(
    found: Mapping[str, Mapping[str, float]],
    expected: Mapping[str, Mapping[str, float]],
    shown: Callable[[Mapping[str, float]], Mapping[str, float]] = dict,
) -> None:
    for config in CONFIGS:
        assert shown(found[config]) == pytest.approx(shown(expected[config]), nan_ok=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "shift", "reverse", "folder"),
    [
        ("before", 0, False, "kept"),
        # Only gold answers have changed: the same prompts get the same completions and other scores.
        ("regolded", 0, False, "regolded"),
        ("after", SHIFTED, True, "unpacked"),
    ],
)
def test_equal_completions_score_equally_by_every_way(
    work: Path, label: str, shift: int, reverse: bool, folder: str
) -> None:
    release = work.parent / folder
    expected = by_score_py(release, scripted(shift, reverse=reverse))
    assert 0 < expected["fault_injected"]["score"] < 1
    # lighteval is told no finish reasons by its own backends: numbers are equal, statuses not.
    check(results(work / label / "custom"), expected, without_statuses)
    inspected = json.loads((work / label / "inspect.json").read_text(encoding="utf-8"))
    present = {
        config: {name: value for name, value in values.items() if not math.isnan(value)}
        for config, values in expected.items()
    }
    check(inspected, present)
    litellm_way = results(work / label / "litellm")
    check(litellm_way, by_score_py(release, written(work / label / "litellm")))
    check(litellm_way, expected, without_statuses)
    endpoint_way = results(work / label / "endpoint")
    check(endpoint_way, expected, without_statuses)


@pytest.mark.slow
def test_the_endpoint_model_tells_failures_apart_and_its_store_scores_the_same(work: Path) -> None:
    found = results(work / "before" / "endpoint")
    statuses = {
        name: found["fault_injected"][f"n_{name}"] + found["longevity"][f"n_{name}"]
        for name in ("error", "too_long", "truncated", "empty")
    }
    assert statuses == {"error": 1, "too_long": 1, "truncated": 2, "empty": 0}
    store = [
        reply for path in sorted((work / "answers").glob("*.jsonl")) for reply in read_replies(path)
    ]
    (path,) = (work / "before" / "endpoint").rglob("results_*.json")
    about = json.loads(path.read_text(encoding="utf-8"))["config_general"]["model_config"]
    told = about["generation_parameters"]
    assert (told["temperature"], told["max_new_tokens"]) == (0.25, GENERATION_SIZE)
    after = results(work / "after" / "endpoint")
    check(after, by_score_py(work.parent / "unpacked", store))


@pytest.mark.slow
def test_what_a_tiny_transformer_writes_scores_the_same(work: Path) -> None:
    folder = work / "before" / "accelerate"
    found, replies = results(folder), written(folder)
    assert any(reply.completion for reply in replies)
    cases = [reply for reply in replies if reply.instance_id.startswith("case")]
    expected = by_score_py(work.parent / "kept", cases)["longevity"]
    assert without_statuses(found["longevity"]) == pytest.approx(without_statuses(expected))
    # Records do not fit into its 64 tokens: lighteval cuts them, and the status says so.
    assert found["fault_injected"]["n_too_long"] == found["fault_injected"]["n"]


@pytest.mark.slow
def test_changed_gold_answers_alone_change_scores_and_ask_nothing_anew(work: Path) -> None:
    replies = scripted(0, reverse=False)
    before, regolded = (
        by_score_py(work.parent / name, replies)["longevity"] for name in ("kept", "regolded")
    )
    assert before["score"] != pytest.approx(regolded["score"])
    kept = [
        Reply.model_validate_json(line)
        for path in (work / "answers" / "kept").glob("*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    answered = Counter(reply.request for reply in kept if reply.status != "error")
    assert set(answered.values()) == {1}
    assert len(answered) > len(behaviours(0, reverse=False))


@pytest.mark.slow
def test_load_dataset_serves_the_rows_of_the_rebuilt_release(work: Path) -> None:
    for label, made in (
        ("before", rows()),
        ("regolded", rows(SHIFTED, reworded=False)),
        ("after", rows(SHIFTED)),
    ):
        loaded: list[Any] = json.loads((work / label / "loaded.json").read_text(encoding="utf-8"))
        names = ("case_id", "user_prompt", "answer")
        assert loaded == [[row[name] for name in names] for row in made["longevity"]]
