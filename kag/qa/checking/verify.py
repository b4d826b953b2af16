"""`verify`: re-check an answer against the graphs it quotes. No trust in whoever wrote the answer.

Two statements are made. A piece of evidence is *quoted*: its text, node, page, boxes, span and hash hold. A claim is
*supported*, *contradicted* or *undecided* by a checker that is named, or not judged (`kag.qa.checking.claim_check`).
An exact answer of one paper is asked again: its claims are supported by the graph if the graph still gives them. The
verdict of a model cannot be repeated here; it is reported as the file states it.

Each issue names the claim (`claims[2].evidence[0]`), the rule it breaks, and how to put it right. The rules:
paper, node, machine, page, boxes, span, quote, hash for each evidence; no_evidence, twice, count, scrap, contradicted,
undecided, verdict for each claim; passage for each passage; text, found, value, papers and searches for the answer.
What a judge left undecided is no Violation, but for the strict. What cannot be proven is `UNCHECKED`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kag.core.evidence import EXACT, NOT_FOUND, Answer, Claim, Shown
from kag.core.report import Issue, Report
from kag.core.verdict import Checker, Verdict
from kag.qa.checking.claim_check import MACHINE, evidence_issues, issue, judged
from kag.qa.checking.value_consistency import value_problems
from kag.qa.exact.compose import GRAPH, look_up
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question

UNCHECKED = ("id", "question", "mode", "label", "verdicts of models", "dropped", "searches", "usage", "stopped")
"""What no graph can prove: who was asked what and how, what a model judged, what was not found."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of an answer gives: how many quotes hold, and the verdict on each claim, None where nobody judged.

    `report` has all issues; it conforms where nothing is broken or contradicted, nor, for the strict, undecided or not
    judged.
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
    checker: Checker | None = None,
    strict: bool = False,
) -> Report:
    """All that does not hold in an answer. `shown` is what its file says besides, to be compared with the claims."""
    return checked(answer, papers, shown, checker=checker, strict=strict).report


def checked(
    answer: Answer,
    papers: Mapping[str, PaperGraph],
    shown: Shown | None = None,
    *,
    checker: Checker | None = None,
    strict: bool = False,
) -> Checked:
    """What holds in an answer and what does not: each quote, then each claim, then what is shown of them."""
    issues = [*_answer_issues(answer, shown), *_passage_issues(answer, papers)]
    repeated = _exact_claims(answer, papers)
    quoted, verdicts = 0, list[Verdict | None]()
    for number, claim in enumerate(answer.claims):
        where = f"claims[{number}]"
        found, verdict = judged(claim, papers, answer.question, where, checker)
        if claim in repeated and not any(".evidence[" in one.focus for one in found):
            found, verdict = [], GRAPH
        broken = {one.focus for one in found if ".evidence[" in one.focus}
        quoted += len(claim.evidence) - len(broken)
        if not broken:
            found += _stated_issues(claim, verdict, where)
            verdict = verdict or claim.verdict
        verdicts.append(verdict)
        if strict and verdict is None and not found:
            found = [issue(where, "not_judged", "nobody has judged this claim", "Answer with a judge.")]
        issues += [replace(one, severity="Violation") if strict else one for one in found]
    if answer.reason:
        issues += judged(answer.reason, papers, answer.question, "reason", checker)[0]
    quotes = sum(len(claim.evidence) for claim in answer.claims)
    return Checked(Report.of(issues), quotes, quoted, tuple(verdicts))


def _exact_claims(answer: Answer, papers: Mapping[str, PaperGraph]) -> Sequence[Claim]:
    """The claims that the graph gives when the question of an exact answer is asked again."""
    asked = [papers[name] for name in answer.papers if name in papers]
    if answer.mode != EXACT or len(asked) != 1 or not answer.claims:
        return ()
    again = look_up(Question(answer.id, answer.question), asked[0])
    return again.claims if again else ()


def _stated_issues(claim: Claim, verdict: Verdict | None, where: str) -> Iterator[Issue]:
    """What is wrong with the verdict that the file states: one that a machine gives has to come out again."""
    stated = claim.verdict
    if stated is None:
        return
    is_other = verdict is None or (verdict.status, verdict.checker) != (stated.status, stated.checker)
    if stated.checker in MACHINE or stated.checker == GRAPH.checker:
        wrong = is_other
    else:
        wrong = verdict is not None and verdict.status != "supported" and stated.status == "supported"
    if wrong:
        now = f"{verdict.status} by {verdict.checker}" if verdict else "not judged"
        message = f"the file says that it is {stated.status} by {stated.checker}, and it is {now}"
        yield issue(where, "verdict", message, "Answer again.")
    elif stated.status == "contradicted":
        yield issue(where, "contradicted", f"{stated.checker} contradicts it", "Leave the claim out.")


def _passage_issues(answer: Answer, papers: Mapping[str, PaperGraph]) -> Iterator[Issue]:
    """What does not hold in the passages of an answer."""
    for number, passage in enumerate(answer.passages):
        where = f"passages[{number}]"
        for place, evidence in enumerate(passage.evidence):
            yield from evidence_issues(evidence, papers, f"{where}.evidence[{place}]")
        paper = papers.get(passage.paper)
        nodes = [paper.nodes[iri] for iri in passage.nodes if paper and iri in paper.nodes]
        printed = " ".join(word for node in nodes for word in node.text.split())
        if len(nodes) < max(1, len(passage.nodes)) or all(node.page != passage.page for node in nodes):
            yield issue(where, "passage", "its nodes or its page are not the paper's", "Ask again.")
        elif not all(" ".join(line.split()) in printed for line in passage.text.split("\n")):
            yield issue(where, "passage", "its text is not what its nodes print", "Ask again.")


def _answer_issues(answer: Answer, shown: Shown | None) -> Iterator[Issue]:
    if shown is not None and shown.text != answer.text:
        yield issue("answer", "text", "the text is not what the claims say", "Write the claims and nothing else.")
    if shown is not None and shown.found != answer.found:
        yield issue(
            "found", "found", f"found is {shown.found}, and there are {len(answer.claims)} claims", "Correct it."
        )
    if len(set(_with_names(answer.claims))) < len(answer.claims):
        yield issue("claims", "twice", "a claim is made twice", "Make each once.")
    for problem in value_problems(answer):
        yield issue("value", "value", problem, "Take the value from the claims.")
    claims = (*answer.claims, *((answer.reason,) if answer.reason else ()))
    quoted = {one.paper for claim in claims for one in claim.evidence}
    if quoted and sorted(answer.papers) != sorted(quoted):
        yield issue(
            "papers", "papers", "the papers are not those that are quoted", f"Name {', '.join(sorted(quoted))}."
        )
    if not answer.claims and not answer.searches:
        yield issue("searches", "searches", f"{NOT_FOUND!r} needs the searches that were tried", "List them.")


def _with_names(claims: Sequence[Claim]) -> Iterator[tuple[Claim | None, Claim]]:
    """Claims, each that counts with the one right before it that says of what: two sections may cite the very same."""
    before: Claim | None = None
    for claim in claims:
        yield before if claim.count is not None else None, claim
        before = claim if claim.count is None else before
