"""Passages: the units that a search ranks, each leading back to nodes and verbatim spans, and the best stretch of one.

A passage is what a reader takes in at once: a paragraph with all its continuations, a caption, a footnote, a row
of a table, an entry of the reference list. Nothing printed is left out. A text without a graph is a passage, too:
`Passage("p1", "Ice hides sensors.", heading="Results")`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from kag.qa.paper import Node, PaperGraph, Section
from kag.qa.printed_table import head_rows
from kag.rdf.namespaces import KAG

JOIN = "\n"  # between the parts of a continued text: the search form mends a word that is broken there

_ROW = re.compile(r"[^\n]*?(?:</tr>|\n|$)", re.I)


@dataclass(frozen=True, slots=True)
class Part:
    """`passage.text[start:end]` is the text of `node` from `offset` on."""

    node: str
    start: int
    end: int
    offset: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to rank. `heading` is searched with it but is not part of it: section titles, column headers of a row.

    `kind` is a class's local name in lower case ("paragraph", "caption", "table" for a row, "reference"); `sections`
    are the IRIs of the enclosing sections from the top, `path` their titles and `roles` their types; `pages` the
    pages it is printed on.
    """

    id: str
    text: str
    heading: str = ""
    kind: str = ""
    sections: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    parts: tuple[Part, ...] = ()
    names_columns: bool = False  # it is a row that only says what the rows below it hold

    def places(self, start: int, end: int) -> tuple[tuple[str, int, int], ...]:
        """The verbatim spans of nodes that a span of the passage covers: (node, start, end) each."""
        if not self.parts:
            return ((self.id, start, end),)
        found = []
        for part in self.parts:
            first, last = max(start, part.start), min(end, part.end)
            if first < last:
                shift = part.offset - part.start
                found.append((part.node, first + shift, last + shift))
        return tuple(found)


def passages(paper: PaperGraph) -> tuple[Passage, ...]:
    """Everything printed in a paper, as passages in reading order."""
    found: list[Passage] = []
    for iri, chain in paper.chains.items():
        node = paper.nodes[iri]
        found += _rows(paper, node) if node.kind == "Table" else _whole(paper, [paper.nodes[one] for one in chain])
    return tuple(found)


def kind_of(kind: str) -> str:
    """A class's local name as a passage's kind: "SectionTitle" is "sectiontitle", an entry is a "reference"."""
    return "reference" if kind == "BibliographicReference" else kind.lower()


def _whole(paper: PaperGraph, nodes: list[Node]) -> Iterator[Passage]:
    """A node and what continues it as one passage; nothing when no words are printed."""
    parts: list[Part] = []
    at = 0
    for node in nodes:
        if node.text.strip():
            parts.append(Part(node.iri, at, at + len(node.text), 0))
            at += len(node.text) + len(JOIN)
    if parts:
        text = JOIN.join(node.text for node in nodes if node.text.strip())
        own = nodes[0].kind in ("SectionTitle", "BibliographicReference", "Title")  # headings, or a list of its own
        yield _passage(paper, nodes, parts[0].node, text, tuple(parts), "" if own else None)


def _rows(paper: PaperGraph, table: Node) -> Iterator[Passage]:
    """A table's rows; its label and the rows of its head are the heading of those that follow."""
    rows = [match.span() for match in _ROW.finditer(table.text) if match[0].strip()]
    head = head_rows(paper, table)
    names = " ".join(table.text[slice(*row)].strip() for row in rows[: max(head, 1)])
    for number, (start, end) in enumerate(rows):
        end = start + len(table.text[start:end].rstrip())
        heading = f"{table.label} {names}" if number >= max(head, 1) else table.label
        part = Part(table.iri, 0, end - start, start)
        row = _passage(paper, [table], f"{table.iri}#{number}", table.text[start:end], (part,), heading)
        yield replace(row, names_columns=number < head < len(rows))


def _passage(
    paper: PaperGraph, nodes: list[Node], name: str, text: str, parts: tuple[Part, ...], heading: str | None
) -> Passage:
    around = _around(paper, nodes[0])
    path = tuple(section.title for section in around if not section.synthetic)
    return Passage(
        id=name,
        text=text,
        heading=" ".join(path) if heading is None else heading,
        kind=kind_of(nodes[0].kind),
        sections=tuple(section.iri for section in around),
        path=path,
        roles=tuple(role for section in around for role in section.types),
        pages=tuple(dict.fromkeys(node.page for node in nodes)),
        parts=parts,
    )


def _around(paper: PaperGraph, node: Node) -> list[Section]:
    """The sections around a node, the outermost first."""
    found: list[Section] = []
    section = paper.sections.get(node.section)
    while section and section not in found:
        found.append(section)
        section = paper.sections.get(section.parent)
    return found[::-1]


SNIPPET = 240  # characters

Span = tuple[str, int, int]  # node, first character of its text, behind the last


class Match(NamedTuple):
    """A word found in a passage's text, and what it weighs."""

    start: int
    end: int
    word: str
    weight: float


def snippet(passage: Passage, matches: Sequence[Match]) -> Span:
    """A verbatim span of one node, at most 240 characters, around the different matches that weigh most together.

    `matches` are in order; without any it is the beginning of the passage.
    """
    whole = (Part(passage.id, 0, len(passage.text), 0),)
    best, part, first, last = 0.0, (passage.parts or whole)[0], 0, 0
    for one in passage.parts or whole:
        weight, start, end = _densest([match for match in matches if one.start <= match.start < one.end])
        if weight > best + 1e-9:
            best, part, first, last = weight, one, start, min(end, one.end, start + SNIPPET)
    left = max(part.start, first - (SNIPPET - (last - first)) // 2)
    right = min(part.end, left + SNIPPET)
    left = max(part.start, right - SNIPPET)
    if left > part.start:
        blank = passage.text.find(" ", left, first)
        left = blank + 1 if blank >= 0 else left
    if right < part.end:
        blank = passage.text.rfind(" ", max(last, left + 1), right)
        right = blank if blank >= 0 else right
    shift = part.offset - part.start
    return part.node, left + shift, right + shift


def _densest(matches: Sequence[Match]) -> tuple[float, int, int]:
    """The stretch of at most a snippet's length with the weightiest set of different words: (weight, start, end)."""
    best = (0.0, 0, 0)
    within: Counter[str] = Counter()
    weight, behind = 0.0, 0
    for match in matches:
        while behind < len(matches) and (matches[behind].end - match.start <= SNIPPET or not within.total()):
            weight += matches[behind].weight * (not within[matches[behind].word])
            within[matches[behind].word] += 1
            behind += 1
        if weight > best[0] + 1e-9:
            best = weight, match.start, matches[behind - 1].end
        within[match.word] -= 1
        weight -= match.weight * (not within[match.word])
    return best


MAX_ROWS = 12  # of a table in one unit
_SKIPPED = frozenset(("reference", "sectiontitle", "title", "listofauthors", "listoforganizations"))
_LEAST = 3  # words of a unit


@dataclass(frozen=True, slots=True)
class Unit:
    """A text to rank. `parts` say which of its characters a node prints; `body` is the start of the text behind its
    header.

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
    units: list[Unit] = []
    captions = {
        part.node: place
        for place, passage in enumerate(passages)
        if passage.kind == "caption"
        for part in passage.parts
    }
    numbered = enumerate(passages)
    for table, rows in groupby(numbered, key=lambda pair: pair[1].parts[0].node if pair[1].kind == "table" else ""):
        if table:
            units += _table_units(paper, table, passages, [place for place, _ in rows], captions)
        else:
            units += (
                _text_unit(paper, place, passage)
                for place, passage in rows
                if passage.kind not in _SKIPPED and not _describes_table(paper, passage)
            )
    return tuple(unit for unit in units if len(unit.text.split()) >= least)


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
