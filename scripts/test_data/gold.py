"""Writes down what is true of a paper, from the same values its pages were drawn from.

The form is that of the publishers' gold sets: sections, paragraphs, floats, references, citations with their
characters, links, and every block with its box.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from .calls import Json, call_outs, clean, links
from .compose import Composed
from .items import Placed
from .model import Equation, Figure, Paper, Table
from .numbering import Names


def block_id(page: int, order: int) -> str:
    """The id of a block by page and order on the page, both from 1."""
    return f"b_p{page:03d}_{order:04d}"


def markdown_of(block: Placed) -> str:
    """A block's text as it stands behind its tag."""
    return block.markdown.replace("\u00a0", " ")


def numbered(composed: Composed) -> Iterator[tuple[str, int, int, Placed]]:
    """Each block with its id, page and order."""
    for page, drawn in enumerate(composed.pages, 1):
        for order, block in enumerate(drawn.blocks, 1):
            yield block_id(page, order), page, order, block


def make_gold(paper: Paper, names: Names, composed: Composed) -> Json:
    """The gold of a laid-out paper."""
    held = _held(composed)
    citations, crossrefs = call_outs(composed)
    gold: Json = {
        "paper_id": paper.id,
        "title": _title(paper, composed),
        "doi": paper.front["doi"],
        "journal": paper.front["journal"],
        "authors": [{"family": family, "given": given} for family, given in paper.authors],
        "source": {"path": f"test_data/{paper.id}", "doi": paper.front["doi"], "licence": "CC0-1.0"},
        "style": _style(paper),
        "sections": _sections(names, held),
        "paragraphs": _paragraphs(composed, held, citations, crossrefs),
        "figures": _figures(paper, names, composed, held),
        "tables": _tables(paper, names, composed, held),
        "equations": _equations(paper, names, composed, held),
        "references": _references(names, held),
        "citations": citations,
        "crossrefs": crossrefs,
        "citation_links": links((c["host"], n) for c in citations for n in c["refs"]),
        "crossref_links": links(
            (c["host"], c["type"], c["number"]) for c in crossrefs if c["type"] in ("figure", "table")
        ),
        "blocks": [_block(ident, page, order, block) for ident, page, order, block in numbered(composed)],
    }
    gold["stats"] = _stats(gold, len(composed.pages))
    return gold


def _title(paper: Paper, composed: Composed) -> str:
    """The title as printed."""
    first = next(block for block in composed.pages[0].blocks if block.kind == "title")
    return markdown_of(first).removeprefix("# ").strip()


def _held(composed: Composed) -> dict[tuple[str, str], list[str]]:
    """Block ids by what they hold: (kind, ref)."""
    held: dict[tuple[str, str], list[str]] = {}
    for ident, _, _, block in numbered(composed):
        for ref in block.refs:
            held.setdefault((block.kind, ref), []).append(ident)
    return held


def _style(paper: Paper) -> Json:
    style = asdict(paper.style)
    merged = sum(len(group) for group in paper.style.merged_references)
    return {
        "citation_style": style["citations"],
        "native_citation_style": style["citations"],
        "columns": style["columns"],
        "numbered_headings": "1" if style["numbered_headings"] else "no",
        "upper_case_top_headings": style["upper_case_top"],
        "range_dash": style["range_dash"],
        "table_caption_label": style["caption_label"],
        "figure_label": style["figure_label"],
        "reference_number": {"vancouver": "%d. ", "bracketed": "[%d] ", "apa": ""}[style["reference_format"]],
        "references_heading": "References",
        "merged_reference_blocks": round(merged / len(paper.references), 2),
        "running_heads": True,
        "authors_ampersand": style["reference_format"] == "apa",
    }


def _sections(names: Names, held: dict[tuple[str, str], list[str]]) -> list[Json]:
    rows = []
    for section in names.sections.values():
        blocks = held["heading", section.id]
        rows.append(
            {
                "id": section.id,
                "title": section.heading.title,
                "shown": section.shown,
                "depth": section.heading.depth,
                "parent": section.parent,
                "type": section.heading.type,
                "blocks": blocks,
                "page": int(blocks[0][3:6]),
            }
        )
    return rows


def _paragraphs(
    composed: Composed, held: dict[tuple[str, str], list[str]], citations: list[Json], crossrefs: list[Json]
) -> list[Json]:
    rows = []
    for index, (paragraph, section) in enumerate(composed.paragraphs):
        host = f"p{index}"
        called = [c for c in crossrefs if c["host"] == host]
        rows.append(
            {
                "idx": index,
                "section": section,
                "kind": paragraph.kind,
                "text": clean(composed.texts[host]),
                "cites": sorted({n for c in citations if c["host"] == host for n in c["refs"]}),
                "figures": sorted({c["number"] for c in called if c["type"] == "figure"}),
                "tables": sorted({c["number"] for c in called if c["type"] == "table"}),
                "blocks": held["paragraph", host],
            }
        )
    return rows


def _float(ref: str, kind: str, number: str, label: str, shown: str, composed: Composed) -> Json:
    return {
        "id": ref,
        "kind": kind,
        "number": number,
        "label": label,
        "shown_label": shown,
        "caption": clean(composed.texts[ref]),
        "section": composed.homes[ref],
        "supplement_of": None,
    }


def _figures(paper: Paper, names: Names, composed: Composed, held: dict[tuple[str, str], list[str]]) -> list[Json]:
    rows = []
    for figure in (element for element in paper.elements if isinstance(element, Figure)):
        number = names.numbers[figure.id]
        scheme = figure.kind == "Scheme"
        ref = f"fig:Scheme {number}" if scheme else f"fig:{number}"
        shown = f"Scheme {number}." if scheme else paper.style.figure_label.format(number)
        row = _float(ref, figure.kind.lower(), ref[4:], f"{figure.kind} {number}", shown, composed)
        blocks = {"image_blocks": held["figure", ref], "caption_blocks": held["figure-caption", ref]}
        rows.append({**row, **blocks})
    return rows


def _tables(paper: Paper, names: Names, composed: Composed, held: dict[tuple[str, str], list[str]]) -> list[Json]:
    rows = []
    for table in (element for element in paper.elements if isinstance(element, Table)):
        number = names.numbers[table.id]
        ref = f"tab:{number}"
        shown = paper.style.table_label.format(number)
        row = _float(ref, "table", number, f"Table {number}", shown, composed)
        cells = [[clean(cell) for cell in line] for line in composed.cells[ref]]
        blocks = {"table_blocks": held["table", ref], "caption_blocks": held["table-caption", ref]}
        rows.append({**row, "cells": cells, **blocks})
    return rows


def _equations(paper: Paper, names: Names, composed: Composed, held: dict[tuple[str, str], list[str]]) -> list[Json]:
    rows = []
    for equation in (element for element in paper.elements if isinstance(element, Equation)):
        number = names.numbers[equation.id]
        rows.append(
            {
                "id": f"e{number}",
                "number": number,
                "latex": equation.latex,
                "section": composed.homes[f"eq:{number}"],
                "from_graphic": False,
                "blocks": held["equation", f"e{number}"],
            }
        )
    return rows


def _references(names: Names, held: dict[tuple[str, str], list[str]]) -> list[Json]:
    rows = []
    for entry in sorted(names.references.values(), key=lambda entry: entry.number):
        source = entry.source
        first, _, last = source.pages.partition("–")
        rows.append(
            {
                "number": entry.number,
                "jats_id": source.key,
                "text": entry.text,
                "text_without_number": entry.body,
                "text_source": "rendered",
                "authors": [{"family": f, "given": g.replace(".", "").replace(" ", "")} for f, g in source.authors],
                "year": source.year,
                "year_label": entry.year_label,
                "title": source.title,
                "container": source.container,
                "volume": source.volume,
                "issue": source.issue,
                "fpage": first,
                "lpage": last,
                "doi": source.doi,
                "pmid": "",
                "type": source.type,
                "citation_label": entry.label,
                "blocks": held["reference", f"r{entry.number}"],
            }
        )
    return rows


def _block(ident: str, page: int, order: int, block: Placed) -> Json:
    ref: str | list[str] | None = None
    if block.refs:
        ref = block.refs if len(block.refs) > 1 else block.refs[0]
    return {
        "id": ident,
        "page": page,
        "order": order,
        "label": block.label,
        "bbox": block.thousandths(),
        "kind": block.kind,
        "ref": ref,
        "section": block.section,
        "fragment": block.fragment,
    }


def _stats(gold: Json, pages: int) -> Json:
    counted = ("blocks", "sections", "paragraphs", "figures", "tables", "equations", "references")
    return {
        "pages": pages,
        **{name: len(gold[name]) for name in counted},
        "citation_groups": len(gold["citations"]),
        "citation_links": len(gold["citation_links"]),
        "crossref_links": len(gold["crossref_links"]),
        "formulas_only_as_graphics": 0,
    }
