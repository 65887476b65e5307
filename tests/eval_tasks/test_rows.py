import json
from pathlib import Path

import pytest

from eval_tasks.errors import ReleaseError
from eval_tasks.question import Question
from eval_tasks.release import find_release
from eval_tasks.rows import read_questions, read_rows
from tests.eval_tasks.tiny_release import rows, write_release


def test_rows_and_questions_are_those_of_the_release(tmp_path: Path) -> None:
    release = find_release(str(write_release(tmp_path / "release")))
    for config, content in rows().items():
        read = [
            {name: row[name] for name in asked}
            for row, asked in zip(read_rows(release, config, "test"), content, strict=True)
        ]
        assert read == content
        assert read_questions(release, config, "test") == [
            Question.from_row(row) for row in content
        ]


def test_a_release_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    folder = write_release(tmp_path / "release")
    release = find_release(str(folder))
    (path,) = (folder / "data" / "simulated").glob("test-*")
    path.write_bytes(b"PAR1 no more")
    with pytest.raises(ReleaseError, match="cannot be read"):
        read_questions(release, "simulated", "test")
    path.unlink()
    with pytest.raises(ReleaseError, match="is missing"):
        list(read_rows(release, "simulated", "test"))
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    del manifest["configs"]["simulated"]["splits"]["test"]["files"]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(ReleaseError, match=r"manifest.json is not a release's"):
        find_release(str(folder))
