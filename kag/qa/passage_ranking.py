"""Rank the passages of one or more papers for a question, without a model.

Words first: BM25 (Robertson and Zaragoza 2009) over English stems, with the words of headings as context, the best
sentence of a passage and pairs of neighbouring words. Where vectors are kept with the run, the passages nearest by them
are fused with these by rank (Cormack et al., SIGIR 2009). A `Reader` (a cross-encoder) may then read the best ones of
both, part by part: such networks are trained on short texts, and the best part of a passage counts.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

from kag.core.evidence import Passage
from kag.qa.paper import Node, PaperGraph
from kag.qa.passage_units import Unit, passage_units, table_units, text_units
from kag.qa.quote import evidence
from kag.text.plain import plain
from kag.text.search_text import stems, tokens
from kag.text.search_text.words import FUNCTION_WORDS, GENERAL_WORDS, content_words
from kag.text.sentences import sentences

if TYPE_CHECKING:
    from kag.retrieval.meaning.arrays import Vectors

__all__ = ["Passage", "Reader", "node_passage", "rank_passages", "words_not_printed"]

VECTORS = "passage_vectors.npy"  # in a run folder; see kag.qa.passage_vectors
K1, B = 1.2, 0.3
HEADING, GENERAL = 0.2, 0.3  # weight of a word in a heading, and of a question's word that fits any paper
SENTENCE, PAIR = 0.6, 0.3  # of the best sentence's words, and of two neighbouring words of the question
REREAD, NEAREST = 25, 15  # passages that a reader reads again: the best by words, and by vectors
FUSED, RANK = 60, 20  # passages of each ranking that are fused; how little its first places differ
PART = 90  # words of a part of a passage, unless a sentence is longer
PART_ROWS = 4  # of a table


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
    near = _nearest(indexes, question)
    if reader is not None:
        scored = _read_again(question, _distinct(scored[:REREAD], near[:NEAREST]), reader)
    elif near:
        scored = _fused(scored[:FUSED], near[:FUSED])
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

    @cached_property
    def parts(self) -> list[list[str]]:
        """Each unit in parts of some ninety words below its heading, as a network reads them."""
        return [_parts(unit, spans) for unit, spans in zip(self.units, self.spans, strict=True)]

    @cached_property
    def vectors(self) -> Vectors | None:
        """The vectors that are kept with the run, a row for each part; None without."""
        run = self.paper.path
        if run is None or not os.path.lexists(run / VECTORS):
            return None
        from kag.retrieval.meaning.kept_vectors import read_vectors

        return read_vectors(run, sum(map(len, self.parts)))

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


def _parts(unit: Unit, spans: Sequence[Span]) -> list[str]:
    """The texts of a unit's parts: sentences, the last one again in the next part, or rows below the table's head."""
    heading, text = unit.section[-1:], unit.text
    if unit.kind == "Table":
        head, rows = text[: unit.body], [text[span.start : span.end] for span in spans if span.start >= unit.body]
        groups = [[head, *rows[at : at + PART_ROWS]] for at in range(0, max(len(rows), 1), PART_ROWS)]
    else:
        groups, length = [[]], 0
        for span in spans:
            sentence = text[span.start : span.end]
            words = len(sentence.split())
            if groups[-1] and length + words > PART:
                groups.append(groups[-1][-1:])
                length = len(groups[-1][0].split())
            groups[-1].append(sentence)
            length += words
    return [" ".join((*heading, plain(" ".join(group)))) for group in groups]


def _spans(unit: Unit) -> list[Span]:
    """The sentences of a text; of a table its head, then each of its rows."""
    text = unit.text
    if unit.kind == "Table":
        head = [(0, unit.body)] if unit.body else []
        places = [*head, *_lines(text, unit.body)]
    else:
        places = [*sentences(text)] or [(0, len(text))]
    return [Span(start, end, tuple(stems(text[start:end]))) for start, end in places]


Scored = tuple[float, PassageIndex, int]
"""A unit by its index and number, with a score; the higher, the better."""

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


def _nearest(indexes: Iterable[PassageIndex], question: str) -> list[Scored]:
    """The passages by the cosine of their nearest part, of papers whose vectors are kept."""
    kept = [(index, index.vectors) for index in indexes if index.vectors is not None]
    if not kept:
        return []
    from kag.retrieval.meaning.kept_vectors import question_vector

    wanted = question_vector(question)
    if wanted is None:
        return []
    found: list[Scored] = []
    for index, rows in kept:
        cosines = iter((rows @ wanted).tolist())
        found += [(max(next(cosines) for _ in parts), index, number) for number, parts in enumerate(index.parts)]
    return sorted(found, key=lambda one: -one[0])


def _fused(words: Sequence[Scored], near: Sequence[Scored]) -> list[Scored]:
    """Two rankings as one, by rank; a passage keeps the score of its words, 0 where it has none of the question's."""
    scores = {(id(index), number): score for score, index, number in words}
    ranks: dict[tuple[int, int], float] = {}
    for ranking in (words, near):
        for rank, (_, index, number) in enumerate(ranking):
            ranks[id(index), number] = ranks.get((id(index), number), 0.0) + 1 / (RANK + rank)
    both = [(scores.get((id(index), number), 0.0), index, number) for _, index, number in _distinct(words, near)]
    return sorted(both, key=lambda one: -ranks[id(one[1]), one[2]])


def _distinct(*rankings: Sequence[Scored]) -> list[Scored]:
    """All passages of some rankings, each once."""
    found = {(id(index), number): (score, index, number) for score, index, number in reversed(list(chain(*rankings)))}
    return list(reversed(found.values()))


def _read_again(question: str, candidates: Sequence[Scored], reader: Reader) -> list[Scored]:
    """Passages in the order of a reader, by the part of each that it finds best."""
    parts = [index.parts[number] for _, index, number in candidates]
    scores = iter(reader(question, [text for texts in parts for text in texts]))
    found = [
        (max(float(next(scores)) for _ in texts), index, number)
        for texts, (_, index, number) in zip(parts, candidates, strict=True)
    ]
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
