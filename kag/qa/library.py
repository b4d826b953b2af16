"""The papers that questions are put to: one run folder, or a folder of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from kag.core.errors import RunError
from kag.core.files import read_regular, shown
from kag.indexing.run import find_runs, newest_each, paper_of
from kag.qa.paper import GRAPH, PaperGraph
from kag.qa.passages import Passage, passages
from kag.qa.questions.papers import KnownPaper
from kag.rdf.namespaces import FABIO

if TYPE_CHECKING:
    from kag.retrieval.chunking import Chunk
    from kag.retrieval.index import Index  # its packages are an extra

OPEN = 32  # papers that are kept in memory


class Library(Mapping[str, PaperGraph]):
    """Papers by id, read when first asked for; the 32 that were asked for last are kept.

    Two runs of one paper: the newest counts (`kag.indexing.run.newest`).
    """

    def __init__(self, runs: Mapping[str, Path], loaded: Mapping[str, PaperGraph] | None = None) -> None:
        self._runs = dict(sorted(runs.items()))
        self._loaded = dict(loaded or {})

    def __getitem__(self, paper_id: str) -> PaperGraph:
        paper = self._loaded.pop(paper_id, None) or PaperGraph.load(self._runs[paper_id])
        self._loaded[paper_id] = paper  # at the end: the first is the one that was asked for longest ago
        if len(self._loaded) > OPEN:
            self._loaded.pop(next(iter(self._loaded)), None)
        return paper

    def __iter__(self) -> Iterator[str]:
        return iter(self._runs)

    def __contains__(self, paper_id: object) -> bool:
        return paper_id in self._runs

    def __len__(self) -> int:
        return len(self._runs)

    def __reduce__(self) -> tuple[type[Library], tuple[dict[str, Path]]]:
        """Another process reads the papers that it needs."""
        return Library, (self._runs,)

    def path(self, paper_id: str) -> Path:
        """The run folder of a paper."""
        return self._runs[paper_id]


def open_library(*paths: Path) -> Library:
    """The papers of run folders and of folders of run folders; raises `RunError` for a path that holds none."""
    (first, *more) = paths
    if not more and os.path.lexists(first / GRAPH):
        paper = PaperGraph.load(first)
        return Library({paper.id: first}, {paper.id: paper})
    return Library(newest_each((_paper_id(run), run) for path in paths for run in runs_at(path)))


def runs_at(path: Path) -> list[Path]:
    """The run folders at a path; raises `RunError` where there is none."""
    runs = find_runs(path)
    if not runs:
        hint = "Give a folder that `kag index` wrote, runs/<paper>_<UTC>, or the folder of such folders."
        raise RunError(f"{shown(path)} holds no {GRAPH}", hint=hint)
    return runs


def named_paper(name: str, library: Mapping[str, PaperGraph]) -> str:
    """The id of the paper that a name means: its id, or the beginning of one id alone; raises `RunError`."""
    matching = [one for one in library if name and one.startswith(name)]
    if name in library or len(matching) == 1:
        return name if name in library else matching[0]
    what = "the names of several papers begin with" if matching else "there is no paper"
    raise RunError(f"{what} {name!r}", hint=f"Papers here: {', '.join((matching or list(library))[:10])}.")


def _paper_id(run: Path) -> str:
    """The id of a run's paper: as its summary states it, else from the graph."""
    return paper_of(run) or PaperGraph.load(run).id


@lru_cache(maxsize=OPEN)
def _passages(paper: PaperGraph) -> tuple[Passage, ...]:
    """Those of the papers that were asked last are kept, as the papers are."""
    return passages(paper)


@dataclass(frozen=True, slots=True)
class Citation:
    """Between two papers of a shelf (ids): `reference` is the node of the first one's list that means the second."""

    citing: str
    reference: str
    cited: str


@dataclass(frozen=True, slots=True)
class Shelf:
    """Many papers: by name, as graphs that are read when asked for, as chunks, and which of them cite each other.

    `version` is another one when any of it is another.
    """

    papers: tuple[KnownPaper, ...]
    library: Mapping[str, PaperGraph]
    index: Index
    citations: tuple[Citation, ...] = ()
    version: str = ""

    def passages(self, paper: str) -> tuple[Passage, ...]:
        """Everything printed in a paper."""
        return _passages(self.library[paper])

    def cited_by(self, paper: str) -> frozenset[str]:
        """The papers here that a paper cites."""
        return frozenset(citation.cited for citation in self.citations if citation.citing == paper)

    def citing(self, paper: str) -> frozenset[str]:
        """The papers here that cite a paper."""
        return frozenset(citation.citing for citation in self.citations if citation.cited == paper)


def shelf_of(library: Library, *, layers: bool = False) -> Shelf:
    """All papers of a library; every one of them is read. Citations between them are not known.

    With `layers` chunks know what the layers say of them, which facets need.
    """
    from kag.retrieval.index import Index  # its packages are an extra

    papers = {name: library[name] for name in library}
    index = Index.build(chunk for paper in papers.values() for chunk in _chunks(paper, layers))
    graphs = b"\n".join(hashlib.sha256(read_regular(library.path(name) / GRAPH)).digest() for name in library)
    known_papers = tuple(_known(name, paper) for name, paper in papers.items())
    return Shelf(known_papers, library, index, version=hashlib.sha256(graphs).hexdigest())


def _chunks(paper: PaperGraph, layers: bool) -> tuple[Chunk, ...]:
    from kag.qa.chunks import chunks  # they and their index take long to import
    from kag.qa.faceted_chunks import faceted_chunks

    return faceted_chunks(paper, chunks(paper)) if layers else chunks(paper)


def _known(name: str, paper: PaperGraph) -> KnownPaper:
    """A paper by the names that a question may use."""
    year = paper.graph.value(paper.document, str(FABIO.hasPublicationYear))
    return KnownPaper(name, paper.title, year)
