"""What a ranking of passages weighs: features of each unit of a paper for a question, from arrays of its words."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from kag.qa.paper import PaperGraph
from kag.qa.passage_index import SearchIndex, Words
from kag.qa.passages import Unit, passage_units, passages
from kag.retrieval.word_vectors import Array, unit_rows, word_vectors
from kag.text.plain import plain
from kag.text.sentences import sentences
from kag.text.words import FUNCTION_WORDS, GENERAL_WORDS, stem_of, stems, tokens

if TYPE_CHECKING:
    from kag.retrieval.vectors import Vectors

VECTORS = "passage_vectors.npy"  # in a run folder; see kag.qa.passage_ranking
K1, B = 1.2, 0.3
GENERAL = 0.3  # weight of a question's word that fits any paper
ALIKE = 0.4  # cosine of two words below which they have nothing in common
PART = 90  # words of a part of a passage, unless a sentence is longer
PART_ROWS = 4  # of a table
FEATURES = (
    *("bm25", "best_sentence", "covered", "heading", "neighbours", "table", "length", "numbers"),
    *("text_cosine", "sentence_cosine", "heading_cosine", "similar_words", "window_cosine"),
)
_AMOUNT = re.compile(
    r"\b(?:how (?:many|much|long|old|large|big|often|fast|far|high|low)|number|rate|size|average|mean|total|p[- ]value"
    r"|percent(?:age)?|share|fraction|proportion|dose)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Query:
    """The stems of a question with their weights, the pairs of them that stand side by side, and what it asks for."""

    weights: Mapping[str, float]
    pairs: tuple[tuple[str, str], ...]
    amount: bool = False

    @classmethod
    def of(cls, question: str) -> Query:
        """Read a question: function words are left out, words that fit any paper weigh less."""
        weights: dict[str, float] = {}
        for token in tokens(question):
            if token.text not in FUNCTION_WORDS:
                weight = GENERAL if token.text in GENERAL_WORDS else 1.0
                for stem in stems(token.text)[:1]:
                    weights[stem] = max(weight, weights.get(stem, 0.0))
        weights = weights or dict.fromkeys(stems(question), 1.0)
        return cls(weights, tuple(pairwise(weights)), bool(_AMOUNT.search(question)))


class PassageIndex:
    """The words of one paper's units, sentence by sentence.

    `stems` are the stems of all units one behind the other, by number in `stem_numbers`; `sentences` and `unit_words`
    are where each sentence and each unit begins among them, `unit_sentences` where each unit begins among sentences.
    """

    def __init__(self, units: Sequence[Unit], index: SearchIndex, paper: PaperGraph | None = None) -> None:
        self.paper, self.units = paper, units
        words = index.words
        self.stem_numbers: dict[str, int] = {}
        of_form = [self.stem_numbers.setdefault(stem_of(form), len(self.stem_numbers)) for form in words.forms]
        table = np.array([*of_form, -1])
        self.spans = [_spans(unit) for unit in units]
        rows, starts, self.texts = list[Array](), list[int](), list[tuple[int, int]]()
        unit_words, unit_sentences, at = list[int](), list[int](), 0
        for number, (unit, spans) in enumerate(zip(units, self.spans, strict=True)):
            ids, places = _unit_words(unit, words)
            unit_words.append(at)
            unit_sentences.append(len(starts))
            begins = np.searchsorted(places, [start for start, _ in spans])
            filled = [n for n, end in enumerate((*begins[1:].tolist(), len(ids))) if end > begins[n]] or [0]
            starts += (at + int(begins[n]) for n in filled)
            self.texts += ((number, n) for n in filled)
            rows.append(table[ids] if len(ids) else np.array([-1]))
            at += len(rows[-1])
        self.stems = np.concatenate(rows) if rows else np.zeros(0, np.intp)
        self.sentences = np.array(starts, dtype=np.intp)
        self.unit_words = np.array(unit_words, dtype=np.intp)
        self.unit_sentences = np.array(unit_sentences, dtype=np.intp)
        self.lengths = np.diff([*unit_words, at]).astype(np.float64)
        self.norms = K1 * (1 - B + B * self.lengths / max(float(self.lengths.mean()) if units else 1.0, 1.0))
        self.tables = np.array([unit.kind == "Table" for unit in units], dtype=np.float64)
        self.digits = np.array([any(map(str.isdigit, unit.text)) for unit in units], dtype=np.float64)

    @cached_property
    def printed(self) -> frozenset[str]:
        """All words of the paper, also of its headings, references and names."""
        if self.paper is None:
            return frozenset(self.stem_numbers)
        texts = [node.text for node in self.paper.nodes.values()]
        return frozenset(self.stem_numbers).union(*map(stems, texts))

    @cached_property
    def parts(self) -> list[list[str]]:
        """Each unit in parts of some ninety words below its heading, as a network reads them."""
        return [_parts(unit, spans) for unit, spans in zip(self.units, self.spans, strict=True)]

    @cached_property
    def vectors(self) -> Vectors | None:
        """The vectors that are kept with the run, a row for each part; None without."""
        run = self.paper.path if self.paper else None
        if run is None or not os.path.lexists(run / VECTORS):
            return None
        from kag.retrieval.embedders import read_vectors

        return read_vectors(run, sum(map(len, self.parts)))

    @cached_property
    def _near(self) -> _Near:
        return _Near.of(self)

    @cached_property
    def _headings(self) -> tuple[list[frozenset[str]], Array]:
        """The stems of the different section paths, and which of them each unit has."""
        places = {section: place for place, section in enumerate(dict.fromkeys(unit.section for unit in self.units))}
        known = [frozenset(stems(" ".join(section))) for section in places]
        return known, np.array([places[unit.section] for unit in self.units], dtype=np.intp)

    def having(self, stem: str) -> int:
        """How many units print a stem."""
        return int(np.count_nonzero(self._counts(stem)))

    def _hits(self, stem: str) -> Array:
        hits: Array = self.stems == self.stem_numbers.get(stem, -2)
        return hits

    def _counts(self, stem: str) -> Array:
        hits = self._hits(stem)
        return np.add.reduceat(hits, self.unit_words, dtype=np.int64) if len(hits) else np.zeros(0, np.int64)

    def _of_sentences(self, wanted: Mapping[str, float]) -> Array:
        """What of the wanted stems each sentence prints, by their weights."""
        found = np.zeros(len(self.sentences))
        for stem, weight in wanted.items():
            found += weight * np.maximum.reduceat(self._hits(stem), self.sentences)
        return found

    def features(self, query: Query, rarity: Mapping[str, float]) -> Array:
        """What the model weighs, a row for each unit in the order of `FEATURES`."""
        if not self.units or not rarity:
            return np.zeros((len(self.units), len(FEATURES)))
        total = sum(rarity.values()) or 1.0
        counts = {stem: self._counts(stem) for stem in rarity}
        bm25 = sum(weight * counts[stem] * (K1 + 1) / (counts[stem] + self.norms) for stem, weight in rarity.items())
        covered = sum(weight * (counts[stem] > 0) for stem, weight in rarity.items())
        best = np.maximum.reduceat(self._of_sentences(rarity), self.unit_sentences)
        known, places = self._headings
        heading = np.array([sum(weight for stem, weight in rarity.items() if stem in one) for one in known])[places]
        amounts = self.digits if query.amount else np.zeros(len(self.units))
        lexical = (
            *(bm25 / total, best / total, covered / total, heading / total, self._neighbours(query, rarity) / total),
            *(self.tables, np.log1p(self.lengths), amounts),
        )
        return np.stack([*lexical, *self._near.features(self, rarity)], axis=1)

    def _neighbours(self, query: Query, rarity: Mapping[str, float]) -> Array:
        """The weight of the question's pairs of words that stand side by side in a sentence."""
        found = np.zeros(len(self.units))
        inside = np.ones(len(self.stems), dtype=bool)
        inside[self.sentences] = False  # the first word of a sentence follows none
        for one, other in query.pairs:
            hits = np.append(False, self._hits(one)[:-1] & self._hits(other)[1:])
            printed = np.maximum.reduceat(hits & inside, self.unit_words)
            found += (rarity[one] + rarity[other]) * printed
        return found

    def marked(self, number: int, rarity: Mapping[str, float]) -> tuple[int, int]:
        """The best sentence or row of a unit."""
        weights = self._of_sentences(rarity)
        own = [at for at, (owner, _) in enumerate(self.texts) if owner == number]
        body = [at for at in own if self.spans[number][self.texts[at][1]][0] >= self.units[number].body] or own
        return self.spans[number][self.texts[max(body, key=lambda at: weights[at])][1]]


@dataclass(frozen=True, slots=True)
class _Near:
    """The word vectors of a paper: rows of its stems, and vectors of texts, sentences, pairs of these and headings."""

    places: Array
    texts: Array
    sentences: Array
    windows: Array
    window_units: Array
    headings: Array

    @classmethod
    def of(cls, index: PassageIndex) -> _Near:
        """The vectors of a paper's units."""
        known = word_vectors()
        of_stem = known.places([*index.stem_numbers, ""])  # the last is that of a unit without words
        places = of_stem[index.stems]
        sentences = known.of_texts(places, index.sentences)
        units = np.array([number for number, _ in index.texts])
        both = np.flatnonzero(units[:-1] == units[1:])
        sections = [unit.section[-1:] for unit in index.units]
        rows = {
            section: known.of_texts(known.places(stems(" ".join(section))), np.array([0]))[0] for section in sections
        }
        return cls(
            places,
            known.of_texts(places, index.unit_words),
            sentences,
            unit_rows(sentences[both] + sentences[both + 1]),
            units[both],
            np.stack([rows[section] for section in sections]),
        )

    def features(self, index: PassageIndex, rarity: Mapping[str, float]) -> tuple[Array, ...]:
        """The last five of `FEATURES`."""
        known = word_vectors()
        asked = known.places(rarity)
        question = known.of_texts(asked, np.array([0]))[0]
        of_sentences = np.maximum.reduceat(self.sentences @ question, index.unit_sentences)
        windows = of_sentences.copy()
        np.maximum.at(windows, self.window_units, self.windows @ question)
        used, where = np.unique(self.places, return_inverse=True)
        alike = known.rows[asked] @ known.rows[used].T
        alike = np.where(alike > ALIKE, alike, 0)
        weights = np.array(list(rarity.values())) * known.weights[asked].astype(bool)
        nearest = np.maximum.reduceat(alike[:, where], index.sentences, axis=1)
        similar = weights @ nearest / (weights.sum() or 1.0)
        return (
            self.texts @ question,
            of_sentences,
            self.headings @ question,
            np.maximum.reduceat(similar, index.unit_sentences),
            windows,
        )


_INDEXES: WeakKeyDictionary[PaperGraph, tuple[SearchIndex, PassageIndex | None]] = WeakKeyDictionary()


def paper_index(paper: PaperGraph) -> SearchIndex:
    """The one index over the passages of a paper, made when first asked for."""
    if paper not in _INDEXES:
        _INDEXES[paper] = SearchIndex(passages(paper)), None
    return _INDEXES[paper][0]


def index_of(paper: PaperGraph) -> PassageIndex:
    """The features of a paper's units, made when first asked for."""
    index = paper_index(paper)
    ranked = _INDEXES[paper][1] or PassageIndex(passage_units(paper, index.passages), index, paper)
    _INDEXES[paper] = index, ranked
    return ranked


def rarities(indexes: Iterable[PassageIndex], query: Query) -> dict[str, float]:
    """How rare each word of the question is in all units together, times its weight in the question."""
    indexes = list(indexes)
    total = sum(len(index.units) for index in indexes)
    found = {}
    for word, weight in query.weights.items():
        having = sum(index.having(word) for index in indexes)
        found[word] = weight * math.log(1 + (total - having + 0.5) / (having + 0.5))
    return found


def _unit_words(unit: Unit, words: Words) -> tuple[Array, Array]:
    """The words of a unit by the number of their form, and where each begins in its text."""
    ids, places = list[Array](), list[Array]()
    for passage, begin in unit.passages:
        here = slice(words.bounds[passage], words.bounds[passage + 1])
        ids.append(words.ids[here])
        places.append(words.starts[here] + begin)
    return np.concatenate(ids), np.concatenate(places)


def _spans(unit: Unit) -> list[tuple[int, int]]:
    """The sentences of a text; of a table its head, then each of its rows."""
    if unit.kind != "Table":
        return [*sentences(unit.text)] or [(0, len(unit.text))]
    begins = [begin for _, begin in unit.passages if begin >= unit.body]
    rows = list(zip(begins, [*(begin - 1 for begin in begins[1:]), len(unit.text)], strict=True))
    return [*([(0, unit.body)] if unit.body else []), *rows]


def _parts(unit: Unit, spans: Sequence[tuple[int, int]]) -> list[str]:
    """The texts of a unit's parts: sentences, the last one again in the next part, or rows below the table's head."""
    heading, text = unit.section[-1:], unit.text
    if unit.kind == "Table":
        head, rows = text[: unit.body], [text[start:end] for start, end in spans if start >= unit.body]
        groups = [[head, *rows[at : at + PART_ROWS]] for at in range(0, max(len(rows), 1), PART_ROWS)]
    else:
        groups, length = [[]], 0
        for start, end in spans:
            sentence = text[start:end]
            words = len(sentence.split())
            if groups[-1] and length + words > PART:
                groups.append(groups[-1][-1:])
                length = len(groups[-1][0].split())
            groups[-1].append(sentence)
            length += words
    return [" ".join((*heading, plain(" ".join(group)))) for group in groups]
