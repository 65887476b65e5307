from pathlib import Path

from builder.golden import Golden, computed, moved, read_golden

PATH = Path(__file__).resolve().parent.parent / "golden" / "tasks.json"


def test_rows_are_those_of_the_committed_hashes() -> None:
    differences = moved(read_golden(PATH), computed())
    assert not differences, (
        f"rows moved: {differences}; if that is meant, raise the revisions and run "
        "scripts/update_golden.py"
    )


def test_moved_tells_what_happened() -> None:
    old = {name: Golden(revision=1, sha256=name) for name in ("a", "b", "c")}
    new = {
        "a": Golden(revision=1, sha256="x"),
        "b": Golden(revision=2, sha256="y"),
        "d": Golden(revision=1, sha256="d"),
    }
    assert moved(old, new) == {
        "a": "has other rows under the same revision 1",
        "b": "went from revision 1 to 2",
        "c": "is gone",
        "d": "is new",
    }
