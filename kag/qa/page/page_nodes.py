"""Printed nodes as values for the page: by number with their places; sections, floats, reference entries."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from kag.core.errors import SourceError
from kag.qa.paper import CITES, REFERS, Node, PaperGraph
from kag.qa.printed_table import printed_table, row_spans
from kag.rdf.namespaces import KAG
from kag.sources.pdf.read import printed_in
from kag.text.plain import plain

Place = list[int]  # page, then a box in thousandths of it
Ledger = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Index:
    """The nodes of one paper by IRI, with their numbers on the page and where they are printed; lines if known."""

    paper: str
    nodes: Mapping[str, Node]
    numbers: Mapping[str, int]
    places: Mapping[str, list[Place]]
    lines: Lines


def index_nodes(paper: PaperGraph, ledger: Ledger, lines: Lines | None = None) -> Index:
    """The index of a paper; `ledger` are the rows of its blocks by id (empty: all boxes are on the node's page)."""
    numbers = {iri: number for number, iri in enumerate(paper.nodes)}
    places = {iri: _places(paper, node, ledger) for iri, node in paper.nodes.items()}
    return Index(paper.id, paper.nodes, numbers, places, lines or {})


def _places(paper: PaperGraph, node: Node, ledger: Ledger) -> list[Place]:
    """Each box with its page; a node made from blocks of several pages has them from the ledger."""
    blocks = [ledger[block] for block in paper.graph.values(node.iri, str(KAG.sourceBlock)) if block in ledger]
    places = [[row["page"], *box] for row in blocks for box in row["boxes"]]
    if sorted(place[1:] for place in places) == sorted(list(box) for box in node.boxes):
        return places
    return [[node.page, *box] for box in node.boxes]


def units(text: str, at: int) -> int:
    """A place in a text counted as scripts count: in UTF-16 units.

    >>> units("a𝛼b", 2)
    3
    """
    return at + sum(character > "\uffff" for character in text[:at])


def node_rows(paper: PaperGraph, index: Index) -> list[dict[str, Any]]:
    """The printed nodes in reading order; `plain` is left out where it is the text itself."""
    return [_node(paper, node, index) for node in index.nodes.values()]


def _node(paper: PaperGraph, node: Node, index: Index) -> dict[str, Any]:
    section = paper.sections.get(node.section)
    words = node.plain
    row = {
        "name": node.name,
        "kind": node.kind,
        "page": node.page,
        "places": index.places[node.iri],
        "text": node.text,
        "plain": "" if words == node.text else words,
        "label": node.label,
        "section": " › ".join(section.path) if section else "",
    }
    return {key: value for key, value in row.items() if value or key == "text"}


def section_rows(paper: PaperGraph, index: Index) -> list[dict[str, Any]]:
    """The sections in reading order with their depth; `node` is the title, or what comes first where it has none."""
    rows = []
    for section in paper.sections.values():
        first = next((index.numbers[iri] for iri in (section.header, *section.contents) if iri in index.numbers), None)
        rows.append(
            {
                "title": section.title,
                "number": section.number,
                "depth": section.depth,
                "types": list(section.types),
                "page": section.page,
                "node": first,
                "synthetic": section.synthetic,
            }
        )
    return rows


def float_rows(paper: PaperGraph, index: Index) -> list[dict[str, Any]]:
    """Figures and tables with caption, cells, a model's description, and mentions.

    A row of cells has `span`, where its line stands in the table's text (UTF-16 units), and `cells`, each its words and
    the rows and columns that it covers.
    """
    rows = []
    for node in paper.of_kind("Figure", "Table"):
        caption = paper.caption_of(node.iri)
        rows.append(
            {
                "node": index.numbers[node.iri],
                "caption": index.numbers[caption.iri] if caption else None,
                **(_table(paper, node) if node.kind == "Table" else {"head": 0, "rows": []}),
                "machine": paper.graph.value(node.iri, str(KAG.imageDescription)),
                "from": _numbers(paper.sources(node.iri, REFERS), index),
            }
        )
    return rows


def _table(paper: PaperGraph, node: Node) -> dict[str, Any]:
    table, head = printed_table(paper, node)
    rows: list[dict[str, Any]] = [
        {"span": span and [units(node.text, place) for place in span], "cells": []}
        for span in row_spans(table, node.text)
    ]
    for cell in table.cells:
        rows[cell.row]["cells"].append([plain(cell.text), cell.row_span, cell.column_span])
    return {"head": head, "rows": rows}


def entry_text(text: str, label: str) -> str:
    """The text of a reference entry without the number that is printed in front of it.

    >>> entry_text("[25] T. Yarrow, Drifters", "[25]"), entry_text("3. Ada, B.", "3"), entry_text("30 years", "3")
    ('T. Yarrow, Drifters', 'Ada, B.', '30 years')
    """
    number = re.escape(label.strip("[]().: \t"))
    return re.sub(rf"^\s*(?:\[{number}\]|\({number}\)|{number}[.):])\s*", "", text) if number else text


def reference_rows(paper: PaperGraph, index: Index, fields: Mapping[str, Mapping[str, str]]) -> list[dict[str, Any]]:
    """The reference list in printed order, each entry with the nodes that cite it, and what was read in it."""
    return [
        {
            "node": index.numbers[node.iri],
            "entry": entry_text(node.plain, node.label),
            "from": _numbers(paper.sources(node.iri, CITES), index),
            "fields": dict(fields.get(node.iri, {})),
        }
        for node in paper.of_kind("BibliographicReference")
    ]


def _numbers(iris: Sequence[str], index: Index) -> list[int]:
    return [index.numbers[iri] for iri in iris if iri in index.numbers]


_ROOM = 6  # thousandths of the page that a line may stand out of its node's box
_ENDS = 24  # letters of the beginning and the end of a quote by which it is found where its middle differs


class Line(NamedTuple):
    """A printed line: its words, and its box in thousandths of the page."""

    text: str
    box: tuple[int, int, int, int]


Lines = Mapping[int, Sequence[Line]]
"""The lines of pages by the number of the page, in reading order."""


def pdf_lines(path: Path) -> dict[int, list[Line]]:
    """The lines of a PDF; none where it has no text that can be read."""
    found: dict[int, list[Line]] = {}
    try:
        for line in printed_in(path).lines:
            found.setdefault(line.page, []).append(
                Line(line.text, (line.box.x0, line.box.y0, line.box.x1, line.box.y1))
            )
    except SourceError:
        return {}
    return found


def quote_places(quote: str, places: Iterable[Sequence[int]], lines: Lines) -> list[list[int]]:
    """The places (page and box) of the lines that print a quote, among those in its node's places; [] if none do.

    The first and the last one begin and end about where the quote does.
    """
    within = [(place[0], line) for place in places for line in lines.get(place[0], ()) if _is_in(line.box, place[1:])]
    letters, owners = "", []
    for number, (_, line) in enumerate(within):
        part = _letters(line.text)
        letters += part
        owners += [(number, at / len(part), (at + 1) / len(part)) for at in range(len(part))]
    start, end = _span(letters, _letters(quote))
    found: dict[int, list[float]] = {}
    for number, low, high in owners[start:end]:
        found.setdefault(number, [low, high])[1] = high
    return [_part(*within[number], *share) for number, share in found.items()]


def _span(letters: str, wanted: str) -> tuple[int, int]:
    """Return the span of a quote's letters; by its ends if its middle is set differently."""
    at = letters.find(wanted)
    if not wanted or at >= 0:
        return at, at + len(wanted)
    first, last = letters.find(wanted[:_ENDS]), letters.find(wanted[-_ENDS:])
    near = len(wanted) // 4 + _ENDS
    whole = last + _ENDS - first
    return (first, last + _ENDS) if 0 <= first <= last and abs(whole - len(wanted)) < near else (0, 0)


def _part(page: int, line: Line, low: float, high: float) -> list[int]:
    x0, y0, x1, y1 = line.box
    return [page, round(x0 + low * (x1 - x0)), y0, round(x0 + high * (x1 - x0)), y1]


def _is_in(box: Sequence[int], outer: Sequence[int]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return outer[0] - _ROOM <= x <= outer[2] + _ROOM and outer[1] - _ROOM <= y <= outer[3] + _ROOM


def _letters(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())
