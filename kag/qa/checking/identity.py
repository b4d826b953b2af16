"""Whether a claim only repeats what a quote asserts: such a claim needs no judge."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kag.core.evidence import Claim, Evidence
from kag.qa.paper import Node, PaperGraph
from kag.qa.quote import denials
from kag.text.plain import plain
from kag.text.search_text import search_text
from kag.text.sentences import sentences

CHECKER = "identity"
_WORD = re.compile(r"\w+(?:[.,:/]\w+)*|[<>=%+-]")
_NOT_ASSERTED = re.compile(
    r"\b(?:if|whether|unless|hypothes\w+|would|could|might|may|assum\w+|suppos\w+|unlikely|doubt\w*|fail\w*|false|wrong"
    r"|reject\w*|refut\w*|contrary|rather than|instead of|unclear|unknown|claim(?:s|ed)?|believ\w+|hardly"
    r"|barely|rarely)\b",
    re.I,
)


def is_identical(claim: Claim, papers: Mapping[str, PaperGraph]) -> bool:
    """Whether the claim's words stand in a quote in their order, and the rest of the sentence does not deny them."""
    words = _comparable(claim.text)
    return bool(words.strip()) and any(
        words in _comparable(one.quote) and _is_asserted(words, one, papers[one.paper].nodes[one.node])
        for one in claim.evidence
    )


def _is_asserted(words: str, evidence: Evidence, node: Node) -> bool:
    for sentence in _sentences_around(node, evidence):
        printed = _comparable(sentence)
        if words in printed:
            rest = printed.replace(words, " ", 1)
            return not denials(rest) and not _NOT_ASSERTED.search(rest)
    whole = _comparable(" ".join(_sentences_around(node, evidence)))
    return words == whole  # several whole sentences


def _sentences_around(node: Node, evidence: Evidence) -> Iterator[str]:
    """The whole sentences, or lines of a table, that a quote touches."""
    if node.kind == "Table":
        yield from node.text[evidence.start : evidence.end].split("\n")
        return
    for start, end in sentences(node.text):
        if start < evidence.end and evidence.start < end:
            yield node.text[start:end]


def _comparable(text: str) -> str:
    """A text's words and signs in small letters, a blank on each side, without other marks."""
    return f" {' '.join(_WORD.findall(search_text(plain(text)).text))} "
