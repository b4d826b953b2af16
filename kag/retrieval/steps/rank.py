"""Scores of chunks for a question, alone and in pairs: a cell's row and the passage it names answer together.

A pair is scored as the text it would make: each word of the question counts where it stands best, so that what only
one of the two says counts, and what both say counts once. Words by BM25 (Robertson and Zaragoza, 2009), meaning by the
cosine of the vectors' sum.
"""

from __future__ import annotations

import math
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from kag.retrieval.chunking import Bundle, Hit, Query
from kag.retrieval.graph.entities import Extractor, entities
from kag.retrieval.index import Index
from kag.retrieval.plan import Compress, Gather, Merge, Rank, Rewrite
from kag.retrieval.sparse import K1, B, rarity, words_of
from kag.retrieval.steps.seed import Synonyms, bm25, deep, dense, fused, remembered, vector_of
from kag.retrieval.vectors import np
from kag.text.sentences import sentences
from kag.text.words import tokens

Variants = Callable[[str], Sequence[str]]
"""Other wordings of a question, the best first."""

_CLAUSE = re.compile(r"(?:[,;:]\s|\s)(?:that|which|who|whose|where|when|while|because|and|or|but)\s|[,;:]\s")
LEAST_WORDS = 3  # a clause with fewer asks nothing


def clause_variants(question: str) -> tuple[str, ...]:
    """Variants by rule: the question without each of its clauses, each clause alone, and the names in it."""
    clauses = [clause.strip(" ?.!,;:") for clause in _CLAUSE.split(question)]
    asking = [clause for clause in clauses if len(tokens(clause, wholes=False)) >= LEAST_WORDS]
    without = (" ".join(asking[:at] + asking[at + 1 :]) for at in reversed(range(len(asking))))
    names = " ".join(entities(question))
    found = (*(without if len(asking) > 2 else ()), *reversed(asking), names)
    return tuple(dict.fromkeys(text for text in found if text and text != question.strip(" ?.!")))


def variants(ask: Variants = clause_variants, most: int = 3) -> Rewrite:
    """A rewriting into the question itself and at most so many variants, each once."""

    def rewrite(query: Query, index: object) -> Sequence[Query]:
        return tuple(_first(query, ask(query.text), most))

    return rewrite


def _first(query: Query, texts: Sequence[str], most: int) -> Iterator[Query]:
    yield query
    known = {query.text.strip()}
    for text in texts:
        if len(known) <= most and text.strip() and text.strip() not in known:
            known.add(text.strip())
            yield replace(query, text=text.strip())


Condense = Callable[[str, str], str]
"""A question and a chunk's text to what of the text bears on it; empty where nothing does."""

SENTENCES = 3


def best_sentences(question: str, text: str, most: int = SENTENCES) -> str:
    """The sentences that share most of the question's words, verbatim and in their order; words in fewer count more."""
    wanted = frozenset(words_of(question))
    spans = sentences(text)
    shared = [wanted.intersection(words_of(text[start:end])) for start, end in spans]
    known = Counter(word for words in shared for word in words)
    scores = [sum(math.log(1 + len(spans) / known[word]) for word in sorted(words)) for words in shared]
    best = sorted((place for place, score in enumerate(scores) if score), key=lambda place: (-scores[place], place))
    return " ".join(text[slice(*spans[place])] for place in sorted(best[:most]))


def condensed(condense: Condense = best_sentences, *, workers: int = 4) -> Compress:
    """A compression of every chunk that was found, in threads; the notes come in the order of the hits."""

    def compress(query: Query, bundle: Bundle, index: Index) -> Bundle:
        texts = [index.chunks[hit.chunk].text for hit in bundle.hits]
        with ThreadPoolExecutor(max_workers=workers) as threads:
            notes: Sequence[str] = tuple(threads.map(lambda text: condense(query.text, text), texts))
        made = {hit.chunk: note for hit, note in zip(bundle.hits, notes, strict=True) if note}
        return Bundle(bundle.hits, {**bundle.notes, **made})

    return compress


@dataclass(frozen=True, slots=True)
class Stages:
    """Names in a question, other names of a name (None: the corpus' own acronyms), other wordings of a question, and
    what to keep of a chunk (None: all of it)."""

    extract: Extractor = entities
    synonyms: Synonyms | None = None
    variants: Variants = clause_variants
    condense: Condense | None = best_sentences


RULES = Stages()
"""All steps by rule."""


LENGTH = 100  # words in a usual chunk
MEANING = 0.5  # how much of a score is the vectors'
CREDIT = 0.1  # what a hit may earn by the way in which it was found; answering best alone scores 1

Parts = Sequence[float]  # what each word of the question scores, in order of the alphabet


class Scorer:
    """Scores for one question: 0 and up, 1 for a chunk that is alone the best by words and by vectors.

    `meaning` is how much of a score is the vectors', 0 to 1; all is by words where the index has none.
    """

    def __init__(self, query: Query, index: Index, meaning: float = MEANING) -> None:
        self._index = index
        size = len(index.chunks)
        self._weights = {
            word: count * rarity(size, known)
            for word, count in sorted(Counter(words_of(query.text)).items())
            if (known := index.sparse.frequency(word))
        }
        self._by_words: dict[str, Parts] = remembered(query, index, "parts", dict)
        self._by_vector: dict[str, float] = remembered(query, index, "cosines", dict)
        self._by_chunk: dict[str, float] = remembered(query, index, ("alone", meaning), dict)
        best = deep(bm25, query, index)
        self._most = sum(self._words(best[0].chunk)) if best else 0.0
        self._share = meaning if index.vectors is not None else 0.0
        self._vector = vector_of(query, index) if self._share else None
        near = deep(dense, query, index) if self._share else ()
        self._nearest = max(near[0].score, 1e-6) if near else 1.0

    def hold(self, names: Iterable[str]) -> None:
        """Announce the chunks to be scored: remote vectors are fetched together."""
        if self._vector is not None and self._index.vectors is not None:
            self._index.vectors.hold(names)

    def alone(self, name: str) -> float:
        """Score a chunk by itself."""
        if name not in self._by_chunk:
            self._by_chunk[name] = self._mixed(sum(self._words(name)), self._cosine(name))
        return self._by_chunk[name]

    def together(self, seed: str, other: str, places: Sequence[str]) -> float:
        """Score `other` together with `seed`: half by the whole seed, half by its best place."""
        words = self._words(other)
        whole = _joined(words, self._words(seed))
        place = max((_joined(words, self._parts(*_amounts(text, self._weights))) for text in places), default=whole)
        return self._mixed((whole + place) / 2, self._cosine_of_sum(seed, other))

    def _mixed(self, words: float, cosine: float) -> float:
        by_words = words / self._most if self._most else 0.0
        return (1 - self._share) * by_words + self._share * cosine / self._nearest

    def _words(self, name: str) -> Parts:
        if name not in self._by_words:
            self._by_words[name] = self._parts(*self._index.amounts(name, tuple(self._weights)))
        return self._by_words[name]

    def _parts(self, length: int, counts: Sequence[int]) -> Parts:
        """Return the score of each question word in a text of that many words with that frequency."""
        norm = K1 * (1 - B + B * length / LENGTH)
        return [
            weight * count * (K1 + 1) / (count + norm) if count else 0.0
            for weight, count in zip(self._weights.values(), counts, strict=True)
        ]

    def _cosine(self, name: str) -> float:
        if self._vector is None or self._index.vectors is None:
            return 0.0
        if name not in self._by_vector:
            self._by_vector[name] = float(self._index.vectors[name] @ self._vector)
        return self._by_vector[name]

    def _cosine_of_sum(self, one: str, other: str) -> float:
        vectors: Any = self._index.vectors
        if self._vector is None:
            return 0.0
        return (self._cosine(one) + self._cosine(other)) / float(np.linalg.norm(vectors[one] + vectors[other]) or 1.0)


def _joined(one: Parts, other: Parts) -> float:
    return sum(map(max, one, other))


def _amounts(text: str, words: Iterable[str]) -> tuple[int, list[int]]:
    """Return a text's number of words, and the frequency of each of these."""
    counts = _counted(text)
    return counts.total(), [counts[word] for word in words]


@lru_cache(maxsize=20_000)
def _counted(text: str) -> Counter[str]:
    return Counter(words_of(text))


def credited(credit: float = CREDIT, meaning: float = MEANING) -> Rank:
    """Hits by how well they answer alone, and by how surely they were found: the best of them earns `credit` more,
    the others their share of it. Their own scores, 0 and up, are compared with one another only.
    """

    def rank(query: Query, hits: Sequence[Hit], index: Index) -> Sequence[Hit]:
        if not hits:
            return ()
        scorer, most = Scorer(query, index, meaning), max(hit.score for hit in hits)
        scorer.hold(hit.chunk for hit in hits)
        earned = {hit.chunk: credit * hit.score / most if most > 0 else 0.0 for hit in hits}
        scored = (Hit(hit.chunk, scorer.alone(hit.chunk) + earned[hit.chunk], hit.via) for hit in hits)
        return sorted(scored, key=lambda hit: (-hit.score, hit.chunk))

    return rank


HEAD = 0.5


def in_order(head: float = HEAD, meaning: float = MEANING) -> Merge:
    """A merge by score; of any number of first hits at least the share `head`, 0 to 1, are seeds in their order."""

    def merge(query: Query, seeds: Sequence[Hit], hits: Sequence[Hit], index: Index) -> Sequence[Hit]:
        if not hits or not seeds:
            return (*seeds, *hits)
        scorer = Scorer(query, index, meaning)
        return tuple(_merged(seeds, [scorer.alone(hit.chunk) for hit in seeds], hits, head))

    return merge


def _merged(seeds: Sequence[Hit], scores: Sequence[float], hits: Sequence[Hit], head: float) -> Iterator[Hit]:
    """Each chunk once; a seed counts as much as the best of it and those behind it."""
    worth = list(scores)
    for place in reversed(range(len(worth) - 1)):
        worth[place] = max(worth[place], worth[place + 1])
    left, right = deque(zip(seeds, worth, strict=True)), deque(hits)
    given: set[str] = set()
    kept = 0
    while left or right:
        owed = kept < head * (len(given) + 1)
        if left and (left[0][0].chunk in given or owed or not right or right[0].score <= left[0][1]):
            hit, _ = left.popleft()
            kept += hit.chunk not in given
        else:
            hit = right.popleft()
        if hit.chunk not in given:
            given.add(hit.chunk)
            yield hit


def agreed(credit: float = CREDIT, head: float = HEAD, meaning: float = MEANING) -> Gather:
    """Merge rankings: the first one's hits are the seeds; the others' add up to `credit` by their ranks, by reciprocal
    rank fusion."""
    rank, merge = credited(credit, meaning), in_order(head, meaning)

    def gather(query: Query, rankings: Sequence[Sequence[Hit]], index: Index) -> Sequence[Hit]:
        first, *others = rankings
        return merge(query, first, rank(query, fused(others), index), index)

    return gather
