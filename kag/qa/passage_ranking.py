"""Rank the passages of one or more papers for a question, without a model.

Words first: BM25 (Robertson and Zaragoza 2009) over English stems, with the words of headings as context, the best
sentence of a passage and pairs of neighbouring words. A `Reader` (a cross-encoder) may then read the best ones again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Protocol
from weakref import WeakKeyDictionary

from kag.core.evidence import Passage
from kag.qa.paper import Node, PaperGraph
from kag.qa.passage_units import Unit, passage_units, table_units, text_units
from kag.qa.quote import evidence
from kag.text.plain import plain
from kag.text.search_text import stems, tokens
from kag.text.sentences import sentences
from kag.text.stop_words import FUNCTION_WORDS, GENERAL_WORDS, content_words

__all__ = ["Passage", "Reader", "node_passage", "rank_passages", "words_not_printed"]

K1, B = 1.2, 0.3
HEADING, GENERAL = 0.2, 0.3  # weight of a word in a heading, and of a question's word that fits any paper
SENTENCE, PAIR = 0.6, 0.3  # of the best sentence's words, and of two neighbouring words of the question
REREAD = 30  # passages that a reader reads again


class Reader(Protocol):
    """Reads a question and texts together: how well each answers it, as log-odds."""

    @property
    def name(self) -> str: ...
    def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float]: ...


def rank_passages(
    papers: PaperGraph | Sequence[PaperGraph], question: str, limit: int = 10, *, reader: Reader | None = None
) -> list[Passage]:
    """Return the best passages for a question, best first; equal scores stay in reading order."""
    indexes = [_index(paper) for paper in ((papers,) if isinstance(papers, PaperGraph) else papers)]
    query = Query.of(question)
    rarity = _rarity(indexes, query)
    scored = [(score, index, number) for index in indexes for number, score in index.scores(query, rarity)]
    scored.sort(key=lambda one: -one[0])
    if reader is not None:
        scored = _read_again(question, scored[:REREAD], reader)
    return [index.passage(number, query, rarity, score) for score, index, number in scored[:limit]]


def words_not_printed(paper: PaperGraph, question: str) -> list[str]:
    """Return the content words of a question that the paper prints nowhere, in any form with the same stem."""
    printed = _index(paper).printed
    return [word for word in content_words(question) if not printed.intersection(stems(word))]


def node_passage(paper: PaperGraph, node: Node) -> Passage | None:
    """Return a node as a passage: a paragraph with what continues it, or a table's first rows; None without words."""
    unit = next(iter(table_units(paper, node) if node.kind == "Table" else text_units(paper, node)), None)
    return _passage(paper, unit, (unit.body, len(unit.text)), 0.0) if unit else None


@dataclass(frozen=True, slots=True)
class Query:
    """The stems of a question with their weights, and the pairs of them that stand side by side in it."""

    weights: Mapping[str, float]
    pairs: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, question: str) -> Query:
        """Read a question: function words are left out, words that fit any paper weigh less."""
        weights: dict[str, float] = {}
        for token in tokens(question):
            if token.text not in FUNCTION_WORDS:
                weight = GENERAL if token.text in GENERAL_WORDS else 1.0
                for stem in stems(token.text)[:1]:
                    weights[stem] = max(weight, weights.get(stem, 0.0))
        return cls(weights or dict.fromkeys(stems(question), 1.0), tuple(pairwise(weights)))


class PassageIndex:
    """The words of one paper's units, sentence by sentence."""

    def __init__(self, paper: PaperGraph) -> None:
        self.paper = paper
        self.units = passage_units(paper)
        self.spans = [_spans(unit) for unit in self.units]
        self.counts = [Counter(word for span in spans for word in span.words) for spans in self.spans]
        self.lengths = [sum(len(span.words) for span in spans) for spans in self.spans]
        self.mean_length = sum(self.lengths) / len(self.lengths) if self.lengths else 1.0
        self.having = Counter(word for counts in self.counts for word in counts)
        known: dict[tuple[str, ...], frozenset[str]] = {}
        for unit in self.units:
            if unit.section not in known:
                known[unit.section] = frozenset(stems(" ".join(unit.section)))
        self.headings = [known[unit.section] for unit in self.units]

    @cached_property
    def printed(self) -> frozenset[str]:
        """All words of the paper, also of its headings, references and names."""
        ranked = {iri for unit in self.units for iri in unit.nodes}
        others = (node.text for node in self.paper.nodes.values() if node.iri not in ranked)
        return frozenset((*self.having, *(word for text in others for word in stems(text))))

    def scores(self, query: Query, rarity: Mapping[str, float]) -> Iterator[tuple[int, float]]:
        """The units that print a word of the question, with their scores, in reading order."""
        for number, counts in enumerate(self.counts):
            found = [word for word in query.weights if word in counts]
            if found:
                yield number, self._score(number, found, query, rarity)

    def _score(self, number: int, found: Sequence[str], query: Query, rarity: Mapping[str, float]) -> float:
        counts, spans = self.counts[number], self.spans[number]
        norm = K1 * (1 - B + B * self.lengths[number] / self.mean_length)
        score = sum(rarity[word] * counts[word] * (K1 + 1) / (counts[word] + norm) for word in found)
        score += sum(HEADING * rarity[word] for word in query.weights if word in self.headings[number])
        if len(found) > 1:
            neighbours = {pair for span in spans for pair in pairwise(span.words)}
            score += sum(PAIR * (rarity[a] + rarity[b]) for a, b in query.pairs if (a, b) in neighbours)
        return score + SENTENCE * max(span.weight(found, rarity) for span in spans)

    def passage(self, number: int, query: Query, rarity: Mapping[str, float], score: float) -> Passage:
        """A unit as a passage, its best sentence or row marked."""
        unit = self.units[number]
        marked = [span for span in self.spans[number] if span.start >= unit.body] or self.spans[number]
        best = max(marked, key=lambda span: span.weight(query.weights, rarity))
        return _passage(self.paper, unit, (best.start, best.end), score)


@dataclass(frozen=True, slots=True)
class Span:
    """A sentence of a text or a row of a table, with its stems in order."""

    start: int
    end: int
    words: tuple[str, ...]

    def weight(self, wanted: Iterable[str], rarity: Mapping[str, float]) -> float:
        """What the words of a question weigh that it prints."""
        return sum(rarity[word] for word in wanted if word in self.words)


def _spans(unit: Unit) -> list[Span]:
    """The sentences of a text; of a table its head, then each of its rows."""
    text = unit.text
    if unit.kind == "Table":
        head = [(0, unit.body)] if unit.body else []
        places = [*head, *_lines(text, unit.body)]
    else:
        places = [*sentences(text)] or [(0, len(text))]
    return [Span(start, end, tuple(stems(text[start:end]))) for start, end in places]


_INDEXES: WeakKeyDictionary[PaperGraph, PassageIndex] = WeakKeyDictionary()


def _index(paper: PaperGraph) -> PassageIndex:
    if paper not in _INDEXES:
        _INDEXES[paper] = PassageIndex(paper)
    return _INDEXES[paper]


def _rarity(indexes: Iterable[PassageIndex], query: Query) -> dict[str, float]:
    """How rare each word of the question is in all units together, times what it weighs in the question."""
    total = having = 0
    indexes = list(indexes)
    total = sum(len(index.units) for index in indexes)
    found = {}
    for word, weight in query.weights.items():
        having = sum(index.having[word] for index in indexes)
        found[word] = weight * math.log(1 + (total - having + 0.5) / (having + 0.5))
    return found


def _read_again(
    question: str, scored: Sequence[tuple[float, PassageIndex, int]], reader: Reader
) -> list[tuple[float, PassageIndex, int]]:
    """The best passages in the order of a reader, who is shown each below its headings."""
    texts = [
        " ".join((*index.units[number].section[-1:], plain(index.units[number].text))) for _, index, number in scored
    ]
    again = reader(question, texts)
    found = [(float(score), index, number) for score, (_, index, number) in zip(again, scored, strict=True)]
    return sorted(found, key=lambda one: -one[0])


def _lines(text: str, start: int) -> list[tuple[int, int]]:
    found, at = [], start
    for line in text[start:].split("\n"):
        found.append((at, at + len(line)))
        at += len(line) + 1
    return found


def _passage(paper: PaperGraph, unit: Unit, mark: tuple[int, int], score: float) -> Passage:
    proof = tuple(evidence(paper, *place) for place in unit.places(*mark))
    section = " > ".join(unit.section)
    passage = Passage(paper.id, unit.nodes, unit.kind, section, unit.page, unit.text, *mark, score=round(score, 4))
    return replace(passage, evidence=proof)
