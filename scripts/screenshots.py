"""Take pictures of every page of a running server, at three widths, in light and dark.

    python scripts/screenshots.py http://127.0.0.1:7860 pictures [--paper ID] [--only ask,paper] [--whole]

It needs the `dev` extra and a Chromium. A picture is `PAGE-WIDTH-SCHEME.png`; with `--whole` it shows all of the page.
`--small` writes them grey and at a quarter of their size, as `tests/golden/pages/` has them for `test_pages_golden.py`.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from PIL import Image

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
WIDTHS = {390: 844, 834: 1112, 1440: 900}
SCHEMES = ("light", "dark")


def addresses(paper: str) -> dict[str, str]:
    """The pages by a short name; those of a paper are left out where there is none."""
    pages = {name: f"/{name}" for name in ("graph", "jobs", "statistics", "settings", "answers", "sparql")}
    pages |= {"library": "/", "ask-empty": "/ask", "search": "/search?query=results", "missing": "/nowhere"}
    if paper:
        parts = ("floats", "references", "graph", "review", "run")
        pages |= {"paper": f"/papers/{paper}", **{f"paper-{part}": f"/papers/{paper}/{part}" for part in parts}}
        question = {"question": "What does Table 1 show?", "paper": paper}
        pages["ask"] = f"/ask?{urlencode(question)}"
        pages["ask-passages"] = f"/ask?{urlencode({**question, 'question': 'How was the uptake measured?'})}"
    return pages


def small(png: bytes) -> Image.Image:
    """A picture in greys at a quarter of its size: small differences of letters are no differences."""
    whole = Image.open(io.BytesIO(png)).convert("L")
    return whole.resize((whole.width // 4, whole.height // 4), Image.Resampling.BOX)


def take(browser: Any, server: str, pages: dict[str, str], whole: bool) -> Iterator[tuple[str, bytes]]:
    """Name and PNG of each page, width and scheme."""
    for width, height in WIDTHS.items():
        for scheme in SCHEMES:
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            for name, address in pages.items():
                page.goto(server.rstrip("/") + address)
                page.wait_for_load_state("networkidle")
                if "graph" in name:
                    page.locator("#graph[data-arranged]").wait_for()
                page.wait_for_timeout(300)
                yield f"{name}-{width}-{scheme}.png", page.screenshot(full_page=whole)
            context.close()


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--paper", default="")
    parser.add_argument("--only", default="", help="names of pages, separated by commas")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    wanted = set(filter(None, options.only.split(",")))
    pages = {name: at for name, at in addresses(options.paper).items() if not wanted or name in wanted}
    options.folder.mkdir(parents=True, exist_ok=True)
    found = os.environ.get("KAG_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        for name, png in take(browser, options.server, pages, options.whole):
            if options.small:
                small(png).quantize(16).save(options.folder / name, optimize=True)
            else:
                (options.folder / name).write_bytes(png)
        browser.close()


if __name__ == "__main__":
    main()
