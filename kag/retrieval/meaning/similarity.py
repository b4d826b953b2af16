"""How alike texts are: an `Embedder` makes vectors of them; Jaccard compares their words and needs no package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from kag.text.search_text import tokens

if TYPE_CHECKING:
    from kag.retrieval.meaning.arrays import Vectors

Embedder = Callable[[Sequence[str]], "Vectors"]
"""Texts to float32 rows of length 1, one a text, in their order; no texts give no rows."""

Alike = Callable[[Sequence[str]], Sequence[float]]
"""How alike each of n texts is to the next one: n - 1 numbers, 1 for equals."""


def word_set(text: str) -> frozenset[str]:
    """The different words of a text: stems in the form of `search_text`."""
    return frozenset(token.text for token in tokens(text, stem=True))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Of the words of two texts together, the share that both have; 0 where neither has any.

    Jaccard, "Étude comparative de la distribution florale" (1901).

    >>> jaccard(word_set("River ice"), word_set("The ice of rivers"))
    0.5
    """
    either = len(one | other)
    return len(one & other) / either if either else 0.0


def by_words(texts: Sequence[str]) -> Sequence[float]:
    """How alike each text is to the next by the words they share."""
    return [jaccard(one, other) for one, other in pairwise(map(word_set, texts))]
