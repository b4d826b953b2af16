"""What a paper says, from the layers of its run; and the sentences that say it, as evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from kag.core.evidence import Evidence
from kag.layers.pipeline import read_layers
from kag.layers.reading import findings_of
from kag.layers.source import cited_sentences
from kag.layers.values import Findings, Mention
from kag.qa.paper import PaperGraph
from kag.qa.quote import evidence, find_quote
from kag.rdf.namespaces import KAG
from kag.text.search_text import search_text

_WORD = re.compile(r"[^\W_]+")
_PLAIN = str(KAG.plainText)
OWN = frozenset(("objective", "method", "result", "conclusion", "availability"))
"""Roles of claims that are on the paper's own work."""
_known: WeakKeyDictionary[PaperGraph, Findings] = WeakKeyDictionary()


def said_by(paper: PaperGraph) -> Findings:
    """What the layers of a paper's run say; nothing where it has none. Raises `RunError` where one is damaged."""
    said = _known.get(paper)
    if said is None:
        said = _known[paper] = findings_of(read_layers(paper.path)) if paper.path else Findings()
    return said


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name as they are compared, without a plural's s."""
    words = _WORD.findall(search_text(name).text)
    return tuple(
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words
    )


def is_named(topic: str, names: Iterator[str] | tuple[str, ...]) -> bool:
    """Whether a name is that of the topic, or holds it as whole words: "spleen" is in "the spleen of mice"."""
    wanted = words_of(topic)
    for name in names:
        words = words_of(name)
        if wanted and any(words[at : at + len(wanted)] == wanted for at in range(len(words) - len(wanted) + 1)):
            return True
    return False


def sentence_at(paper: PaperGraph, words: Mention) -> tuple[str, tuple[Evidence, ...]]:
    """The sentence (or the line of a table) that some words stand in, in plain words, and where it is printed."""
    node = paper.nodes.get(words.node)
    if node is None:
        return "", ()
    plain = paper.graph.value(words.node, _PLAIN)
    if not plain:
        start = node.text.rfind("\n", 0, words.start) + 1
        end = node.text.find("\n", words.end)
        end = len(node.text) if end < 0 else end
        return node.text[start:end], (evidence(paper, words.node, start, end),)
    start, end = next(
        ((s, e) for s, e in cited_sentences(plain) if s <= words.start and words.end <= e), (words.start, words.end)
    )
    sentence = plain[start:end].strip()
    place = find_quote(node.text, sentence)
    return (sentence, (evidence(paper, words.node, *place),)) if place else ("", ())
