"""Pages of one paper: the evidence viewer, its figures and tables, references, review of the parse, graph, run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kag.core.errors import KagError
from kag.export.trajectory_report import report_of
from kag.qa.page.page_nodes import entry_text
from kag.qa.paper import Node, PaperGraph
from kag.rdf.namespaces import KAG
from kag.serve.api.of_papers import EXPORTS, detail
from kag.serve.pages.library import Names, Query, first, number
from kag.serve.pages.render import as_html
from kag.serve.papers.corrections import read_corrections, version_of
from kag.serve.papers.neighbours import FAR, MOST, NEAR, around
from kag.serve.service import Service

LONGEST = 200_000  # characters of a trajectory that are shown
SHORT = 110


def _named(service: Service, names: Names) -> dict[str, Any]:
    """Return the common values of a paper's pages."""
    return {"paper": detail(service, names["paper"]), "forms": list(EXPORTS)}


def paper_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """The paper to be read: its text in order, for those whose browser runs no script."""
    graph = service.reader.graph(names["paper"])
    return {**_named(service, names), "sections": [_section(graph, iri) for iri in graph.sections]}


def _section(graph: PaperGraph, iri: str) -> dict[str, Any]:
    section = graph.sections[iri]
    nodes = [graph.nodes[content] for content in section.contents if graph.nodes[content].kind != "SectionTitle"]
    return {
        "name": section.name.removeprefix("ex:"),
        "title": section.title or section.number,
        "level": min(section.depth + 1, 6),
        "page": section.page,
        "depth": section.depth,
        "nodes": [
            {"name": node.name.removeprefix("ex:"), "kind": node.kind, "label": node.label, "text": node.plain}
            for node in nodes
        ],
    }


def floats_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """Figures and tables as a gallery."""
    paper = service.reader.paper(names["paper"])
    drawn = service.pictures(names["paper"])
    graph = service.reader.graph(names["paper"])
    images = {path: one["file"] for path, one in drawn.figures.items()}
    figures = [
        {
            "one": figure,
            "caption": _caption(graph, figure.node),
            "name": graph.name(figure.node).removeprefix("ex:"),
            "files": [images[path] for path in graph.graph.values(figure.node, str(KAG.imagePath)) if path in images],
        }
        for figure in paper.figures
    ]
    tables = [
        {"one": table, "caption": _caption(graph, table.node), "name": graph.name(table.node).removeprefix("ex:")}
        for table in paper.tables
    ]
    return {**_named(service, names), "figures": figures, "tables": tables}


def _caption(graph: PaperGraph, node: str) -> str:
    """The caption of a figure or table with its formulas."""
    caption = graph.caption_of(node)
    return caption.text if caption else ""


def references_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """The reference list, with the papers of the corpus that its entries mean."""
    graph = service.reader.graph(names["paper"])
    held = {one.iri: one.id for one in service.reader.state.papers}
    here = _cited(service, names["paper"])
    rows = [
        {
            "one": reference,
            "name": graph.name(reference.node).removeprefix("ex:"),
            "held": here.get(reference.node, ""),
            "text": entry_text(reference.text, str(reference.number)),
        }
        for reference in service.reader.paper(names["paper"]).references
    ]
    return {**_named(service, names), "rows": rows, "known": len(held)}


def _cited(service: Service, paper: str) -> Mapping[str, str]:
    """The papers of the corpus by the entries that mean them."""
    try:
        with service.reader.turn:
            return {
                citation.reference: citation.cited
                for citation in service.reader.shelf().citations
                if citation.citing == paper
            }
    except KagError:  # there is no index yet
        return {}


def review_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """One page as it was parsed, next to its picture, with forms for corrections."""
    graph = service.reader.graph(names["paper"])
    named = _named(service, names)
    floats = graph.of_kind("Figure", "Table")
    node = graph.nodes.get(graph.resolve(first(query, "node")) or "")
    page = node.page if node else number(query, "page") or 1
    paper = named["paper"]
    fields = (
        ("title", "Title", paper.title),
        ("authors", "Authors, with semicolons", "; ".join(paper.authors)),
        ("year", "Year", paper.year or ""),
        ("doi", "DOI", paper.doi),
        ("url", "Address", service.reader.paper(names["paper"]).url),
    )
    return {
        **named,
        "fields": fields,
        "page": page,
        "rows": [_part(one) for one in graph.nodes.values() if one.page == page],
        "picture": service.pictures(names["paper"]).pages.get(page),
        "sections": [section for section in graph.sections.values() if not section.synthetic],
        "floats": floats,
        "captions": {
            float_.iri: caption.name if (caption := graph.caption_of(float_.iri)) else "" for float_ in floats
        },
        "version": version_of(service.home, names["paper"]),
        "kept": service.home.source(names["paper"]).is_dir(),
        "made": read_corrections(service.home.corrections(names["paper"])),
        "node": node.name if node else "",
    }


_TITLES = {"SectionTitle": "Heading", "BibliographicReference": "Reference", "FigureLabel": "Label"}


def _part(node: Node) -> dict[str, Any]:
    """A printed part of a page for its row."""
    title = _TITLES.get(node.kind) or re.sub(r"(?<=[a-z])[A-Z]", lambda found: f" {found[0].lower()}", node.kind)
    boxes = [list(box) for box in node.boxes]
    return {"name": node.name, "kind": node.kind, "title": title, "words": _start(node.plain), "boxes": boxes}


def _start(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= SHORT else words[:SHORT].rsplit(" ", 1)[0] + " …"


def graph_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """A node and what is linked to it; with `wide` also what is up to `FAR` links away, `MOST` nodes at most."""
    wide = first(query, "wide") == "1"
    reach = {"hops": FAR, "most": MOST} if wide else {"hops": 1, "most": NEAR}
    neighbourhood = around(service.reader.graph(names["paper"]), first(query, "node"), **reach)
    return {
        **_named(service, names),
        "graph": neighbourhood,
        "source": f"/api/v1/papers/{names['paper']}/neighbours",
        "asked": {"node": neighbourhood.centre, **reach},
        "wider": None if wide else {"node": neighbourhood.centre, "wide": 1},
        "most": MOST,
        "title": "Graph",
    }


def run_page(service: Service, names: Names, query: Query) -> Mapping[str, Any]:
    """Show how the paper's graph was built."""
    named = _named(service, names)
    report = report_of(service.reader.state.library.path(names["paper"]))
    made = read_corrections(service.home.corrections(names["paper"]))
    return {**named, "report": as_html(report[:LONGEST]), "cut": len(report) > LONGEST, "made": made}
