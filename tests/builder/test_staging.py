import subprocess
import sys
from pathlib import Path

import pytest

from builder.errors import BuildError
from builder.manifest import MANIFEST_NAME
from builder.staging import staged


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_folder_appears_at_the_end(tmp_path: Path) -> None:
    output = tmp_path / "dist" / "release"
    with staged(output, overwrite=False) as folder:
        (folder / "file").write_text("x")
        assert not output.exists()
    assert names(output) == ["file"]
    assert names(output.parent) == ["release"]


def test_failure_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with staged(tmp_path / "release", overwrite=False) as folder:
            (folder / "file").write_text("x")
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        fail()
    assert names(tmp_path) == []


def test_existing_folder_is_refused_or_replaced(tmp_path: Path) -> None:
    output = tmp_path / "release"
    output.mkdir()
    with pytest.raises(BuildError, match="exists; give another"), staged(output, overwrite=False):
        pass
    with pytest.raises(BuildError, match="no release"), staged(output, overwrite=True):
        pass
    (output / MANIFEST_NAME).write_text("{}")
    with staged(output, overwrite=True) as folder:
        (folder / "new").write_text("x")
    assert names(output) == ["new"]


def test_failed_replacement_keeps_the_former(tmp_path: Path) -> None:
    output = tmp_path / "release"
    output.mkdir()
    (output / MANIFEST_NAME).write_text("{}")

    def fail() -> None:
        with staged(output, overwrite=True):
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        fail()
    assert names(tmp_path) == ["release"]
    assert names(output) == [MANIFEST_NAME]


def test_second_build_of_the_same_output_is_refused(tmp_path: Path) -> None:
    output = tmp_path / "release"
    with (
        staged(output, overwrite=False),
        pytest.raises(BuildError, match="another build"),
        staged(output, overwrite=False),
    ):
        pass


def test_killed_build_is_cleaned_up_by_the_next(tmp_path: Path) -> None:
    output = tmp_path / "release"
    program = (
        "import os, signal, sys; from pathlib import Path; from builder.staging import staged\n"
        "with staged(Path(sys.argv[1]), overwrite=False) as folder:\n"
        "    (folder / 'half').write_text('x'); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(output)], check=False)
    assert done.returncode == -9
    assert not output.exists()
    with staged(output, overwrite=False) as folder:
        assert names(folder) == []
    assert names(tmp_path) == ["release"]
