import subprocess
import sys
from pathlib import Path

import pytest
from datasets import load_dataset

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


def test_a_link_stays_and_what_it_names_is_replaced(tmp_path: Path) -> None:
    output, link = tmp_path / "a" / "release", tmp_path / "b" / "link"
    output.mkdir(parents=True)
    link.parent.mkdir()
    (output / MANIFEST_NAME).write_text("{}")
    link.symlink_to(output)
    with staged(link, overwrite=True) as folder:
        (folder / "new").write_text("x")
    assert names(output) == ["new"]
    assert (names(tmp_path / "a"), names(tmp_path / "b")) == (["release"], ["link"])
    assert link.resolve() == output


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_link_to_nothing_is_refused(tmp_path: Path, overwrite: bool) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "gone")
    with (
        pytest.raises(BuildError, match=r"link is a link to nothing; remove it or give another"),
        staged(link, overwrite=overwrite),
    ):
        pass
    assert names(tmp_path) == ["link"]


@pytest.mark.parametrize("under", ["file", "file/deeper"])
def test_a_file_in_the_way_is_named(tmp_path: Path, under: str) -> None:
    (tmp_path / "file").write_text("x")
    with (
        pytest.raises(BuildError, match=r"/file is a file, not a folder; give another --output"),
        staged(tmp_path / under / "release", overwrite=False),
    ):
        pass


def test_a_folder_that_takes_nothing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / ".release.building"))

    monkeypatch.setattr(Path, "mkdir", refuse)
    message = rf"release cannot be written: {tmp_path} takes no new folder \(Permission denied\)"
    with (
        pytest.raises(BuildError, match=message),
        staged(tmp_path / "release", overwrite=False),
    ):
        pass


def test_an_unfinished_folder_cannot_be_loaded(tmp_path: Path) -> None:
    """However far the build has come: here it lacks nothing but its place."""
    with staged(tmp_path / "release", overwrite=False) as folder:
        (folder / "data").mkdir()
        (folder / "data" / "test.csv").write_text("a\n1\n")
        staging = folder.parent
        assert names(staging) == [folder.name]
        with pytest.raises(Exception, match=r"[Nn]o .*data|empty|doesn't contain"):
            load_dataset(str(staging), cache_dir=str(tmp_path / "cache"))
    rows = load_dataset(str(tmp_path / "release"), split="test", cache_dir=str(tmp_path / "cache"))
    assert list(rows) == [{"a": 1}]
