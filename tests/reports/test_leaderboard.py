"""The leaderboard: who is ranked against whom, what is left out, and what a browser makes of it."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from typer.testing import CliRunner

from eval_tasks.release import HUB_REPOSITORY, Release
from reports.errors import ReportError
from reports.leaderboard import (
    ALL_ROWS,
    Board,
    Known,
    Leaderboard,
    known_release,
    leaderboard,
    write_leaderboard,
)
from reports.notes import Measured
from scripts.leaderboard import app
from tests.reports.browsing import console, opened
from tests.reports.submitted import CONTENT, Submitted, many, write, write_items

KNOWN = Known(version="0.1.0", content=CONTENT, rows={"simulated": 100}, reviewed=False)
COMMIT = "c0ffee" * 6 + "abcd"


def made(folder: Path, *entries: Submitted, known: Known | None = None) -> Leaderboard:
    return leaderboard(write(folder, *entries), HUB_REPOSITORY, known)


def whole(boards: Sequence[Board]) -> list[Board]:
    """Return the rankings over all rows of a config."""
    return [board for board in boards if board.setting.part == ALL_ROWS]


def ranks(board: Board) -> dict[str, tuple[int, int] | None]:
    return {line.entry.notes.model: line.ranks for line in board.lines}


def test_a_rank_is_what_intervals_allow(tmp_path: Path) -> None:
    close = {"a/a": 0.6, "b/b": 0.45, "c/c": 0.3, "d/d": -0.5}
    entries = [Submitted(model=model, skill=skill) for model, skill in close.items()]
    (board,) = whole(made(tmp_path, *entries).boards)
    assert ranks(board) == {"a/a": (1, 2), "b/b": (1, 3), "c/c": (2, 3), "d/d": (4, 4)}
    assert [line.entry.notes.model for line in board.lines] == list(close)


def test_a_result_without_interval_is_told_apart_from_none(tmp_path: Path) -> None:
    bare = Submitted(model="b/b", skill=-0.9, more={"skill": Measured(value=-0.9)})
    (board,) = whole(made(tmp_path, Submitted(model="a/a", skill=0.9), bare).boards)
    assert ranks(board) == {"a/a": (1, 2), "b/b": (1, 2)}


@given(st.lists(st.integers(-90, 90), min_size=1, max_size=8))
def test_ranks_hold_every_order_that_intervals_allow(
    tmp_path_factory: pytest.TempPathFactory, skills: list[int]
) -> None:
    entries = [
        Submitted(model=f"m/m{place}", config="fault_injected", skill=skill / 100)
        for place, skill in enumerate(skills)
    ]
    (board,) = made(tmp_path_factory.mktemp("ranks"), *entries).boards
    for place, line in enumerate(board.lines, 1):
        assert line.ranks is not None
        assert 1 <= line.ranks[0] <= place <= line.ranks[1] <= len(skills)


OTHER: dict[str, dict[str, Any]] = {
    "version": {"version": "0.0.9"},
    "content": {"content": "f" * 16},
    "config": {"config": "fault_injected"},
    "prompt": {"prompt": "timelined"},
    "horizon": {"horizon": "7d"},
    "tools": {"tools": "web search"},
    "agent": {"prompt": "agent", "tools": "python"},
    "prompts": {"more": {"prompts": 3}},
    "rows": {"n": 98},
}


@pytest.mark.parametrize("name", OTHER)
def test_other_settings_are_never_ranked_together(name: str, tmp_path: Path) -> None:
    other = replace(Submitted(model="lab/two"), **OTHER[name])
    boards = whole(made(tmp_path, Submitted(), other).boards)
    assert [len(board.lines) for board in boards] == [1, 1]
    if name == "version":
        assert [board.setting.version for board in boards] == ["0.1.0", "0.0.9"]


def test_task_types_have_rankings_of_their_own(tmp_path: Path) -> None:
    boards = made(tmp_path, Submitted(), Submitted(model="lab/two")).boards
    assert [board.setting.part for board in boards] == ["all", "process_mining", "prediction"]
    assert all(len(board.lines) == 2 for board in boards)


def test_reference_models_are_shown_and_not_ranked(tmp_path: Path) -> None:
    gold = Submitted(model="healthloopqa/gold", skill=1.0, reference="yes")
    (board,) = whole(made(tmp_path, Submitted(), gold).boards)
    assert ranks(board) == {"lab/one": (1, 1), "healthloopqa/gold": None}


@pytest.mark.parametrize("reviewed", [None, False, True])
def test_longevity_is_no_headline_before_review(reviewed: bool | None, tmp_path: Path) -> None:
    known = None
    if reviewed is not None:
        known = replace(KNOWN, rows={"longevity": 100, "simulated": 100}, reviewed=reviewed)
    boards = whole(made(tmp_path, Submitted(config="longevity"), Submitted(), known=known).boards)
    headline = {board.setting.config: board.headline for board in boards}
    assert headline == {"simulated": True, "longevity": reviewed is True}


def test_what_a_release_tells(tiny: Release) -> None:
    known = known_release(tiny)
    assert (known.version, known.content) == (tiny.version, tiny.content_sha256[:16])
    assert known.rows == {config: splits["test"] for config, splits in tiny.rows.items()}
    assert known.reviewed is False


def item(**changes: object) -> dict[str, Any]:
    return {**Submitted().item(), **changes}


def dataset(**changes: object) -> dict[str, Any]:
    return {"dataset": {**Submitted().item()["dataset"], **changes}}


def noted(before: str, after: str) -> dict[str, Any]:
    notes = Submitted().item()["notes"]
    assert before in notes
    return item(notes=notes.replace(before, after, 1))


HOSTILE: dict[str, tuple[object, str]] = {
    "foreign": (item(**dataset(id="cais/hle")), "another dataset"),
    "no dataset": ({"value": 1}, "another dataset"),
    "no item": ("text", "another dataset"),
    "nested": ({"dataset": {"id": [HUB_REPOSITORY]}}, "another dataset"),
    "markup as config": (item(**dataset(task_id="<script>alert(1)</script>")), "no config"),
    "multiple choice": (item(**dataset(task_id="multiple_choice")), "no config"),
    "wrong version": (item(**dataset(revision="0.2.0")), "neither a commit nor version 0.1.0"),
    "no revision": (item(**dataset(revision="main")), "neither a commit"),
    "value is no number": (item(value=".nan"), "value"),
    "value is infinite": (item(value=float("inf")), "value"),
    "value is huge": (item(value=1e300), "not the skill in its notes"),
    "value is true": (item(value=True), "value"),
    "value is a list": (item(value=[1]), "value"),
    "other value": (item(value=0.9), "not the skill in its notes"),
    "no notes": ({k: v for k, v in item().items() if k != "notes"}, "notes"),
    "other notes": (item(notes="no-tools"), "required|extra"),
    "script as link": (item(source={"url": "javascript:alert(1)"}), "source.url"),
    "link with quotes": (item(source={"url": 'https://x.org/" onclick="x'}), "source.url"),
    "long link": (item(source={"url": "https://x.org/" + "a" * 400}), "source.url"),
    "day": (item(date="yesterday"), "day"),
    "no such day": (item(date="2026-02-30"), "date"),
    "day of another age": (item(date="9999-12-31"), "date"),
    "link with a user": (item(source={"url": "https://huggingface.co@evil.org/"}), "source.url"),
    "version to come": (Submitted(version="9.9.9").item(), "newest known here"),
    "interval beside its value": (noted("skill=0.5000 [0.4000", "skill=0.5000 [0.5500"), "own value"),
    "more patients than rows": (noted("clusters=30", "clusters=101"), "more patients"),
    "more right than read": (noted("ok=97; unparseable=0", "ok=7; unparseable=90"), "could be read"),
    "tools in capitals": (noted("tools=none", "tools=None"), "tools"),
    "unknown field": (item(extra=1), "extra"),
    "strange field": (item(**{"\x1b[31m\u202ered": 1}), "red"),
    "other model": (Submitted(model="lab/two").item(), "lies in the folder of lab/one"),
    "gold of somebody": (replace(Submitted(), reference="yes").item(), "none of the reference models"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_cannot_be_an_entry_is_left_out_with_the_reason(name: str, tmp_path: Path) -> None:
    hostile, reason = HOSTILE[name]
    write_items(tmp_path / "lab" / "one", "0.yaml", [hostile])
    found = made(tmp_path, Submitted(model="good/one"))
    assert [line.entry.notes.model for b in whole(found.boards) for line in b.lines] == ["good/one"]
    (left,) = found.left_out
    assert left.file == "lab/one/.eval_results/0.yaml"
    assert re.search(reason, left.reason)
    assert left.reason.isprintable()
    assert len(left.reason) < 300


FILES: dict[str, tuple[str, str]] = {
    "no list": ("a: 1", "no list"),
    "very many": ("- a\n" * 51, "more than 50"),
    "empty": ("", "no list"),
    "no YAML": ("[1, {", "no YAML"),
    "bomb": ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "aliases"),
    "deep": ("[" * 30_000, "nested deeper"),
    "large": ("- x\n" * 30_000, "larger than"),
    "control marks": ("\x00", "no YAML"),
    "objects": ("!!python/object/apply:os.system ['true']", "another dataset"),
    "many documents": ("- 1\n---\n- 2\n", "no YAML"),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_none_of_ours_stop_nothing(name: str, tmp_path: Path) -> None:
    text, reason = FILES[name]
    write_items(tmp_path / "lab" / "one", "0.yaml", text)
    found = made(tmp_path, Submitted(model="good/one"))
    assert found.results == 1
    assert re.search(reason, found.left_out[0].reason)


def test_links_out_of_the_folder_and_bytes_are_left_out(tmp_path: Path) -> None:
    secret = write_items(tmp_path / "elsewhere", "secret.yaml", [Submitted().item()])
    folder = write(tmp_path / "results", Submitted(model="good/one"))
    home = folder / "lab" / "one" / ".eval_results"
    home.mkdir(parents=True)
    (home / "link.yaml").symlink_to(secret)
    (home / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    (home / "dead.yaml").symlink_to(home / "nothing.yaml")
    (home / "folder.yaml").mkdir()
    found = leaderboard(folder, HUB_REPOSITORY)
    assert [left.reason for left in found.left_out] == [
        "is no YAML that can be read",
        "is no YAML that can be read",
        "is no YAML that can be read",
        "is a link to another place",
    ]


def test_gold_below_one_is_left_out(tmp_path: Path) -> None:
    broken = Submitted(model="healthloopqa/gold", skill=0.99, reference="yes")
    assert "set-up is wrong" in made(tmp_path, broken).left_out[0].reason


def standings(board: Board) -> list[tuple[str, str, tuple[int, int] | None]]:
    return [(line.entry.day.isoformat(), line.standing, line.ranks) for line in board.lines]


def test_the_later_of_two_results_is_ranked_and_the_other_shown(tmp_path: Path) -> None:
    later = Submitted(model="Lab/One", skill=0.3, day="2026-06-01")
    found = made(tmp_path, Submitted(), later, Submitted(model="lab/two", skill=0.1))
    (board,) = whole(found.boards)
    assert standings(board) == [
        ("2026-06-01", "ranked", (1, 2)),
        ("2026-05-04", "ranked", (1, 2)),
        ("2026-05-04", "earlier", None),
    ]
    assert (found.results, found.left_out) == (3, [])


def test_a_day_to_come_hides_no_result(tmp_path: Path) -> None:
    """Nothing here knows which day it is; both results can be seen with their days."""
    days = ("2099-12-31", "2026-05-04", "2026-06-01")
    entries = [Submitted(skill=0.9 - number / 10, day=day) for number, day in enumerate(days)]
    (board,) = whole(made(tmp_path, *entries).boards)
    assert [day for day, _, _ in standings(board)] == list(days)
    assert [standing for _, standing, _ in standings(board)] == ["ranked", "earlier", "earlier"]


def test_of_two_results_of_the_last_day_none_is_ranked(tmp_path: Path) -> None:
    found = made(tmp_path, Submitted(), Submitted(skill=0.3), Submitted(day="2026-01-01"))
    (board,) = whole(found.boards)
    assert [standing for _, standing, _ in standings(board)] == ["same_day", "earlier", "same_day"]
    assert {line.ranks for line in board.lines} == {None}
    assert found.left_out == []


def test_the_page_tells_which_results_are_not_ranked(tmp_path: Path, browser: Chrome) -> None:
    several = [Submitted(skill=0.2, day="2026-01-01"), Submitted(skill=0.6, day="2099-01-01")]
    path = tmp_path / "leaderboard.html"
    write_leaderboard(made(tmp_path / "results", *several), path)
    opened(browser, path)
    ranked, earlier = texts(browser, "table[aria-labelledby=headline-0] tbody tr")
    assert "2099-01-01" in ranked
    assert "not ranked" not in ranked
    assert "2026-01-01" in earlier
    assert "earlier result, not ranked" in earlier
    assert console(browser) == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"content": "f" * 16}, "other rows"),
        ({"n": 98}, "98 rows"),
        ({"horizon": "7d", "n": 102}, "102 rows"),
        ({"config": "real_world"}, "real_world has 0"),
    ],
)
def test_entries_are_compared_with_the_release(
    changes: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    found = made(tmp_path, replace(Submitted(), **changes), known=KNOWN)
    assert found.boards == []
    assert reason in found.left_out[0].reason
    fewer = Submitted(model="lab/two", horizon="7d", n=60)
    assert made(tmp_path / "b", fewer, known=KNOWN).left_out == []
    older = Submitted(version="0.0.9", content="f" * 16)
    assert made(tmp_path / "c", older, known=KNOWN).left_out == []


def test_a_commit_of_the_hub_stands_for_the_version(tmp_path: Path) -> None:
    items = [item(**dataset(revision=COMMIT))]
    write_items(tmp_path / "lab" / "one", "0.yaml", items)
    assert leaderboard(tmp_path, HUB_REPOSITORY).results == 1


def test_a_folder_without_owners_is_taken_at_its_word(tmp_path: Path) -> None:
    write_items(tmp_path, "0.yaml", [Submitted().item()])
    write_items(tmp_path / "any", "0.yaml", [Submitted(model="lab/two").item()])
    assert leaderboard(tmp_path, HUB_REPOSITORY).results == 2
    with pytest.raises(ReportError, match=r"no \.eval_results"):
        leaderboard(tmp_path / "any" / ".eval_results", HUB_REPOSITORY)


def test_the_command_writes_a_page_and_tells_what_is_left_out(tmp_path: Path) -> None:
    folder = write(tmp_path / "results", *many())
    write_items(folder / "lab" / "one", "[red]bad[.yaml", "a: 1")
    page = tmp_path / "page" / "board.html"
    done = CliRunner().invoke(app, [str(folder), "--output", str(page)])
    assert done.exit_code == 0, done.output
    assert "left out: lab/one/.eval_results/[red]bad[.yaml: is no list of results" in done.stdout
    assert "18 results in 14 tables, 1 left out" in done.stdout.replace("\n", " ")
    told = json.loads(
        CliRunner().invoke(app, [str(folder), "--output", str(page), "--json"]).stdout
    )
    assert (told["results"], told["tables"], len(told["left_out"])) == (18, 14, 1)
    text = page.read_text()
    assert not re.findall(r"(?:src|href)=\"(?!data:)", text)
    assert "http" not in re.sub(
        r"http://www\.w3\.org/2000/svg|http-equiv|https://(?:huggingface\.co|example\.org)/",
        "",
        text,
    )
    empty = CliRunner().invoke(app, [str(tmp_path / "page")])
    assert (empty.exit_code, len(empty.stderr.splitlines())) == (1, 1)


@pytest.fixture
def page(tmp_path: Path, browser: Chrome) -> Iterator[Chrome]:
    """The page, opened from a file; errors on its console fail the test."""
    folder = write(tmp_path / "results", *many())
    write_items(folder / "lab" / "one", "<img src=x onerror=alert(1)>.yaml", "a: 1")
    path = tmp_path / "leaderboard.html"
    write_leaderboard(leaderboard(folder, HUB_REPOSITORY), path)
    opened(browser, path)
    yield browser
    assert console(browser) == []


def texts(browser: Chrome, selector: str) -> list[str]:
    return [found.text for found in browser.find_elements(By.CSS_SELECTOR, selector)]


def titles(browser: Chrome) -> list[str]:
    return texts(browser, "#headline h3")


def models(browser: Chrome, board: str = "headline-0") -> list[str]:
    names = texts(browser, f"table[aria-labelledby={board}] tbody th")
    return [name.split()[0] for name in names]


def choose(browser: Chrome, name: str, text: str) -> None:
    Select(browser.find_element(By.ID, name)).select_by_visible_text(text)


def test_filters_choose_whole_rankings(page: Chrome) -> None:
    assert (
        titles(page)[0]
        == "simulated \u00b7 all rows \u00b7 structured prompt \u00b7 30 days \u00b7 no tools"
    )
    assert len(titles(page)) == 4
    choose(page, "tools", "with tools")
    assert titles(page) == [
        "simulated \u00b7 all rows \u00b7 agent \u00b7 30 days \u00b7 tools: python"
    ]
    choose(page, "tools", "all")
    choose(page, "prompt", "timelined")
    choose(page, "horizon", "7 days")
    choose(page, "part", "prediction")
    assert titles(page) == [
        "simulated \u00b7 prediction \u00b7 timelined prompt \u00b7 7 days \u00b7 no tools"
    ]
    choose(page, "config", "fault_injected")
    assert titles(page) == []
    assert "No ranking has this setting." in texts(page, "#headline p")
    for name in ("prompt", "horizon", "config"):
        choose(page, name, "all")
    choose(page, "part", "all rows")
    choose(page, "version", "0.0.9")
    assert models(page) == ["lab/one"]


def test_columns_are_sorted_by_clicks_and_keys(page: Chrome) -> None:
    by_skill = models(page)
    assert by_skill[:3] == ["healthloopqa/gold", "healthloopqa/rules", "lab/one"]
    button = page.find_element(By.CSS_SELECTOR, "[data-sort=model][data-board=headline-0]")
    button.send_keys(Keys.ENTER)
    assert models(page) == sorted(by_skill)
    focused = page.switch_to.active_element
    assert focused.get_attribute("data-sort") == "model"
    focused.send_keys(Keys.SPACE)
    assert models(page) == sorted(by_skill, reverse=True)
    (state,) = [
        cell.get_attribute("aria-sort")
        for cell in page.find_elements(
            By.CSS_SELECTOR, "#headline table:first-of-type th[aria-sort]"
        )
    ][:1]
    assert state == "descending"
    choose(page, "sort", "Rank")
    assert models(page)[-3:] == ["healthloopqa/gold", "healthloopqa/rules", "healthloopqa/constant"]
    choose(page, "sort", "Skill, 95 % interval")
    assert models(page) == by_skill


def test_ranks_intervals_and_references_are_told(page: Chrome) -> None:
    rows = texts(page, "table[aria-labelledby=headline-0] tbody tr")
    assert rows[0].startswith("\u2013")
    assert "reference" in rows[0]
    assert rows[2].startswith("1\u20132")
    assert "0.620 [0.520, 0.720]" in rows[2]
    assert "2 of 4 are not separated from a neighbour." in texts(page, "#headline p")[0]
    lines = page.find_elements(
        By.CSS_SELECTOR, "table[aria-labelledby=headline-0] tbody tr:nth-child(3) svg.bar > line"
    )
    assert len(lines) == 6  # floor, ceiling, rules, and an interval with two ends


def test_longevity_stands_apart(page: Chrome) -> None:
    assert not [title for title in titles(page) if "longevity" in title]
    assert texts(page, "#apart h3") == ["longevity \u00b7 all rows \u00b7 no tools"]
    assert "not reviewed" in texts(page, "#apart-title")[0]


def test_hostile_text_stays_text(page: Chrome) -> None:
    page.find_element(By.CSS_SELECTOR, "#left-part summary").click()
    (left,) = texts(page, "#left li")
    assert "<img src=x onerror=alert(1)>.yaml" in left
    assert page.find_elements(By.TAG_NAME, "img") == []
    links = {link.get_attribute("href") for link in page.find_elements(By.TAG_NAME, "a")}
    assert "https://huggingface.co/lab/one" in links
    assert "https://example.org/logs?a=1&b=2" in links
    assert all(str(link).startswith("https://") for link in links)


def test_a_phone_shows_everything_without_scrolling_sideways(page: Chrome) -> None:
    phone = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        page.refresh()
        assert page.execute_script("return document.documentElement.scrollWidth") <= 360
        first = texts(page, "table[aria-labelledby=headline-0] tbody tr")[2]
        for told in (
            "1\u20132",
            "lab/one",
            "0.620 [0.520, 0.720]",
            "score 0.810",
            "3.0 % not read",
        ):
            assert told in first
        small = page.execute_script(
            "return [...document.querySelectorAll('select, th button')]"
            ".filter(e => e.offsetParent && e.offsetHeight < 44).length"
        )
        assert small == 0
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_many_results_are_ready_quickly(tmp_path: Path, browser: Chrome) -> None:
    entries = [
        Submitted(model=f"lab/m{number}", config=config, skill=round(number / 400 - 0.2, 4))
        for number in range(200)
        for config in ("simulated", "fault_injected")
    ]
    path = tmp_path / "leaderboard.html"
    write_leaderboard(made(tmp_path / "results", *entries), path)
    assert opened(browser, path) < 2000
    assert len(models(browser)) == 200
    assert console(browser) == []


def test_nothing_but_what_was_left_out_is_a_page_too(tmp_path: Path, browser: Chrome) -> None:
    write_items(tmp_path / "lab" / "one", "0.yaml", "a: 1")
    path = tmp_path / "leaderboard.html"
    write_leaderboard(leaderboard(tmp_path, HUB_REPOSITORY), path)
    opened(browser, path)
    assert texts(browser, "#left-title") == ["Left out: 1"]
    assert console(browser) == []
