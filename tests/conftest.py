"""Fixtures that several folders of tests share."""

import os
import signal
import sysconfig
from dataclasses import replace
from pathlib import Path

import pytest

from builder.release import Report, Request, build
from builder.release_config import load_release_config
from eval_tasks.version import RELEASE_VERSION

SMALL = ("adolescent_001", "adult_001", "child_008")
"""Patients of a small release: one of each age group."""
TOKENIZERS = Path(sysconfig.get_path("purelib")) / "litellm" / "litellm_core_utils" / "tokenizers"
"""Holds what inspect's mock model counts tokens with, and would download otherwise."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the pages' commands, which take minutes, so that no worker waits for them alone."""
    items.sort(key=lambda item: "test_commands_of_a_page" not in item.nodeid)


def small_request(output: Path, *, seed: int = 11) -> Request:
    """A release of three patients without recordings."""
    return Request(
        declared=load_release_config(RELEASE_VERSION),
        seed=seed,
        output=output,
        overwrite=True,
        patient_ids=SMALL,
        cohorts=("test",),
    )


@pytest.fixture(scope="session", autouse=True)
def _signals_end_processes() -> None:
    """Undo what starting the tests in the background or by nohup leaves: ignored signals."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session")
def small_release(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A small release that tests must not change."""
    folder = tmp_path_factory.mktemp("release") / "small"
    return build(small_request(folder), lambda _what, _done, _total: None)


@pytest.fixture(scope="session")
def one_patient_release(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A release of a single patient on closed loop that tests must not change."""
    folder = tmp_path_factory.mktemp("release") / "one"
    request = replace(small_request(folder), patient_ids=("adult_001",))
    return build(request, lambda _what, _done, _total: None)


@pytest.fixture(scope="session")
def raw_dir() -> Path:
    """The folder with the real recordings; tests that need it are skipped without."""
    folder = os.environ.get("HEALTHLOOPQA_RAW_DIR")
    if not folder:
        pytest.skip("set HEALTHLOOPQA_RAW_DIR to the folder that holds azt1d/ to run this test")
    return Path(folder)
