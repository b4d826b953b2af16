"""Check of one claim: quotes by characters, statements by numbers and judges.

A piece of evidence is *quoted* if its text, node, page, boxes, span and hash hold. A claim whose evidence holds is
*undecided* by the number check (`number_check`) if a number of it is neither printed nor computed as stated, and
*supported* by identity if it only repeats a quote. Everything else is for a judge to say: a model that is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from weakref import WeakKeyDictionary

from kag.core.evidence import Case, Checker, Claim, Context, Dropped, Evidence, Quote, Verdict, text_hash
from kag.core.report import Issue
from kag.qa.checking import number_check
from kag.qa.checking.quoted import IDENTITY, context, is_identical, quoted_words, strange_signs, tells, things
from kag.qa.paper import CITES, REFERS, Node, PaperGraph
from kag.qa.printed_table import head_rows, named_lines, printed_table, row_spans
from kag.rdf.namespaces import KAG
from kag.retrieval.graph.entities import acronyms
from kag.text.plain import plain
from kag.text.sentences import sentences

MACHINE = frozenset((IDENTITY, number_check.CHECKER))
"""Who gives verdicts that can be given again without a model."""


def judged(
    claim: Claim,
    papers: Mapping[str, PaperGraph],
    question: str = "",
    where: str = "claim",
    checker: Checker | None = None,
) -> tuple[list[Issue], Verdict | None]:
    """Check one claim; return its issues and the verdict on it, None if nobody has judged it.

    A claim whose evidence is broken is not judged. `checker` is asked what number check and identity leave open.
    """
    issues = claim_issues(claim, papers, question, where)
    if issues:
        return issues, None
    verdict = machine_verdict(claim, papers, question)
    if verdict is None and checker is not None:
        verdict = checker.check(*case_of(claim, papers, question))
    if verdict is None or verdict.status == "supported":
        return [], verdict
    is_open = verdict.status == "undecided" and verdict.checker != number_check.CHECKER
    severity = "Warning" if is_open else "Violation"
    hint = "State what the quotes say, or quote what the statement rests on."
    return [replace(issue(where, verdict.status, why, hint), severity=severity) for why in verdict.reasons], verdict


def machine_verdict(claim: Claim, papers: Mapping[str, PaperGraph], question: str = "") -> Verdict | None:
    """The verdict that needs no model: undecided for an unprinted number, supported for a repeated quote, else None."""
    _, quotes, known = case_of(claim, papers, question)
    missing = number_check.unprinted_numbers(claim.text, quotes, known)
    if missing:
        where = "is neither printed in the quotes, their headers or captions, nor computed from them as the claim says"
        reasons = tuple(f"the number {number!r} {where}" for number in missing)
        return Verdict("undecided", 0.5, number_check.CHECKER, reasons)
    if is_identical(claim, papers):
        return Verdict("supported", 1.0, IDENTITY)
    return None


def with_sound_quotes(
    claims: Iterable[Claim], papers: Mapping[str, PaperGraph], question: str
) -> tuple[tuple[Claim, ...], tuple[Dropped, ...]]:
    """The claims whose evidence holds, in order, and those whose evidence does not, with all the reasons."""
    kept, dropped = list[Claim](), list[Dropped]()
    for claim in claims:
        issues = claim_issues(claim, papers, question)
        if issues:
            dropped.append(Dropped(claim.text, "; ".join(dict.fromkeys(one.message for one in issues))))
        else:
            kept.append(claim)
    return tuple(kept), tuple(dropped)


def claim_issues(
    claim: Claim, papers: Mapping[str, PaperGraph], question: str = "", where: str = "claim"
) -> list[Issue]:
    """Return the issues of a claim's evidence and of its counts."""
    if not claim.evidence:
        return [issue(where, "no_evidence", "the claim has no evidence", "Give a quote for it or leave it out.")]
    issues = [
        found
        for number, evidence in enumerate(claim.evidence)
        for found in evidence_issues(evidence, papers, f"{where}.evidence[{number}]")
    ]
    if len(set(claim.evidence)) < len(claim.evidence):
        issues.append(issue(where, "twice", "a piece of evidence is given twice", "Give each once."))
    if not issues and claim.count is not None:
        issues = [issue(where, "count", problem, _COUNT_HINT) for problem in _miscounted(claim, papers)]
    return issues or [issue(where, "scrap", problem, _SCRAP_HINT) for problem in _scraps(claim, papers, question)]


_SCRAP_HINT = "Copy words and signs as printed, and quote at least a whole word."


def _scraps(claim: Claim, papers: Mapping[str, PaperGraph], question: str) -> Iterator[str]:
    """Letters of a claim that only look like others, and quotes that carry nothing."""
    quotes = [quoted_words(one, papers[one.paper]) for one in claim.evidence]
    known = context(quotes, claim.evidence, papers)
    for name in strange_signs(plain(claim.text), f"{known} {question}"):
        yield f"{name} is neither in the evidence nor in the question"
    for one, words in zip(claim.evidence, quotes, strict=True):
        if not tells(one, words, claim, papers[one.paper]):
            yield f"the quote {one.quote[:60]!r} has no word that the claim could rest on"


_COUNT_HINT = "Give one evidence for each thing counted: nodes of that kind, call-outs, or cells."
_COUNTED = r"\b{} (?P<noun>[^\W\d_]+)\.$"


def _miscounted(claim: Claim, papers: Mapping[str, PaperGraph]) -> Iterator[str]:
    """Return why evidence does not support a claim's count, in its last words: "12 sections."."""
    number = re.search(_COUNTED.format(claim.count), claim.text)
    if number is None:
        yield f"the claim does not end with the {claim.count} that it counts"
        return
    found = things(number["noun"], claim.evidence, papers)
    if not claim.count == len(found) == len(claim.evidence):
        shown = f"{len(claim.evidence)} pieces of evidence that stand for {len(found)}"
        yield f"the claim counts {claim.count} {number['noun']}, with {shown}"


def evidence_issues(evidence: Evidence, papers: Mapping[str, PaperGraph], where: str = "evidence") -> list[Issue]:
    """Return the issues of one piece of evidence."""
    paper = papers.get(evidence.paper)
    if paper is None:
        known = ", ".join(sorted(papers)[:5])
        return [issue(where, "paper", f"there is no paper {evidence.paper!r}", f"Papers here: {known}.")]
    node = paper.nodes.get(evidence.node)
    if node is None:
        message = f"{evidence.node!r} is no printed node of {evidence.paper}"
        return [issue(where, "node", message, "Name a node that was made from blocks.")]
    issues = []
    if evidence.page != node.page:
        issues.append(issue(where, "page", f"page {evidence.page} is said, {node.page} is right", "Correct the page."))
    if evidence.boxes != node.boxes:
        issues.append(issue(where, "boxes", "the boxes are not the node's", "Give all boxes of the node."))
    if evidence.sha256 != text_hash(node.text):
        issues.append(issue(where, "hash", "the text of the node has another hash", "Answer again from this graph."))
    return issues + list(_span_issues(evidence, node.text, paper, where))


def _span_issues(evidence: Evidence, text: str, paper: PaperGraph, where: str) -> Iterator[Issue]:
    start, end, quote = evidence.start, evidence.end, evidence.quote
    if not 0 <= start < end <= len(text):
        yield issue(where, "span", f"{start}-{end} is no span of {len(text)} characters", "Give 0 <= start < end.")
    elif text[start:end] != quote:
        machine = quote in paper.graph.value(evidence.node, str(KAG.imageDescription))
        if machine and quote:
            yield issue(where, "machine", "the quote is a model's description, not the authors' words", "Quote text.")
        else:
            hint = "Quote the characters exactly."
            yield issue(where, "quote", f"{quote[:60]!r} does not stand at {start}-{end}", hint)


def issue(focus: str, rule: str, message: str, fix: str) -> Issue:
    """An issue of the answer's part `focus`: what is wrong, and how to put it right."""
    return Issue(focus, "", rule, f"{message}. {fix}")


_KINDS = {
    "Table": "table",
    "Caption": "caption",
    "SectionTitle": "heading",
    "Title": "heading",
    "BibliographicReference": "reference",
}
_SHORT_FORMS: WeakKeyDictionary[PaperGraph, Mapping[str, str]] = WeakKeyDictionary()


def case_of(claim: Claim, papers: Mapping[str, PaperGraph], question: str = "") -> Case:
    """Return a judge's input for a claim: its words, its quotes with their surroundings, and further context."""
    found = (quote for one in claim.evidence for quote in quotes_of(one, papers[one.paper], several=len(papers) > 1))
    quotes = tuple(dict.fromkeys(found))
    short = {name: long for one in claim.evidence for name, long in short_forms(papers[one.paper]).items()}
    labels = frozenset(label for one in claim.evidence for label in _labels(papers[one.paper], one))
    return plain(claim.text), quotes, Context(question, short, labels, claim.count)


def _labels(paper: PaperGraph, evidence: Evidence) -> Iterator[str]:
    """Return the printed labels of a quote's place and of its mentions' targets: page, float, section, reference."""
    node = paper.nodes[evidence.node]
    section = paper.section_of(node.iri)
    yield from (str(node.page), node.number, section.number if section else "")
    described = paper.targets(node.iri, KAG.describes)
    mentioned = [
        target
        for mention in paper.mentions.get(node.iri, ())
        if mention.start < evidence.end and mention.end > evidence.start
        for target in mention.targets
    ]
    linked = () if paper.mentions else paper.targets(node.iri, CITES, REFERS)  # an older graph has no mentions
    for target in (*described, *mentioned, *linked):
        if target in paper.nodes:
            yield paper.nodes[target].number


def short_forms(paper: PaperGraph) -> Mapping[str, str]:
    """The short forms that a paper introduces in brackets, with the long ones."""
    if paper not in _SHORT_FORMS:
        texts = (
            node.text for node in paper.nodes.values() if "(" in node.text and node.kind != "BibliographicReference"
        )
        _SHORT_FORMS[paper] = {short: long for text in texts for short, long in acronyms(text)}
    return _SHORT_FORMS[paper]


def quotes_of(evidence: Evidence, paper: PaperGraph, *, several: bool = False) -> Iterator[Quote]:
    """One piece of evidence as a judge sees it; of a table a quote for each row that it touches.

    With `several` papers the quote names its own.
    """
    node = paper.nodes[evidence.node]
    section = paper.section_of(evidence.node)
    caption = paper.caption_of(evidence.node)
    shared = {
        "section": (*(section.path if section else ()), *_cited_from(node, paper)),
        "label": node.label or (node.number and f"{node.kind} {node.number}"),
        "caption": caption.plain if caption else "",
        "paper": paper.id if several else "",
    }
    if node.kind == "Table" and " | " in node.text:
        yield from _rows(evidence, node, paper, shared)
        return
    before, after = _around(node, evidence.start, evidence.end)
    yield Quote(quoted_words(evidence, paper), _KINDS.get(node.kind, "sentence"), before=before, after=after, **shared)  # type: ignore[arg-type]


def _cited_from(node: Node, paper: PaperGraph) -> tuple[str, ...]:
    """The titles of the sections whose text cites an entry, as a claim may name them: "RESULTS cites 1 reference"."""
    if node.kind != "BibliographicReference":
        return ()
    found = (paper.section_of(host) for host in paper.sources(node.iri, CITES))
    return tuple(dict.fromkeys(title for section in found if section for title in section.path))


def _rows(evidence: Evidence, node: Node, paper: PaperGraph, shared: Mapping[str, object]) -> Iterator[Quote]:
    table, _ = printed_table(paper, node)
    headers, lines = named_lines(paper, node)
    head = min(max(head_rows(paper, node), 1), len(lines) - 1)
    headers = headers if any(headers) else lines[0]  # a head that is not known as such is most often the first row
    spans = row_spans(table, node.text)
    touched = [line for at, (line, span) in enumerate(zip(lines, spans, strict=True))
               if at >= head and span and span[0] < evidence.end and evidence.start < span[1]]  # fmt: skip
    for cells in touched[:1] if len(touched) == 1 else ():
        yield Quote(" | ".join(cells), "row", headers=headers, cells=cells, rows=tuple(lines[head:]), **shared)  # type: ignore[arg-type]
    if len(touched) > 1:
        yield Quote(quoted_words(evidence, paper), "table", headers=headers, rows=tuple(touched), **shared)  # type: ignore[arg-type]
    elif not touched:
        yield Quote(quoted_words(evidence, paper), "table", **shared)  # type: ignore[arg-type]


def _around(node: Node, start: int, end: int) -> tuple[str, str]:
    """Return the text around a span: the rest of its sentences, and the neighbouring sentences."""
    spans = sentences(node.text)
    inside = [at for at, (first, last) in enumerate(spans) if first < end and last > start]
    if not inside:
        return "", ""
    first = spans[max(0, inside[0] - 1)][0]
    last = spans[min(len(spans) - 1, inside[-1] + 1)][1]
    return plain(node.text[first:start]), plain(node.text[end:last])
