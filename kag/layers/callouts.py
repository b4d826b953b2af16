"""The call-outs of a passage, found again in its plain words: the document graph counts them in the text as printed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kag.layers.values import Passage
from kag.rdf.namespaces import C4O, KAG
from kag.rdf.published import PublishedGraph
from kag.text.plain import plain
from kag.text.sentences import sentences

_MENTION, _WORDS, _START = str(KAG.hasMention), str(C4O.hasContent), str(KAG.startOffset)
_RAISED = re.compile(r"([.!?][⁰¹²³⁴-⁹,–⁻-]*[⁰¹²³⁴-⁹])\s+(?=[A-Z])")
_TARGETS = (str(C4O.denotes), str(KAG.refersTo))

Callout = tuple[int, int, str]
"""First character, the one behind the last, and the node that is called out."""


def callouts(graph: PublishedGraph, passage: Passage) -> tuple[Callout, ...]:
    """What a passage calls out, in order; a call-out that is not found behind the one before it is left out."""
    nodes = graph.values(passage.node, _MENTION)
    found: list[Callout] = []
    at = 0
    for node in sorted(nodes, key=lambda one: (_offset(graph, one), one)):
        words = plain(graph.value(node, _WORDS))
        start = passage.text.find(words, at) if words else -1
        if start < 0:
            continue
        at = start + len(words)
        found += [(start, at, target) for name in _TARGETS for target in graph.values(node, name)]
    return tuple(found)


def cited_sentences(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text, the raised call-outs behind a full stop with the sentence before it ("in water.¹² We").

    >>> [("ab.¹² Cd ef."[start:end]) for start, end in cited_sentences("ab.¹² Cd ef.")]
    ['ab.¹²', 'Cd ef.']
    """
    for start, end in sentences(text):
        for match in _RAISED.finditer(text, start, end):
            yield start, match.end(1)
            start = match.end()
        yield start, end


def _offset(graph: PublishedGraph, node: str) -> int:
    told = graph.value(node, _START)
    return int(told) if told.isdecimal() else 0
