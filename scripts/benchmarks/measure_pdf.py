"""Graphs made from PDFs beside gold, with parts of what a PDF knows left out: figures for reports/pdf.md.

    python -m scripts.benchmarks.measure_pdf GOLD SCORER [--pdfs FOLDER] [--work DIR] [--only VARIANT,...]

GOLD holds a folder a paper with gold.json, and paper.pdf unless FOLDER holds `<paper>.pdf`. SCORER is a program that
takes GOLD, a folder of runs and `--json FILE`, and writes {"total": {metric: value}}; it is run as it is.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from kag.core.types import Document
from kag.indexing.pipeline import index_document
from kag.indexing.run import write_run
from kag.sources.reading import Reading
from kag.sources.survey import read_paper

METRICS = (
    "headings_f1", "heading_parent_f1", "text_kept", "text_anywhere", "order", "captions_f1", "references_f1",
    "ref_title", "ref_year", "ref_doi", "ref_first_author", "citations_f1", "crossrefs_f1", "page", "box",
)  # fmt: skip


def _whole(document: Document) -> Document:
    return document


def _without_links(document: Document) -> Document:
    return replace(document, blocks=tuple(replace(block, links=()) for block in document.blocks))


def _without_levels(document: Document) -> Document:
    blocks = tuple(replace(block, heading_level=0, ground="") for block in document.blocks)
    return replace(document, blocks=blocks)


VARIANTS: dict[str, tuple[str, Callable[[Document], Document]]] = {
    "kag": ("", _whole),
    "without the file's links": ("", _without_links),
    "levels by words alone": ("", _without_levels),
    "liteparse": ("liteparse", _whole),
}


def main() -> int:
    """Print a table; exit 1 when a paper failed."""
    options = _options()
    papers = {gold.parent.name: _pdf(gold.parent, options.pdfs) for gold in sorted(options.gold.glob("*/gold.json"))}
    papers = {name: path for name, path in papers.items() if path.is_file()}
    wanted = options.only.split(",") if options.only else list(VARIANTS)
    totals = {name: _measured(name, papers, options) for name in wanted}
    print("| metric | " + " | ".join(totals) + " |\n|---|" + "---:|" * len(totals))
    for metric in METRICS:
        values = [total.get(metric) for total in totals.values()]
        print(f"| {metric} | " + " | ".join("–" if value is None else f"{value:.3f}" for value in values) + " |")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("scorer", type=Path)
    parser.add_argument("--pdfs", type=Path)
    parser.add_argument("--work", type=Path, default=None)
    parser.add_argument("--only", default="")
    return parser.parse_args()


def _pdf(folder: Path, pdfs: Path | None) -> Path:
    return pdfs / f"{folder.name}.pdf" if pdfs else folder / "paper.pdf"


def _measured(variant: str, papers: dict[str, Path], options: argparse.Namespace) -> dict[str, float]:
    work = Path(tempfile.mkdtemp(dir=options.work))
    with ProcessPoolExecutor(2) as pool:
        failed = [
            name for name in pool.map(_index, papers.items(), [variant] * len(papers), [work] * len(papers)) if name
        ]
    for name in failed:
        print(f"{variant}: {name}", file=sys.stderr)
    result = work / "scores.json"
    names = ["--papers", ",".join(papers)]
    command = [sys.executable, str(options.scorer), str(options.gold), str(work), "--json", str(result), *names]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    total: dict[str, float] = json.loads(result.read_text(encoding="utf-8"))["total"]
    return total


def _index(paper: tuple[str, Path], variant: str, work: Path) -> str:
    """What went wrong; "" when the run is there."""
    name, path = paper
    engine, change = VARIANTS[variant]
    try:
        document = change(read_paper(path, Reading(paper_id=name, engine=engine)))
        write_run(work, name, index_document(document).files)
    except Exception as error:
        return f"{name}: {type(error).__name__}: {error}"
    return ""


if __name__ == "__main__":
    sys.exit(main())
