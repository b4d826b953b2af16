"""Which entry to cite for a statement: the sentence that makes it, and what this sentence cites."""

from __future__ import annotations

from collections.abc import Sequence

from kag.read.extract.asking import Asked
from kag.read.extract.kinds import Kind
from kag.read.extract.ranking import Scored
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex

MOST = 4  # entries that are told beside the sentence


def without_asking(need: Asked, kind: Kind) -> dict[str, float]:
    """The words of a question but for those that only ask what to cite."""
    return {word: weight for word, weight in need.words.items() if not kind.words.fullmatch(word)}


def citing(ranked: Sequence[Scored], paper: PaperGraph, index: SearchIndex) -> tuple[Scored | None, tuple[str, ...]]:
    """The first sentence that cites, with the IRIs of the entries it cites, in order."""
    for one in ranked:
        entries = entries_in(one, paper, index) if one.fit else ()
        if entries:
            return one, entries[:MOST]
    return None, ()


def entries_in(one: Scored, paper: PaperGraph, index: SearchIndex) -> tuple[str, ...]:
    """The entries of the reference list that a sentence's call-outs point to."""
    found = [
        target
        for node, start, end in index.passages[one.number].places(one.start, one.end)
        for mention in paper.mentions.get(node, ())
        if mention.start < end and mention.end > start
        for target in mention.targets
        if target in paper.nodes and paper.nodes[target].kind == "BibliographicReference"
    ]
    return tuple(dict.fromkeys(found))
