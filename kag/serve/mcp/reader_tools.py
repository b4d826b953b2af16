"""Tools over all papers: the ten that agents are offered by default, and two that pass whole answers.

Each result of the ten is JSON of at most 3,000 bytes, says nothing twice, and continues with a cursor or an offset.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.core.errors import BadValue, UnknownNode
from kag.core.evidence import Answer, Claim, Evidence, stated
from kag.core.tool import tool
from kag.core.trajectory import Trajectory
from kag.export.parts import authors, unnumbered
from kag.qa.answer_batch import Put
from kag.qa.answer_folder import question_name
from kag.qa.checking.verify import Checked, checked
from kag.qa.paper import PaperGraph, Section
from kag.qa.questions.file import LONGEST, Question
from kag.qa.quote import evidence, find_quote
from kag.qa.views.view_bounds import MAX_ITEMS, Names, excerpt, paged, printable, shrunk, size, text_of, whole_of
from kag.qa.views.view_nodes import node_refs
from kag.qa.views.views import CorpusViews
from kag.retrieval.retrieve import search
from kag.serve.mcp.pages import page_view
from kag.text.language import require_english, require_question

if TYPE_CHECKING:
    from kag.qa.answer_batch import Asking
    from kag.qa.library import Shelf
    from kag.qa.questions.papers import KnownPaper

MOST = 3_000  # bytes of a result
MAX_ANSWER = 60_000  # bytes of a whole answer; more claims are left out
MAX_GIVEN = 500_000  # bytes of an answer that is to be verified
_PASSAGE = 1_500  # characters of a text at a time
_EXCERPT = 500  # characters of a text in a list
_AUTHORS = 3
_SCANNED = 50  # papers in which a quote is looked for without a search
_CANDIDATES = 50  # passages in which a quote is looked for in a larger corpus


class ReaderTools:
    """Tools over all papers of a shelf; `sources` are where pictures of pages come from."""

    def __init__(self, shelf: Shelf, asking: Asking, sources: tuple[Path, ...] = ()) -> None:
        self._shelf, self._asking, self._sources = shelf, asking, sources
        self.sink: Callable[[str], object] | None = None  # receives the steps of an answer

    @tool
    def list_papers(self, query: str = "", cursor: str = "") -> dict[str, Any]:
        """List papers: id, title, authors, year. With a query, only papers whose id, title, year or author match."""

        def row(paper: KnownPaper) -> dict[str, Any]:
            names = authors(self._shelf.library[paper.id])
            more = [f"and {len(names) - _AUTHORS} more"] if len(names) > _AUTHORS else []
            listed = [*names[:_AUTHORS], *more]
            return {"paper": paper.id, "title": paper.title[:200], "authors": listed, "year": paper.year[:10]}

        asked = printable(text_of(query, "query").strip().lower())
        return _paged(("list_papers", asked), {}, self._matching(asked), row, text_of(cursor, "cursor"))

    @tool
    def search_papers(self, query: str, paper: str = "", cursor: str = "") -> dict[str, Any]:
        """Find passages by words or a question, in one paper or in all papers; the best first."""
        asked = printable(text_of(query, "query").strip())
        if not asked:
            raise BadValue("query is empty", hint="Give words to search for.")
        only = (self._named(paper),) if paper else ()
        found = search(self._shelf.index, asked, k=_CANDIDATES, documents=only)

        def row(number: int) -> dict[str, Any]:
            from kag.qa.places import located

            (place,) = located(found.hits[number : number + 1], asked, self._shelf.index, self._shelf.library)
            graph = self._shelf.library[place.paper]
            node, proof = graph.nodes[place.node], place.evidence
            start, end = excerpt(node, proof.start, proof.end, _EXCERPT) if proof else (0, _EXCERPT)
            name = {} if only else {"paper": place.paper}
            return {**name, "node": node.name, **_where(graph, node.iri), "text": node.text[start:end]}

        call = ("search_papers", asked, *only)
        return _paged(call, {}, range(len(found.hits)), row, text_of(cursor, "cursor"))

    @tool
    def outline_paper(self, paper: str, cursor: str = "") -> dict[str, Any]:
        """Show what a paper has: authors, year, DOI, then its sections, figures and tables in order."""
        graph = self._graph(paper)
        overview = self.overview(graph) if not cursor else {}
        floats = [node for kind in ("Figure", "Table") for node in graph.of_kind(kind)]
        rows: list[Any] = [*graph.sections.values(), *floats]

        def row(item: Any) -> dict[str, Any]:
            if isinstance(item, Section):
                return {"section": item.number or item.name, "title": unnumbered(item)[:120], "page": item.page}
            caption = graph.caption_of(item.iri)
            text = caption.plain.removeprefix(item.label).lstrip(" .:") if caption else ""
            return {"node": item.name, "label": item.label, "title": text[:120], "page": item.page}

        return _paged(("outline_paper", graph.id), overview, rows, row, text_of(cursor, "cursor"), 60)

    @tool
    def read_section(self, paper: str, section: str, cursor: str = "") -> dict[str, Any]:
        """Read a section, named by number or title: its texts in order, and the titles of its subsections."""
        graph = self._graph(paper)
        found = Names(graph).section(section)
        if found is None:
            raise BadValue("section is empty", hint="Use a section from outline_paper.")
        parts = sorted((*found.contents, *found.sections), key=graph.place)

        def row(iri: str) -> dict[str, Any]:
            if iri in graph.sections:
                inner = graph.sections[iri]
                return {"section": inner.number or inner.name, "title": unnumbered(inner), "page": inner.page}
            node = graph.nodes[iri]
            cut = {"chars": len(node.text)} if len(node.text) > _PASSAGE else {}
            return {"node": node.name, "kind": node.kind, "page": node.page, "text": node.text[:_PASSAGE], **cut}

        head = {"title": unnumbered(found)}
        return _paged(("read_section", graph.id, found.iri), head, parts, row, text_of(cursor, "cursor"))

    @tool
    def read_passage(self, paper: str, node: str, offset: int = 0) -> dict[str, Any]:
        """Read one passage, figure or table ("ex:b_p001_0004", "Table 2") as printed. Quote from here."""
        graph = self._graph(paper)
        iri = self._node(graph, node)
        found = graph.nodes[iri]
        start = whole_of(offset, "offset", 0)
        caption = graph.caption_of(iri)
        result: dict[str, Any] = {"ok": True, "node": found.name, "kind": found.kind, **_where(graph, iri)}
        if caption and caption.iri != iri:
            result |= {"caption": caption.text[:_EXCERPT], "caption_node": caption.name}
        result = shrunk(result, 1200)
        text = found.text[start : start + _PASSAGE]
        while size({**result, "text": text}) > MOST - 40:
            text = text[: len(text) * 3 // 4]
        end = start + len(text)
        return {**result, "text": text, "next_offset": end if end < len(found.text) else None}

    @tool
    def list_references(self, paper: str, query: str = "", cursor: str = "") -> dict[str, Any]:
        """List a paper's references with the passages that cite each; with a query, only those with its words."""
        graph = self._graph(paper)
        words = printable(text_of(query, "query")).lower().split()
        entries = [
            node for node in graph.of_kind("BibliographicReference") if all(w in node.plain.lower() for w in words)
        ]
        cited_in: dict[str, list[str]] = {}
        for host, mentions in graph.mentions.items():
            for target in dict.fromkeys(target for mention in mentions for target in mention.targets):
                cited_in.setdefault(target, []).append(graph.name(host))

        def row(entry: Any) -> dict[str, Any]:
            hosts = cited_in.get(entry.iri, [])
            return {"number": entry.number, "node": entry.name, "text": entry.plain[:300], "cited_in": hosts[:5]}

        return _paged(("list_references", graph.id, *words), {}, entries, row, text_of(cursor, "cursor"))

    @tool
    def find_links(self, paper: str, node: str, cursor: str = "") -> dict[str, Any]:
        """Find what a passage, section, figure, table or reference cites or refers to, and what points to it.

        An item without text has that of an earlier item with the same "in".
        """
        graph = self._graph(paper)
        found = node_refs(graph, self._node(graph, node, sections=True), text_of(cursor, "cursor"), MOST)
        keep = ("relation", "node", "kind", "page", "label", "in")
        seen: set[str] = set()
        for number, item in enumerate(found["items"]):
            text = item.get("sentence") or item.get("text", "")
            words = {} if text in seen else {"text": text}
            found["items"][number] = {name: item[name] for name in keep if name in item} | words
            seen.add(text)
        return found

    @tool
    def answer_question(self, question: str, paper: str = "") -> dict[str, Any]:
        """Answer a question in English from one paper or from all. "found" false: only passages that may answer it."""
        answer, conforms = self.answered(question, paper)
        found: dict[str, Any] = {"ok": True, "found": answer.found}
        if not answer.found:
            rows = [
                {
                    "paper": passage.paper,
                    "page": passage.page,
                    "section": passage.section,
                    "text": passage.text[:_EXCERPT],
                }
                for passage in answer.passages
            ]
            return _fitted({**found, "text": answer.text}, "passages", rows)
        claims = [
            {
                "text": claim.text,
                "verdict": claim.verdict.status if claim.verdict else "not judged",
                "evidence": [_quoted(one, claim.text) for one in claim.evidence[:5]],
            }
            for claim in answer.claims
        ]
        return _fitted({**found, "quotes_hold": conforms}, "claims", claims)

    @tool
    def verify_claim(self, claim: str, quote: str, paper: str = "", node: str = "") -> dict[str, Any]:
        """Check that a quote is printed, find where, and check the claim's numbers against it. The quote is enough."""
        words = printable(text_of(claim, "claim").strip())
        if not words or len(words) > LONGEST:
            raise BadValue(f"claim has {len(words)} characters", hint=f"State it in 1 to {LONGEST} characters.")
        proof = self._proof(printable(text_of(quote, "quote")), paper, node)
        answer = Answer("c1", "", "agent", "a claim of the caller", (Claim(words, (proof,)),), papers=(proof.paper,))
        result = self.checked(answer)
        (verdict,) = result.verdicts
        issues = [issue.message[:200] for issue in result.report.issues[:5]]
        return _fitted(
            {"ok": True, "printed": True, "verdict": verdict.status if verdict else "not judged", "issues": issues},
            "evidence",
            [_quoted(proof, "")],
        )

    @tool
    def show_page(self, paper: str, node: str = "", page: int = 0) -> dict[str, Any]:
        """Show the picture of a page: by number, or the page of a node with a frame around the node."""
        return page_view(self._graph(paper), self._sources, len(self._shelf.papers) == 1, node, page)

    def overview(self, graph: PaperGraph) -> dict[str, Any]:
        """Authors, year and DOI of a paper."""
        from kag.export.paper_parts import PaperParts

        paper = PaperParts(graph)
        listed = [*paper.authors[:20], *([f"and {len(paper.authors) - 20} more"] if len(paper.authors) > 20 else [])]
        return {"title": paper.title[:300], "authors": listed, "year": paper.year, "doi": paper.doi[:100]}

    def answered(self, question: str, paper: str) -> tuple[Answer, bool]:
        """The answer to a question from one paper or all, and whether its quotes hold."""
        asked = printable(text_of(question, "question").strip())
        require_question(asked, LONGEST)
        require_english(asked)
        only = self._shelf.papers[0].id if len(self._shelf.papers) == 1 else ""
        name = self._named(paper) if paper else only
        put = Put(Question(question_name(asked, name), asked, name), name)
        answer, _ = self._asking.respond(put, Trajectory(self.sink))
        return answer, self.checked(answer).report.conforms

    def checked(self, answer: Answer, shown: Any = None) -> Checked:
        """An answer checked against the papers."""
        return checked(answer, self._asking.papers, shown)

    def _matching(self, words: str) -> list[KnownPaper]:
        """The papers whose id, title, year or first author have all the words."""
        names = (
            (paper, f"{paper.id} {paper.title} {paper.year} {paper.author}".lower()) for paper in self._shelf.papers
        )
        return [paper for paper, text in names if all(word in text for word in words.split())]

    def _named(self, paper: str) -> str:
        """The id of a paper; raises `BadValue` with ids like it for one that is not there."""
        return CorpusViews(self._shelf.library).named(paper)

    def _graph(self, paper: str) -> PaperGraph:
        if not text_of(paper, "paper") and len(self._shelf.papers) == 1:
            return self._shelf.library[self._shelf.papers[0].id]
        return self._shelf.library[self._named(paper)]

    def _node(self, graph: PaperGraph, name: str, *, sections: bool = False) -> str:
        """The IRI of a node given by name or label; raises `BadValue` for a section unless `sections`."""
        names = Names(graph)
        try:
            iri = names.node(name)
        except UnknownNode:
            iri = names.float_(name).iri
        if iri not in graph.nodes and not sections:
            raise BadValue(f"node {graph.name(iri)} is a section", hint="Use read_section.")
        return iri

    def _proof(self, quote: str, paper: str, node: str) -> Evidence:
        """Return the place of a quote; raises `BadValue` if it is nowhere."""
        if not quote.strip():
            raise BadValue("quote is empty", hint="Copy a sentence from read_passage.")
        for graph, nodes in self._places(quote, paper, node):
            for iri in nodes:
                if span := find_quote(graph.nodes[iri].text, quote):
                    return evidence(graph, iri, *span)
        hint = "Copy the quote letter by letter from read_passage or search_papers."
        raise BadValue("the quote is printed in none of the papers searched", hint=hint)

    def _places(self, quote: str, paper: str, node: str) -> Any:
        """The papers in which to look for a quote, each with the nodes to look at."""
        if paper:
            graph = self._graph(paper)
            yield graph, [self._node(graph, node)] if node else list(graph.nodes)
            return
        if len(self._shelf.papers) <= _SCANNED:
            for known in self._shelf.papers:
                graph = self._shelf.library[known.id]
                yield graph, list(graph.nodes)
            return
        for hit in search(self._shelf.index, quote[:1000], k=_CANDIDATES, references=True).hits:
            chunk = self._shelf.index.chunks[hit.chunk]
            graph = self._shelf.library[chunk.document]
            yield graph, [iri for iri in chunk.sources if iri in graph.nodes]


class AnswerTools:
    """Tools that pass whole answers, for programs that keep and check them."""

    def __init__(self, reader: ReaderTools) -> None:
        self._reader = reader

    @tool
    def ask(self, question: str, paper: str = "") -> dict[str, Any]:
        """Answer a question in English from one paper, or from all; each claim has a verbatim quote, page and boxes.

        Returns {"ok": true, "text": the answer in words, "found": whether the papers say it, "conforms": whether it was
        verified, "whole": false where it was too long and its last claims ("left_out") are missing, "left_out",
        "answer": the whole answer as `verify` takes it}. Where "found" is false, the papers do not say it: search.
        """
        answer, conforms = self._reader.answered(question, paper)
        short = _shortened(answer)
        left = len(answer.claims) - len(short.claims)
        head = {"ok": True, "text": short.text, "found": answer.found, "conforms": conforms}
        return {**head, "whole": not left, "left_out": left, "answer": json.loads(short.to_json())}

    @tool
    def verify(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Check an answer that `ask` gave ("answer" of its result), or that `kag qa` wrote, against the papers.

        Returns {"ok": true, "conforms", "quotes", "quoted": how many quotes hold, "verdicts": [of each claim
        "supported", "contradicted", "undecided", or null where its quotes do not hold], "issues": [{"focus",
        "component", "message"}], "issues_total"}.
        """
        if not isinstance(answer, dict) or size(answer) > MAX_GIVEN:
            raise BadValue("no answer was given", hint='Give "answer" of what `ask` returned, an object.')
        try:
            given, shown = stated(answer)
        except (ValueError, KeyError) as error:
            hint = 'Give "answer" of what `ask` returned, unchanged.'
            raise BadValue(f"this is not an answer: {printable(str(error))[:200]}", hint=hint) from error
        found = self._reader.checked(given, shown)
        issues = [
            {"focus": issue.focus, "component": issue.component, "message": issue.message[:400]}
            for issue in found.report.issues
        ]
        return {
            "ok": True,
            "conforms": found.report.conforms,
            "quotes": found.quotes,
            "quoted": found.quoted,
            "verdicts": [verdict.status if verdict else None for verdict in found.verdicts],
            "issues": issues[:20],
            "issues_total": len(issues),
        }


def _shortened(answer: Answer) -> Answer:
    """The answer without what was dropped, and without the last claims, where it is too long."""
    short = answer
    while size(json.loads(short.to_json())) > MAX_ANSWER and (short.dropped or short.claims):
        keep = len(short.claims) if short.dropped else len(short.claims) // 2
        short = replace(short, dropped=(), claims=short.claims[:keep])
    return short


def _where(graph: PaperGraph, iri: str) -> dict[str, Any]:
    section = graph.section_of(iri)
    return {"page": graph.nodes[iri].page, "section": unnumbered(section)[:80] if section else ""}


def _quoted(proof: Evidence, claim: str) -> dict[str, Any]:
    """A piece of evidence; without its quote where the claim is the quote."""
    name = proof.node.rpartition("/")[2]
    found = {"paper": proof.paper, "node": f"ex:{name}", "page": proof.page}
    return found if proof.quote == claim else {**found, "quote": proof.quote[:_EXCERPT]}


def _paged(
    call: Sequence[str], head: Mapping[str, Any], rows: Sequence[Any], row: Any, cursor: str, limit: int = MAX_ITEMS
) -> dict[str, Any]:
    return paged(call, head, rows, row, cursor, limit, MOST)


def _fitted(head: dict[str, Any], name: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The rows that fit; "left_out" counts the others. A first row that is too long is cut."""
    kept: list[Mapping[str, Any]] = []
    room = MOST - size(head) - 60
    for number, row in enumerate(rows):
        row = row if number else shrunk(dict(row), room)
        room -= size(row) + 2
        if room < 0:
            break
        kept.append(row)
    left = len(rows) - len(kept)
    return {**head, name: kept, **({"left_out": left} if left else {})}
