"""A release's life on the Hub, with the commands that people run, in processes of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from huggingface_hub import parse_eval_result_entries

from builder import parquet
from builder.manifest import read_manifest
from eval_tasks.version import RELEASE_VERSION
from reports.notes import Notes
from tests.conftest import TOKENIZERS
from tests.hub.conftest import REPOSITORY
from tests.hub.stand_in import WRITER, StandIn, running

ROOT = Path(__file__).resolve().parent.parent.parent
MODEL = "org/gold"
BIN = Path(sys.executable).parent

LOAD = f"""
import sys
from datasets import load_dataset
import load_healthloopqa
loaded = load_dataset("{REPOSITORY}", "simulated", revision="{RELEASE_VERSION}", split="test")
checked = load_healthloopqa.load("simulated", version="{RELEASE_VERSION}", source="{REPOSITORY}")
assert loaded.to_list() == checked.to_list()
loaded.to_parquet(sys.argv[1])
"""
INSPECT = f"""
import json, sys
from datasets import load_dataset
from inspect_ai import eval
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
spec, logs = sys.argv[1:]
rows = load_dataset("{REPOSITORY}", "multiple_choice", revision="{RELEASE_VERSION}", split="test")

def told(log):
    assert log.status == "success", log.error
    (score,) = log.results.scores
    return dict(samples=log.results.completed_samples, accuracy=score.metrics["accuracy"].value)

def gold(text):
    (target,) = [r["target"] for r in rows if r["record"] in text and r["question"] in text]
    return target

def asked(letter_of):
    def output(messages, *_):
        text = "ANSWER: " + letter_of(messages[-1].text)
        made = ModelOutput.from_content("mockllm", text)
        made.usage = ModelUsage(input_tokens=1, output_tokens=1)
        return made
    model = get_model("mockllm/model", memoize=False, custom_outputs=output)
    (log,) = eval(spec, model=model, log_dir=logs + "/more", display="none")
    return told(log)

(first,) = list_eval_logs(logs)
found = dict(command=told(read_eval_log(first)))
found |= dict(gold=asked(gold), same=asked(lambda text: rows[0]["target"]))
print(json.dumps(found))
"""
LIGHTEVAL = """
import os, runpy, sys
from eval_tasks.offline import keep_offline
keep_offline()
os.environ.update(HF_HUB_OFFLINE="0", HF_DATASETS_OFFLINE="0")
from lighteval.__main__ import app
app()
"""


@pytest.fixture(scope="module")
def hub() -> Iterator[StandIn]:
    with running() as hub:
        hub.create("model", MODEL)
        yield hub


def run(hub: StandIn, work: Path, *words: str) -> str:
    """Run a Python command as a user with a token would, against the stand-in."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=work,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "HOME": str(work / "home"),
            "HF_HOME": str(work / "home"),
            "HF_ENDPOINT": hub.url,
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_TOKEN": WRITER,
            "TIKTOKEN_CACHE_DIR": str(TOKENIZERS),
            "HEALTHLOOPQA_RELEASE": REPOSITORY,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert WRITER not in done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_from_push_to_submission(hub: StandIn, declared_release: Path, tmp_path: Path) -> None:
    """One test, so that parallel workers do not start lighteval twice."""
    pushed_and_tagged(hub, declared_release, tmp_path)
    load_dataset_at_the_tag(hub, declared_release, tmp_path)
    hf_download(hub, declared_release, tmp_path)
    inspect_from_the_repository_id(hub, declared_release, tmp_path)
    lighteval_from_the_repository_id(hub, tmp_path)
    submitted_as_a_pull_request(hub, tmp_path)


def pushed_and_tagged(hub: StandIn, release: Path, work: Path) -> None:
    push = [str(ROOT / "scripts" / "push_to_hub.py"), str(release), "--repository", REPOSITORY]
    told = json.loads(run(hub, work, *push, "--create", "--json", "--dry-run"))
    assert told["commit"] is None
    assert ("dataset", REPOSITORY) not in hub.repositories
    told = json.loads(run(hub, work, *push, "--create", "--json"))
    assert hub.dataset(REPOSITORY).tags == {RELEASE_VERSION: told["commit"]}


def load_dataset_at_the_tag(hub: StandIn, release: Path, work: Path) -> None:
    run(hub, work, "-c", LOAD, str(work / "loaded.parquet"))
    name = read_manifest(release).configs["simulated"].splits["test"].files[0]
    assert (
        parquet.read(work / "loaded.parquet").to_pylist()
        == parquet.read(release / name).to_pylist()
    )


def hf_download(hub: StandIn, release: Path, work: Path) -> None:
    options = ["--repo-type", "dataset", "--revision", RELEASE_VERSION, "--local-dir", "copy"]
    run(hub, work, str(BIN / "hf"), "download", REPOSITORY, *options)
    held = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for folder in (release, work / "copy")
        for path in folder.rglob("*")
        if path.is_file() and ".cache" not in path.parts and "__pycache__" not in path.parts
    }
    for name, data in held.items():
        if name != ".gitattributes":
            assert (release / name).read_bytes() == data == (work / "copy" / name).read_bytes()


def inspect_from_the_repository_id(hub: StandIn, release: Path, work: Path) -> None:
    """Let eval.yaml be read by what it is for: the command of the card, then two models."""
    spec = f"hf/{REPOSITORY}@{RELEASE_VERSION}"
    options = ["--model", "mockllm/model", "--log-dir", str(work / "logs"), "--display", "none"]
    run(hub, work, str(BIN / "inspect"), "eval", spec, *options)
    printed = run(hub, work, "-c", INSPECT, spec, str(work / "logs"))
    told = json.loads(printed.splitlines()[-1])
    name = read_manifest(release).configs["multiple_choice"].splits["test"].files[0]
    targets = parquet.read(release / name).column("target").to_pylist()
    assert told["command"] == {"samples": len(targets), "accuracy": 0.0}
    assert told["gold"] == {"samples": len(targets), "accuracy": 1.0}
    same = targets.count(targets[0]) / len(targets)
    assert told["same"] == {"samples": len(targets), "accuracy": pytest.approx(same)}


def lighteval_from_the_repository_id(hub: StandIn, work: Path) -> None:
    tasks = str(ROOT / "eval_tasks" / "tasks.py")
    models = str(ROOT / "eval_tasks" / "reference_models.py")
    run(
        *(hub, work, "-c", LIGHTEVAL, "custom", "gold", models, "healthloopqa:simulated|0"),
        *("--custom-tasks", tasks, "--save-details", "--output-dir", str(work / "results")),
    )
    (path,) = (work / "results").rglob("results_*.json")
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["results"]["healthloopqa:simulated|0"]["score"] == 1
    about = found["config_tasks"]["healthloopqa:simulated|0"]
    assert about["hf_repo"] == REPOSITORY
    assert about["hf_revision"] == hub.dataset(REPOSITORY).tags[RELEASE_VERSION]


def submitted_as_a_pull_request(hub: StandIn, work: Path) -> None:
    script = str(ROOT / "scripts" / "submit_results.py")
    told = json.loads(
        run(hub, work, script, str(work / "results"), "--model", MODEL, "--create-pr", "--json")
    )
    assert told["place"] == f"{hub.url}/{MODEL}/discussions/1"
    held = hub.model(MODEL).files("refs/pr/1")[told["path"]].data
    (entry,) = parse_eval_result_entries(yaml.safe_load(held))
    assert (entry.dataset_id, entry.task_id, entry.value) == (REPOSITORY, "simulated", 1)
    assert entry.dataset_revision == hub.dataset(REPOSITORY).tags[RELEASE_VERSION]
    notes = Notes.parse(entry.notes or "")
    assert (notes.model, notes.version, notes.reference) == (MODEL, RELEASE_VERSION, "yes")
    assert (notes.prompt, notes.horizon, notes.tools) == ("structured", "30d", "none")
