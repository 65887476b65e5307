"""Every command and example of the README and the pages is run as it is printed."""

import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from agents.sandbox import confined_layers
from builder.release import build
from endpoints.loopback import LoopbackEndpoint, Request, Scripted
from eval_tasks.question import LONGEVITY, Row
from eval_tasks.release import HUB_REPOSITORY, read_folder
from eval_tasks.version import RELEASE_VERSION
from judges.material import rows_by_id
from judges.rehearsal import Rehearsal
from tests.conftest import small_request
from tests.eval_tasks.tiny_release import write_release
from tests.generators.real_world import made_recordings
from tests.hub.conftest import publish
from tests.hub.stand_in import StandIn, running
from tests.reports.submitted import Submitted, write
from tests.scripts.documented import NOT_RUN, RELEASE, ROOT, Checkout, Snippet, skipped, snippets

TASKS = ("pm_0", "pm_15", "pm_23", "ad_5", "ad_19", "pd_1", "pd_6")
PATIENTS = ("adult_001", "child_008")
FEW = " ".join([f"--patient {name}" for name in PATIENTS] + [f"--task {name}" for name in TASKS])
PAGES = sorted(page for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")) if snippets(page))
README = ROOT / "README.md"
JUDGING = ROOT / "docs" / "judging.md"
REPLACED = ("HOST", "NAME", "MODEL")
"""Words that a reader replaces by a model or its address: it is asked little here."""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of two patients and a few tasks, from the declared seed."""
    folder = tmp_path_factory.mktemp("documented") / "release"
    request = small_request(folder)
    chosen = replace(
        request,
        seed=request.declared.seed,
        task_ids=TASKS,
        patient_ids=PATIENTS,
    )
    build(chosen, lambda _what, _done, _total: None)
    return folder


@pytest.fixture(scope="module")
def little(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of a few rows, for what asks all of them."""
    return write_release(tmp_path_factory.mktemp("documented") / "little")


@pytest.fixture(scope="module")
def model(release: Path, little: Path) -> Iterator[LoopbackEndpoint]:
    """An endpoint that knows the answers of both, and of other rows none."""
    questions: list[Row] = []
    cases: list[Row] = []
    for found in map(read_folder, (release, little)):
        for config in found.rows:
            known = cases if config == LONGEVITY else questions
            known.extend(rows_by_id(found, config, "test").values())
    known_answers = Rehearsal(questions, cases)

    def script(request: Request) -> Scripted:
        reply = known_answers(request)
        return reply if reply.status == 200 else Scripted(text="I do not know.")

    with LoopbackEndpoint(script) as endpoint:
        yield endpoint


@pytest.fixture
def hub() -> Iterator[StandIn]:
    with running() as hub:
        hub.create("model", "me/good")
        yield hub


def material(folder: Path, url: str) -> dict[str, str]:
    """Write what a reader brings, and return what stands for the words of the pages."""
    tiny, recordings = folder / "tiny", folder / "recordings"
    script = ROOT / "tests" / "eval_tasks" / "tiny_model.py"
    subprocess.run([sys.executable, str(script), str(tiny)], check=True, capture_output=True)
    content = made_recordings.as_csv(made_recordings.every_five_minutes(40))
    made_recordings.write_subject(recordings, 1, content)
    return {
        "http://HOST:8000/v1": url,
        "http://127.0.0.1:8000/v1": url,
        "http://HOST/v1": url,
        "https://HOST/v1": url,
        "/path/to/recordings": str(recordings),
        "/path/to/repositories": str(write(folder / "repositories", Submitted())),
        "/path/to/cohort": str(folder / "cohort"),
        "push_to_hub.py": "push_to_hub.py --repository me/try",
        "build_release.py --private": f"build_release.py --private {FEW}",
        "--patients 1000": "--patients 2 --task pm_0",
        "OWNER/NAME": "me/good",
        "PROVIDER/NAME": "mockllm/model",
        "NAME": "good",
        "MODEL": str(tiny),
        "max_length=131072": "max_length=64",
    }


def answers(release: Path) -> tuple[str, str]:
    """Return files of answers: of this benchmark, and in the published system's shape."""
    rows = rows_by_id(read_folder(release), "simulated", "test")
    own = [
        {"instance_id": key, "completion": f'{{"answer": {row["answer"]}}}'}
        for key, row in rows.items()
    ]
    theirs = {
        "patient_id": "Patient_7",
        "question_id": "pm_14",
        "metric": "sMAPE",
        "cognitive_level": "Memory",
        "expected_answer": 100,
        "predicted_answer": "150",
        "answer_type": "float",
    }
    return "".join(json.dumps(line) + "\n" for line in own), json.dumps(theirs) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_of_a_page(
    page: Path, release: Path, little: Path, model: LoopbackEndpoint, hub: StandIn, tmp_path: Path
) -> None:
    if page in {README, JUDGING} and not confined_layers():
        pytest.skip("this kernel offers nothing that confines the agent's sandbox")
    words = material(tmp_path, model.url)
    checkout = Checkout(tmp_path / "checkout", hub.url, words)
    checkout.variables |= {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "none"}
    publish(hub, release, RELEASE_VERSION, HUB_REPOSITORY)
    hub.create("dataset", "me/try")
    if page != README:
        (checkout.folder / "dist").mkdir()
        (checkout.folder / RELEASE).symlink_to(release)
    for name in ("fresh-0.1.0", "fresh-0.1.0.seal.json"):
        (checkout.folder / name).symlink_to(checkout.folder / "dist" / "private" / name)
    for name, text in zip(("answers.jsonl", "their_output.jsonl"), answers(release), strict=True):
        (checkout.folder / name).write_text(text, encoding="utf-8")
    with ExitStack() as ending:
        ending.callback(checkout.close)
        for snippet in (*(rehearsal() if page == JUDGING else ()), *snippets(page)):
            asks_all = any(word in snippet.text for word in REPLACED)
            checkout.run(snippet, {"HEALTHLOOPQA_RELEASE": str(little)} if asks_all else None)
        if page in {README, JUDGING}:
            check_rehearsal(checkout.folder)


def rehearsal() -> list[Snippet]:
    """Return the README's rehearsal, whose results other pages go on with."""
    return [s for s in snippets(README) if "rehearsal.py" in s.text or "judge.py" in s.text]


def check_rehearsal(folder: Path) -> None:
    """The good model is right and sound throughout, the lazy one right by luck where it is right."""
    with (folder / "report" / "forms.csv").open(encoding="utf-8") as file:
        forms = [line for line in csv.DictReader(file) if float(line["judged"] or 0)]
    good = [line for line in forms if line["model"].endswith("good")]
    lazy = [line for line in forms if line["model"].endswith("lazy")]
    assert good
    assert lazy
    assert {float(line["correct"]) for line in good} == {1}
    assert {float(line["correct"]) for line in lazy} == {0}
    assert {float(line["correct_by_luck"]) for line in lazy} == {1}
    with (folder / "report" / "failures.csv").open(encoding="utf-8") as file:
        found = {line["failure"] for line in csv.DictReader(file) if int(line["n"])}
    assert found == {"reluctance_to_calculate", "guessing_over_uncertainty"}


def test_what_is_not_run_stands_on_a_page() -> None:
    assert set().union(*map(skipped, PAGES)) == set(NOT_RUN)
