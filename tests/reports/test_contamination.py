"""What the same models' answers to a published release and a fresh test show."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_tasks.integrity import Part
from eval_tasks.privacy import MARKER
from eval_tasks.release import MANIFEST, Release
from eval_tasks.summary import ScoredRow, summarise
from generators.streams import Stream
from reports import contamination as module
from reports.contamination import Split, contamination, read_split
from reports.errors import ReportError
from reports.submission import Evaluated, Setting

SETTING = Setting(style="structured", days=30, tools="none")
PEOPLE = tuple(f"adult_{number:03d}" for number in range(1, 11))
TASKS = {
    "simulated": ("pm_1", "pm_2", "pd_1"),
    "longevity": ("longevity",),
}
TYPES = {"pm": "process_mining", "pd": "prediction", "longevity": "longevity"}
Value = Callable[[str, str], float]


def release(folder: Path, mark: str, *, private: bool = False) -> Release:
    folder.mkdir()
    (folder / MANIFEST).write_text("{}")
    if private:
        (folder / MARKER).write_text("")
    digests = "".join(f"{mark}{number:07d}" for number in range(4))
    part = Part(rows=4, sha256="", row_digests=digests, files=())
    return Release(
        repo=str(folder),
        revision="",
        version="0.1.0",
        content_sha256=mark,
        parts={"simulated": {"test": part}},
        baselines_text="{}",
    )


def scored(task: str, cluster: str, value: float, floor: float = 0.25) -> ScoredRow:
    return ScoredRow(
        task_id=task,
        task_type=TYPES[task.partition("_")[0]],
        level="" if task == "longevity" else "memory",
        cluster=cluster,
        floor=floor,
        value=value,
        strict=value == 1.0,
        status="ok",
    )


def run(model: str, value: Value, suffix: str = "") -> Evaluated:
    """A model on three tasks of ten people and one of ten items; siblings bear a suffix."""
    rows = {
        config: [
            scored(task, name, value(task, name))
            for task in tasks
            for name in (
                PEOPLE if config == "longevity" else [f"{person}{suffix}" for person in PEOPLE]
            )
        ]
        for config, tasks in TASKS.items()
    }
    return Evaluated(model=model, setting=SETTING, rows=rows)


@pytest.fixture
def releases(tmp_path: Path) -> tuple[Release, Release]:
    return release(tmp_path / "public", "a"), release(tmp_path / "fresh", "b", private=True)


def split(of: Release, *runs: Evaluated) -> Split:
    return Split(release=of, runs={one.model: one for one in runs})


def chance(seed: int, share: float) -> Value:
    return lambda task, name: float(Stream(seed, "t", task, name).chance(share))


def by_config(table: pd.DataFrame, model: str) -> Mapping[str, Mapping[str, float]]:
    mine = table[table["model"] == model].drop(columns="model").set_index("config")
    return {str(name): dict(mine.loc[name]) for name in mine.index}


def test_a_model_that_is_as_good_on_both_differs_by_nothing(
    releases: tuple[Release, Release],
) -> None:
    value = chance(1, 0.6)
    public = split(releases[0], run("m", value))
    fresh = split(releases[1], run("m", lambda t, n: value(t, n.removesuffix(".sib77")), ".sib77"))
    lines = by_config(contamination(public, fresh), "m")
    assert set(lines) == {"simulated", "longevity", "overall"}
    for line in lines.values():
        alike = 0.025 ** (1 / 10)
        found = [line[f"score_difference{bound}"] for bound in ("_low", "", "_high")]
        assert found == pytest.approx([alike - 1, 0.0, 1 - alike]), "drawn with the sibling"
        low, high = line["skill_difference_low"], line["skill_difference_high"]
        assert line["skill_difference"] == 0.0
        assert -high == pytest.approx(low)
        assert low < alike - 1, "a floor stretches what a score may be off"
    assert (lines["overall"]["n_public"], lines["overall"]["clusters"]) == (40, 10)


def test_what_a_model_has_seen_shows_beyond_the_control(releases: tuple[Release, Release]) -> None:
    public = split(releases[0], run("m", lambda _t, _n: 1.0), run("rules", chance(2, 0.8)))
    fresh = split(
        releases[1], run("m", chance(3, 0.5), ".sib5"), run("rules", chance(4, 0.5), ".sib9")
    )
    table = contamination(public, fresh)
    mine, control = by_config(table, "m")["simulated"], by_config(table, "rules")["simulated"]
    assert mine["score_difference_low"] > 0.2
    assert mine["score_beyond_control"] == pytest.approx(
        mine["score_difference"] - control["score_difference"]
    )
    assert np.isnan(control["score_beyond_control"])
    assert np.isnan(
        by_config(contamination(public, fresh, control="none"), "m")["simulated"][
            "skill_beyond_control"
        ]
    )


def test_score_and_skill_are_those_of_the_summary_where_the_mix_is_the_same(
    releases: tuple[Release, Release],
) -> None:
    runs = (run("m", chance(5, 0.7)), run("m", chance(6, 0.4), ".sib8"))
    table = contamination(split(releases[0], runs[0]), split(releases[1], runs[1]))
    line = by_config(table, "m")["simulated"]
    for side, one in zip(("public", "fresh"), runs, strict=True):
        whole = summarise(one.rows["simulated"]).overall
        assert line[f"score_{side}"] == pytest.approx(whole.score)
        assert line[f"skill_{side}"] == pytest.approx(whole.skill)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9))
def test_another_mix_of_tasks_makes_no_difference(first: int, second: int) -> None:
    """A model scores 1 on one task and 0 on the other, however often each is asked."""

    def rows(easy: int, suffix: str) -> list[ScoredRow]:
        people = [f"{person}{suffix}" for person in PEOPLE]
        return [scored("pm_1", name, 1.0) for name in people[:easy]] + [
            scored("pm_2", name, 0.0) for name in people
        ]

    pairs = dict(
        module._pairs({"simulated": rows(first, "")}, {"simulated": rows(second, ".sib4")})
    )
    line = module._line(pairs["simulated"], None)
    assert line["score_difference"] == pytest.approx(0.0)
    assert line["score_public"] == pytest.approx((first + second) / (first + second + 20))


def test_tasks_and_configs_of_one_split_only_are_left_out() -> None:
    public = {
        "simulated": [scored("pm_1", "a", 1.0), scored("pm_9", "a", 0.0)],
        "real_world": [scored("pm_1", "r", 1.0)],
    }
    pairs = dict(module._pairs(public, {"simulated": [scored("pm_1", "a.sib4", 0.5)]}))
    assert list(pairs) == ["simulated"]
    line = module._line(pairs["simulated"], None)
    assert (line["tasks"], line["n_public"], line["score_difference"]) == (1, 1, 0.5)
    assert np.isnan(line["score_difference_low"]), "one person has no interval"
    with pytest.raises(ReportError, match="no task in common"):
        dict(module._pairs({"x": [scored("pm_1", "a", 1.0)]}, {"x": [scored("pm_2", "a", 1.0)]}))


def test_what_cannot_be_compared_is_refused(
    releases: tuple[Release, Release], tmp_path: Path
) -> None:
    public, fresh = releases
    one = run("m", chance(1, 0.5))
    seven = replace(one, setting=replace(SETTING, days=7))
    older = replace(fresh, version="0.0.9")
    twin = release(tmp_path / "twin", "a", private=True)
    open_one = release(tmp_path / "open", "c")
    for first, second, message in [
        (split(public, one), split(fresh, seven), "structured_30d, structured_7d"),
        (split(public, one), split(older, one), "version 0.1.0"),
        (split(public, one), split(twin, one), "share 4 rows"),
        (split(fresh, one), split(open_one, one), "name the published release first"),
        (split(public, one), split(fresh, replace(one, model="n")), "no model was asked both"),
    ]:
        with pytest.raises(ReportError, match=message):
            contamination(first, second)


@pytest.mark.parametrize(
    ("public", "fresh", "told"),
    [
        ({"temperature": "0"}, {"temperature": "0.7"}, "temperature 0, .* with temperature 0.7;"),
        ({"max_new_tokens": "512"}, {}, "max_new_tokens 512, .* with max_new_tokens not set;"),
        (
            {"generation_size": "8192", "top_p": "0.9"},
            {"generation_size": "4096", "top_p": "1.0"},
            "with generation_size 8192, top_p 0.9, of the fresh test with generation_size 4096",
        ),
    ],
)
def test_a_model_asked_under_other_generation_settings_is_refused(
    public: dict[str, str], fresh: dict[str, str], told: str, releases: tuple[Release, Release]
) -> None:
    one = run("m", chance(1, 0.5))
    first, second = (
        replace(one, generation={"longevity": generation}) for generation in (public, fresh)
    )
    with pytest.raises(ReportError, match=rf"m was asked longevity of the published .* {told}"):
        contamination(split(releases[0], first), split(releases[1], second))
    contamination(split(releases[0], first), split(releases[1], first))
    other = replace(second, model="n")
    contamination(split(releases[0], first, other), split(releases[1], first, other))


def test_settings_of_a_config_that_one_side_lacks_do_not_matter(
    releases: tuple[Release, Release],
) -> None:
    one = run("m", chance(1, 0.5))
    fewer = replace(one, rows={"simulated": one.rows["simulated"]})
    first, second = (
        replace(side, generation={"longevity": {"temperature": value}})
        for side, value in ((one, "0"), (fewer, "1"))
    )
    contamination(split(releases[0], first), split(releases[1], second))


def test_a_model_that_is_there_twice_or_without_details_is_refused(
    releases: tuple[Release, Release], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "evaluated", lambda _home, _release: run("m", chance(1, 0.5)))
    results = tmp_path / "results"
    results.mkdir()
    with pytest.raises(ReportError, match="--save-details"):
        read_split(results, releases[0])
    (results / "one" / "details").mkdir(parents=True)
    assert list(read_split(results, releases[0]).runs) == ["m"]
    (results / "two" / "details").mkdir(parents=True)
    with pytest.raises(ReportError, match="twice"):
        read_split(results, releases[0])


def test_floors_that_moved_by_chance_move_no_skill() -> None:
    def rows(floors: tuple[float, float]) -> dict[str, list[ScoredRow]]:
        pairs = zip(("pm_1", "pm_2"), floors, strict=True)
        return {"simulated": [scored(task, "a", 0.8, floor) for task, floor in pairs]}

    pair = dict(module._pairs(rows((0.2, 0.9)), rows((0.6, 1.0))))["simulated"]
    line = module._line(pair, None)
    assert line["skill_difference"] == 0.0
    assert line["skill_public"] == pytest.approx((0.8 - 0.4) / 0.6), "pm_2 has no skill on one side"
