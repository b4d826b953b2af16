"""Which sentences of an abstract state what the paper claims: by their role, their place, and phrases, in points.

The points were set by hand on half of a set of abstracts that is for measuring only; no model is trained on it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kag.layers.claims.abstract import abstract_roles
from kag.layers.claims.roles import concludes

ENOUGH = 0.5  # points from which on a sentence is a claim
CONCLUDES = 1.5
FROM_END: tuple[float, ...] = (1.5, 0.0, -0.3, -1.0)  # the last sentence, that before it, the third, all others
BY_ROLE: Mapping[str, float] = {"result": 0.0, "method": -0.5, "objective": -1.0, "background": -1.5, "other": -1.5}
PHRASES: Mapping[str, float] = {
    r"\b(?:we|i|authors?|this (?:study|paper|work|article|report)|our (?:\w+ )?(?:work|study|data|results|findings))"
    r" (?:\w+ ){0,2}(?:show|demonstrate|report|find|found|identif\w+|establish|reveal|provide|describe|propose|present"
    r"|discover|confirm|uncover|argue|highlight|offer|suggest)(?:s|ed|n)?\b": 0.9,
    r"\b(?:show(?:s|ed|n)?|demonstrate[sd]?|reveal(?:s|ed)?|confirm(?:s|ed)?|indicate[sd]?|suggest(?:s|ed)?"
    r"|support(?:s|ed)?) (?:that|a|the|an)\b": 0.4,
    r"\b(?:may|might|could|can|would|should)\b": 0.7,
    r"\b(?:potential\w*|promising|novel|important|implications?|useful|valuable|critical|crucial|key|essential"
    r"|insights?|effective|provides?|new)\b": 0.4,
    r"^(?:this|these|our|the present|such|it)\b": 0.5,
    r"\b(?:was|were|had|did)\b": -1.0,
    r"\d+(?:\.\d+)? ?%|\bp ?[<=>]|\bn ?=|\bCI\b|\bOR\b|±|\d\.\d": -1.0,
    r"\b(?:discussed|article|review|rights reserved)\b": -2.0,
    r"\bwe (?:\w+,? ){0,2}(?:show|demonstrate|report)(?:e?d)? (?:here )?that\b"
    r"|\b(?:provides?|provided|present) (?:\w+ )?evidence\b": 1.0,
    r"\bwe (?:\w+,? ){0,2}(?:propose|suggest|hypothesi[sz]e|argue|postulate|speculate|believe|conclude|infer)d?\b": 0.8,
    r"\b(?:suggesting|indicating|implying|demonstrating|supporting|highlighting)\b": 0.6,
    r"\b(?:results?|data|findings?|experiments?|stud(?:y|ies)|analys[ie]s|observations?|evidence|structure|imaging)"
    r" (?:\w+ ){0,3}(?:demonstrate[sd]?|suggest(?:s|ed)?|indicate[sd]?|reveal(?:s|ed)?|support(?:s|ed)?"
    r"|highlights?)\b": 0.5,
    r"\b(?:likely|possibl[ey]|probably|appears?|seems?|presumably)\b": 0.5,
    r"\b(?:mechanism|role|(?:required|essential|necessary|responsible) for|dependent on|due to)\b": 0.4,
    r"\b(?:was|were|is|are|been|being) (?:also |further |then )?(?:evaluated|conducted|performed|investigated"
    r"|analy[sz]ed|examined|discussed|presented|reported|described|tested|compared|included|given|provided"
    r"|recommended)\b": -1.5,
    r"\b(?:we (?:\w+ )?|this paper |it )(?:discuss(?:es)?|describes?|summari[sz]es?|outlines?)\b|\boverview\b": -1.5,
    r"\ban? (?:\w+ )?case of\b|\bcase report\b": -1.5,
    r"\b(?:aims? to|to (?:determine|investigate|examine|evaluate|assess)|were asked)\b": -0.5,
    r"^(?:availability|contact|supplementary)\b": -3.0,
}
_PHRASES = tuple((re.compile(pattern, re.I), points) for pattern, points in PHRASES.items())


def claim_points(sentences: Sequence[str]) -> list[float]:
    """The points of each sentence of an abstract."""
    roles = abstract_roles(sentences)
    return [
        FROM_END[min(len(sentences) - 1 - at, len(FROM_END) - 1)]
        + BY_ROLE[role]
        + CONCLUDES * concludes(sentence)
        + sum(points for pattern, points in _PHRASES if pattern.search(sentence))
        for at, (sentence, (role, _)) in enumerate(zip(sentences, roles, strict=True))
    ]
