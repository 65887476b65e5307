"""Results of made-up models on a tiny release."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from eval_tasks.release import Release
from reports.rehearsal import MadeUp, questions, write_details, write_verdicts
from tests.reports.browsing import started
from tests.reports.tiny_release import tiny_release

GOOD = MadeUp(name="good", chance=1.0, text="It was computed: 1 + 1 = 2.")
POOR = MadeUp(name="lab/poor", chance=0.3, text="A guess.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """A release and a folder with the answers of two models."""

    release: Release
    folder: Path


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The release, which tests must not change."""
    return tiny_release(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """A browser of its own, with a fresh profile."""
    yield from started(tmp_path_factory.mktemp("profile"))


@pytest.fixture
def results(tiny: Release, tmp_path: Path) -> Results:
    """Answers and verdicts that a test may change."""
    folder = tmp_path / "results"
    for model in (GOOD, POOR):
        home = folder / model.name.rpartition("/")[2]
        for config in tiny.rows:
            write_details(home, model, config, questions(tiny, config))
        write_verdicts(home, model, questions(tiny, "longevity"))
    return Results(release=tiny, folder=folder)
