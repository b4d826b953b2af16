"""Claims of an agent that rest on rows of its queries: the number in their words is counted, not believed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kag.core.evidence import Claim, Value, Verdict
from kag.qa.checking.claim_check import judged
from kag.qa.paper import PaperGraph
from kag.qa.views.query_rows import KeptRows

QUERY = "query"
"""The checker of claims whose number a query of the agent has counted."""
FORM = "Papers on ice: 3 papers."
_COUNTED = re.compile(r"\b(\d+) [^\W\d_]+\.$")


def claim_of_rows(
    text: str, given: Mapping[str, Any], papers: Mapping[str, PaperGraph], question: str, kept_rows: KeptRows
) -> tuple[str, Claim | None, list[str]]:
    """A claim that rests on the nodes in rows of a query, or on those that they count, and what is wrong with it.

    Where the claim ends with how many there are, that number is its count, and the query has judged it.
    """
    proofs = kept_rows.proofs(given, papers)
    if isinstance(proofs, str):
        return text, None, [f"evidence[0]: {proofs}"]
    end = _COUNTED.search(text)
    number = int(end[1]) if end else None
    problems: list[str] = []
    for proof in proofs:
        claim = Claim(text, proof, count=number)
        issues, verdict = judged(claim, papers, question)
        wrong = [f"does not hold: {issue.message}" for issue in issues]
        if number is not None and number != len(proof):
            wrong = [f"the rows have {len(proof)} nodes, not {number}; end a count as in {FORM!r}"]
        if not wrong:
            counted = Verdict("supported", 1.0, QUERY, (f"counted by {given['query']}",))
            return text, replace(claim, verdict=verdict if number is None else counted), []
        problems = problems or wrong
    return text, None, problems


def value_of(claims: Sequence[Claim]) -> Value:
    """The numbers of claims that count: one, or several by the words before each; None without any."""
    counted = {claim: _COUNTED.sub("", claim.text).rstrip(" :") for claim in claims if claim.count is not None}
    if len(counted) < 2:
        return next((claim.count for claim in counted), None)
    return {name: claim.count for claim, name in counted.items() if claim.count is not None}
