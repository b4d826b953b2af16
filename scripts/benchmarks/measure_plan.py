"""What `kag plan` foretells from a few papers beside what more of them take: CPU seconds, memory and bytes.

    python -m scripts.benchmarks.measure_plan PAPERS --work /tmp/plan --papers 100 1000 --pages 4 --sample 8 32
    python -m scripts.benchmarks.measure_plan PAPERS --work /tmp/plan --papers 10000 --lines 12 --sample 32

PAPERS is a folder of folders of pages. Of each paper the first pages are taken, or so many lines of the first and the
last one (front matter and references, a short paper); papers are repeated under other names, each copy with a title and
DOI of its own, until there are as many as are asked for. The papers of the sample are the first ones. Prints Markdown:
foretold / measured, and their quotient. Papers are indexed one after the other, and put into a corpus by a process of
its own; what they take is CPU time, and the most memory that a process held.

"corpus on disk" is one published state, as it is read when all papers are in; "at most" the most that lay there after
a step in which they were added, of 64 or more.
"""

from __future__ import annotations

import argparse
import re
import shutil
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from kag.corpus import graphs
from kag.corpus.layout import Layout
from kag.corpus.planning import GB, HOUR, Machines, measured, peak_mb, plan, size_of
from kag.corpus.transaction import BATCH, open_writer
from kag.indexing.batch import find_papers, index_all

ROOT = Path(__file__).resolve().parents[2]
_TITLE = re.compile(r"^# .+$", re.MULTILINE)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+")
UNITS = {"h": HOUR, "GB": GB / 1e6, "MB": 1.0}
SHOWN = {"h": "s", "GB": "MB", "MB": "MB"}
LOOKS = 64  # at what lies in a corpus while papers are put in: each takes as long as there are files
Measured = dict[str, float]


def main() -> None:
    """Foretell, measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--papers", type=int, nargs="+", default=[100])
    parser.add_argument("--pages", type=int, default=4)
    parser.add_argument("--lines", type=int, default=0, help="of the first and the last page, in place of whole ones")
    parser.add_argument("--sample", type=int, nargs="+", default=[8])
    asked = parser.parse_args()
    shutil.rmtree(asked.work, ignore_errors=True)
    foretold: dict[tuple[int, int], Mapping[str, tuple[float, str]]] = {}
    for sample in asked.sample:
        found = measured(find_papers([copies(asked.source, asked.work / f"sample{sample}", sample, asked)], ROOT))
        for papers in asked.papers:
            costs = plan(found, papers, found.pages / found.papers, Machines(1, 1), 0, 0)
            foretold[sample, papers] = {one.what: (one.amount * UNITS[one.unit], SHOWN[one.unit]) for one in costs}
    print("| papers | foretold from | what | foretold | measured | foretold / measured |\n|---|---|---|---|---|---|")
    for papers in asked.papers:
        place = asked.work / f"taken{papers}"
        pages = copies(asked.source, asked.work / f"papers{papers}", papers, asked)
        real: Measured = {}
        for step in (_index, _store):  # each in a process that has done nothing else
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                real |= process.submit(step, pages, place).result()
        for sample in asked.sample:
            for what, amount in real.items():
                told, unit = foretold[sample, papers][what]
                row = (papers, sample, what, f"{told:.1f} {unit}", f"{amount:.1f} {unit}", f"{told / amount:.2f}")
                print(f"| {' | '.join(map(str, row))} |", flush=True)


def _index(source: Path, place: Path) -> Measured:
    """What it takes to index the papers at a path into a folder, but for what the first one takes."""
    jobs = find_papers([source], place / "runs")
    list(index_all(jobs[:1]))
    before = time.process_time()
    done = list(index_all(jobs))
    seconds = time.process_time() - before
    runs = [size_of(one.run) for one in done if one.run]
    return {"index, CPU": seconds, "index, memory of a process": peak_mb(), "runs on disk": sum(runs) / 1e6}


def _store(_: Path, place: Path) -> Measured:
    """What it takes to put runs into one corpus."""
    layout = Layout(place / "corpus")
    runs = sorted(path for path in (place / "runs").iterdir() if (path / "knowledge_graph.ttl").is_file())
    each = BATCH * max(1, len(runs) // (LOOKS * BATCH))
    before, most, looking = time.process_time(), 0, 0.0
    with open_writer(layout.root, create=True) as writer:
        for at in range(0, len(runs), BATCH):
            list(writer.put(runs[at : at + BATCH]))
            began = time.process_time()
            if at % each == 0 or at + BATCH >= len(runs):
                most = max(most, size_of(layout.root))
            looking += time.process_time() - began  # no part of the work
    seconds = time.process_time() - before - looking
    state = size_of(layout.root / "papers") + size_of(graphs.snapshot(layout)) + layout.tables.stat().st_size
    return {
        "corpus, CPU": seconds,
        "corpus, memory of its writer": peak_mb(),
        "corpus on disk": state / 1e6,
        "corpus on disk, at most": most / 1e6,
    }


def copies(source: Path, target: Path, number: int, asked: argparse.Namespace) -> Path:
    """So many papers of so many pages or lines in a folder, each with a title and DOI of its own."""
    there = [one for one in sorted(source.iterdir()) if (one / "page_001.md").is_file()]
    for at in range(number):
        paper, time_ = there[at % len(there)], at // len(there)
        folder = target / f"{paper.name}-{time_}"
        folder.mkdir(parents=True)
        pages = sorted(paper.glob("page_*.md"))
        for page in (pages[0], pages[-1]) if asked.lines else pages[: asked.pages]:
            text = page.read_text(encoding="utf-8")
            if asked.lines:
                text = "".join(text.splitlines(keepends=True)[: asked.lines])
            if page.name == "page_001.md" and time_:
                text = _TITLE.sub(lambda found: f"{found[0]}, part {time_}", text, count=1)  # noqa: B023
                text = _DOI.sub(lambda found: f"{found[0]}.{time_}", text)  # noqa: B023
            (folder / page.name).write_text(text, encoding="utf-8")
    return target


if __name__ == "__main__":
    main()
