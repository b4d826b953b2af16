"""Sentences that say the same in nearly the same words, in one paper or in several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kag.read.across.pool import Pool
from kag.read.extract.ranking import Scored
from kag.read.extract.values import without_callouts
from kag.text.search_text import tokens

SAME = 0.85  # share of the words of both that both have
_SHORT = 4  # words; of fewer it cannot be told


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a sentence, and those of them that have a digit."""

    all: frozenset[str]
    numbers: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Words:
        """The words of a text, by their stems."""
        found = frozenset(token.text for token in tokens(text, stem=True))
        return cls(found, frozenset(word for word in found if any(char.isdigit() for char in word)))


def grouped(ranked: Sequence[Scored], pool: Pool) -> tuple[tuple[Scored, ...], ...]:
    """The sentences in their order, each at the head of the later ones that say the same.

    Numbers count: "12 of 30" and "14 of 30" do not say the same.
    """
    groups: list[list[Scored]] = []
    heads: list[Words] = []
    for one in ranked:
        text = without_callouts(pool.index.passages[one.number].text[one.start : one.end])
        here = Words.of(text)
        same = next((place for place, head in enumerate(heads) if alike(here, head)), None)
        if same is None:
            groups.append([one])
            heads.append(here)
        else:
            groups[same].append(one)
    return tuple(tuple(group) for group in groups)


def alike(one: Words, other: Words) -> bool:
    """Whether two sentences have nearly the same words, and the same numbers."""
    if min(len(one.all), len(other.all)) < _SHORT or one.numbers != other.numbers:
        return one.all == other.all
    return len(one.all & other.all) >= SAME * len(one.all | other.all)
