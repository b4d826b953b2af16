"""How fast PDFs are read, and in how much memory, beside other readers: prints Markdown.

    python -m scripts.benchmarks.bench_pdf [--pages 10 100 1000] [--runs 5] [--pdf FILE] [--report FILE.md]

The file's pages are put together as often as it takes. Each run is a process of its own: its clock and CPU seconds are
those from the first import to the end, its memory is the peak of the process. A reader that is not installed is named.
Readers do different work: `words` gives bare text, `layout` puts it in reading order, `blocks` tells what each part is.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

import pypdfium2

ROOT = Path(__file__).resolve().parents[2]
PDF = ROOT / "test_data" / "zirconium_tracers.pdf"
TOO_LONG = 900  # seconds
_MEASURED = """
import json, resource, sys, time
start, before = time.perf_counter(), time.process_time()
path = sys.argv[1]
{code}
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([time.perf_counter() - start, time.process_time() - before, used.ru_maxrss / 1024]))
"""

READERS: Mapping[str, tuple[str, str, str]] = {  # name -> package, what it gives, code
    "kag, the parser": (
        "kag",
        "blocks, tables, figures as pictures, links",
        "from pathlib import Path\nfrom kag.sources.pdf.read import read_pdf\nread_pdf(Path(path))",
    ),
    "kag, to the graph": (
        "kag",
        "the same as a graph that conforms",
        "from pathlib import Path\nfrom kag.indexing.pipeline import index_paper\nindex_paper(Path(path))",
    ),
    "kag with LiteParse, the parser": (
        "liteparse",
        "blocks, tables",
        "from pathlib import Path\nfrom kag.sources.pdf.liteparse import read_liteparse\nread_liteparse(Path(path))",
    ),
    "LiteParse alone": (
        "liteparse",
        "blocks, tables",
        "from liteparse import LiteParse\n"
        "LiteParse(ocr_enabled=False, extract_blocks=True, image_mode='off', num_workers=1, max_pages=5000, quiet=True)"
        ".parse(open(path, 'rb').read())",
    ),
    "pypdfium2": (
        "pypdfium2",
        "words",
        "import pypdfium2\nfor page in pypdfium2.PdfDocument(path):\n    page.get_textpage().get_text_bounded()",
    ),
    "pdfminer.six": (
        "pdfminer.six",
        "layout",
        "from pdfminer.high_level import extract_pages\nfor page in extract_pages(path):\n    pass",
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pdf", type=Path, default=PDF)
    parser.add_argument("--only", action="append", choices=READERS, help="this reader alone; may be given again")
    parser.add_argument("--report", type=Path)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="kag-bench-") as folder:
        for pages in given.pages:
            path = repeated(given.pdf, pages, Path(folder) / f"{pages}.pdf")
            for name, (package, gives, code) in READERS.items():
                if not _installed(package) or name not in (given.only or READERS):
                    continue
                runs = [measured(code, path) for _ in range(given.runs)]
                print(f"{name}, {pages} pages: {runs}", file=sys.stderr)
                rows.append(f"| {pages} | {name} | {gives} | {_cells(pages, [run for run in runs if run])} |")
    text = _report(rows, given.pdf, given.runs)
    print(text)
    if given.report:
        given.report.write_text(text + "\n", encoding="utf-8")


def repeated(pdf: Path, pages: int, path: Path) -> Path:
    """A PDF of so many pages, those of another one again and again."""
    made, source = pypdfium2.PdfDocument.new(), pypdfium2.PdfDocument(pdf)
    order = [n % len(source) for n in range(pages)]
    for start in range(0, pages, len(source)):
        made.import_pages(source, order[start : start + len(source)])
    made.save(path)
    return path


def measured(code: str, path: Path) -> tuple[float, float, float] | None:
    """Seconds by the clock, CPU seconds and MB of a process; None where it failed or took too long."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))}
    command = [sys.executable, "-c", _MEASURED.format(code=code), str(path)]
    try:
        done = subprocess.run(command, capture_output=True, env=environment, timeout=TOO_LONG, check=True, cwd="/")
    except subprocess.SubprocessError as error:
        print(f"failed: {error}", file=sys.stderr)
        return None
    seconds, cpu, memory = json.loads(done.stdout.splitlines()[-1])
    return seconds, cpu, memory


def _cells(pages: int, runs: Sequence[tuple[float, float, float]]) -> str:
    if not runs:
        return "failed | | |"
    seconds, cpu, memory = ([run[n] for run in runs] for n in range(3))
    spread = f"{median(seconds):.2f} ({min(seconds):.2f}–{max(seconds):.2f})"
    return f"{spread} | {median(cpu):.2f} | {pages / median(cpu):.0f} | {median(memory):.0f}"


def _installed(package: str) -> bool:
    return importlib.util.find_spec({"pdfminer.six": "pdfminer"}.get(package, package)) is not None


def _version(package: str) -> str:
    try:
        return version({"kag": "kag-papers"}.get(package, package))
    except PackageNotFoundError:
        return "not installed"


def _report(rows: Sequence[str], pdf: Path, runs: int) -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    packages = dict.fromkeys(package for package, _, _ in READERS.values())
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}"
    versions = ", ".join(f"{name} {_version(name)}" for name in packages)
    how = f"Pages of {pdf.name}, again and again; {runs} runs each, a process each, one thread."
    title = "| pages | reader | gives | seconds: median (least–most) | CPU s | pages a CPU second | peak MB |"
    return "\n".join([f"{machine}; {versions}.", how, "", title, "|---|---|---|---|---|---|---|", *rows])


if __name__ == "__main__":
    main()
