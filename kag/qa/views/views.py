"""The five bounded views through which a paper's graph is read; what a reader, rule or model, may ask.

Every result is JSON, at most 4,000 bytes and 20 items, sorted, and the same each time. Nothing here changes the graph.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from kag.core.errors import BadValue
from kag.core.tool import tool
from kag.indexing.tools.descriptions import Find
from kag.qa.paper import PaperGraph
from kag.qa.passage_index import Hit, SearchIndex
from kag.qa.passages import passages
from kag.qa.views.view_bounds import MAX_ITEMS, excerpt, paged, printable, text_of, whole_of
from kag.qa.views.view_figures import figure_info
from kag.qa.views.view_names import Names
from kag.qa.views.view_nodes import lead, node_detail, node_refs, section_content
from kag.qa.views.view_overview import overview

__all__ = ["Views", "overview"]

HEADER = 200  # characters of a table's header beside one of its rows
_LONGEST_QUERY = 1000  # characters


class Views:
    """The views over one paper; `figures` gives picture files out, `index` is its search index if there is one."""

    def __init__(self, paper: PaperGraph, figures: Find | None = None, index: SearchIndex | None = None) -> None:
        self._paper = paper
        self._names = Names(paper)
        self._figures = figures
        self._given = index

    @tool
    def g_search(self, query: str, limit: int = 10, cursor: str = "") -> dict[str, Any]:
        """Excerpts by words, best first; "a phrase", begin*, -word, section:methods, kind:table, -kind:reference.

        Word forms, LaTeX and Unicode spelling make no difference. Words rank; a phrase, begin* and conditions are
        required; page:3-5, in:ex:... (one section). Kinds: paragraph, caption, table (a row), reference, footnote,
        sectiontitle; -kind:reference leaves the reference list out. Returns {"ok": true, "total", "items": [{"node",
        "kind", "page", "section", "text": the sentences or the table row around what was found, "header" of a row,
        "start", "end", "score"}], "unknown": [words that are nowhere in the paper], "cursor"}.
        """
        asked = printable(text_of(query, "query").strip())
        if not asked or len(asked) > _LONGEST_QUERY:
            raise BadValue("a query is needed", hint=f"Search with 1 to {_LONGEST_QUERY} characters.")
        most = min(whole_of(limit, "limit", 1), MAX_ITEMS)
        return self._searched(asked, most, text_of(cursor, "cursor"))

    @tool
    def g_node_detail(self, node_iri: str, offset: int = 0) -> dict[str, Any]:
        """The text of a node from `offset` on, 2,000 characters at a time, and its properties.

        Returns {"ok": true, "node", "kind", "page", "boxes", "label", "section", "text", "chars": of the whole text,
        "next": offset of what follows or null, "parts": [{"node", "page", "start", "end"}] of a text that goes on in
        other nodes: quote with the node whose part it is, "properties": [{"name", "total", "values"}]}.
        """
        return node_detail(self._paper, self._names.node(node_iri), whole_of(offset, "offset", 0))

    @tool
    def g_section_content(self, section_iri: str, cursor: str = "") -> dict[str, Any]:
        """What a section holds, named by "ex:...", number or title; "" is the whole paper.

        In reading order. Returns {"ok": true, "section", "title", "number", "page", "path", "types", "header", "total",
        "items": [{"node", "kind", "page", "text": beginning of its "chars" characters, "label", "continued": [{"node",
        "page"}]} or {"node", "kind": "Section", "text": title, ...}], "cursor": for the next items, "" at the end}.
        """
        return section_content(self._paper, self._names.section(section_iri), text_of(cursor, "cursor"))

    @tool
    def g_figure_info(self, figure_iri: str, offset: int = 0) -> dict[str, Any]:
        """A figure or table, as "Table 2": caption, picture or cells, who refers to it.

        `offset` reads on in a long table. Returns {"ok": true, "figure", "kind", "label", "page", "boxes", "caption":
        {"node", "text", "chars"} or null, "picture" or null, "problem", "table": {"rows", "columns", "text": whole rows
        from `offset` on, "chars", "next": offset of what follows or null} or null, "description": a machine's words,
        never to be quoted, or null, "referred_by": [{"node", "page", "text": the sentence}], "referred_by_total",
        "more": how to read what is not shown, "" where nothing is left}.
        """
        figure = self._names.float_(figure_iri)
        return figure_info(self._paper, figure, self._figures, whole_of(offset, "offset", 0))

    @tool
    def g_node_refs(self, node_iri: str, cursor: str = "") -> dict[str, Any]:
        """What cites or refers to a node, and what it cites and refers to, with those sentences.

        Of a section: all links of what it holds. Each other node once. Returns {"ok": true, "node", "counts":
        {relation: how many}, "total", "items": [{"relation": "cites", "refers_to", "describes", "continues" or
        "cited_by", ..., "node", "kind", "page", "label", "text": its beginning, "in": node whose text has the
        citation, "surface": the citation, "sentence": the sentence around it, "start", "end", "times"}], "cursor"}.
        A reference's label is its number.
        """
        return node_refs(self._paper, self._names.node(node_iri), text_of(cursor, "cursor"))

    @cached_property
    def index(self) -> SearchIndex:
        """The search index over the paper's passages; built when first asked for, unless one was given."""
        return self._given or SearchIndex(passages(self._paper))

    def _searched(self, query: str, limit: int, cursor: str) -> dict[str, Any]:
        ranking = self.index.rank(query)

        def row(number: int) -> dict[str, Any]:
            return self._row(self.index.hit(ranking, number))

        head = {"query": query, "unknown": list(ranking.unknown[:10])}
        return paged(("g_search", query), head, ranking.order, row, cursor, limit)

    def _row(self, hit: Hit) -> dict[str, Any]:
        iri, start, end = hit.snippet
        node, passage = self._paper.nodes[iri], hit.passage
        start, end = excerpt(node, start, end)
        row = {
            "node": node.name,
            "kind": passage.kind,
            "page": node.page,
            "section": passage.path[-1][:80] if passage.path else "",
            "text": node.text[start:end],
        }
        if passage.kind == "table":
            row["header"] = lead(passage.heading, HEADER)
        return {**row, "start": start, "end": end, "score": round(hit.score, 2)}
