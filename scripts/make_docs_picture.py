"""Make docs/evidence.png: the report page of a bundled paper with a claim opened, as a browser shows it.

    python scripts/make_docs_picture.py

Playwright (the dev extra) drives a Chromium: KAG_CHROMIUM, one on the PATH, or Playwright's own.
"""

import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import sync_playwright

import kag
from kag.cli.main import main as command

ROOT = Path(__file__).resolve().parent.parent
PAPER = ROOT / "test_data" / "reservoir_sensors"
PICTURE = ROOT / "docs" / "evidence.png"
SIZE = {"width": 1200, "height": 800}
COLOURS = 64
QUESTIONS = (
    "How long did the network in the largest reservoir live?",
    "Which references are cited only in the Introduction?",
)


def report(folder: Path) -> Path:
    """The report page of the paper, with answers to the questions."""
    paper = kag.index(PAPER, folder / "runs")
    assert paper.path
    answers = folder / "answers"
    answers.mkdir()
    for number, question in enumerate(QUESTIONS, start=1):
        text = paper.ask(question).to_json()
        (answers / f"q{number}.json").write_text(text, encoding="utf-8")
    page = folder / "report.html"
    given = ["report", str(paper.path), "--answers", str(answers), "--ocr-dir", str(PAPER), "--out", str(page)]
    try:
        command(given)
    except SystemExit as ended:
        if ended.code:
            raise
    return page


def photograph(page: Path, picture: Path) -> None:
    """The page with the first claim opened, in few colours, since each reader of the README loads it."""
    names = (os.environ.get("KAG_CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_page(viewport=SIZE)
        tab.goto(page.as_uri())
        tab.locator(".claim").first.click()
        tab.wait_for_timeout(1000)  # the page scrolls to the box
        tab.screenshot(path=picture)
        browser.close()
    with Image.open(picture) as shot:
        few = shot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(picture, optimize=True)


if __name__ == "__main__":
    with TemporaryDirectory() as work:
        photograph(report(Path(work)), PICTURE)
    print(PICTURE.stat().st_size, "bytes", file=sys.stderr)
