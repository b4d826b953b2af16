"""Speed and memory of kag in one table, beside other checkouts, with a budget that no figure may fall below.

    scripts/bench [--with CHECKOUT ...] [--runs N] [--only WORD] [--growth] [--write-budget]

Each measurement is a process of its own; this checkout and the others take turns, so that all meet the same machine.
A figure is the median of the runs, a ratio the median of the ratios run by run: above 1 this checkout is better.
"Yardsticks" are a figure times what a fixed piece of Python takes in the same turn: they compare between machines, and
`bench_budget.json` keeps them. One that is more than 10 % worse than its budget makes the exit code 1, and so does a
growth exponent above 1.1. A checkout without kag is measured by its `scripts/run_index.py --ocr-dir DIR --out-dir DIR`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.benchmarks.bench_growth import exponent, growth_rows, sizes_of  # noqa: E402

SHARED = ROOT.parent / "shared" / "data" / "jats_gold"
BUDGET = Path(__file__).with_name("bench_budget.json")
WORSE = 0.9  # of its budget that a figure may fall to
STEEPEST = 1.1  # exponent of growth
_INDEX = """
import sys, kag
*papers, out = sys.argv[1:]
for paper in papers:
    kag.index(paper, out)
"""
_SEARCH = """
import sys, kag
list(kag.open(sys.argv[1]).search("sensor placement under ice"))
"""


@dataclass(frozen=True, slots=True)
class Measure:
    """What one row shows: `code` is run with `arguments`; `pages` makes it a rate, else it is the cost itself."""

    name: str
    unit: str
    code: str
    arguments: tuple[str, ...] = ()
    pages: int = 0

    def value(self, cpu: float, megabytes: float) -> float:
        if self.unit == "MB":
            return megabytes
        return self.pages / cpu if self.pages else cpu * 1000

    def better(self, one: float, other: float) -> float:
        """How much better one value is than another: above 1 for a higher rate or a lower cost."""
        return one / other if self.pages else other / one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--with", dest="others", type=Path, action="append", default=[], help="another checkout")
    parser.add_argument("--papers", type=Path, default=SHARED if SHARED.is_dir() else ROOT / "test_data")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="rows that have this word in their name")
    parser.add_argument("--growth", action="store_true", help="exponents of growth too (minutes)")
    parser.add_argument("--write-budget", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kag-bench-") as work:
        rows = [row for row in measures(options.papers, Path(work)) if options.only in row.name]
        worse = table(rows, [path.resolve() for path in options.others], options.runs, options.write_budget)
        worse += growth(Path(work)) if options.growth else []
    for line in worse:
        print(f"error: {line}", file=sys.stderr)
    raise SystemExit(1 if worse else 0)


def _repeated(pdf: Path, pages: int, path: Path) -> Path:
    """Write a PDF of so many pages, those of another one again and again."""
    import pypdfium2

    made, source = pypdfium2.PdfDocument.new(), pypdfium2.PdfDocument(pdf)
    order = [n % len(source) for n in range(pages)]
    for start in range(0, pages, len(source)):
        made.import_pages(source, order[start : start + len(source)])
    made.save(path)
    return path


def measures(papers: Path, work: Path) -> list[Measure]:
    """The rows of the table; what they work on is made in `work`."""
    folders = sorted(path.parent for path in papers.resolve().glob("*/page_001.md"))
    pages = sum(len(list(folder.glob("page_*.md"))) for folder in folders)
    pdf = _repeated(ROOT / "test_data" / "zirconium_tracers.pdf", 100, work / "hundred.pdf")
    run = work / "stored"
    subprocess.run(
        [sys.executable, "-c", _INDEX, ROOT / "test_data" / "reservoir_sensors", run], check=True, env=environment(ROOT)
    )
    listed = tuple(map(str, folders))
    return [
        Measure(f"index {len(folders)} OCR papers, {pages} pages", "pages/s", _INDEX, listed, pages),
        Measure("index the same, memory", "MB", _INDEX, listed),
        Measure("index a PDF of 100 pages", "pages/s", _INDEX, (str(pdf),), 100),
        Measure("index the same PDF, memory", "MB", _INDEX, (str(pdf),)),
        Measure("import kag, open a run, search", "ms", _SEARCH, (str(run),)),
        Measure("import the core", "ms", "import kag.core.types, kag.core.errors, kag.core.files, kag.core.tool"),
        Measure("kag --help", "ms", "import sys; sys.argv = ['kag', '--help']; from kag.cli.main import main; main()"),
    ]


def table(rows: Sequence[Measure], others: Sequence[Path], runs: int, write: bool) -> list[str]:
    """Print a row for each measure; returns what is worse than the budget."""
    budget = json.loads(BUDGET.read_text(encoding="utf-8")) if BUDGET.is_file() else {}
    head = ["", "unit", commit(ROOT), *(f"{commit(other)} (ratio)" for other in others), "yardsticks", "of the budget"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    worse, kept = [], dict(budget)
    for row in rows:
        sticks, turns = list[float](), list[list[float | None]]()
        for _ in range(1 if row.unit == "MB" else runs):  # memory is the same each time
            sticks.append(yardstick())
            turns.append([measured(row, checkout) for checkout in (ROOT, *others)])
        own = [turn[0] for turn in turns if turn[0]]
        if len(own) < len(turns):
            raise SystemExit(f"{row.name}: this checkout failed")
        cells = [ratio_cell(row, turns, n) for n in range(1, len(others) + 1)]
        relative = median(relative_of(row, value, stick) for value, stick in zip(own, sticks, strict=True))
        share = row.better(relative, budget[row.name]) if row.name in budget else 1.0
        kept[row.name] = round(relative, 4)
        if share < WORSE and not write:
            worse.append(f"{row.name}: {share:.2f} of its budget")
        cells += [f"{relative:.3f}", f"{share:.2f}"]
        print(f"| {row.name} | {row.unit} | {median(own):.1f} | {' | '.join(cells)} |", flush=True)
    if write:
        BUDGET.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return worse


def yardstick() -> float:
    """CPU seconds that this machine takes now for a fixed piece of Python, the best of five."""

    def work() -> float:
        start = time.process_time()
        numbers = {str(number): number for number in range(200_000)}
        sum(numbers[key] for key in sorted(numbers))
        return time.process_time() - start

    return min(work() for _ in range(5))


def relative_of(row: Measure, value: float, stick: float) -> float:
    """A value without the machine: pages in the time of a yardstick, times in yardsticks; memory as it is."""
    if row.unit == "MB":
        return value
    return value * stick if row.pages else value / 1000 / stick


def ratio_cell(row: Measure, turns: Sequence[Sequence[float | None]], other: int) -> str:
    values = [value for turn in turns if (value := turn[other])]
    ratios = [row.better(turn[0], value) for turn in turns if turn[0] and (value := turn[other])]
    return f"{median(values):.1f} ({median(ratios):.2f})" if ratios else "-"


def measured(row: Measure, checkout: Path) -> float | None:
    """The value of a row for a checkout; None where the checkout cannot do it."""
    with tempfile.TemporaryDirectory(prefix="kag-bench-") as out:
        if (checkout / "kag").is_dir():
            arguments = [*row.arguments, out] if row.code == _INDEX else row.arguments
            found = used([sys.executable, "-c", row.code, *arguments], checkout)
        elif row.code == _INDEX:
            found = by_script(row.arguments, checkout, out)
        else:
            return None
    return row.value(*found) if found else None


def by_script(papers: Sequence[str], checkout: Path, out: str) -> tuple[float, float] | None:
    """CPU seconds beyond its start, and memory, of a checkout's own script, a process a paper."""
    script = [sys.executable, str(checkout / "scripts" / "run_index.py")]
    start = used([*script, "--help"], checkout)
    costs = [used([*script, "--ocr-dir", paper, "--out-dir", out], checkout) for paper in papers]
    known = [cost for cost in costs if cost]
    if start is None or len(known) < len(costs):
        return None
    return sum(cpu - start[0] for cpu, _ in known), max(megabytes for _, megabytes in known)


def used(command: Sequence[str], checkout: Path) -> tuple[float, float] | None:
    """CPU seconds and peak MB of a command and what it starts; None where it fails."""
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(checkout), cwd="/"
    ) as process:
        _, status, cost = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        print(f"{checkout.name} failed: {' '.join(command)[:200]}", file=sys.stderr)
        return None
    return cost.ru_utime + cost.ru_stime, cost.ru_maxrss / 1024


def environment(checkout: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(checkout)}


def commit(checkout: Path) -> str:
    command = ["git", "describe", "--always", "--dirty"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    return done.stdout.strip() or checkout.name


def growth(work: Path, sizes: Callable[[str], Sequence[int]] = sizes_of) -> list[str]:
    """Print the exponents of growth; returns those that are too steep."""
    print("\n| CPU seconds by the number of | sizes | seconds | exponent |\n|---|---|---|---|")
    steep = []
    for name, counts, seconds in growth_rows(work, sizes):
        found = exponent(counts, seconds)
        print(f"| {name} | {', '.join(map(str, counts))} | {', '.join(f'{s:.2f}' for s in seconds)} | {found:.2f} |",
              flush=True)  # fmt: skip
        if found > STEEPEST:
            steep.append(f"{name} grow with the power of {found:.2f}")
    return steep


if __name__ == "__main__":
    main()
