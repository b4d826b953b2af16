"""A browser for tests that look at pages, where one is installed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium: KAG_CHROMIUM, one on the PATH, or Playwright's own; skips where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright, of the dev extra, is not installed")
    names = (os.environ.get("KAG_CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    with sync_api.sync_playwright() as playwright:
        if not found and not Path(playwright.chromium.executable_path).is_file():
            pytest.skip("no browser: install chromium, or set KAG_CHROMIUM to one")
        launched = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a file; afterwards nothing may have gone wrong, asked for anything, or shown a dialog."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    wrong: list[str] = []

    def opened(path: Path, **settings: Any) -> Any:
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda asked: asked.url.startswith(("file:", "data:")) or wrong.append(asked.url))
        page.emulate_media(**settings)
        page.goto(path.as_uri())
        return page

    yield opened
    context.close()
    assert wrong == []
