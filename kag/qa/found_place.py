"""`Place`: a hit of any search, and where it is printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kag.core.display import OneLine
from kag.core.evidence import Evidence
from kag.qa.paper import PaperGraph
from kag.qa.quote import evidence

if TYPE_CHECKING:
    from kag.qa.passage_index import Hit


@dataclass(frozen=True, slots=True, repr=False)
class Place(OneLine):
    """A hit and where it is printed.

    `text` is a stretch of about 240 characters around what was asked for: verbatim what `evidence` quotes, or, where
    the paper is not at hand, of the chunk's own text. `section` are the titles from the top, `page` starts at 1,
    `node` is the IRI of the node that prints the text; `via` says how the hit was found.
    """

    shown: ClassVar[tuple[str, ...]] = (
        "text",
        "page",
        "paper",
        "section",
        "score",
    )

    chunk: str
    score: float
    via: str
    paper: str
    title: str
    section: tuple[str, ...]
    page: int | None
    node: str
    kind: str
    text: str
    evidence: Evidence | None = None


def passage_place(paper: PaperGraph, hit: Hit) -> Place:
    """Return the place of a passage that the index of one paper found."""
    proof = evidence(paper, *hit.snippet)
    passage = hit.passage
    return Place(
        chunk=passage.id,
        score=hit.score,
        via="words",
        paper=paper.id,
        title=paper.title,
        section=passage.path,
        page=proof.page,
        node=proof.node,
        kind=passage.kind,
        text=proof.quote,
        evidence=proof,
    )
