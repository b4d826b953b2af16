"""`Shelf`: what a question over many papers is put to. Values only, so that whoever has papers can fill one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kag.qa.library import OPEN
from kag.qa.paper import PaperGraph
from kag.qa.passages import Passage, passages
from kag.qa.questions.papers import KnownPaper

if TYPE_CHECKING:
    from kag.retrieval.index import Index  # its packages are an extra


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
        return frozenset(one.cited for one in self.citations if one.citing == paper)

    def citing(self, paper: str) -> frozenset[str]:
        """The papers here that cite a paper."""
        return frozenset(one.citing for one in self.citations if one.cited == paper)
