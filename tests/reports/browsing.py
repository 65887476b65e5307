"""A real browser without a screen, for tests of pages."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def started(profile: Path) -> Iterator[Chrome]:
    """Yield a browser with a profile of its own; skip where there is none on this machine."""
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("needs Chromium and its driver: apt-get install chromium chromium-driver")
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


def opened(browser: Chrome, path: Path) -> float:
    """Open a page and return after how many milliseconds it was ready."""
    browser.get(path.as_uri())
    ready = WebDriverWait(browser, 20).until(
        lambda driver: driver.execute_script("return document.body && document.body.dataset.ready")
    )
    return float(ready)


def console(browser: Chrome) -> list[dict[str, Any]]:
    """Return what the browser's console holds, and empty it."""
    log: Callable[[str], list[dict[str, Any]]] = browser.get_log
    return log("browser")
