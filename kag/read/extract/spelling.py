"""Words of a question that the paper does not print, read as those it prints where few letters differ."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from kag.read.extract.asking import weight_of
from kag.read.extract.kin import kin_of
from kag.read.extract.kinds import kinds
from kag.read.passage_index import SearchIndex

CHANGED, LONG = 7, 9  # letters of a word from which one may stand for another, or two be wrong
_WORD = re.compile(r"(?<![\w-])[^\W\d_]{5,30}(?![\w-])")


def mended(question: str, index: SearchIndex) -> str:
    """The question with its slips put right: a word that is nowhere becomes the one word that is nearly so spelt.

    Words of names and of letters alone in capitals stay, and so does one that is near to several.
    """

    def put(match: re.Match[str]) -> str:
        word = match[0]
        return word if word.isupper() else _nearest(word.lower(), index) or word

    return _WORD.sub(put, question) if len(question) <= 2000 else question


def _nearest(word: str, index: SearchIndex) -> str:
    """The known word that is nearest in spelling; "" for a word that is known itself, or where two are as near."""
    if weight_of(word) < 1 or kin_of(word) or index.forms(word) or _asks(word):
        return ""
    most = 2 if len(word) >= LONG else 1
    best: dict[int, set[str]] = {}
    for other in index.printed(len(word) - most, len(word) + most, word[0]):
        far = distance(word, other, most)
        if far <= most and _is_slip(word, other):
            best.setdefault(far, set()).add(other)
    near = best.get(min(best)) if best else None
    if not near:
        return ""
    stems = {index.stem(one) for one in near}
    return min(near, key=lambda one: (-index.count(one), one)) if len(stems) == 1 else ""


def distance(one: str, two: str, most: int) -> int:
    """How many letters must be put in, left out, changed or turned round (Damerau); `most` + 1 where it is more.

    >>> distance("lifetme", "lifetime", 2), distance("recieve", "receive", 2), distance("ice", "river", 2)
    (1, 1, 3)
    """
    before: list[int] = []
    row = list(range(len(two) + 1))
    for at, char in enumerate(one, start=1):
        last, before, row = before, row, [at]
        for place, other in enumerate(two, start=1):
            cost = min(before[place] + 1, row[-1] + 1, before[place - 1] + (char != other))
            if last and place > 1 and char == two[place - 2] and one[at - 2] == other:
                cost = min(cost, last[place - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def _is_slip(word: str, other: str) -> bool:
    """Whether letters were only left out, doubled or turned round, or a long word has one wrong.

    >>> _is_slip("conclude", "concede"), _is_slip("nettwork", "network"), _is_slip("metal", "medal")
    (False, True, False)
    """
    one, two = Counter(word), Counter(other)
    changed = min((one - two).total(), (two - one).total())
    return changed == 0 or (changed == 1 and len(word) >= CHANGED and len(word) == len(other))


@lru_cache(maxsize=4096)
def _asks(word: str) -> bool:
    """Whether a word is one by which kinds of answer are asked for."""
    return any(kind.words.fullmatch(word) for kind in kinds())
