"""`passage_units`: what of a paper is ranked for a question, each as it is shown, with the nodes that print it.

A paragraph with all that continues it is one unit, and so is a caption of a figure, a footnote, and a table of up to
twelve rows below its caption and column names; a longer table is several. Headings are context of what stands under
them; entries of the reference list and the names of the front matter are not ranked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kag.qa.paper import Node, PaperGraph
from kag.qa.passages import Part
from kag.qa.printed_table import head_rows
from kag.rdf.namespaces import KAG

MAX_ROWS = 12  # of a table in one unit
_SKIPPED = frozenset(
    ("BibliographicReference", "SectionTitle", "Title", "ListOfAuthors", "ListOfOrganizations", "Table")
)
_LEAST = 3  # words of a unit


@dataclass(frozen=True, slots=True)
class Unit:
    """A text to rank. `parts` say which of its characters a node prints; `body` is where text behind a head begins.

    `section` are the titles of the enclosing sections from the top.
    """

    text: str
    kind: str
    nodes: tuple[str, ...]
    parts: tuple[Part, ...]
    section: tuple[str, ...]
    page: int
    body: int = 0

    def places(self, start: int, end: int) -> tuple[tuple[str, int, int], ...]:
        """The spans of nodes that print some characters: (node, start, end) each."""
        found = []
        for part in self.parts:
            first, last = max(start, part.start), min(end, part.end)
            if first < last:
                found.append((part.node, first - part.start + part.offset, last - part.start + part.offset))
        return tuple(found)


def passage_units(paper: PaperGraph) -> tuple[Unit, ...]:
    """All units of a paper in reading order."""
    found: list[Unit] = []
    for iri in paper.chains:
        node = paper.nodes[iri]
        if node.kind == "Table":
            found += table_units(paper, node)
        elif node.kind not in _SKIPPED and not _describes_table(paper, node):
            found += text_units(paper, node)
    return tuple(unit for unit in found if len(unit.text.split()) >= _LEAST)


def text_units(paper: PaperGraph, node: Node) -> Iterator[Unit]:
    """A node and what continues it as one unit; none where no words are printed."""
    nodes = [paper.nodes[iri] for iri in paper.chains.get(node.iri, (node.iri,))]
    nodes = [one for one in nodes if one.text.strip()]
    parts, at = [], 0
    for one in nodes:
        parts.append(Part(one.iri, at, at + len(one.text), 0))
        at += len(one.text) + 1
    if nodes:
        text = " ".join(one.text.replace("\n", " ") for one in nodes)
        yield Unit(text, node.kind, tuple(one.iri for one in nodes), tuple(parts), section_path(paper, node), node.page)


def table_units(paper: PaperGraph, table: Node) -> Iterator[Unit]:
    """The rows of a table in runs of at most twelve, each run below the caption and the column names."""
    lines, at = [], 0
    for line in table.text.split("\n"):
        lines.append((line, at))
        at += len(line) + 1
    lines = [(line, start) for line, start in lines if line.strip()]
    caption = paper.caption_of(table.iri)
    head = min(max(head_rows(paper, table), 1), len(lines))
    nodes = (table.iri, caption.iri) if caption and caption.text.strip() else (table.iri,)
    section = section_path(paper, table)
    for first in range(head, max(len(lines), head + 1), MAX_ROWS):
        rows = (*lines[:head], *lines[first : first + MAX_ROWS])
        parts, text = list[Part](), ""
        if len(nodes) > 1 and caption:
            text = caption.text.replace("\n", " ")
            parts.append(Part(caption.iri, 0, len(text), 0))
        for line, start in rows:
            text = f"{text}\n{line}" if text else line
            parts.append(Part(table.iri, len(text) - len(line), len(text), start))
        if rows:
            body = parts[min(head + len(nodes) - 1, len(parts) - 1)].start
            yield Unit(text, table.kind, nodes, tuple(parts), section, table.page, body)


def section_path(paper: PaperGraph, node: Node) -> tuple[str, ...]:
    """The titles of the sections around a node, the outermost first; those that are not printed are left out."""
    section = paper.section_of(node.iri)
    found: list[str] = []
    seen: set[str] = set()
    while section and section.iri not in seen:
        seen.add(section.iri)
        found += [] if section.synthetic else [section.title]
        section = paper.sections.get(section.parent)
    return tuple(reversed(found))


def _describes_table(paper: PaperGraph, node: Node) -> bool:
    """Whether a caption is shown with its table, which prints cells."""
    described = paper.targets(node.iri, KAG.describes) if node.kind == "Caption" else ()
    return any(
        paper.nodes[iri].kind == "Table" and paper.nodes[iri].text.strip() for iri in described if iri in paper.nodes
    )
