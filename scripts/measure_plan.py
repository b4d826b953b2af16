"""What `kag plan` foretells from a few papers beside what more of them take: CPU seconds and bytes.

    python scripts/measure_plan.py ../shared/data/jats_gold --work /tmp/plan --papers 100 1000 --pages 4 --sample 8 50

PAPERS is a folder of folders of pages. Of each paper the first pages are taken; papers are repeated under other names,
each copy with a title and DOI of its own, until there are as many as are asked for. The papers of the sample are the
first ones. Prints Markdown: foretold / measured, and their quotient. Everything runs in one process, one paper after
the other, and what it takes is CPU time.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from kag.corpus.planning import GB, HOUR, Machines, measured, plan, taken  # noqa: E402
from kag.write.batch import find_papers  # noqa: E402

_TITLE = re.compile(r"^# .+$", re.MULTILINE)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+")
UNITS = {"h": HOUR, "GB": GB / 1e6}


def main() -> None:
    """Foretell, measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--papers", type=int, nargs="+", default=[100])
    parser.add_argument("--pages", type=int, default=4)
    parser.add_argument("--sample", type=int, nargs="+", default=[8])
    asked = parser.parse_args()
    shutil.rmtree(asked.work, ignore_errors=True)
    foretold: dict[tuple[int, int], Mapping[str, float]] = {}
    for sample in asked.sample:
        found = measured(find_papers([copies(asked.source, asked.work / f"sample{sample}", sample, asked.pages)], ROOT))
        for papers in asked.papers:
            costs = plan(found, papers, found.pages / found.papers, Machines(1, 1), 0, 0)
            foretold[sample, papers] = {cost.what: cost.amount * UNITS[cost.unit] for cost in costs}
    print("| papers | foretold from | what | foretold | measured | foretold / measured |\n|---|---|---|---|---|---|")
    for papers in asked.papers:
        pages = copies(asked.source, asked.work / f"papers{papers}", papers, asked.pages)
        done = taken(find_papers([pages], ROOT), asked.work / f"taken{papers}")
        real = {
            "index, CPU": done.index_seconds,
            "corpus, CPU": done.corpus_seconds,
            "runs on disk": done.run_bytes / 1e6,
            "corpus on disk": done.taken_bytes / 1e6,
        }
        for sample in asked.sample:
            for what, amount in real.items():
                told, unit = foretold[sample, papers][what], "s" if what.endswith("CPU") else "MB"
                row = (papers, sample, what, f"{told:.1f} {unit}", f"{amount:.1f} {unit}", f"{told / amount:.2f}")
                print(f"| {' | '.join(map(str, row))} |", flush=True)


def copies(source: Path, target: Path, number: int, pages: int) -> Path:
    """So many papers of so many pages in a folder, each with a title and DOI of its own."""
    there = [one for one in sorted(source.iterdir()) if (one / "page_001.md").is_file()]
    for at in range(number):
        paper, time = there[at % len(there)], at // len(there)
        folder = target / f"{paper.name}-{time}"
        folder.mkdir(parents=True)
        for page in sorted(paper.glob("page_*.md"))[:pages]:
            text = page.read_text(encoding="utf-8")
            if page.name == "page_001.md" and time:
                text = _TITLE.sub(lambda found: f"{found[0]}, part {time}", text, count=1)  # noqa: B023
                text = _DOI.sub(lambda found: f"{found[0]}.{time}", text)  # noqa: B023
            (folder / page.name).write_text(text, encoding="utf-8")
    return target


if __name__ == "__main__":
    main()
