"""Tools for many papers: search them, walk their graph, and export it as JSON-LD.

The actions of a retrieval agent over a SAGE graph (arXiv:2602.16964). Results are bounded as those of the views are,
and name paper and node as the views of one paper do.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import Any

from kag.core.errors import BadValue, UnknownNode
from kag.core.tool import tool
from kag.qa.found_place import Place
from kag.qa.paper import PaperGraph
from kag.qa.places import chunk_named, first_page, located, short_name
from kag.qa.views.view_bounds import LEAD, MAX_BYTES, excerpt, paged, printable, size, text_of, whole_of
from kag.qa.views.view_nodes import lead
from kag.retrieval.chunking import Chunk
from kag.retrieval.facets import Counts, faceted, finder, given
from kag.retrieval.graph.build import waiting
from kag.retrieval.hits_json_ld import Articles, graph_lines, result_lines
from kag.retrieval.index import Index
from kag.retrieval.property_graph.elements import Edge, Graph
from kag.retrieval.retrieve import search, surroundings

DEEP = 50  # hits of a search at most; the cursor leads through them
MOST = 5000  # chunks whose graph is exported in answers
WHOLE = 2600  # bytes of a hit with its section around it: what a page of an answer has room for
_PIECE = 2500  # characters of an export in one answer; they take up to 4,000 bytes
_VALUES = 10  # of a facet in an answer, at most
_VALUE = 60  # characters of one that is told
_FACETS = 1200  # bytes of facets in an answer
NOTHING: dict[str, Any] = {}
_SHARED = 5  # names that an edge's ends share, and that are shown


class CorpusTools:
    """The actions over an index; `papers` prove what is shown, `plan` is the one that a search takes by itself."""

    def __init__(
        self,
        index: Index,
        papers: Mapping[str, PaperGraph] | None = None,
        *,
        articles: Articles | None = None,
        years: Mapping[str, str] | None = None,
        plan: str = "",
    ) -> None:
        self._index, self._papers, self._plan, self._years = index, papers or {}, plan, years or {}
        self._articles = articles or {}
        self._export: tuple[str, list[str]] | None = None

    @tool
    def search_knowledge_graph(
        self,
        query: str,
        limit: int = 10,
        plan: str = "",
        cursor: str = "",
        references: bool = False,
        whole: bool = False,
    ) -> dict[str, Any]:
        """Search all papers at once, in plain words, best first.

        `plan`: bm25 (words), dense (meaning), hybrid, sage (with neighbours in the graph), entity (names), multi_query,
        paths; "" takes the best there is. With `references` entries of reference lists are found too. With `whole` the
        text of a hit is its chunk with its section around it, up to 600 words, one or two hits a page.

        Returns {"ok": true, "query", "plan": what was run, "notes": [what it did without], "total",
        "items": [{"paper", "node": name it so in the paper's views, "chunk": name it so in expand_node, "kind", "page",
        "title", "section", "text": whole sentences or rows of the node, "start", "end", "score", "via": "seed", or the
        edge that led here; with the plan entity "matched_entities", "entity_count"}], "cursor"}.
        """
        asked = printable(text_of(query, "query").strip())
        most = min(whole_of(limit, "limit", 1), DEEP)
        name, entries = text_of(plan, "plan") or self._plan, bool(references)
        found = search(self._index, asked, plan=name, k=most, references=entries)

        def row(number: int) -> dict[str, Any]:
            (place,) = located(found.hits[number : number + 1], asked, self._index, self._papers)
            names = found.matched.get(place.chunk, ())
            entities = {"matched_entities": list(names), "entity_count": len(names)} if names else {}
            return {**(self._widened(place) if whole else self._hit(place)), **entities}

        head = {"query": asked, "plan": found.plan, "notes": list(found.notes)}
        call = ("search_knowledge_graph", asked, plan, str(most), str(entries), str(bool(whole)))
        return paged(call, head, range(len(found.hits)), row, text_of(cursor, "cursor"))

    @tool
    def search_by_facets(
        self, query: str, only: dict[str, Any] = NOTHING, plan: str = "", cursor: str = "", references: bool = False
    ) -> dict[str, Any]:
        """Search all papers, and tell by what the hits can be narrowed down: paper, year, kind, section, entity_kind,
        entity, role (of claims: result, method, conclusion, ...). `only` has the values that hits must have, one of
        each facet, as {"role": ["result"], "entity": "species:people"}; take them from "facets" of a result.

        Returns {"ok": true, "query", "plan", "chosen": what was understood of `only`, "facets": {facet: {value: how
        many of the first 200 hits}}, the most frequent values, "notes", "total", "items": as search_knowledge_graph
        gives them, "cursor"}.
        """
        asked = printable(text_of(query, "query").strip())
        wanted, entries = given(only), bool(references)
        name = text_of(plan, "plan") or self._plan
        found = faceted(self._index, wanted, self._years, finder(self._index, asked, name, entries))

        def row(number: int) -> dict[str, Any]:
            (place,) = located(found.hits[number : number + 1], asked, self._index, self._papers)
            return self._hit(place)

        result = {"query": asked, "plan": found.found.plan, "notes": [*found.found.notes, *found.notes]}
        head = {
            **result,
            "chosen": {one: [*some] for one, some in found.chosen.items()},
            "facets": _frequent(found.counts),
        }
        call = ("search_by_facets", asked, json.dumps(wanted, sort_keys=True), name, str(entries))
        return paged(call, head, range(min(len(found.hits), DEEP)), row, text_of(cursor, "cursor"))

    @tool
    def expand_node(self, node: str, labels: str = "", cursor: str = "") -> dict[str, Any]:
        """Return the neighbours of a place over all papers; named as "smith2020/ex:b_p001_0004", or a paper alone.

        The strongest links come first. A place may also be named by "chunk" of a search result. `labels`: only these
        relations, by blanks.

        Returns {"ok": true, "chunk", "paper", "text": its beginning, "counts": {relation: how many}, "total", "items":
        [{"relation": as "cites", "refers_to", "next", "parent_child", "mentions", "cell_title", or alike: "doc_doc",
        "table_doc", "table_table", "out": from here to there, "weight", "shared": [names], "chunk", "paper", "node",
        "kind", "page", "section", "text": beginning}], "cursor"}.
        """
        name = self._named(text_of(node, "the node"))
        wanted = frozenset(text_of(labels, "labels").replace(",", " ").split())
        edges = sorted(self._graph.edges_of(name), key=lambda edge: (-edge.weight, edge.other(name), edge.label))
        counts = Counter(edge.label for edge in edges)
        if unknown := sorted(wanted - counts.keys()):
            hint = f"It has {', '.join(sorted(counts)) or 'no links'}."
            raise BadValue(f"unknown link {printable(unknown[0][:80])!r} here", hint=hint)
        kept = [edge for edge in edges if not wanted or edge.label in wanted]

        def row(edge: Edge) -> dict[str, Any]:
            shared = [str(one) for one in edge.props.get("shared", ())][:_SHARED]
            link = {"relation": edge.label, "out": edge.source == name, "weight": round(edge.weight, 3)}
            return {**link, **({"shared": shared} if shared else {}), **self._card(edge.other(name))}

        chunk = self._index.chunks[name]
        head = {"chunk": short_name(name), "paper": chunk.document, "text": lead(chunk.text)}
        call = ("expand_node", name, *sorted(wanted))
        return paged(call, {**head, "counts": dict(sorted(counts.items()))}, kept, row, text_of(cursor, "cursor"))

    @tool
    def graph_statistics(self) -> dict[str, Any]:
        """Return the size of the searched data.

        Returns {"ok": true, "papers", "chunks", "kinds": {kind: how many}, "vectors": whether meaning is compared,
        "nodes", "edges": {relation: how many}, "waiting": chunks whose edges of likeness are not made yet}.
        """
        chunks, graph = self._index.chunks.values(), self._index.edges
        return {
            "ok": True,
            "papers": len(self._index.documents),
            "chunks": len(self._index.chunks),
            "kinds": dict(sorted(Counter(str(chunk.kind) for chunk in chunks).items())),
            "vectors": self._index.vectors is not None,
            "nodes": len(graph) if graph is not None else 0,
            "edges": dict(graph.label_counts()) if graph is not None else {},
            "waiting": waiting(graph) if graph is not None else 0,
        }

    @tool
    def export_json_ld(self, query: str = "", cursor: str = "") -> dict[str, Any]:
        """JSON-LD (schema.org) of the whole graph, or of what a query finds; in pieces: join their texts.

        Returns {"ok": true, "query", "total": pieces, "items": [{"text"}], "cursor": for the next one, "" at the end}.
        """
        asked = printable(text_of(query, "query").strip())
        pieces = self._exported(asked)
        call = ("export_json_ld", asked)
        return paged(call, {"query": asked}, pieces, lambda piece: {"text": piece}, text_of(cursor, "cursor"), 1)

    def _exported(self, asked: str) -> list[str]:
        """The pieces of an export; those of the last one are kept while they are read."""
        if not asked and len(self._index.chunks) > MOST:
            hint = "Export what a query finds; a person can take `kag corpus export --format jsonld`."
            raise BadValue(f"{len(self._index.chunks)} chunks are too many for an answer", hint=hint)
        if self._export is None or self._export[0] != asked:
            lines = (
                result_lines(search(self._index, asked, plan=self._plan), self._index, self._articles)
                if asked
                else graph_lines(self._index, self._articles)
            )
            self._export = asked, _pieces("".join(lines))
        return self._export[1]

    @property
    def _graph(self) -> Graph:
        if self._index.edges is None:
            raise BadValue("this index has no graph", hint="Search instead; `kag corpus index --graph` makes one.")
        return self._index.edges

    def _named(self, name: str) -> str:
        found = chunk_named(printable(name), self._index)
        if found is None:
            hint = 'Take "chunk" of a search result, or "paper/node" of one.'
            raise UnknownNode(f"unknown node {printable(name[:80])!r}", hint=hint)
        return found

    def _hit(self, place: Place) -> dict[str, Any]:
        text, span = place.text, dict[str, int]()
        if place.evidence and place.paper in self._papers:
            node = self._papers[place.paper].nodes[place.evidence.node]
            start, end = excerpt(node, place.evidence.start, place.evidence.end)
            text, span = node.text[start:end], {"start": start, "end": end}
        label, _, source = place.via.partition(" from ")
        return {
            "paper": place.paper,
            "node": self._node(place.paper, place.node),
            "chunk": short_name(place.chunk),
            "kind": place.kind,
            "page": place.page,
            "title": place.title[:80],
            "section": place.section[-1][:80] if place.section else "",
            "text": text,
            **span,
            "score": round(place.score, 4),
            "via": f"{label} from {short_name(source)}" if source else label,
        }

    def _widened(self, place: Place) -> dict[str, Any]:
        """The chunk of a hit with its section around it, and its place in its document, in place of a stretch."""
        around = surroundings(self._index, place.chunk, _bytes, WHOLE // 2, WHOLE)
        order = self._index.of_document(self._index.chunks[place.chunk].document)
        hit = {name: value for name, value in self._hit(place).items() if name not in ("start", "end")}
        return {**hit, "text": around.text, "chunk_index": order.index(place.chunk)}

    def _card(self, name: str) -> dict[str, Any]:
        """Return a chunk's row in a list."""
        chunk: Chunk = self._index.chunks[name]
        return {
            "chunk": short_name(name),
            "paper": chunk.document,
            "node": self._node(chunk.document, next(iter(chunk.sources), "")),
            "kind": chunk.metadata.get("kind", str(chunk.kind)),
            "page": first_page(chunk),
            "section": chunk.topic.rpartition(" > ")[2][:80],
            "text": lead(chunk.text, LEAD),
        }

    def _node(self, paper: str, iri: str) -> str:
        """A node as the paper's views name it."""
        short = short_name(iri)
        return f"ex:{short.removeprefix(f'{paper}/')}" if short.startswith(f"{paper}/") else iri


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _frequent(counts: Counts) -> dict[str, dict[str, int]]:
    """The most frequent values of each facet, as many as an answer has room for."""
    most = _VALUES
    while True:
        short = (
            {value: count for value, count in values.items() if len(value) <= _VALUE} for values in counts.values()
        )
        frequent = {
            name: dict(islice(values.items(), most)) for name, values in zip(counts, short, strict=True) if values
        }
        if most == 1 or size(frequent) <= _FACETS:
            return frequent
        most -= 1


def _pieces(text: str) -> list[str]:
    """A text cut so that each piece is within the bounds of one answer."""
    found, at = [], 0
    while at < len(text):
        length = _PIECE
        while size(text[at : at + length]) > MAX_BYTES - 1000:
            length = length // 2
        found.append(text[at : at + length])
        at += length
    return found
