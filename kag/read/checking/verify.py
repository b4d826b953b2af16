"""`verify`: re-check an answer against the graphs it quotes. No trust in whoever wrote the answer.

Two statements are made. A piece of evidence is *quoted*: its text, node, page, boxes, span and hash hold. A claim is
*supported*, *contradicted* or *undecided* by a checker that is named (`kag.values.verdict`); one whose quotes do not
hold is not judged at all.

Each issue names the claim (`claims[2].evidence[0]`), the rule it breaks, and how to put it right. The rules:
paper, node, machine, page, boxes, span, quote, hash for each evidence; no_evidence, twice, count, contradicted,
undecided, verdict for each claim; text, found, value, papers and searches for the answer. What is undecided is no
Violation, but for the strict. What cannot be proven is `UNCHECKED`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kag.rdf.namespaces import KAG
from kag.read.checking.bearing import RULES
from kag.read.checking.support import verdict_on
from kag.read.checking.things import things
from kag.read.checking.told import untold
from kag.read.paper import PaperGraph
from kag.values.evidence import NOT_FOUND, Answer, Claim, Dropped, Evidence, Shown, text_hash
from kag.values.report import Issue, Report
from kag.values.verdict import Checker, Verdict

UNCHECKED = ("id", "question", "mode", "label", "confidence", "dropped", "searches", "usage", "stopped")
"""Fields of an answer that no graph can prove: who was asked what and how, how sure it is, what was not found."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in an answer: how many of its quotes hold, and the verdict on each claim, None where one does not.

    `report` has all issues; it conforms where nothing is broken or contradicted, nor, for the strict, undecided.
    """

    report: Report
    quotes: int
    quoted: int
    verdicts: tuple[Verdict | None, ...]

    def count(self, status: str) -> int:
        """How many claims have a verdict."""
        return sum(verdict is not None and verdict.status == status for verdict in self.verdicts)


def verify(
    answer: Answer,
    papers: Mapping[str, PaperGraph],
    shown: Shown | None = None,
    *,
    checker: Checker = RULES,
    strict: bool = False,
) -> Report:
    """All that does not hold in an answer. `shown` is what its file says besides, to be compared with the claims."""
    return checked(answer, papers, shown, checker=checker, strict=strict).report


def checked(
    answer: Answer,
    papers: Mapping[str, PaperGraph],
    shown: Shown | None = None,
    *,
    checker: Checker = RULES,
    strict: bool = False,
) -> Checked:
    """What holds in an answer and what does not: each quote, then each claim, then what is shown of them."""
    issues = list(_answer_issues(answer, shown))
    quoted, verdicts = 0, list[Verdict | None]()
    for number, claim in enumerate(answer.claims):
        found, verdict = judged(claim, papers, answer.question, f"claims[{number}]", checker)
        broken = {issue.focus for issue in found if ".evidence[" in issue.focus}
        quoted += len(claim.evidence) - len(broken)
        verdicts.append(verdict)
        issues += [replace(issue, severity="Violation") if strict else issue for issue in found]
    quotes = sum(len(claim.evidence) for claim in answer.claims)
    return Checked(Report.of(issues), quotes, quoted, tuple(verdicts))


def supported(
    claims: Iterable[Claim], papers: Mapping[str, PaperGraph], question: str, checker: Checker = RULES
) -> tuple[tuple[Claim, ...], tuple[Dropped, ...]]:
    """The claims that are supported, in order, each with the verdict, and those that are not, with all the reasons."""
    kept, dropped = list[Claim](), list[Dropped]()
    for claim in claims:
        issues, verdict = judged(claim, papers, question, checker=checker)
        if issues:
            dropped.append(Dropped(claim.text, "; ".join(dict.fromkeys(issue.message for issue in issues))))
        else:
            kept.append(replace(claim, verdict=verdict))
    return tuple(kept), tuple(dropped)


def told_once(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims without those whose words another one before has."""
    first: dict[str, Claim] = {}
    for claim in claims:
        first.setdefault(claim.text, claim)
    return tuple(first.values())


def claim_issues(
    claim: Claim, papers: Mapping[str, PaperGraph], question: str = "", where: str = "claim"
) -> list[Issue]:
    """What does not hold in one claim."""
    return judged(claim, papers, question, where)[0]


def judged(
    claim: Claim,
    papers: Mapping[str, PaperGraph],
    question: str = "",
    where: str = "claim",
    checker: Checker = RULES,
) -> tuple[list[Issue], Verdict | None]:
    """What does not hold in one claim, and the checker's verdict; none where the evidence itself is broken."""
    if not claim.evidence:
        return [_issue(where, "no_evidence", "the claim has no evidence", "Give a quote for it or leave it out.")], None
    issues = [
        issue
        for number, evidence in enumerate(claim.evidence)
        for issue in evidence_issues(evidence, papers, f"{where}.evidence[{number}]")
    ]
    if len(set(claim.evidence)) < len(claim.evidence):
        issues.append(_issue(where, "twice", "a piece of evidence is given twice", "Give each once."))
    if not issues and claim.count is not None:
        issues = [_issue(where, "count", problem, _COUNT_HINT) for problem in _miscounted(claim, papers)]
    if issues:
        return issues, None
    verdict = verdict_on(claim, papers, question, checker)
    return list(_verdict_issues(claim, verdict, where)), verdict


def _verdict_issues(claim: Claim, verdict: Verdict, where: str) -> Iterator[Issue]:
    hint = "State what the quotes say, or quote what the statement rests on."
    severity = "Warning" if verdict.status == "undecided" else "Violation"
    for reason in verdict.reasons:
        yield replace(_issue(where, verdict.status, reason, hint), severity=severity)
    stated = claim.verdict
    if stated and stated.checker == verdict.checker and stated.status != verdict.status:
        told = f"the file says that it is {stated.status} by {stated.checker}, and it is {verdict.status}"
        yield _issue(where, "verdict", told, "Answer again.")


_COUNT_HINT = "Give one evidence for each thing counted: nodes of that kind, call-outs, or cells."
_COUNTED = r"\b{} (?P<noun>[^\W\d_]+)\.$"


def _miscounted(claim: Claim, papers: Mapping[str, PaperGraph]) -> Iterator[str]:
    """Why evidence does not show as many things as a claim says, in its last words: "12 sections."."""
    said = re.search(_COUNTED.format(claim.count), claim.text)
    if said is None:
        yield f"the claim does not end with the {claim.count} that it counts"
        return
    found = things(said["noun"], claim.evidence, papers)
    if not claim.count == len(found) == len(claim.evidence):
        shown = f"{len(claim.evidence)} pieces of evidence that stand for {len(found)}"
        yield f"the claim counts {claim.count} {said['noun']}, with {shown}"


def evidence_issues(evidence: Evidence, papers: Mapping[str, PaperGraph], where: str = "evidence") -> list[Issue]:
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


def _quote_issues(evidence: Evidence, text: str, paper: PaperGraph, where: str) -> Iterator[Issue]:
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


def _answer_issues(answer: Answer, shown: Shown | None) -> Iterator[Issue]:
    if shown is not None and shown.text != answer.text:
        yield _issue("answer", "text", "the text is not what the claims say", "Write the claims and nothing else.")
    if shown is not None and shown.found != answer.found:
        yield _issue(
            "found", "found", f"found is {shown.found}, and there are {len(answer.claims)} claims", "Correct it."
        )
    if len(set(_with_names(answer.claims))) < len(answer.claims):
        yield _issue("claims", "twice", "a claim is made twice", "Make each once.")
    for problem in untold(answer):
        yield _issue("value", "value", problem, "Take the value from the claims.")
    quoted = {one.paper for claim in answer.claims for one in claim.evidence}
    if quoted and sorted(answer.papers) != sorted(quoted):
        yield _issue(
            "papers", "papers", "the papers are not those that are quoted", f"Name {', '.join(sorted(quoted))}."
        )
    if not answer.claims and not answer.searches:
        yield _issue("searches", "searches", f"{NOT_FOUND!r} needs the searches that were tried", "List them.")


def _with_names(claims: Sequence[Claim]) -> Iterator[tuple[Claim | None, Claim]]:
    """Claims, each that counts with the one right before it that says of what: two sections may cite the very same."""
    before: Claim | None = None
    for claim in claims:
        yield before if claim.count is not None else None, claim
        before = claim if claim.count is None else before


def _issue(focus: str, rule: str, message: str, fix: str) -> Issue:
    return Issue(focus, "", rule, f"{message}. {fix}")
