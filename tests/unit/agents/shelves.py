"""A shelf of two small papers that do not agree, and one that gives orders."""

from __future__ import annotations

from pathlib import Path

from kag.indexing.pipeline import index_document
from kag.indexing.run import write_run
from kag.qa.chunks import chunks
from kag.qa.library import Shelf, open_library
from kag.qa.questions.papers import KnownPaper
from kag.retrieval.index import Index
from kag.sources.ocr.folder import read_document
from tests.papers import write_paper
from tests.unit.agents.readings import batteries

PAGES = (
    (
        ("title", "[[100, 60, 900, 100]]", "# Cells under lake ice"),
        ("sub_title", "[[100, 150, 300, 170]]", "## 1 Results"),
        ("text", "[[100, 180, 900, 260]]", "Under the ice of the lake lithium cells lost 8 % of their charge."),
        ("text", "[[100, 270, 900, 330]]", "Oxygen loggers did not fail before spring. Two moorings were lost."),
    ),
)
ICE = ("Lithium cells lost 8 % of their charge.", "ex:b_p001_0003", "lithium cells lost 8 % of their charge")


def shelf(folder: Path) -> Shelf:
    """The papers `batteries` and `ice`, indexed into `folder/runs`, on a shelf without vectors."""
    batteries(folder)
    write_run(folder / "runs", "ice", index_document(read_document(write_paper(folder / "ice", PAGES))).files)
    library = open_library(folder / "runs")
    volumes = tuple(KnownPaper(name, library[name].title) for name in library)
    return Shelf(volumes, library, Index.build(chunk for name in library for chunk in chunks(library[name])))
