"""Chunks, documents and edges as JSON-LD 1.1 in the terms of schema.org; ours are declared in `ontology/`.

All is in the default graph, and keys and identifiers are made here: what a paper says only ever becomes a string. An
edge is a node of its own, because weight and shared names are said of the edge: a reified statement. In RDF 1.2 or with
named graphs they could be said of the triple itself; readers of JSON-LD 1.1 know neither.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from kag.core.shapes import without_empty
from kag.core.works import doi_iri
from kag.rdf.namespaces import PAPERS, paper_base
from kag.retrieval.chunking import Chunk, ChunkKind, Hit
from kag.retrieval.facets import things_in
from kag.retrieval.graph.build import in_order
from kag.retrieval.graph.entities import entities, name_form
from kag.retrieval.index import Index
from kag.retrieval.property_graph.elements import Edge
from kag.retrieval.retrieve import Found

_ROOT = "http://la3d.local/kag/"
CHUNKS, NODES, NAMES = f"{_ROOT}chunk/", f"{_ROOT}node/", f"{_ROOT}name/"
EDGES, SEARCHES = f"{_ROOT}edge/", f"{_ROOT}search/"
GRAPH = f"{_ROOT}search-graph"
METHOD = "arXiv:2602.16964"

_LITERALS = (
    *("name", "text", "keywords", "identifier", "datePublished", "description"),
    *("query", "numberOfItems", "position"),
)
_LINKS = ("isPartOf", "mentions", "sameAs", "result", "itemListElement", "item")
CONTEXT: Mapping[str, Any] = {
    "@version": 1.1,
    "schema": "https://schema.org/",
    "kag": "http://la3d.local/kag#",
    "prov": "http://www.w3.org/ns/prov#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    **{name: f"schema:{name}" for name in _LITERALS},
    **{name: {"@id": f"schema:{name}", "@type": "@id"} for name in _LINKS},
    "cites": {"@id": "schema:citation", "@type": "@id"},
    "method": "schema:citation",
    "covers": {"@id": "prov:wasDerivedFrom", "@type": "@id"},
    "pageNumber": {"@id": "kag:pageNumber", "@type": "xsd:integer"},
    "column": "kag:column",
    "additionalType": "schema:additionalType",
    "sourceType": "kag:sourceType",
    "targetType": "kag:targetType",
    "source": {"@id": "kag:source", "@type": "@id"},
    "target": {"@id": "kag:target", "@type": "@id"},
    "relation": "kag:relation",
    "weight": {"@id": "kag:weight", "@type": "xsd:double"},
    "shared": "kag:shared",
    "score": {"@id": "kag:score", "@type": "xsd:double"},
    "via": "kag:via",
    "plan": "kag:plan",
    "note": "kag:note",
}


@dataclass(frozen=True, slots=True)
class Article:
    """Metadata of a document: its IRI, and the IRIs of those that it `cites`."""

    iri: str
    title: str = ""
    year: str = ""
    doi: str = ""
    cites: tuple[str, ...] = ()


Articles = Mapping[str, Article]
"""Documents by id."""


def graph_lines(index: Index, articles: Articles | None = None) -> Iterator[str]:
    """The whole graph as the text of one JSON-LD document, in pieces: documents, chunks, edges, each in order.

    `articles` say more of documents than their chunks do.
    """
    with index.whole():
        yield from _document(_nodes(index, articles or {}))


def result_lines(found: Found, index: Index, articles: Articles | None = None) -> Iterator[str]:
    """Yield the results of a question as such a document: the search with its hits, their documents and chunks."""
    with index.whole():
        chunks = [index.chunks[hit.chunk] for hit in found.hits]
        known = _known(chunks, articles or {})
        yield from _document((_search(found), *_articles(known), *(_chunk(chunk, known) for chunk in chunks)))


def chunk_iri(chunk: str) -> str:
    """The IRI of a chunk: not that of the node which gives it its id, for it may cover more or less than that node."""
    return CHUNKS + quote(chunk.removeprefix(PAPERS), safe="/")


def _document(nodes: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    yield f'{{"@context": {_json(CONTEXT)},\n"@graph": ['
    for number, node in enumerate(nodes):
        yield f"{',' if number else ''}\n{_json(without_empty(node))}"
    yield "\n]}\n"


def _json(value: Any) -> str:
    """JSON that UTF-8 can write: half a surrogate pair becomes a question mark."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()


def _nodes(index: Index, articles: Articles) -> Iterator[Mapping[str, Any]]:
    yield {
        "@id": GRAPH,
        "@type": "schema:Dataset",
        "name": "Search graph",
        "description": "Chunks of documents and the edges between them. An edge is a node of type kag:Relationship "
        "with kag:source, kag:target, kag:relation and kag:weight: a reified statement.",
        "method": METHOD,
    }
    known = _known((index.chunks[index.of_document(name)[0]] for name in index.documents), articles)
    yield from _articles(known)
    yield from (_chunk(chunk, known) for chunk in in_order(index))
    if index.edges is not None:
        for name in (name for document in index.documents for name in index.of_document(document)):
            leaving = (edge for edge in index.edges.edges_of(name) if edge.source == name)
            ordered = sorted(leaving, key=lambda edge: (edge.label, edge.target))
            yield from (_edge(edge, index.chunks[edge.source], index.chunks[edge.target]) for edge in ordered)


def _known(chunks: Iterable[Chunk], articles: Articles) -> Articles:
    """The documents of chunks; one of which no more is known by the title that its chunk names."""
    titles = {chunk.document: chunk.title for chunk in chunks if chunk.document}
    return {name: articles.get(name) or Article(_document_iri(name), title) for name, title in titles.items()}


def _articles(known: Articles) -> Iterator[Mapping[str, Any]]:
    return (_article(name, known[name]) for name in sorted(known))


def _article(name: str, article: Article) -> Mapping[str, Any]:
    return {
        "@id": article.iri,
        "@type": "schema:ScholarlyArticle",
        "identifier": name,
        "name": article.title,
        "datePublished": article.year,
        "sameAs": doi_iri(article.doi) if article.doi else "",
        "cites": sorted(article.cites),
    }


def _chunk(chunk: Chunk, known: Articles) -> Mapping[str, Any]:
    path = list(filter(None, chunk.topic.split(" > ")))
    printed = reversed(chunk.entities or entities(chunk.text))  # of two spellings the first is kept
    names = {form: name for name in printed if (form := name_form(name))}
    things = [(name, thing.kind) for thing in things_in(chunk) for name in (thing.name, *thing.printed)]
    kinds = {name_form(name): kind for name, kind in reversed(things)}
    names |= {form: name for name, _ in reversed(things) if (form := name_form(name))}
    return {
        "@id": chunk_iri(chunk.id),
        "@type": "schema:Table" if chunk.kind is ChunkKind.TABLE else "schema:CreativeWork",
        "identifier": chunk.id,
        "name": path[-1] if path else chunk.title,
        "text": chunk.text,
        "isPartOf": known[chunk.document].iri if chunk.document else "",
        "keywords": path,
        "column": list(chunk.columns),
        "pageNumber": [int(page) for page in chunk.metadata.get("pages", "").split() if page.isdecimal()],
        "mentions": [
            without_empty(
                {
                    "@id": NAMES + quote(form, safe=""),
                    "@type": "schema:Thing",
                    "additionalType": kinds.get(form, ""),
                    "name": name,
                }
            )
            for form, name in sorted(names.items())
        ],
        "covers": [_node_iri(node) for node in chunk.sources],
    }


def _edge(edge: Edge, source: Chunk, target: Chunk) -> Mapping[str, Any]:
    named = "\n".join((edge.source, edge.label, edge.target))
    return {
        "@id": EDGES + _digest(named),
        "@type": "kag:Relationship",
        "source": chunk_iri(edge.source),
        "target": chunk_iri(edge.target),
        "sourceType": str(source.kind),
        "targetType": str(target.kind),
        "relation": edge.label,
        "weight": edge.weight,
        "shared": [str(one) for one in edge.props.get("shared", ())],
    }


def _search(found: Found) -> Mapping[str, Any]:
    name = SEARCHES + _digest("\n".join((found.query, found.plan, *(hit.chunk for hit in found.hits))))
    return {
        "@id": name,
        "@type": "schema:SearchAction",
        "query": found.query,
        "plan": found.plan,
        "note": list(found.notes),
        "result": {
            "@id": f"{name}#list",
            "@type": "schema:ItemList",
            "numberOfItems": len(found.hits),
            "itemListElement": [_item(name, place, hit) for place, hit in enumerate(found.hits, start=1)],
        },
    }


def _item(search: str, place: int, hit: Hit) -> Mapping[str, Any]:
    return {
        "@id": f"{search}#{place}",
        "@type": "schema:ListItem",
        "position": place,
        "item": chunk_iri(hit.chunk),
        "score": hit.score,
        "via": hit.via,
    }


def _document_iri(name: str) -> str:
    return f"{paper_base(quote(name, safe=''))}document"


def _node_iri(node: str) -> str:
    """Return a node's own IRI, percent-encoded; an invalid name gets a new one."""
    if node.startswith(("http://", "https://")):
        return quote(node, safe=":/?#[]@!$&'()*+,;=%~")
    return NODES + quote(node, safe="")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
