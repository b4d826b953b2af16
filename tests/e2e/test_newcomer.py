"""Somebody who has never seen kag goes from a PDF to checked evidence in the browser, in under two minutes.

The script follows what is seen only: the one primary button of each page, links by their words, no address and no
documentation. It pauses before each act as a person does. `pytest -s` prints the seconds of each step; the pictures of
the steps are in the test's folder.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving import PDF, served

pytest.importorskip("starlette", reason="the extra serve is not installed")
MOST_SECONDS = 120.0
PAUSE = 2.0  # seconds that a person looks before each act
PAPER_READY = 90_000  # milliseconds that a person may wait for a paper


class Watch:
    """The seconds of each step, with a picture of the page before its act."""

    def __init__(self, page: Any, folder: Path) -> None:
        self.steps: list[tuple[str, float]] = []
        self._page, self._folder, self._start = page, folder, time.monotonic()

    def act(self, name: str) -> None:
        """Look at the page for a moment, before the act of this name."""
        time.sleep(PAUSE)
        self._page.screenshot(path=self._folder / f"{len(self.steps)}_{name.replace(' ', '_')}.png")
        self.steps.append((name, self.seconds))

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """The first page of a server without papers."""
    with served(tmp_path / "library") as running:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        opened = context.new_page()
        opened.goto(running.address)
        yield opened
        context.close()


def test_from_a_pdf_to_checked_evidence_in_two_minutes(page: Any, tmp_path: Path) -> None:
    watch = Watch(page, tmp_path)
    watch.act("upload")
    assert "Search index" not in page.inner_text("main")
    with page.expect_file_chooser() as chooser:
        page.locator("main .button.primary:visible").click()
    chooser.value.set_files(str(PDF))
    page.locator("#papers a.title").wait_for(timeout=PAPER_READY)
    watch.act("open the paper")
    page.locator("#papers a.title").click()
    page.locator("#page-1 img").wait_for()
    watch.act("ask")
    page.locator(".button.primary:visible").click()
    page.locator("#examples a").first.wait_for()
    watch.act("choose an example")
    page.locator("#examples a").first.click()
    page.locator(".evidence a").first.wait_for()
    watch.act("open the evidence")
    evidence = page.locator(".evidence a").first
    evidence.click()
    page.locator(".mark").first.wait_for()
    watch.act("see the marked place")
    sys.stdout.write("".join(f"\n{seconds:5.1f} s  {name}" for name, seconds in watch.steps))
    assert _is_seen(page, page.locator(".mark").first.bounding_box())
    assert page.locator(".claim[aria-expanded=true]").is_visible()
    assert watch.seconds < MOST_SECONDS


def _is_seen(page: Any, box: dict[str, float]) -> bool:
    """Whether the middle of a box is inside the window."""
    across, down = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return 0 < across < page.viewport_size["width"] and 0 < down < page.viewport_size["height"]
