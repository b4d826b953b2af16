"""Sentences that say the same in nearly the same words, in one paper or in several."""

from __future__ import annotations

from collections.abc import Sequence

from kag.across.pool import Pool
from kag.answering.ranking import Scored
from kag.answering.values import without_callouts
from kag.search_text import tokens

SAME = 0.85  # share of the words of both that both have
_SHORT = 4  # words; of fewer it cannot be told


def grouped(ranked: Sequence[Scored], pool: Pool) -> tuple[tuple[Scored, ...], ...]:
    """The sentences in their order, each at the head of the later ones that say the same.

    Numbers count: "12 of 30" and "14 of 30" do not say the same.
    """
    groups: list[list[Scored]] = []
    words: list[frozenset[str]] = []
    for one in ranked:
        text = without_callouts(pool.index.passages[one.number].text[one.start : one.end])
        here = frozenset(token.text for token in tokens(text, stem=True))
        same = next((place for place, other in enumerate(words) if alike(here, other)), None)
        if same is None:
            groups.append([one])
            words.append(here)
        else:
            groups[same].append(one)
    return tuple(tuple(group) for group in groups)


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sentences have nearly the same words, and the same numbers."""
    if min(len(one), len(other)) < _SHORT or _numbers(one) != _numbers(other):
        return one == other
    return len(one & other) >= SAME * len(one | other)


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if any(char.isdigit() for char in word))
