"""`gather`: the passages of many texts that are nearest to a question, as one index that sentences are ranked in.

The chunks come from the index of all by the best plan that it allows; the passages are those of the papers that they
were cut from, so that a sentence leads back to page and box. Few papers are read for a question.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from kag.read.extract.asking import Asked
from kag.read.extract.ranking import WEIGHTS, Rarity, Scored, rank
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage
from kag.search.chunk import Query
from kag.search.index import Index
from kag.search.plan import retrieve
from kag.search.presets import preset
from kag.search.retrieve import usable
from kag.search.words.sparse import words_of

CHUNKS = 40  # that are looked at for a question
PAPERS = 8  # that are read for a question
WHOLE = 2  # of them that are read as a whole: the nearest
_WEIGHTS = replace(WEIGHTS, extra=4.0)  # how near a passage was found counts more among many papers (fitted)
_NAMES = frozenset(("listofauthors", "listoforganizations"))
_PROSE = 30  # words; a shorter text may well be an address
_WORD = re.compile(r"[^\W\d_]+")

Read = Callable[[str], Sequence[Passage]]
"""Gives the passages of a paper by its id; their parts are the `sources` of its chunks."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Passages of several papers: `papers` (ids) and `nearness` (0 to 1, as found) are by passage number."""

    index: SearchIndex
    papers: tuple[str, ...] = ()
    nearness: tuple[float, ...] = ()

    def ranked(self, need: Asked, rarity: Rarity) -> tuple[Scored, ...]:
        """The sentences of all passages, the best first."""
        return rank(need, self.index, _WEIGHTS, extra=dict(enumerate(self.nearness)), rarity=rarity)

    def text(self, one: Scored) -> str:
        """A sentence with what stands over it."""
        passage = self.index.passages[one.number]
        return f"{passage.heading} {passage.text[one.start : one.end]}"


def method(index: Index) -> str:
    """The name of the best plan that the index allows."""
    return usable("", index)[0]


def gather(question: str, index: Index, read: Read, scope: frozenset[str] = frozenset(), papers: int = PAPERS) -> Pool:
    """The passages of the nearest chunks, those of the first `papers`; `scope` limits them to some."""
    near: dict[str, dict[str, float]] = {}
    with index.whole():
        hits = retrieve(Query(question, scope), index, preset(method(index), index, CHUNKS)).hits
        chunks = [index.chunks[hit.chunk] for hit in hits]
    for place, chunk in enumerate(chunks):
        if chunk.document in near or len(near) < papers:
            of_paper = near.setdefault(chunk.document, {})
            for node in chunk.sources:
                of_paper.setdefault(node, 1 - place / len(hits))
    return _pool(near, read, WHOLE)


def whole(papers: Sequence[str], read: Read) -> Pool:
    """All passages of some papers, none nearer than another."""
    return _pool({name: {} for name in papers}, read, len(papers))


def _pool(near: Mapping[str, Mapping[str, float]], read: Read, as_whole: int) -> Pool:
    """The passages of papers that hold these nodes, each as near as its nearest; all passages of the first papers."""
    found = [
        (_as_told(passage), name, score)
        for place, (name, nodes) in enumerate(near.items())
        for passage in read(name)
        if (score := _nearness(passage, nodes)) or place < as_whole
    ]
    return Pool(
        SearchIndex(passage for passage, _, _ in found),
        tuple(name for _, name, _ in found),
        tuple(score for _, _, score in found),
    )


def _as_told(passage: Passage) -> Passage:
    """Running text that was taken for a list of names of the front matter is a paragraph: most words are small."""
    if passage.kind not in _NAMES:
        return passage
    words = _WORD.findall(passage.text)
    prose = len(words) >= _PROSE and 2 * sum(word.islower() for word in words) > len(words)
    return replace(passage, kind="paragraph") if prose else passage


def _nearness(passage: Passage, nodes: Mapping[str, float]) -> float:
    return max((nodes.get(part.node, 0.0) for part in passage.parts), default=nodes.get(passage.id, 0.0))


def rarity_in(index: Index) -> Rarity:
    """How rare a word is among all chunks; one that is nowhere is as rare as one that is in one chunk."""
    size = len(index.chunks)

    def rarity(word: str) -> float:
        having = max((index.sparse.frequency(form) for form in words_of(word)[:1]), default=0) or 1
        return math.log(1 + (size - having + 0.5) / (having + 0.5))

    return rarity


def held(need: Asked, paper: str, index: Index) -> float:
    """The share of a question's words, by their rarity among all chunks, that a paper has anywhere: 0 to 1."""
    rarity, scope = rarity_in(index), frozenset((paper,))
    weights = {word: weight * rarity(word) for word, weight in need.content.items()}
    found = (weight for word, weight in weights.items() if index.sparse.search(word, 1, scope))
    return sum(found) / (sum(weights.values()) or 1.0)
