"""Sentences and passages ranked for a question: BM25 of the passage, and what each sentence has of the question.

A sentence's score is a weighted sum of features, each between about 0 and 1. The weights were fitted (softmax over the
sentences of an article, penalised) on half of the articles of COVID-QA and rounded; a weight of 0 turns a feature off.
References, headings and names of authors are no answers and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from kag.read.extract.asking import Asked
from kag.read.extract.fragments import is_statement, whole_sentences
from kag.read.extract.kin import kin_of
from kag.read.extract.roots import relatives
from kag.read.extract.values import without_callouts, without_numbers
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage
from kag.text.search_text import tokens

SHORTLIST = 40  # passages whose sentences are looked at

Rarity = Callable[[str], float]  # of a word: its inverse document frequency, above 0

_NEAR = 3  # words apart, for a pair
_KIN = 0.6  # what a word counts that only means the same
_STANDS_IN = 0.8  # the same, where the paper has no other
_FIRST = 3  # words of a sentence in which what it is about is named
_NO_ANSWER = frozenset({"reference", "sectiontitle", "title", "listofauthors", "listoforganizations", "figurelabel"})


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature counts.

    `passage`: BM25 of the passage. `sentence`, `before`, `around`: the share of the question's words, by their rarity,
    that the sentence has, that only the sentence before it has, that the passage has. `printed`: the share in the very
    form of the question. `pairs`: neighbours of the question that stand close together. `kind`: the sentence has the
    number, date or person asked for. `early`: a word of the question is among its first three.
    `defines`: it says what the term asked for is. `places`: the section is one where such answers stand. `extra`:
    scores given from outside.
    """

    passage: float = 2.0
    sentence: float = 5.0
    before: float = 2.5
    around: float = 1.4
    printed: float = 1.6
    pairs: float = 1.7
    kind: float = 1.7
    early: float = 0.8
    defines: float = 1.5
    places: float = 1.0
    extra: float = 2.0

    def attainable(self, asked: Asked) -> float:
        """What a sentence can have of a question at most, its passage apart."""
        kind, pairs = self.kind if asked.kind else 0.0, self.pairs if asked.pairs else 0.0
        return self.sentence + self.around + self.printed + self.early + kind + pairs or 1.0


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence, `passage.text[start:end]` of the passage with that number.

    `fit` is how much of what can be asked of one sentence it has, 0 to 1, whatever the passage scores; `words` are
    the words of the question in it and in the sentence before; `cover` is what its own weigh, of 1, `has_kind` whether
    it has what the kind of answer needs.
    """

    number: int
    start: int
    end: int
    score: float
    fit: float
    words: frozenset[str] = frozenset()
    cover: float = 0.0
    has_kind: bool = False


class _Match(NamedTuple):
    """A word of a sentence: its place among them, the word of the question, how it is printed, what it counts of it."""

    place: int
    word: str
    form: str
    credit: float


@dataclass(frozen=True, slots=True)
class _Need:
    """A question in the words of one index: forms to words, and what each word weighs, 1 in sum; `kin` are forms of
    other words that mean the same."""

    asked: Asked
    forms: Mapping[str, str]
    weights: Mapping[str, float]
    kin: Mapping[str, str]
    printed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, asked: Asked, index: SearchIndex, rarity: Rarity | None) -> _Need:
        # A word that is nowhere is as rare as what is printed for it, or else as can be: against every sentence.
        rare = rarity or (lambda word: index.idf(word) or _rarity_meant(word, index) or index.rarest)
        raw = {word: weight * rare(word) for word, weight in asked.content.items()}
        total = sum(raw.values()) or 1.0
        forms = {form: word for word in raw for form in index.forms(word)}
        near = {
            form: word for word in raw for one in _meant(word, index) for form in index.forms(one) if form not in forms
        }
        shares = {word: value / total for word, value in raw.items()}
        return cls(asked, forms, shares, near, frozenset(forms.values()))

    def credit(self, word: str) -> float:
        """What another word for a word counts: more where the paper prints only that."""
        return _KIN if word in self.printed else _STANDS_IN

    def share(self, credits: Mapping[str, float]) -> float:
        """What words count, each with its credit: 1 for one that is printed, less for one that is only meant."""
        return sum(self.weights[word] * credit for word, credit in credits.items())


def rank(
    asked: Asked,
    index: SearchIndex,
    weights: Weights = WEIGHTS,
    *,
    extra: Mapping[int, float] | None = None,
    rarity: Rarity | None = None,
) -> tuple[Scored, ...]:
    """Sentences, the best first: all of the passages that BM25 puts first, then each other passage as a whole.

    `extra` are scores of passages (0 to 1, by number) from another ranking, such as one by meaning. `rarity` says how
    rare a word is where the passages are only a few of many texts; else the passages tell.
    """
    meant = {one: _KIN * weight for word, weight in asked.content.items() for one in _meant(word, index)}
    scores = index.scores({**meant, **asked.words})
    for number in extra or ():
        scores.setdefault(number, 0.0)
    told = (number for number in scores if _may_answer(index.passages[number]))
    order = sorted(told, key=lambda number: (-round(scores[number], 6), number))
    highest = scores[order[0]] if order else 0.0
    need = _Need.of(asked, index, rarity)
    found: list[Scored] = []
    for number in order[:SHORTLIST]:
        given = weights.passage * (scores[number] / highest if highest else 0.0)
        given += weights.extra * extra.get(number, 0.0) if extra else 0.0
        given += weights.places * _is_place(index.passages[number], asked.places)
        found += _sentences(number, index, need, weights, given)
    found.sort(key=lambda one: (-round(one.score, 6), one.number, one.start))
    rest = (Scored(number, 0, len(index.passages[number].text), 0.0, 0.0) for number in order[SHORTLIST:])
    return (*found, *rest)


def _meant(word: str, index: SearchIndex) -> tuple[str, ...]:
    """Other words that may be printed for a word: the same thing, or of the same root."""
    return (*kin_of(word), *relatives(word, index))


def _rarity_meant(word: str, index: SearchIndex) -> float:
    """The rarity of the rarest word that is printed for one that is not; 0 where there is none."""
    return max((index.idf(one) for one in _meant(word, index)), default=0.0)


def _may_answer(passage: Passage) -> bool:
    return passage.kind not in _NO_ANSWER and not passage.names_columns


def passages_of(ranked: tuple[Scored, ...]) -> tuple[int, ...]:
    """The passages of ranked sentences, by their best sentence."""
    return tuple(dict.fromkeys(one.number for one in ranked))


def _sentences(number: int, index: SearchIndex, need: _Need, weights: Weights, given: float) -> Iterator[Scored]:
    text = index.passages[number].text
    spans = whole_sentences(number, index)
    matches = _matches(index, number, spans, need)
    head = dict.fromkeys(_head(index.passages[number], need), 1.0)
    best, defined, begins = weights.attainable(need.asked), _defining(need.asked.term), _beginning(need.asked.term)
    around = need.share(_credits([one for found in matches for one in found], head))
    kinds = [_has_kind(text[start:end], need.asked) for start, end in spans]
    earlier: dict[str, float] = {}
    for place, ((start, end), found) in enumerate(zip(spans, matches, strict=True)):
        words = _credits(found, head)
        cover = need.share(words)
        fit = weights.sentence * cover
        fit += weights.before * need.share({w: c for w, c in earlier.items() if w not in words})
        fit += weights.around * around
        fit += weights.printed * need.share({one.word: 1.0 for one in found if one.form == one.word})
        fit += weights.pairs * _pairs(found, need.asked)
        fit += weights.early * (bool(found) and found[0].place < _FIRST)
        fit += weights.kind * _kind_near(kinds, place, need.asked)
        if defined and begins:
            says = 1.0 if defined.search(text, start, end) else 0.1 if begins.match(text, start, end) else 0.0
            fit += weights.defines * says
        known = frozenset(words) | frozenset(earlier)
        if is_statement(text[start:end], index.passages[number].kind):
            yield Scored(number, start, end, given + fit, fit / best, known, cover, kinds[place])
        earlier = words


def _credits(found: Iterable[_Match], head: Mapping[str, float]) -> dict[str, float]:
    """The words of the question that were found, each with its best credit."""
    credits = dict(head)
    for one in found:
        credits[one.word] = max(credits.get(one.word, 0.0), one.credit)
    return credits


def _kind_near(kinds: Sequence[bool], place: int, asked: Asked) -> float:
    """1 where a sentence has what is needed, half as much where the next one does and that is as good."""
    if kinds[place]:
        return 1.0
    near = asked.needed is not None and asked.needed.near
    return 0.5 if near and any(kinds[place + 1 : place + 2]) else 0.0


def _matches(index: SearchIndex, number: int, spans: tuple[tuple[int, int], ...], need: _Need) -> list[list[_Match]]:
    """For each sentence the words of the question in it, or others for the same."""
    found: list[list[_Match]] = [[] for _ in spans]
    at = place = 0
    for start, _, form in index.wording(number):
        while at < len(spans) - 1 and start >= spans[at + 1][0]:
            at, place = at + 1, 0
        if not spans or not spans[at][0] <= start < spans[at][1]:
            continue
        if form in need.forms:
            found[at].append(_Match(place, need.forms[form], form, 1.0))
        elif form in need.kin:
            found[at].append(_Match(place, need.kin[form], form, need.credit(need.kin[form])))
        place += 1
    return found


def _head(passage: Passage, need: _Need) -> set[str]:
    """The words of the question in a table's label and column heads, which belong to each of its rows."""
    if passage.kind != "table":
        return set()
    return {need.forms[word] for word in _words(passage.heading) if word in need.forms}


@lru_cache(maxsize=1024)
def _words(heading: str) -> frozenset[str]:
    return frozenset(token.text for token in tokens(heading))


def _pairs(found: Sequence[_Match], asked: Asked) -> float:
    """The share of the question's neighbours that stand at most three words apart."""
    places: dict[str, list[int]] = {}
    for one in found:
        places.setdefault(one.word, []).append(one.place)
    close = sum(
        any(abs(one - two) <= _NEAR for one in places.get(first, ()) for two in places.get(second, ()))
        for first, second in asked.pairs
    )
    return close / len(asked.pairs) if asked.pairs else 0.0


def _has_kind(sentence: str, asked: Asked) -> bool:
    needed = asked.needed
    if needed is None:
        return False
    if needed.name == "person":  # a name of the question's own is no answer
        sentence = re.sub(r"\b(?:" + "|".join(map(re.escape, asked.words)) + r")\b", " ", sentence, flags=re.I)
    if asked.is_number:  # nor is a number of its own
        sentence = without_numbers(without_callouts(sentence), asked.words)
    return needed.has_it(sentence)


@lru_cache(maxsize=256)
def _defining(term: str) -> re.Pattern[str] | None:
    """What says what a term is: "(TERM)", "TERM (...)", "TERM is a", "known as TERM"."""
    word = r"[\s-]?".join(map(re.escape, re.split(r"[\s-]+", term)))
    pattern = rf"\(\s?{word}s?\b|\b{word}s?\s?\(|\b{word}s?,?\s(?:is|are|was|were)\s(?:an?|the)\s"
    pattern += rf"|\b{word}s?\s(?:refers?|stands?|means?|denotes?|represents?|comprises?|consists?\sof)\b"
    pattern += rf"|\b(?:called|termed|known as|defined as|named)\s(?:an?\s|the\s)?[\"“']?{word}\b"
    return re.compile(pattern, re.I) if term else None


@lru_cache(maxsize=256)
def _beginning(term: str) -> re.Pattern[str] | None:
    """A sentence that begins by saying what a term does: "TERM adds", "Our method, TERM, extends"."""
    word = r"[\s-]?".join(map(re.escape, re.split(r"[\s-]+", term)))
    return re.compile(rf"(?:\w+ ){{0,3}}\w*,? ?{word},?\s[a-z]{{3,}}s\b", re.I) if term else None


def _is_place(passage: Passage, places: frozenset[str]) -> bool:
    return bool(places) and not places.isdisjoint(name.lower() for name in (*passage.roles, *passage.path))
