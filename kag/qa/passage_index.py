"""Ranked full-text search over the passages of a paper, or over plain texts: BM25 in memory.

Words are indexed as printed and brought to their English stems only when they are asked for: building costs half as
much, and phrases and prefixes need the printed forms. Robertson and Zaragoza, "The Probabilistic Relevance Framework:
BM25 and Beyond" (2009), with the inverse document frequency of Lucene, which is never negative.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kag.qa.passages import Match, Passage, Span, snippet
from kag.qa.word_query import Query, parse_query
from kag.text.search_text import tokens

K1, B = 1.2, 0.75  # the usual values
HEADING = 0.5  # what a word of the heading counts, of one in the text
PHRASE = 20.0  # what a phrase weighs in the choice of a snippet: more than any word


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found; `spans` print what was looked for, `snippet` is the stretch around most of it.

    All are verbatim spans (node, start, end); a snippet has 240 characters at most and lies in one node.
    """

    passage: Passage
    score: float
    spans: tuple[Span, ...]
    snippet: Span


@dataclass(frozen=True, slots=True)
class Results:
    """`hits` are the ones asked for of `total`, the best first; `unknown` are words that are nowhere."""

    total: int
    hits: tuple[Hit, ...]
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a query finds: passages by number, the best first, and what to look for in them."""

    order: tuple[int, ...]
    scores: Mapping[int, float]
    wanted: Mapping[str, float]
    phrases: tuple[tuple[str, ...], ...]
    unknown: tuple[str, ...]


class SearchIndex:
    """An index over passages; a passage is named by its place in `passages`."""

    def __init__(
        self,
        passages: Iterable[Passage],
        *,
        k1: float = K1,
        b: float = B,
        heading: float = HEADING,
    ) -> None:
        self.passages: tuple[Passage, ...] = tuple(passages)
        self._k1, self._heading_weight = k1, heading
        self._text: dict[str, dict[int, int]] = {}  # word -> how often in each passage
        self._heading: dict[str, dict[int, int]] = {}
        self._wordings: list[Wording] = []
        lengths = [self._add(number, passage) for number, passage in enumerate(self.passages)]
        mean = sum(lengths) / len(lengths) if any(lengths) else 1.0
        self._norms = [k1 * (1 - b + b * length / mean) for length in lengths]
        self._vocabulary = sorted({*self._text, *self._heading})
        self._impacts: dict[str, dict[int, float]] = {}
        self._forms: dict[str, tuple[str, ...]] = {}

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
        """How rare a word is, in any of its forms: 0 for one in no passage."""
        having = len(self._impact(self.forms(word)))
        return self._rarity(having) if having else 0.0

    def forms(self, word: str) -> tuple[str, ...]:
        """The forms in which a word is printed: all that have its stem."""
        stem = _stem(word)
        if stem not in self._forms:
            same = {form for form in self._near(stem) if _stem(form) == stem}
            as_asked = {form for form in (word, stem) if form in self._text or form in self._heading}
            self._forms[stem] = tuple(sorted(same | as_asked))
        return self._forms[stem]

    def search(self, query: str, limit: int = 10, offset: int = 0) -> Results:
        """The passages that a query finds (see `kag.qa.word_query`), the best first, equals in reading order."""
        ranking = self.rank(query)
        shown = ranking.order[offset : offset + limit]
        return Results(len(ranking.order), tuple(self.hit(ranking, number) for number in shown), ranking.unknown)

    def rank(self, query: str) -> Ranking:
        """All that a query finds, without looking at where."""
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
        """Where a passage prints what was looked for."""
        passage, wording, wanted = self.passages[number], self._wordings[number], ranking.wanted
        found = [Match(start, end, word, wanted[word]) for start, end, word in wording if word in wanted]
        for phrase in ranking.phrases:
            found += [Match(*run, " ".join(phrase), PHRASE) for run in wording.runs(phrase)]
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
            having = self._with_phrase(phrase, found)
            found = {number: score for number, score in found.items() if number in having}
        for phrase in query.without:
            having = self._with_phrase(phrase, found)
            found = {number: score for number, score in found.items() if number not in having}
        return found

    def _with_phrase(self, phrase: Sequence[str], among: Iterable[int]) -> set[int]:
        """The passages whose text has the words of a phrase next to each other."""
        postings = sorted((self._text.get(word, {}) for word in phrase), key=len)
        having = [number for number in among if all(number in posting for posting in postings)]
        if len(phrase) == 1:
            return set(having)
        return {number for number in having if self._wordings[number].has(phrase)}

    def _wanted(self, query: Query) -> dict[str, float]:
        """The printed forms that a query looks for, with their rarity; the commonest words only where alone."""
        forms = {form: self.idf(word) for word in query.words for form in self.forms(word)}
        for prefix in query.prefixes:
            for form in self._beginning_with(prefix):
                forms[form] = max(forms.get(form, 0.0), self._rarity(len(self._text.get(form, ()))))
        telling = {form: rarity for form, rarity in forms.items() if rarity > math.log(2)}
        return telling or forms

    # the index --------------------------------------------------------------------------------

    def _add(self, number: int, passage: Passage) -> int:
        """Index a passage; the length of its text in words."""
        wording = Wording.of(passage.text)
        self._wordings.append(wording)
        for word, count in Counter(wording.listed()).items():
            self._text.setdefault(word, {})[number] = count
        if passage.heading:
            for word, count in _heading_words(passage.heading):
                self._heading.setdefault(word, {})[number] = count
        return len(wording.starts)

    def _near(self, stem: str) -> Iterator[str]:
        """The words that may have a stem: stemming is slow, and all of them begin like it and are not much longer.

        What the English stemmer puts in the place of an ending is "i" ("flies", "fly"), "e" ("rating") or "bl"
        ("capability"); else a stem is the beginning of its forms. Only "dying", "lying" and "tying" are missed.
        """
        if not stem.isalpha() or len(stem) < 3:
            return
        longest = len(stem) + (5 if len(stem) == 3 else 9)
        beginning = stem[:-1] if stem.endswith(("i", "e", "bl")) else stem
        yield from (form for form in self._beginning_with(beginning) if len(form) <= longest)

    def _beginning_with(self, prefix: str) -> tuple[str, ...]:
        start = bisect_left(self._vocabulary, prefix)
        return tuple(self._vocabulary[start : bisect_left(self._vocabulary, prefix + "\U0010ffff", start)])

    def _rarity(self, having: int) -> float:
        return math.log(1 + (len(self.passages) - having + 0.5) / (having + 0.5))

    def _impact(self, forms: Sequence[str]) -> dict[int, float]:
        """What words, taken as one, add to the score of each passage that has them."""
        key = " ".join(forms)
        if key not in self._impacts:
            counts: dict[int, float] = {}
            for weight, postings in ((1.0, self._text), (self._heading_weight, self._heading)):
                for form in forms if weight else ():
                    for number, count in postings.get(form, {}).items():
                        counts[number] = counts.get(number, 0.0) + weight * count
            rarity, k1, norms = self._rarity(len(counts)), self._k1, self._norms
            self._impacts[key] = {
                number: rarity * count * (k1 + 1) / (count + norms[number]) for number, count in counts.items()
            }
        return self._impacts[key]


@lru_cache(maxsize=4096)
def _heading_words(heading: str) -> tuple[tuple[str, int], ...]:
    return tuple(Counter(token.text for token in tokens(heading)).items())


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    """The stem of one word; a number or a compound is its own."""
    return tokens(word, stem=True)[0].text if word.isalpha() and word.isascii() else word


def _merged(matches: Iterable[Match]) -> list[tuple[int, int]]:
    """The spans of matches in order, overlapping ones joined."""
    found: list[tuple[int, int]] = []
    for start, end in sorted((match.start, match.end) for match in matches):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


@dataclass(frozen=True, slots=True)
class Wording:
    """`words` are a text's words, one a line (a word may have blanks: "2 x 10^3"), printed from `starts` to `ends`.

    `run` is the same without compounds, and begins and ends with a line break: in it a phrase is a run of neighbours.
    """

    words: str
    starts: array[int]
    ends: array[int]
    run: str

    @classmethod
    def of(cls, text: str) -> Wording:
        """The words of a text."""
        found = tokens(text)
        words = [token[0] for token in found]
        starts, ends = [token[1] for token in found], [token[2] for token in found]
        run = "\n".join([words[at] for at in _singles(starts, ends)])
        return cls("\n".join(words), array("L", starts), array("L", ends), f"\n{run}\n")

    def __iter__(self) -> Iterator[tuple[int, int, str]]:
        """Each word with the span that prints it: (start, end, word)."""
        return zip(self.starts, self.ends, self.listed(), strict=True)

    def listed(self) -> list[str]:
        """The words as a list."""
        return self.words.split("\n") if self.words else []

    def has(self, phrase: Sequence[str]) -> bool:
        """Whether the words of a phrase stand next to each other."""
        return "\n{}\n".format("\n".join(phrase)) in self.run

    def runs(self, phrase: Sequence[str]) -> list[tuple[int, int]]:
        """The spans that print a phrase."""
        if not self.has(phrase):
            return []
        places, words = _singles(self.starts, self.ends), self.run[1:-1].split("\n")
        size, wanted = len(phrase), list(phrase)
        return [
            (self.starts[places[at]], self.ends[places[at + size - 1]])
            for at, word in enumerate(words)
            if word == wanted[0] and words[at : at + size] == wanted
        ]


def _singles(starts: Sequence[int], ends: Sequence[int]) -> list[int]:
    """The words that are no compound of others: a compound covers the words behind it, or those before it.

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
