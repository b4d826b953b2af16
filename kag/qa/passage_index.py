"""The one index over the passages of a paper, or over plain texts: their words as arrays, and BM25 search over them.

Words are indexed as printed and brought to their English stems when they are looked for, because phrases and prefixes
need the printed forms. Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with
the inverse document frequency of Lucene, which is never negative.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kag.qa.passages import Match, Passage, Span, snippet
from kag.qa.word_query import Query, parse_query
from kag.text.words import stem_of, tokens

K1, B = 1.2, 0.75  # the usual values
HEADING = 0.5  # weight of a word of the heading beside one of the text
PHRASE = 20.0  # weight of a phrase in the choice of a snippet: more than any word

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that matches; `spans` print what was looked for, `snippet` is the stretch around most of it.

    All are verbatim spans (node, start, end); a snippet has 240 characters at most and lies in one node.
    """

    passage: Passage
    score: float
    spans: tuple[Span, ...]
    snippet: Span


@dataclass(frozen=True, slots=True)
class Results:
    """`hits` are the requested ones of `total`, best first; `unknown` are words that no passage prints."""

    total: int
    hits: tuple[Hit, ...]
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """The passages that match a query by number, best first, and what to look for in them."""

    order: tuple[int, ...]
    scores: Mapping[int, float]
    wanted: Mapping[str, float]
    phrases: tuple[tuple[str, ...], ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of texts. Word i of all is `forms[ids[i]]`, printed from `starts[i]` to `ends[i]` of its text; text n
    has the words from `bounds[n]` to `bounds[n + 1]`.
    """

    forms: tuple[str, ...]
    ids: Array
    starts: Array
    ends: Array
    bounds: Array

    @classmethod
    def of(cls, texts: Iterable[str]) -> Words:
        """The words of some texts."""
        known: dict[str, int] = {}
        ids, starts, ends, bounds = array("i"), array("i"), array("i"), array("q", [0])
        for text in texts:
            for word, start, end in tokens(text):
                ids.append(known.setdefault(word, len(known)))
                starts.append(start)
                ends.append(end)
            bounds.append(len(ids))
        columns = (np.array(column) for column in (ids, starts, ends, bounds))
        return cls(tuple(known), *columns)

    def counts(self, forms: Iterable[int]) -> Array:
        """How often any of some forms, by number, is in each text."""
        wanted = np.isin(self.ids, list(forms))
        before = np.concatenate([[0], np.cumsum(wanted)])
        found: Array = before[self.bounds[1:]] - before[self.bounds[:-1]]
        return found


class SearchIndex:
    """An index over passages; a passage is named by its place in `passages`."""

    def __init__(self, passages: Iterable[Passage], *, k1: float = K1, b: float = B, heading: float = HEADING) -> None:
        self.passages: tuple[Passage, ...] = tuple(passages)
        self.words = Words.of(passage.text for passage in self.passages)
        self._k1, self._heading_weight = k1, heading
        lengths = np.diff(self.words.bounds)
        mean = float(lengths.mean()) if lengths.any() else 1.0
        self._norms = k1 * (1 - b + b * lengths / mean)
        self._impacts: dict[tuple[str, ...], dict[int, float]] = {}

    @cached_property
    def _headings(self) -> tuple[Words, Array]:
        """The words of the different headings, and which of them each passage has."""
        places = {
            heading: place for place, heading in enumerate(dict.fromkeys(passage.heading for passage in self.passages))
        }
        return Words.of(places), np.array([places[passage.heading] for passage in self.passages], dtype=np.intp)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {form: number for number, form in enumerate(self.words.forms)}

    @cached_property
    def _in_headings(self) -> dict[str, int]:
        return {form: number for number, form in enumerate(self._headings[0].forms)}

    @cached_property
    def _vocabulary(self) -> list[str]:
        return sorted({*self._numbers, *self._in_headings})

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for form in self._vocabulary:
            found.setdefault(stem_of(form), []).append(form)
        return found

    # ranking ----------------------------------------------------------------------------------

    def scores(self, weights: Mapping[str, float]) -> dict[int, float]:
        """The BM25 score of every passage that has any of the words, each counted with its weight.

        A word stands for all forms with its stem.
        """
        found: dict[int, float] = {}
        for word, weight in weights.items():
            for number, impact in self._impact(self.forms(word)).items():
                found[number] = found.get(number, 0.0) + weight * impact
        return found

    def idf(self, word: str) -> float:
        """Return the rarity of a word in any of its forms: 0 if no passage has it."""
        having = len(self._impact(self.forms(word)))
        return self._rarity(having) if having else 0.0

    def forms(self, word: str) -> tuple[str, ...]:
        """The forms in which a word is printed: all that have its stem."""
        return tuple(self._by_stem.get(stem_of(word), ()))

    def search(self, query: str, limit: int = 10, offset: int = 0) -> Results:
        """The passages that match a query (see `kag.qa.word_query`), best first, equals in reading order."""
        ranking = self.rank(query)
        shown = ranking.order[offset : offset + limit]
        return Results(len(ranking.order), tuple(self.hit(ranking, number) for number in shown), ranking.unknown)

    def rank(self, query: str) -> Ranking:
        """All passages that match a query, without the places of its words."""
        asked = parse_query(query)
        scores = self._matching(asked)
        return Ranking(
            order=tuple(sorted(sorted(scores), key=scores.__getitem__, reverse=True)),  # stable: equals stay in order
            scores=scores,
            wanted=self._wanted(asked),
            phrases=asked.phrases,
            unknown=tuple(dict.fromkeys(word for word in asked.words if not self.forms(word))),
        )

    def hit(self, ranking: Ranking, number: int) -> Hit:
        """Return the place at which a passage prints the query's words."""
        passage, wanted, found = self.passages[number], ranking.wanted, list[Match]()
        words, starts, ends = self._printed(number)
        for word, start, end in zip(words, starts, ends, strict=True):
            if word in wanted:
                found.append(Match(start, end, word, wanted[word]))
        for phrase in ranking.phrases:
            found += [Match(*run, " ".join(phrase), PHRASE) for run in _runs(words, starts, ends, phrase)]
        places = (place for span in _merged(found) for place in passage.places(*span))
        return Hit(passage, ranking.scores[number], tuple(places), snippet(passage, sorted(found)))

    # matching ---------------------------------------------------------------------------------

    def _matching(self, query: Query) -> dict[int, float]:
        """Passages that meet all of a query's conditions, with their scores; all of them where it has no words."""
        if query.words or query.prefixes:
            found = self.scores(Counter(query.words))
            for prefix in query.prefixes:
                for number, impact in self._impact(self._beginning_with(prefix)).items():
                    found[number] = found.get(number, 0.0) + impact
        else:
            found = dict.fromkeys(range(len(self.passages)) if query.conditions else (), 0.0)
        for condition in query.conditions:
            kept = {number for number in found if condition.met(self.passages[number]) == condition.keep}
            found = {number: score for number, score in found.items() if number in kept}
        for phrase in query.phrases:
            found = {number: score for number, score in found.items() if self._has_phrase(number, phrase)}
        for phrase in query.without:
            found = {number: score for number, score in found.items() if not self._has_phrase(number, phrase)}
        return found

    def _has_phrase(self, number: int, phrase: Sequence[str]) -> bool:
        """Whether the text of a passage has the words of a phrase next to each other."""
        printed = self._printed(number)
        if not set(phrase).issubset(printed[0]):
            return False
        return len(phrase) == 1 or bool(_runs(*printed, phrase))

    def _wanted(self, query: Query) -> dict[str, float]:
        """The printed forms that a query looks for, with their rarity; the commonest words only where alone."""
        forms = {form: self.idf(word) for word in query.words for form in self.forms(word)}
        for prefix in query.prefixes:
            for form in self._beginning_with(prefix):
                own = [self._numbers[form]] if form in self._numbers else []
                forms[form] = max(forms.get(form, 0.0), self._rarity(int(np.count_nonzero(self.words.counts(own)))))
        telling = {form: rarity for form, rarity in forms.items() if rarity > math.log(2)}
        return telling or forms

    # the index --------------------------------------------------------------------------------

    def _printed(self, number: int) -> tuple[list[str], list[int], list[int]]:
        """The words of a passage, and where each begins and ends."""
        here = slice(self.words.bounds[number], self.words.bounds[number + 1])
        words = [self.words.forms[form] for form in self.words.ids[here].tolist()]
        return words, self.words.starts[here].tolist(), self.words.ends[here].tolist()

    def _beginning_with(self, prefix: str) -> tuple[str, ...]:
        start = bisect_left(self._vocabulary, prefix)
        return tuple(self._vocabulary[start : bisect_left(self._vocabulary, prefix + "\U0010ffff", start)])

    def _rarity(self, having: int) -> float:
        return math.log(1 + (len(self.passages) - having + 0.5) / (having + 0.5))

    def _impact(self, forms: tuple[str, ...]) -> dict[int, float]:
        """Return what words, taken as one, add to the score of each passage that has them."""
        if forms not in self._impacts:
            counts = 1.0 * self.words.counts(self._numbers[form] for form in forms if form in self._numbers)
            if self._heading_weight:
                headings, places = self._headings
                own = headings.counts(self._in_headings[form] for form in forms if form in self._in_headings)
                counts = counts + self._heading_weight * own[places]
            found = np.flatnonzero(counts)
            counts, rarity = counts[found], self._rarity(len(found))
            impacts = rarity * counts * (self._k1 + 1) / (counts + self._norms[found])
            self._impacts[forms] = dict(zip(found.tolist(), impacts.tolist(), strict=True))
        return self._impacts[forms]


def _merged(matches: Iterable[Match]) -> list[tuple[int, int]]:
    """The spans of matches in order, overlapping ones joined."""
    found: list[tuple[int, int]] = []
    for start, end in sorted((match.start, match.end) for match in matches):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _runs(
    words: Sequence[str], starts: Sequence[int], ends: Sequence[int], phrase: Sequence[str]
) -> list[tuple[int, int]]:
    """The spans that print a phrase: its words are neighbours among those that are no compounds."""
    places = _singles(starts, ends)
    single, size, wanted = [words[place] for place in places], len(phrase), list(phrase)
    return [
        (starts[places[at]], ends[places[at + size - 1]])
        for at, word in enumerate(single)
        if wanted and word == wanted[0] and single[at : at + size] == wanted
    ]


def _singles(starts: Sequence[int], ends: Sequence[int]) -> list[int]:
    """Return the words that are not part of a compound: a compound covers the words behind it, or those before it.

    Two words of one span were made from one sign, as from "½": both are kept.
    """
    found: list[int] = []
    first = last = -1
    for at, start in enumerate(starts):
        end = ends[at]
        if start >= last or (start == first and end == last):
            found.append(at)
        elif start >= first and end <= last:
            found[-1] = at
        else:
            continue
        first, last = start, end
    return found
