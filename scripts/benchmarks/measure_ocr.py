"""How much of scanned papers tesseract reads: words and runs of five words of the gold paragraphs, seconds a page.

    python -m scripts.benchmarks.measure_ocr FOLDER [DPI]

FOLDER holds one folder a paper, with paper.pdf and gold.json.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from pathlib import Path

from kag.sources.pdf.file.render import POINTS, open_pages
from kag.sources.pdf.scans.tesseract import page_text, version, words_of

RUN = 5
_TAGS = re.compile(r"<\|ref\|>.*<\|/det\|>")


def letters(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def runs(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)]


def read(path: Path, dpi: float) -> tuple[list[str], float]:
    """The words of a PDF in reading order, and seconds a page."""
    found: list[str] = []
    began = time.perf_counter()
    with open_pages(path) as pages:
        for number in range(1, pages.count + 1):
            picture = pages.picture(number, dpi / POINTS)
            text = page_text(words_of(picture.png), (picture.width, picture.height))
            found += letters(_TAGS.sub("", text))
        return found, (time.perf_counter() - began) / pages.count


def main() -> None:
    folder, dpi = Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 200.0
    print(f"{version()}, {dpi:g} dots an inch")
    print("paper                      words    runs   s/page")
    for paper in sorted(path.parent for path in folder.glob("*/paper.pdf")):
        gold = [letters(one["text"]) for one in json.loads((paper / "gold.json").read_text("utf-8"))["paragraphs"]]
        found, seconds = read(paper / "paper.pdf", dpi)
        wanted = Counter(word for words in gold for word in words)
        right = sum((wanted & Counter(found)).values()) / wanted.total()
        known, asked = set(runs(found)), [run for words in gold for run in runs(words)]
        print(f"{paper.name:25} {right:6.3f} {sum(run in known for run in asked) / len(asked):7.3f} {seconds:7.1f}")


if __name__ == "__main__":
    main()
