"""The explorer page: what is put into it, and what a real browser makes of it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from eval_tasks.question import AnswerShape, AnswerType, Question
from eval_tasks.release import Release
from reports.answers import read_answers
from reports.explorer import Place, Record, shortened, write_explorer
from reports.rehearsal import MadeUp, questions, write_details
from tests.reports.browsing import console, opened
from tests.reports.conftest import Results

ROWS = 1500
OPENS_WITHIN_MS = 2000


def question(kind: AnswerType, *, minute_of_day: bool = False) -> Question:
    return Question(
        id="q",
        task_id="pm_1",
        task_type="process_mining",
        level="memory",
        shape=AnswerShape(answer_type=kind, minute_of_day=minute_of_day),
        answer="0",
        example="0",
        offers_none=False,
        minutes=43_200,
    )


@pytest.mark.parametrize(
    ("place", "answer", "expected"),
    [
        (Place(question=question("intervals")), [{"start": 5, "end": 9}], [[5, 9]]),
        (Place(question=question("intervals")), None, []),
        (Place(question=question("minute"), from_start=True), 90, [[90, 90]]),
        (Place(question=question("minute"), days=(2, 2)), 90, []),
        (Place(question=question("minute", minute_of_day=True), days=(2, 2)), 90, [[1530, 1530]]),
        (Place(question=question("minute", minute_of_day=True), days=(2, 3)), 90, []),
        (Place(question=question("minute"), from_start=True), "none", []),
        (Place(question=question("hour_list"), days=(2, 2)), [1], [[1500, 1560]]),
        (Place(question=question("day")), 2, [[1440, 2880]]),
        (Place(question=question("day_list")), [1, 2], [[0, 1440], [1440, 2880]]),
        (Place(question=question("pair_list")), [[2, 5.0]], [[1440, 2880]]),
        (Place(question=question("number")), 7, []),
    ],
)
def test_where_an_answer_lies(place: Place, answer: Any, expected: list[list[float]]) -> None:
    assert place.spans(answer) == expected


def test_parts_of_a_record_are_put_together() -> None:
    record = Record()
    record.add(0, np.arange(4.0), np.zeros(4), {"carb_events": [{"time": 5}]})
    assert record.agrees(2, np.array([2.0, 3.0, 9.0]), np.zeros(3))
    assert not record.agrees(2, np.array([2.0, 4.0]), np.zeros(2))
    assert not record.agrees(2, np.array([2.0, 3.0]), np.ones(2))
    assert record.lacks(2, 3)
    assert not record.lacks(2, 2)
    record.add(
        2, np.array([2.0, 3.0, 9.0]), np.zeros(3), {"carb_events": [{"time": 8}, {"time": 12}]}
    )
    assert record.glucose.tolist() == [0.0, 1.0, 2.0, 3.0, 9.0]
    assert [event["time"] for event in record.events["carb_events"]] == [5, 22]


def test_long_texts_keep_their_beginning_and_their_end() -> None:
    assert shortened("abc", 3) == "abc"
    assert shortened("a" * 50 + "z" * 50, 30) == (
        f"{'a' * 10}\n[... 70 characters are left out ...]\n{'z' * 20}"
    )


def blocks(page: Path) -> list[Any]:
    found = re.findall(
        r'<script type="application/json" id="[^"]*">(.*?)</script>', page.read_text()
    )
    return [json.loads(text) for text in found]


def test_a_trace_is_stored_once_and_nothing_is_loaded(results: Results, tmp_path: Path) -> None:
    page = tmp_path / "explorer.html"
    write_explorer(read_answers([results.folder], results.release), page)
    index, *traces = blocks(page)
    assert index["systems"] == ["good", "lab/poor"]
    assert sorted(trace["label"] for trace in traces) == sorted(
        [f"{name}.s1" for name in ("one", "two", "three", "r_one", "r_two", "r_three")]
        + [f"{name}.s1.faults" for name in ("one", "two", "three")]
    )
    by_label = {trace["label"]: trace for trace in traces}
    predicted = next(row for row in by_label["one.s1"]["rows"] if row["task"] == "pd_1")
    assert (predicted["start"], predicted["size"]) == (576, 8000)
    assert "<b>" not in page.read_text().partition("<!doctype html>")[2].split('id="index"')[1]
    assert not re.findall(r"(?:src|href)=\"(?!data:)", page.read_text())
    assert "http" not in re.sub(r"http://www\.w3\.org/2000/svg", "", page.read_text())


@pytest.fixture
def page(results: Results, tmp_path: Path, browser: Chrome) -> Iterator[Chrome]:
    """The page, opened from a file; errors on its console fail the test."""
    path = tmp_path / "explorer.html"
    write_explorer(read_answers([results.folder], results.release), path)
    opened(browser, path)
    yield browser
    assert console(browser) == []


def pick(browser: Chrome, name: str, text: str) -> None:
    select = Select(browser.find_element(By.ID, name))
    chosen = next(option.text for option in select.options if option.text.startswith(text))
    select.select_by_visible_text(chosen)


def text_of(browser: Chrome, name: str) -> str:
    return browser.find_element(By.ID, name).text


def listed_events(browser: Chrome) -> list[str]:
    """Open the list of events, which fills itself once it is open, and return its lines."""
    browser.find_element(By.CSS_SELECTOR, "#events summary").click()
    WebDriverWait(browser, 10).until(
        lambda driver: driver.find_elements(By.CSS_SELECTOR, "#list li")
    )
    return [item.text for item in browser.find_elements(By.CSS_SELECTOR, "#list li")]


def test_patient_task_and_interval_are_picked_by_clicks(page: Chrome) -> None:
    pick(page, "patient", "two.s1.faults")
    pick(page, "system", "lab/poor")
    pick(page, "task", "ad_1")
    assert text_of(page, "question") == "What of ad_1 <b>?"
    assert text_of(page, "shown") == "day 2, 20:00 to day 3, 11:20"
    buttons = page.find_elements(By.CSS_SELECTOR, "#spans button.gold")
    assert [button.text for button in buttons] == ["gold 1: day 3, 02:00", "gold 2: day 14, 21:20"]
    buttons[1].click()
    assert text_of(page, "shown") == "day 14, 15:20 to day 15, 10:00"
    assert len(page.find_elements(By.CSS_SELECTOR, "#detail .span-gold")) == 1
    assert len(page.find_elements(By.CSS_SELECTOR, "#overview .span-gold")) == 2
    assert "A guess." in text_of(page, "text")
    page.find_element(By.XPATH, "//tbody[@id='answers']//button[text()='good']").click()
    assert "1 + 1 = 2" in text_of(page, "text")
    assert Select(page.find_element(By.ID, "system")).first_selected_option.text == "good"


def test_asked_window_events_and_whole_record(page: Chrome) -> None:
    pick(page, "patient", "one.s1 ")
    pick(page, "task", "pm_2")
    assert text_of(page, "shown") == "day 1, 00:00 to day 8, 00:00"
    assert len(page.find_elements(By.CSS_SELECTOR, "#overview .asked")) == 1
    events = listed_events(page)
    assert events[:3] == [
        "day 1, 11:55: meal bolus, 6 U",
        "day 1, 12:00: lunch, 60 g",
        "day 1, 16:40: run, 30 min, 6",
    ]
    assert len(events) == 21
    page.find_element(By.CSS_SELECTOR, "[data-days='0']").click()
    assert text_of(page, "shown") == "day 1, 00:00 to day 31, 00:00"
    page.find_element(By.ID, "asked").click()
    assert text_of(page, "shown") == "day 1, 00:00 to day 8, 00:00"


def test_a_record_that_starts_later_is_shown_from_its_own_start(page: Chrome) -> None:
    pick(page, "patient", "one.s1 ")
    pick(page, "task", "pd_1")
    assert text_of(page, "shown") == "day 27, 18:40 to day 28, 18:40"
    assert "Half an hour of running now." in text_of(page, "meta")
    events = listed_events(page)
    assert "day 28, 12:00: lunch, 60 g" in events


def test_everything_is_reached_by_keyboard(page: Chrome) -> None:
    first = text_of(page, "question")
    page.find_element(By.TAG_NAME, "body").send_keys("n")
    assert text_of(page, "question") != first or "(1)" in text_of(page, "patient")
    page.find_element(By.TAG_NAME, "body").send_keys("p")
    assert text_of(page, "question") == first
    frame = page.find_element(By.ID, "frame")
    frame.send_keys(Keys.HOME)
    assert text_of(page, "shown").startswith("day 1, 00:00")
    frame.send_keys("+")
    zoomed = text_of(page, "shown")
    frame.send_keys(Keys.ARROW_RIGHT)
    assert text_of(page, "shown") != zoomed
    assert page.find_element(By.CSS_SELECTOR, "#answers button").is_enabled()


def test_a_link_opens_its_row(page: Chrome) -> None:
    pick(page, "patient", "three.s1 ")
    pick(page, "task", "pm_2")
    here = page.current_url
    page.get("about:blank")
    page.get(here)
    assert text_of(page, "question") == "What of pm_2 <b>?"
    assert Select(page.find_element(By.ID, "patient")).first_selected_option.text == "three.s1 (3)"


@pytest.mark.parametrize("mangled", ["%", "%E0%A4%A", "nothing/like/it"])
def test_a_mangled_link_opens_the_page(page: Chrome, mangled: str) -> None:
    here = page.current_url.partition("#")[0]
    page.get("about:blank")
    page.get(f"{here}#{mangled}")
    assert text_of(page, "question")


def test_a_phone_needs_no_scrolling_sideways(page: Chrome) -> None:
    phone = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        page.refresh()
        pick(page, "patient", "two.s1.faults")
        assert page.execute_script("return document.documentElement.scrollWidth") <= 360
        small = page.execute_script(
            "return [...document.querySelectorAll('.row > button, select')]"
            ".filter(e => e.offsetHeight < 44).map(e => e.id + e.textContent)"
        )
        assert small == []
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_many_rows_open_quickly(tiny: Release, tmp_path: Path, browser: Chrome) -> None:
    """A page of 1,500 rows on 50 records, each with a long trace, is ready in under 2 s."""
    asked = questions(tiny, "fault_injected")
    write_details(
        tmp_path, MadeUp(name="m", chance=0.5, text="word " * 1500), "fault_injected", asked
    )
    path = tmp_path / "explorer.html"
    write_explorer(read_answers([tmp_path], tiny), path)
    index, block, *_ = blocks(path)
    big = {**block, "rows": block["rows"] * (ROWS // 50)}
    index["traces"] = [
        {"config": "c", "label": f"p{n}", "rows": len(big["rows"])} for n in range(50)
    ]
    scripts = [
        f'<script type="application/json" id="trace-{n}">{json.dumps(big)}</script>'
        for n in range(50)
    ]
    head, _, rest = path.read_text().partition('<script type="application/json" id="index">')
    tail = rest[rest.index("<script>\n") :]
    first = f'<script type="application/json" id="index">{json.dumps(index)}</script>'
    path.write_text(head + first + "".join(scripts) + tail)
    assert sum(trace["rows"] for trace in index["traces"]) == ROWS
    assert opened(browser, path) < OPENS_WITHIN_MS
    assert console(browser) == []
