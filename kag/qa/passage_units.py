"""`passage_units`: what of a paper is ranked for a question, each as it is shown, with the nodes that print it.

A paragraph with all that continues it is one unit, and so is a caption of a figure, a footnote, and a table of up to
twelve rows below its caption and column names; a longer table is several. Headings are context of what stands under
them; entries of the reference list and the names of the front matter are not ranked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from kag.qa.paper import PaperGraph
from kag.qa.passages import Part, Passage
from kag.qa.printed_table import head_rows
from kag.rdf.namespaces import KAG

MAX_ROWS = 12  # of a table in one unit
_SKIPPED = frozenset(("reference", "sectiontitle", "title", "listofauthors", "listoforganizations"))
_LEAST = 3  # words of a unit


@dataclass(frozen=True, slots=True)
class Unit:
    """A text to rank. `parts` say which of its characters a node prints; `body` is where text behind a head begins.

    `section` are the titles of the enclosing sections from the top; `passages` are the places of the passages that it
    is made of, and where each begins in it.
    """

    text: str
    kind: str
    nodes: tuple[str, ...]
    parts: tuple[Part, ...]
    section: tuple[str, ...]
    page: int
    body: int = 0
    passages: tuple[tuple[int, int], ...] = ()

    def places(self, start: int, end: int) -> tuple[tuple[str, int, int], ...]:
        """The spans of nodes that print some characters: (node, start, end) each."""
        return Passage("", self.text, parts=self.parts).places(start, end)


def passage_units(paper: PaperGraph, passages: Sequence[Passage], least: int = _LEAST) -> tuple[Unit, ...]:
    """All units of a paper, of which these are the passages, in reading order."""
    found: list[Unit] = []
    captions = {part.node: place for place, one in enumerate(passages) if one.kind == "caption" for part in one.parts}
    numbered = enumerate(passages)
    for table, rows in groupby(numbered, key=lambda pair: pair[1].parts[0].node if pair[1].kind == "table" else ""):
        if table:
            found += _table_units(paper, table, passages, [place for place, _ in rows], captions)
        else:
            found += (
                _text_unit(paper, place, one)
                for place, one in rows
                if one.kind not in _SKIPPED and not _describes_table(paper, one)
            )
    return tuple(unit for unit in found if len(unit.text.split()) >= least)


def _text_unit(paper: PaperGraph, place: int, passage: Passage) -> Unit:
    """A node and what continues it."""
    nodes = tuple(part.node for part in passage.parts)
    first = paper.nodes[nodes[0]]
    text = passage.text.replace("\n", " ")
    return Unit(text, first.kind, nodes, passage.parts, passage.path, first.page, passages=((place, 0),))


def _table_units(
    paper: PaperGraph, table: str, passages: Sequence[Passage], rows: Sequence[int], captions: dict[str, int]
) -> Iterator[Unit]:
    """The rows of a table in runs of at most twelve, each run below the caption and the column names."""
    node, caption = paper.nodes[table], paper.caption_of(table)
    titles = [captions[caption.iri]] if caption and caption.iri in captions else []
    head = min(max(head_rows(paper, node), 1), len(rows))
    for first in range(head, max(len(rows), head + 1), MAX_ROWS):
        text, parts, begins = "", list[Part](), list[tuple[int, int]]()
        for place in (*titles, *rows[:head], *rows[first : first + MAX_ROWS]):
            text += "\n" if text else ""
            begins.append((place, len(text)))
            at = len(text)
            parts += (replace(part, start=part.start + at, end=part.end + at) for part in passages[place].parts)
            text += passages[place].text.replace("\n", " ")
        body = begins[min(head + len(titles), len(begins) - 1)][1]
        nodes = (table, *dict.fromkeys(part.node for part in parts if part.node != table))
        yield Unit(text, node.kind, nodes, tuple(parts), passages[rows[0]].path, node.page, body, tuple(begins))


def _describes_table(paper: PaperGraph, passage: Passage) -> bool:
    """Whether a caption is shown with its table, which prints cells."""
    described = paper.targets(passage.parts[0].node, KAG.describes) if passage.kind == "caption" else ()
    return any(
        paper.nodes[iri].kind == "Table" and paper.nodes[iri].text.strip() for iri in described if iri in paper.nodes
    )
