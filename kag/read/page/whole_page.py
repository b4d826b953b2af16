"""`build_page`: a run folder becomes one HTML page; `page_data` are the values that the page is made from."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kag.rdf.namespaces import KAG
from kag.read.page.embedded_pictures import Pictures, find_pictures
from kag.read.page.html import render
from kag.read.page.page_answers import read_answers
from kag.read.page.page_checks import conservation_rows, shape_rows
from kag.read.page.page_nodes import float_rows, index_nodes, node_rows, reference_rows, section_rows
from kag.read.paper import PaperGraph
from kag.safety.files import own_file
from kag.write.run import FILES, Run, load_run

MOST_BYTES = 20_000_000  # of all pictures together


def build_page(
    run: Path, answers: Iterable[Path] = (), ocr_dir: Path | None = None, most_bytes: int = MOST_BYTES
) -> str:
    """The page of a run folder; the same files give the same text.

    `answers` are answer files, `ocr_dir` is the folder with the page pictures (else the boxes are drawn),
    `most_bytes` what all pictures may take. A folder that holds only a graph is shown without the checks.
    Raises `RunError`, `EvidenceError`, `SourceError`.
    """
    return render(page_data(run, answers, ocr_dir, most_bytes))


def page_data(
    path: Path, answers: Iterable[Path] = (), ocr_dir: Path | None = None, most_bytes: int = MOST_BYTES
) -> dict[str, Any]:
    """The values of the page; nodes are named by their number in `nodes`, places are `[page, x0, y0, x1, y1]`."""
    paper = PaperGraph.load(path)
    run = load_run(path) if all(os.path.lexists(path / name) for name in FILES) else None
    index = index_nodes(paper, {row["block"]: row for row in run.ledger} if run else {})
    images = {paper.graph.value(node.iri, str(KAG.imagePath)) for node in paper.of_kind("Figure")} - {""}
    pictures = _pictures(path, images, ocr_dir, most_bytes)
    data = {
        "paper": {"id": paper.id, "title": paper.title, "run": os.path.basename(os.path.realpath(path))},
        "nodes": node_rows(paper, index),
        "sections": section_rows(paper, index),
        "floats": _with_pictures(paper, float_rows(paper, index), pictures),
        "references": reference_rows(paper, index),
        **read_answers(answers, paper, index),
        "shapes": shape_rows(run, index) if run else None,
        "conservation": conservation_rows(run, index) if run else None,
        "facts": _facts(run) if run else [],
        "problems": list(pictures.problems),
    }
    return {**data, "pages": _pages(data, pictures)}


def _pictures(run: Path, images: set[str], ocr_dir: Path | None, most_bytes: int) -> Pictures:
    """Those that were given; else those that reading the paper made, which are in the run."""
    if ocr_dir:
        return find_pictures(ocr_dir, images, most_bytes, run)
    made = {image for image in images if own_file(run / image)}
    return find_pictures(run, made, most_bytes) if made else Pictures()


def _with_pictures(paper: PaperGraph, rows: list[dict[str, Any]], pictures: Pictures) -> list[dict[str, Any]]:
    figures = list(paper.nodes)
    paths = [paper.graph.value(figures[row["node"]], str(KAG.imagePath)) for row in rows]
    return [{**row, "picture": pictures.figures.get(path, "")} for row, path in zip(rows, paths, strict=True)]


def _pages(data: dict[str, Any], pictures: Pictures) -> list[dict[str, Any]]:
    """The pages on which anything is printed, or of which there is a picture."""
    rows = [*data["nodes"], *(data["conservation"] or {}).get("skipped", [])]
    printed = {place[0] for row in rows for place in row.get("places", ())} | {
        row["page"] for row in data["nodes"] if "page" in row
    }
    return [{"number": n, "picture": pictures.pages.get(n, "")} for n in sorted(printed | set(pictures.pages))]


def _facts(run: Run) -> list[list[str]]:
    """What the summary tells of how the run was made, as pairs of words; what is missing is left out."""
    summary = run.summary
    builder, source = summary.get("builder") or {}, summary.get("source") or {}
    told = {
        "Paper": summary.get("paper"),
        "Made with": f"kag {summary.get('kag_version', '')}",
        "Builder": " ".join(str(name) for name in (builder.get("name"), builder.get("model")) if name),
        "Triples": len(run.graph),
        "Source": f"sha256 {source.get('sha256', '')}",
    }
    repairs = [f"page {row['page']}: {row['problem']}; {row['action']}" for row in summary.get("repairs") or []]
    return [[name, str(value)] for name, value in told.items() if value] + [["Repair", words] for words in repairs]
