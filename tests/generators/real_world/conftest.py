"""Where the tests find real recordings."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def raw_dir() -> Path:
    """The folder with the real recordings; tests that need it are skipped without."""
    folder = os.environ.get("HEALTHLOOPQA_RAW_DIR")
    if not folder:
        pytest.skip("set HEALTHLOOPQA_RAW_DIR to the folder that holds azt1d/ to run this test")
    return Path(folder)
