"""`verify`: re-check an answer against the graphs it quotes. No model, no trust in whoever wrote the answer.

Each issue names the claim (`claims[2].evidence[0]`), the rule it breaks, and how to put it right. The rules:
paper, node, machine, page, boxes, span, quote, hash for each evidence; no_evidence, count, support for each claim;
text, value and searches for the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kag.evidence import NOT_FOUND, Answer, Claim, Evidence, text_hash
from kag.rdf.namespaces import KAG
from kag.reading.paper import Paper
from kag.reading.support import numbers, problems
from kag.report import Issue, Report


def verify(answer: Answer, papers: Mapping[str, Paper], shown: str | None = None) -> Report:
    """All that does not hold in an answer. `shown` is the text an answer file shows, to be compared with the claims."""
    issues = list(_answer_issues(answer, shown))
    for number, claim in enumerate(answer.claims):
        issues += claim_issues(claim, papers, answer.question, f"claims[{number}]")
    return Report.of(issues)


def claim_issues(claim: Claim, papers: Mapping[str, Paper], question: str = "", where: str = "claim") -> list[Issue]:
    """What does not hold in one claim. A claim whose evidence is broken is not read for support as well."""
    if not claim.evidence:
        return [_issue(where, "no_evidence", "the claim has no evidence", "Give a quote for it or leave it out.")]
    issues = [
        issue
        for number, evidence in enumerate(claim.evidence)
        for issue in evidence_issues(evidence, papers, f"{where}.evidence[{number}]")
    ]
    if claim.count is not None and claim.count != (places := _places(claim.evidence)):
        message = f"the claim counts {claim.count}, its evidence names {places} places"
        issues.append(_issue(where, "count", message, "Give one evidence for each thing counted."))
    if not issues:
        hint = "State what the quotes say, or quote what the statement rests on."
        issues = [_issue(where, "support", problem, hint) for problem in problems(claim, papers, question)]
    return issues


def _places(evidence: Iterable[Evidence]) -> int:
    """How many places the evidence names: spans of one node that overlap are one place."""
    places, last = 0, ("", "", 0)
    for paper, node, start, end in sorted({(one.paper, one.node, one.start, one.end) for one in evidence}):
        apart = (paper, node) != last[:2] or start >= last[2]
        places += apart
        last = (paper, node, end if apart else max(end, last[2]))
    return places


def evidence_issues(evidence: Evidence, papers: Mapping[str, Paper], where: str = "evidence") -> list[Issue]:
    """What does not hold in one piece of evidence."""
    paper = papers.get(evidence.paper)
    if paper is None:
        known = ", ".join(sorted(papers)[:5])
        return [_issue(where, "paper", f"there is no paper {evidence.paper!r}", f"Papers here: {known}.")]
    node = paper.nodes.get(evidence.node)
    if node is None:
        message = f"{evidence.node!r} is no printed node of {evidence.paper}"
        return [_issue(where, "node", message, "Name a node that was made from blocks.")]
    found = []
    if evidence.page != node.page:
        found.append(_issue(where, "page", f"page {evidence.page} is said, {node.page} is right", "Correct the page."))
    if evidence.boxes != node.boxes:
        found.append(_issue(where, "boxes", "the boxes are not the node's", "Give all boxes of the node."))
    if evidence.sha256 != text_hash(node.text):
        found.append(_issue(where, "hash", "the text of the node has another hash", "Answer again from this graph."))
    return found + list(_quote_issues(evidence, node.text, paper, where))


def _quote_issues(evidence: Evidence, text: str, paper: Paper, where: str) -> Iterator[Issue]:
    start, end, quote = evidence.start, evidence.end, evidence.quote
    if not 0 <= start < end <= len(text):
        yield _issue(where, "span", f"{start}-{end} is no span of {len(text)} characters", "Give 0 <= start < end.")
    elif text[start:end] != quote:
        machine = quote in paper.graph.value(evidence.node, str(KAG.imageDescription))
        if machine and quote:
            yield _issue(where, "machine", "the quote is a model's description, not the authors' words", "Quote text.")
        else:
            hint = "Quote the characters exactly."
            yield _issue(where, "quote", f"{quote[:60]!r} does not stand at {start}-{end}", hint)


def _answer_issues(answer: Answer, shown: str | None) -> Iterator[Issue]:
    if shown is not None and shown != answer.text:
        yield _issue("answer", "text", "the text is not what the claims say", "Write the claims and nothing else.")
    nothing = {"0", "no"} if answer.searches else set()  # of this kind nothing was found, and the searches say where
    items = [item for item in _items(answer.value) if item not in nothing]
    if not answer.claims:
        if items:
            yield _issue("value", "value", "there is a value but no claim", "Give the claims it rests on.")
        if not answer.searches:
            yield _issue("searches", "searches", f"{NOT_FOUND!r} needs the searches that were tried", "List them.")
        return
    said = " ".join(answer.text.split())
    for item in items:
        if " ".join(item.split()) not in said and not (item.isdigit() and item in numbers(said)):
            yield _issue("value", "value", f"{item[:60]!r} is in no claim", "Take the value from the claims.")


def _items(value: object) -> list[str]:
    """What a value consists of, as texts."""
    if value is None:
        return []
    if isinstance(value, list):
        return [str(item) for item in value]
    return [str(item) for item in value.values()] if isinstance(value, dict) else [str(value)]


def _issue(focus: str, rule: str, message: str, fix: str) -> Issue:
    return Issue(focus, "", rule, f"{message}. {fix}")
