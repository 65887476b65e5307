"""A fresh test from the command line: build, seal, validate against the seal, compare."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from builder.errors import UnevenSeedError
from builder.release import Report, Request
from eval_tasks.release import read_folder
from reports.contamination import Split
from scripts import build_release as build_script
from scripts import contamination as script
from scripts.build_release import app as build_app
from scripts.validate_release import app as validate_app
from tests.reports.test_contamination import chance, release, run

SMALL = ("--patient", "adult_001", "--task", "pm_14", "--config", "simulated", "--workers", "1")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a fresh test of one question; its seal lies beside it."""
    folder = tmp_path_factory.mktemp("built") / "mine"
    done = CliRunner().invoke(
        build_app, ["--private", "--json", "--output", str(folder), *SMALL], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["private"], told["seal"]) == (True, str(folder.with_name("mine.seal.json")))
    return folder


def test_a_revealed_folder_is_held_against_its_seal(built: Path, tmp_path: Path) -> None:
    seal = built.with_name("mine.seal.json")
    done = CliRunner().invoke(validate_app, [str(built), "--seal", str(seal), "--json"])
    told = json.loads(done.stdout)
    assert (done.exit_code, told["valid"], told["sealed"]) == (0, True, True)
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**json.loads(seal.read_text()), "release_sha256": "0" * 64}))
    done = CliRunner().invoke(validate_app, [str(built), "--seal", str(other), "--workers", "1"])
    assert done.exit_code == 1
    assert "release_sha256 is" in done.stderr


def test_a_seed_of_another_shape_is_drawn_again_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []

    def uneven(request: Request, _progress: object) -> Report:
        seeds.append(request.seed)
        raise UnevenSeedError("this seed gives a test of another shape")

    monkeypatch.setattr(build_script, "build", uneven)
    words = ["--private", "--output", str(tmp_path / "x")]
    done = CliRunner().invoke(build_app, words)
    assert (done.exit_code, len(seeds), len(set(seeds))) == (1, 20, 20)
    assert done.stderr.count("drawing another seed") == 19
    seeds.clear()
    assert CliRunner().invoke(build_app, [*words, "--seed", str(2**40)]).exit_code == 1
    assert seeds == [2**40]


def test_a_second_build_spares_the_seal(built: Path) -> None:
    done = CliRunner().invoke(build_app, ["--private", "--output", str(built), *SMALL])
    assert done.exit_code == 1
    assert "mine.seal.json exists" in done.stderr


def test_the_comparison_as_table_and_as_json(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public = release(tmp_path / "public", "a")
    sides = {"public": run("m", chance(1, 0.9)), "fresh": run("m", chance(2, 0.5), ".sib7")}
    controls = {"public": run("rules", chance(3, 0.5)), "fresh": run("rules", chance(4, 0.5))}
    fresh = read_folder(built)

    def read_split(folder: Path, of: object) -> Split:
        assert of in (public, fresh)
        runs = (sides[folder.name], controls[folder.name])
        return Split(
            release=public if folder.name == "public" else fresh,
            runs={one.model: one for one in runs},
        )

    monkeypatch.setattr(script, "read_split", read_split)
    monkeypatch.setattr(
        script, "find_release", lambda name: public if name == "published" else read_folder(built)
    )
    (tmp_path / "answers" / "public").mkdir(parents=True)
    (tmp_path / "answers" / "fresh").mkdir()
    words = [str(tmp_path / "answers" / "public"), str(tmp_path / "answers" / "fresh")]
    words += ["--release", "published", "--fresh", str(built)]
    told = json.loads(CliRunner().invoke(script.app, [*words, "--json"]).stdout)
    sealed = json.loads(built.with_name("mine.seal.json").read_text())
    assert told["fresh_release_sha256"] == sealed["release_sha256"]
    assert fresh.content_sha256 not in json.dumps(told)
    assert {line["model"] for line in told["lines"]} == {"m", "rules"}
    assert all(line["score_difference_low"] is not None for line in told["lines"])
    table = CliRunner().invoke(script.app, words)
    assert table.exit_code == 0
    assert "score: published less fresh" in table.stdout
    assert "nothing is taken off" not in table.stdout
    table = CliRunner().invoke(script.app, [*words, "--control", "nobody"])
    assert "nobody was not asked both" in table.stdout
