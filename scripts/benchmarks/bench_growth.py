"""Papers with so many of one kind, and how the time of indexing, of papers and of questions grows with the number.

`scripts/bench --growth` prints CPU seconds by size and the exponent of the growth: the slope of the least-squares line
through the logarithms of size and time. 1.0 is linear, 2.0 a square. Each time is that of a process of its own, without
what it takes to start.
"""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean

SIZES = (1000, 2000, 4000, 8000)
FEW = {"pages": (50, 100, 200, 400), "papers": (5, 10, 20, 40), "questions": (40, 80, 160, 320)}


def sizes_of(name: str) -> Sequence[int]:
    """The sizes that are measured of a kind."""
    return FEW.get(name, SIZES)


def pages(size: int) -> list[str]:
    """So many pages with a heading and ten paragraphs, some of which name a value or a figure."""
    found = _head()
    for n in range(1, size + 1):
        found += [_block("sub_title", f"## {n % 90 + 1} Sensors"), _block("text", f"See Fig. {n % 20} at {n}.5 mg.")]
        found += [_block("text", f"Ice on river {n} hides sensor {line} of all.") for line in range(9)] + ["\f"]
    return found


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
    "pages": pages, "rows": rows, "headings": headings, "numbered headings": numbered_headings, "blocks": blocks,
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


_STARTED = """
import sys, time
from pathlib import Path
from kag.indexing.batch import find_papers, index_all
from kag.indexing.pipeline import document_validator
document_validator()
out = Path(sys.argv[1]) / "runs"
"""
_INDEX = """
begin = time.process_time()
for outcome in index_all(find_papers([Path(name) for name in sys.argv[2:]], out)):
    assert outcome.run, outcome.message
print(time.process_time() - begin)
"""
_ASK = """
import kag
paper = kag.index(sys.argv[2], out)
paper.ask("How many tables are there?")
begin = time.process_time()
for n in range(int(sys.argv[3])):
    paper.ask(f"Which sections cite reference {n % 20 + 1}?")
print(time.process_time() - begin)
"""


def growth_rows(
    work: Path, sizes: Callable[[str], Sequence[int]] = sizes_of
) -> Iterator[tuple[str, Sequence[int], list[float]]]:
    """Name, sizes and CPU seconds of each kind, of papers of one length, and of questions to one paper."""
    for kind in KINDS:
        yield kind, sizes(kind), [_seconds(_INDEX, work, [str(write(kind, size, work / f"{kind} {size}"))])
                                  for size in sizes(kind)]  # fmt: skip
    papers = [str(write("citations", 40, work / f"paper {n}")) for n in range(max(sizes("papers")))]
    yield "papers", sizes("papers"), [_seconds(_INDEX, work, papers[:size]) for size in sizes("papers")]
    yield "questions", sizes("questions"), [_seconds(_ASK, work, [papers[0], str(n)]) for n in sizes("questions")]


def _seconds(code: str, work: Path, arguments: Sequence[str]) -> float:
    """The best of two: what other processes take of the machine only adds."""
    times = []
    for _ in range(2):
        with tempfile.TemporaryDirectory(dir=work) as out:
            command = [sys.executable, "-c", _STARTED + code, out, *arguments]
            times.append(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    return min(times)


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The slope of the least-squares line through the logarithms."""
    x, y = [math.log(size) for size in sizes], [math.log(time) for time in times]
    return sum((a - mean(x)) * (b - mean(y)) for a, b in zip(x, y, strict=True)) / sum((a - mean(x)) ** 2 for a in x)
