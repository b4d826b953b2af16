"""How the time to index a paper grows with one part of it.

    python -m scripts.benchmarks.bench_growth [--kind WORD] [--sizes N ...]

Prints CPU seconds by size, and the exponent of the growth: the slope of the least-squares line through the logarithms
of size and time. 1.0 is linear, 2.0 a square. Each paper is indexed in a process of its own.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean

SIZES = (1000, 2000, 5000, 10_000, 20_000)


def rows(size: int) -> list[str]:
    """One table of so many rows, whose head nothing but its words tells."""
    lines = "".join(
        f"<tr><td rowspan=2>Site {n}</td><td>{n}.5</td><td>{n % 7} mg</td></tr><tr><td>{n}.7</td><td>9</td></tr>"
        for n in range(size // 2)
    )
    table = f"<table><tr><td>Site</td><td>Loss (%)</td><td>Dose</td></tr>{lines}</table>"
    return [*_head(), _block("table_title", "Table 1. Losses by site."), _block("table", table)]


def headings(size: int) -> list[str]:
    """So many headings without numbers, each with a paragraph."""
    blocks = _head()
    for n in range(size):
        word = "".join(chr(97 + int(digit)) for digit in str(n))
        blocks += [_block("sub_title", f"## Sensor {word} under ice"), _block("text", f"Ice {word} hides the sensor.")]
    return blocks


def numbered_headings(size: int) -> list[str]:
    """So many headings with numbers of two levels."""
    blocks = _head()
    for n in range(size):
        number = f"{n // 50 % 90 + 1}.{n % 50}" if n % 50 else f"{n // 50 % 90 + 1}"
        blocks += [_block("sub_title", f"## {number} Sensors"), _block("text", f"Ice hides sensor {n}.")]
    return blocks


def blocks(size: int) -> list[str]:
    """So many paragraphs on one page, in an order that the boxes contradict."""
    shuffled = (n * 7919 % size for n in range(size))
    return [
        *_head(),
        *(_block("text", f"Sensor {n} was lost under the ice.", y=100 + 800 * n // size) for n in shuffled),
    ]


def references(size: int) -> list[str]:
    """A list of so many references, a block each, and a paragraph that cites the first."""
    entries = (f"[{n}] Poe E, Roe F. Ice on river {n}. Rivers. 1999;{n}:1-9." for n in range(1, size + 1))
    return [*_head(), _block("sub_title", "## References"), *(_block("text", entry) for entry in entries)]


def citations(size: int) -> list[str]:
    """So many references by author and year, each cited in a paragraph of its own."""
    names = ["".join(chr(97 + int(digit)) for digit in str(n)).capitalize() for n in range(size)]
    told = (f"Ice was seen ({name} et al., {1950 + n % 70})." for n, name in enumerate(names))
    listed = (f"{name} A, Roe B, Doe C ({1950 + n % 70}) Ice on rivers. Rivers 3:1-9." for n, name in enumerate(names))
    heading = _block("sub_title", "## References")
    return [*_head(), *(_block("text", text) for text in told), heading, *(_block("text", text) for text in listed)]


def callouts(size: int) -> list[str]:
    """One paragraph with so many call-outs to references, figures, sections and measured values."""
    parts = ((f"[{n % 90 + 1}]", f"Fig. {n % 20 + 1}", f"Section {n % 9 + 1}", f"{n}.5 mg")[n % 4] for n in range(size))
    listed = (_block("text", f"[{n}] Poe E. Ice on river {n}. Rivers. 1999;{n}:1-9.") for n in range(1, 91))
    text = _block("text", " ".join(f"Ice is lost as in {part} of it." for part in parts))
    return [*_head(), text, _block("sub_title", "## References"), *listed]


def captions(size: int) -> list[str]:
    """So many figures with captions, four on a page, each named in a text."""
    found = _head()
    for n in range(1, size + 1):
        found += [
            _block("image", ""),
            _block("figure_title", f"Figure {n % 900}. Sensors."),
            _block("text", f"Lost as Fig. {n % 900} shows."),
        ]
        found += ["\f"] if n % 4 == 0 else []
    return found


def lists(size: int) -> list[str]:
    """Formulas with numbers beside them, footnotes, numbered items: so many blocks."""
    of_kind = (
        ("equation", "\\[ a = b \\quad (3) \\]"), ("footnote", "* Lost in winter."), ("text", "(2) Count the losses."),
        ("text", "- Sensors lost"), ("text", "goes on without a stop"), ("code", "x = 1"),
    )  # fmt: skip
    return [*_head(), *(_block(*of_kind[n % len(of_kind)]) for n in range(size))]


KINDS: dict[str, Callable[[int], list[str]]] = {
    "rows": rows, "headings": headings, "numbered headings": numbered_headings, "blocks": blocks,
    "references": references, "citations": citations, "call-outs": callouts, "captions": captions, "lists": lists,
}  # fmt: skip


def _head() -> list[str]:
    return [_block("title", "# Sensors under ice"), _block("sub_title", "## 1 Introduction"), _block("text", "Ice.")]


def _block(label: str, text: str, y: int = 300) -> str:
    return f"<|ref|>{label}<|/ref|><|det|>[[100, {y}, 900, {y + 10}]]<|/det|>\n{text}"


def write(kind: str, size: int, folder: Path) -> Path:
    """A paper with so many of one kind, in a folder that is made."""
    folder.mkdir(parents=True)
    pages = "\n\n".join(KINDS[kind](size)).split("\f")
    for number, page in enumerate(pages, start=1):
        (folder / f"page_{number:03d}.md").write_text(page.strip() + "\n", encoding="utf-8")
    return folder


def seconds(folder: Path) -> float:
    """CPU seconds of indexing a paper, without what it takes to start; its run is written beside its folder."""
    from kag.indexing.batch import find_papers, index_all
    from kag.indexing.pipeline import document_validator

    document_validator()
    begin = time.process_time()
    (outcome,) = index_all(find_papers([folder], folder.parent / "runs"))
    if outcome.run is None:
        raise SystemExit(outcome.message)
    return time.process_time() - begin


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The slope of the least-squares line through the logarithms."""
    x, y = [math.log(size) for size in sizes], [math.log(time) for time in times]
    return sum((a - mean(x)) * (b - mean(y)) for a, b in zip(x, y, strict=True)) / sum((a - mean(x)) ** 2 for a in x)


def _apart(kind: str, size: int) -> float:
    """`seconds` in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="kag-growth-") as work:
        folder = write(kind, size, Path(work) / "paper")
        command = [sys.executable, "-m", __spec__.name, "--folder", folder]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), help="only this one; may be given again")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--folder", type=Path, help="print the seconds that this paper takes, and nothing else")
    given = parser.parse_args()
    if given.folder:
        print(seconds(given.folder))
        return
    print("| CPU seconds of | " + " | ".join(f"{size:,}" for size in given.sizes) + " | exponent |")
    print("|---|" + "---:|" * (len(given.sizes) + 1))
    for kind in given.kind or KINDS:
        times = [_apart(kind, size) for size in given.sizes]
        told = " | ".join(f"{time:.2f}" for time in times)
        print(f"| {kind} | {told} | {exponent(given.sizes, times):.2f} |", flush=True)


if __name__ == "__main__":
    main()
