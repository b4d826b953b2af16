"""The run of a paper as a draft: the paper, what it cites, and, where its entity layer is there, what it reports on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kag.agents.ingest.finding import LAYERS, printed
from kag.agents.ingest.values import Document, Draft
from kag.core.errors import SourceError
from kag.core.files import read_regular
from kag.export.parts import authors, references
from kag.kgrag.domain import Domain
from kag.qa.paper import PaperGraph, local_name
from kag.rdf.namespaces import FABIO, PRISM
from kag.rdf.published import PublishedGraph
from kag.retrieval.property_graph.contributions import Contribution

AUTHOR = "rule:paper"
LONGEST_TITLE = 300


def read_paper(document: Document, domain: Domain) -> tuple[Contribution, ...]:
    """The draft of a paper's run; raises `RunError` and `SourceError`."""
    paper = PaperGraph.load(document.path)
    text, places = printed(paper)
    draft = Draft(document, AUTHOR)
    title = paper.title or document.name
    at = text.find(title)
    span = (at, at + len(title)) if at >= 0 else (0, min(len(text), LONGEST_TITLE))
    this = draft.node("Paper", title, span, _about(paper, title))
    for one in references(paper):
        said = {"doi": one.doi, "year": one.year, "authors": list(one.authors), "container": one.container}
        props = {
            "title": (one.title or one.text)[:LONGEST_TITLE],
            **{key: value for key, value in said.items() if value},
        }
        where = places.get(one.node, span)
        cited = draft.node("Paper", one.title or f"reference {one.number}", where, props)
        draft.edge("cites", this, cited, where, {"number": one.number})
    for label, names in _entities(document, domain):
        found = [(text.find(name), name) for name in names]
        start, printed_as = min((one for one in found if one[0] >= 0), default=(0, ""))
        where = (start, start + len(printed_as)) if printed_as else span
        props = {"name": names[0], **({"aliases": names[1:]} if names[1:] else {})}
        draft.edge("reports_on", this, draft.node(label, names[0], where, props), where)
    return draft.said


def _about(paper: PaperGraph, title: str) -> dict[str, Any]:
    """What the graph says of the paper itself."""
    year = paper.graph.value(paper.document, str(FABIO.hasPublicationYear))
    said: Mapping[str, Any] = {
        "doi": paper.graph.value(paper.document, str(PRISM.doi)), "authors": list(authors(paper)),
        "year": int(year) if year.isdecimal() and len(year) < 10 else None,
    }  # fmt: skip
    return {"title": title, **{key: value for key, value in said.items() if value}}


def _entities(document: Document, domain: Domain) -> Iterator[tuple[str, list[str]]]:
    """The entities of the paper's entity layer that the domain has a label for: the label, and the names."""
    path = document.path / LAYERS[1]
    if not path.is_file():
        return
    try:
        graph = PublishedGraph.parse(read_regular(path))
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: {error}"[:300], hint="Read the paper's layers again.") from error
    labels = {label.casefold(): label for label in domain.schema.node_labels}
    for iri in sorted(graph):
        said = {local_name(key): values for key, values in graph.properties(iri).items()}
        kind = next(iter(said.get("kind", ())), "")
        names = [*said.get("prefLabel", ()), *sorted(said.get("altLabel", ()))]
        if kind.casefold() in labels and names:
            yield labels[kind.casefold()], names
