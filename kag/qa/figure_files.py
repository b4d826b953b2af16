"""`figure_files`: the picture files of each figure: all of its panels if the source lists them, else its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kag.core.errors import SourceError
from kag.indexing.run import kind_of_source
from kag.qa.paper import PaperGraph
from kag.rdf.namespaces import KAG
from kag.sources.reader_registry import OCR
from kag.sources.reading import Reading
from kag.sources.survey import read_paper

Panel = tuple[int, int, int, int, int]  # page, then a box in thousandths of it


def figure_files(paper: PaperGraph, source: Path | None = None) -> dict[str, tuple[str, ...]]:
    """The files of the figures that have any, by the figure's IRI: paths in the paper's folder, or in its run.

    The graph names one file of a figure; `source` is the folder of OCR pages, where each panel has a file of its own.
    """
    panels = _panels(source, paper.path) if source else {}
    found = {}
    for node in paper.of_kind("Figure"):
        printed = (panels.get((node.page, *box), "") for box in node.boxes)
        files = dict.fromkeys((*printed, paper.graph.value(node.iri, str(KAG.imagePath))))
        if any(files):
            found[node.iri] = tuple(filter(None, files))
    return found


def _panels(source: Path, run: Path | None) -> Mapping[Panel, str]:
    """The figure files of a folder of OCR pages by what they show."""
    if run and kind_of_source(run) not in (OCR, ""):  # "": an older run, or one that is only in memory
        return {}
    try:
        document = read_paper(source, Reading(source=OCR))
    except SourceError:
        return {}
    return {(file.page, *box): file.path for file in document.figures for box in file.boxes}
