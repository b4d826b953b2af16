"""What BM25 is reckoned with, in tantivy and Lucene alike: its two constants, rarities, and lengths kept in a byte.

Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009).
"""

from __future__ import annotations

import math
from bisect import bisect_right

K1, B = 1.2, 0.75
_LENGTHS: list[int] = [*range(40), *(24 + ((8 | step & 7) << (step >> 3) - 1) for step in range(16, 232))]


def kept_length(words: int) -> int:
    """How long a text of so many words counts as: from 41 on lengths are rounded down.

    >>> [kept_length(words) for words in (0, 39, 41, 42, 1000)]
    [0, 39, 40, 42, 984]
    """
    return _LENGTHS[bisect_right(_LENGTHS, words) - 1]


def rarity(texts: int, having: int) -> float:
    """The inverse document frequency of a word that so many of the texts have."""
    return math.log(1 + (texts - having + 0.5) / (having + 0.5))
