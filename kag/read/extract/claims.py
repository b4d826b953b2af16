"""Ranked sentences as claims: quoted whole, over all nodes that they are printed in, a caption with its table."""

from __future__ import annotations

from collections.abc import Iterator

from kag.rdf.namespaces import KAG
from kag.read.extract.ranking import Scored
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage
from kag.read.quote import evidence
from kag.text.plain import plain
from kag.values.evidence import Claim

_SMALL = 1500  # characters of a table that is given whole
_ROWS = " / "


def claims_of(one: Scored, sure: float, paper: PaperGraph, index: SearchIndex) -> Iterator[Claim]:
    """A sentence as a claim; the table that it is the caption of says the rest, where it is small."""
    yield sentence_claim(one, sure, paper, index)
    passage = index.passages[one.number]
    if passage.kind == "caption":
        yield from _tables(passage.places(one.start, one.end)[0][0], sure, paper)


def sentence_claim(one: Scored, sure: float, paper: PaperGraph, index: SearchIndex) -> Claim:
    """A sentence as a claim with its own words.

    A sentence that a column or page cuts has evidence for each of its parts, a row for its column heads as well.
    """
    passage = index.passages[one.number]
    spans = list(passage.places(one.start, one.end))
    is_row = passage.kind == "table"
    if is_row:
        heads = (one for one in index.passages if one.id.partition("#")[0] == spans[0][0] and _is_head(one))
        spans = list(dict.fromkeys([*(place for one in heads for place in one.places(0, len(one.text))), *spans]))
    places = tuple(evidence(paper, *span) for span in spans)
    return Claim((_ROWS if is_row else " ").join(plain(place.quote) for place in places), places, sure)


def _is_head(passage: Passage) -> bool:
    return passage.names_columns or passage.id.endswith("#0")


def _tables(caption: str, sure: float, paper: PaperGraph) -> Iterator[Claim]:
    """The small tables that a caption describes, each whole."""
    for iri in paper.targets(caption, KAG.describes):
        node = paper.nodes.get(iri)
        if node and node.kind == "Table" and 0 < len(node.text) <= _SMALL:
            rows = _ROWS.join(plain(row) for row in node.text.splitlines() if row.strip())
            yield Claim(rows, (evidence(paper, iri),), sure)
