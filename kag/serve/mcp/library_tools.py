"""Tools that ask and check all papers together: which there are, questions, checks, pictures of pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.core.errors import BadValue
from kag.core.evidence import Answer, Claim, stated
from kag.core.tool import tool
from kag.core.trajectory import Trajectory
from kag.qa.answer_batch import Put
from kag.qa.answer_folder import question_name
from kag.qa.checking.verify import Checked, checked
from kag.qa.questions.file import LONGEST, Question
from kag.qa.quote import evidence, find_quote
from kag.qa.views.view_bounds import Names, paged, printable, size, text_of
from kag.qa.views.views import CorpusViews
from kag.serve.mcp.pages import page_view
from kag.text.language import require_english, require_question

if TYPE_CHECKING:
    from kag.qa.answer_batch import Asking
    from kag.qa.library import Shelf
    from kag.qa.paper import PaperGraph
    from kag.qa.questions.papers import KnownPaper

MAX_ANSWER = 60_000  # bytes of an answer; more claims are left out
MAX_GIVEN = 500_000  # bytes of an answer that is to be verified
_ISSUES = 20

Sink = Callable[[str], object]


class LibraryTools:
    """Tools for all papers together: the list of papers, questions, checks, and pictures of pages."""

    def __init__(self, shelf: Shelf, asking: Asking, sources: tuple[Path, ...] = ()) -> None:
        self._shelf, self._asking, self._sources = shelf, asking, sources
        self.sink: Sink | None = None

    @tool
    def list_papers(self, query: str = "", cursor: str = "") -> dict[str, Any]:
        """The papers there are, by id; with a query those whose id, title, year or first author has all its words.

        Returns {"ok": true, "query", "total", "items": [{"paper": id for the other tools, "title", "year", "author":
        first author's family name}], "cursor"}.
        """
        asked = printable(text_of(query, "query").strip().lower())

        def row(known_paper: KnownPaper) -> dict[str, Any]:
            return {
                "paper": known_paper.id,
                "title": known_paper.title[:200],
                "year": known_paper.year[:10],
                "author": known_paper.author[:60],
            }

        return paged(("list_papers", asked), {"query": asked}, self.matching(asked), row, text_of(cursor, "cursor"))

    @tool
    def ask(self, question: str, paper: str = "") -> dict[str, Any]:
        """Answer a question in English from one paper, or from all; each claim has a verbatim quote, page and boxes.

        Returns {"ok": true, "text": the answer in words, "found": whether the papers say it, "conforms": whether it was
        verified, "whole": false where it was too long and its last claims ("left_out") are missing, "left_out",
        "answer": the whole answer as `verify` takes it}. Where "found" is false, the papers do not say it: search.
        """
        answer, conforms = self.answered(question, paper)
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
        return _verified(checked(given, self._asking.papers, shown))

    @tool
    def verify_claim(self, claim: str, paper: str, node: str, quote: str) -> dict[str, Any]:
        """Check a statement of your own: that the quote is printed in that node, and the claim's numbers in the quote.

        Returns {"ok": true, "conforms", "quotes", "quoted", "verdicts": ["supported", "undecided" or null: not judged],
        "issues", "issues_total", "evidence": {"paper", "node", "page", "boxes", "quote": as printed, "start", "end",
        "sha256"}}. A quote that is not there is refused.
        """
        words = printable(text_of(claim, "the claim").strip())
        if not words or len(words) > LONGEST:
            wrong = f"the claim is too long: it has {len(words)} characters" if words else "a claim is needed"
            raise BadValue(wrong, hint=f"State it in 1 to {LONGEST} characters.")
        graph = self._graph(paper)
        iri = Names(graph).node(node)
        found = find_quote(graph.nodes[iri].text, text_of(quote, "the quote")) if iri in graph.nodes else None
        if found is None:
            hint = "Copy the quote from g_node_detail or g_search, letter by letter, and name the node it is of."
            raise BadValue("the quote is not printed there", hint=hint)
        proof = evidence(graph, iri, *found)
        answer = Answer("c1", "", "agent", "a claim of the caller", (Claim(words, (proof,)),), papers=(graph.id,))
        return {**_verified(checked(answer, self._asking.papers)), "evidence": json.loads(json.dumps(asdict(proof)))}

    @tool
    def show_page(self, paper: str, node: str = "", page: int = 0) -> dict[str, Any]:
        """A picture of a page: the page of a node, with a frame around the node, or the page of a number.

        Returns the picture and {"ok": true, "paper", "node", "page", "boxes": framed, in thousandths of the page,
        "media_type", "width", "height"}.
        """
        return page_view(self._graph(paper), self._sources, len(self._shelf.papers) == 1, node, page)

    def matching(self, words: str) -> list[KnownPaper]:
        """The papers whose id, title, year or first author have all the words."""
        return [
            known_paper
            for known_paper in self._shelf.papers
            if all(word in _names(known_paper).lower() for word in words.split())
        ]

    def answered(self, question: str, paper: str) -> tuple[Answer, bool]:
        """The answer to a question from one paper or all, and whether its quotes hold."""
        asked = printable(text_of(question, "question").strip())
        require_question(asked, LONGEST)
        require_english(asked)
        name = self.named(paper) if paper else self._only
        put = Put(Question(question_name(asked, name), asked, name), name)
        answer, _ = self._asking.respond(put, Trajectory(self.sink))
        return answer, checked(answer, self._asking.papers).report.conforms

    @property
    def _only(self) -> str:
        return self._shelf.papers[0].id if len(self._shelf.papers) == 1 else ""

    def named(self, paper: str) -> str:
        """The id of a paper; raises `BadValue` with ids like it for one that is not there."""
        return CorpusViews(self._shelf.library).named(paper)

    def _graph(self, paper: str) -> PaperGraph:
        return self._shelf.library[self.named(paper)]


def _names(paper: KnownPaper) -> str:
    return " ".join((paper.id, paper.title, paper.year, paper.author))


def _shortened(answer: Answer) -> Answer:
    """The answer without what was dropped, and without the last claims, where it is too long."""
    short = answer
    while size(json.loads(short.to_json())) > MAX_ANSWER and (short.dropped or short.claims):
        keep = len(short.claims) if short.dropped else len(short.claims) // 2
        short = replace(short, dropped=(), claims=short.claims[:keep])
    return short


def _verified(found: Checked) -> dict[str, Any]:
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
        "issues": issues[:_ISSUES],
        "issues_total": len(issues),
    }
