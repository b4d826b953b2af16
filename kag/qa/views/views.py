"""The five bounded views through which a paper's graph is read; what a reader, rule or model, may ask.

Every result is JSON, at most 4,000 bytes and 20 items, sorted, and the same each time. Nothing here changes the graph.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

from kag.core.errors import BadValue
from kag.core.tool import tool
from kag.indexing.tools.descriptions import Find
from kag.qa.paper import CITES, PaperGraph, Section
from kag.qa.views.view_bounds import MAX_ITEMS, Names, excerpt, paged, printable, shrunk, size, text_of, whole_of
from kag.qa.views.view_figures import figure_info
from kag.qa.views.view_nodes import lead, node_detail, node_refs, section_content
from kag.rdf.namespaces import DCTERMS, FABIO, PRISM

if TYPE_CHECKING:
    from kag.qa.passage_index import Hit, SearchIndex

__all__ = ["Views", "overview"]

HEADER = 200  # characters of a table's header beside one of its rows
_LONGEST_QUERY = 1000  # characters


class Views:
    """The views over one paper; `figures` gives picture files out."""

    def __init__(self, paper: PaperGraph, figures: Find | None = None) -> None:
        self._paper = paper
        self._names = Names(paper)
        self._figures = figures

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
        """Return the content of a section, named by "ex:...", number or title; "" is the whole paper.

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
        """Return the citations and cross-references from and to a node, with their sentences.

        Of a section: all links of what it holds. Each other node once. Returns {"ok": true, "node", "counts":
        {relation: how many}, "total", "items": [{"relation": "cites", "refers_to", "describes", "continues" or
        "cited_by", ..., "node", "kind", "page", "label", "text": its beginning, "in": node whose text has the
        citation, "surface": the citation, "sentence": the sentence around it, "start", "end", "times"}], "cursor"}.
        A reference's label is its number.
        """
        return node_refs(self._paper, self._names.node(node_iri), text_of(cursor, "cursor"))

    @property
    def index(self) -> SearchIndex:
        """The search index over the paper's passages."""
        from kag.qa.passage_features import paper_index

        return paper_index(self._paper)

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


MAX_BYTES = 6000
OUTLINE_BYTES = 1400
_SECTIONS_SHARE = 0.75  # of the bytes that are left for lists
_COUNTED = {
    "paragraphs": "Paragraph",
    "figures": "Figure",
    "tables": "Table",
    "formulas": "Formula",
    "footnotes": "Footnote",
    "references": "BibliographicReference",
}


def overview(paper: PaperGraph) -> dict[str, Any]:
    """Title, authors, year, counts, section tree and floats of a paper, in at most 6,000 bytes.

    Returns {"paper", "title", "authors": [first 12], "year", "doi", "counts": {"pages", "sections", "paragraphs",
    "figures", "tables", "formulas", "footnotes", "references", "citing_texts", "cited_references"},
    "sections": [{"node", "number", "title", "depth", "page", "items", "chars"}], "sections_left_out": 0,
    "floats": [{"node", "label", "page", "caption"}], "floats_left_out": 0}. A continued paragraph counts once;
    sections are left out deepest first.
    """
    graph, document = paper.graph, paper.document
    found: dict[str, Any] = {
        "paper": paper.id,
        "title": paper.title[:300],
        "authors": [name[:80] for name in authors(paper)[:12]],
        "year": graph.value(document, str(FABIO.hasPublicationYear)),
        "doi": graph.value(document, str(PRISM.doi)),
        "counts": counts(paper),
        "sections": [],
        "sections_left_out": 0,
        "floats": [],
        "floats_left_out": 0,
    }
    found = shrunk(found, MAX_BYTES // 3)
    room = MAX_BYTES - size(found) - 40
    kept = _sections(paper, int(room * _SECTIONS_SHARE))
    found["sections"] = kept
    found["sections_left_out"] = len(paper.sections) - len(kept)
    floats = [_float(paper, node.iri) for node in paper.of_kind("Figure", "Table") if node.label or node.number]
    for row in floats:
        if size(found) + size(row) + 40 > MAX_BYTES:
            break
        found["floats"].append(row)
    found["floats_left_out"] = len(floats) - len(found["floats"])
    return found


def outline(paper: PaperGraph) -> str:
    """Return a paper's outline for a prompt: title, authors, year, counts, sections, floats; at most 1,400 bytes.

    Sections go by number and title, by which views find them; the deepest are left out first, then captions.
    """
    facts = overview(paper)
    counted = ((number, name.replace("_", " ")) for name, number in facts["counts"].items() if number)
    numbers = ", ".join(f"{number} {name.removesuffix('s') if number == 1 else name}" for number, name in counted)
    by = "; ".join([*facts["authors"][:4], *(["et al."] if len(facts["authors"]) > 4 else [])])
    printed = ", ".join(filter(None, (by, facts["year"], facts["doi"])))
    head = [facts["title"][:200], *([printed] if printed else []), numbers]
    room = OUTLINE_BYTES - size("\n".join(head))
    depths = sorted({row["depth"] for row in facts["sections"]}, reverse=True)
    left = facts["sections_left_out"] + facts["floats_left_out"]
    choices = [([row for row in facts["sections"] if row["depth"] <= depth], 60) for depth in depths]
    top = choices[-1][0] if choices else []
    for rows, caption in (*choices, *((top[: len(top) >> halved], 0) for halved in range(8))):
        sections = "; ".join(f"{_named(row)} p{row['page']}" for row in rows)
        floats = "; ".join(f"{row['label']} p{row['page']} {_words(row, caption)}".rstrip() for row in facts["floats"])
        hidden = left + len(facts["sections"]) - len(rows)
        lines = [f"Floats: {floats}" if floats else "", f"Sections: {sections}{f' ({hidden} more)' if hidden else ''}"]
        if size("\n".join(lines)) <= room:
            return "\n".join([*head, *filter(None, lines)])
    return "\n".join(head)


def _words(row: dict[str, Any], longest: int) -> str:
    """The beginning of a caption without the label."""
    caption = " ".join(str(row["caption"]).split())
    return lead(caption.removeprefix(str(row["label"])).lstrip(" .:|—–-"), longest) if longest else ""


def _named(row: dict[str, Any]) -> str:
    number, title = str(row["number"]), str(row["title"])[:70]
    return title if title.startswith(number) else f"{number} {title}"


def counts(paper: PaperGraph) -> dict[str, int]:
    """Return the number of a paper's parts by kind."""
    kinds = Counter(paper.nodes[iri].kind for iri in paper.chains)
    cited = [paper.graph.values(iri, str(CITES)) for iri in paper.nodes]
    return {
        "pages": max((node.page for node in paper.nodes.values()), default=0),
        "sections": sum(not section.synthetic for section in paper.sections.values()),
        **{name: kinds[kind] for name, kind in _COUNTED.items()},
        "citing_texts": sum(map(bool, cited)),
        "cited_references": len({entry for entries in cited for entry in entries}),
    }


def authors(paper: PaperGraph) -> list[str]:
    """The authors in the order in which the page prints them."""
    names = paper.graph.values(paper.document, str(DCTERMS.creator))
    printed = " ".join(node.plain for node in paper.of_kind("ListOfAuthors"))

    def place(name: str) -> tuple[int, str]:
        at = printed.find(name)
        return (at if at >= 0 else len(printed)), name

    return sorted(names, key=place)


def _sections(paper: PaperGraph, room: int) -> list[dict[str, Any]]:
    """As much of the section tree as fits, whole levels first, in reading order."""
    chars: Counter[str] = Counter()
    for node in paper.nodes.values():
        chars[node.section] += len(node.text)
    kept: dict[str, dict[str, Any]] = {}
    for section in sorted(paper.sections.values(), key=lambda one: one.depth):
        row = _section(section, chars[section.iri])
        room -= size(row) + 2
        if room < 0:
            break
        kept[section.iri] = row
    return [kept[iri] for iri in paper.sections if iri in kept]


def _section(section: Section, chars: int) -> dict[str, Any]:
    return {
        "node": section.name,
        "number": section.number,
        "title": section.title[:100],
        "depth": section.depth,
        "page": section.page,
        "items": len(section.contents) + len(section.sections),
        "chars": chars,
    }


def _float(paper: PaperGraph, iri: str) -> dict[str, Any]:
    node, caption = paper.nodes[iri], paper.caption_of(iri)
    return {
        "node": node.name,
        "label": node.label[:40],
        "page": node.page,
        "caption": lead(caption.text, 100) if caption else "",
    }


MAX_OPEN = 8  # papers whose views are kept
NEAR = 5  # names in a hint

Function = TypeVar("Function", bound=Callable[..., Any])


def _of_one_paper(view: Callable[..., Any]) -> Callable[[Function], Function]:
    """Give a method the description of the view that it calls; its first argument names the paper."""

    def described(function: Function) -> Function:
        function.__doc__ = view.__doc__
        return function

    return described


class CorpusViews:
    """The five views and the overview over papers by id; nodes are named as in their paper ("ex:...")."""

    def __init__(self, papers: Mapping[str, PaperGraph]) -> None:
        self._papers = papers
        self._open: OrderedDict[str, Views] = OrderedDict()

    @tool
    def g_overview(self, paper: str) -> dict[str, Any]:
        """One paper at a glance: title, authors, year, counts, section tree, figures and tables.

        Returns {"ok": true, "paper", "title", "authors", "year", "doi", "counts", "sections": [{"node", "number",
        "title", "depth", "page", "items", "chars"}], "floats": [{"node", "label", "page", "caption"}]}.
        """
        return {"ok": True, **overview(self._papers[self.named(paper)])}

    @tool
    @_of_one_paper(Views.g_search)
    def g_search(self, paper: str, query: str, limit: int = 10, cursor: str = "") -> dict[str, Any]:
        return self._views(paper).g_search(query, limit, cursor)

    @tool
    @_of_one_paper(Views.g_node_detail)
    def g_node_detail(self, paper: str, node_iri: str, offset: int = 0) -> dict[str, Any]:
        return self._views(paper).g_node_detail(node_iri, offset)

    @tool
    @_of_one_paper(Views.g_section_content)
    def g_section_content(self, paper: str, section_iri: str, cursor: str = "") -> dict[str, Any]:
        return self._views(paper).g_section_content(section_iri, cursor)

    @tool
    @_of_one_paper(Views.g_figure_info)
    def g_figure_info(self, paper: str, figure_iri: str, offset: int = 0) -> dict[str, Any]:
        return self._views(paper).g_figure_info(figure_iri, offset)

    @tool
    @_of_one_paper(Views.g_node_refs)
    def g_node_refs(self, paper: str, node_iri: str, cursor: str = "") -> dict[str, Any]:
        return self._views(paper).g_node_refs(node_iri, cursor)

    def _views(self, paper: str) -> Views:
        name = self.named(paper)
        if name not in self._open:
            self._open[name] = Views(self._papers[name])
        self._open.move_to_end(name)
        while len(self._open) > MAX_OPEN:
            self._open.popitem(last=False)
        return self._open[name]

    def named(self, paper: str) -> str:
        """The id of a paper; raises `BadValue` with ids like it for one that is not there."""
        name = text_of(paper, "the paper").strip()
        if name in self._papers:
            return name
        near = get_close_matches(name[:200], self._papers, NEAR, 0.5) or sorted(self._papers)[:NEAR]
        hint = f"Take the id from a search result; papers here: {', '.join(near)}."
        raise BadValue(f"there is no paper {printable(name[:80])!r}", hint=hint)
