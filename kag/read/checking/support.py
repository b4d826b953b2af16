"""Whether the quotes of a claim carry what the claim says: what characters alone can tell, and what a checker says.

Characters tell of letters that only look like others, of scraps that carry nothing, and of a "not" that a quote was
cut from. All else is the checker's verdict (`kag.read.checking.rules`, or another one of `kag.values.verdict`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kag.read.checking.bearing import RULES, bears
from kag.read.checking.meaning import context
from kag.read.checking.quoted import said, strange_signs, tells
from kag.read.paper import PaperGraph
from kag.text.plain import plain
from kag.values.evidence import Claim
from kag.values.verdict import Checker, Verdict


def problems(claim: Claim, papers: Mapping[str, PaperGraph], question: str = "") -> tuple[str, ...]:
    """All that speaks against a claim, by its characters and by the rules; empty when nothing was noticed."""
    return verdict_on(claim, papers, question).reasons


def verdict_on(claim: Claim, papers: Mapping[str, PaperGraph], question: str = "", checker: Checker = RULES) -> Verdict:
    """The checker's verdict, with what characters tell: a claim that breaks these is contradicted, whoever judges."""
    broken = tuple(_broken(claim, papers, question))
    verdict = bears(claim, papers, question, checker)
    if not broken:
        return verdict
    return Verdict("contradicted", 0.0, verdict.checker, (*verdict.reasons, *broken), verdict.features)


def _broken(claim: Claim, papers: Mapping[str, PaperGraph], question: str) -> Iterator[str]:
    quotes = [said(one, papers[one.paper]) for one in claim.evidence]
    text, known = plain(claim.text), context(quotes, claim.evidence, papers)
    for name in strange_signs(text, f"{known} {question}"):
        yield f"{name} is neither in the evidence nor in the question"
    for one, words in zip(claim.evidence, quotes, strict=True):
        if not tells(one, words, claim, papers[one.paper]):
            yield f"the quote {one.quote[:60]!r} has no word that the claim could rest on"
